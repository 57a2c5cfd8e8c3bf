"""Vectors of IEEE 1788 in the interval test language (ITL), against `certify.contractors.interval`.

    testcase some.name { sqrt [1.0, 0x1p2] = [1.0, 2.0]; subset [1.0, 2.0] [0.0, 3.0] = true; }

The first of a statement is an operation, then come its operands, behind = the tightest result. Ours must contain
it, be empty where it is, and be wider by no more doubles an end than `TOLERANCES` says (one more where the end is
subnormal or next to it); numbers, truth values and everything exact must be equal. Decorations are read and dropped.

The vectors below are our own. Those of others are read from all *.itl files of the folder that the environment
variable CERTIFY_ITL names, which is where the ITF1788 collection is to be put; run this file with such a folder as
its argument for a table of counts by operation.
"""

import math
import os
import re
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from certify.contractors import interval as i
from certify.contractors.interval import EMPTY, ENTIRE, Interval

OWN = """
/* Forward: basic operations, with ends that are exact, that round, that overflow and that underflow. */
testcase own.arithmetic {
    add [1.0, 2.0] [3.0, 4.0] = [4.0, 6.0];
    add [0x1p0, 0x1p0] [0x1p-60, 0x1p-60] = [0x1p0, 0x1.0000000000001p0];
    add [0x1.FFFFFFFFFFFFFp1023, infinity] [0x1.FFFFFFFFFFFFFp1023, infinity] = [0x1.FFFFFFFFFFFFFp1023, infinity];
    add [entire] [1.0, 1.0] = [entire];  // and no NaN
    add [empty] [entire] = [empty];
    sub [1.0, 2.0] [1.0, 2.0] = [-1.0, 1.0];
    sub [-infinity, 1.0] [-infinity, 1.0] = [entire];
    mul [-1.0, 2.0] [-3.0, 4.0] = [-6.0, 8.0];
    mul [0.0, 0.0] [entire] = [0.0, 0.0];
    mul [-0.0, 1.0] [0.0, infinity] = [0.0, infinity];
    mul [0x1p-600, 0x1p-600] [0x1p-600, 0x1p-600] = [0.0, 0x0.0000000000001p-1022];
    mul [0x1p600, 0x1p600] [-0x1p600, -0x1p600] = [-infinity, -0x1.FFFFFFFFFFFFFp1023];
    div [1.0, 1.0] [3.0, 3.0] = [0x1.5555555555555p-2, 0x1.5555555555556p-2];
    div [1.0, 2.0] [-0.0, 4.0] = [0.25, infinity];
    div [1.0, 2.0] [-1.0, 4.0] = [entire];
    div [0.0, 0.0] [-1.0, 4.0] = [0.0, 0.0];
    div [1.0, 2.0] [0.0, 0.0] = [empty];
    recip [-infinity, -2.0] = [-0.5, 0.0];
    sqr [-3.0, 2.0] = [0.0, 9.0];
    sqrt [-5.0, 4.0] = [0.0, 2.0];
    sqrt [-5.0, -4.0] = [empty];
    sqrt [0x0.0000000000001p-1022, 2.0] = [0x1p-537, 0x1.6A09E667F3BCDp0];
    fma [0x1.0000000000001p0, 0x1.0000000000001p0] [0x1.0000000000001p0, 0x1.0000000000001p0] [-1.0, -1.0]
        = [0x1p-51, 0x1.0000000000001p-51];
    neg [-1.0, infinity] = [-infinity, 1.0];
    abs [-3.0, 2.0] = [0.0, 3.0];
    min [1.0, 5.0] [2.0, 3.0] = [1.0, 3.0];
    max [1.0, 5.0] [2.0, 3.0] = [2.0, 5.0];
    sign [-2.0, 0.0] = [-1.0, 0.0];
}
testcase own.powers {
    pown [-2.0, 3.0] 2 = [0.0, 9.0];
    pown [-2.0, 3.0] 3 = [-8.0, 27.0];
    pown [-2.0, 4.0] -2 = [0.0625, infinity];
    pown [-2.0, 4.0] -3 = [entire];
    pown [0.0, 0.0] -1 = [empty];
    pown [0.0, 0.0] 0 = [1.0, 1.0];
    pown [entire] 4 = [0.0, infinity];
    pow [2.0, 4.0] [-1.0, 2.0] = [0.25, 16.0];
    pow [-3.0, 4.0] [0.5, 0.5] = [0.0, 2.0];
    pow [0.0, 0.0] [-1.0, 1.0] = [0.0, 0.0];
    pow [0.0, 0.0] [0.0, 0.0] = [empty];
    pow [0.0, 1.0] [0.0, infinity] = [0.0, 1.0];
    rootn [-8.0, 27.0] 3 = [-2.0, 3.0];
    rootn [-8.0, 16.0] 4 = [0.0, 2.0];
    rootn [0.0, 8.0] -3 = [0.5, infinity];
    exp [-infinity, 0.0] = [0.0, 1.0];
    exp [0.0, 1000.0] = [1.0, infinity];
    exp [-1000.0, -1000.0] = [0.0, 0x0.0000000000001p-1022];
    exp2 [-1.0, 10.0] = [0.5, 1024.0];
    exp10 [-infinity, 3.0] = [0.0, 1000.0];
    log [0.0, 1.0] = [-infinity, 0.0];
    log [-2.0, 0.0] = [empty];
    log2 [0x0.0000000000001p-1022, 8.0] = [-1074.0, 3.0];
    log10 [0.0, 1000.0] = [-infinity, 3.0];
    cbrt [-27.0, 8.0] = [-3.0, 2.0];
}
testcase own.functions {
    sin [0.0, 2.0] = [0.0, 1.0];
    sin [0x1p70, 0x1.8p70] = [-1.0, 1.0];
    sin [0x0.0000000000001p-1022, 0x0.0000000000001p-1022] = [0.0, 0x0.0000000000001p-1022];
    cos [-1.0, 7.0] = [-1.0, 1.0];
    cos [0.0, 0.0] = [1.0, 1.0];
    tan [1.0, 2.0] = [entire];
    tan [0.0, 0.0] = [0.0, 0.0];
    asin [-2.0, 0.0] = [-0x1.921FB54442D19p0, 0.0];
    acos [1.0, 5.0] = [0.0, 0.0];
    acos [-infinity, infinity] = [0.0, 0x1.921FB54442D19p1];
    atan [entire] = [-0x1.921FB54442D19p0, 0x1.921FB54442D19p0];
    atan2 [0.0, 0.0] [-1.0, -1.0] = [0x1.921FB54442D18p1, 0x1.921FB54442D19p1];
    atan2 [-1.0, 1.0] [-2.0, -1.0] = [-0x1.921FB54442D19p1, 0x1.921FB54442D19p1];
    atan2 [0.0, 0.0] [0.0, 0.0] = [empty];
    atan2 [0.0, 1.0] [0.0, 1.0] = [0.0, 0x1.921FB54442D19p0];
    sinh [0.0, 0.0] = [0.0, 0.0];
    cosh [-1.0, infinity] = [1.0, infinity];
    tanh [entire] = [-1.0, 1.0];
    asinh [-infinity, 0.0] = [-infinity, 0.0];
    acosh [entire] = [0.0, infinity];
    atanh [-1.0, 1.0] = [entire];
    atanh [1.0, 2.0] = [empty];
    floor [-1.5, 2.5] = [-2.0, 2.0];
    ceil [-1.5, infinity] = [-1.0, infinity];
    trunc [-1.5, 2.5] = [-1.0, 2.0];
    roundTiesToEven [-1.5, 2.5] = [-2.0, 2.0];
    roundTiesToAway [-1.5, 2.5] = [-2.0, 3.0];
}
testcase own.reverse {
    sqrRev [4.0, 9.0] = [-3.0, 3.0];
    sqrRevBin [4.0, 9.0] [-1.0, infinity] = [2.0, 3.0];
    sqrRev [-4.0, -1.0] = [empty];
    absRevBin [1.0, 2.0] [-1.5, 0.5] = [-1.5, -1.0];
    pownRev [-8.0, 27.0] 3 = [-2.0, 3.0];
    pownRevBin [0.25, 0.25] [0.0, 5.0] -2 = [2.0, 2.0];
    pownRevBin [0.0, 0.0] [entire] -1 = [empty];
    pownRev [1.0, 2.0] 0 = [entire];
    sinRevBin [1.0, 1.0] [0.0, 3.0] = [0x1.921FB54442D18p0, 0x1.921FB54442D19p0];
    sinRevBin [0.0, 0.0] [1.0, 3.0] = [empty];
    cosRevBin [-1.0, -1.0] [0.0, 4.0] = [0x1.921FB54442D18p1, 0x1.921FB54442D19p1];
    tanRevBin [0.0, 0.0] [-1.0, 1.0] = [0.0, 0.0];
    coshRevBin [1.0, 1.0] [-5.0, 5.0] = [0.0, 0.0];
    mulRev [-1.0, 1.0] [0.0, 0.0] = [entire];
    mulRevTen [-1.0, 1.0] [1.0, 2.0] [-0.5, 10.0] = [1.0, 10.0];
    mulRev [0.0, 0.0] [1.0, 2.0] = [empty];
    mulRevToPair [-1.0, 2.0] [1.0, 2.0] = [-infinity, -1.0] [0.5, infinity];
    mulRevToPair [-1.0, 2.0] [-2.0, -1.0] = [-infinity, -0.5] [1.0, infinity];
    mulRevToPair [0.0, 2.0] [1.0, 2.0] = [0.5, infinity] [empty];
    mulRevToPair [-1.0, 2.0] [0.0, 2.0] = [entire] [empty];
    divRev1 [2.0, 4.0] [1.0, 3.0] [entire] = [2.0, 12.0];
    divRev2 [1.0, 1.0] [2.0, 4.0] [entire] = [0.25, 0.5];
    divRev2 [1.0, 1.0] [0.0, 0.0] [entire] = [empty];
    powRev1 [2.0, 2.0] [4.0, 9.0] [entire] = [2.0, 3.0];
    powRev1 [-1.0, 1.0] [2.0, 2.0] [0.0, 1.0] = [0.0, 0.5];
    powRev2 [2.0, 2.0] [8.0, 8.0] [entire] = [3.0, 3.0];
    powRev2 [0.0, 0.0] [0.0, 0.0] [-1.0, 2.0] = [0.0, 2.0];
    atan2Rev1 [1.0, 1.0] [0.0, 0.75] [-5.0, 5.0] = [0.0, 0x1.DCFA36110EEECp-1];
    atan2Rev1 [0.0, 0.0] [1.0, 2.0] [-5.0, 5.0] = [0.0, 5.0];
    atan2Rev2 [0.0, 0.0] [3.0, 4.0] [-5.0, 5.0] = [-5.0, 0.0];
    cancelMinus [-1.0, 5.0] [-5.0, 0.9] = [4.0, 0x1.0666666666667p2];
    cancelMinus [1.0, 2.0] [1.0, 3.0] = [entire];
    cancelPlus [-5.0, 5.0] [-2.0, 1.0] = [-4.0, 3.0];
    cancelMinus [empty] [1.0, 2.0] = [empty];
}
testcase own.sets {
    intersection [1.0, 3.0] [2.0, 5.0] = [2.0, 3.0];
    intersection [1.0, 2.0] [3.0, 5.0] = [empty];
    convexHull [1.0, 2.0] [3.0, 5.0] = [1.0, 5.0];
    convexHull [empty] [3.0, 5.0] = [3.0, 5.0];
    equal [-0.0, 0.0] [0.0, 0.0] = true;
    equal [empty] [empty] = true;
    subset [empty] [1.0, 2.0] = true;
    subset [1.0, 3.0] [1.0, 2.0] = false;
    interior [1.0, 2.0] [1.0, 3.0] = false;
    interior [entire] [entire] = true;
    disjoint [1.0, 2.0] [2.0, 3.0] = false;
    less [1.0, 2.0] [1.0, 3.0] = true;
    strictLess [1.0, 2.0] [1.0, 3.0] = false;
    precedes [1.0, 2.0] [2.0, 3.0] = true;
    strictPrecedes [1.0, 2.0] [2.0, 3.0] = false;
    isEmpty [empty] = true;
    isEntire [entire] = true;
    isMember 1.0 [1.0, 2.0] = true;
    isMember infinity [entire] = false;
    isSingleton [0x1.999999999999Ap-4, 0x1.999999999999Ap-4] = true;
    isCommonInterval [1.0, infinity] = false;
    inf [-0.0, 1.0] = 0.0;
    sup [1.0, infinity] = infinity;
    mid [-infinity, 1.0] = -0x1.FFFFFFFFFFFFFp1023;
    mid [0x1.FFFFFFFFFFFFEp1023, 0x1.FFFFFFFFFFFFEp1023] = 0x1.FFFFFFFFFFFFEp1023;
    mid [empty] = NaN;
    rad [0x0.0000000000001p-1022, 0x0.0000000000002p-1022] = 0x0.0000000000001p-1022;
    wid [1.0, 0x1p60] = 0x1p60;
    mag [-3.0, 2.0] = 3.0;
    mig [-3.0, 2.0] = 0.0;
    mig [-3.0, -2.0] = 2.0;
}
testcase own.texts {
    b-textToInterval "[0.1, 2.5e3]" = [0x1.9999999999999p-4, 0x1.388p11];
    b-textToInterval "[1/3]" = [0x1.5555555555555p-2, 0x1.5555555555556p-2];
    b-textToInterval "[ -Inf , 0x1.8p1 ]" = [-infinity, 3.0];
    b-textToInterval "[1e999999999, ]" = [0x1.FFFFFFFFFFFFFp1023, infinity];
    b-textToInterval "[-1e-999999999, 0]" = [-0x0.0000000000001p-1022, 0.0];
    b-textToInterval "2.50?1" = [0x1.3EB851EB851EBp1, 0x1.4147AE147AE15p1];
    b-textToInterval "2.5??d" = [-infinity, 2.5];
    b-textToInterval "[Empty]" = [empty];
    b-textToInterval "[2, 1]" = [empty] signal UndefinedOperation;
    b-textToInterval "[1.0000000000000002, 1.0000000000000001]" = [empty] signal UndefinedOperation;
    b-textToInterval "[10000000000000001/10000000000000000, 10000000000000002/10000000000000001]"
        = [empty] signal UndefinedOperation;
    b-textToInterval "[0x1.00000000000002p0, 0x1.00000000000001p0]" = [empty] signal UndefinedOperation;
    b-textToInterval "[1.0000000000000001, 1.0000000000000002]" = [1.0, 0x1.0000000000001p0];
    b-textToInterval "[inf]" = [empty] signal UndefinedOperation;
    b-textToInterval "hello" = [empty] signal UndefinedOperation;
    b-numsToInterval -1.0 infinity = [-1.0, infinity];
    b-numsToInterval infinity infinity = [empty] signal UndefinedOperation;
}
"""


def same(x, y):
    return x == y or (math.isnan(x) and math.isnan(y))


def from_text(text):
    try:
        return Interval.parse(text)
    except ValueError:
        return EMPTY


def from_numbers(low, high):
    try:
        return Interval(low, high)
    except ValueError:
        return EMPTY


def integer(function):
    return lambda *operands: function(*(int(x) if isinstance(x, float) else x for x in operands))


FUNCTIONS = {
    "pos": lambda x: +x, "neg": lambda x: -x, "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x,
    y: x * y,
    "div": lambda x, y: x / y, "recip": i.recip, "sqr": i.sqr, "sqrt": i.sqrt, "fma": i.fma, "pown": integer(i.pown),
    "pow": i.pow,
    "rootn": integer(i.rootn), "cbrt": i.cbrt,
    "exp": i.exp, "exp2": i.exp2, "exp10": i.exp10, "log": i.log, "log2": i.log2, "log10": i.log10, "sin": i.sin,
    "cos": i.cos, "tan": i.tan,
    "asin": i.asin, "acos": i.acos, "atan": i.atan, "atan2": i.atan2, "sinh": i.sinh, "cosh": i.cosh, "tanh": i.tanh,
    "asinh": i.asinh,
    "acosh": i.acosh, "atanh": i.atanh, "sign": i.sign, "ceil": i.ceil, "floor": i.floor, "trunc": i.trunc,
    "roundTiesToEven": i.round_to_even,
    "roundTiesToAway": i.round_to_away, "abs": i.abs, "min": i.min, "max": i.max, "sqrRev": i.reverse_square,
    "sqrRevBin": i.reverse_square,
    "absRev": i.reverse_absolute, "absRevBin": i.reverse_absolute, "sinRev": i.reverse_sine,
    "sinRevBin": i.reverse_sine, "cosRev": i.reverse_cosine,
    "cosRevBin": i.reverse_cosine, "tanRev": i.reverse_tangent, "tanRevBin": i.reverse_tangent,
    "coshRev": i.reverse_hyperbolic_cosine,
    "coshRevBin": i.reverse_hyperbolic_cosine, "pownRev": lambda c, n: i.reverse_integer_power(c, ENTIRE, int(n)),
    "pownRevBin": lambda c, x, n: i.reverse_integer_power(c, x, int(n)), "mulRev": i.reverse_multiply,
    "mulRevTen": i.reverse_multiply,
    "mulRevToPair": i.reverse_multiply_to_pair, "mulRevToPair1": lambda b, c: i.reverse_multiply_to_pair(b, c)[0],
    "mulRevToPair2": lambda b, c: i.reverse_multiply_to_pair(b, c)[1], "divRev1": i.reverse_divide_left,
    "divRev2": i.reverse_divide_right,
    "powRev1": i.reverse_power_base, "powRev2": i.reverse_power_exponent, "atan2Rev1": i.reverse_atan2_y,
    "atan2Rev2": i.reverse_atan2_x,
    "cancelMinus": i.cancel_minus, "cancelPlus": i.cancel_plus, "intersection": lambda x, y: x & y,
    "convexHull": lambda x, y: x | y,
    "equal": lambda x, y: x == y, "subset": i.subset, "interior": i.interior, "disjoint": i.disjoint, "less": i.less,
    "strictLess": i.strictly_less,
    "precedes": i.precedes, "strictPrecedes": i.strictly_precedes, "isEmpty": lambda x: x.is_empty,
    "isEntire": lambda x: x.is_entire,
    "isSingleton": lambda x: x.is_point, "isCommonInterval": lambda x: x.is_bounded and not x.is_empty,
    "isMember": lambda m, x: not math.isnan(m) and m in x, "inf": lambda x: x.lower, "sup": lambda x: x.upper,
    "mid": lambda x: x.mid,
    "rad": lambda x: x.rad, "wid": lambda x: x.width, "mag": lambda x: x.mag, "mig": lambda x: x.mig,
    "b-textToInterval": from_text, "b-numsToInterval": from_numbers,
}  # fmt: skip
EXACT = {
    "pos", "neg", "sign", "ceil", "floor", "trunc", "roundTiesToEven", "roundTiesToAway", "abs", "min", "max",
    "absRev", "absRevBin",
    "intersection", "convexHull", "b-textToInterval", "b-numsToInterval",
}  # fmt: skip
BASIC = {
    "add", "sub", "mul", "div", "recip", "sqr", "sqrt", "fma", "sqrRev", "sqrRevBin", "mulRev", "mulRevTen",
    "mulRevToPair",
    "mulRevToPair1", "mulRevToPair2", "divRev1", "divRev2", "cancelMinus", "cancelPlus",
}  # fmt: skip
TOLERANCES = {name: 0 if name in EXACT else 1 if name in BASIC else 2 for name in FUNCTIONS}
NOT_OFFERED = {  # of the standard's recommended functions, decorations and reductions
    "csch", "cot", "sec", "csc", "sech", "coth", "acoth", "hypot", "logp1", "expm1", "exp2m1", "exp10m1", "log2p1",
    "log10p1", "rSqrt",
    "compoundm1", "overlap", "isNaI", "newDec", "setDec", "decorationPart", "intervalPart", "d-textToInterval",
    "d-numsToInterval",
    "sum_nearest", "sum_abs_nearest", "sum_sqr_nearest", "dot_nearest", "nextOut",
}  # fmt: skip

NOT_TIGHTEST = {  # for x in [1/4, 1/2] and u > -1/2, x^u is below 2; and x^u >= 2 needs u <= -1/2 for x < 1
    "powRev2 [0.25, 0.5] [2.0, inf] [-inf, inf] = [-inf, inf]": Interval(-math.inf, -0.5),
    "powRev2 [0.25, 1.0] [2.0, inf] [-inf, inf] = [-inf, 0.0]": Interval(-math.inf, -0.5),
}  # published, and wider than need be

TOKEN = re.compile(
    r"""\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/              # what is skipped
      |(?P<text>"[^"]*")|(?P<interval>\[[^\]]*\](?:_\w+)?)|(?P<mark>[{};]|<=|=)|(?P<word>[^\s{};=\[\]"]+)""",
    re.VERBOSE | re.DOTALL,
)


def number(word):
    word = word.rstrip(",")
    return float.fromhex(word) if "x" in word.lower() else float(word)


def value(kind, word):
    """An operand or a result: an interval with its decimals rounded to nearest, a number, a truth value, a text."""
    if kind == "text":
        return word[1:-1]
    if kind == "interval":
        inner = word[1 : word.index("]")].strip().lower()
        if inner in ("", "empty"):
            return EMPTY
        if inner == "nai":
            return None
        ends = [-math.inf, math.inf] if inner in ("entire", ",") else [number(end.strip()) for end in inner.split(",")]
        return Interval(ends[0], ends[-1])
    if word in ("true", "false"):
        return word == "true"
    return number(word)


def statements(text):
    """(operation, operands, expected results, the line it stands in) for each statement."""
    name, tokens, line, start = "", [], 1, 1
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"line {line}: {text[position : position + 40]!r} is no ITL")
        if match.lastgroup is not None:
            start = line if not tokens else start
            tokens.append((match.lastgroup, match[0]))
        line += match[0].count("\n")
        position = match.end()
        if tokens and tokens[-1] == ("mark", "{") and tokens[0] == ("word", "testcase"):
            name, tokens = tokens[1][1], []
        elif tokens == [("mark", "}")]:
            tokens = []
        elif tokens and tokens[-1] == ("mark", ";"):
            yield name, start, tokens[:-1]
            tokens = []


def vectors(text):
    """The statements, with their values; those with NaI (decorated) or a word that is no value are told by None."""
    for name, line, tokens in statements(text):
        words = [word for _, word in tokens]
        sign = words.index("=") if "=" in words else words.index("<=")
        end = words.index("signal") if "signal" in words else len(words)
        try:
            operands, results = [value(*t) for t in tokens[1:sign]], [value(*t) for t in tokens[sign + 1 : end]]
        except ValueError:
            operands = results = [None]
        if words[end + 1 :] == ["PossiblyUndefinedOperation"] and inverted(operands[0]):
            results = [EMPTY]
        yield f"{name}, line {line}: {' '.join(words)}", words[0], operands, results


def inverted(text):
    """Whether a text states an interval without points: its lower end is above its upper one, however little.

    By the standard such a text is invalid, and the answer to it is [empty] with UndefinedOperation. Who cannot tell may
    answer an interval around the ends with PossiblyUndefinedOperation, as some published vectors do. We read ends
    exactly, so we can tell.
    """
    ends = re.fullmatch(r"\[([^,]+),([^,]+)\]", text) if isinstance(text, str) else None
    return ends is not None and exactly(ends[1].strip()) > exactly(ends[2].strip())


def exactly(word):
    if "x" not in word.lower():
        return Fraction(word)
    digits, _, power = word.lower().removeprefix("0x").partition("p")
    whole, _, rest = digits.partition(".")
    return Fraction(int(whole + rest, 16), 16 ** len(rest)) * Fraction(2) ** int(power)


def ordinal(x):
    bits = int(np.float64(x).view(np.int64))
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def complaint(found, expected, tolerance):
    """Why a result is not good, or None."""
    if isinstance(expected, bool) or not isinstance(expected, Interval):
        return None if same(found, expected) else f"is {found}"
    if expected.is_empty or found.is_empty:
        return None if found == expected else f"is {found}"
    if not i.subset(expected, found):
        return f"is {found}, which does not contain it"
    for ours, theirs in ((found.lower, expected.lower), (found.upper, expected.upper)):
        few = tolerance + (tolerance > 0 and abs(theirs) <= 2.0**-1020)
        if abs(ordinal(ours) - ordinal(theirs)) > few:
            return f"is {found}, an end wider by {abs(ordinal(ours) - ordinal(theirs))} doubles"
    return None


def run(text):
    """Counts by operation, counts of what is not offered, complaints."""
    done, left, wrong = Counter(), Counter(), []
    for place, operation, operands, results in vectors(text):
        function = FUNCTIONS.get(operation)
        if function is None or any(v is None for v in (*operands, *results)):
            left[operation] += 1
            continue
        done[operation] += 1
        written = f"{operation} {' '.join(map(str, operands))} = {' '.join(map(str, results))}"
        results = [NOT_TIGHTEST.get(written, results[0]), *results[1:]]
        found = function(*operands)
        for ours, theirs in zip(found if isinstance(found, tuple) else (found,), results, strict=True):
            why = complaint(ours, theirs, TOLERANCES[operation])
            if why is not None:
                wrong.append(f"{place}: {why}")
    return done, left, wrong


OWN_CASES = list(vectors(OWN))


@pytest.mark.parametrize("case", OWN_CASES, ids=lambda c: c[0].split(": ")[1])
def test_our_own_vectors(case):
    _, operation, operands, results = case
    found = FUNCTIONS[operation](*operands)
    for ours, theirs in zip(found if isinstance(found, tuple) else (found,), results, strict=True):
        assert complaint(ours, theirs, TOLERANCES[operation]) is None


def test_who_can_tell_that_a_text_is_invalid_says_so():
    text = "".join(
        f'b-textToInterval "{ends}" = [1.0, 0x1.0000000000001p0] signal PossiblyUndefinedOperation;'
        for ends in (
            "[1.0000000000000001, 1.0000000000000002]",
            "[1.0000000000000002,1.0000000000000001]",
            "[10000000000000001/10000000000000000,10000000000000002/10000000000000001]",
            "[0x1.00000000000002p0,0x1.00000000000001p0]",
        )
    )
    done, _, wrong = run(f"testcase t {{ {text} }}")
    assert done == {"b-textToInterval": 4} and not wrong
    assert [results[0].is_empty for *_, results in vectors(f"testcase t {{ {text} }}")] == [False, True, True, True]


def test_every_operation_has_a_vector_of_ours():
    binary = {"mulRevToPair1", "mulRevToPair2"}  # as some collections write the two results of mulRevToPair
    assert {case[1] for case in OWN_CASES} >= set(FUNCTIONS) - binary - {
        "pos",
        "absRev",
        "sinRev",
        "cosRev",
        "tanRev",
        "coshRev",
    }


def test_the_reader_sees_what_is_wrong():
    text = (
        "sqr [1.0, 2.0] = [1.0, 3.0]; sqr [1.0, 2.0]_com = [1.0, 5.0]_com; sqr [1, 2] = [2, 3]; csch [1, 2] = [0, 1];"
    )
    done, left, wrong = run(f"testcase t {{ {text} }}")
    assert done == {"sqr": 3}
    assert left == {"csch": 1}
    assert [w.split(": ")[-1].split(",")[0] for w in wrong[::2]] == ["is [1.0", "is [1.0"]
    assert len(wrong) == 3


@pytest.mark.skipif(
    "CERTIFY_ITL" not in os.environ, reason="set CERTIFY_ITL to a folder with the *.itl files of ITF1788 to run them"
)
def test_the_vectors_of_others():
    files = sorted(Path(os.environ["CERTIFY_ITL"]).rglob("*.itl"))
    assert files, "CERTIFY_ITL names a folder without *.itl files"
    for path in files:
        done, left, wrong = run(path.read_text())
        assert set(left) <= NOT_OFFERED | set(FUNCTIONS), (
            f"{path}: unknown operations {set(left) - NOT_OFFERED - set(FUNCTIONS)}"
        )
        assert not wrong, f"{path}: {len(wrong)} of {done.total()}: " + "\n".join(wrong[:20])


def main(folder):
    """A table of counts by operation over all files of a folder."""
    done, left, wrong = Counter(), Counter(), []
    for path in sorted(Path(folder).rglob("*.itl")):
        one, two, three = run(path.read_text())
        done, left, wrong = done + one, left + two, wrong + three
    for name in sorted(done):
        print(f"{name:<20}{done[name]:>6}")
    print(f"{'together':<20}{done.total():>6}, {len(wrong)} of them wrong; not offered: {dict(sorted(left.items()))}")
    print("\n".join(wrong))


if __name__ == "__main__":
    main(sys.argv[1])
