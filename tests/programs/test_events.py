"""Simulations of events: queues, handlers, and exceptions that methods raise and catch."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


class Full(Exception):
    def __init__(self, amount, message="full"):
        super().__init__(message)
        self.amount = amount


class Empty(Exception):
    pass


class Tank:
    def __init__(self, capacity):
        self.capacity, self.level, self.lost = capacity, 0.0, 0.0
        self.levels = []

    def enter(self, amount):
        if self.level + amount > self.capacity:
            raise Full(self.level + amount - self.capacity)
        self.level += amount

    def leave(self, amount):
        if amount > self.level:
            raise Empty("empty", amount - self.level)
        self.level -= amount

    def run(self, amounts):
        for amount in amounts:
            try:
                if amount > 0.0:
                    self.enter(amount)
                else:
                    self.leave(-amount)
            except Full as full:
                self.lost += full.amount
            except Empty as empty:
                self.lost -= 0.5 * empty.args[1]
                self.level = 0.0
            else:
                self.levels.append(self.level)
        return self

    def follow(self, events):
        while events:
            time, kind, amount = heapq.heappop(events)
            try:
                if kind == "enter":
                    self.enter(amount * time)
                else:
                    self.leave(amount)
            except Full as full:
                self.lost += full.amount
                heapq.heappush(events, (time + 1.0, "leave", 0.3))
            except Empty as empty:
                self.lost -= empty.args[1] * 0.5
        return self.level + self.lost


@case(1.6, 0.7, second=False, long=True)
def what_the_object_raises(capacity, x):
    tank = Tank(capacity).run([x, 0.5, x * x, -0.3, 2.0, -9.0 * x, 0.2])
    return tank.level + tank.lost**2 + sum(tank.levels)


@case(1.6, 0.7, second=False)
def events_in_a_heap(capacity, x):
    events = [(0.1, "enter", x), (0.3, "enter", 5 * x), (0.7, "enter", 4.0)]
    return Tank(capacity).follow([*events, (0.9, "leave", 2.5 * x)])


class Door:
    """Methods with names that the compiler could take for its own."""

    def __init__(self, value):
        self.value = value

    def exception(self, a):
        self.value = self.value * 1.1 + a

    def begin(self, a):
        self.value = self.value * a

    def end(self):
        self.value = np.sin(self.value)


@case(1.3, 0.7)
def names_of_methods(x, y):
    door = Door(x)
    try:
        door.begin(y)
        door.exception(y * y)
        if y < 0.0:
            raise ValueError
    except ValueError:
        door.exception(x)
    door.end()
    return door.value


class Queue:
    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)

    def get(self):
        return self.items.pop(0)

    def empty(self):
        return not self.items


class Worker:
    def __init__(self, queue):
        self.queue, self.done = queue, 0.0

    def submit(self, *values):
        for value in values:
            self.queue.put(value)

    def run(self):
        while not self.queue.empty():
            self.done += self.queue.get() ** 2
        return self.done


@case(1.3)
def a_queue_with_put_and_get(x):
    worker = Worker(Queue())
    worker.submit(x, x * x)
    return worker.run()


@pytest.mark.parametrize("function, args, options", cases(__name__), ids=label)
def test_events(function, args, options):
    check(function, *args, **options)


class Base:
    def __init__(self, limit):
        self.limit, self.lost = limit, 0.0

    def take(self, amount):
        if amount > self.limit:
            raise Full(amount - self.limit)
        self.lost += amount

    def run(self, amounts):
        for amount in amounts:
            try:
                self.take(amount)
            except Full as full:
                self.lost += full.amount
        return self.lost


class Derived(Base):
    def take(self, amount):
        if amount > 0.6:
            raise Full(amount * 3.0)
        self.lost += amount


@pytest.mark.parametrize("owner", [Base, Derived])
def test_a_method_that_a_class_gives_anew_is_refused(owner):
    with pytest.raises(tl.UnsupportedSyntaxError, match="exception holds|cannot tell"):
        tl.grad(lambda x: owner(0.4).run([x, 0.5]))(0.7)
