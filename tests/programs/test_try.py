"""`try`, `with`: the path that was taken decides; what was done before a failure counts, and is done once."""

from __future__ import annotations

import contextlib
import io
import math
import threading
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

FOUR = np.array([0.13, -0.13, 0.64, 0.1])
NOTES: list[Any] = []
lock = threading.Lock()


@case(1.3, 2.0)
@case(1.3, 0)
def a_division(x, d):
    try:
        y = x / d
    except ZeroDivisionError:
        y = x * x
    return y * x


@case(1.3, {"a": 2.0}, "a")
@case(1.3, {"a": 2.0}, "b")
def a_key_that_is_missing(x, d, k):
    y = x * 3.0
    try:
        y = x * d[k]
    except KeyError:
        pass
    return y * x


@case(1.3, "abc")
@case(1.3, "2.5")
def text_that_is_no_number(x, text):
    try:
        v = float(text)
    except ValueError as e:
        v = 1.0
    else:
        v = v * x
    return v * x


@case(FOUR)
@case(FOUR * 0)
def numpy_raises(x):
    with np.errstate(all="raise"):
        try:
            y = np.sum(1.0 / x)
        except FloatingPointError:
            y = np.sum(x * x + x)
    return y * x[0]


def fails(x, n):
    if n > 2:
        raise ValueError("too large")
    return x * n


@case(1.3, 2)
@case(1.3, 3)
def a_helper_that_fails(x, n):
    try:
        y = fails(x, n)
        z = y * x
    except ValueError as e:
        str(e)
        z = np.sin(x)
    finally:
        NOTES.append(1)
    return z * x


@case(1.3, [1, 0, 2])
@case(1.3, [])
def continue_in_a_handler(x, ds):
    s = 0.0
    for d in ds:
        try:
            y = x / d
            s = s + y * x
        except ZeroDivisionError:
            s = s * 0.5 + x
            continue
        s = s * x
    return s


@case(1.3, [1, 0, 2])
@case(1.3, [1])
def return_in_try_with_finally(x, ds):
    for d in ds:
        try:
            return x / d if d != 1.0 else x / (d - 1.0)
        except ZeroDivisionError:
            if d == 0.0:
                break
        finally:
            x = x * 2.0
    return x * x


@case(1.3)
def several_managers(x):
    with lock, np.errstate(divide="ignore") as old:
        y = x * x
        with contextlib.nullcontext():
            if x > 1:
                return y * x
        y = y * 2.0
    return y


@case(1.3, 0)
@case(1.3, 1.0)
def suppress(x, d):
    y = x
    with contextlib.suppress(ZeroDivisionError):
        y = x / d
    return y * x


@case(FOUR, [1, 0, 2])
@case(FOUR, [0, 1, 2])
@case(FOUR, [3, 1, 2])
def writes_before_a_failure(x, d):
    a = x * 2.0
    try:
        a[0] = x[1] * (1 / d[0])
        a[1] = a[0] * x[2] * (1 / d[1])
        a[2] = a[1] * x[3] * (1 / d[2])
    except ZeroDivisionError:
        a[3] = a[0] * a[1]
    return np.sum(a * a)


@case(1.3, [1, 0, 2])
@case(1.3, [0, 1])
@case(1.3, [1, 2])
def bindings_before_a_failure(x, ds):
    y = x
    z = x
    try:
        y = y * x / ds[0]
        z = y * x / ds[1]
    except ZeroDivisionError:
        z = z * 3.0 * y
    return y * z


@case(FOUR, [1, 2, 0, 4])
@case(FOUR, [1, 2, 3, 4])
def a_loop_that_fails(x, d):
    a = np.zeros(4)
    n = 0
    try:
        for i in range(4):
            a[i] = x[i] * (1 / d[i])
            n += 1
            if n > 5:
                break
    except ZeroDivisionError:
        a[n] = 5.0 * a[0]
    return np.sum(a * a) * n


@case(1.3, ["1.5", "abc", "2.0"])
@case(1.3, [])
def sums_what_can_be_read(x, words):
    total = 0.0
    bad = []
    for w in words:
        try:
            v = float(w)
        except ValueError as e:
            bad.append(str(e))
            continue
        total = total + v * x**2
    return total * (1 + len(bad)) * x


@case(1.3, [1, 0, 2])
def appends_before_a_failure(x, ds):
    out = []
    for d in ds:
        try:
            out.append(x * x)
            out.append(x / d)
        except ZeroDivisionError:
            out.append(x * 3.0)
    s = 0.0
    for v in out:
        s = s * x + v
    return s


@case(1.3, 0)
@case(1.3, 1)
def several_handlers(x, d):
    try:
        y = x / d
        t = {"a": y}
        z = t["b"]
    except ZeroDivisionError:
        z = x
    except (KeyError, IndexError) as e:
        z = x * x * len(e.args)
    except:  # noqa: E722
        z = 0.0
    else:
        z = z * 2
    return z * x


@case(1.3, 0)
@case(1.3, 1)
def try_in_try(x, d):
    try:
        try:
            y = x / d
        except KeyError:
            y = x
        y = y * fails(x, 4)
    except ZeroDivisionError:
        y = x * x
    except ValueError:
        y = np.sin(x)
    finally:
        x = x * 2.0
    return y * x


class Own(Exception):
    pass


@case(1.3, 3)
def an_exception_of_the_user(x, n):
    y = x
    try:
        for i in range(5):
            y = y * x
            if i == n:
                raise Own("stop") from None
    except Own as e:
        y = y * 2.0
    return y


@case(1.3)
def raised_again(x):
    try:
        try:
            y = fails(x, 5)
        except ValueError:
            x = x * 2.0
            raise
    except ValueError as e:
        y = x * x
    return y


@case(1.3, [1, 2, 0, 4, 5, 0, 2])
def tries_again(x, ds):
    k = 0
    while True:
        try:
            y = x * x * (1 / ds[k])
            z = np.sin(y) * y
            if z > 100:
                raise ValueError
            k += 1
            x = x + 0.1 * z
        except ZeroDivisionError:
            k += 1
            x = x * 0.9
            continue
        except IndexError:
            break
    return x * z


@case(1.3, [[1, 2], [1, 0, 2], [2, 3]])
def a_loop_that_fails_in_a_loop(x, rows):
    s = x
    for row in rows:
        t = s
        try:
            u = 1.0
            for d in row:
                u = u * np.sin(t * x) * (1 / d)
                if u > 0.5:
                    u = u * u
                t = u * t
            s = s + u * t
        except ZeroDivisionError:
            s = s * x
    return s


@case(FOUR, 0)
@case(FOUR, 2)
def views_before_a_failure(x, d):
    y = x.copy()
    r = y[1:3]
    try:
        r += x[0]
        r *= 1 / d
        y[0] = 5.0
    except ZeroDivisionError:
        r *= r
    return np.sum(y * y)


@case(FOUR, 0)
@case(FOUR, 2)
def another_name_before_a_failure(x, d):
    y = x
    try:
        y += 1.0
        z = 1 / d
        y *= 2.0
    except ZeroDivisionError:
        pass
    return np.sum(x * x)


@case(1.3, 6)
def pops_until_it_is_empty(x, n):
    xs = [x * k for k in range(n)]
    s = x
    while True:
        try:
            v = xs.pop()
            s = s * v + v
            if len(xs) == 2:
                xs.pop()
        except IndexError:
            break
    return s


@case(1.3, 0)
@case(1.3, 2)
def a_dict_before_a_failure(x, d):
    t = {"a": x, "b": x * x}
    try:
        t["a"] = t["a"] * t["b"]
        t["b"] = t["a"] * (1 / d)
    except ZeroDivisionError:
        t["b"] = t["a"] * 3.0
    return t["a"] * t["b"]


@case(1.3, 0)
@case(1.3, 2)
def names_that_change_places(x, d):
    u, v = x, x * x
    try:
        u, v = v, u * (1 / d)
        v = v * u
    except ZeroDivisionError:
        u = u * u
    return u * v


def returns_from_try(x, d):
    try:
        return x * x * (1 / d)
    except ZeroDivisionError:
        return np.sin(x)
    finally:
        x = 0.0


@case(1.3, [0, 1, 2])
def calls_what_catches(x, ds):
    s = x
    for d in ds:
        s = s * returns_from_try(s, d)
    return s


@case(0.7, 3)
def recursion_ends_by_an_error(x, n):
    try:
        y = x * (1 / n)
        return y * recursion_ends_by_an_error(x * x, n - 1)
    except ZeroDivisionError:
        return x


@case(1.3, [3, 0, 1])
def with_and_try_in_a_loop(x, ds):
    for d in ds:
        with contextlib.nullcontext():
            try:
                with np.errstate(all="ignore"):
                    x = x * (1 / d)
                    if d == 1:
                        return x * x
            except ZeroDivisionError:
                x = x + 1.0
                continue
            finally:
                x = x * 1.1
        x = np.sin(x)
    return x


@case(FOUR)
def a_comprehension_before_a_failure(x):
    try:
        ys = [1.0 * v * v for v in x]
        z = ys[2] * ys[9]
    except IndexError:
        z = ys[1] * ys[2]
    return z


@case(1.3, "a=1.5;b=x;c=2")
def text_of_settings(x, text):
    s = 0.0
    for part in text.split(";"):
        try:
            key, value = part.split("=")
            w = float(value)
        except ValueError:
            w = 0.5
        else:
            if key == "c":
                w = w * 2
        s = s + w * x**2
    return s


@case(FOUR, 3)
@case(FOUR, 1)
def break_through_finally(x, n):
    s = 0.0
    for i in range(4):
        try:
            if i == n:
                break
            s = s + x[i] ** 2
        except IndexError:
            return s
        else:
            s = s * 1.5
        finally:
            s = s + x[0]
    else:
        s = s * 2
    return s


@case(FOUR)
def out_of_range(x):
    s = 0.0
    i = 0
    try:
        while True:
            s = s + x[i] * i
            i += 1
    except IndexError:
        pass
    return s * s


@case(FOUR)
def a_singular_matrix(x):
    a = np.outer(x, x)
    try:
        y = np.linalg.solve(a * 0.0, x)
    except np.linalg.LinAlgError:
        y = a @ x
    return np.sum(y)


@case(np.float64(1.3))
def names_like_generated_ones(x):
    completed = x * 2
    failed = 3.0
    error = x
    try:
        completed = completed * x
        error = math.sqrt(-1.0)
    except ValueError:
        failed = failed * completed
    return completed * failed * error


@case(FOUR, 2.0)
@case(FOUR, 800.0)
@case(FOUR, 1e-300)
def sums_until_it_overflows(x, w):
    s = x[0]
    n = 0
    try:
        with np.errstate(all="raise"), lock:
            for v in x:
                s = s + v * v
                n += 1
                s = s * np.exp(np.float64(w))
    except FloatingPointError as e:
        s = s * n * len(str(e))
    return s


@case(1.3, [1, 0])
def output_of_a_failing_body(x, ds):
    log = []
    for d in ds:
        with contextlib.nullcontext():
            try:
                with contextlib.redirect_stdout(io.StringIO()) as f:
                    print("x")
                    x = x * 2.0
                    x = x * (1 / d)
            except ZeroDivisionError as e:
                log.append(str(e))
                x = x * len(log)
    return x * x


@case(1.3)
def a_lock_of_its_own(x):
    own = threading.Lock()
    with own:
        y = x * x
    return y


@case(1.3, 3)
@case(1.3, 5)
def every_exit_through_finally(x, n):
    for i in range(n):
        for j in range(n):
            try:
                if j == 2:
                    break
                if i == 1:
                    continue
                if i == 3:
                    return x
                x = x * 1.1
            finally:
                x = x + 0.1
    return x * x


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


class Manager:
    def __enter__(self):
        NOTES.append("enter")
        return self

    def __exit__(self, *error):
        NOTES.append("leave")


def managed(x):
    with Manager():
        NOTES.append("inside")
        y = x * x
    return y


@contextlib.contextmanager
def generated():
    NOTES.append("enter")
    try:
        yield 2.0
    finally:
        NOTES.append("leave")


def managed_by_a_generator(x):
    with generated() as factor:
        NOTES.append("inside")
        y = x * x
    return y


@pytest.mark.parametrize("function", [managed, managed_by_a_generator])
def test_a_manager_is_entered_once(function: Any) -> None:
    NOTES.clear()
    assert tl.grad(function)(3.0) == 6.0
    assert NOTES == ["enter", "inside", "leave"]
    NOTES.clear()
    assert tl.jvp(function)(3.0, tangent=1.0) == (9.0, 6.0)
    assert NOTES == ["enter", "inside", "leave"]
    NOTES.clear()
    assert tl.grad(tl.grad(function))(3.0) == 2.0
    assert NOTES == ["enter", "inside", "leave"]


def lets_it_pass(x, d):
    with Manager():
        try:
            y = x / d
        finally:
            NOTES.append("finally")
    return y


def test_what_is_not_caught_passes_unchanged() -> None:
    NOTES.clear()
    with pytest.raises(ZeroDivisionError, match="^(float )?division by zero$"):
        tl.grad(lets_it_pass)(1.0, 0)
    assert NOTES == ["enter", "finally", "leave"]
    assert tl.grad(lets_it_pass)(1.0, 2) == 0.5


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


def swallowed(x):
    with Swallows():
        return x * x
    return x


def keeps_the_exception(x):
    try:
        raise ValueError(x * x)
    except ValueError as error:
        y = error
    return y.args[0] * x


def writes(a, x):
    a[0] = x
    a[1] = fails(x, 4)


@case(0.7)
@case(5.0)
def helper_that_writes(x):
    a = np.zeros(2)
    try:
        writes(a, x)
    except ValueError:
        pass
    return np.sum(a)


class Scaled:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x

    def __exit__(self, *error):
        return None


@case(0.7)
def handed_over(x):
    with Scaled(x) as y:
        z = y * y
    return z


def underflows(x):
    try:
        with np.errstate(all="raise"):
            y = np.exp(x * 1e-200)
    except FloatingPointError:
        y = 7.0
    return y


def test_a_tangent_does_not_take_the_path_of_an_error() -> None:
    value, tangent = tl.jvp(underflows)(np.float64(1.0), tangent=np.float64(1e-200))
    assert (value, tangent) == (1.0, 0.0)


def test_refused(refused: Any) -> None:
    refused(swallowed, "with Swallows():", "may swallow")
    refused(keeps_the_exception, "except ValueError as error:", "exception")
