"""Computation graphs: what is drawn, what is told, and that it can be read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.pictures import Graph
from tangentlite.pictures.model import Level, Node, every

A = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
B = np.array([[1.0, 1.0, 1.0], [1.0, 1.5, 2.0]])
WEIGHT = 2.0


def product(A, B):
    return np.sum(np.exp(A * B))


def mlp(w, x, t):
    y = np.tanh(x @ w)
    r = y - t
    return np.sum(r * r)


def branches(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
        if np.sum(y) > 0:
            y = y * 2.0
        else:
            z = y + 1.0
            y = z * x
    return np.sum(y)


def scaled(x):
    return x * WEIGHT


def helper(x):
    return x * x


def calls(x):
    y = helper(x)
    return y + 1.0


def writes(x):
    y = np.zeros(3)
    y[0] = x * 2.0
    y[1:] += x
    return np.sum(y)


def grows(x, n):
    xs = []
    for i in range(n):
        xs.append(x * i)
    return xs[0] + xs[-1]


def factorial(x, n):
    return x if n == 0 else n * factorial(x, n - 1)


def long(x):
    y = x
    for k in range(2):
        y = np.sin(y) * x + np.cos(y) * y - x / (1.0 + y * y)
        y = np.tanh(y) + y * x - np.exp(-y) * 0.5
        y = np.sqrt(1.0 + y * y) * np.log1p(x * x) + y**2
        y = np.arctan(y) - np.sin(x) * np.cos(y) / (2.0 + x)
        y = y * y / (1.0 + y * y) + np.abs(x) * 0.1
        y = y / 2.0 - x * 3.0 + np.exp(x)
    return y


def nodes(graph: Graph, kind: str) -> list[Node]:
    return [n for n in every(graph._level) if n.kind == kind]


def labels(graph: Graph, kind: str) -> list[str]:
    return [n.label for n in nodes(graph, kind)]


def edges(graph: Graph) -> set[tuple[str, str]]:
    def walk(level: Level):
        for edge in level.edges:
            yield edge.start.node.label, edge.end.node.label
        for node in level.nodes:
            if node.inner is not None:
                yield from walk(node.inner)

    return set(walk(graph._level))


def told(node: Node, mark: str) -> str:
    return "\n".join(line for line, m in zip(node.lines, node.marks) if m == mark)


def test_inputs_operations_and_the_result() -> None:
    graph = tl.graph(product)
    assert labels(graph, "input") == ["A", "B"]
    assert labels(graph, "operation") == ["×", "exp", "sum"]
    assert labels(graph, "result") == ["result"]
    assert edges(graph) == {
        ("A", "×"), ("B", "×"), ("×", "exp"), ("exp", "sum"), ("sum", "result"),
    }  # fmt: skip
    assert graph.nodes == 6


def test_values_and_gradients_of_the_first_lecture() -> None:
    graph = tl.graph(product, A, B)
    a, b = nodes(graph, "input")
    assert told(a, "slope").split() == "∂ 2.718 7.389 20.09 2.718 30.13 806.9".split()
    assert told(b, "slope").split() == "∂ 2.718 14.78 60.26 2.718 40.17 1210".split()
    assert told(a, "shape") == "(2, 3)"
    times, exp = nodes(graph, "wire")
    assert told(times, "told").split() == ["1", "2", "3", "1", "3", "6"]
    assert told(exp, "slope").split() == ["∂", "1", "1", "1", "1", "1", "1"]
    (result,) = nodes(graph, "result")
    assert told(result, "told") == f"{product(A, B):.4g}"
    assert told(result, "slope") == "∂ 1"


@pytest.mark.parametrize(
    ("f", "args"),
    [(mlp, (np.array([0.1, -0.2]), np.eye(2), np.ones(2))), (branches, (np.array([0.5, 1.0]), 3)),
     (calls, (3.0,)), (writes, (2.0,)), (grows, (1.5, 3)), (factorial, (2.0, 3)), (long, (0.7,))],
)  # fmt: skip
def test_gradients_of_inputs_are_those_of_grad(f, args) -> None:
    graph = tl.graph(f, *args)
    assert graph.title == f.__name__
    for k, node in enumerate(nodes(graph, "input")):
        if not isinstance(args[k], int):
            slope = np.ravel(tl.grad(f, wrt=k)(*args))
            shown = told(node, "slope").removeprefix("∂ ").split()
            assert shown == [f"{e:.4g}" for e in slope]


def test_gradients_of_values_by_differences() -> None:
    graph = tl.graph(mlp, np.array([0.1, -0.2]), np.eye(2), np.ones(2))
    y, r = (n for n in nodes(graph, "value"))
    residual = np.tanh(np.array([0.1, -0.2])) - 1.0
    expected = " ".join(f"{2 * e:.4g}" for e in residual).split()
    assert told(r, "slope").removeprefix("∂ ").split() == expected
    assert told(y, "slope").removeprefix("∂ ").split() == expected


def test_loops_and_branches_are_boxes() -> None:
    graph = tl.graph(branches)
    assert labels(graph, "box") == ["for i in range(n)", "if np.sum(y) > 0", "else"]
    assert ("n", "for i in range(n)") in edges(graph)
    loop = nodes(graph, "box")[0].inner
    assert [(e.start.node.label, e.end.node.label) for e in loop.edges if e.back] == [("y", "y")]
    assert sorted(p.label for p in loop.ins) == ["x", "y"]
    assert [p.label for p in loop.outs] == ["y"]


def test_a_run_tells_trips_and_what_was_not_entered() -> None:
    graph = tl.graph(branches, np.array([0.5, 1.0]), 3)
    assert labels(graph, "box") == [
        "for i in range(n) · 3 trips",
        "if np.sum(y) > 0",
        "else · not entered",
    ]
    assert all(n.faded for n in every(nodes(graph, "box")[2].inner))
    y = np.array([0.5, 1.0])
    x = y
    for _ in range(3):
        y = np.sin(y) * x * 2.0
    last = nodes(graph, "value")[-1]
    assert told(last, "told").split() == [f"{e:.4g}" for e in y]


def test_constants_from_outside_helpers_and_writes() -> None:
    (weight,) = nodes(tl.graph(scaled), "constant")
    assert (weight.label, weight.lines) == ("WEIGHT", ["2"])
    assert "helper" in labels(tl.graph(calls), "operation")
    assert [n for n in labels(tl.graph(writes), "operation") if "=" in n] == ["[0] =", "[1:] +="]
    graph = tl.graph(grows)
    assert ("append", "xs") in edges(graph)


def test_the_derivative_stands_beside_its_function() -> None:
    graph = tl.graph(tl.grad(mlp))
    derived = [n for n in graph._level.nodes if n.derived]
    primal = [n for n in graph._level.nodes if not n.derived]
    assert {"w", "x", "t", "y", "r"} <= {n.label for n in primal}
    assert {"br", "by", "bw"} <= {n.label for n in derived}
    assert max(n.x for n in primal) < min(n.x for n in derived)
    height = {n.label: n.y for n in [*primal, *derived]}
    assert height["y"] < height["r"], "the function runs down"
    assert height["bw"] < height["by"] < height["br"], "its derivative up"
    forward = tl.graph(tl.autodiff(mlp, mode="forward"))
    assert {"dr"} <= {n.label for n in forward._level.nodes if n.derived}


def test_values_of_a_derivative_are_the_gradients() -> None:
    args = np.array([0.1, -0.2]), np.eye(2), np.ones(2)
    graph = tl.graph(tl.grad(mlp), *args)
    (bw,) = (n for n in nodes(graph, "value") if n.label == "bw")
    assert told(bw, "told").split() == [f"{e:.4g}" for e in tl.grad(mlp)(*args)]


@pytest.mark.parametrize(
    "f", [product, mlp, branches, writes, long, tl.grad(mlp), tl.grad(branches)]
)
def test_nothing_overlaps(f) -> None:
    def check(level: Level) -> None:
        for a, b in combinations([n for n in level.nodes if n.width], 2):
            apart_x = abs(a.x - b.x) - (a.width + b.width) / 2
            apart_y = abs(a.y - b.y) - (a.height + b.height) / 2
            assert max(apart_x, apart_y) > -0.1, (a.label, b.label)
        for node in level.nodes:
            if node.inner is not None:
                check(node.inner)
                for part in node.inner.nodes:
                    assert abs(part.x - node.x) <= (node.width - part.width) / 2 + 0.1
                    assert abs(part.y - node.y) <= (node.height - part.height) / 2 + 0.1

    graph = tl.graph(f)
    check(graph._level)
    width, height = graph._size
    for node in graph._level.nodes:
        assert 0 <= node.x - node.width / 2 <= node.x + node.width / 2 <= width
        assert 0 <= node.y - node.height / 2 <= node.y + node.height / 2 <= height


def test_sixty_nodes_stay_legible() -> None:
    graph = tl.graph(long)
    assert graph.nodes >= 60
    assert graph._size[0] < 1400
    sizes = {float(s) for s in re.findall(r"font-size: ([\d.]+)px", graph.svg)}
    assert min(sizes) >= 10


@pytest.mark.parametrize("f", [product, branches, tl.grad(branches)])
def test_the_picture_is_xml_loads_nothing_and_is_the_same_again(f) -> None:
    graph = tl.graph(f)
    root = ET.fromstring(graph.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert graph.svg.count("http") == 1
    assert not [e for e in root.iter() if e.tag.endswith(("image", "script", "foreignObject", "a"))]
    assert graph.svg == tl.graph(f).svg


def test_what_notebooks_and_files_get(tmp_path) -> None:
    graph = tl.graph(product)
    graph.save(tmp_path / "product.svg")
    assert (tmp_path / "product.svg").read_text(encoding="utf-8") == graph.svg
    assert graph._repr_svg_() == graph.svg
    assert graph.svg in graph._repr_html_()
    assert repr(graph) == "<graph of product: 6 nodes>"


def test_hostile_labels_are_words() -> None:
    def evil(x, key):
        y = x * {"</svg><script>bad()</script>": 2.0}["</svg><script>bad()</script>"]
        if key == "<img src=x>]]>":
            y = y + 1.0
        return y

    root = ET.fromstring(tl.graph(evil, 2.0, "</title>\x00<b>").svg)
    assert {e.tag.split("}")[1] for e in root.iter()} <= {
        "svg",
        "title",
        "style",
        "g",
        "rect",
        "circle",
        "path",
        "text",
    }


def test_arguments_are_left_alone_and_randomness_is_one_draw() -> None:
    def noisy(x):
        x[0] = x[0] * np.random.normal()
        return np.sum(x * x)

    x = np.array([1.0, 2.0])
    np.random.seed(3)
    draw = np.random.normal()
    np.random.seed(3)
    graph = tl.graph(noisy, x)
    assert x.tolist() == [1.0, 2.0]
    (node,) = nodes(graph, "input")
    assert told(node, "slope").removeprefix("∂ ").split()[0] == f"{2 * draw * draw:.4g}"


def test_where_there_are_no_gradients_the_title_says_why() -> None:
    def texts(x):
        return str(x)

    assert "without gradients" in tl.graph(texts, 1.0).title
    assert "no float input" in tl.graph(lambda n: n + 1, 1).title
    assert "sum of its result" in tl.graph(lambda x: x * x, np.ones(2)).title


def test_methods_and_keyword_arguments() -> None:
    class Model:
        def __init__(self):
            self.w = 3.0

        def loss(self, x, scale=1.0):
            return x * self.w * scale

    graph = tl.graph(Model().loss, 2.0, scale=0.5)
    assert told(next(n for n in nodes(graph, "input") if n.label == "x"), "slope") == "∂ 1.5"
    bound = tl.graph(tl.grad(Model().loss), 2.0)
    assert any(n.derived for n in bound._level.nodes)


def test_errors_of_the_function_pass() -> None:
    def fails(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tl.graph(fails, 1.0)
    with pytest.raises(TypeError):
        tl.graph(product, 1.0, 2.0, 3.0)
    with pytest.raises(TypeError, match="a function is needed"):
        tl.graph(3)


class Line:
    def __init__(self) -> None:
        self.w, self.b = np.ones(2), 0.5

    def loss(self, x: Any) -> Any:
        return np.sum((x @ self.w + self.b) ** 2)


def test_parameters_are_colored_apart() -> None:
    def parameters(graph: Any) -> list[tuple[str, str]]:
        return [(n.kind, n.label) for n in graph._level.nodes if n.parameter]

    def loss(w: Any, x: Any) -> Any:
        return np.sum(np.exp(w * x))

    w, x = np.ones(2), np.ones((3, 2))
    assert parameters(tl.graph(loss, w, w)) == []
    assert parameters(tl.graph(tl.grad(loss))) == [("input", "w")]
    assert parameters(tl.graph(tl.grad(loss, wrt=("w", "x")), w, w)) == [
        ("input", "w"),
        ("input", "x"),
    ]
    for graph in (tl.graph(Line().loss, x), tl.graph(Line.loss, Line(), x)):
        assert [kind for kind, _ in parameters(graph)] == ["wire", "wire"]
        assert graph.svg.count('class="tlg-wire tlg-parameter"') == 2
