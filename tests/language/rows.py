"""Rows of the table: a program that is differentiated, one that is refused, or tests that show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import tangentlite as tl

Function = Callable[..., Any]


@dataclass(frozen=True)
class Row:
    """``refused``: the error that is raised; ``second``: whether there are second derivatives; ``proof``: tests that show it."""

    construct: str
    function: Function | None = None
    args: tuple[Any, ...] = ()
    refused: type[Exception] | None = None
    second: bool = True
    proof: str = ""

    def fault(self) -> tl.DerivativeError:
        """The error of a refused program."""
        assert self.refused is not None
        try:
            tl.grad(self.function)(*self.args)
        except self.refused as fault:
            assert isinstance(fault, tl.DerivativeError)
            return fault
        raise AssertionError(f"{self.construct}: not refused")


@dataclass
class Section:
    """Rows under one heading, in the order in which they were written."""

    title: str
    rows: list[Row] = field(default_factory=list)

    def works(
        self, construct: str, *args: Any, second: bool = True
    ) -> Callable[[Function], Function]:
        """The program below uses a construct that works, in both modes."""

        def add(function: Function) -> Function:
            self.rows.append(Row(construct, function, args, second=second))
            return function

        return add

    def refused(
        self, construct: str, *args: Any, error: type[Exception] = tl.UnsupportedSyntaxError
    ) -> Callable[[Function], Function]:
        """The program below uses a construct that is refused."""

        def add(function: Function) -> Function:
            self.rows.append(Row(construct, function, args, refused=error))
            return function

        return add

    def shown(self, construct: str, proof: str) -> None:
        """What a test elsewhere shows: ``module::test``."""
        self.rows.append(Row(construct, proof=proof))
