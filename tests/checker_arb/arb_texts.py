"""Texts of small problems and certificates, written out, so that nothing but the specification stands behind them."""

import hashlib
import random
import re
from fractions import Fraction

import flint
from flint import fmpq

from certify.checker import check as first_check
from certify.checker_arb import Status, check
from certify.checker_arb.boxes import Rows
from certify.checker_arb.groups import scope_of
from certify.checker_arb.outcome import Deadline
from certify.checker_arb.polynomial import poly_range
from certify.checker_arb.problem import read_problem


def sealed(problem, certificate):
    """The certificate with the hash of this problem."""
    return re.sub(r"(?m)^problem .*$", "problem " + hashlib.sha256(problem.encode()).hexdigest(), certificate, count=1)


def judged(problem, certificate, seconds=60.0, seal=True):
    return check(problem.encode(), (sealed(problem, certificate) if seal else certificate).encode(), seconds)


def both(text, certificate):
    """The answer of both checkers, which is the same one. (The first one knows nothing of the second.)"""
    data = text.encode()
    digest = hashlib.sha256(data).hexdigest()
    found = re.sub(rb"(?m)^problem .*$", f"problem {digest}".encode(), certificate.encode(), count=1)
    first, second = (judge(data, found, 20) for judge in (first_check, check))
    assert first.status.name == second.status.name, (first.message, second.message)
    return first.status.name


def problem(*, variables=("x mm 0 1",), columns=(), tape=("sub 0 1",), inputs=2, families=("F 0 1 v0 v0",), tapes=1):
    version = 3 if any(line.startswith("erf ") for line in tape) else 2
    lines = [f"certify-problem {version}", f"variables {len(variables)}", *variables, f"columns {len(columns)}"]
    for name, entries in columns:
        lines += [f"column {name} mm {len(entries)}", *entries]
    lines += [
        f"tapes {tapes}",
        f"tape t {inputs} {len(tape)}",
        *tape,
        f"families {len(families)}",
        *families,
        "end",
        "",
    ]
    return "\n".join(lines)


CLAIMS = ("lower", "upper", "within", "volume", "zeros", "minimum")


def certificate(claim="lower none", *, body=(), scope="F", start="box", precision=64, norm="largest", discard=0):
    claims = {line.split(" ")[0]: line for line in claim.split("\n")}
    given = [claims.get(word, f"{word} none") for word in CLAIMS]
    lines = [
        "certify-certificate 5",
        "problem 0",
        f"precision {precision}",
        f"scope {scope}",
        start,
        f"norm {norm}",
        f"discard {discard}",
    ]
    return "\n".join([*lines, *given, *body, "end", ""])


def lower(bound, *nodes, **more):
    return certificate(f"lower {bound}", body=("tree", *nodes), **more)


def upper(bound, values, *columns, without=None, **more):
    left_out = () if without is None else ("without " + without if without else "without",)
    return certificate(f"upper {bound}", body=("witness", f"values {values}", *left_out, *columns), **more)


def within(bound, hull, *nodes, facets=(), volume="none", **more):
    return certificate(f"within {bound}\nvolume {volume}", body=("hull", *hull, *facets, "tree", *nodes), **more)


def zeros(isolated, *nodes, **more):
    lines = [line for pair in isolated for line in pair]
    return certificate(f"zeros {len(isolated)}", body=("isolated", *lines, "tree", *nodes), **more)


def minimum(bound, isolated, *nodes, norm="squares", **more):
    """A global one if there are nodes, a local one else."""
    kind, tree = ("global", ("tree", *nodes)) if nodes else ("local", ())
    return certificate(f"minimum {kind} {bound}", body=("isolated", *isolated, *tree), norm=norm, **more)


# one variable x in [0, 4], three measurements in [k, k + 1/8], r = x - y
DISTANCES = problem(
    variables=("x mm 0 4",),
    columns=(("y", ("0 1/8", "1 9/8", "2 17/8")),),
    families=("F 0 3 v0 c0",),
)
# r = x^2 - 2 on [0, 2]
ROOT = problem(variables=("x mm 0 2",), tape=("sqr 0", "const 2", "sub 1 2"), inputs=1, families=("F 0 1 v0",))
# |(x, y) - (m, 0)| - d with a root, anchors known to 1/100
ANCHORS = problem(
    variables=("x mm -3 3", "y mm -3 3"),
    columns=(("m", ("-101/100 -99/100", "99/100 101/100")), ("d", ("99/100 101/100", "99/100 101/100"))),
    tape=("sub 0 2", "sqr 4", "sqr 1", "add 5 6", "sqrt 7", "sub 8 3"),
    inputs=4,
    families=("F 0 2 v0 v1 c0 c1",),
)
# r = x - y for y = 0, 1, 2 exactly, x in [0, 4]: the sum of squares is 3 (x - 1)^2 + 2
LINE = problem(variables=("x mm 0 4",), columns=(("y", ("0 0", "1 1", "2 2")),), families=("F 0 3 v0 c0",))
# F: x + y - 3, G: x - y - 1 on [0, 4]^2
LINEAR = problem(
    variables=("x mm 0 4", "y mm 0 4"),
    tapes=2,
    tape=("add 0 1", "const 3", "sub 2 3", "tape u 2 3", "sub 0 1", "const 1", "sub 2 3"),
    inputs=2,
    families=("F 0 1 v0 v1", "G 1 1 v0 v1"),
).replace("tape t 2 7", "tape t 2 3")


def rejected(outcome, rule, reason):
    """Rejected by this rule, for this reason."""
    assert outcome.status is Status.REJECTED, outcome.message
    assert outcome.rule == rule, outcome.message
    assert reason in outcome.message, outcome.message


def rows_of(text, deadline=60.0):
    """The rows of the whole problem, as the checker has them."""
    found = read_problem(text.encode(), Deadline(deadline))
    return Rows(found, scope_of(found, tuple(range(len(found.families)))), Deadline(deadline))


def number(value):
    """A number of the checker's from one of Python's."""
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


def dyadic(value, bits=20):
    """The token of a number, rounded to so many fraction bits."""
    return f"{round(Fraction(value) * 2**bits)}p-{bits}"


def at(polynomial, point):
    """A polynomial with interval coefficients at a point, as an interval with exact ends, at high precision."""
    with flint.ctx.workprec(600):
        ranges = [(flint.arb(number(value)),) * 2 for value in point]
        low, high = poly_range(polynomial, ranges)
        return low.lower(), high.upper()


def exactly(rows, family, row, point):
    """A row at a point, exact measurements, in a ball of high precision."""
    with flint.ctx.workprec(600):
        return rows.enclosed(family, row, [(flint.arb(number(value)),) * 2 for value in point])[0]


def fraction(value):
    """The number that an exact ball is."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


ISOLATED = (("zero 2896p-11 2897p-11", "inverse 181p-9"),)
KNOWN = ("split 0 2896p-11", "evaluate 0 0", "split 0 2897p-11", "known 0", "evaluate 0 0")


def random_tape(rng, inputs=2, length=9):
    """A tape whose roots, divisors and logarithms are of positive numbers, and whose exponentials are not large."""
    steps = []

    def push(step):
        steps.append(step)
        return inputs + len(steps) - 1

    for _ in range(length):
        i, j = rng.randrange(inputs + len(steps)), rng.randrange(inputs + len(steps))
        kind = rng.choice(
            ("add", "sub", "mul", "div", "sqr", "sqrt", "sin", "cos", "neg", "exp", "log", "atan", "const", "erf")
        )
        if kind == "const":
            push(f"const {Fraction(rng.randrange(-9, 10), 4)}")
        elif kind in ("sqrt", "log", "div"):
            above = push(f"add {push(f'sqr {j}')} {push('const 1/2')}")
            push(f"div {i} {above}" if kind == "div" else f"{kind} {above}")
        elif kind == "exp":
            push(f"exp {push(rng.choice(('sin', 'atan')) + f' {j}')}")
        else:
            push(f"{kind} {i} {j}" if kind in ("add", "sub", "mul") else f"{kind} {i}")
    push(f"add {inputs + len(steps) - 1} {push('mul 0 1')}")
    return tuple(steps)


def some(seed):
    rng = random.Random(seed)
    corner = [Fraction(rng.randrange(-24, 24), 8) for _ in range(2)]
    box = [(a, a + Fraction(rng.randrange(1, 16), 16)) for a in corner]
    text = problem(
        variables=tuple(f"{name} mm {a} {b}" for name, (a, b) in zip("xy", box, strict=True)),
        tape=random_tape(rng),
        families=("F 0 1 v0 v1",),
    )
    return rng, box, text


def one(*tape, low="-1", high="1", columns=(), bindings="v0"):
    count = bindings.count(" ") + 1
    return problem(
        variables=(f"x mm {low} {high}",), columns=columns, tape=tape, inputs=count, families=(f"F 0 1 {bindings}",)
    )


def verified(text, certificate):
    outcome = judged(text, certificate)
    assert outcome.status is Status.VERIFIED, outcome.message
