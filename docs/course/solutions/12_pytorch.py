"""Exercise 12: the same model in PyTorch.

``numpy_loss`` is the model: parameters in a dict, rows x, labels that are whole numbers. PyTorch's arrays are tensors;
``torch.tensor(a)`` makes one of an array, with its precision, and ``t.detach().numpy()`` goes back.
"""

import numpy as np
import torch


def numpy_loss(p, x, labels):
    h = np.tanh(x @ p["w1"] + p["b1"])
    scores = h @ p["w2"] + p["b2"]
    moved = scores - np.max(scores, -1, keepdims=True)
    total = np.log(np.sum(np.exp(moved), -1))
    return np.mean(total - moved[np.arange(len(labels)), labels])


def loss(p, x, labels):
    """Give the loss for a dict of tensors, a tensor x and a tensor of labels: one number, as a tensor.

    ``torch.nn.functional.cross_entropy(scores, labels)`` is the last three lines of ``numpy_loss``.
    """
    h = torch.tanh(x @ p["w1"] + p["b1"])
    return torch.nn.functional.cross_entropy(h @ p["w2"] + p["b2"], labels)


def gradient(p, x, labels):
    """Give a dict of NumPy arrays: the gradient of the loss in each parameter. All that comes in is NumPy.

    Tensors made with ``requires_grad=True`` are recorded, as your nodes were; ``backward()`` on the loss is the sweep,
    and leaves the adjoints in ``.grad``.
    """
    tensors = {name: torch.tensor(value, requires_grad=True) for name, value in p.items()}
    loss(tensors, torch.tensor(x), torch.tensor(labels)).backward()
    return {name: tensor.grad.numpy() for name, tensor in tensors.items()}


def train(p, x, labels, rate, steps):
    """Give a dict of NumPy arrays: the parameters after so many steps of ``torch.optim.SGD`` with momentum 0.9.

    ``.grad`` adds up from sweep to sweep, until ``optimizer.zero_grad()``.
    """
    tensors = {name: torch.tensor(value, requires_grad=True) for name, value in p.items()}
    optimizer = torch.optim.SGD(tensors.values(), lr=rate, momentum=0.9)
    for _ in range(steps):
        optimizer.zero_grad()
        loss(tensors, torch.tensor(x), torch.tensor(labels)).backward()
        optimizer.step()
    return {name: tensor.detach().numpy() for name, tensor in tensors.items()}
