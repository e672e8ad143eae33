"""Bundle adjustment: cameras and points from where the points are seen, by scipy.optimize.least_squares.

The Jacobian is that of tangentlite, and its sparsity is seen in it: each residual knows one camera and one point.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tangentlite as tl

PICTURE = Path(__file__).parent / "pictures" / "bundle.png"


def rotated(vector, points):
    """Points turned round a vector, by its length (Rodrigues)."""
    angle = np.sqrt(np.sum(vector**2))
    axis = vector / angle
    along = np.outer(points @ axis, axis)
    return along + np.cos(angle) * (points - along) + np.sin(angle) * np.cross(axis, points)


def seen(camera, points):
    """Where a camera (three numbers turn it, three move it, one is its focal length) sees points."""
    inside = rotated(camera[:3], points) + camera[3:6]
    return camera[6] * inside[:, :2] / inside[:, 2:]


def residuals(p, count, pictures):
    """How far each point is seen from where it should be seen, camera by camera."""
    cameras, points = p[: 7 * count].reshape(count, 7), p[7 * count :].reshape(-1, 3)
    found = np.zeros(pictures.shape)
    for k in range(count):
        found[k] = seen(cameras[k], points) - pictures[k]
    return np.ravel(found)


def scene(count, size, rng):
    """Cameras on an arc that look at a cloud of points."""
    points = rng.uniform(-1.0, 1.0, (size, 3))
    cameras = np.zeros((count, 7))
    for k in range(count):
        cameras[k] = [0.1, np.linspace(-0.8, 0.8, count)[k] + 0.05, 0.05, 0.0, 0.0, 6.0, 500.0]
    return cameras, points


def solve(count=5, size=30, blur=0.3):
    from scipy.optimize import least_squares

    rng = np.random.default_rng(0)
    cameras, points = scene(count, size, rng)
    pictures = np.array([seen(camera, points) for camera in cameras])
    pictures = pictures + blur * rng.normal(size=pictures.shape)
    near = cameras + rng.normal(size=cameras.shape) * [0.05, 0.05, 0.05, 0.1, 0.1, 0.3, 20.0]
    start = np.concatenate([near.ravel(), (points + 0.1 * rng.normal(size=points.shape)).ravel()])
    jacobian = tl.jacfwd(residuals)
    options = {"jac": jacobian, "args": (count, pictures), "x_scale": "jac", "max_nfev": 60}
    found = least_squares(residuals, start, **options)
    return {
        "before": float(np.sqrt(np.mean(residuals(start, count, pictures) ** 2))),
        "after": float(np.sqrt(np.mean(found.fun**2))),
        "jacobian": jacobian(found.x, count, pictures),
        "pictures": pictures,
        "first": found.fun.reshape(pictures.shape) + pictures,
        "steps": found.nfev,
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    left.plot(*found["pictures"][0].T, "o", mfc="none", label="seen")
    left.plot(*found["first"][0].T, "+", label="as it should be seen")
    left.set(
        title=f"first camera; {found['before']:.1f} → {found['after']:.2f} points off",
        aspect="equal",
    )
    left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)
    right.spy(found["jacobian"], markersize=0.5, aspect="auto")
    right.set(title=f"the Jacobian: {np.mean(found['jacobian'] != 0):.0%} are not zero")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(
        f"off by {found['before']:.2f} points before, {found['after']:.3f} after {found['steps']} steps"
    )
    assert found["after"] < 0.35
    draw(found, PICTURE)
