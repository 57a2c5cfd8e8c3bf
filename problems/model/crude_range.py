"""Where the values of a tape lie, roughly: bounds that are surely true and as simple as possible, in exact numbers.

A certificate's problem needs some number below all values of a function, however far below. So every range here is
rounded outwards to a few digits, sines and cosines are within [-1, 1], arctangents
within [-2, 2], e is from 2.7 to 2.8 and log 2 from 0.69 to 0.7, and nothing rests on floating-point numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from certify.contractors.tape.tape import Operation, Step, Tape
from certify.problems.functions.function_table import ROWS

Range = tuple[Fraction, Fraction]
EVERYWHERE = {
    row.operation: (Fraction(row.everywhere[0]), Fraction(row.everywhere[1])) for row in ROWS if row.everywhere
}
DIGITS = 40  # bits of an end
LARGEST = 4000  # an end below 2^4000 in size


class Unbounded(Exception):
    """No bound is known; the text says which operation has none."""


def crude_ranges(tape: Tape, box: Sequence[Range]) -> list[Range | Unbounded | None]:
    """The range of every node over all points of the box at which it is defined: None if there is no such point,
    Unbounded if no bounds are known.
    """
    found: list[Range | Unbounded | None] = list(box)
    for step in tape.steps:
        operands = [found[operand] for operand in (step.first, step.second) if operand >= 0]
        known = [operand for operand in operands if isinstance(operand, tuple)]
        if None in operands:
            found.append(None)
        elif len(known) == len(operands):
            try:
                found.append(_outward(_range(step, known)))
            except Unbounded as unbounded:
                found.append(unbounded)
        else:
            found.append(
                EVERYWHERE.get(step.operation, next(operand for operand in operands if isinstance(operand, Unbounded)))
            )
    return found


def crude_range(tape: Tape, box: Sequence[Range]) -> Range | Unbounded | None:
    """That of the row."""
    return crude_ranges(tape, box)[tape.outputs[0]]


def _range(step: Step, operands: list[Range]) -> Range | None:
    match step.operation, operands:
        case Operation.CONSTANT, _:
            value = step.constant or Fraction(0)
            return value, value
        case Operation.PI, _:
            return Fraction(3), Fraction(4)
        case Operation.ADD, [(a, b), (c, d)]:
            return a + c, b + d
        case Operation.SUB, [(a, b), (c, d)]:
            return a - d, b - c
        case Operation.MUL, [(a, b), (c, d)]:
            return _hull(a * c, a * d, b * c, b * d)
        case Operation.DIV, [(a, b), (c, d)]:
            if c <= 0 <= d:
                raise Unbounded("a division whose divisor may be 0")
            return _hull(a / c, a / d, b / c, b / d)
        case Operation.NEG, [(a, b)]:
            return -b, -a
        case Operation.SQR, [(a, b)]:
            low, high = _hull(a * a, b * b)
            return Fraction(0) if a <= 0 <= b else low, high
        case operation, [(a, b)]:
            return _function(operation, a, b)
    raise Unbounded(f"the operation {step.operation.name.lower()}, of which no bounds are known here")


def _function(operation: Operation, a: Fraction, b: Fraction) -> Range | None:
    """Of one operand from a to b."""
    match operation:
        case Operation.SQRT:
            return (
                None
                if b < 0
                else (Fraction(math.isqrt(math.floor(max(a, Fraction(0))))), Fraction(math.isqrt(math.ceil(b)) + 1))
            )
        case Operation.SIN | Operation.COS:
            return Fraction(-1), Fraction(1)
        case Operation.ATAN:
            return max(a, Fraction(-2)) if a < 0 else Fraction(0), min(b, Fraction(2)) if b > 0 else Fraction(0)
        case Operation.EXP:
            if b > LARGEST:
                raise Unbounded(f"a number beyond 2^{LARGEST}")
            return _power(math.floor(a))[0] if a > -LARGEST else Fraction(0), _power(max(math.ceil(b), -LARGEST))[1]
        case Operation.LOG:
            if a <= 0:
                raise Unbounded("a logarithm whose operand may be 0 or less")
            return _twos(_binary(a) - 1)[0], _twos(_binary(b) + 1)[1]
    raise Unbounded(f"the operation {operation.name.lower()}, of which no bounds are known here")


def _power(n: int) -> Range:
    """e^n."""
    ends = sorted(Fraction(tenths, 10) ** n for tenths in (27, 28))
    return ends[0], ends[1]


def _twos(n: int) -> Range:
    """n log 2."""
    ends = sorted(Fraction(hundredths * n, 100) for hundredths in (69, 70))
    return ends[0], ends[1]


def _binary(value: Fraction) -> int:
    """The n for which a positive number is between 2^(n - 1) and 2^(n + 1)."""
    return value.numerator.bit_length() - value.denominator.bit_length()


def _hull(*values: Fraction) -> Range:
    return min(values), max(values)


def _outward(ends: Range | None) -> Range | None:
    """The ends with few digits; raises Unbounded beyond the largest numbers of a certificate."""
    if ends is None:
        return None
    low, high = ends
    if max(abs(low), abs(high)) >= 1 << LARGEST:
        raise Unbounded(f"a number beyond 2^{LARGEST}")
    return -_ceiling(-low), _ceiling(high)


def _ceiling(value: Fraction) -> Fraction:
    """The least number of so many bits that is not below the value."""
    shift = abs(value.numerator).bit_length() - value.denominator.bit_length() - DIGITS
    if value.denominator == 1 and shift <= 0:
        return value
    unit = Fraction(2) ** shift
    return math.ceil(value / unit) * unit
