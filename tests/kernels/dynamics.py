"""Particles, oscillators and filters moved in place through time."""

from __future__ import annotations

import math

import numpy as np

from tests.kernels.corpus import definite, integers, kernel, normal, positive, record, series


@kernel(pos=normal(4, 3, scale=2.0), vel=normal(4, 3), mass=positive(4), dt=0.05)
def nbody(pos, vel, mass, dt):
    n = len(mass)
    for step in range(2):
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = pos[j] - pos[i]
                    r2 = d @ d + 0.1
                    vel[i] += dt * mass[j] * d / (r2 * np.sqrt(r2))
        for i in range(n):
            pos[i] += dt * vel[i]


def getAcc(pos, mass, G, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    I = inv_r3 > 0
    inv_r3[I] = inv_r3[I] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def getEnergy(pos, vel, mass, G):
    KE = 0.5 * np.sum(np.sum(mass * vel**2))
    x = pos[:, 0:1]
    dx = x.T - x
    inv_r = np.sqrt(dx**2 + 0.1)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    PE = G * np.sum(np.sum(np.triu(-(mass * mass.T) * inv_r, 1)))
    return KE, PE


@kernel(mass=positive(4, 1), pos=normal(4, 3), vel=normal(4, 3), Nt=2, dt=0.05)
def nbody_energies(mass, pos, vel, Nt, dt, G=1.2, softening=0.3):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = getAcc(pos, mass, G, softening)
    KE = np.ndarray(Nt + 1, dtype=np.float64)
    PE = np.ndarray(Nt + 1, dtype=np.float64)
    KE[0], PE[0] = getEnergy(pos, vel, mass, G)
    t = 0.0
    for i in range(Nt):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc[:] = getAcc(pos, mass, G, softening)
        vel += acc * dt / 2.0
        t += dt
        KE[i + 1], PE[i + 1] = getEnergy(pos, vel, mass, G)
    return KE, PE


BODIES = 3


@kernel(x=normal(BODIES), v=normal(BODIES), k=2.0, dt=0.1)
def spring_chain(x, v, k, dt):
    """Newton's third law, one spring after the other."""
    force = np.zeros(BODIES)
    for _ in range(3):
        force.fill(0.0)
        for i in range(BODIES - 1):
            stretch = x[i + 1] - x[i] - 1.0
            force[i] += k * stretch
            force[i + 1] -= k * stretch
        v += dt * force
        x += dt * v


def lorenz(state, out, sigma, rho, beta):
    out[0] = sigma * (state[1] - state[0])
    out[1] = state[0] * (rho - state[2]) - state[1]
    out[2] = state[0] * state[1] - beta * state[2]


@kernel(y=normal(3), sigma=1.0, rho=2.8, beta=0.6, dt=0.05)
def runge_kutta_4(y, sigma, rho, beta, dt):
    k1, k2 = np.empty_like(y), np.empty_like(y)
    k3, k4 = np.empty_like(y), np.empty_like(y)
    for _ in range(3):
        lorenz(y, k1, sigma, rho, beta)
        lorenz(y + 0.5 * dt * k1, k2, sigma, rho, beta)
        lorenz(y + 0.5 * dt * k2, k3, sigma, rho, beta)
        lorenz(y + dt * k3, k4, sigma, rho, beta)
        y += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@kernel(y=normal(3), dt=0.05)
def runge_kutta_stages(y, dt):
    a = np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 2.0, 0.0]])
    weights = np.array([1.0, 4.0, 1.0]) / 6.0
    k = np.zeros((3, len(y)))
    trajectory = np.zeros((4, len(y)))
    trajectory[0] = y
    for n in range(3):
        for s in range(3):
            stage = trajectory[n] + dt * (a[s, :s] @ k[:s])
            k[s] = np.sin(stage) - stage[::-1] * stage
        trajectory[n + 1] = trajectory[n] + dt * np.dot(weights, k)
    return trajectory


@kernel(x=normal(4), v=normal(4), omega=positive(4), dt=0.1)
def leapfrog(x, v, omega, dt):
    def acceleration():
        return -(omega**2) * np.sin(x)

    v += 0.5 * dt * acceleration()
    for _ in range(3):
        x += dt * v
        v += dt * acceleration()
    v -= 0.5 * dt * acceleration()


@kernel(theta=normal(2), omega=normal(2), lengths=positive(2), dt=0.02)
def double_pendulum(theta, omega, lengths, dt, g=9.81):
    history = np.zeros((4, 2))
    for n in range(4):
        history[n] = theta
        delta = theta[0] - theta[1]
        M = np.array(
            [
                [2.0 * lengths[0], lengths[1] * np.cos(delta)],
                [lengths[0] * np.cos(delta), lengths[1]],
            ]
        )
        b = np.zeros(2)
        b[0] = -lengths[1] * omega[1] ** 2 * np.sin(delta) - 2.0 * g * np.sin(theta[0])
        b[1] = lengths[0] * omega[0] ** 2 * np.sin(delta) - g * np.sin(theta[1])
        omega += dt * np.linalg.solve(M, b)
        theta += dt * omega
    return history


@kernel(y=positive(2), parameters=positive(4), dt=0.1)
def predator_prey(y, parameters, dt):
    alpha, beta, gamma, delta = parameters
    path = [y.copy()]
    for _ in range(4):
        prey, predator = y
        y[0] += dt * (alpha * prey - beta * prey * predator)
        y[1] += dt * (delta * prey * predator - gamma * predator)
        path.append(y.copy())
    return np.array(path)


@kernel(state=record(x=normal(3), v=normal(3), time=0.0), dt=0.1)
def state_in_dict(state, dt):
    for _ in range(3):
        state["v"] -= dt * np.sin(state["x"])
        state["x"] = state["x"] + dt * state["v"]
        state["time"] += dt
    return state


@kernel(particles=series(3, record(x=normal(2), v=normal(2))), dt=0.1)
def particles_as_dicts(particles, dt):
    for _ in range(2):
        for p in particles:
            p["v"] -= dt * p["x"]
        for p in particles:
            p["x"] += dt * p["v"]


@kernel(
    F=normal(2, 2),
    H=normal(1, 2),
    Q=definite(2),
    R=definite(1),
    z=normal(4, 1),
    x0=normal(2),
    P0=definite(2),
)
def kalman_filter(F, H, Q, R, z, x0, P0):
    n = len(z)
    x = np.zeros((n, 2))
    P = np.zeros((n, 2, 2))
    x_prev, P_prev = x0, P0
    loglik = 0.0
    for t in range(n):
        xp = F @ x_prev
        Pp = F @ P_prev @ F.T + Q
        S = H @ Pp @ H.T + R
        K = Pp @ H.T @ np.linalg.inv(S)
        innovation = z[t] - H @ xp
        x[t] = xp + K @ innovation
        P[t] = (np.eye(2) - K @ H) @ Pp
        loglik -= 0.5 * (np.log(np.linalg.det(S)) + innovation @ np.linalg.solve(S, innovation))
        x_prev, P_prev = x[t], P[t]
    return x, P, loglik


@kernel(x=positive(5, low=0.2, high=5.8), q=normal(5), charge=np.zeros(8), inert=("charge",))
def charge_deposit(x, q, charge):
    charge[:] = 0.0
    for p in range(len(x)):
        cell = int(x[p])
        w = x[p] - cell
        charge[cell] += q[p] * (1.0 - w)
        charge[cell + 1] += q[p] * w


@kernel(x=positive(5, low=0.2, high=3.8), v=normal(5), field=normal(5), dt=0.02)
def particle_in_cell(x, v, field, dt):
    n = len(field)
    for _ in range(2):
        left = np.floor(x).astype(int)
        w = x - left
        rho = np.zeros(n)
        np.add.at(rho, left, 1.0 - w)
        np.add.at(rho, (left + 1) % n, w)
        field[:] = field - 0.1 * (rho - rho.mean())
        v += dt * ((1.0 - w) * field[left] + w * field[(left + 1) % n])
        x += dt * v


@kernel(x=normal(5), noise=normal(4, 5), drift=0.3, sigma=0.4)
def euler_maruyama(x, noise, drift, sigma):
    paths = np.empty((noise.shape[0] + 1, noise.shape[1]))
    paths[0] = x
    for k in range(noise.shape[0]):
        paths[k + 1] = paths[k] * (1.0 + drift * 0.1 + sigma * math.sqrt(0.1) * noise[k])
    return paths


@kernel(
    bonds=np.array([[0, 1], [1, 2], [2, 3], [3, 0]]), pos=normal(4, 2, scale=2.0), rest=positive(4)
)
def constraint_projection(bonds, pos, rest):
    for _ in range(2):
        for k, (i, j) in enumerate(bonds):
            d = pos[j] - pos[i]
            length = np.linalg.norm(d)
            shift = 0.5 * (length - rest[k]) / length * d
            pos[i] += shift
            pos[j] -= shift


@kernel(forces=normal(4, 2), pos=normal(4, 2, scale=2.0), pairs=integers(4, 5, 2))
def pair_forces(forces, pos, pairs):
    i, j = pairs[:, 0], pairs[:, 1]
    d = pos[i] - pos[j]
    r2 = np.sum(d**2, axis=1) + 0.5
    f = d / r2[:, None] ** 2
    np.add.at(forces, i, f)
    np.subtract.at(forces, j, f)


@kernel(angles=normal(4), lengths=positive(4))
def forward_kinematics(angles, lengths):
    joints = np.zeros((len(angles) + 1, 2))
    total = 0.0
    for k in range(len(angles)):
        total += angles[k]
        joints[k + 1, 0] = joints[k, 0] + lengths[k] * np.cos(total)
        joints[k + 1, 1] = joints[k, 1] + lengths[k] * np.sin(total)
    return joints


@kernel(T=normal(5), k=positive(4), capacity=positive(5, low=2.0, high=3.0), dt=0.2)
def heat_network(T, k, capacity, dt):
    flow = np.zeros_like(T)
    for _ in range(3):
        flow[:] = 0
        for e in range(len(k)):
            q = k[e] * (T[e + 1] - T[e])
            flow[e] += q
            flow[e + 1] += -q
        T += dt * flow / capacity
        if T[0] > 10.0:
            T[0] = 10.0


@kernel(infected=positive(3, low=0.05, high=0.1), contact=positive(3, 3), beta=0.6, gamma=0.2)
def epidemic(infected, contact, beta, gamma):
    S, I, R = 1.0 - infected, infected.copy(), np.zeros(3)
    curve = np.zeros((5, 3))
    for day in range(5):
        new = beta * S * (contact @ I) / 3.0
        recovered = gamma * I
        S -= new
        I += new - recovered
        R += recovered
        curve[day, :] = I
    return curve, R
