"""What objects have of their class where others of it have a function of their own under the same name.

In: a class and a name.
Out: a kind.
Next: joining.
"""

from __future__ import annotations

from tangentlite.analysis.kinds import Kind, Unknown, Value


def function_of(owner: type, name: str) -> Kind | None:
    """What an object that holds nothing under a name calls by it; None: nothing, or no function.

    >>> class Layer:
    ...     shape = staticmethod(abs)
    ...     def forward(self): ...
    >>> function_of(Layer, "shape"), function_of(Layer, "other")
    (Value(value=<built-in function abs>), None)
    >>> function_of(Layer, "forward").why
    'some objects of class `Layer` have a `forward` of their own, and others that of the class'
    """
    found = next((vars(c)[name] for c in owner.__mro__ if name in vars(c)), None)
    plain = found.__func__ if isinstance(found, staticmethod) else found
    if plain is found and hasattr(type(found), "__get__"):
        return Unknown(
            f"some objects of class `{owner.__name__}` have a `{name}` of their own, and others that of the class"
        )
    return Value(plain) if callable(plain) else None
