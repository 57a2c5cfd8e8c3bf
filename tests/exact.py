"""Truth for tests: tapes evaluated with Arb balls of 300 bits, or with exact rationals where there is no root, sine or
pi.
"""

from fractions import Fraction

import flint

from certify.contractors.tape.tape import Operation, Tape

BITS = 300


def ball(value) -> flint.arb:
    fraction = Fraction(value)
    return flint.arb(flint.fmpq(fraction.numerator, fraction.denominator))


def _power(x: flint.arb, y: flint.arb) -> flint.arb:
    """x^y for x > 0, and 0 for x = 0 < y."""
    if x == 0:
        return flint.arb(0) if y > 0 else flint.arb("nan")
    return x**y if x > 0 else flint.arb("nan")


def arb_values(tape: Tape, inputs: list) -> list[flint.arb]:
    """The outputs at exact inputs (floats, Fractions or balls)."""
    with flint.ctx.workprec(BITS):
        nodes = [v if isinstance(v, flint.arb) else ball(v) for v in inputs]
        for operation, first, second, constant in tape.steps:
            f = nodes[first] if first >= 0 else None
            s = nodes[second] if second >= 0 else None
            nodes.append(
                {
                    Operation.CONSTANT: lambda f, s, c=constant: ball(c),
                    Operation.PI: lambda f, s: flint.arb.pi(),
                    Operation.ADD: lambda f, s: f + s,
                    Operation.SUB: lambda f, s: f - s,
                    Operation.MUL: lambda f, s: f * s,
                    Operation.DIV: lambda f, s: f / s,
                    Operation.NEG: lambda f, s: -f,
                    Operation.SQR: lambda f, s: f * f,
                    Operation.SQRT: lambda f, s: f.sqrt(),
                    Operation.SIN: lambda f, s: f.sin(),
                    Operation.COS: lambda f, s: f.cos(),
                    Operation.TAN: lambda f, s: f.tan(),
                    Operation.EXP: lambda f, s: f.exp(),
                    Operation.LOG: lambda f, s: f.log(),
                    Operation.ASIN: lambda f, s: f.asin(),
                    Operation.ACOS: lambda f, s: f.acos(),
                    Operation.ATAN: lambda f, s: f.atan(),
                    Operation.SINH: lambda f, s: f.sinh(),
                    Operation.COSH: lambda f, s: f.cosh(),
                    Operation.TANH: lambda f, s: f.tanh(),
                    Operation.ABS: lambda f, s: abs(f),
                    Operation.ASINH: lambda f, s: f.asinh(),
                    Operation.ACOSH: lambda f, s: f.acosh(),
                    Operation.ATANH: lambda f, s: f.atanh(),
                    Operation.ERF: lambda f, s: f.erf(),
                    Operation.SIGN: lambda f, s: flint.arb(int(f > 0) - int(f < 0)),
                    Operation.FLAT: lambda f, s: flint.arb(0),
                    Operation.MIN: lambda f, s: f.min(s),
                    Operation.MAX: lambda f, s: f.max(s),
                    Operation.LESS: lambda f, s: flint.arb(int(f < s)) if f < s or f > s else flint.arb(0.5, 0.5),
                    Operation.ATAN2: lambda f, s: flint.arb.atan2(f, s) if f != 0 or s != 0 else flint.arb("nan"),
                    Operation.POWER: _power,
                    Operation.INTEGER_POWER: lambda f, s: _whole_power(f, int(float(s.mid()))),
                }[operation](f, s)
            )
        return [nodes[o] for o in tape.outputs]


def _whole_power(base: flint.arb, exponent: int) -> flint.arb:
    """By squaring: flint's own power of a ball around 0 is nan."""
    if exponent < 0:
        return 1 / _whole_power(base, -exponent)
    found = flint.arb(1)
    for bit in bin(exponent)[2:]:
        found = found * found * (base if bit == "1" else 1)
    return found


def holds(lower: float, value: flint.arb, upper: float) -> bool:
    """Whether the true number, known as a ball, lies in [lower, upper]: certainly outside is the only failure."""
    with flint.ctx.workprec(BITS):
        return not (value < flint.arb(lower)) and not (value > flint.arb(upper))
