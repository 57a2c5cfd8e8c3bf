"""Nothing false is said of the parameters of planted linear models: their vertices are listed exactly."""

import random
from fractions import Fraction
from itertools import combinations

import planted_regressors as truth
import pytest
from reading_identify import read_identify
from running import run
from statements import ruled


class Judge:
    """The exact answer about small integers and decimals, which are doubles where it matters."""

    def __init__(self, W, y, bound, box, estimate):
        ends = [(Fraction(v) - bound, Fraction(v) + bound) for v in y]
        walls = [(-(10**100) if low is None else low, 10**100 if high is None else high) for low, high in box]
        found = truth.halves(W, *zip(*ends, strict=True), walls)
        self.W, self.y, self.bound, self.names = W, y, bound, [f"p{j}" for j in range(len(box))]
        count = len(dict.fromkeys(truth.halves(W, *zip(*ends, strict=True))))
        self.corners = truth.vertices(found)
        self.error = max(Fraction(0), truth.smallest_error(found, [int(k < count) for k in range(len(found))]))
        middle = [(Fraction(v), Fraction(v)) for v in y]
        exact = truth.halves(W, *zip(*middle, strict=True), walls)
        count = len(dict.fromkeys(truth.halves(W, *zip(*middle, strict=True))))
        self.factor = truth.smallest_error(exact, [bound * (k < count) for k in range(len(exact))])
        x = list(map(Fraction, estimate))
        self.misses = [abs(truth.dot(map(Fraction, a), x) - Fraction(v)) - bound for a, v in zip(W, y, strict=True)]
        self.walls, self.listed = walls, {}

    def corners_of(self, rows):
        """The vertices of what some rows leave of the search box."""
        ends = [(Fraction(self.y[k]) - self.bound, Fraction(self.y[k]) + self.bound) for k in rows]
        lower, upper = ([pair[side] for pair in ends] for side in (0, 1))
        return truth.vertices(truth.halves([self.W[k] for k in rows], lower, upper, self.walls))

    def reach_at(self, part, bound):
        """How far a parameter reaches within another bound; nothing if nothing fits."""
        key = "bound", bound
        if key not in self.listed:
            ends = [(Fraction(v) - bound, Fraction(v) + bound) for v in self.y]
            self.listed[key] = truth.vertices(truth.halves(self.W, *zip(*ends, strict=True), self.walls))
        return [corner[self.names.index(part)] for corner in self.listed[key]]

    def given_misses(self):
        """By how much each row is beyond its bound at the values that were given."""
        pairs = zip(self.W, self.y, strict=True)
        return [abs(truth.dot(map(Fraction, a), self.values) - Fraction(v)) - self.bound for a, v in pairs]

    def inside(self):
        """Whether these are within the prior ranges."""
        return all(low <= x <= high for x, (low, high) in zip(self.values, self.walls, strict=True))

    def area(self):
        """Of one or two parameters; nothing is known of three here."""
        if not self.corners or len(self.names) > 2:
            return 0
        if len(self.names) == 1:
            return max(self.corners)[0] - min(self.corners)[0]
        return truth.area(self.corners)

    def width_at(self, part, bound, width):
        reach = self.reach_at(part, bound)
        return not reach or max(reach) - min(reach) <= width

    def choices(self, count):
        """What is left of the rows, and its vertices, for each choice of so many rows to leave out."""
        if count not in self.listed:
            rows = range(len(self.y))
            gone = combinations(rows, min(count, len(self.y)))
            self.listed[count] = [self.corners_of([k for k in rows if k not in found]) for found in gone]
        return self.listed[count]

    def fewest(self, count):
        """Whether no choice of fewer rows does."""
        return count == 0 or not any(self.choices(count - 1))

    def in_spite(self, part, count, low, high):
        """Whether an interval holds all that fit all rows but so many."""
        j = self.names.index(part)
        reach = [corner[j] for corners in self.choices(count) for corner in corners]
        return all((low is None or low <= x) and (high is None or x <= high) for x in reach)

    def holds(self, said):
        return ruled(RULES, self, said)

    def interval(self, part, low, high):
        reach = [corner[self.names.index(part)] for corner in self.corners]
        return all((low is None or low <= x) and (high is None or x <= high) for x in reach)

    def within(self, gap):
        """Whether consistent parameters are so near to each interval's ends."""
        return all(
            max(high - max(reach), min(reach) - low) <= gap * (high - low)
            for j, (low, high) in enumerate(self.told)
            for reach in [[corner[j] for corner in self.corners]]
        )

    def identified(self, part):
        reach = [corner[self.names.index(part)] for corner in self.corners]
        return bool(reach) and (min(reach) > 0 or max(reach) < 0)

    def of_rows(self, low, rows):
        """These rows alone prove it."""
        chosen = [row - 1 for row in rows]
        ends = [(Fraction(self.y[k]) - self.bound, Fraction(self.y[k]) + self.bound) for k in chosen]
        found = truth.halves([self.W[k] for k in chosen], *zip(*ends, strict=True), self.walls)
        count = len(dict.fromkeys(truth.halves([self.W[k] for k in chosen], *zip(*ends, strict=True))))
        return low < truth.smallest_error(found, [int(k < count) for k in range(len(found))])


RULES = {
    "error above": lambda judge, _, low: low < judge.error,
    "error above of rows": lambda judge, _, low, rows: judge.of_rows(low, rows),
    "error at least": lambda judge, _, low: low <= judge.error,
    "error at most": lambda judge, _, high: high >= judge.error,
    "factor at least": lambda judge, _, low: low <= judge.factor,
    "factor at most": lambda judge, _, high: high >= judge.factor,
    "bound at least": lambda judge, _, low: low <= judge.factor * judge.bound,
    "bound at most": lambda judge, _, high: high >= judge.factor * judge.bound,
    "fit at least": lambda judge, _, low: low <= max(0, *judge.misses),
    "fit above": lambda judge, _, low, row: low < judge.misses[row - 1],
    "fit at most": lambda judge, _, high: high >= max(judge.misses),
    "interval": lambda judge, part, low, high: judge.interval(part, low, high),
    "identified": lambda judge, part: judge.identified(part),
    "rows": lambda judge, _, rows: rows == len(judge.y),
    "fewest at least": lambda judge, _, count: judge.fewest(count),
    "fits without": lambda judge, _, rows: bool(
        judge.corners_of([k for k in range(len(judge.y)) if k + 1 not in rows])
    ),
    "contradict": lambda judge, _, rows: not judge.corners_of([row - 1 for row in rows]),
    "named": lambda judge, _, rows, count: len(set(rows)) == count and set(rows) <= set(range(1, len(judge.y) + 1)),
    "interval in spite": lambda judge, part, count, low, high: judge.in_spite(part, count, low, high),
    "given at most": lambda judge, _, high: judge.inside() and high >= max(0, *judge.given_misses()),
    "given above": lambda judge, _, low, row: low < judge.given_misses()[row - 1],
    "given outside": lambda judge, _: not judge.inside(),
    "volume at most": lambda judge, _, volume: volume >= judge.area(),
    "share": lambda judge, _, share: 0 <= share <= 1,
    "between": lambda judge, _, a, low, high: all(low <= truth.dot(a, x) <= high for x in judge.corners),
    "width at": lambda judge, part, bound, width: judge.width_at(part, bound, width),
    "interval at": lambda judge, part, bound, low, high: all(
        (low is None or low <= x) and (high is None or x <= high) for x in judge.reach_at(part, bound)
    ),
    "gap in spite": lambda judge, _, gap: 0 <= gap <= 1,
    "gap": lambda judge, _, gap: judge.within(gap),
}


@pytest.mark.parametrize("number", range(12))
def test_nothing_false_is_said_of_a_planted_linear_model(number, tmp_path):
    chosen = random.Random(number)
    size, rows = chosen.randint(1, 3), chosen.randint(3, 5)
    theta = [chosen.randint(-8, 8) / 4 for _ in range(size)]
    W = [[chosen.randint(-12, 12) / 4 for _ in range(size)] for _ in range(rows)]
    noise = chosen.choice([0.25, 1.0])
    y = [
        round(sum(a * x for a, x in zip(row, theta, strict=True)) + chosen.uniform(-noise, noise), 3) for row in W
    ]  # decimals, read as the doubles nearest to them
    lines = [",".join([*(f"p{j} [kg]" for j in range(size)), "tau [Nm]"])]
    lines += [",".join(map(repr, [*row, value])) for row, value in zip(W, y, strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    box = [chosen.choice([(None, None), (0, None), (-3, 3)]) for _ in range(size)]
    prior = [
        f"p{j} = {'' if low is None else low} .. {'' if high is None else high}" for j, (low, high) in enumerate(box)
    ]
    words = ["identify", str(tmp_path / "rows.csv"), "--y", "tau", "--bound", "0.4 Nm", "--prior", ", ".join(prior)]
    words += chosen.choice([[], ["--closed-form"]])
    words += [["--outliers"], ["--relaxed", "1"], ["--outliers", "--relaxed", "2"], ["--widths", "--polytope"]][
        number % 4
    ]
    values = [Fraction(chosen.randint(-60, 60), 10) for _ in range(size)]
    words += ["--values", ", ".join(f"p{j} = {float(value)}" for j, value in enumerate(values))]
    told = run([*words, "--out", str(tmp_path / "out"), "--quiet"], tmp_path / "out")
    estimate = [found["estimated_least_squares"] for found in told.json["parameters"]]
    judge = Judge(W, y, Fraction("0.4"), box, estimate)
    judge.values = values
    judge.told = [
        tuple(map(Fraction, found["interval"])) for found in told.json["parameters"] if None not in found["interval"]
    ]
    said = list(read_identify(told))
    assert len(said) >= 4
    for statement in said:
        assert judge.holds(statement), statement
