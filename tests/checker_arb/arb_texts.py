"""Texts of small problems and certificates, written out, so that nothing but the specification stands behind them."""

import hashlib
import re

from certify.checker_arb import check


def sealed(problem, certificate):
    """The certificate with the hash of this problem."""
    return re.sub(r"(?m)^problem .*$", "problem " + hashlib.sha256(problem.encode()).hexdigest(), certificate, count=1)


def judged(problem, certificate, seconds=60.0, seal=True):
    return check(problem.encode(), (sealed(problem, certificate) if seal else certificate).encode(), seconds)


def problem(*, variables=("x mm 0 1",), columns=(), tape=("sub 0 1",), inputs=2, families=("F 0 1 v0 v0",), tapes=1):
    lines = ["certify-problem 1", f"variables {len(variables)}", *variables, f"columns {len(columns)}"]
    for name, entries in columns:
        lines += [f"column {name} mm {len(entries)}", *entries]
    lines += [f"tapes {tapes}", f"tape t {inputs} {len(tape)}", *tape, f"families {len(families)}", *families, "end", ""]
    return "\n".join(lines)


def certificate(*, claims=("lower none", "upper none", "within none", "zeros none"), scope="F", start="box", precision=64, body=()):
    given = dict(zip(("lower", "upper", "within", "zeros"), claims, strict=True))
    lines = ["certify-certificate 2", "problem 0", f"precision {precision}", f"scope {scope}", start, *given.values(), *body, "end", ""]
    return "\n".join(lines)


def lower(bound, *nodes, **more):
    claims = (f"lower {bound}", "upper none", "within none", "zeros none")
    return certificate(claims=claims, body=("tree", *nodes), **more)


def upper(bound, values, *columns, **more):
    claims = ("lower none", f"upper {bound}", "within none", "zeros none")
    return certificate(claims=claims, body=("witness", f"values {values}", *columns), **more)


def within(bound, hull, *nodes, **more):
    claims = ("lower none", "upper none", f"within {bound}", "zeros none")
    return certificate(claims=claims, body=("hull", *hull, "tree", *nodes), **more)


def zeros(isolated, *nodes, **more):
    claims = ("lower none", "upper none", "within none", f"zeros {len(isolated)}")
    lines = [line for pair in isolated for line in pair]
    return certificate(claims=claims, body=("isolated", *lines, "tree", *nodes), **more)


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
