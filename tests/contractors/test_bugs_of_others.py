"""What was once wrong in interval libraries of others, each under the name of the report: none of it may happen here.

Forward and reverse functions at the prompt, and the same through tapes, forward and backward as one sweep of hull
consistency.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from certify.contractors import interval as i
from certify.contractors.interval import EMPTY, ENTIRE, Interval
from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import forward
from certify.contractors.tape.tape import Builder, Operation

INFINITY = math.inf
HALF = PI_UPPER / 2


def contains(outer, low, high):
    return outer.lower <= low and high <= outer.upper


def sweep(build, allowed, *box):
    """The box after one forward-backward sweep of build(builder) in `allowed`; None if it is empty."""
    builder = Builder(len(box))
    tape = builder.tape((build(builder),))
    low, high = np.empty((tape.nodes, 1)), np.empty((tape.nodes, 1))
    low[: len(box), 0], high[: len(box), 0] = np.array(box, dtype=float).T
    forward(tape.inputs, tape.code, tape.constants, low, high, np.ones(1, dtype=np.bool_))
    output = tape.outputs[0]
    low[output], high[output] = max(low[output, 0], allowed[0]), min(high[output, 0], allowed[1])
    empty = np.zeros(1, dtype=np.bool_)
    backward(tape.inputs, tape.code, low, high, empty)
    ends = list(zip(low[: len(box), 0].tolist(), high[: len(box), 0].tolist(), strict=True))
    return None if empty[0] or any(a > b for a, b in ends) else ends


def unary(builder, name):
    method = getattr(builder, name.lower(), None)
    return method(0) if method else builder.function(Operation[name], 0)


class TestIbex:
    def test_134_the_angle_of_a_point_on_an_axis(self):
        """atan2(1, 0) = z was found to be empty, and so was atan2(-1, 0)."""
        assert contains(i.atan2(1, 0), HALF, HALF) or contains(i.atan2(1, 0), PI_LOWER / 2, PI_LOWER / 2)
        for y, z in ((1.0, HALF), (-1.0, -HALF)):
            box = sweep(lambda b: b.sub(2, b.atan2(1, 0)), (0.0, 0.0), (0.0, 0.0), (y, y), (-100.0, 100.0))
            assert box is not None
            assert box[2][0] <= z <= box[2][1] or math.isclose(box[2][0], z, rel_tol=1e-15)
            assert box[2][1] - box[2][0] < 1e-14

    def test_92_a_right_angle_within_the_image_narrows_the_abscissa(self):
        assert i.reverse_atan2_x(Interval(1, 2), Interval(math.pi / 4, 3 * math.pi / 4), Interval(-5, 5)).width < 4.0001

    def test_463_nothing_plus_something_is_nothing(self):
        assert Interval(3, 8) + (Interval(1, 3) & Interval(6, 7)) == EMPTY

    def test_470_a_product_that_vanishes(self):
        """x1 x2 = 0 on [-1, 1]^2 has solutions on both axes."""
        assert sweep(lambda b: b.mul(0, 1), (0.0, 0.0), (-1.0, 1.0), (-1.0, 1.0)) == [(-1.0, 1.0), (-1.0, 1.0)]
        assert i.reverse_multiply(Interval(-1, 1), 0, Interval(-1, 1)) == Interval(-1, 1)

    def test_471_a_square_keeps_negative_numbers(self):
        """y = x^2, also where the exponent is written as a number of another kind."""
        for n in (2, 2.0, Fraction(2)):
            assert Interval(-4, 4) ** n == Interval(0, 16)
        assert sweep(lambda b: b.sub(1, b.integer_power(0, 2)), (0.0, 0.0), (-4.0, 4.0), (-16.0, 16.0))[0] == (
            -4.0,
            4.0,
        )
        assert i.pow(Interval(-4, 4), 2).lower == 0.0  # the real power is one of positive numbers

    @pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8, 30, 31, -1, -2, -3])
    def test_58_522_529_559_powers_forward_and_back(self, n):
        for x in (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0):
            power = Interval(x) ** n
            assert Fraction(x) ** n in power
            for current in (ENTIRE, Interval(-3, 3), Interval(-INFINITY, x), Interval(x, INFINITY), Interval(x)):
                assert x in i.reverse_integer_power(power, current, n)
            box = sweep(lambda b: b.sub(1, b.integer_power(0, n)), (0.0, 0.0), (-3.0, 3.0), (power.lower, power.upper))
            assert box is not None
            assert box[0][0] <= x <= box[0][1]

    def test_147_a_cosine_of_giant_powers(self):
        """cost = cos(x1^30 + x2^30) on [-100000, 100000]^2 became empty."""

        def cost(b):
            return b.sub(2, b.cos(b.add(b.integer_power(0, 30), b.integer_power(1, 30))))

        box = sweep(cost, (0.0, 0.0), (-1e5, 1e5), (-1e5, 1e5), (-INFINITY, INFINITY))
        assert box is not None
        assert box[:2] == [(-1e5, 1e5), (-1e5, 1e5)]
        assert box[2][0] <= -1.0
        assert box[2][1] >= 1.0

    def test_215_cosines_of_giant_angles_end(self):
        """The projection of cos on [6746518849.1, 6746518851.3] did not end."""
        x = Interval(6746518849.1194171905517578125, 6746518851.2944488525390625)
        assert i.reverse_cosine(Interval(-INFINITY, 0.5), x).is_empty == (i.cos(x).lower > 0.5)
        middle = x.mid
        assert middle in i.reverse_cosine(i.cos(Interval(middle)), x)

    def test_248_a_tangent_next_to_its_pole(self):
        """tan([-pi/2 .. 3 pi/8]) was empty."""
        assert contains(i.tan(Interval(-PI_LOWER / 2, 3 * PI_UPPER / 8)), -1e15, 2.0)
        assert i.tan(Interval(-PI_UPPER / 2, 3 * PI_UPPER / 8)) == ENTIRE


class TestPyIbex11:
    def test_infinity_is_no_real_number(self):
        assert INFINITY not in ENTIRE
        assert -INFINITY not in ENTIRE

    @pytest.mark.parametrize(
        ("y", "x", "low", "high"),
        [
            ((0, 0), (-INFINITY, INFINITY), 0.0, PI_UPPER), ((-2, "-0.1"), (-INFINITY, INFINITY), -PI_UPPER, 0.0),
            ((-2, 0), (-INFINITY, INFINITY), -PI_UPPER, PI_UPPER), ((-2, 0), (-2, 1), -PI_UPPER, PI_UPPER),
            ((0, 1), (-INFINITY, INFINITY), 0.0, PI_UPPER), (("0.1", 1), (-INFINITY, INFINITY), 0.0, PI_UPPER),
        ],
    )  # fmt: skip
    def test_angles_of_half_planes_and_axes(self, y, x, low, high):
        assert i.atan2(Interval(*y), Interval(*x)) == Interval(low, high)

    def test_outside_the_domain_of_atanh_there_is_nothing(self):
        for x in (Interval(1, INFINITY), Interval(1), Interval(-INFINITY, -1), Interval(-1)):
            assert i.atanh(x) == EMPTY

    def test_the_sine_of_zero(self):
        assert 0 in i.sin(Interval(-PI_LOWER, 0.0))

    def test_a_projection_never_widens(self):
        x = Interval("-0.2", "0.2")
        assert i.reverse_absolute(Interval("-1.9", "0.2"), x) == x

    def test_the_power_of_order_0(self):
        assert i.reverse_integer_power(Interval(-1, 5), Interval(-51, 12), 0) == Interval(-51, 12)
        assert i.reverse_integer_power(1, ENTIRE, 0) == ENTIRE
        assert i.pown(EMPTY, 0) == EMPTY


class TestCodac:
    """#113, #389: points deleted by the projections of |x|, sqrt, log, acos, tan and atan2, at the ends of domains and
    images.
    """

    @pytest.mark.parametrize("x", [-1.0, -0.5, -0.0, 0.0, 5e-324, 0.25, 0.5, 1.0])
    @pytest.mark.parametrize(
        "operation", ["ABS", "SQRT", "LOG", "ACOS", "ASIN", "TAN", "ATAN", "SIN", "COS", "EXP", "SIGN"]
    )
    def test_no_point_is_deleted(self, operation, x):
        image = getattr(i, operation.lower())(Interval(x))
        if image.is_empty:
            return
        for a, b in ((x, x), (-INFINITY, x), (x, INFINITY), (-INFINITY, INFINITY), (-2.0, 2.0)):
            for c, d in (
                (image.lower, image.upper),
                (-INFINITY, image.upper),
                (image.lower, INFINITY),
                (-INFINITY, INFINITY),
            ):
                box = sweep(lambda builder: builder.sub(1, unary(builder, operation)), (0.0, 0.0), (a, b), (c, d))
                assert box is not None, (a, b, c, d)
                assert box[0][0] <= x <= box[0][1]

    @pytest.mark.parametrize("y", [-1.0, -0.0, 0.0, 1.0, 5e-324, -5e-324])
    @pytest.mark.parametrize("x", [-1.0, 0.0, 1.0, 5e-324, -5e-324])
    def test_no_point_is_deleted_by_the_angle(self, y, x):
        angle = i.atan2(y, x)
        if angle.is_empty:
            return
        for other in ((-2.0, 2.0), (-INFINITY, INFINITY), None):
            ranges = [other or (v, v) for v in (y, x)]
            for first, second in (((y, y), ranges[1]), (ranges[0], (x, x)), tuple(ranges)):
                box = sweep(lambda b: b.sub(2, b.atan2(0, 1)), (0.0, 0.0), first, second, (angle.lower, angle.upper))
                assert box is not None
                assert box[0][0] <= y <= box[0][1]
                assert box[1][0] <= x <= box[1][1]

    def test_what_lies_outside_the_domain_is_deleted(self):
        assert sweep(lambda b: b.sqrt(0), (-INFINITY, INFINITY), (-5.0, 4.0))[0][0] == 0.0
        assert sweep(lambda b: b.function(Operation.ACOS, 0), (-INFINITY, INFINITY), (-5.0, 4.0)) == [(-1.0, 1.0)]
        assert sweep(lambda b: b.function(Operation.ACOS, 0), (-INFINITY, INFINITY), (2.0, 4.0)) is None


class TestJulia:
    def test_683_the_cosine_over_a_period(self):
        """cos(2 pi [0.25, 1.25]) had its ends in the wrong order."""
        x = 2 * Interval(PI_LOWER, PI_UPPER) * Interval("0.25", "1.25001")
        assert i.cos(x) == Interval(-1, 1)
        assert i.sin(Interval(-math.pi / 2, 3 * math.pi / 2)) == Interval(-1, 1)  # ValidatedNumerics.jl #152

    def test_21_the_tangent_over_a_pole(self):
        assert i.tan(Interval(6.638314112824137, 8.38263151220128)) == ENTIRE

    def test_239_the_sine_of_a_giant_number(self):
        assert 0 <= i.sin(Interval(2) ** 1000).width < 1e-15


class TestOthers:
    def test_intvalpy_the_exponential_of_a_wide_interval(self):
        assert 1 in i.exp(Interval(0, 1000))
        assert i.exp(Interval(0, 1000)) == Interval(1, INFINITY)

    def test_ekmett_58_the_sine_of_zero_is_zero(self):
        assert i.sin(0) == Interval(0)
        assert i.sin(Interval(0, 1)).lower == 0.0

    def test_libfive_574_a_fractional_power(self):
        assert contains(i.pow(Interval(4, 8), Fraction(1, 3)), 4 ** (1 / 3), 2.0)

    def test_rival_12_negative_bases_of_real_powers(self):
        assert i.pow(Interval(-2, -1), Fraction(1, 3)) == EMPTY
        assert i.pow(0, 0) == EMPTY
        assert i.rootn(Interval(-8, -1), 3) == Interval(-2, -1)
