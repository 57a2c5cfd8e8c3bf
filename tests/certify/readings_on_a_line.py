"""Readings along a line whose truth is known."""

from __future__ import annotations

from fractions import Fraction

import certify


def line(values, half="0.1"):
    """Readings of one length: y_k = a + b t_k up to 0.1, a and b unknown; a conflict has three of them."""

    def model(x, m):
        return x.a + x.b * m.t - m.y

    exact = [Fraction(value) for value in values]
    times = tuple(Fraction(k) for k in range(len(exact)))
    columns = (
        certify.Column("t", "s", times, times),
        certify.Column("y", "mm", tuple(v - Fraction(half) for v in exact), tuple(v + Fraction(half) for v in exact)),
    )
    variables = tuple(
        certify.Variable(name, unit, Fraction(-20), Fraction(20)) for name, unit in (("a", "mm"), ("b", "mm/s"))
    )
    tape = certify.trace(model, {"a": (), "b": ()}, {"t": (), "y": ()})
    bindings = (
        certify.Binding(False, 0),
        certify.Binding(False, 1),
        certify.Binding(True, 0),
        certify.Binding(True, 1),
    )
    return certify.Problem(variables, columns, (certify.Family("line", tape, len(exact), bindings, "mm"),))


VALUES = [1.0, 1.55, 2.02, 2.46, 3.01, 3.52, 3.97, 4.5]
