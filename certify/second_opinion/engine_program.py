"""Enclosures of straight-line code by another interval library: engine_program.py ENGINE < questions > answers.

It runs alone, in a process of the library's own Python (3.6 or newer), for importing codac or pyibex leaves a process
rounding upwards. Ends come and go as doubles; an empty interval, or one that is no number, is null.
"""

import json
import math
import sys


def engine(name):
    """The library's interval, its functions by the names of nodes, and how its ends are read."""
    if name == "codac":
        import codac as library

        ends = lambda x: (x.lb(), x.ub())  # noqa: E731
    else:
        import pyibex as library

        ends = lambda x: (x[0], x[1])  # noqa: E731
    functions = {code: getattr(library, code) for code in ("sqr", "sqrt", "sin", "cos", "exp", "log", "atan")}
    return library.Interval, functions, ends


def enclosed(tape, inputs, interval, functions):
    """The last node."""
    values = [interval(low, high) for low, high in inputs]
    for code, *words in tape["nodes"]:
        if code == "const":
            values.append(interval(words[0], words[1]))
        elif code == "pi":
            values.append(interval(math.pi, 3.1415926535897936))
        elif code == "neg":
            values.append(-values[words[0]])
        elif code in functions:
            values.append(functions[code](values[words[0]]))
        else:
            a, b = values[words[0]], values[words[1]]
            values.append(a + b if code == "add" else a - b if code == "sub" else a * b if code == "mul" else a / b)
    return values[-1]


def main():
    """Answer all questions."""
    asked = json.load(sys.stdin)
    interval, functions, ends = engine(sys.argv[1])
    answers = []
    for tape, inputs in asked["rows"]:
        if any(node[0] == "erf" for node in asked["tapes"][tape]["nodes"]):
            answers.append(None)
            continue
        found = enclosed(asked["tapes"][tape], inputs, interval, functions)
        low, high = ends(found)
        bad = found.is_empty() or low != low or high != high
        answers.append(None if bad else [repr(float(low)), repr(float(high))])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
