"""What explanations say of verified certificates is true: of systems whose solutions, and sets whose areas are known.

Each sentence of the claim and of what is assumed is read by one of the patterns below and held against exact truth; one
that no pattern reads fails. Formulas are read by the reader of problem files.
"""

import json
import random
import re
from fractions import Fraction

import pytest

from certify.__main__ import main
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import Numbers, evaluate

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
NAMES = "The names are those of the file, and nothing is concluded from them:"
EXACT = Numbers(Fraction, None)


def value(formula, point):
    """Of a formula without roots and the like, exactly."""
    return evaluate(parse_formula(formula, "here"), point, EXACT, "here")


def run(capsys, *words):
    code = main([*map(str, words), "--json", "--quiet"])
    return code, json.loads(capsys.readouterr().out)


def sections(text):
    """The sentences under each title, lines that belong together joined."""
    found, title = {}, ""
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            title = line
            found[title] = []
        elif line.startswith("    ") and not (found[title] and found[title][-1].startswith("- ")):
            found[title].append(line)
        elif line.strip():
            joins = (
                found[title]
                and not found[title][-1].startswith("    ")
                and not found[title][-1].endswith((".", ":", ".)"))
            )
            found[title][-1:] = [f"{found[title][-1]} {line.strip()}"] if joins else [*found[title][-1:], line.strip()]
    return found


def hold(sentences, rules):
    """Every sentence is read by one rule, a pattern with a judge of its groups, and is true."""
    for sentence in sentences:
        judged = [
            judge(*match.groups())
            for pattern, judge in rules.items()
            if (match := re.fullmatch(pattern, sentence.strip()))
        ]
        assert len(judged) == 1, f"{len(judged)} patterns read {sentence!r}"
        assert judged[0] is not False, f"false: {sentence!r}"


def about(said, mark, exact):
    """A number that is exact, or said to be about so much."""
    return Fraction(said) == exact if not mark else abs(Fraction(said) - exact) <= abs(exact) / 10**8


class Planted:
    """(x - a)(x - b)(x - c) = 0, y = p x + q (+ r x^2), and perhaps s y <= t: solutions are known."""

    def __init__(self, seed):
        choose = random.Random(seed)
        self.roots = sorted(Fraction(choose.randint(-40, 40), choose.choice((7, 8, 9))) for _ in range(3))
        while len(set(self.roots)) < 3 or min(
            b - a for a, b in zip(self.roots, self.roots[1:], strict=False)
        ) < Fraction(1, 4):
            self.roots = sorted(Fraction(choose.randint(-40, 40), choose.choice((7, 8, 9))) for _ in range(3))
        self.line = [Fraction(choose.randint(-9, 9), choose.choice((2, 3, 4))) for _ in range(3)]
        self.inequality = choose.choice((None, "<=", ">="))
        self.limit = Fraction(choose.randint(-200, 200), 7)
        self.low = Fraction(-6) if choose.random() < 0.6 else self.roots[0] + Fraction(1, 16)
        self.solutions = [(x, self.y(x)) for x in self.roots if x >= self.low and self.allows(self.y(x))]

    def y(self, x):
        return self.line[0] * x * x + self.line[1] * x + self.line[2]

    def allows(self, y):
        return self.inequality is None or (y <= self.limit if self.inequality == "<=" else y >= self.limit)

    @property
    def text(self):
        product = "*".join(f"(x - ({root}))" for root in self.roots)
        p, q, r = self.line
        more = (
            ""
            if self.inequality is None
            else f" -3*y {self.inequality.translate(str.maketrans('<>', '><'))} -3*({self.limit});\n"
        )
        return (
            f"Variables x in [{self.low}, 6]; y in [-1000, 1000];\nConstraints\n {product} = 0;\n y = "
            f"({p})*x^2 - x*(-({q})) + {r};\n{more}end\n"
        )

    def solves(self, number, point):
        """Whether a point solves the constraint of this number."""
        x, y = point
        return (x in self.roots, y == self.y(x), self.allows(y))[number]

    def points(self):
        """Some that solve constraints, and some that do not."""
        choose = random.Random(str(self.roots))
        others = [(x, Fraction(choose.randint(-900, 900), 9)) for x in (*self.roots, Fraction(1, 3), Fraction(-5, 2))]
        return [
            *self.solutions,
            *((x, self.y(x)) for x in (Fraction(2, 3), Fraction(-7, 4), *self.roots)),
            *others,
            (Fraction(1), self.limit),
        ]

    def claims(self):
        count, boxes = len(self.solutions), []
        system = r"the system of 2 equations(?: and 1 inequality)? in 2 unknowns"

        def box(_, x, x_radius, y, y_radius):
            ends = [(Fraction(m) - Fraction(r), Fraction(m) + Fraction(r)) for m, r in ((x, x_radius), (y, y_radius))]
            inside = [
                s for s in self.solutions if all(low <= v <= high for v, (low, high) in zip(s, ends, strict=True))
            ]
            boxes.extend(inside)
            return len(inside) >= 1

        rules = {
            rf"In the search box {system} has no solution at all\.": lambda: count == 0,
            rf"In the search box {system} has exactly (\d+) solutions?, each alone in its box \(which need "
            rf"not be small\):": (lambda n: int(n) == count),
            rf"(\d): x = ({NUMBER}) \+-({NUMBER}), y = ({NUMBER}) \+-({NUMBER})": box,
            r"No point of the search box satisfies all 3 conditions\.": lambda: count == 0,
            r"No values of the 2 unknowns in the search box explain all 2 equations exactly\.": lambda: count == 0,
            r"\(The model error of some values: .*\)": lambda: True,
        }
        return rules, boxes

    def assumptions(self):
        def equation(number, formula):
            return all(
                (value(formula, dict(zip("xy", point, strict=True))) == 0) == self.solves(int(number) - 1, point)
                for point in self.points()
            )

        def condition(number, formula, low, high):
            low, high = Fraction(low), Fraction(high or low)
            held = (
                (low <= value(formula, dict(zip("xy", p, strict=True))) <= high, self.solves(int(number) - 1, p))
                for p in self.points()
            )
            return all(a == b for a, b in held)

        ends = {"x": (self.low, Fraction(6)), "y": (Fraction(-1000), Fraction(1000))}
        return {
            r"Nothing is said about values outside the search box:": lambda: True,
            rf"([xy]): (about )?({NUMBER}) \.\. (about )?({NUMBER})": lambda v, one, low, two, high: (
                about(low, one, ends[v][0]) and about(high, two, ends[v][1])
            ),
            r"The equation equation(\d): (.*) = 0\.": equation,
            r"The model of equation(\d): the error of a row is \|(.*)\|\.": equation,
            r"A condition holds where its function is defined and within the ends .*": lambda: True,
            NAMES: lambda: True,
            rf"(?:equation|inequality)(\d): (.*) is (?:from )?({NUMBER})(?: to ({NUMBER}))?": condition,
        }

    def impossible(self, variable, sign, end):
        """Of what is left of the box; the other sentences about parts of it are not judged."""
        values = [solution["xy".index(variable)] for solution in self.solutions]
        return not any(v <= Fraction(end) if sign == "<=" else v >= Fraction(end) for v in values)


@pytest.mark.parametrize("seed", range(4))
def test_systems(seed, tmp_path, capsys):
    planted = Planted(seed)
    path, folder = tmp_path / "system.bch", tmp_path / "out"
    path.write_text(planted.text)
    code, answer = run(capsys, "run", path, "--out", folder)
    assert code == 0 and answer["certificate"]["verified"], answer
    code, checked = run(capsys, "check", path, folder / "solutions.cert")
    rules, boxes = planted.claims()
    assert code == 0 and checked["verified"]
    hold([word[:-1] + ":" if "(which need not be small)" in word else word for word in checked["in_words"]], rules)
    said = sections(run(capsys, "explain", folder / "solutions.cert")[1]["text"])
    hold(said["What is claimed"], rules)
    assert sorted(boxes) == sorted(planted.solutions)
    hold(said["What is assumed"], planted.assumptions())
    cuts = [
        re.search(rf"(?:^\s+\d+\. |The first cut: )([xy]) (<=|>=) ({NUMBER}) is impossible", line)
        for line in said["How the proof goes"]
    ]
    assert all(planted.impossible(*match.groups()) for match in cuts if match)


def test_parts_of_the_box_are_told_from_the_box(tmp_path, capsys):
    """x >= 0.5 is impossible only where y is small: where the box was divided, a cut says so."""
    canonical = """certify-problem 2
variables 2
x 1 0 1
y 1 0 1
columns 0
tapes 1
tape t 2 3
sub 0 1
const 3
add 2 3
families 1
F 0 1 v0 v1
end
"""
    import hashlib

    head = (
        f"certify-certificate 5\nproblem {hashlib.sha256(canonical.encode()).hexdigest()}\nprecision "
        f"64\nscope F\nbox\nnorm largest\ndiscard 0\n"
    )
    tree = (
        "tree\nsplit 0 1p-2\nevaluate 0 0\nsplit 1 1p-1\nsplit 0 1p-1\nevaluate 0 0\nevaluate 0 "
        "0\nprepare 1\nevaluate 0 0\nend\n"
    )
    (tmp_path / "a.canonical").write_text(canonical)
    claims = "lower 0\nupper none\nwithin none\nvolume none\nzeros none\nminimum none\n"
    (tmp_path / "a.cert").write_text(head + claims + tree)
    assert run(capsys, "check", tmp_path / "a.canonical", tmp_path / "a.cert")[0] == 0
    lines = run(capsys, "explain", tmp_path / "a.cert", "--problem", tmp_path / "a.canonical")[1]["text"].split("\n")
    assert [line.strip() for line in lines if re.match(r"    \d\. ", line)] == [
        "1. x <= 0.25 is impossible, because of F.",
        "2. the box is divided at y = 0.5.",
        "3. in a part of the box x <= 0.5 is impossible, because of F.",
    ]


def clipped(corners, half):
    """A convex polygon and a half-plane a x + b y <= c, exactly."""
    a, b, c = half
    found = []
    for (x, y), (u, v) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        first, second = a * x + b * y - c, a * u + b * v - c
        found += [(x, y)] * (first <= 0)
        if first * second < 0:
            t = first / (first - second)
            found.append((x + t * (u - x), y + t * (v - y)))
    return found


def area(corners):
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(corners, [*corners[1:], *corners[:1]], strict=True))) / 2


class Polygon:
    """Half-planes in a box."""

    def __init__(self, seed):
        choose = random.Random(f"polygon {seed}")
        self.ends = [(Fraction(-choose.randint(4, 9), 3), Fraction(choose.randint(4, 9), 3)) for _ in range(2)]
        (a, b), (c, d) = self.ends
        self.box = [(a, c), (b, c), (b, d), (a, d)]
        self.halves = [
            tuple(Fraction(v) for v in (choose.randint(-5, 5), choose.choice((-3, -1, 2, 4)), choose.randint(1, 5)))
            for _ in range(2)
        ]
        self.corners = self.box
        for half in self.halves:
            self.corners = clipped(self.corners, half)
        self.whole, self.area = area(self.box), area(self.corners)

    @property
    def text(self):
        (a, b), (c, d) = self.ends
        rows = "".join(f" ({p})*x - y*(-({q})) <= {r};\n" for p, q, r in self.halves)
        return f"Variables x in [{a}, {b}]; y in [{c}, {d}];\nConstraints\n{rows}end\n"

    def holds(self, point, strictly=False):
        sides = [p * point[0] + q * point[1] - r for p, q, r in self.halves]
        return all(side < 0 if strictly else side <= 0 for side in sides)

    def points(self):
        choose = random.Random(5)
        found = [
            tuple(low + (high - low) * Fraction(choose.randint(0, 97), 97) for low, high in self.ends)
            for _ in range(40)
        ]
        return [*found, *self.corners]

    def rules(self, inside, whole_set):
        """`inside`: the system was given, so that its violations are known to be that; `whole_set`: the rows are its
        own conditions.
        """
        of_rows = self.area if whole_set else self.whole - self.area
        corners = self.corners if whole_set else [p for p in self.box if not self.holds(p, strictly=True)]

        def hull(v, low, high, share):
            place = "xy".index(v)
            width = self.ends[place][1] - self.ends[place][0]
            apart = (Fraction(high) - Fraction(low)) / width
            in_hull = all(Fraction(low) <= corner[place] <= Fraction(high) for corner in corners)
            return in_hull and (
                share is None or Fraction(share) >= apart - Fraction(1, 10**6)
            )  # the ends are rounded outwards

        def condition(number, formula, low, high):
            told = [
                Fraction(low) <= value(formula, dict(zip("xy", p, strict=True))) <= Fraction(high)
                for p in self.points()
            ]
            p, q, r = self.halves[int(number) - 1]
            sides = [p * x + q * y - r for x, y in self.points()]
            return told == [side <= 0 if whole_set else side >= 0 for side in sides]

        share = rf"(?:at most )?({NUMBER}) of the search box"
        only_if = r"\(The certificate calls these conditions violations of a system, which .* would satisfy: .*\)"
        satisfied = rf"So the set of the points that satisfy the system has an area of at least ({NUMBER})\."
        violations = (
            r"This is shown by proving that nowhere else .* these violations are the rows of the problem, "
            r"(\d) rows?, .*"
        )
        which = r"all 2 conditions" if whole_set else r"1 or more of the 2 conditions"
        return {
            rf"No point of the search box satisfies {which}\.": lambda: of_rows == 0,
            rf"All points of the search box that satisfy {which} lie in their hull, a box\. \(There may be "
            rf"none at all\.\)": lambda: None,
            rf"([xy]): ({NUMBER}) \.\. ({NUMBER}) \((?:(?:at most )?({NUMBER})|all) of the search box\)": hull,
            rf"The set of these values has an area of at most ({NUMBER}) \({share}\), measured in the units "
            rf"of x, y\.": (lambda v, s: Fraction(v) >= of_rows and Fraction(s) >= of_rows / self.whole),
            rf"So what is not among them in the search box has an area of at least ({NUMBER})\.": lambda v: (
                Fraction(v) <= self.whole - of_rows
            ),
            only_if: lambda: not whole_set and not inside,
            rf"Every point of the search box, but for boxes of a total area of at most ({NUMBER}) \({share}\), "
            r"satisfies all conditions of the system, whether its inequalities are strict or not\.": (
                lambda v, s: (
                    inside
                    and Fraction(v) >= self.whole - self.area
                    and Fraction(s) >= (self.whole - self.area) / self.whole
                )
            ),
            r"Every point of the search box satisfies all conditions of the system, .*": lambda: (
                inside and self.area == self.whole
            ),
            satisfied: lambda v: inside and Fraction(v) <= self.area,
            violations: lambda n: inside and n == "2",
            r"\(Those boxes lie in this one, so that every point outside it satisfies the system:\)": lambda: inside,
            rf"([xy]): ({NUMBER}) \.\. ({NUMBER})": lambda v, low, high: hull(v, low, high, None),
            r"Some point of the search box satisfies all 2 conditions; the certificate holds it:": lambda: (
                self.area > 0
            ),
            rf"([xy]) = (about )?({NUMBER})": lambda v, mark, n: (
                self.ends["xy".index(v)][0] <= Fraction(n) <= self.ends["xy".index(v)][1]
            ),
            r"Nothing is said about values outside the search box:": lambda: True,
            rf"([xy]): (about )?({NUMBER}) \.\. (about )?({NUMBER})(?!.)": lambda v, one, low, two, high: (
                about(low, one, self.ends["xy".index(v)][0]) and about(high, two, self.ends["xy".index(v)][1])
            ),
            r"A (?:condition|violation, which is what is refuted,) holds where its function is defined and "
            r"within the ends .*": lambda: True,
            NAMES: lambda: True,
            rf"(?:inequality|violation)(\d): (.*) is from ({NUMBER}) to ({NUMBER})": condition,
        }


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
def test_sets(seed, tmp_path, capsys):
    planted = Polygon(seed)
    path, folder = tmp_path / "system.bch", tmp_path / "out"
    path.write_text(planted.text)
    code, answer = run(capsys, "run", path, "--out", folder)
    assert code == 0, answer
    names = [name for name in ("outer", "inner", "point") if (folder / f"{name}.cert").exists()]
    assert names, answer
    for name in names:
        code, checked = run(capsys, "check", path, folder / f"{name}.cert")
        assert code == 0 and checked["verified"]
        search_box = r"([xy]): (about )?"
        for given in ((), ("--problem", path)):
            said = sections(run(capsys, "explain", folder / f"{name}.cert", *given)[1]["text"])
            rules = planted.rules(bool(given), name != "inner")
            box = {pattern: rule for pattern, rule in rules.items() if pattern.startswith(search_box)}
            hold(said["What is claimed"], {pattern: rule for pattern, rule in rules.items() if pattern not in box})
            plain = rf"([xy]): ({NUMBER}) \.\. ({NUMBER})"
            hold(said["What is assumed"], {pattern: rule for pattern, rule in rules.items() if pattern != plain})
        if name == "point":
            point = [Fraction(n) for n in re.findall(rf"[xy] = ({NUMBER})$", "\n".join(said["What is claimed"]), re.M)]
            assert len(point) < 2 or planted.holds(point)
        hold(
            checked["in_words"],
            {
                p.replace("holds it:", r"holds it\."): r
                for p, r in planted.rules(True, name != "inner").items()
                if p not in box
            },
        )
