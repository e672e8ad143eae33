"""Noise of a motion and of its measurement, found by the likelihood that a Kalman filter computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.searches import lbfgs

PICTURE = Path(__file__).parent / "pictures" / "kalman.png"
MOVES = np.array([[1.0, 1.0], [0.0, 1.0]])
SEES = np.array([[1.0, 0.0]])
PUSHED = np.array([[0.25, 0.5], [0.5, 1.0]])


def filtered(p, seen):
    """Minus the logarithm of the likelihood, and where the filter thinks the thing is."""
    pushes, blur = np.exp(p["log_push"]) * PUSHED, np.exp(p["log_blur"])
    mean, covariance = np.zeros(2), 10.0 * np.eye(2)
    cost, places = 0.0, np.zeros(len(seen))
    for t, z in enumerate(seen):
        mean = MOVES @ mean
        covariance = MOVES @ covariance @ MOVES.T + pushes
        surprise = z - SEES @ mean
        spread = SEES @ covariance @ SEES.T + blur
        gain = covariance @ SEES.T @ np.linalg.inv(spread)
        mean = mean + gain @ surprise
        covariance = covariance - gain @ SEES @ covariance
        cost += 0.5 * (surprise @ np.linalg.solve(spread, surprise) + np.linalg.slogdet(spread)[1])
        places[t] = mean[0]
    return cost, places


def cost(p, seen):
    return filtered(p, seen)[0]


def motion(count, push, blur, rng):
    """A thing that is pushed at random, and what is seen of it."""
    pushes = np.sqrt(push) * rng.normal(size=count)
    speed = np.cumsum(pushes)
    place = np.cumsum(speed - 0.5 * pushes)
    return place, place + np.sqrt(blur) * rng.normal(size=count)


def solve(count=400, push=0.02, blur=4.0):
    true, seen = motion(count, push, blur, np.random.default_rng(3))
    p, costs = lbfgs(cost, {"log_push": 0.0, "log_blur": 0.0}, seen, steps=60)
    places = filtered(p, seen)[1]
    return {
        "true": true,
        "seen": seen,
        "places": places,
        "push": float(np.exp(p["log_push"])),
        "blur": float(np.exp(p["log_blur"])),
        "costs": costs,
        "better": float(np.std(places - true) / np.std(seen - true)),
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 3.5), layout="constrained")
    last = slice(-80, None)
    axes.plot(found["seen"][last], ".", color="gray", label="seen")
    axes.plot(found["true"][last], label="true")
    axes.plot(found["places"][last], label="filtered")
    axes.set(
        xlabel="time", ylabel="place", title=f"push {found['push']:.4f}, blur {found['blur']:.3f}"
    )
    axes.legend()
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"push {found['push']:.4f} (true 0.02), blur {found['blur']:.3f} (true 4)")
    assert 0.01 < found["push"] < 0.04
    assert 3.2 < found["blur"] < 5.0
    draw(found, PICTURE)
