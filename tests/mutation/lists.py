"""Lists written in place: append, pop, insert, extend, remove, reverse, sort, del, ``+=``, ``*=``, slices."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector

X = [0.4, -0.7, 1.1]


@case(list(X))
def element_of_an_argument(xs):
    xs[1] = xs[0] * xs[2]
    xs[-1] = xs[1] * xs[1]
    return xs[0] * xs[1] + xs[2] * xs[2]


@case(list(X))
def append_and_read(xs):
    ys = [xs[0]]
    for x in xs:
        ys.append(ys[-1] * x + x)
    return ys[1] * ys[-1] + ys[2]


@case(list(X))
def append_to_an_argument(xs):
    xs.append(xs[0] * xs[1])
    xs.append(xs[3] * xs[2])
    return xs[-1] * xs[-2] + xs[0]


@case(list(X))
def pop_the_last_the_first_the_middle(xs):
    ys = [x * x for x in xs] + [xs[0]]
    a = ys.pop()
    b = ys.pop(0)
    c = ys.pop(-2)
    return a * b + c * ys[0] * a


@case(list(X))
def pop_from_an_argument(xs):
    a = xs.pop(1)
    return a * xs[0] + a * xs[1] * xs[1]


@case(list(X))
def insert_shifts(xs):
    ys = [xs[0], xs[1]]
    ys.insert(1, xs[2] * xs[0])
    ys.insert(0, ys[1] * ys[2])
    ys.insert(100, xs[1])
    ys.insert(-1, xs[0])
    s = 0.0
    for k, y in enumerate(ys):
        s = s + (k + 1) * y * y
    return s


@case(list(X))
def extend_and_plus(xs):
    ys = [xs[0] * xs[1]]
    other = ys
    ys.extend(xs)
    ys += [xs[2] * xs[2], xs[0]]
    ys.extend(y * 2.0 for y in xs)
    ys.extend((xs[1],))
    return other[0] * other[3] + other[4] * other[5] * other[6] + other[-1]


@case(list(X))
def extend_by_itself(xs):
    ys = [xs[0], xs[1] * xs[2]]
    ys += ys
    ys[0] = ys[3] * 2.0
    ys.extend(ys)
    ys[6] = ys[6] * ys[4]
    return ys[0] * ys[1] + ys[6] * ys[2] + ys[4]


@case(list(X))
def plus_rebinds_and_augmented_does_not(xs):
    ys = [xs[0]]
    a = ys
    b = ys
    a = a + [xs[1]]
    b += [xs[2]]
    a[0] = xs[1] * 3.0
    return ys[0] * ys[1] * a[0] + a[1]


@case(list(X))
def remove_by_value(xs):
    ys = [xs[0], xs[1], xs[2], xs[1]]
    ys.remove(xs[1])
    return ys[0] * ys[1] + ys[2] * ys[2] * ys[1]


@case(list(X))
def reverse_in_place(xs):
    xs.reverse()
    ys = xs
    ys.reverse()
    ys[0] = ys[0] * xs[1]
    xs.reverse()
    return xs[0] * 2.0 + xs[1] * xs[2]


@case(list(X))
def sort_in_place(xs):
    ys = [x * x for x in xs]
    ys.sort()
    s = ys[0] + 2.0 * ys[1] * ys[2]
    ys.sort(reverse=True)
    return s * ys[0]


@case(list(X))
def sort_by_a_key(xs):
    pairs = [(abs(x), x * x * x) for x in xs]
    pairs.sort(key=lambda p: -p[0])
    xs.sort(key=abs)
    return pairs[0][1] * pairs[2][0] + xs[0] * xs[0] * xs[2]


@case(list(X))
def delete_an_element_and_a_slice(xs):
    ys = xs + [xs[0] * xs[1], xs[2]]
    del ys[1]
    del ys[-1:]
    del ys[5:]
    del ys[0], ys[0]
    return ys[0] * xs[1] + ys[-1] * ys[-1]


@case(list(X))
def delete_every_second(xs):
    ys = [x * k for k, x in enumerate(xs + xs, 1)]
    del ys[::2]
    return ys[0] * ys[1] + ys[2] * ys[2]


@case(list(X))
def slice_replaced_by_more(xs):
    ys = list(xs)
    ys[1:2] = [xs[0] * xs[2], xs[1], xs[1] * xs[1]]
    ys[:0] = [xs[2]]
    ys[-1:] = []
    return ys[0] * ys[1] + ys[2] * ys[3] + ys[4]


@case(list(X))
def slice_with_a_step_replaced(xs):
    ys = [1.0, xs[0], 2.0, xs[1]]
    ys[::2] = xs[1:]
    ys[::-1] = ys
    return ys[0] * ys[1] * 3.0 + ys[2] * ys[3] * ys[3]


@case(list(X))
def repeated_in_place(xs):
    ys = [xs[0], xs[1] * xs[2]]
    other = ys
    ys *= 2
    ys[0] = ys[3] * ys[2]
    other *= 1
    return other[0] * other[1] + other[2]


@case(list(X))
def emptied(xs):
    ys = [x * x for x in xs]
    s = ys[0] * ys[1]
    ys.clear()
    ys.append(xs[2])
    zs = ys
    zs *= 0
    zs.append(xs[1] * xs[0])
    return s * ys[0]


@case(list(X))
def copy_is_shallow(xs):
    rows = [[xs[0]], [xs[1]]]
    shallow = rows.copy()
    shallow[0][0] = xs[2] * xs[0]
    shallow[1] = [xs[2]]
    sliced = rows[:]
    sliced[1].append(xs[0])
    return rows[0][0] * rows[1][0] + rows[1][1] * shallow[1][0]


@case(list(X))
def elements_swapped(xs):
    xs[0], xs[2] = xs[2], xs[0]
    xs[1], xs[0] = xs[0] * xs[1], xs[1]
    return xs[0] * 3.0 + xs[1] * xs[2] * xs[2]


@case(list(X))
def list_in_a_list(xs):
    rows = [[x, x * x] for x in xs]
    rows[1][0] = rows[0][1] * rows[2][0]
    rows[2] += [rows[1][0]]
    rows.append(rows[0])
    rows[3][0] *= 2.0
    return rows[0][0] * rows[2][2] + rows[1][1]


@case(list(X))
def alias_of_a_list(xs):
    ys = xs
    ys[0] = xs[1] * xs[2]
    ys.append(xs[0])
    xs[3] = xs[3] * ys[1]
    return xs[0] * ys[3] + xs[2]


@case([vector(), vector(1)])
def arrays_in_an_argument(arrays):
    arrays[0][1] = arrays[1][2] * arrays[0][0]
    arrays[1] += arrays[0]
    arrays.append(arrays[0])
    arrays[2] *= 2.0
    return np.sum(W4 * arrays[0] * arrays[1])


@case(vector())
def arrays_written_after_they_were_appended(x):
    kept = []
    state = x * 1.0
    for i in range(3):
        state[i] *= state[i + 1]
        kept.append(state)
        kept.append(state.copy())
    return np.sum(W4 * kept[1] * kept[3]) + np.sum(kept[0] * kept[4])


@case(vector())
def loop_over_a_list_writes_its_arrays(x):
    arrays = [x * 1.0, x * x, np.sin(x)]
    for k, a in enumerate(arrays):
        a[k] = x[3] * a[k + 1]
        a += arrays[0][1]
    return np.sum(W4 * arrays[0] * arrays[1] * arrays[2])


@case(vector())
def loop_over_a_list_writes_its_slots(x):
    ys = [x[0], x[1], x[2]]
    for k in range(len(ys)):
        ys[k] = ys[k] * ys[k - 1]
    for k, y in enumerate(ys):
        ys[k] = y * y
    return ys[0] + ys[1] * ys[2]


@case(vector())
def list_grows_while_it_is_walked(x):
    ys = [x[0]]
    for y in ys:
        if len(ys) < 4:
            ys.append(y * x[len(ys)] + 0.5)
    return ys[1] * ys[3] + ys[2]


@case(vector())
def list_of_views_grows_while_it_is_walked(x):
    parts = [x * 1.0]
    for part in parts:
        if len(part) > 1:
            parts.append(part[: len(part) // 2])
            parts.append(part[len(part) // 2 :])
        part *= x[0]
        part[0] += 1.0
    return sum([np.sum(part) * (k + 1) for k, part in enumerate(parts)])


@case(vector())
def list_grows_at_its_front_and_is_bound_anew(x):
    ys, seen = [x[0], x[1]], []
    for y in ys:
        if len(ys) < 4:
            ys.insert(0, y * x[2])
        seen.append(y)
        if len(seen) > 5:
            ys = [y, y]
        if len(seen) > 7:
            break
    return sum([y * (k + 1) for k, y in enumerate(seen)]) + ys[0]


@case(vector())
def stack_and_queue(x):
    stack = [x[0], x[1]]
    while len(stack) > 1:
        b, a = stack.pop(), stack.pop()
        stack.append(a * b + x[2])
    queue = [x[0], x[1], x[2]]
    for _ in range(4):
        queue.append(queue.pop(0) * queue[0])
    return stack[0] * queue[0] + queue[1] * queue[2]


@case(vector())
def buckets_by_value(x):
    low, high = [], []
    for v in x:
        (low if v < 0.5 else high).append(v * v)
    low[0], high[0] = high[0], low[0] * x[1]
    return sum(low) * sum(high) + high[0]


@case(vector())
def inert_contents(x):
    names = ["b", "a"]
    names.append("c")
    names.sort()
    counts = [0, 0]
    seen = set()
    for k, v in enumerate(x):
        counts[k % 2] += k
        seen.add(v > 0.0)
    return x[counts[0]] * x[1] * len(seen) + counts[1] * x[len(names)]


@case(list(X), raises="IndexError")
def pop_of_an_empty_list(xs):
    ys = [xs[0]]
    ys.pop()
    return ys.pop() * xs[1]


@case(list(X), raises="IndexError")
def store_past_the_end(xs):
    xs[3] = xs[0]
    return xs[0]


@case(list(X), raises="ValueError")
def remove_what_is_not_there(xs):
    xs.remove(5.0)
    return xs[0]


@case((0.4, 0.7), raises="TypeError")
def store_into_a_tuple(pair):
    pair[0] = pair[1] * 2.0
    return pair[0]


@case(vector())
def a_list_and_itself(x):
    a = x * 1.0
    xs = [a, x * 2.0]
    ys = list(xs) + list(xs)
    b = 1.0 * ys[0]
    b[0] = 3.0
    return np.sum(W4 * ys[0] * ys[2]) + np.sum(ys[3] * b)


@case(list(X))
def taken_in_while_it_is_read(xs):
    ys = [xs[0], xs[1]]
    ys.extend(x * len(ys) for x in xs)
    ys.extend(x * ys[-1] for x in xs[:2] if x * len(ys) < 4.0)
    ys += (x * ys[-1] for x in xs[1:])
    return sum(k * y for k, y in enumerate(ys))


@case(list(X))
def shorter_by_another_name(xs):
    rows = [[xs[0]], [xs[1], xs[0] * xs[1]]]
    for row in rows:
        del row[1:]
    table = {"a": [xs[0]], "b": [xs[1], xs[2]]}
    for row in table.values():
        if len(row) > 1:
            row.pop()
    return rows[0][0] * rows[1][0] * table["a"][0] * table["b"][0]
