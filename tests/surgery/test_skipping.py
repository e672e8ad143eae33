"""A function that nobody differentiates passes over inserted code, whoever looks on; ``tl.primal`` takes it out."""

from __future__ import annotations

import asyncio
import bdb
import inspect
import sys
import threading
import traceback
from typing import Any

import pytest

import tangentlite as tl
from tangentlite import insert_grad_of

RAN: list[Any] = []


def every_form(x):
    with insert_grad_of(x) as dx:
        RAN.append(dx)
    with insert_grad_of(x) as dx: RAN.append(dx)  # fmt: skip  # noqa: E701
    with insert_grad_of(x):
        pass
    with insert_grad_of(x, x) as (dx, dy):
        try:
            RAN.append(dy)
        except BaseException:
            RAN.append("caught")
    for i in range(3):
        with insert_grad_of(
            x
        ) as dx:  # fmt: skip
            RAN.append(i)
            if i:
                break
    else:
        x = x + 1
    with insert_grad_of(x) as dx:
        while True:
            pass
    return x


def test_nothing_of_it_runs() -> None:
    RAN.clear()
    assert every_form(1) == 2
    assert RAN == []
    assert sys.gettrace() is None


def numbers(n):
    with insert_grad_of(n) as dn:
        RAN.append(dn)
    yield n
    if n:
        yield from numbers(n - 1)
    try:
        with insert_grad_of(n) as dn:
            raise ValueError
        raise KeyError
    except KeyError:
        yield "end"


def test_generators_recursion_and_errors_of_others() -> None:
    RAN.clear()
    assert list(numbers(2)) == [2, 1, 0, "end", "end", "end"]
    assert RAN == []


def nested(x):
    with insert_grad_of(x) as dx:
        with insert_grad_of(x) as dy:
            RAN.append(dx, dy)
    return x


def test_nested_blocks() -> None:
    assert nested(1) == 1


def test_coroutines_and_threads() -> None:
    async def waiting(x: Any) -> Any:
        await asyncio.sleep(0)
        with insert_grad_of(x) as dx:
            RAN.append(dx)
        await asyncio.sleep(0)
        return x

    async def several() -> list[Any]:
        return await asyncio.gather(*map(waiting, range(20)))

    RAN.clear()
    assert asyncio.run(several()) == list(range(20))
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.extend(every_form(k) for k in range(100)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(list(range(1, 101)) * 4)
    assert RAN == []


def test_a_tracer_sees_what_runs_and_stays() -> None:
    lines: list[int] = []

    def tracer(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_code is every_form.__code__:
            lines.append(frame.f_lineno - frame.f_code.co_firstlineno)
            return tracer
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        every_form(1)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)
    text = inspect.getsource(every_form).splitlines()
    seen = [text[k].strip() for k in dict.fromkeys(lines)]
    assert "return x" in seen and "x = x + 1" in seen
    assert not any("RAN.append(dy)" in line for line in seen)


class Stepper(bdb.Bdb):
    """Steps through a function as a debugger does."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []

    def user_line(self, frame: Any) -> None:
        if frame.f_code is every_form.__code__:
            self.lines.append(frame.f_lineno - frame.f_code.co_firstlineno)
        self.set_step()


def test_a_debugger_steps_over_it() -> None:
    stepper, before = Stepper(), sys.gettrace()
    try:
        stepper.runcall(every_form, 1)
    finally:
        sys.settrace(before)
    text = inspect.getsource(every_form).splitlines()
    assert text[stepper.lines[-1]].strip() == "return x"


def test_coverage_of_what_follows() -> None:
    coverage = pytest.importorskip("coverage")
    measured = coverage.Coverage(data_file=None, include=[__file__])
    measured.start()
    try:
        every_form(1)
    finally:
        measured.stop()
    lines, first = inspect.getsourcelines(every_form)
    seen = set(measured.get_data().lines(__file__))
    last = first + len(lines) - 1
    assert last in seen
    assert first + 2 not in seen


def test_no_values() -> None:
    with pytest.raises(TypeError, match="takes the values"), insert_grad_of():
        pass


# tl.primal ----------------------------------------------------------------------------------


def factory(k):
    def scaled(x, *, y=5.0):
        """Text."""
        with tl.insert_grad_of(x) as dx:
            dx = dx * k
        return x * k + y

    return scaled


def test_closure_signature_and_defaults() -> None:
    scaled = factory(2.0)
    plain = tl.primal(scaled)
    assert plain is not scaled and plain is tl.primal(scaled)
    assert plain(1.0) == 7.0 and plain(1.0, y=0.0) == 2.0
    assert inspect.signature(plain) == inspect.signature(scaled)
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        assert getattr(plain, name) == getattr(scaled, name)
    assert insert_grad_of.__name__ not in plain.__code__.co_names
    assert tl.primal(factory(3.0))(1.0) == 8.0


def test_derivatives_of_it_have_no_blocks() -> None:
    scaled = factory(2.0)
    assert tl.grad(scaled)(1.0) == 4.0
    assert tl.grad(tl.primal(scaled))(1.0) == 2.0
    assert tl.jvp(tl.primal(scaled))(1.0, tangent=1.0) == (7.0, 2.0)


class Base:
    rate = 2.0

    def __init__(self) -> None:
        self.__hidden = 3.0

    def value(self, x):
        with tl.insert_grad_of(x) as dx:
            dx = dx * 100.0
        return x * self.__hidden * self.rate


class Derived(Base):
    def value(self, x):
        with tl.insert_grad_of(x) as dx:
            dx = dx * 10.0
        return super().value(x) + 1.0


def test_methods() -> None:
    assert tl.primal(Base().value)(1.0) == 6.0
    assert tl.primal(Derived().value)(1.0) == 7.0
    assert tl.primal(Base.value)(Base(), 2.0) == 12.0
    assert tl.grad(tl.primal(Base().value))(1.0) == 6.0
    assert tl.grad(Base().value)(1.0) == 600.0


def failing(x):
    with tl.insert_grad_of(x) as dx:
        dx = dx * 2.0
    return x / 0


def test_errors_show_the_lines_of_the_file() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        tl.primal(failing)(1.0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__ and last.name == "failing" and last.line == "return x / 0"


def test_what_has_no_blocks_is_itself() -> None:
    assert tl.primal(clean) is clean
    with pytest.raises(TypeError, match="takes a function or a method"):
        tl.primal(3)


def clean(x):
    return x
