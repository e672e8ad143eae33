"""The function that is checked, at its arguments: its values and its derivatives as vectors.

In: a function, its arguments, what to differentiate in.
Out: ``Subject``: ``value``, ``forward``, ``reverse`` and the second derivatives, each on fresh copies of the arguments.
Next: checking.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import random
import warnings
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from types import MethodType
from typing import Any

import numpy as np

from tangentlite import api
from tangentlite.check.nests import Memo, Space, Vector, fresh
from tangentlite.derivative import Derivative
from tangentlite.ir import Mode
from tangentlite.methods import as_method


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Calls whose output, warnings and random numbers leave no trace."""
    numpy_state, state = np.random.get_state(), random.getstate()
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        np.random.set_state(numpy_state)
        random.setstate(state)


def primal_of(f: Any) -> tuple[Any, Any]:
    """The function of the user, and what a derivative of it was taken in: None if it is none."""
    if not callable(f):
        raise TypeError(f"a function is needed, not {type(f).__name__}")
    if isinstance(f, Derivative):
        return f.primal, f.request.wrt
    return as_method(f), None


class Subject:
    """A function with its arguments, as a function of one vector."""

    def __init__(
        self, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None, wrt: Any = None
    ) -> None:
        self.function, asked = primal_of(f)
        self.name = getattr(self.function, "__qualname__", type(f).__name__)
        signature = inspect.signature(self.function)
        try:
            self.bound = signature.bind(*args, **(kwargs or {}))
        except TypeError as error:
            raise TypeError(f"{self.name}{signature}: {error}") from None
        self.bound.apply_defaults()
        given = {**self.bound.arguments, **self._owner()}
        self.wrt = self._parameters(asked if wrt is None else wrt, given)
        self.rest = {name: value for name, value in given.items() if name not in self.wrt}
        chosen = {name: given[name] for name in self.wrt}
        whole = {name: _wide(value) for name, value in chosen.items()}
        self.whole, self.space = whole, Space(whole)
        if not self.space.size:
            raise ValueError("no argument holds a float: there is nothing to differentiate in")
        self.at = self.space.vector(whole)
        self.results: Space
        self.wide = False
        self.evaluations = 0

    def share(self) -> None:
        """Take an object that is in the arguments twice for one: the function writes into it."""
        self.space = Space(self.whole, shared=True)
        self.at = self.space.vector(self.whole)

    def untouched(self) -> Any:
        """The result at copies of the arguments as they are."""
        memo = Memo()
        with quiet():
            function, args, kwargs = self._call(fresh(self.whole, memo), memo)
            return function(*args, **kwargs)

    def _owner(self) -> dict[str, Any]:
        if not isinstance(self.function, MethodType):
            return {}
        return {self._receiver: self.function.__self__}

    @property
    def _receiver(self) -> str:
        return next(iter(inspect.signature(self.function.__func__).parameters))

    def _parameters(self, wrt: Any, given: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of what is differentiated in; by default every argument that holds floats."""
        if wrt is not None:
            return api.parameters(self.function, wrt)[0]
        own = self._owner()
        found = [n for n, v in given.items() if n not in own and Space({n: v}).size]
        return tuple(found) or api.parameters(self.function, 0)[0]

    # Calls ----------------------------------------------------------------------------------

    def fresh(self, at: Vector, wide: bool = False) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        """The function and copies of its arguments, which hold the floats of a vector."""
        memo = Memo()
        return self._call(self.space.value(at, wide, memo), memo)

    def _call(
        self, chosen: dict[str, Any], memo: Memo
    ) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        every = {**chosen, **fresh(self.rest, memo)}
        function = self.function
        if isinstance(function, MethodType):
            function = MethodType(function.__func__, every.pop(self._receiver))
        bound = copy.copy(self.bound)
        bound.arguments = {n: every[n] for n in self.bound.arguments}
        return function, bound.args, bound.kwargs

    def call(self, at: Vector) -> Any:
        """The result of the function itself; its exceptions pass."""
        function, args, kwargs = self.fresh(at)
        self.evaluations += 1
        with quiet():
            return function(*args, **kwargs)

    def run(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Call a function for what it does; whether that went well."""
        try:
            with quiet():
                function(*args, **kwargs)
        except Exception:  # a point where the function of the user is not defined
            return False
        return True

    def value(self, at: Vector) -> Vector:
        """The floats of the result; not a number where the function fails, or gives something else."""
        function, args, kwargs = self.fresh(at, self.wide)
        self.evaluations += 1
        try:
            with quiet():
                return self.results.vector(function(*args, **kwargs))
        except Exception:  # a point where the function of the user is not defined
            return np.full(self.results.size, np.nan)

    def widen(self, value: Vector) -> None:
        """Take differences in double precision, if the function takes such numbers and gives as good ones."""
        if max(self.space.eps, self.results.eps) <= 2.0**-52:
            return
        self.wide = True
        function, args, kwargs = self.fresh(self.at, True)
        try:
            with quiet():
                result = function(*args, **kwargs)
            near = np.abs(self.results.vector(result) - value)
            rough = 1e4 * max(self.space.eps, self.results.eps)
            self.wide = Space(result).eps <= 2.0**-52 and bool(
                np.all(near <= rough * (1e-3 + np.abs(value)))
            )
        except Exception:  # it takes single precision only
            self.wide = False

    def complex_value(self, at: Any) -> Any:
        """The result at complex arguments; None where there is no analytic function to be seen."""
        memo = Memo()
        function, args, kwargs = self._call(self.space.complex_value(at, memo), memo)
        self.evaluations += 1
        try:
            with quiet():
                warnings.simplefilter("error", np.exceptions.ComplexWarning)
                return function(*args, **kwargs)
        except Exception:
            return None

    def forward(self, at: Vector, along: Vector, wide: bool = False) -> Vector:
        """The tangent of the result."""
        function, args, kwargs = self.fresh(at, wide)
        push = api.jvp(function, wrt=self.wrt)
        tangent = self._tangents(along)
        with quiet():
            found = push(*args, **kwargs, tangent=tangent)[1]
        return self.results.tangent_vector(found)

    def reverse(self, at: Vector, seed: Vector, wide: bool = False) -> Vector:
        """The gradient of the result times a seed."""
        function, args, kwargs = self.fresh(at, wide)
        pull = api.vjp(function, wrt=self.wrt)
        with quiet():
            _, pullback = pull(*args, **kwargs)
            found = pullback(self.results.adjoint(seed))
        return self._gradient(found)

    def _tangents(self, along: Vector) -> tuple[Any, ...]:
        return tuple(self.space.tangent(along).values())

    def _weights(self, seed: Vector) -> tuple[Any, ...]:
        return tuple(self.space.adjoint(seed).values())

    def _gradient(self, found: Any) -> Vector:
        return self.space.adjoint_vector(dict(zip(self.wrt, found)))

    # Second derivatives ---------------------------------------------------------------------

    def twice(self, modes: Sequence[str]) -> str:
        """How second derivatives are taken."""
        if "forward" not in modes:
            return "reverse over reverse"
        return "forward over reverse" if "reverse" in modes else "forward over forward"

    def gradient(self, at: Vector, seed: Vector) -> Vector:
        """The gradient at a point nearby; not a number where it fails."""
        return self._tried(self.reverse, at, seed, self.space.size)

    def slope(self, at: Vector, along: Vector) -> Vector:
        """The tangent at a point nearby; not a number where it fails."""
        return self._tried(self.forward, at, along, self.results.size)

    def _tried(self, mode: Callable[..., Vector], at: Vector, given: Vector, size: int) -> Vector:
        self.evaluations += 1
        try:
            return mode(at, given, self.wide)
        except Exception:  # a point where the function of the user is not defined
            return np.full(size, np.nan)

    def _seeded(self, mode: Mode, at: Vector, seeds: Any) -> tuple[Any, tuple[Any, ...], Any]:
        """A derivative as a function of arguments and seeds, and what to call it with."""
        function, args, kwargs = self.fresh(at)
        derived = api.autodiff(function, wrt=self.wrt, mode=mode)
        own = inspect.signature(function).parameters
        if not self._added(derived, own):  # its text is written when it is called
            _, others, named = self.fresh(at)
            word = "adjoint" if mode == "reverse" else "tangent"
            with quiet():
                derived(*others, **named, **{word: seeds})
        names = self._added(derived, own)
        given = seeds if mode == "forward" else [seeds]
        return derived, args, {**kwargs, **dict(zip(names, given))}

    def _added(self, derived: Any, own: Container[str]) -> list[str]:
        return [name for name in inspect.signature(derived).parameters if name not in own]

    def forward_over_reverse(self, at: Vector, seed: Vector, along: Vector) -> Vector:
        """How the gradient changes along a direction."""
        derived, args, kwargs = self._seeded("reverse", at, self.results.adjoint(seed))
        push = api.jvp(derived, wrt=self.wrt)
        with quiet():
            found = push(*args, **kwargs, tangent=self._tangents(along))[1]
        return self._gradient(found)

    def reverse_twice(self, at: Vector, seed: Vector, along: Vector) -> Vector:
        """The gradient of the product of the gradient and a direction."""
        derived, args, kwargs = self._seeded("reverse", at, self.results.adjoint(seed))
        pull = api.vjp(derived, wrt=self.wrt)
        with quiet():
            found = pull(*args, **kwargs)[1](self._weights(along))
        return self._gradient(found)

    def forward_twice(self, at: Vector, along: Vector, other: Vector) -> Vector:
        """How the tangent along one direction changes along another."""
        derived, args, kwargs = self._seeded("forward", at, self._tangents(along))
        push = api.jvp(derived, wrt=self.wrt)
        with quiet():
            found = push(*args, **kwargs, tangent=self._tangents(other))[1]
        return self.results.tangent_vector(found)


def _wide(value: Any) -> Any:
    """A number that is no float, or an array of those, as floats."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biu":
        return value.astype(float)
    return float(value) if isinstance(value, int | np.integer | np.bool_) else value
