"""Enclosures of straight-line code by another interval library: engine_program.py ENGINE [lines] < questions.

It runs alone, in a process of the library's own Python (3.6 or newer), for importing codac or pyibex leaves a process
rounding upwards, where even the decimals of a double are read and written wrongly: so ends come and go in hexadecimal,
which is exact. An empty interval, or one that is no number, is null. Rows are answered first, then weighted sums.
"""

import json
import math
import sys

from engine_sums import Sums, Unclear  # type: ignore[import-not-found]


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
    values = [interval(float.fromhex(low), float.fromhex(high)) for low, high in inputs]
    for code, *words in tape["nodes"]:
        if code == "const":
            values.append(interval(float.fromhex(words[0]), float.fromhex(words[1])))
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


def answered(asked, interval, functions, ends):
    """All enclosures of one request."""
    answers = []
    for tape, inputs in asked["rows"]:
        if any(node[0] == "erf" for node in asked["tapes"][tape]["nodes"]):
            answers.append(None)
            continue
        found = enclosed(asked["tapes"][tape], inputs, interval, functions)
        low, high = ends(found)
        bad = found.is_empty() or low != low or high != high
        answers.append(None if bad else [float(low).hex(), float(high).hex()])
    sums = Sums(interval, functions, ends)
    return answers + [positive(sums, asked["tapes"], one) for one in asked.get("sums", ())]


def positive(sums, tapes, asked):
    """A sum's lower bound on the whole box, if it is positive."""
    try:
        found = sums.least(tapes, asked)
    except Unclear:
        return None
    return None if found is None else [float(found).hex(), "inf"]


def main():
    """Answer one request, or one on each line."""
    words = engine(sys.argv[1])
    for text in sys.stdin if len(sys.argv) > 2 else [sys.stdin.read()]:
        sys.stdout.write(json.dumps(answered(json.loads(text), *words)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
