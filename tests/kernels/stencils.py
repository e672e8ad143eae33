"""Stencils, sweeps and alternating directions."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import kernel, normal, positive


@kernel(TSTEPS=3, A=normal(8), B=normal(8))
def jacobi_1d(TSTEPS, A, B):
    for t in range(1, TSTEPS):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


@kernel(TSTEPS=3, A=normal(5, 6), B=normal(5, 6))
def jacobi_2d(TSTEPS, A, B):
    for t in range(1, TSTEPS):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )


@kernel(u=normal(5, 5), steps=3)
def jacobi_swapped(u, steps):
    v = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


@kernel(TSTEPS=2, A=normal(4, 5, 4), B=normal(4, 5, 4))
def heat_3d(TSTEPS, A, B):
    def half_step(new, old):
        new[1:-1, 1:-1, 1:-1] = (
            0.125 * (old[2:, 1:-1, 1:-1] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[:-2, 1:-1, 1:-1])
            + 0.125 * (old[1:-1, 2:, 1:-1] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[1:-1, :-2, 1:-1])
            + 0.125 * (old[1:-1, 1:-1, 2:] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[1:-1, 1:-1, 0:-2])
            + old[1:-1, 1:-1, 1:-1]
        )

    for t in range(TSTEPS):
        half_step(B, A)
        half_step(A, B)


@kernel(TSTEPS=2, A=normal(5, 6))
def seidel_2d(TSTEPS, A):
    N, M = A.shape
    for t in range(TSTEPS):
        for i in range(1, N - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2]
                + A[i - 1, 1:-1]
                + A[i - 1, 2:]
                + A[i, 2:]
                + A[i + 1, :-2]
                + A[i + 1, 1:-1]
                + A[i + 1, 2:]
            )
            for j in range(1, M - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0


@kernel(TMAX=3, ex=normal(5, 6), ey=normal(5, 6), hz=normal(5, 6), _fict_=normal(3))
def fdtd_2d(TMAX, ex, ey, hz, _fict_):
    for t in range(TMAX):
        ey[0, :] = _fict_[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@kernel(TSTEPS=2, N=5, u=normal(5, 5))
def adi(TSTEPS, N, u):
    v = np.empty(u.shape, dtype=u.dtype)
    p = np.empty(u.shape, dtype=u.dtype)
    q = np.empty(u.shape, dtype=u.dtype)
    a = -0.4
    b = 1.9
    d = -0.3
    e = 1.6
    for t in range(1, TSTEPS + 1):
        v[0, 1 : N - 1] = 1.0
        p[1 : N - 1, 0] = 0.0
        q[1 : N - 1, 0] = v[0, 1 : N - 1]
        for j in range(1, N - 1):
            p[1 : N - 1, j] = -a / (a * p[1 : N - 1, j - 1] + b)
            q[1 : N - 1, j] = (
                -d * u[j, 0 : N - 2]
                + (1.0 + 2.0 * d) * u[j, 1 : N - 1]
                - d * u[j, 2:N]
                - a * q[1 : N - 1, j - 1]
            ) / (a * p[1 : N - 1, j - 1] + b)
        v[N - 1, 1 : N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            v[j, 1 : N - 1] = p[1 : N - 1, j] * v[j + 1, 1 : N - 1] + q[1 : N - 1, j]
        u[1 : N - 1, 0] = 1.0
        p[1 : N - 1, 0] = 0.0
        q[1 : N - 1, 0] = u[1 : N - 1, 0]
        for j in range(1, N - 1):
            p[1 : N - 1, j] = -d / (d * p[1 : N - 1, j - 1] + e)
            q[1 : N - 1, j] = (
                -a * v[0 : N - 2, j]
                + (1.0 + 2.0 * a) * v[1 : N - 1, j]
                - a * v[2:N, j]
                - d * q[1 : N - 1, j - 1]
            ) / (d * p[1 : N - 1, j - 1] + e)
        u[1 : N - 1, N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            u[1 : N - 1, j] = p[1 : N - 1, j] * u[1 : N - 1, j + 1] + q[1 : N - 1, j]


@kernel(
    in_field=normal(7, 7, 2), out_field=normal(3, 3, 2), coeff=normal(3, 3, 2), inert=("out_field",)
)
def hdiff(in_field, out_field, coeff):
    I, J = out_field.shape[0], out_field.shape[1]
    lap_field = 4.0 * in_field[1 : I + 3, 1 : J + 3, :] - (
        in_field[2 : I + 4, 1 : J + 3, :]
        + in_field[0 : I + 2, 1 : J + 3, :]
        + in_field[1 : I + 3, 2 : J + 4, :]
        + in_field[1 : I + 3, 0 : J + 2, :]
    )
    res = lap_field[1:, 1 : J + 1, :] - lap_field[:-1, 1 : J + 1, :]
    flx_field = np.where(
        (res * (in_field[2 : I + 3, 2 : J + 2, :] - in_field[1 : I + 2, 2 : J + 2, :])) > 0, 0, res
    )
    res = lap_field[1 : I + 1, 1:, :] - lap_field[1 : I + 1, :-1, :]
    fly_field = np.where(
        (res * (in_field[2 : I + 2, 2 : J + 3, :] - in_field[2 : I + 2, 1 : J + 2, :])) > 0, 0, res
    )
    out_field[:, :, :] = in_field[2 : I + 2, 2 : J + 2, :] - coeff[:, :, :] * (
        flx_field[1:, :, :] - flx_field[:-1, :, :] + fly_field[:, 1:, :] - fly_field[:, :-1, :]
    )


BET_M = 0.5 * (1.0 - 0.2)
BET_P = 0.5 * (1.0 + 0.2)


@kernel(
    utens_stage=normal(2, 3, 4),
    u_stage=normal(2, 3, 4),
    wcon=normal(3, 3, 4, scale=0.3),
    u_pos=normal(2, 3, 4),
    utens=normal(2, 3, 4),
    dtr_stage=1.5,
)
def vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    I, J, K = utens_stage.shape
    ccol = np.ndarray((I, J, K), dtype=utens_stage.dtype)
    dcol = np.ndarray((I, J, K), dtype=utens_stage.dtype)
    data_col = np.ndarray((I, J), dtype=utens_stage.dtype)
    for k in range(1):
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        cs = gcv * BET_M
        ccol[:, :, k] = gcv * BET_P
        bcol = dtr_stage - ccol[:, :, k]
        correction_term = -cs * (u_stage[:, :, k + 1] - u_stage[:, :, k])
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction_term
        )
        divided = 1.0 / bcol
        ccol[:, :, k] = ccol[:, :, k] * divided
        dcol[:, :, k] = dcol[:, :, k] * divided
    for k in range(1, K - 1):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        as_ = gav * BET_M
        cs = gcv * BET_M
        acol = gav * BET_P
        ccol[:, :, k] = gcv * BET_P
        bcol = dtr_stage - acol - ccol[:, :, k]
        correction_term = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k]) - cs * (
            u_stage[:, :, k + 1] - u_stage[:, :, k]
        )
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction_term
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        ccol[:, :, k] = ccol[:, :, k] * divided
        dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided
    for k in range(K - 1, K):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        as_ = gav * BET_M
        acol = gav * BET_P
        bcol = dtr_stage - acol
        correction_term = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k])
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction_term
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided
    for k in range(K - 1, K - 2, -1):
        datacol = dcol[:, :, k]
        data_col[:] = datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])
    for k in range(K - 2, -1, -1):
        datacol = dcol[:, :, k] - ccol[:, :, k] * data_col[:, :]
        data_col[:] = datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])


@kernel(u=normal(6, 5), f=normal(6, 5), omega=1.3, sweeps=2)
def red_black(u, f, omega, sweeps):
    n, m = u.shape
    for _ in range(sweeps):
        for color in (0, 1):
            for i in range(1, n - 1):
                for j in range(1 + (i + color) % 2, m - 1, 2):
                    r = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - f[i, j]
                    u[i, j] = (1.0 - omega) * u[i, j] + omega * 0.25 * r


@kernel(phi=normal(6, 6), k=positive(6, 6), dt=0.1)
def variable_diffusion(phi, k, dt):
    flux_x = np.zeros((phi.shape[0] + 1, phi.shape[1]))
    flux_y = np.zeros((phi.shape[0], phi.shape[1] + 1))
    for _ in range(2):
        flux_x[1:-1] = -0.5 * (k[1:] + k[:-1]) * (phi[1:] - phi[:-1])
        flux_y[:, 1:-1] = -0.5 * (k[:, 1:] + k[:, :-1]) * (phi[:, 1:] - phi[:, :-1])
        phi -= dt * (flux_x[1:] - flux_x[:-1] + flux_y[:, 1:] - flux_y[:, :-1])
    return phi


@kernel(
    u=positive(5, 5),
    v=positive(5, 5, low=0.1, high=0.4),
    feed=0.04,
    kill=0.06,
)
def gray_scott(u, v, feed, kill):
    def laplacian(z):
        return np.roll(z, 1, 0) + np.roll(z, -1, 0) + np.roll(z, 1, 1) + np.roll(z, -1, 1) - 4.0 * z

    for _ in range(3):
        uvv = u * v * v
        u += 0.16 * laplacian(u) - uvv + feed * (1.0 - u)
        v += 0.08 * laplacian(v) + uvv - (feed + kill) * v
