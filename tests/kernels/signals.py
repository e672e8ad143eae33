"""Filters, transforms, images and statistics."""

from __future__ import annotations

import math

import numpy as np

from tests.kernels.corpus import integers, kernel, normal, positive


@kernel(re=normal(8), im=normal(8))
def fft_radix_2(re, im):
    n = len(re)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            re[i], re[j] = re[j], re[i]
            im[i], im[j] = im[j], im[i]
    length = 2
    while length <= n:
        angle = -2.0 * math.pi / length
        for start in range(0, n, length):
            for k in range(length // 2):
                a, b = start + k, start + k + length // 2
                wr, wi = math.cos(angle * k), math.sin(angle * k)
                tr = wr * re[b] - wi * im[b]
                ti = wr * im[b] + wi * re[b]
                re[b], im[b] = re[a] - tr, im[a] - ti
                re[a] += tr
                im[a] += ti
        length *= 2


def fft_complex_buffer(x):
    n = len(x)
    if n == 1:
        return x.astype(complex)
    even = fft_complex_buffer(x[0::2])
    odd = fft_complex_buffer(x[1::2])
    out = np.zeros(n, dtype=complex)
    for k in range(n // 2):
        t = np.exp(-2j * np.pi * k / n) * odd[k]
        out[k] = even[k] + t
        out[k + n // 2] = even[k] - t
    return out


@kernel(x=normal(8))
def spectrum(x):
    return np.abs(fft_complex_buffer(x)) ** 2


@kernel(x=normal(8), b=normal(3), a=normal(2, scale=0.3))
def iir_filter(x, b, a):
    y = np.zeros(len(x))
    for n in range(len(x)):
        for k in range(len(b)):
            if n >= k:
                y[n] += b[k] * x[n - k]
        for k in range(len(a)):
            if n > k:
                y[n] -= a[k] * y[n - 1 - k]
    return y


@kernel(x=normal(7), b=normal(3), a=normal(2, scale=0.3))
def biquad_transposed(x, b, a):
    z1 = z2 = 0.0
    for n in range(len(x)):
        value = x[n]
        x[n] = b[0] * value + z1
        z1 = b[1] * value - a[0] * x[n] + z2
        z2 = b[2] * value - a[1] * x[n]


@kernel(x=normal(7), alpha=0.3)
def moving_average(x, alpha):
    for t in range(1, len(x)):
        x[t] = alpha * x[t] + (1.0 - alpha) * x[t - 1]
    return x


@kernel(alpha=0.4, imgIn=normal(5, 4))
def deriche(alpha, imgIn):
    k = (1.0 - np.exp(-alpha)) * (1.0 - np.exp(-alpha))
    k /= 1.0 + alpha * np.exp(-alpha) - np.exp(2.0 * alpha)
    a1 = a5 = k
    a2 = a6 = k * np.exp(-alpha) * (alpha - 1.0)
    a3 = a7 = k * np.exp(-alpha) * (alpha + 1.0)
    a4 = a8 = -k * np.exp(-2.0 * alpha)
    b1 = 2.0 ** (-alpha)
    b2 = -np.exp(-2.0 * alpha)
    c1 = c2 = 1
    y1 = np.empty_like(imgIn)
    y1[:, 0] = a1 * imgIn[:, 0]
    y1[:, 1] = a1 * imgIn[:, 1] + a2 * imgIn[:, 0] + b1 * y1[:, 0]
    for j in range(2, imgIn.shape[1]):
        y1[:, j] = a1 * imgIn[:, j] + a2 * imgIn[:, j - 1] + b1 * y1[:, j - 1] + b2 * y1[:, j - 2]
    y2 = np.empty_like(imgIn)
    y2[:, -1] = 0.0
    y2[:, -2] = a3 * imgIn[:, -1]
    for j in range(imgIn.shape[1] - 3, -1, -1):
        y2[:, j] = (
            a3 * imgIn[:, j + 1] + a4 * imgIn[:, j + 2] + b1 * y2[:, j + 1] + b2 * y2[:, j + 2]
        )
    imgOut = c1 * (y1 + y2)
    y1[0, :] = a5 * imgOut[0, :]
    y1[1, :] = a5 * imgOut[1, :] + a6 * imgOut[0, :] + b1 * y1[0, :]
    for i in range(2, imgIn.shape[0]):
        y1[i, :] = a5 * imgOut[i, :] + a6 * imgOut[i - 1, :] + b1 * y1[i - 1, :] + b2 * y1[i - 2, :]
    y2[-1, :] = 0.0
    y2[-2, :] = a7 * imgOut[-1, :]
    for i in range(imgIn.shape[0] - 3, -1, -1):
        y2[i, :] = (
            a7 * imgOut[i + 1, :] + a8 * imgOut[i + 2, :] + b1 * y2[i + 1, :] + b2 * y2[i + 2, :]
        )
    imgOut[:] = c2 * (y1 + y2)
    return imgOut


@kernel(x=normal(8))
def haar(x):
    n = len(x)
    work = np.empty(n)
    while n > 1:
        half = n // 2
        for i in range(half):
            work[i] = (x[2 * i] + x[2 * i + 1]) / math.sqrt(2.0)
            work[half + i] = (x[2 * i] - x[2 * i + 1]) / math.sqrt(2.0)
        x[:n] = work[:n]
        n = half


@kernel(s=normal(8))
def lifting(s):
    """A wavelet by lifting: the views of even and odd samples write the signal."""
    even, odd = s[::2], s[1::2]
    odd[:-1] -= 0.5 * (even[:-1] + even[1:])
    odd[-1] -= even[-1]
    even[1:] += 0.25 * (odd[:-1] + odd[1:])
    even[0] += 0.5 * odd[0]


@kernel(a=normal(8))
def walsh_hadamard(a):
    h = 1
    while h < len(a):
        for i in range(0, len(a), h * 2):
            for j in range(i, i + h):
                x, y = a[j], a[j + h]
                a[j] = x + y
                a[j + h] = x - y
        h *= 2


@kernel(image=normal(5, 6), mask=normal(3, 3))
def blur(image, mask):
    r = len(mask) // 2
    padded = np.zeros((image.shape[0] + 2 * r, image.shape[1] + 2 * r))
    padded[r:-r, r:-r] = image
    padded[0], padded[-1] = padded[1], padded[-2]
    padded[:, 0], padded[:, -1] = padded[:, 1], padded[:, -2]
    out = np.zeros_like(image)
    for di in range(-r, r + 1):
        for dj in range(-r, r + 1):
            window = padded[r + di : r + di + image.shape[0], r + dj : r + dj + image.shape[1]]
            out += mask[di + r, dj + r] * window
    return out


@kernel(image=normal(4, 5))
def integral_image(image):
    table = np.zeros((image.shape[0] + 1, image.shape[1] + 1))
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            table[i + 1, j + 1] = image[i, j] + table[i, j + 1] + table[i + 1, j] - table[i, j]
    return table


@kernel(a=normal(8))
def blelloch_scan(a):
    n = len(a)
    d = 1
    while d < n:
        a[2 * d - 1 :: 2 * d] += a[d - 1 :: 2 * d]
        d *= 2
    a[n - 1] = 0.0
    while d > 1:
        d //= 2
        t = a[d - 1 :: 2 * d].copy()
        a[d - 1 :: 2 * d] = a[2 * d - 1 :: 2 * d]
        a[2 * d - 1 :: 2 * d] += t


@kernel(x=positive(6, low=0.1, high=3.9), width=0.8)
def soft_histogram(x, width):
    counts = np.zeros(5)
    for value in x:
        weights = np.exp(-(((value - np.arange(5)) / width) ** 2))
        counts += weights / weights.sum()
    return counts


@kernel(data=positive(12), radius=positive(12, low=0.0, high=3.0), npt=4, inert=("radius",))
def azimint(data, radius, npt):
    rmax = radius.max()
    res = np.zeros(npt, dtype=np.float64)
    for i in range(npt):
        r1 = rmax * i / npt
        r2 = rmax * (i + 1) / npt
        mask_r12 = np.logical_and((r1 <= radius), (radius < r2))
        values_r12 = data[mask_r12]
        res[i] = values_r12.mean()
    return res


@kernel(data=normal(6, 4))
def covariance(data):
    M = data.shape[1]
    mean = np.mean(data, axis=0)
    data -= mean
    cov = np.zeros((M, M), dtype=data.dtype)
    for i in range(M):
        cov[i:M, i] = cov[i, i:M] = data[:, i] @ data[:, i:M] / (data.shape[0] - 1.0)
    return cov


@kernel(data=normal(6, 4), float_n=6.0)
def correlation(data, float_n):
    M = data.shape[1]
    mean = np.mean(data, axis=0)
    stddev = np.std(data, axis=0)
    stddev[stddev <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(float_n) * stddev
    corr = np.eye(M, dtype=data.dtype)
    for i in range(M - 1):
        corr[i + 1 : M, i] = corr[i, i + 1 : M] = data[:, i] @ data[:, i + 1 : M]
    return corr


@kernel(cr=normal(3, 3, scale=0.5), ci=normal(3, 3, scale=0.5))
def mandelbrot(cr, ci):
    """Smooth counts; points that have escaped stay where they are."""
    zr = np.zeros_like(cr)
    zi = np.zeros_like(ci)
    for _ in range(4):
        inside = zr * zr + zi * zi < 4.0
        new_r = zr[inside] ** 2 - zi[inside] ** 2 + cr[inside]
        zi[inside] = 2.0 * zr[inside] * zi[inside] + ci[inside]
        zr[inside] = new_r
    return zr, zi


@kernel(image=positive(4, 5), shifts=integers(3, 4))
def shifted_rows(image, shifts):
    out = np.empty_like(image)
    for i, s in enumerate(shifts):
        out[i, s:] = image[i, : image.shape[1] - s]
        out[i, :s] = image[i, -s:] if s else 0.0
    return out


@kernel(x=normal(9), window=3)
def sliding_mean(x, window):
    out = np.empty(len(x) - window + 1)
    acc = x[:window].sum()
    out[0] = acc
    for i in range(window, len(x)):
        acc += x[i] - x[i - window]
        out[i - window + 1] = acc
    out /= window
    return out


@kernel(w=normal(3), x=normal(8), d=normal(8), mu=0.1)
def adaptive_filter(w, x, d, mu):
    errors = np.zeros(len(x))
    for n in range(len(w), len(x)):
        past = x[n - len(w) : n][::-1]
        errors[n] = d[n] - w @ past
        w += mu * errors[n] * past
    return errors


@kernel(x=normal(7))
def welford(x):
    mean, m2 = 0.0, 0.0
    out = np.zeros((len(x), 2))
    for k, value in enumerate(x):
        delta = value - mean
        mean += delta / (k + 1)
        m2 += delta * (value - mean)
        out[k, 0], out[k, 1] = mean, m2
    return out
