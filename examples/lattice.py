"""A language model over all ways to cut a text into pieces: a neural lattice, its states in persistent arrays.

From each place several pieces of up to three letters go on. The probability of a text is the sum over all paths, and
the state at a place is the mean of what arrives there, weighted by the probability of having come that way.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

import tangentlite as tl
from tangentlite.learn.initializers import lecun, orthogonal
from tangentlite.learn.losses import log_softmax
from tangentlite.learn.optimizers import Adam
from tangentlite.learn.searches import gradient_of

PICTURE = Path(__file__).parent / "pictures" / "lattice.png"
WORDS = (
    "the a",
    "small red old",
    "cat dog bird horse",
    "sees likes finds",
    "the a",
    "house river tree",
)


def sentences(count, rng):
    """One word of each sort."""
    return [" ".join(rng.choice(words.split()) for words in WORDS) + "." for _ in range(count)]


def pieces(texts, size=120):
    """All letters, and the most frequent pieces of two and three."""
    counts = Counter(t[i : i + n] for t in texts for n in (2, 3) for i in range(len(t) - n + 1))
    letters = sorted(set("".join(texts)))
    return letters + [piece for piece, _ in counts.most_common(size - len(letters))]


def lattice(text, known):
    """For each place, where the pieces that end there begin, and which pieces they are."""
    numbers, found = {piece: k for k, piece in enumerate(known)}, []
    for end in range(1, len(text) + 1):
        begins = [b for b in range(max(0, end - 3), end) if text[b:end] in numbers]
        found.append((np.array(begins), np.array([numbers[text[b:end]] for b in begins])))
    return found


def parameters(count, size, rng):
    shapes = {"in": (count, size), "out": (size, count)}
    return {"step": orthogonal((size, size), rng)} | {k: lecun(s, rng) for k, s in shapes.items()}


def surprise(p, edges):
    """Minus the logarithm of the probability of a text, per letter."""
    n, (size, count) = len(edges), p["out"].shape
    states = tl.PersistentArray(np.zeros((n + 1, size)))
    chances = tl.PersistentArray(np.zeros((n + 1, count)))
    reached = tl.PersistentArray(np.zeros(n + 1))
    chances[0] = log_softmax(states[0] @ p["out"])
    for k in range(n):
        begins, which = edges[k]
        arriving = reached[begins] + chances[begins, which]
        most = np.max(arriving)
        total = most + np.log(np.sum(np.exp(arriving - most)))
        reached[k + 1] = total
        steps = np.tanh(states[begins] @ p["step"] + p["in"][which])
        states[k + 1] = np.exp(arriving - total) @ steps
        chances[k + 1] = log_softmax(states[k + 1] @ p["out"])
    return -reached[n] / n


def pairs_of_letters(learned, judged):
    """Bits per letter of a model that knows how often each letter follows each."""
    pairs = Counter(t[i : i + 2] for t in (" " + t for t in learned) for i in range(len(t) - 1))
    firsts = Counter(pair[0] for pair in pairs.elements())
    kinds = len(set("".join(learned)))
    chances = [
        (pairs[pair] + 0.1) / (firsts[pair[0]] + 0.1 * kinds)
        for t in (" " + t for t in judged)
        for pair in (t[i : i + 2] for i in range(len(t) - 1))
    ]
    return float(-np.mean(np.log2(chances)))


def solve(epochs=8, count=60, size=32):
    rng = np.random.default_rng(0)
    learned, judged = sentences(count, rng), sentences(20, rng)
    known = pieces(learned)
    edges, others = ([lattice(t, known) for t in texts] for texts in (learned, judged))
    p, derivative, optimizer = parameters(len(known), size, rng), gradient_of(surprise), Adam(5e-3)
    bits = []
    for _ in range(epochs):
        for k in rng.permutation(count):
            _, gradient = derivative(p, edges[k])
            p = optimizer.step(p, gradient)
        bits.append(float(np.mean([surprise(p, e) for e in others]) / np.log(2.0)))
    return {"bits": bits, "pairs": pairs_of_letters(learned, judged), "pieces": known[-5:]}


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
    axes.plot(range(1, len(found["bits"]) + 1), found["bits"], "o-", label="lattice")
    axes.axhline(found["pairs"], color="gray", linestyle=":", label="pairs of letters")
    axes.set(xlabel="epoch", ylabel="bits per letter", title="sentences it has not seen")
    axes.legend()
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"{found['bits'][-1]:.3f} bits per letter; pairs of letters: {found['pairs']:.3f}")
    assert found["bits"][-1] < 0.6 * found["pairs"]
    draw(found, PICTURE)
