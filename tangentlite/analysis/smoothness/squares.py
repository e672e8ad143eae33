"""What a value was made of: squares, sums of squares, and what else is never negative.

In: a normal form, its kinds, aliases and versions.
Out: for roots: whether two values are one, whether a radicand has its minimum where it is zero.
Next: roots.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import is_complex
from tangentlite.analysis.operations import Copy, Inserted, Operation, Primitive, UserCall
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.versions import Version, Versions
from tangentlite.values import immutable

POWERS = {operator.pow, pow, np.power, np.float_power, math.pow}
PRODUCTS = {operator.mul, np.multiply}
QUOTIENTS = {operator.truediv, np.divide}
ADDITIONS = {operator.add, np.add}
TOTALS = {np.sum, np.ndarray.sum, np.mean, np.ndarray.mean}
ZEROS = {np.zeros, np.zeros_like}
VARIANCES = {np.var, np.ndarray.var, np.nanvar}
NEGATIONS = {operator.neg, np.negative}
DOTS = {operator.matmul, np.matmul, np.dot, np.ndarray.dot, np.inner, np.vdot}
SUBTRACTIONS = {operator.sub, np.subtract}
WAVES = {np.cos, np.sin, np.tanh, np.sinc, math.cos, math.sin, math.tanh}
ABOVE_ONE = {np.cosh, math.cosh}
RISING = {np.log1p, np.expm1, math.log1p, math.expm1}
STANDINS = {
    "complexes.norm": np.linalg.norm,
    "complexes.vector_norm": np.linalg.vector_norm,
    "complexes.matrix_norm": np.linalg.matrix_norm,
    "matrices.norm": np.linalg.norm,
}


@immutable(eq=False)
class Call:
    """A function of the library and what its parameters are given."""

    callee: Any
    bound: Mapping[str, gast.expr]

    @property
    def exponent(self) -> Any:
        """The exponent of a power, if it is written out."""
        exponent = self.bound.get("y") if self.callee in POWERS else None
        return exponent.value if isinstance(exponent, gast.Constant) else None

    @property
    def names(self) -> list[str]:
        """The arguments that are names."""
        return [v.id for v in self.bound.values() if isinstance(v, gast.Name)]

    @property
    def factors(self) -> list[str]:
        """The names of two values that are multiplied: one of them twice for a square."""
        if self.callee is np.square or self.exponent == 2:
            return self.names[:1] * 2
        return self.names if self.callee in PRODUCTS else []


def call_of(operation: Operation) -> Call | None:
    """What an operation computes: a call of the library, by its own rule or by a stand-in."""
    match operation:
        case Primitive(rule=rule, bound=bound) if rule.place.startswith("templates/"):
            return Call(rule.callee, bound)
        case UserCall(function=function, bound=bound):
            module = str(getattr(function, "__module__", "")).removeprefix("tangentlite.standins.")
            callee = STANDINS.get(f"{module}.{getattr(function, '__name__', '')}")
            return callee and Call(callee, {"x" if k == "a" else k: v for k, v in bound.items()})
    return None


@immutable(eq=False)
class Makers:
    """What made the values of a function."""

    inferred: Inference
    shared: Aliases
    versions: Versions
    cut: frozenset[tuple[gast.stmt | None, str]] = frozenset()

    @classmethod
    def of(cls, inferred: Inference, shared: Aliases, versions: Versions) -> Makers:
        """Inserted code cuts what is made of a value off from what made it: its adjoint may become another one."""
        cut = {
            (version.statement, name)
            for statement, operation in inferred.operations.items()
            if isinstance(operation, Inserted)
            for name, version in versions.reads[statement].items()
            if name in operation.names
        }
        return cls(inferred, shared, versions, frozenset(cut))

    def identity(self, statement: gast.stmt, depth: int = 4) -> Any:
        """What tells whether two statements compute the same of the same values."""
        call = call_of(self.inferred.operations[statement])
        if call is None:
            return statement
        read = self.versions.reads[statement]
        if any(self.shared.is_written(name) for name in read):
            return statement
        parts = []
        for parameter, value in call.bound.items():
            part: Any = syntax.unparse(value)
            version = read.get(value.id) if isinstance(value, gast.Name) else None
            if version is not None:
                origin = self.origin(statement, version.name) if depth else None
                known = origin is not None and origin in self.inferred.operations
                part = self.identity(origin, depth - 1) if known else version
            parts.append((parameter, part))
        return call.callee, tuple(parts)

    def same(self, statement: gast.stmt, names: list[str]) -> bool:
        """Whether two factors are one value."""
        if len(names) == 2 and names[0] != names[1]:
            one, other = (self.origin(statement, name) for name in names)
            known = one in self.inferred.operations and other in self.inferred.operations
            return known and self.identity(one) == self.identity(other)
        return len(names) == 2

    def origin(self, statement: gast.stmt, name: str) -> gast.stmt | None:
        """The statement that has bound what a name holds; None if that is not known or was written since."""
        version: Version | None = self.versions.reads[statement].get(name)
        if version is None or version.statement is None or self.shared.is_written(name):
            return None
        if (version.statement, name) in self.cut:
            return None
        operation = self.inferred.operations.get(version.statement)
        if isinstance(operation, Copy):
            return self.origin(version.statement, operation.source)
        return version.statement

    def read(self, statement: gast.stmt, node: Any) -> Version | None:
        """Which version of a name a statement reads; None if the name may be written."""
        if not isinstance(node, gast.Name) or self.shared.is_written(node.id):
            return None
        return self.versions.reads[statement].get(node.id)

    def made_by(self, statement: gast.stmt, name: str) -> tuple[gast.stmt, Call] | None:
        """The call that has made what a name holds, of real numbers."""
        origin = self.origin(statement, name)
        call = self._real_call(origin) if origin is not None else None
        return None if call is None or origin is None else (origin, call)

    def maker(self, statement: gast.stmt, node: gast.expr) -> tuple[gast.stmt, Call] | None:
        """The call that has made what a statement reads, of real or complex numbers."""
        origin = self.origin(statement, node.id) if isinstance(node, gast.Name) else None
        operation = self.inferred.operations.get(origin) if origin is not None else None
        call = call_of(operation) if operation is not None else None
        return None if call is None or origin is None else (origin, call)

    def token(self, statement: gast.stmt, node: gast.expr) -> Any:
        """What is equal for two reads of one value; None if that cannot be told."""
        if not isinstance(node, gast.Name):
            return None
        origin = self.origin(statement, node.id)
        if origin is not None and origin in self.inferred.operations:
            return self.identity(origin)
        return self.read(statement, node)

    def _real_call(self, statement: gast.stmt) -> Call | None:
        """The call of the library that a statement is, of real numbers."""
        operation = self.inferred.operations.get(statement)
        if not isinstance(operation, Primitive) or is_complex(*operation.kinds.values()):
            return None
        return call_of(operation)
