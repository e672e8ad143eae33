"""Fluxes, waves and incompressible flow."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import kernel, normal, positive


def build_up_b(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = rho * (
        1
        / dt
        * ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx) + (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))
        - ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)) ** 2
        - 2 * ((u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx))
        - ((v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)) ** 2
    )


def pressure_poisson(nit, p, dx, dy, b):
    pn = np.empty_like(p)
    for q in range(nit):
        pn[:] = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0


def advance(new, n, un, vn, dt, dx, dy, nu):
    new[1:-1, 1:-1] = (
        n[1:-1, 1:-1]
        - un[1:-1, 1:-1] * dt / dx * (n[1:-1, 1:-1] - n[1:-1, 0:-2])
        - vn[1:-1, 1:-1] * dt / dy * (n[1:-1, 1:-1] - n[0:-2, 1:-1])
        + nu * dt / dx**2 * (n[1:-1, 2:] - 2 * n[1:-1, 1:-1] + n[1:-1, 0:-2])
        + nu * dt / dy**2 * (n[2:, 1:-1] - 2 * n[1:-1, 1:-1] + n[0:-2, 1:-1])
    )


@kernel(nt=2, nit=2, u=normal(5, 5), v=normal(5, 5), dt=0.1, p=normal(5, 5), rho=1.1, nu=0.1)
def cavity_flow(nt, nit, u, v, dt, p, rho, nu):
    dx = dy = 2.0 / (len(u) - 1)
    un = np.empty_like(u)
    vn = np.empty_like(v)
    b = np.zeros(u.shape)
    for n in range(nt):
        un[:] = u.copy()
        vn[:] = v.copy()
        build_up_b(b, rho, dt, u, v, dx, dy)
        pressure_poisson(nit, p, dx, dy, b)
        advance(u, un, un, vn, dt, dx, dy, nu)
        advance(v, vn, un, vn, dt, dx, dy, nu)
        u[1:-1, 1:-1] -= dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
        v[1:-1, 1:-1] -= dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0


@kernel(u=positive(4, 5), dt=0.05, nu=0.1, F=1.0)
def channel_flow(u, dt, nu, F):
    """Periodic along the channel; stops when the flow no longer changes much."""
    dx = 0.5
    un = np.empty_like(u)
    udiff = 1.0
    stepcount = 0
    while udiff > 0.08:
        un[:] = u
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
            + nu * dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2])
            + F * dt
        )
        u[1:-1, -1] = un[1:-1, -1] - un[1:-1, -1] * dt / dx * (un[1:-1, -1] - un[1:-1, -2]) + F * dt
        u[1:-1, 0] = un[1:-1, 0] - un[1:-1, 0] * dt / dx * (un[1:-1, 0] - un[1:-1, -1]) + F * dt
        u[0, :] = 0
        u[-1, :] = 0
        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
        stepcount += 1
    return u


@kernel(q=normal(8), velocity=normal(8), dt=0.2, steps=3)
def upwind(q, velocity, dt, steps):
    for _ in range(steps):
        old = q.copy()
        for i in range(1, len(q) - 1):
            if velocity[i] > 0:
                q[i] -= dt * velocity[i] * (old[i] - old[i - 1])
            else:
                q[i] -= dt * velocity[i] * (old[i + 1] - old[i])


@kernel(q=normal(7), velocity=normal(8), dt=0.2)
def donor_cell(q, velocity, dt):
    flux = np.zeros(len(q) + 1)
    for _ in range(3):
        flux[1:-1] = (
            np.maximum(velocity[1:-1], 0.0) * q[:-1] + np.minimum(velocity[1:-1], 0.0) * q[1:]
        )
        flux[0] = flux[-1] = velocity[0] * q[-1]
        q -= dt * np.diff(flux)


@kernel(u=normal(8), c=0.6)
def lax_wendroff(u, c):
    un = np.zeros(len(u))
    for n in range(4):
        un[1:-1] = (
            u[1:-1] - 0.5 * c * (u[2:] - u[:-2]) + 0.5 * c**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        )
        un[0], un[-1] = un[-2], un[1]
        u[:] = un[:]


@kernel(u=normal(8), dt=0.2)
def godunov_burgers(u, dt):
    n = len(u)
    flux = np.empty(n + 1)
    for _ in range(3):
        left = np.concatenate((u[-1:], u))
        right = np.concatenate((u, u[:1]))
        flux[:] = np.maximum(0.5 * np.maximum(left, 0.0) ** 2, 0.5 * np.minimum(right, 0.0) ** 2)
        u -= dt * (flux[1:] - flux[:-1])


def minmod(a, b):
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


@kernel(u=normal(8), dt=0.1)
def muscl(u, dt):
    padded = np.zeros(len(u) + 4)
    slope = np.zeros(len(u) + 4)
    for _ in range(2):
        padded[2:-2] = u
        padded[:2] = u[-2:]
        padded[-2:] = u[:2]
        slope[1:-1] = minmod(padded[1:-1] - padded[:-2], padded[2:] - padded[1:-1])
        left = padded[1:-2] + 0.5 * slope[1:-2]
        right = padded[2:-1] - 0.5 * slope[2:-1]
        speed = np.maximum(np.abs(left), np.abs(right))
        flux = 0.25 * (left**2 + right**2) - 0.5 * speed * (right - left)
        u[:] = u - dt * (flux[1:] - flux[:-1])


@kernel(h=positive(5, 6), hu=normal(5, 6, scale=0.3), hv=normal(5, 6, scale=0.3), dt=0.05)
def shallow_water(h, hu, hv, dt, g=9.81):
    for _ in range(2):
        u = hu / h
        v = hv / h
        mass_x, mass_y = hu.copy(), hv.copy()
        along = hu * u + 0.5 * g * h**2
        across = hu * v
        upward = hv * v + 0.5 * g * h**2
        inner = (slice(1, -1), slice(1, -1))
        h[inner] -= 0.5 * dt * (mass_x[2:, 1:-1] - mass_x[:-2, 1:-1])
        h[inner] -= 0.5 * dt * (mass_y[1:-1, 2:] - mass_y[1:-1, :-2])
        hu[inner] -= 0.5 * dt * (along[2:, 1:-1] - along[:-2, 1:-1])
        hu[inner] -= 0.5 * dt * (across[1:-1, 2:] - across[1:-1, :-2])
        hv[inner] -= 0.5 * dt * (across[2:, 1:-1] - across[:-2, 1:-1])
        hv[inner] -= 0.5 * dt * (upward[1:-1, 2:] - upward[1:-1, :-2])
        hu[0] = -hu[1]
        hu[-1] = -hu[-2]
        hv[:, 0] *= -1.0


@kernel(u=normal(7), nu=0.3, dx=1.1, dt=0.05)
def burgers_viscous(u, nu, dx, dt):
    for n in range(4):
        un = u.copy()
        for i in range(1, u.size - 1):
            u[i] = (
                un[i]
                - un[i] * dt / dx * (un[i] - un[i - 1])
                + nu * dt / dx**2 * (un[i + 1] - 2 * un[i] + un[i - 1])
            )
        u[0] = un[0] - un[0] * dt / dx * (un[0] - un[-2])
        u[-1] = u[0]


@kernel(u0=normal(5, 5), speed=positive(5, 5), source=normal(4))
def acoustic_wave(u0, speed, source):
    """A shot that is recorded along a row of receivers."""
    previous, now = u0.copy(), u0.copy()
    seismogram = np.zeros((len(source), u0.shape[1]))
    for t in range(len(source)):
        after = np.zeros_like(now)
        after[1:-1, 1:-1] = (
            2.0 * now[1:-1, 1:-1]
            - previous[1:-1, 1:-1]
            + 0.1
            * speed[1:-1, 1:-1] ** 2
            * (
                now[2:, 1:-1]
                + now[:-2, 1:-1]
                + now[1:-1, 2:]
                + now[1:-1, :-2]
                - 4.0 * now[1:-1, 1:-1]
            )
        )
        after[2, 2] += source[t]
        previous, now = now, after
        seismogram[t, :] = now[1, :]
    return seismogram


@kernel(u=normal(3, 7), c=0.7)
def wave_ring(u, c):
    """Three time levels in a ring."""
    for t in range(2, 6):
        old, now, new = u[(t - 2) % 3], u[(t - 1) % 3], u[t % 3]
        new[1:-1] = 2.0 * now[1:-1] - old[1:-1] + c**2 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        new[0] = new[-1] = 0.0
    return u[5 % 3]


@kernel(rho=positive(6), mom=normal(6, scale=0.2), ener=positive(6, low=2.0, high=3.0))
def euler_rusanov(rho, mom, ener, gamma=1.4):
    state = np.empty((3, len(rho)))
    state[0], state[1], state[2] = rho, mom, ener
    flux = np.empty_like(state)
    for _ in range(2):
        velocity = state[1] / state[0]
        pressure = (gamma - 1.0) * (state[2] - 0.5 * state[1] * velocity)
        flux[0] = state[1]
        flux[1] = state[1] * velocity + pressure
        flux[2] = (state[2] + pressure) * velocity
        speed = np.max(np.abs(velocity) + np.sqrt(gamma * pressure / state[0]))
        face = 0.5 * (flux[:, 1:] + flux[:, :-1]) - 0.5 * speed * (state[:, 1:] - state[:, :-1])
        state[:, 1:-1] -= 0.05 * (face[:, 1:] - face[:, :-1])
    rho[:], mom[:], ener[:] = state
