"""Layers, cells and optimizers that fill arrays made beforehand."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import integers, kernel, normal, positive, record, series


@kernel(input=normal(2, 5, 5, 2), weights=normal(3, 3, 2, 3))
def conv2d(input, weights):
    K = weights.shape[0]
    N, H, W = input.shape[0], input.shape[1] - K + 1, input.shape[2] - K + 1
    output = np.empty((N, H, W, weights.shape[3]))
    for i in range(H):
        for j in range(W):
            output[:, i, j, :] = np.sum(
                input[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


@kernel(x=normal(4, 5), k=normal(3, 3))
def conv2d_loops(x, k):
    out = np.zeros((x.shape[0] - k.shape[0] + 1, x.shape[1] - k.shape[1] + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for a in range(k.shape[0]):
                for b in range(k.shape[1]):
                    out[i, j] += x[i + a, j + b] * k[a, b]
    return out


@kernel(x=normal(2, 4, 4, 2))
def maxpool2d(x):
    output = np.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]), dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return output


@kernel(x=normal(3, 5))
def softmax_buffered(x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    tmp_sum = np.sum(tmp_out, axis=-1, keepdims=True)
    np.divide(tmp_out, tmp_sum, out=tmp_out)
    return tmp_out


@kernel(x=normal(3, 5))
def softmax_in_place(x):
    x -= np.max(x, axis=1, keepdims=True)
    np.exp(x, out=x)
    x /= np.sum(x, axis=1, keepdims=True)


def relu(x):
    return np.maximum(x, 0)


@kernel(
    input=normal(1, 8, 8, 1),
    conv1=normal(3, 3, 1, 2),
    bias1=normal(2),
    fc1=normal(18, 4),
    fc1bias=normal(4),
    fc2=normal(4, 3),
    fc2bias=normal(3),
)
def small_lenet(input, conv1, bias1, fc1, fc1bias, fc2, fc2bias):
    x = relu(conv2d(input, conv1) + bias1)
    x = maxpool2d(x)
    x = np.reshape(x, (x.shape[0], fc1.shape[0]))
    x = relu(x @ fc1 + fc1bias)
    return x @ fc2 + fc2bias


def normalize(x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + eps)


@kernel(x=normal(2, 4, 4, 2), w1=normal(1, 1, 2, 2), w2=normal(3, 3, 2, 2), w3=normal(1, 1, 2, 2))
def resnet_block(x, w1, w2, w3):
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, w1.shape[3]))
    padded[:, 1:-1, 1:-1, :] = conv2d(x, w1)
    y = np.tanh(normalize(padded + np.arange(2).reshape(2, 1, 1, 1)))
    y = relu(normalize(conv2d(y, w2)))
    y = normalize(conv2d(y, w3))
    return relu(y + x)


@kernel(x=normal(4, 2, 3), Wx=normal(3, 16, scale=0.5), Wh=normal(4, 16, scale=0.5), b=normal(16))
def lstm(x, Wx, Wh, b):
    T, N, D = x.shape
    H = Wh.shape[0]
    h = np.zeros((T + 1, N, H))
    c = np.zeros((T + 1, N, H))
    for t in range(T):
        z = x[t] @ Wx + h[t] @ Wh + b
        i = 1.0 / (1.0 + np.exp(-z[:, :H]))
        f = 1.0 / (1.0 + np.exp(-z[:, H : 2 * H]))
        o = 1.0 / (1.0 + np.exp(-z[:, 2 * H : 3 * H]))
        c[t + 1] = f * c[t] + i * np.tanh(z[:, 3 * H :])
        h[t + 1] = o * np.tanh(c[t + 1])
    return h[1:], c[-1]


@kernel(
    x=normal(4, 3), state=normal(4), parameters=record(W=normal(3, 4), U=normal(4, 4), b=normal(4))
)
def rnn_with_state(x, state, parameters):
    outputs = np.empty((len(x), len(state)))
    for t in range(len(x)):
        state[:] = np.tanh(x[t] @ parameters["W"] + state @ parameters["U"] + parameters["b"])
        outputs[t] = state
    return outputs


@kernel(
    x=normal(6, 3),
    gamma=positive(3),
    beta=normal(3),
    running=record(mean=normal(3), var=positive(3)),
)
def batchnorm(x, gamma, beta, running):
    mean = x.mean(axis=0)
    var = x.var(axis=0)
    running["mean"] *= 0.9
    running["mean"] += 0.1 * mean
    running["var"] = 0.9 * running["var"] + 0.1 * var
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta


@kernel(q=normal(4, 3), k=normal(4, 3), v=normal(4, 2))
def causal_attention(q, k, v):
    scores = q @ k.T
    scores /= np.sqrt(q.shape[-1])
    mask = np.triu(np.ones((len(q), len(k)), dtype=bool), 1)
    scores[mask] = -1e9
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v


@kernel(x=normal(5, 4), scale=positive(4), shift=normal(4))
def layernorm_out(x, scale, shift):
    mean = np.empty((x.shape[0], 1))
    np.mean(x, axis=1, keepdims=True, out=mean)
    centered = np.subtract(x, mean)
    variance = np.multiply(centered, centered).sum(axis=1, keepdims=True)
    variance /= x.shape[1]
    np.add(variance, 1e-5, out=variance)
    np.sqrt(variance, out=variance)
    np.divide(centered, variance, out=centered)
    centered *= scale
    centered += shift
    return centered


@kernel(x=normal(6, 3), y=normal(6), w=normal(3), rate=0.1)
def gradient_descent(x, y, w, rate):
    for epoch in range(3):
        for i in range(len(x)):
            error = x[i] @ w - y[i]
            w -= rate * error * x[i]


def loss_gradient(w):
    return 4.0 * w**3 - w


@kernel(w=positive(5, low=0.6, high=1.5), rate=0.05)
def adam(w, rate):
    m = np.zeros_like(w)
    v = np.zeros_like(w)
    for t in range(1, 4):
        g = loss_gradient(w)
        m *= 0.9
        m += 0.1 * g
        v[...] = 0.99 * v + 0.01 * g**2
        w -= rate * (m / (1.0 - 0.9**t)) / (np.sqrt(v / (1.0 - 0.99**t)) + 1e-8)
    return m, v


@kernel(params=series(3, normal(3)), velocity=series(3, normal(3)), rate=0.1)
def momentum_over_list(params, velocity, rate):
    for step in range(2):
        for p, v in zip(params, velocity):
            v *= 0.9
            v -= rate * loss_gradient(p)
            p += v


@kernel(weights=series(3, normal(4, 4)), x=normal(4))
def activations_in_list(weights, x):
    activations = [None] * (len(weights) + 1)
    activations[0] = x
    for k, w in enumerate(weights):
        activations[k + 1] = np.tanh(w @ activations[k])
    return activations[-1] + activations[1]


@kernel(table=normal(6, 3), tokens=integers(6, 5), position=normal(5, 3))
def embedding(table, tokens, position):
    x = np.empty((len(tokens), table.shape[1]))
    for t, token in enumerate(tokens):
        x[t] = table[token]
    x += position
    norms = np.sqrt((x**2).sum(axis=1))
    x /= norms[:, None]
    return x


@kernel(x=normal(6, 2), centers=normal(3, 2))
def soft_kmeans(x, centers):
    k = len(centers)
    for _ in range(2):
        resp = np.zeros((len(x), k))
        for j in range(k):
            resp[:, j] = np.exp(-np.sum((x - centers[j]) ** 2, axis=1))
        resp /= resp.sum(axis=1)[:, None]
        for j in range(k):
            centers[j] = (resp[:, j] @ x) / np.sum(resp[:, j])


@kernel(x=normal(3, 4), W=normal(4, 4), gate=positive(4))
def highway_layers(x, W, gate):
    h = x
    for depth in range(3):
        h = h.copy()
        update = np.tanh(h @ W)
        update *= gate
        h *= 1.0 - gate
        h += update
    return h


@kernel(x=normal(3, 4), keep=np.array([True, False, True, True]), rate=0.25)
def dropout(x, keep, rate):
    x[:, ~keep] = 0.0
    x[:, keep] /= 1.0 - rate
    return np.tanh(x)


@kernel(logits=normal(4, 3), labels=integers(3, 4))
def cross_entropy(logits, labels):
    rows = np.arange(len(labels))
    logits -= logits.max(axis=1, keepdims=True)
    log_sum = np.log(np.exp(logits).sum(axis=1))
    losses = np.zeros(len(labels))
    losses[:] = log_sum
    losses[rows] -= logits[rows, labels]
    probabilities = np.exp(logits - log_sum[:, None])
    probabilities[rows, labels] -= 1.0
    return losses, probabilities
