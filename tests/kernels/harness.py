"""One kernel against finite differences, in every mode.

The loss is the weighted sum of all that the kernel returns or overwrites. From the root of the repository,
``python -m tests.kernels.harness [name or mode ...]`` tells in one line per kernel what holds.
"""

from __future__ import annotations

import copy
import linecache
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

import tangentlite as tl
from tests.kernels.corpus import Kernel, every_kernel
from tests.programs.strict import alike, arrays, direction, leaves, rebuilt, structured

STEP = 1e-4
FIRST, SECOND = 1e-6, 1e-5


def places(value: Any, text: str) -> Iterator[tuple[str, Any]]:
    """Where the floating numbers of a value are, as expressions."""
    if isinstance(value, list | tuple):
        for k, part in enumerate(value):
            yield from places(part, f"{text}[{k}]")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, f"{text}[{key!r}]")
    elif leaves(value):
        yield text, value


def same(a: Any, b: Any) -> bool:
    """Whether a value is as it was."""
    try:
        alike(a, b, "")
    except AssertionError:
        return False
    return True


def outputs(kernel: Kernel) -> tuple[bool, list[tuple[str, Any]]]:
    """Whether the kernel returns anything, and where its floating outputs are after a call."""
    args = kernel.fresh()
    result = kernel.function(*args)
    found = [
        place
        for name, before, after in zip(kernel.arguments, kernel.fresh(), args)
        if not same(before, after)
        for place in places(after, name)
    ]
    return result is not None, [*found, *places(result, "result")]


def loss_of(kernel: Kernel) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function with source: the weighted sum of the outputs; and all its arguments."""
    returns, found = outputs(kernel)
    assert found, f"{kernel.name} has no floating output"
    rng = np.random.default_rng(zlib.crc32(kernel.name.encode()))
    weights, terms = {}, []
    for k, (place, value) in enumerate(found):
        whole = isinstance(value, np.ndarray)
        weights[f"weight_{k}"] = rng.normal(size=value.shape) if whole else float(rng.normal())
        terms.append(f"np.sum(weight_{k} * {place})" if whole else f"weight_{k} * {place}")
    call = f"{kernel.name}({', '.join(kernel.arguments)})"
    lines = [
        f"def {kernel.name}_loss({', '.join([*kernel.arguments, *weights])}):",
        f"    {'result = ' if returns else ''}{call}",
        f"    return {' + '.join(terms)}",
    ]
    return function("\n".join(lines) + "\n", kernel), (*kernel.fresh(), *weights.values())


def function(text: str, kernel: Kernel) -> Callable[..., Any]:
    """The function of a text that ``inspect`` can find."""
    file = f"<loss of {kernel.name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"np": np, kernel.name: kernel.function, "__name__": "losses"}
    exec(compile(text, file, "exec"), scope)
    made: Callable[..., Any] = scope[f"{kernel.name}_loss"]
    return made


def moved(args: tuple[Any, ...], along: dict[int, Any], step: float) -> tuple[Any, ...]:
    """Fresh arguments, some of them moved along their directions."""
    found = list(copy.deepcopy(args))
    for k, v in along.items():
        numbers = np.asarray(leaves(args[k])) + step * np.asarray(leaves(v))
        found[k] = rebuilt(args[k], iter(numbers.tolist()))
    return tuple(found)


def slope(f: Callable[..., Any], args: tuple[Any, ...], along: Any, step: float = STEP) -> Any:
    """The derivative of the numbers of ``f`` along a direction, by differences of fourth order."""
    parts = [
        weight * np.asarray(leaves(f(*moved(args, along, k * step))))
        for k, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0))
    ]
    return sum(parts) / (12.0 * step)


def close(found: Any, expected: Any, where: str, tolerance: float, scale: float) -> None:
    """Equal to ``tolerance``, or to a thousandth of it where the loss is large and its slope small."""
    scale = max(1.0, scale, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(
        found, expected, rtol=tolerance, atol=1e-3 * tolerance * scale, err_msg=where
    )


class Check:
    """All that is asked of one kernel; each public method is a mode."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.loss, self.args = loss_of(kernel)
        self.value = self.loss(*copy.deepcopy(self.args))
        self.active = [k for k, x in enumerate(kernel.fresh()) if leaves(x)]
        self.wrt = tuple(self.active)
        self.scale = abs(float(self.value))
        assert np.isfinite(self.value)

    @cached_property
    def slopes(self) -> list[tuple[int, Any, float]]:
        """Two directions for every floating argument, with the derivative along them."""
        return [
            (k, v, float(slope(self.loss, self.args, {k: v})[0]))
            for k in self.active
            for v in (direction(self.args[k], seed) for seed in (3, 4))
        ]

    def fresh(self) -> tuple[Any, ...]:
        return copy.deepcopy(self.args)

    def differences(self) -> None:
        """The differences themselves: no kink near, none at the point, and every argument counts."""
        names = list(self.kernel.arguments)
        for k, v, expected in self.slopes:
            again = float(slope(self.loss, self.args, {k: v}, STEP / 5.0)[0])
            close(again, expected, f"step sizes, {names[k]}", 1e-7, self.scale)
            wide, narrow = (self.bend({k: v}, h) for h in (1e-5, 1e-6))
            assert narrow <= 0.3 * wide + 1e-7 * max(1.0, self.scale), f"a kink, {names[k]}"
            assert (expected == 0.0) == (names[k] in self.kernel.inert), f"{names[k]}: {expected}"

    def bend(self, along: dict[int, Any], h: float) -> float:
        """How much the slopes on both sides of the point differ."""
        ends = [self.loss(*moved(self.args, along, step)) for step in (h, -h)]
        return abs(float(ends[0] + ends[1] - 2.0 * self.value)) / h

    def reverse(self) -> None:
        """All gradients at once, optimized and not, then each one alone."""
        for optimized in (True, False):
            where = f"reverse, optimized={optimized}"
            args = self.fresh()
            derivative = tl.value_and_grad(self.loss, wrt=self.wrt, optimized=optimized)
            value, found = derivative(*args)
            alike(value, self.value, f"value, {where}")
            alike(args, self.args, f"arguments, {where}")
            self.gradients(found, where)
            self.unshared(found, args, where)
        for k in self.active:
            args = self.fresh()
            alone = tl.grad(self.loss, wrt=k)(*args)
            alike(args, self.args, f"arguments, gradient {k}")
            self.along({k: alone}, f"gradient {k} alone")

    def split(self) -> None:
        """A pullback that is called twice; of the kernel itself where its outputs are its result."""
        value, pullback = tl.vjp(self.loss, wrt=self.wrt)(*self.fresh())
        alike(value, self.value, "value of vjp")
        for turn in ("first", "second"):
            self.gradients(pullback(1.0), f"{turn} pullback")
        result = self.kernel.function(*self.kernel.fresh())
        if result is not None:
            self.split_kernel(result)

    def split_kernel(self, result: Any) -> None:
        def seeded(*args: Any) -> float:
            return float(np.dot(leaves(seed), leaves(self.kernel.function(*args))))

        seed = direction(result, 6)
        args = self.kernel.fresh()
        value, pullback = tl.vjp(self.kernel.function, wrt=self.wrt)(*args)
        alike(value, result, "result of vjp")
        found = pullback(copy.deepcopy(seed))
        for k, v, _ in self.slopes:
            expected = float(slope(seeded, self.kernel.fresh(), {k: v})[0])
            numbers = structured(found[self.active.index(k)], self.args[k], f"seeded {k}")
            close(np.dot(numbers, leaves(v)), expected, f"seeded {k}", FIRST, self.scale)

    def forward(self) -> None:
        """Tangents of all arguments at once, then of each alone."""
        first = {k: v for k, v, _ in self.slopes}
        expected = {k: number for k, _, number in self.slopes}
        args = self.fresh()
        value, tangent = tl.jvp(self.loss, wrt=self.wrt)(*args, tangent=tuple(first.values()))
        alike(value, self.value, "value of jvp")
        alike(args, self.args, "arguments of jvp")
        close(float(tangent), sum(expected.values()), "forward", FIRST, self.scale)
        for k, v in first.items():
            _, tangent = tl.jvp(self.loss, wrt=k)(*self.fresh(), tangent=v)
            close(float(tangent), expected[k], f"forward {k} alone", FIRST, self.scale)

    def second(self) -> None:
        """The Hessian times a direction: forward and reverse over reverse."""
        if not self.kernel.second:
            return
        gradient = tl.grad(self.loss, wrt=self.wrt)
        v = {k: direction(self.args[k], 7) for k in self.active}
        expected = slope(gradient, self.args, v)
        args = self.fresh()
        _, tangent = tl.jvp(gradient, wrt=self.wrt)(*args, tangent=tuple(v.values()))
        alike(args, self.args, "arguments, second order")
        close(leaves(tangent), expected, "forward over reverse", SECOND, self.scale)
        _, pullback = tl.vjp(gradient, wrt=self.wrt)(*args)
        close(leaves(pullback(tuple(v.values()))), expected, "reverse twice", SECOND, self.scale)
        alike(args, self.args, "arguments, reverse twice")

    def gradients(self, found: Any, where: str) -> None:
        assert type(found) is tuple and len(found) == len(self.active), where
        self.along(dict(zip(self.active, found)), where)

    def along(self, found: dict[int, Any], where: str) -> None:
        """Gradients have the form of their arguments and agree with the slopes."""
        for k, v, expected in self.slopes:
            if k in found:
                numbers = structured(found[k], self.args[k], where)
                close(np.dot(numbers, leaves(v)), expected, f"{where}, {k}", FIRST, self.scale)

    def unshared(self, found: Any, args: tuple[Any, ...], where: str) -> None:
        mine = arrays(found)
        for i, g in enumerate(mine):
            assert g.flags.writeable, f"{where}: the gradient is read-only"
            for other in [*arrays(args), *mine[:i]]:
                assert not np.shares_memory(g, other), f"{where}: the gradient shares memory"


MODES = ("differences", "reverse", "split", "forward", "second")


def check(kernel: Kernel, mode: str) -> None:
    """What must hold of the derivatives of a kernel in one mode."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        getattr(Check(kernel), mode)()


def verdict(kernel: Kernel, mode: str) -> str:
    """One line: ok, WRONG, or the error."""
    try:
        check(kernel, mode)
    except AssertionError as wrong:
        return f"WRONG: {' '.join(str(wrong).split())[:160]}"
    except Exception as error:
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    return "ok"


def main(words: list[str]) -> int:
    """Print the verdict on every kernel and mode that is named, on all if none is."""
    kernels = every_kernel()
    modes = [w for w in words if w in MODES] or list(MODES)
    names = [w for w in words if w not in MODES] or list(kernels)
    faults = 0
    for name in names:
        for mode in modes:
            line = verdict(kernels[name], mode)
            faults += line != "ok"
            print(f"{name:28} {mode:12} {line}", flush=True)
    print(f"{len(names) * len(modes) - faults} of {len(names) * len(modes)} hold")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
