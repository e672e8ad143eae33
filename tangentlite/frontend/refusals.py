"""What is refused, and what to write instead: tables of messages.

In: the name of a node class, a method, a builtin.
Out: the words for it.
Next: check.
"""

from __future__ import annotations

Refusal = tuple[str, str]

CHANGES = tuple(
    "append pop insert extend remove reverse sort clear update popitem setdefault".split()
)

GROWING = ("append", "insert", "extend")  # of lists only: a loop walks over what is added, too

OUTSIDE = "Move it out of the function."
OF_GLOBALS = "Pass the value in, and return the new one."
COLLECT = "Collect the values in a list and return it; or take them in a loop: `for v in g(x): …`."
PLAIN = "Differentiate the plain part, and call it from there."

REFUSED: dict[str, Refusal] = {
    "ClassDef": (
        "a class inside a function that reads its variables, is chosen by a branch, or changes a list of its own,",
        "Give what it reads to its `__init__`, or move it out of the function.",
    ),
    "AsyncFunctionDef": ("`async def`", PLAIN),
    "AsyncFor": ("`async for`", PLAIN),
    "AsyncWith": ("`async with`", PLAIN),
    "Await": ("`await`", PLAIN),
    "Yield": ("`yield`", COLLECT),
    "YieldFrom": ("`yield from`", COLLECT),
    "TryStar": ("`except*`", "Catch the exceptions in the caller."),
    "Import": (
        "an import inside a function",
        "There is no such module now: import what there is, or catch ImportError around it.",
    ),
    "ImportFrom": (
        "an import inside a function",
        "There is no such module now: import what there is, or catch ImportError around it.",
    ),
    "GeneratorExp": ("a generator expression here", "Write a list comprehension: `[…]`."),
    "Starred": ("`*` here", "Write the elements one by one."),
    "TypeAlias": ("a type alias inside a function", OUTSIDE),
}

WRITES: dict[str, Refusal] = {
    "Attribute": ("writing an attribute", "Bind the value to a local name."),
}

OF_ARRAYS = ("shape", "flat", "dtype", "strides", "writeable")
NO_ARRAY = "Give it another name: `.flat` is what arrays have."
OF_A_CLASS = "Write the name of the class: `C.n = …`."
RESHAPE = "Write `y = np.reshape(y, shape)`."
REBIND = "Make a new value and bind it to a name."

MUTATORS: dict[str, str] = {
    **dict.fromkeys(
        ("appendleft", "popleft", "extendleft"), "Use a list, and its end: `append`, `pop`."
    ),
    "resize": "Write `np.resize(x, shape)`.",
    **dict.fromkeys(("itemset", "setfield"), "Store by an index: `x[i] = v`."),
    "byteswap": REBIND,
}

FORBIDDEN_CALLS: dict[str, str] = {
    "locals": "Name the values that you need.",
    "vars": "Name the values that you need.",
    "exec": "Write the statements themselves.",
    "eval": "Write the expression itself.",
}
