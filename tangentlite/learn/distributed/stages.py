"""A model as a tree of stages, each on a worker of its own.

In: for each stage its function ``f(parameters, *inputs)``, and which stages or data its inputs are.
Out: ``Stages``: the value of the last stage, and the gradients of the parameters of each.
Next: workers.

What a stage saved for its backward sweep stays with its worker, and so does the pullback. Between workers there travel
the values of stages, and their adjoints back. A worker that is lost takes its record with it; then the stage runs again
elsewhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import tangentlite as tl
from tangentlite.learn.distributed.programs import Program, Unchanged, received
from tangentlite.learn.distributed.spread import combined

_records: dict[tuple[str, str], tuple[int, Any]] = {}  # on a worker: the pullbacks of its stages


class Stage:
    """A function, and the names of its inputs; ``own``: whether it has parameters."""

    def __init__(self, name: str, function: Callable[..., Any], inputs: tuple[str, ...]) -> None:
        self.name, self.function, self.inputs = name, function, inputs
        self.programs: dict[bool, Program] = {}

    def wrt(self, own: bool, stages: Any) -> tuple[int, ...]:
        """Give the positions of what is differentiated: parameters, and values of other stages."""
        return (*([0] if own else []), *(k + 1 for k, n in enumerate(self.inputs) if n in stages))

    def program(self, own: bool, stages: Any) -> Program:
        """Give what the worker runs: the function itself where nothing is to be differentiated."""
        if own not in self.programs:
            wrt = self.wrt(own, stages)
            names = list(inspect.signature(self.function).parameters)
            pull = tl.vjp(self.function, wrt=tuple(names[k] for k in wrt)) if wrt else None
            self.programs[own] = Program(self.function if pull is None else pull)
        return self.programs[own]


class Stages:
    """A tree of stages; see ``Workers.stages``."""

    def __init__(self, workers: Any, data: tuple[str, ...], stages: dict[str, Any]) -> None:
        self.workers, self.data = workers, data
        self.stages = {n: Stage(n, f, tuple(inputs)) for n, (f, *inputs) in stages.items()}
        self.name, self.step, self.prepared = uuid4().hex, 0, False
        known = set(data)
        for stage in self.stages.values():
            if unknown := [n for n in stage.inputs if n not in known]:
                raise ValueError(f"{stage.name} takes {unknown[0]!r}, which is not before it")
            known.add(stage.name)

    def __call__(self, parameters: Any, *data: Any) -> Any:
        """Give the value of the last stage, computed here."""
        known = dict(zip(self.data, data, strict=True))
        for name, stage in self.stages.items():
            inputs = (known[n] for n in stage.inputs)
            known[name] = stage.function(parameters.get(name), *inputs)
        return known[name]

    def value_and_grad(self, parameters: Any, *data: Any) -> tuple[Any, dict[str, Any]]:
        """Give the value of the last stage, and the gradient of the parameters of each."""
        try:
            return Sweep(self, parameters, data, not self.prepared).result()
        except tl.DerivativeError:  # values of other kinds than before, perhaps
            if not self.prepared:
                raise
        return Sweep(self, parameters, data, True).result()


class Sweep:
    """One step, forward and back. ``prepare``: texts are to be written for the values that there are."""

    def __init__(self, tree: Stages, parameters: Any, data: tuple[Any, ...], prepare: bool) -> None:
        self.tree, self.workers, self.parameters = tree, tree.workers, parameters
        self.prepare = prepare
        tree.step += 1
        places = tree.workers.places()
        self.places = {name: places[k % len(places)] for k, name in enumerate(tree.stages)}
        self.values: dict[str, Any] = {
            name: self.workers.sent(value) for name, value in zip(tree.data, data, strict=True)
        }
        self.calls = {name: self._forward(stage) for name, stage in tree.stages.items()}
        tree.prepared = True

    def _forward(self, stage: Stage) -> tuple[Any, ...]:
        """Have a stage run, and give what its worker was told."""
        own = self.parameters.get(stage.name)
        program = stage.program(own is not None, self.tree.stages)
        inputs = [self.values[n] for n in stage.inputs]
        split = getattr(program.derivative, "__split__", None)
        if self.prepare and split is not None:
            split.prepare(own, *self.workers.gathered(inputs))
        state = self.workers.sent(program.state(own))
        key = self.tree.name, stage.name, self.tree.step
        call = (self.workers.kept(program.text()), state, key, inputs)
        self.values[stage.name] = self._at(stage, forward, split is not None, *call)
        return call

    def _at(self, stage: Stage, function: Any, *args: Any) -> Any:
        return self.workers.asked(function, *args, place=self.places[stage.name])

    def result(self) -> tuple[Any, dict[str, Any]]:
        """Go back through the stages; give value and gradients."""
        *_, last = stages = list(self.tree.stages.values())
        adjoints: dict[str, list[Any]] = {last.name: [1.0]}
        found: dict[str, Any] = {}
        for stage in reversed(stages):
            self._backward(stage, adjoints, found)
        value, *slopes = self.workers.gathered([self.values[last.name], *found.values()])
        gradients = dict(zip(found, slopes))
        return value, {name: gradients.get(name) for name in self.parameters}

    def _backward(self, stage: Stage, adjoints: dict[str, list[Any]], found: Any) -> None:
        wrt = stage.wrt(self.parameters.get(stage.name) is not None, self.tree.stages)
        if not wrt or stage.name not in adjoints:
            return
        pulled = self._at(stage, backward, *self.calls[stage.name], adjoints[stage.name])
        for k, position in enumerate(wrt):
            part = self._at(stage, part_of, pulled, k)
            if position == 0:
                found[stage.name] = part
            else:
                adjoints.setdefault(stage.inputs[position - 1], []).append(part)


Key = tuple[str, str, int]


def forward(split: bool, text: bytes, state: bytes, key: Key, inputs: list[Any]) -> Any:
    """Run by a worker: the value of a stage; the pullback stays."""
    value, pullback = _run(text, state, inputs, split)
    if split:
        _records[key[:2]] = key[2], pullback
    return value


def backward(text: bytes, state: bytes, key: Key, inputs: list[Any], by: list[Any]) -> Any:
    """Run by a worker: the adjoints of what the stage is differentiated by."""
    step, pullback = _records.pop(key[:2], (0, None))
    if step != key[2]:  # the worker that had the record is gone
        _, pullback = _run(text, state, inputs, True)
    return pullback(combined(by, [1.0] * len(by)) if len(by) > 1 else by[0])


def _run(text: bytes, state: bytes, inputs: list[Any], split: bool) -> tuple[Any, Any]:
    function, (own,) = received(text, state)
    with Unchanged(own):
        found = function(own, *inputs)
    value, pullback = found if split else (found, None)
    return value, pullback


def part_of(pulled: Any, place: int) -> Any:
    """Run by a worker: one of several adjoints."""
    return pulled[place]
