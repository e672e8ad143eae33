"""The statements of a random program that writes in place: each method writes one, at a depth."""

from __future__ import annotations

import re
from random import Random

from tests.properties.vocabulary import Place, Shape, Vocabulary

LARGEST = 36


class Statements(Vocabulary):
    """Stores, bindings, and NumPy functions that write."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.cells: list[str] = []

    # Stores

    def store(self, depth: int) -> None:
        (text, shape), (other, another) = self.part(), self.part()
        if self.chance(0.1):
            self.line(depth, f"{text} = {other} = {self.number()}")
        elif self.chance(0.1):
            values = f"{self.expression(shape)}, {self.expression(another)}"
            self.line(depth, f"{text}, {other} = {values}")
        else:
            self.line(depth, f"{text} = {self.expression(shape)}")

    def change(self, text: str, shape: Shape) -> str:
        e = self.expression(shape)
        return self.pick(
            f"{text} += 0.4 * ({e})",
            f"{text} -= 0.6 * ({e})",
            f"{text} *= np.cos({e})",
            f"{text} /= 2.5 + np.sin({e})",
            f"{text} += 0.3 * {self.number()}",
        )

    def augment(self, depth: int) -> None:
        self.line(depth, self.change(*self.part()))

    def slot(self) -> Place:
        return self.random.choice([place for place in self.slots() if place[1]])

    def whole(self, depth: int) -> None:
        self.line(depth, self.change(*self.slot()))

    def rebind(self, depth: int) -> None:
        text, shape = self.slot()
        self.line(depth, f"{text} = {self.anew(shape)}")

    def scalar(self, depth: int) -> None:
        name = self.pick(*self.numbers() or [""])
        if not name or self.chance(0.4):
            name = self.fresh("r")
            self.line(depth, f"{name} = {self.number()}")
            self.own(name, 0.5)
            return
        forms = [f"{name} += 0.3 * {self.number()}", f"{name} *= np.cos({self.number()})"]
        self.line(depth, self.pick(*forms, f"{name} = np.tanh({name} * {self.number()})"))

    def swap(self, depth: int) -> None:
        if self.chance(0.5):
            text, shape = self.slot()
            other = self.pick(*[t for t, s in self.slots() if s == shape])
        else:
            text, shape = self.part()
            alike = [place for place in [self.part() for _ in range(5)] if place[1] == shape]
            other = alike[0][0] if alike else text
        self.line(depth, f"{text}, {other} = {other}, {text}")

    def procedure(self, depth: int) -> None:
        text, shape = self.random.choice([self.array(), self.part(1)])
        other = self.pick(*[t for t, s in self.places() if s == shape] or [text])
        calls = [
            f"damp({text}, {self.number()})",
            f"shift({text}, {self.array()[0]})",
            f"bump({text}, {self.random.randint(1, 3)})",
            f"exchange({text}, {other})",
            f"drained({text})",
            *(f"{cell}({self.number()})" for cell in self.cells),
        ]
        self.line(depth, self.pick(*calls))

    # Bindings

    def view(self, depth: int) -> None:
        text, shape = self.array(fixed=True)
        forms = [
            self.part(1, fixed=True)[0],
            f"{text}.T",
            f"{text}.reshape(-1)",
            f"{text}.ravel()",
            f"{text}.T.ravel()",
            f"np.reshape({text}, {shape[::-1]})",
            f"np.swapaxes({text}, 0, -1)",
            f"{text}[None]",
            f"np.broadcast_to({text}, {(2, *shape)})",
            f"behind({text})",
            f"np.moveaxis({text}, 0, -1)",
            f"np.flip({text}, 0)",
            f"{text}[None].squeeze()",
            f"np.expand_dims({text}, -1)",
            f"{text}.T.reshape(-1)",
            f"np.asarray({text})[...]",
            f"np.array_split({text}, 2)[{self.pick('0', '-1')}]",
            f"list({text})[0]" if len(shape) > 1 else f"{text}.real",
        ]
        if len(shape) > 1:
            forms += [f"{text}.diagonal()", f"np.rot90({text})"]
        if len(shape) == 2 and shape[0] == shape[1]:
            forms += [f"np.einsum('ii->i', {text})", f"np.diag({text}, 1)"]
        form = self.pick(*forms)
        if self.value(form).size <= LARGEST:
            self.bind(depth, form)

    def alias(self, depth: int) -> None:
        text, shape = self.array()
        other = self.pick(*[t for t, s in self.places() if s == shape])
        self.bind(depth, self.pick(text, f"same({text})", f"{text} if {self.test()} else {other}"))

    def copied(self, depth: int) -> None:
        text, shape = self.array(fixed=True)
        forms = [f"{text}.copy()", f"np.array({text})", f"np.asfortranarray({text})"]
        self.bind(depth, self.pick(*forms, f"np.asarray({text})", self.anew(shape)))

    def temporary(self, depth: int) -> None:
        text, shape = self.array(fixed=True)
        full, filling = f"np.full({shape}, {self.number()})", self.expression(shape)
        if self.chance(0.3):
            name = self.fresh("t")
            self.keep(depth, name, f"np.empty_like({text})")
            self.line(depth, f"{name}[...] = {filling}")
        else:
            self.bind(depth, self.pick(full, f"np.zeros({shape})", f"np.zeros_like({text})"))

    def listing(self, depth: int) -> None:
        lists = [n for n, v in self.scope.items() if isinstance(v, list)]
        if lists and self.chance(0.5):
            self.relist(depth, self.pick(*lists))
        else:
            text, shape = self.array()
            self.keep(depth, self.fresh("items"), f"[{text}, {self.anew(shape)}]")

    def keep(self, depth: int, name: str, form: str) -> None:
        self.line(depth, f"{name} = {form}")
        self.own(name, self.value(form))

    def rows_of(self, depth: int) -> None:
        """A list of the rows of an array, or of what is made of them."""
        text, shape = self.array()
        if len(shape) > 1:
            each = self.pick("row", "row[::-1]", f"row * {self.number()}", "np.sin(row)")
            whole = self.pick(f"[{each} for row in {text}]", f"list({text})", f"list({text}.T)")
            self.keep(depth, self.fresh("items"), whole)

    def narrow(self, depth: int) -> None:
        """An array of single precision."""
        text, shape = self.array(fixed=True)
        zeros = f"np.zeros({shape}, dtype=np.float32)"
        self.bind(depth, self.pick(f"{text}.astype(np.float32)", zeros))

    def relist(self, depth: int, name: str) -> None:
        shape = self.scope[name][0].shape
        new = self.pick(*[t for t, s in self.places() if s == shape], self.anew(shape))
        forms = [f"{name}.reverse()", f"{name}[0] = {new}", f"{name}[-1] = {name}[0]"]
        if name in self.local:
            forms += [f"{name}.append({new})", f"{name}.insert(1, {new})", f"{name} += [{new}]"]
            if len(self.scope[name]) > 1:
                forms += [f"{name}.pop()", f"{name}.pop(0)", f"del {name}[-1]"]
        self.carry_out(depth, self.pick(*forms))

    def carry_out(self, depth: int, form: str) -> None:
        self.line(depth, form)
        exec(form, self.module, self.scope)

    def pairing(self, depth: int) -> None:
        self.keep(depth, self.fresh("pair"), f"({self.array()[0]}, {self.part(1)[0]})")

    def mapping(self, depth: int) -> None:
        dicts = [n for n, v in self.scope.items() if isinstance(v, dict) and n in self.local]
        text, shape = self.array()
        if dicts and self.chance(0.5):
            form = self.pick(f'["{self.fresh("k")}"] = {text}', f".update(u={self.anew(shape)})")
            self.carry_out(depth, self.pick(*dicts) + form)
        else:
            self.keep(depth, self.fresh("table"), f'{{"u": {text}, "v": {self.anew(shape)}}}')

    def cell(self, depth: int) -> None:
        names = [(n, s) for n, s in self.places(1) if n in self.scope]
        if depth > 1 or not names:
            return
        name, shape = self.random.choice(names)
        cell = self.fresh("write")
        self.line(depth, f"def {cell}(t):")
        self.line(depth + 1, f"{name}[{self.index(shape)}] = t * np.sin(np.mean({name}))")
        self.line(depth, f"{cell}({self.number()})")
        self.captured.add(name)
        self.cells.append(cell)

    def single(self, depth: int) -> None:
        name = self.fresh("z")
        self.keep(depth, name, f"np.array({self.number()})")
        self.line(depth, self.change(f"{name}{self.pick('', '[...]')}", ()))

    # NumPy functions that write

    def integers(self, depth: int) -> None:
        text, shape = self.array()
        size, name = shape[0], self.fresh("k")
        numbers = [self.random.randrange(size) for _ in range(3)]
        self.keep(depth, name, f"np.array({numbers})")
        part = f"{text}[{name}]"
        form = self.change(part, (3, *shape[1:]))
        self.line(depth, self.pick(f"{part} = {self.expression((3, *shape[1:]))}", form))
        if self.chance(0.3):
            self.line(depth, f"{name}[0] = ({name}[1] + 1) % {size}")
            self.line(depth, f"{part} *= 0.8")

    def mask(self, depth: int) -> None:
        text, shape = self.array()
        other = self.like(shape)
        mask = f"{other} {self.pick('>', '<')} {self.pick('0.1193', '-0.2071', '0.0317')}"
        if self.chance(0.5):
            name = self.fresh("mask")
            self.line(depth, f"{name} = {mask}")
            mask = name
        one = re.sub(rf"\b{other}\b", f"{other}[0]", mask)
        form = self.pick(
            f"{text}[{mask}] = {self.number()}",
            f"{text}[{mask}] *= {self.number()}",
            f"{text}[{mask}] += 0.3 * {other}[{mask}]",
            f"{text}[{mask}] = np.sin({other}[{mask}])",
            f"{text}[np.nonzero({mask})] *= {self.number()}",
            f"np.putmask({text}, {mask}, {other} * 0.7)",
            f"np.copyto({text}, {other} * {self.number()}, where={mask})",
            f"{text}[{one}, ...] = {self.number()}"
            if len(shape) == 1
            else f"{text}[{text}.sum(axis=tuple(range(1, {len(shape)}))) > 0.1317] *= 0.8",
        )
        self.line(depth, form)

    def out(self, depth: int) -> None:
        text, shape = self.part(1)
        u, v = self.operand(shape), self.operand(shape)
        calls = [
            f"np.sin({u}, out={text})",
            f"np.multiply({u}, 0.8, {text})",
            f"np.subtract({u}, {self.number()}, out={text})",
            f"np.add({u}, {v}, out={text})",
            f"np.add({text}, {v}, {text})",
            f"np.cumsum({self.like(shape)}, axis=0, out={text})" if self.alike(shape) else "",
            f"np.clip({text}, -0.413, 0.527, out={text})",
            f"np.negative({u}, out={text}, where={text} > 0.0719)",
        ]
        self.line(depth, self.pick(*filter(None, calls)))

    def alike(self, shape: Shape) -> bool:
        return any(other == shape for _, other in self.places(fixed=True))

    def places_of(self, depth: int) -> None:
        """Elements that are named by numbers which depend on the values, or by their place in memory."""
        text, shape = self.array()
        size = shape[0]
        order = f"np.argsort({text}.reshape({size}, -1)[:, 0])"
        rows = [self.random.randrange(size) for _ in range(2)]
        forms = [
            f"{text}[:] = {text}[{order}]",
            f"{text}[{order}[:2]] *= {self.number()}",
            f"{text}[np.argmax({text}.reshape({size}, -1)[:, 0])] = {self.number()}",
            f"np.put({text}, {rows}, {self.number()})",
            f"{text}.flat[{rows[0]}] = {self.number()}",
            f"{text}.flat[{rows[0]}:] *= {self.number()}",
            f"{text}.reshape(-1)[{rows[0]}] += {self.number()}",
        ]
        if len(shape) > 1:
            columns = [self.random.randrange(shape[1]) for _ in range(2)]
            forms.append(f"{text}[{rows}, {columns}] = {self.number()}")
            forms.append(f"{text}[np.ix_({rows}, {columns})] *= {self.number()}")
            forms.append(f"np.add.at({text}, ({rows}, {columns}), {self.number()})")
        self.line(depth, self.pick(*forms))

    def copyto(self, depth: int) -> None:
        text, shape = self.part(1)
        self.line(depth, f"np.copyto({text}, {self.expression(shape)})")

    def fill(self, depth: int) -> None:
        self.line(depth, f"{self.part(1)[0]}.fill({self.number()})")

    def sort(self, depth: int) -> None:
        text = self.pick(self.array()[0], self.part(1)[0])
        self.line(depth, f"{text}.sort({self.pick('', 'axis=0')})")

    def diagonal(self, depth: int) -> None:
        squares = [t for t, s in self.places(2) if len(s) == 2]
        if squares:
            self.line(depth, f"np.fill_diagonal({self.pick(*squares)}, {self.number()})")

    def adding(self, depth: int) -> None:
        text, shape = self.array()
        indices = [self.random.randrange(shape[0]) for _ in range(3)]
        function = self.pick("add", "subtract")
        value = self.expression((3, *shape[1:]))
        self.line(depth, f"np.{function}.at({text}, {indices}, {value})")

    def along_axis(self, depth: int) -> None:
        text, shape = self.array()
        if len(shape) == 1:
            k = self.random.randrange(shape[0])
            self.line(depth, f"np.put_along_axis({text}, np.array([{k}]), {self.number()}, axis=0)")
        elif len(shape) == 2:
            rows = [[self.random.randrange(shape[1])] for _ in range(shape[0])]
            value = self.expression((shape[0], 1))
            self.line(depth, f"np.put_along_axis({text}, np.array({rows}), {value}, axis=1)")
