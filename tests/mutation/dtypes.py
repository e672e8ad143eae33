"""Storage of every type: integers end the derivative, float32 rounds, memory order, no axes, no elements."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


@case(vector(), flat=True)
def integer_storage_is_inert(x):
    k = np.zeros(4, dtype=int)
    k[0] = x[0] * 10.0
    k[1:] = np.array(x[1:] * 7.0, dtype=int)
    return np.sum(k * 1.0)


@case(vector())
def integer_storage_beside_floats(x):
    k = np.array([1, 2, 3, 4])
    k[1] = x[2] * 3.0
    k[2:] += 1
    a = x * k
    a[k[0]] = x[1] * k[1]
    return np.sum(a * a)


@case(vector(), np.array([1, 2, 3, 4]))
def like_an_integer_array(x, k):
    y = np.zeros_like(k)
    y[0] = x[0] * 5.0
    z = np.zeros_like(k, dtype=float)
    z[0] = x[0] * 5.0
    return np.sum(y * x * z) + np.sum(k * x * x)


@case(vector())
def full_of_an_integer(x):
    a = np.full(4, 2)
    a[1] = 3.7 * x[2]
    b = np.full(4, 2.0)
    b[1] = 3.7 * x[2]
    return np.sum(a * b * x)


@case(vector())
def boolean_storage(x):
    flags = np.zeros(4, dtype=bool)
    flags[0] = x[1]
    flags[2] = x[2] > 0.0
    flags[3] |= True
    a = x * 1.0
    a[flags] *= x[1]
    return np.sum(W4 * a * a)


@case(vector(), rough=True)
def single_precision_storage(x):
    a = np.zeros(4, np.float32)
    a[:] = x * x
    a[1] = np.sin(x[0])
    return float(np.sum(a * a)) * x[3]


@case(vector(), rough=True)
def single_precision_accumulates(x):
    a = np.ones(4, np.float32)
    a += np.float32(0.5)
    a *= x
    b = a
    b -= x[1] * x
    return np.sum(W4 * a * a)


@case(vector(), rough=True)
def precision_of_a_rebinding(x):
    a = np.ones(4, np.float32)
    a = a * x
    b = a.astype(np.float32)
    c = b.astype(np.float64)
    c[1] = x[2] * x[2]
    b[0] = c[1]
    return np.sum(W4 * a * c) + np.sum(b * x)


@case(np.array([0.25, -0.5, 0.75], np.float32), vector())
def single_precision_argument(f, x):
    f[0] = x[0] * x[1]
    f[1:] *= x[2]
    x[:3] += f
    return np.sum(x * x) + np.sum(f * f)


@case(np.array([0.25, -0.5, 0.75], np.float32))
def double_stored_into_single(f):
    a = np.zeros_like(f)
    a[:] = np.sin(f) * np.pi
    a[0] *= f[2]
    return np.sum(a * a * f)


@case(vector(), rough=True)
def half_of_it_single(x):
    a = x.astype(np.float32)
    v = a[1:]
    v *= x[0]
    y = x * 1.0
    y[:2] = v[:2]
    return np.sum(y * y) + np.sum(v * v)


@case(square())
def column_order(m):
    a = np.asfortranarray(m * 1.0)
    a[0] = m[1] * m[2]
    b = np.copy(a)
    v = b.T.reshape(-1)
    v[1] = a[0, 2]
    b[2] *= 2.0
    return np.sum(W33 * a * b) + np.sum(v * v)


@case(square())
def copies_keep_or_change_the_order(m):
    a = np.asfortranarray(m * 1.0)
    kept = a.copy(order="K").reshape(-1, order="F")
    changed = a.copy(order="C").reshape(-1)
    like = np.zeros_like(a)
    flat = like.ravel(order="K")
    flat[1] = kept[2] * changed[3]
    kept[0] = changed[4]
    return np.sum(W33 * like) * kept[0] + np.sum(kept * changed)


@case(square())
def result_of_an_operation_keeps_the_order(m):
    a = np.sin(m.T)
    v = a.ravel()
    w = a.T.ravel()
    v[1] = 2.0
    w[3] = m[0, 0] * m[2, 1]
    return np.sum(W33 * a * a) + np.sum(v * w)


@case(np.array(0.7))
def no_axes(x):
    a = np.array(0.0)
    a[...] = x * x
    a[()] = a * x
    a += x
    return a * x


@case(0.7)
def no_axes_from_a_float(x):
    a = np.zeros(())
    a[()] = x * x
    b = a
    b *= x
    s = a[()]
    s += 1.0
    return a * s


@case(vector())
def no_axes_as_a_view_of_an_element(x):
    a = x * 1.0
    one = a[1, ...]
    one[...] = x[0] * x[2]
    last = a[3:].reshape(())
    last *= 2.0
    return np.sum(W4 * a * a)


@case(vector())
def one_element_arrays_and_floats(x):
    a = np.zeros((2, 1))
    a[0] = x[0] * x[1]
    a[1, :] = x[2:3]
    a[0, 0] += a[1, 0]
    return a[0, 0] * a[1, 0] + np.sum(a * x)


@case(vector())
def no_elements(x):
    a = np.zeros((0, 4))
    a[:] = x
    a += x
    b = x * 1.0
    b[4:] = x[0]
    b[4:] *= np.zeros(0)
    return np.sum(a) + np.sum(W4 * b * b)


@case(vector())
def python_numbers_stored(x):
    a = np.zeros(4)
    a[0] = 2
    a[1] = True
    a[2] = x[0]
    a[3] = [x[1]][0] * 3
    return np.sum(W4 * a * a * x)


@case(vector())
def list_of_numbers_stored(x):
    a = np.zeros((2, 2))
    a[0] = [x[0], x[1] * x[2]]
    a[:, 1] = (x[3], 2.0)
    a[1] += [x[0] * x[0], 1]
    return a[0, 0] * a[0, 1] + a[1, 0] * a[1, 1]


@case(vector())
def nested_list_stored(x):
    a = np.zeros((2, 2))
    a[:] = [[x[0], x[1]], [x[2] * x[0], 1.0]]
    a *= [[2.0], [x[3]]]
    return a[0, 0] * a[1, 0] + a[0, 1] * a[1, 1]


@case(vector(), raises="TypeError")
def float_into_an_integer_name(x):
    k = np.array([1, 2, 3, 4])
    k += x
    return np.sum(k * x)


@case(vector())
def add_at_of_floats_into_integers(x):
    k = np.zeros(4, dtype=int)
    np.add.at(k, [0, 1, 0], x[1:] * 5.0)
    return np.sum(k * x * x)


@case(vector(), raises="ValueError")
def larger_onto_smaller(x):
    a = x * 1.0
    a += np.ones((2, 1)) * x
    return np.sum(a * a)


@case(vector(), raises="ValueError")
def shapes_that_do_not_fit(x):
    a = np.zeros(4)
    a[1:3] = x[:3]
    return np.sum(a)


@case(vector(), raises="ValueError")
def an_array_into_an_element(x):
    a = np.zeros(4)
    a[1] = x
    return np.sum(a)


@case(vector(), raises="ValueError")
def an_array_into_an_element_by_a_helper(x):
    a = np.zeros(4)
    first_is(a, x)
    return np.sum(a)


def first_is(a, x):
    a[0] = x


@case(square(), raises="ValueError")
def a_matrix_into_a_row(m):
    a = np.zeros((3, 3))
    for i in range(3):
        a[i] = m
    return np.sum(a)


@case(square())
def axes_of_length_one_fit(m):
    a = np.zeros((3, 3))
    a[1] = m[:1]
    a[0] = m[None, 1]
    return np.sum(a * m)


@case(vector(), raises="ValueError")
def out_of_another_shape(x):
    a = np.zeros(3)
    np.multiply(x, x, out=a)
    return np.sum(a)


@case(vector(), raises="IndexError")
def past_the_end(x):
    x[4] = x[0]
    return np.sum(x)


@case(vector(), raises="IndexError")
def fraction_as_an_index(x):
    x[x[0]] = 1.0
    return np.sum(x)


@case(0.7, raises="TypeError")
def store_into_a_float(x):
    y = x * x
    y[0] = x
    return y


@case(vector(), raises="TypeError")
def store_into_an_element(x):
    y = x[0]
    y[...] = 2.0
    return y


@case(vector(), raises="TypeError")
def integers_times_a_float(x):
    k = np.arange(4)
    k *= x[0]
    return np.sum(k * x)


@case(vector(), raises="TypeError")
def integers_under_two_names_divided(x):
    k = np.arange(4)
    j = k
    k /= 2
    return np.sum(j * x)


@case(vector(), raises="TypeError")
def floats_copied_to_integers(x):
    k = np.arange(4)
    np.copyto(k, x)
    return np.sum(k * x)


@case(vector(), raises="TypeError")
def floats_put_out_to_integers(x):
    k = np.arange(4)
    np.sin(x, out=k)
    return np.sum(k * x)


@case(vector())
def integers_copied_to_floats(x):
    a = x * 1.0
    b = a
    np.copyto(a, np.arange(4))
    a[1:3] *= np.arange(2)
    b[0] += x[2] * x[3]
    return np.sum(W4 * a * x)


@case(vector(), 0.7)
def array_like_a_number(x, s):
    y = np.zeros_like(s)
    z = y
    z += x[0] * s
    return y * x[1]


@case(vector())
def copied_with_any_casting(x):
    y, k = x * x, np.array([1, 2, 3, 4])
    np.copyto(y, x, casting="unsafe")
    np.copyto(k, x, casting="unsafe")
    return np.sum(y * y * x * (k + 1))


RECORDS = "arrays of objects and of records"


@case(vector(), gap=RECORDS)
def fields_of_records(x):
    a = np.zeros(4, dtype=[("p", float), ("q", float)])
    a["p"] = x
    a["q"][1:] = x[1:] * a["p"][0]
    return np.sum(a["p"] * a["q"])


@case(vector(), gap=RECORDS)
def objects_in_an_array(x):
    a = np.empty(2, dtype=object)
    a[0] = x[0] * x[1]
    a[1] = x
    return a[0] * np.sum(a[1])


@case(vector(), gap=RECORDS)
def array_of_numbers_as_objects(x):
    a = np.array([x[0], x[1] * x[2]], dtype=object)
    return a[0] * a[1]


@case(vector())
def records_and_objects_without_derivative(x):
    a = np.zeros(4, dtype=[("p", float), ("q", int)])
    a["p"] = np.arange(4.0)
    a["q"][2] = 1
    names = np.array(["one", None], dtype=object)
    return np.sum(a["p"] * x * x) * len(names[0])


@case(0.7)
def arrays_without_axes_have_other_names(x):
    total = 0.0
    for z in (np.full((), 2.0), np.copy(x), np.where(x > 0.0, x, 1.0), np.full((), x)):
        w = z
        z *= 2.0 * x
        total = total + w * w
    return total


@case(np.sin(np.arange(1.0, 13.0)))
def order_of_memory_is_no_order_of_axes(x):
    a = x.reshape((2, 3, 2))[:, [2, 0, 1]]
    first, old, new = a[0], a, np.zeros_like(a)
    for _ in range(3):
        new[...] = 0.8 + np.tanh(new * old.T)
        old, new = new, old
    return np.sum(first * first)


SCALE = 1.3


@case(vector(), 0.7)
def array_of_a_global_number(x, s):
    z = np.array(SCALE)
    if s > 0.2:
        z[...] += np.sum(x * x)
        z /= 2.5 + x[0] * x[1]
    z[()] = z[()] = np.mean(x) * z * s
    return z * z


@case(vector(), 0.7)
def array_of_a_number_is_written_through_another_name(x, s):
    z = np.array(s if s < 9.0 else x)
    z *= 1.0 + x[0]
    w = z[...]
    w += s * x[1]
    z -= w * x[2]
    return z * w
