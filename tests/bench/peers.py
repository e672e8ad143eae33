"""Peers of the benchmark: each makes a gradient of a workload, if it is installed and can.

In: the module of a workload, arguments.
Out: a function of these arguments that gives the gradients as arrays.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import tempfile
import types
from collections.abc import Callable
from typing import Any

import numpy as np

import tangentlite as tl

Gradient = Callable[..., Any]
OWN_ON_NUMBA = "tangentlite, Numba"


class LeftOut(Exception):
    """A peer that would need minutes is not asked."""


def with_module(function: Any, module: Any) -> Any:
    """The same text with another import line: ``np`` is ``module``, in the helpers beside it too."""
    own = function.__globals__
    names = {**own, "np": module}
    for name, helper in own.items():
        if isinstance(helper, types.FunctionType) and helper.__globals__ is own:
            names[name] = types.FunctionType(helper.__code__, names, name, helper.__defaults__)
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)


def compiled(work: Any) -> Gradient:
    """This compiler."""
    return tl.grad(work.loss, wrt=work.WRT if len(work.WRT) > 1 else work.WRT[0])


def by_hand(work: Any) -> Gradient:
    """The yardstick."""
    return work.by_hand  # type: ignore[no-any-return]


def autograd(work: Any) -> Gradient:
    import autograd as peer
    import autograd.numpy as numpy

    form = getattr(work, "autograd_form", None)
    function = form(numpy) if form is not None else with_module(work.loss, numpy)
    return peer.grad(function, work.WRT if len(work.WRT) > 1 else work.WRT[0])  # type: ignore[no-any-return]


def mygrad(work: Any) -> Gradient:
    import mygrad as peer

    form = getattr(work, "mygrad_form", None)
    function = form(peer) if form is not None else with_module(work.loss, peer)

    def gradient(*args: Any) -> Any:
        given = [peer.tensor(a) if i in work.WRT else a for i, a in enumerate(args)]
        function(*given).backward()
        return tuple(given[i].grad for i in work.WRT)

    return gradient


def _jax(work: Any) -> tuple[Any, Any]:
    import jax

    jax.config.update("jax_enable_x64", True)
    form = getattr(work, "jax_form", None)
    return jax, form(jax) if form is not None else with_module(work.loss, jax.numpy)


def _whole(work: Any) -> tuple[int, ...]:
    args = work.arguments(work.SIZES[0])
    return tuple(i for i, a in enumerate(args) if isinstance(a, int))


def jax_eager(work: Any) -> Gradient:
    jax, _ = _jax(work)
    form = getattr(work, "jax_eager_form", None)
    function = form(jax) if form is not None else with_module(work.loss, jax.numpy)
    gradient = jax.grad(function, work.WRT)
    return lambda *args: jax.block_until_ready(gradient(*args))


def jax_jit(work: Any) -> Gradient:
    jax, function = _jax(work)
    gradient = jax.jit(jax.grad(function, work.WRT), static_argnums=_whole(work))
    return lambda *args: jax.block_until_ready(gradient(*args))


def _torch(work: Any) -> tuple[Any, Any]:
    import torch

    torch.set_num_threads(1)
    form = getattr(work, "torch_form", None)
    return torch, form(torch) if form is not None else with_module(work.loss, torch)


def _torch_gradient(torch: Any, function: Any, work: Any) -> Gradient:
    def gradient(*args: Any) -> Any:
        given = [
            torch.tensor(a, dtype=torch.float64, requires_grad=i in work.WRT)
            if isinstance(a, (float, np.ndarray))
            else a
            for i, a in enumerate(args)
        ]
        return torch.autograd.grad(function(*given), [given[i] for i in work.WRT])

    return gradient


def torch_eager(work: Any) -> Gradient:
    torch, function = _torch(work)
    return _torch_gradient(torch, function, work)


def torch_compile(work: Any) -> Gradient:
    if getattr(work, "LOOPS", False):
        raise LeftOut("every trip would be compiled")
    torch, function = _torch(work)
    return _torch_gradient(torch, torch.compile(function), work)


def numba(work: Any) -> Gradient:
    import numba as peer

    form = getattr(work, "as_loops", None)
    return form(peer) if form is not None else peer.njit(work.by_hand)  # type: ignore[no-any-return]


def dace(work: Any) -> Gradient:
    """The same text with types; whole numbers are constants. What it writes on the way stays in a folder for a while."""
    import dace as peer
    from dace.autodiff import add_backward_pass

    args, names = work.arguments(work.SIZES[0]), list(inspect.signature(work.loss).parameters)
    arrays = {n: peer.float64[a.shape] for n, a in zip(names, args) if isinstance(a, np.ndarray)}
    whole = {n: a for n, a in zip(names, args) if isinstance(a, int)}
    work.loss.__annotations__ = {n: peer.compiletime for n in whole} | arrays
    work.loss.__annotations__ |= {
        n: peer.float64 for n, a in zip(names, args) if isinstance(a, float)
    }
    peer.Config.set("default_build_folder", value=tempfile.mkdtemp())
    graph = peer.program(work.loss).to_sdfg(simplify=True, **whole)
    wanted = [names[i] for i in work.WRT]
    add_backward_pass(sdfg=graph, inputs=wanted, outputs=["__return"])
    run = graph.compile()

    def gradient(*args: Any) -> Any:
        given = {n: np.array(a) if n in arrays else a for n, a in zip(names, args)}
        given = {n: a for n, a in given.items() if n not in whole}
        found = [np.zeros(given[n].shape) for n in wanted]
        given |= {f"gradient_{n}": b for n, b in zip(wanted, found)}
        run(**given, gradient___return=np.ones(1), __return=np.zeros(1))
        return found

    return gradient


def compiled_by_numba(work: Any) -> Gradient:
    """This compiler, and then Numba."""
    return tl.grad(work.loss, wrt=work.WRT if len(work.WRT) > 1 else work.WRT[0], compile="numba")


PEERS: dict[str, tuple[str, Callable[[Any], Gradient]]] = {
    OWN_ON_NUMBA: ("numba", compiled_by_numba),
    "autograd": ("autograd", autograd),
    "mygrad": ("mygrad", mygrad),
    "JAX eager": ("jax", jax_eager),
    "JAX jit": ("jax", jax_jit),
    "PyTorch eager": ("torch", torch_eager),
    "torch.compile": ("torch", torch_compile),
    "Numba by hand": ("numba", numba),
    "DaCe AD": ("dace", dace),
}
MINUTES = ("JAX eager", "torch.compile")  # what thousands of small steps take


def asked(in_place: bool, alone: bool) -> list[str]:
    """The names of the peers of a group: kernels have too many steps for some, and are all that one of them reads."""
    if alone:
        return []
    return [n for n in PEERS if (n not in MINUTES if in_place else n != "DaCe AD")]


def installed(module: str) -> bool:
    """Whether a peer is there."""
    return importlib.util.find_spec(module) is not None
