"""Optimal control: a pendulum is swung up by a torque too weak to lift it, through a Runge-Kutta integrator."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.searches import lbfgs

PICTURE = Path(__file__).parent / "pictures" / "control.png"


class Pendulum:
    """Angle 0 hangs down; ``strongest`` is a third of what gravity pulls at most."""

    def __init__(self, strongest=3.3, friction=0.05):
        self.strongest, self.friction = strongest, friction

    def torque(self, control):
        return self.strongest * np.tanh(control)

    def __call__(self, state, torque):
        angle, speed = state
        return np.array([speed, torque - 9.81 * np.sin(angle) - self.friction * speed])


def step(f, state, torque, h):
    """The classical method of fourth order."""
    a = f(state, torque)
    b = f(state + 0.5 * h * a, torque)
    c = f(state + 0.5 * h * b, torque)
    d = f(state + h * c, torque)
    return state + h / 6 * (a + 2 * b + 2 * c + d)


def path_of(controls, pendulum, h):
    """All states, the first one included."""
    states = [np.zeros(2)]
    for control in controls:
        states.append(step(pendulum, states[-1], pendulum.torque(control), h))
    return np.array(states)


def cost(controls, pendulum, h):
    """Far from standing on its head at the end, and a little for effort and for jerks."""
    angle, speed = path_of(controls, pendulum, h)[-1]
    missed = (1.0 + np.cos(angle)) * 20.0 + speed**2
    jerks = np.sum((controls[1:] - controls[:-1]) ** 2)
    return missed + 1e-2 * (h * np.sum(pendulum.torque(controls) ** 2) + jerks)


def solve(count=150, end=4.5, steps=300):
    h, pendulum = end / count, Pendulum()
    t = h * np.arange(count)
    start = 0.5 * np.sin(np.sqrt(9.81) * t)
    controls, costs = lbfgs(cost, start, pendulum, h, steps=steps)
    states = path_of(controls, pendulum, h)
    return {
        "t": t,
        "torque": pendulum.torque(controls),
        "states": states,
        "costs": costs,
        "angle": float(np.degrees(np.arccos(-np.cos(states[-1, 0])))),
        "speed": float(abs(states[-1, 1])),
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.plot(found["t"], found["torque"], label="torque")
    left.plot(found["t"], found["states"][1:, 0] / np.pi, label="angle / π")
    left.set(xlabel="time", ylim=(-3.6, 5.2), title=f"ends {found['angle']:.2f}° from upright")
    left.legend(loc="upper left", ncols=2)
    right.plot(found["states"][:, 0] / np.pi, found["states"][:, 1])
    right.set(xlabel="angle / π", ylabel="speed")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"ends {found['angle']:.3f}° from upright with speed {found['speed']:.4f}")
    assert found["angle"] < 2.0
    assert found["speed"] < 0.1
    draw(found, PICTURE)
