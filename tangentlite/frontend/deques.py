"""A `collections.deque` that is made in the function is a list, whose first element is taken with ``pop(0)``.

In: the tree of a function, and what its free names mean.
Out: the tree, with the methods of lists.
Next: read.
"""

from __future__ import annotations

import collections
from collections.abc import Set
from types import CellType, FunctionType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.errors import DerivativeError, UnsupportedSyntaxError
from tangentlite.frontend import source
from tangentlite.ir import Function, Namespace
from tangentlite.naming import Names
from tangentlite.standins.bounded import Bounded
from tangentlite.values import replace

ASKED = ("popleft", "appendleft", "rotate", "append", "extendleft")
FRONT = ("popleft", "appendleft", "rotate", "extendleft")
GROWING = ("append", "appendleft")
STEADY = ("pop", "popleft", "rotate", "clear", "count", "index")
SLICED = "Python does it to lists only: `list(q)`."
ORDERED = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)
LISTS = (gast.List, gast.ListComp)
READERS = "len sum list tuple max min sorted any all enumerate zip reversed".split()
READERS += "np.array np.asarray np.mean np.sum np.stack".split()


def resolved(function: Function) -> Function:
    """``q.popleft()`` of a name that is only ever bound to a new deque is ``q.pop(0)``.

    >>> from tangentlite.ir import Origin
    >>> tree = gast.parse("def f(x):\\n    q = deque([x])\\n    q.appendleft(2)\\n    return q.popleft()").body[0]
    >>> function = Function(tree, "f", (), Namespace({"deque": collections.deque}), Origin("f.py", 1, ()))
    >>> print(syntax.unparse(resolved(function).tree))
    def f(x):
        q = deque([x])
        q.insert(0, 2)
        return q.pop(0)
    """
    made = [c for c in function.contents.calls if _means(c.func, function.namespace)]
    if made or not function.namespace.globals.keys().isdisjoint(("collections", "deque")):
        check(function)
    if not function.contents.attributes.isdisjoint(ASKED):
        function = _with_lists(function)
    return _bounded(function) if any(map(_is_limited, made)) else function


def _with_lists(function: Function) -> Function:
    """The deques that only the function itself changes as lists."""
    tree, namespace = function.tree, function.namespace
    nodes = [n for s in tree.body for n in syntax.walk(s)]
    params = {n.id for n in syntax.walk(tree.args) if isinstance(n, gast.Name)}
    limits = _limits(nodes, namespace)
    asked = ({name for n in nodes if (name := _asked(n))} | limits.keys()) - params
    names = {name for name in asked if _is_new(name, nodes, namespace)}
    limits = {n: limit for n, limit in limits.items() if n in names and _stays(n, limit, nodes)}
    bounded = names & (_limits(nodes, namespace).keys() - limits.keys())
    kept = any(map(_is_kept, nodes))
    new = tree
    if names or kept:
        item = Names({*function.contents.names, *function.local}).fresh("item")
        new = _Methods(names - bounded, limits, bounded, item).visit(syntax.copy(tree))
    return replace(function, tree=new)


def check(function: Function) -> None:
    """Refuse what lists do and deques do not, of those that names of a function, or attributes, tell."""
    nodes = [n for s in function.tree.body for n in syntax.walk(s)]
    found = [
        (n, owners, fault) for n in nodes if (told := _of_lists(n)) for owners, fault in [told]
    ]
    if not found:
        return
    names = {name for n in nodes if (name := _bound_to_new(n, function.namespace))}
    kept = _kept(
        function.namespace, {o.attr for _, owners, _ in found for o in owners if _is_attribute(o)}
    )

    def is_deque(value: Any) -> bool:
        match value:
            case gast.Call(func=func):
                return _means(func, function.namespace)
            case gast.Name(id=name):
                return name in names
        return _is_attribute(value) and value.attr in kept

    for node, owners, (what, hint) in found:
        if any(map(is_deque, owners)):
            raise UnsupportedSyntaxError(what, function.origin.place(node), hint)


def _of_lists(node: Any) -> tuple[list[Any], tuple[str, str]] | None:
    """What is done to lists, and must not be done to one that is a deque, and how that is refused."""
    match node:
        case gast.Subscript(value=value, slice=gast.Slice()):
            return [value], ("a slice of a deque", SLICED)
        case gast.Attribute(value=value, attr="sort"):
            return [value], ("sorting a deque", SLICED)
        case gast.Compare(left=left, ops=[op, *_], comparators=others) if isinstance(op, ORDERED):
            return [left, *others], ("comparing a deque", "Compare lists: `list(q) == list(r)`.")
        case gast.BinOp(left=a, op=gast.Add(), right=b) if isinstance(a, LISTS) or isinstance(
            b, LISTS
        ):
            return [a, b], ("adding a list to a deque", SLICED)
        case gast.Call(func=gast.Name(id="isinstance"), args=[value, _]):
            return [value], ("asking for the type of a deque", "Pass a flag that tells.")
    return None


def _is_attribute(node: Any) -> bool:
    return isinstance(node, gast.Attribute)


def _kept(space: Namespace, wanted: Set[str]) -> set[str]:
    """Which of some attributes hold deques, and nothing else, as the classes of the module say."""
    found, others = set[str](), set[str]()
    for kind in space.globals.values() if wanted else ():
        init = vars(kind).get("__init__") if isinstance(kind, type) else None
        if not isinstance(init, FunctionType) or wanted.isdisjoint(init.__code__.co_names):
            continue
        try:
            nodes = syntax.walk(source.find(init).node)
        except DerivativeError:
            continue
        for node in nodes:
            match node:
                case gast.Assign(targets=[gast.Attribute(attr=attr)], value=value):
                    call = isinstance(value, gast.Call)
                    new = call and _means(value.func, Namespace(init.__globals__))
                    (found if new else others).add(attr)
    return found - others


def _bound_to_new(node: Any, space: Namespace) -> str:
    """The name that is bound to a new deque."""
    match node:
        case (
            gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func))
            | gast.AnnAssign(target=gast.Name(id=name), value=gast.Call(func=func))
            | gast.NamedExpr(target=gast.Name(id=name), value=gast.Call(func=func))
        ) if _means(func, space):
            return str(name)
    return ""


def _bounded(function: Function) -> Function:
    """``deque(xs, maxlen=n)`` makes an object of a class that has a list."""
    space = function.namespace
    calls = [c for c in function.contents.calls if _means(c.func, space) and _is_limited(c)]
    if not calls:  # those that stay lists have lost their lengths
        return function
    taken = {n.id for n in syntax.walk(function.tree) if isinstance(n, gast.Name)}
    name = Names(taken | space.globals.keys() | space.cells.keys()).fresh("Bounded")
    tree = syntax.copy(function.tree)
    for call in (n for s in tree.body for n in syntax.walk(s) if isinstance(n, gast.Call)):
        if _means(call.func, space) and _is_limited(call):
            call.func = syntax.at(syntax.name(name), call.func)
    cells = {**space.cells, name: CellType(Bounded)}
    return replace(function, tree=tree, namespace=replace(space, cells=cells))


def _is_limited(call: gast.Call) -> bool:
    """Whether a deque is made with a longest length."""
    limits = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "maxlen")]
    return any(not (isinstance(n, gast.Constant) and n.value is None) for n in limits)


def _means(func: Any, space: Namespace) -> bool:
    """Whether an expression means `collections.deque`."""
    path = syntax.dotted(func)
    try:
        return path is not None and space.resolve(path) is collections.deque
    except (KeyError, AttributeError):
        return False


def _limits(nodes: list[Any], namespace: Namespace) -> dict[str, Any]:
    """The names of deques that are made with a longest length."""
    found: dict[str, Any] = {}
    for node in nodes:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(keywords=[keyword])):
                if keyword.arg == "maxlen" and _makes(node, name, namespace):
                    found[name] = keyword.value
    return found


def _stays(name: str, limit: Any, nodes: list[Any]) -> bool:
    """Whether a deque is made once, with a length that is not bound anew, and grows by nothing but ``append``."""
    bound = [n.id for n in nodes if isinstance(n, gast.Name) and _is_bound(n)]
    fixed = isinstance(limit, gast.Constant) or (
        isinstance(limit, gast.Name) and limit.id not in bound
    )
    plain = 0
    for node in nodes:
        match node:
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=base), attr=attr))
            ):
                plain += base == name and attr in GROWING
            case gast.Attribute(value=gast.Name(id=base), attr=attr) if base == name:
                plain += attr in STEADY
            case gast.Subscript(value=gast.Name(id=base)):
                plain += base == name
            case gast.For(iter=gast.Name(id=base)) | gast.comprehension(iter=gast.Name(id=base)):
                plain += base == name
            case gast.If(test=gast.Name(id=base)) | gast.While(test=gast.Name(id=base)):
                plain += base == name
            case gast.UnaryOp(op=gast.Not(), operand=gast.Name(id=base)):
                plain += base == name
            case gast.Call(func=func, args=args) if syntax.dotted(func) in READERS:
                plain += sum(getattr(a, "id", None) == name for a in args)
    read = sum(isinstance(n, gast.Name) and n.id == name and not _is_bound(n) for n in nodes)
    return fixed and bound.count(name) == 1 and plain == read


def _asked(node: Any) -> str:
    """The name that a method of deques is called of."""
    match node:
        case gast.Attribute(value=gast.Name(id=name), attr=attr) if attr in FRONT:
            return str(name)
    return ""


def _is_kept(node: Any) -> bool:
    """Whether a method of deques is called of one that an object or a container keeps."""
    match node:
        case gast.Attribute(value=gast.Attribute() | gast.Subscript(), attr=attr):
            return attr in ("popleft", "appendleft")
    return False


def _is_new(name: str, nodes: list[Any], namespace: Namespace) -> bool:
    """Whether all that a name is bound to are new deques."""
    made = [n for n in nodes if _makes(n, name, namespace)]
    bound = [n for n in nodes if isinstance(n, gast.Name) and n.id == name and _is_bound(n)]
    return bool(made) and len(bound) == len(made)


def _is_bound(node: Any) -> bool:
    return not isinstance(node.ctx, gast.Load)


def _makes(node: Any, name: str, namespace: Namespace) -> bool:
    match node:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(func=func)):
            return target == name and _means(func, namespace)
    return False


class _Methods(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(
        self, names: set[str], limits: dict[str, Any], bounded: set[str], item: str
    ) -> None:
        self.names, self.limits, self.bounded, self.item = names, limits, bounded, item

    def visit_Assign(self, node: Any) -> Any:
        """``deque(xs, maxlen=n)`` is ``list(xs)[-n:]``, if n is not 0."""
        node = self.generic_visit(node)
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in self.limits:
                items = value.args[0] if value.args else gast.List([], gast.Load())
                holes = {"xs": items, "n": self.limits[name]}
                node.value = _placed("list(xs)[-n:] if n else []", node, **holes).value
        return node

    def visit_Expr(self, node: Any) -> Any:
        """What grows beyond its longest length loses what is at the other end."""
        match node.value:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="rotate"), args=args):
                if name in self.names and len(args) < 2:
                    k = args[0] if args else syntax.constant(1)
                    text = "q[:] = q[-k % len(q):] + q[:-k % len(q)]"
                    return _placed(text, node, q=name, k=k)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="extendleft"), args=[items]
            ) if name in self.bounded:
                return _placed(
                    "for v in xs:\n    q.insert(0, v)", node, v=self.item, q=name, xs=items
                )
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="extendleft"), args=[items]
            ) if name in self.names:
                return _placed("q[:0] = list(xs)[::-1]", node, q=name, xs=items)
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                if name in self.limits and attr in GROWING:
                    place = syntax.constant(0 if attr == "append" else -1)
                    text = "if len(q) > n:\n    q.pop(k)"
                    limit = _placed(text, node, q=name, n=self.limits[name], k=place)
                    return [self.generic_visit(node), limit]
        return self.generic_visit(node)

    def visit_Call(self, node: Any) -> Any:
        node = self.generic_visit(node)
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr=attr) as method, args=args):
                name = syntax.dotted(owner)
                if name not in self.names | self.bounded and not _is_kept(method):
                    return node
                first = syntax.at(syntax.constant(0), node)
                if attr == "popleft" and not args:
                    node.func.attr, node.args = "pop", [first]
                elif attr == "appendleft" and len(args) == 1:
                    node.func.attr, node.args = "insert", [first, *args]
        return node


def _placed(text: str, place: Any, **holes: Any) -> Any:
    (made,) = syntax.quote(text, **holes)
    for node in syntax.walk(made):
        syntax.at(node, place)
    return made
