"""Models, layers, losses: each differentiated as the object it is, against differences."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.arguments import likeness
from tangentlite.learn import cells, images, initializers, layers, losses
from tangentlite.learn.checking import check_model
from tangentlite.learn.layers import Chain, Linear
from tangentlite.learn.models import Classifier, Model
from tangentlite.learn.optimizers import Adam, GradientDescent, Optimizer

G = np.random.default_rng(5)
X, Y = G.normal(size=(6, 4)), G.normal(size=(6, 3))
LABELS = np.array([0, 2, 1, 1, 0, 2])
PICTURES = G.normal(size=(3, 8, 8, 1))


class Net(Model):
    """Any layers, one after the other."""

    def __init__(self, *parts: Any) -> None:
        self.body = Chain(*parts)

    def forward(self, x: Any) -> Any:
        return self.body(x)


def linear(a: int, b: int) -> Any:
    return Linear(a, b, np.random.default_rng(a * b))


def rng() -> Any:
    return np.random.default_rng(9)


NETS = {
    "linear": lambda: Net(linear(4, 3)),
    "relu": lambda: Net(linear(4, 8), layers.ReLU(), linear(8, 3)),
    "leaky": lambda: Net(linear(4, 8), layers.LeakyReLU(0.1), linear(8, 3)),
    "tanh": lambda: Net(linear(4, 8), layers.Tanh(), linear(8, 3)),
    "function": lambda: Net(linear(4, 8), np.tanh, linear(8, 3)),
    "logistic": lambda: Net(linear(4, 8), layers.Logistic(), linear(8, 3)),
    "softmax": lambda: Net(linear(4, 3), layers.Softmax()),
    "dropout": lambda: Net(linear(4, 8), layers.Dropout(0.3, rng()), linear(8, 3)),
    "norm": lambda: Net(linear(4, 8), layers.BatchNorm(8), layers.Tanh(), linear(8, 3)),
    "residual": lambda: Net(
        linear(4, 8), layers.Residual(linear(8, 8), layers.Tanh()), linear(8, 3)
    ),
    "chains": lambda: Net(Chain(linear(4, 8), layers.BatchNorm(8)), Chain(np.tanh, linear(8, 3))),
}


@pytest.mark.parametrize("name", NETS)
def test_layers_have_right_gradients(name: str) -> None:
    model = NETS[name]()
    found = check_model(model, X, Y)
    assert list(found) == list(model.get_param())
    assert all(apart.relative < 1e-5 or apart.absolute < 1e-8 for apart in found.values())
    assert check_model(model.eval(), X, Y)


class LeNet(Classifier):
    def __init__(self) -> None:
        self.first = layers.Conv2D(1, 3, 3, rng(), padding=1)
        self.pool, self.mean = layers.MaxPool2D(), layers.AveragePool2D()
        self.second = layers.Conv2D(3, 4, 2, rng(), stride=2)
        self.last = linear(4, 3)

    def forward(self, x: Any) -> Any:
        x = self.pool(np.tanh(self.first(x)))
        x = self.mean(np.tanh(self.second(x)))
        return self.last(layers.Flatten()(x))


class Words(Classifier):
    """Reads words one by one."""

    def __init__(self, cell: Any) -> None:
        self.table, self.cell = layers.Embedding(7, 4, rng()), cell
        self.last = linear(5, 3)

    def forward(self, words: Any) -> Any:
        h = np.zeros((len(words), 5))
        for k in range(words.shape[1]):
            h = self.cell(self.table(words[:, k]), h)
        return self.last(h)


class Long(Words):
    def forward(self, words: Any) -> Any:
        state = np.zeros((len(words), 5)), np.zeros((len(words), 5))
        for k in range(words.shape[1]):
            state = self.cell(self.table(words[:, k]), state)
        return self.last(state[0])


WORDS = G.integers(0, 7, (6, 4))
LARGER = {
    "lenet": (LeNet, PICTURES, LABELS[:3]),
    "rnn": (lambda: Words(cells.RNNCell(4, 5, rng())), WORDS, LABELS),
    "lstm": (lambda: Long(cells.LSTMCell(4, 5, rng())), WORDS, LABELS),
}


@pytest.mark.parametrize("name", LARGER)
def test_networks_have_right_gradients(name: str) -> None:
    make, x, y = LARGER[name]
    model = make()
    found = check_model(model, x, y, limit=10)
    assert sorted(found) == sorted(model.get_param())
    assert all(apart.relative < 1e-4 or apart.absolute < 1e-8 for apart in found.values())


def test_a_wrong_gradient_is_found_and_named() -> None:
    class Wrong(Model):
        def __init__(self) -> None:
            self.w = np.ones(4)

        def forward(self, x: Any) -> Any:
            return np.tanh(tl.stop_gradient(x @ self.w)) + x @ self.w

    with pytest.raises(tl.GradientMismatchError):
        check_model(Wrong(), X, Y[:, 0])


def test_names_of_parameters_reach_inside() -> None:
    model = NETS["norm"]()
    names = ["body.layers.0.w", "body.layers.0.b", "body.layers.1.scale", "body.layers.1.shift"]
    assert list(model.get_param())[:4] == names
    model.set_param("body.layers.0.b", np.ones(8))
    assert model.body.layers[0].b.tolist() == [1.0] * 8
    assert model.get_param("body.layers.0.b") is model.body.layers[0].b
    with pytest.raises(KeyError, match="no parameter 'c'"):
        model.set_param({"c": 1.0})
    gradients, loss = model.get_grad(X, Y)
    assert list(gradients) == list(model.get_param())
    assert type(loss) is float


def test_the_optimizer_trains_what_it_is_attached_to(capsys: Any) -> None:
    model, history = NETS["tanh"](), [9.0]
    optimizer = GradientDescent(0.1).attach(model, X, Y)
    losses = optimizer.train(20, print_each=10, err_hist=history)
    assert losses is history
    assert history[0] == 9.0
    assert history[-1] < history[1]
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == ["step 0", "step 10"]


def test_batch_norm_keeps_running_statistics() -> None:
    norm = layers.BatchNorm(4, keep=0.75)
    model = Net(norm)
    before = norm.mean.copy(), norm.variance.copy()
    model.get_grad(X, X)
    np.testing.assert_allclose(norm.mean, 0.75 * before[0] + 0.25 * X.mean(0))
    np.testing.assert_allclose(norm.variance, 0.75 * before[1] + 0.25 * X.var(0))
    kept = norm.mean
    model.eval().get_grad(X, X)
    assert norm.mean is kept
    expected = (X - norm.mean) / np.sqrt(norm.variance + norm.tiny)
    np.testing.assert_allclose(model(X), expected)
    assert sorted(model.get_param()) == ["body.layers.0.scale", "body.layers.0.shift"]


def test_dropout_is_for_training_and_draws_anew() -> None:
    model = Net(layers.Dropout(0.5, rng()))
    first, second = model(np.ones((40, 50))), model(np.ones((40, 50)))
    assert not np.array_equal(first, second)
    assert set(np.unique(first)) == {0.0, 2.0}
    assert first.mean() == pytest.approx(1.0, abs=0.1)
    assert np.array_equal(model.eval()(X), X)


def test_models_that_draw_numbers_are_told_apart_without_looking_into_them_again() -> None:
    model = Net(linear(4, 8), layers.Dropout(0.3, rng()), layers.BatchNorm(8), linear(8, 3))
    assert likeness((model, X)) == likeness((model, 2.0 * X)) is not None
    assert likeness((model, X)) != likeness((Net(linear(4, 8)), X))
    assert likeness((random.Random(0),)) == ("alike", random.Random)


def test_training_with_dropout_goes_on_from_a_file(tmp_path: Any) -> None:
    def net() -> Any:
        return Net(linear(4, 8), layers.BatchNorm(8), layers.Dropout(0.3, rng()), linear(8, 3))

    options: dict[str, Any] = {"batch": 3, "seed": 4}
    whole = net().fit(X, Y, Adam(0.01), epochs=4, **options)
    path = tmp_path / "state.npz"
    net().fit(X, Y, Adam(0.01), epochs=2, path=path, **options)
    found = net().fit(X, Y, Adam(0.01), epochs=4, path=path, **options)
    assert found.history.losses == whole.history.losses
    for name, value in whole.get_param().items():
        assert np.array_equal(found.get_param(name), value)
    assert np.array_equal(found.body.layers[1].mean, whole.body.layers[1].mean)


def test_a_classifier_learns_and_judges() -> None:
    class Corners(Classifier):
        def __init__(self) -> None:
            self.hidden, self.last = Linear(2, 16, rng()), Linear(16, 2, rng())

        def forward(self, x: Any) -> Any:
            return self.last(np.tanh(self.hidden(x)))

    x = G.uniform(-1, 1, (200, 2))
    y = (x[:, 0] * x[:, 1] > 0).astype(int)
    model = Corners().fit(x, y, Adam(0.02), epochs=80, batch=32, validation=(x, y))
    assert model.score(x, y) > 0.95
    assert model.history.validation[-1] < model.history.validation[0]
    assert model.predict(x).shape == (200,)


def test_losses_and_their_limits() -> None:
    scores = np.array([[800.0, 0.0, -800.0], [0.0, 1.0, 2.0]])
    df = tl.grad(losses.cross_entropy)(scores, np.array([2, 2]))
    np.testing.assert_allclose(df[0], [0.5, 0.0, -0.5])
    assert losses.cross_entropy(scores, np.array([2, 2])) == pytest.approx(
        (1600 + math.log(1 + math.e**-1 + math.e**-2)) / 2
    )
    assert losses.binary(np.array([-900.0, 900.0]), np.array([1.0, 1.0])) == 450.0
    assert tl.grad(losses.binary)(np.array([-900.0, 900.0]), np.array([1.0, 0.0])).tolist() == [
        -0.5,
        0.5,
    ]
    assert losses.hinge(np.array([2.0, 0.5]), np.array([1.0, -1.0])) == 0.75
    assert losses.huber(np.array([0.5, 3.0]), np.zeros(2)) == (0.125 + 2.5) / 2
    np.testing.assert_allclose(np.exp(losses.log_softmax(scores)).sum(-1), 1.0)


def test_shapes_that_would_be_broadcast_to_more_are_refused() -> None:
    column, row = np.ones((3, 1)), np.ones(3)
    for loss in (losses.squared, losses.huber, losses.hinge, losses.binary):
        with pytest.raises(ValueError, match="reshape one of them"):
            loss(column, row)
        with pytest.raises(ValueError, match="reshape one of them"):
            tl.grad(loss)(row, column)
        assert np.isfinite(loss(column, 1.0))
        assert np.isfinite(loss(np.ones((4, 3)), row))
    for labels in (LABELS[:, None], LABELS[:2], 1):
        with pytest.raises(ValueError, match="reshape one of them"):
            losses.cross_entropy(Y, labels)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e4, 1e30])
def test_losses_of_extreme_scores_are_finite(kind: Any, size: float) -> None:
    scores = np.array([[size, 0, -size], [-size, size, 0], [0, 0, 0], [size, size, 1]], kind)
    labels = np.array([0, 0, 2, 1])
    df = tl.grad(losses.cross_entropy)
    expected = [[0, 0, 0], [-1, 1, 0], [1 / 3, 1 / 3, -2 / 3], [0.5, -0.5, 0]]
    np.testing.assert_allclose(4 * df(scores, labels), expected, atol=1e-6)
    assert df(scores, labels).dtype == kind
    ones = np.ones((4, 3), kind) * np.array([1, -1, 0.5], kind)
    assert np.isfinite(tl.hvp(losses.cross_entropy)(scores, ones, labels)).all()
    for loss in (losses.binary, losses.hinge, losses.huber):
        slope = tl.grad(loss)(scores[0], np.zeros(3))
        assert slope.dtype == kind
        assert np.isfinite(slope).all()


@pytest.mark.parametrize(
    "loss, x, y",
    [
        (losses.squared, Y[:, 0], Y[:, 1]),
        (losses.cross_entropy, Y, LABELS),
        (losses.binary, Y[:, 0], LABELS % 2),
        (losses.hinge, Y[:, 0], 2 * (LABELS % 2) - 1),
        (losses.huber, Y[:, 0], Y[:, 1]),
    ],
)
def test_losses_have_right_derivatives(loss: Any, x: Any, y: Any) -> None:
    assert tl.check_grads(loss, (x, y), wrt=next(iter(loss.__code__.co_varnames)))


@pytest.mark.parametrize("name", ["xavier", "xavier_uniform", "he", "he_uniform", "lecun"])
def test_initializers_have_their_variance(name: str) -> None:
    drawn = getattr(initializers, name)((5, 5, 12, 30), rng())
    inputs, outputs = initializers.fans((5, 5, 12, 30))
    variance = {"x": 2 / (inputs + outputs), "h": 2 / inputs, "l": 1 / inputs}[name[0]]
    assert drawn.var() == pytest.approx(variance, rel=0.05)
    assert initializers.fans((3,)) == (3, 3)


def test_orthogonal_weights_are() -> None:
    for shape in [(6, 4), (4, 6), (5, 5)]:
        w = initializers.orthogonal(shape, rng())
        small = w.T @ w if shape[0] >= shape[1] else w @ w.T
        np.testing.assert_allclose(small, np.eye(min(shape)), atol=1e-12)


def test_single_precision_stays_single() -> None:
    model = LeNet()
    for name, value in model.get_param().items():
        model.set_param(name, value.astype(np.float32))
    gradients, _ = model.get_grad(PICTURES.astype(np.float32), LABELS[:3])
    assert {g.dtype for g in gradients.values()} == {np.dtype(np.float32)}
    norm = Net(linear(4, 3), layers.BatchNorm(3))
    norm.set_param({n: v.astype(np.float32) for n, v in norm.get_param().items()})
    norm.fit(X.astype(np.float32), Y.astype(np.float32), Adam(0.01), epochs=2)
    assert norm.predict(X.astype(np.float32)).dtype == np.float32
    model.fit(PICTURES.astype(np.float32), LABELS[:3], Adam(0.01), epochs=2)
    assert {v.dtype for v in model.get_param().values()} == {np.dtype(np.float32)}
    assert images.conv2d(PICTURES, np.ones((2, 2, 1, 1))).shape == (3, 7, 7, 1)


def test_what_is_not_written_yet_is_named() -> None:
    with pytest.raises(TypeError, match=r"Model is no model yet: write its method forward"):
        Model()(np.ones(2))
    with pytest.raises(TypeError, match=r"Optimizer makes no step: take Adam"):
        Optimizer().change("w", 1.0, 1.0, 0.1)


def in_single_precision(model: Any) -> Any:
    model.set_param({name: w.astype(np.float32) for name, w in model.get_param().items()})
    return model


@pytest.mark.parametrize("name", NETS)
def test_layers_keep_single_precision(name: str) -> None:
    model, x = in_single_precision(NETS[name]()), X.astype(np.float32)
    assert model(x).dtype == np.float32
    slopes, _ = model.get_grad(x, Y.astype(np.float32))
    assert {slope.dtype for slope in slopes.values()} == {np.dtype(np.float32)}
    assert model.loss(x, Y.astype(np.float32)).dtype == np.float32
    assert model.eval()(x).dtype == np.float32


def test_convolutions_keep_single_precision() -> None:
    model, x = in_single_precision(LeNet()), PICTURES.astype(np.float32)
    slopes, _ = model.get_grad(x, LABELS[:3])
    assert {slope.dtype for slope in slopes.values()} == {np.dtype(np.float32)}
    assert model.loss(x, LABELS[:3]).dtype == np.float32
    model.fit(x, LABELS[:3], Adam(), epochs=2)
    assert {w.dtype for w in model.get_param().values()} == {np.dtype(np.float32)}


class Wide(Classifier):
    def __init__(self, width: int = 8, seed: int = 0) -> None:
        self.width, self.seed = width, seed
        self.hidden = Linear(2, width, np.random.default_rng(seed))
        self.last = Linear(width, 2, np.random.default_rng(seed + 1))

    def forward(self, x: Any) -> Any:
        return self.last(np.tanh(self.hidden(x)))


class Reading(Model):
    def __init__(self, width: int = 8) -> None:
        self.width = width
        self.hidden, self.last = Linear(2, width, rng()), Linear(width, 1, rng())

    def forward(self, x: Any) -> Any:
        return self.last(np.tanh(self.hidden(x)))[:, 0]


def quarters() -> tuple[Any, Any]:
    x = np.random.default_rng(0).uniform(-1.0, 1.0, (200, 2))
    return x, (x[:, 0] * x[:, 1] > 0.0).astype(int)


def test_settings_are_had_and_set() -> None:
    model = Wide(4)
    assert model.get_params() == {"width": 4, "seed": 0}
    before = model.hidden.w
    assert model.set_params() is model
    assert model.hidden.w is before, "nothing is set, nothing is lost"
    assert model.set_params(width=5).hidden.w.shape == (2, 5)
    with pytest.raises(ValueError, match="no setting 'height'; there are width, seed"):
        model.set_params(height=3)
    with pytest.raises(AttributeError, match=r"write self\.parts = parts"):
        Forgetful([]).get_params()


class Forgetful(Model):
    def __init__(self, parts: Any) -> None:
        self.body = parts


def test_scikit_learn_copies_judges_and_searches() -> None:
    base, selection = (
        pytest.importorskip("sklearn.base"),
        pytest.importorskip("sklearn.model_selection"),
    )
    x, y = quarters()
    options = {"optimizer": Adam(0.03), "epochs": 60, "batch": 32}
    copied = base.clone(Wide(5).fit(x, y, epochs=1))
    assert (copied.width, copied.history) == (5, None)
    assert np.array_equal(copied.hidden.w, Wide(5).hidden.w)
    scores = selection.cross_val_score(Wide(), x, y, cv=3, params=options)
    assert scores.min() > 0.8
    assert np.array_equal(scores, selection.cross_val_score(Wide(), x, y, cv=3, params=options))
    search = selection.GridSearchCV(Wide(), {"width": [1, 16]}, cv=3).fit(x, y, **options)
    assert search.best_params_ == {"width": 16}
    assert search.score(x, y) > 0.9
    assert base.is_classifier(Wide()) and base.is_regressor(Reading())


def test_scores_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    model = Net(linear(4, 3))
    for y in (Y, Y * 0.0 + 1.0, np.where(np.arange(3) == 1, 2.0, Y)):
        assert model.score(X, y) == pytest.approx(metrics.r2_score(y, model.predict(X)))
    assert model.score(X, model.predict(X)) == 1.0
    with pytest.raises(ValueError, match=r"\(6, 3\), what is wanted has \(6,\)"):
        model.score(X, Y[:, 0])


def test_an_optimizer_may_be_given_to_several_models() -> None:
    x, y = quarters()
    optimizer = Adam(0.02)
    first, second = (Wide().fit(x, y, optimizer, epochs=3) for _ in range(2))
    assert first.history.losses == second.history.losses
    assert optimizer.count == 0


@pytest.mark.parametrize(
    "labels, error, match",
    [
        ([0, 2], ValueError, "the classes are 0 to 1, and a label is 2"),
        ([0, -1], ValueError, "a label is -1"),
        ([True, False], TypeError, "these are of type bool"),
        (["a", "b"], TypeError, "these are of type <U1"),
        ([0.0, 1.0], TypeError, "these are of type float64"),
    ],
)
def test_labels_that_are_no_classes_are_refused(labels: Any, error: Any, match: str) -> None:
    with pytest.raises(error, match=match):
        Wide().fit(np.ones((2, 2)), np.array(labels), epochs=1)
    if np.array(labels).dtype.kind == "i":
        with pytest.raises(error, match=match):
            tl.grad(losses.cross_entropy)(np.ones((2, 2)), np.array(labels))
