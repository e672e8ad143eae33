"""Run where neither tangentlite nor its tests are: the derivatives of a folder, on pickled arguments."""

import importlib
import importlib.util
import pickle
import sys


def call(name, function, args, seeds):
    try:
        return pickle.dumps(getattr(importlib.import_module(name), function)(*args, **seeds))
    except Exception as fault:
        return type(fault).__name__, str(fault)


def main(folder, *paths):
    sys.path[:0] = [folder, *paths]
    for absent in ("tangentlite", "gast", "astor"):
        assert importlib.util.find_spec(absent) is None, absent
    with open(f"{folder}/arguments.pkl", "rb") as file:
        jobs = pickle.load(file)
    results = {n: call(n, f, *pickle.loads(data)) for n, (f, data) in jobs.items()}
    with open(f"{folder}/results.pkl", "wb") as file:
        pickle.dump(results, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
