"""Stretches: loops that ask where they are become loops one after the other that need not ask.

In: the statements of a function, ``Sizes``, how ranges of loops are read.
Out: ``parting.Stretches``: the statements, and what must not be negative for that.
Next: prepared.

``turning`` looks where what is asked has another answer, ``ends`` puts these places in order, ``asked`` answers in
each stretch, ``settled`` says the rest in fewer words, and ``apart`` finds the names that each stretch has for itself.
"""
