# mypy: ignore-errors
"""What loops need that Python has no word for: both sides of a choice at once, and memory that nothing else is in.

In: nothing.
Out: ``either`` and ``unshared``, known to Numba once this module is imported.
Next: elements, unshared.

Machine code does several elements at once where no element waits for a choice, and where what is written is surely
not what is read: it asks before a loop else, and loops of many arrays it does not even ask about.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.core.imputils import impl_ret_new_ref
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array

POINTER = "_unshared_{}"


def either(test, one, other):
    """``one if test else other``, both worked out."""
    return one if test else other


def unshared(array):
    """A new array, of which nobody has another name."""
    return array


@type_callable(either)
def _either(context):
    def typed(test, one, other):
        return context.unify_types(one, other)

    return typed


@lower_builtin(either, types.Any, types.Any, types.Any)
def _chosen(context, builder, signature, args):
    test, *sides = args
    kind, *kinds = signature.args
    test = context.cast(builder, test, kind, types.boolean)
    sides = [context.cast(builder, s, k, signature.return_type) for s, k in zip(sides, kinds)]
    return builder.select(test, *sides)


@type_callable(unshared)
def _unshared(context):
    return lambda array: array


@lower_builtin(unshared, types.Any)
def _same(context, builder, signature, args):
    kind, value = signature.return_type, args[0]
    if isinstance(kind, types.Array):
        array = make_array(kind)(context, builder, value)
        array.data = _told(builder, array.data)
        value = array._getvalue()
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return impl_ret_new_ref(context, builder, kind, value)


def _told(builder, pointer):
    """The pointer, as from a function that gives memory; what frees it may meet it."""
    kind = pointer.type
    gives = ir.FunctionType(kind, [kind])
    name = POINTER.format(str(kind.pointee).strip("%").replace('"', ""))
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, gives, name)
        function.linkage = "linkonce_odr"
        function.attributes.add("noinline")
        function.attributes.add("nounwind")
        function.return_value.add_attribute("noalias")
        inside = ir.IRBuilder(function.append_basic_block())
        inside.ret(inside.asm(gives, "", "=r,0", [function.args[0]], side_effect=True))
    found = builder.call(function, [pointer])
    builder.asm(ir.FunctionType(ir.VoidType(), [kind]), "", "r,~{memory}", [found], True)
    return found
