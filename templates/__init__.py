"""The rules of calculus, one file per part of the differentiated library.

A rule is the primal's signature, its result, and its calculus::

    @elementwise(np.multiply, operator.mul)
    def multiply(x, y) -> z:
        d[z] = y * d[x] + x * d[y]

``d[x]`` is the tangent of x and ``b[x]`` its adjoint; generated code calls them ``dx`` and ``bx``.

* ``elementwise``: the total differential only; the adjoint is its transpose, and the compiler sums
  what was broadcast.
* ``linear``: the adjoint only; the tangent is the primal applied to ``d[x]``.
* ``rule``: both modes. Other lines are work shared by both; a line that assigns the result
  replaces the call of the primal.
* ``inactive``: functions whose derivative is zero, known and intended.
* ``@f.when(guard)``: a tidier special case, chosen when facts prove the guard.

In: the names of ``tangentlite.rules.notation`` and of ``tangentlite.runtime``.
Out: declarations, which ``tangentlite.rules`` reads: the functions are never called.
Next: elementary.
"""
