"""Random and hostile files are told or refused, and every number of a claim is on the safe side of the exact one.

Names are taken that could make a sentence false (`no`, `violation1`, `leg1.proved`), units that could become a part of
a number (`000`, `e5`), and numbers of any size. Most certificates here prove nothing: an explanation says what is
claimed, and that nothing is verified.
"""

import hashlib
import json
import random
import re
from fractions import Fraction

import pytest

from certify.checker.outcome import Rejection, ResourceLimit
from certify.checker.problem import OPERANDS
from certify.explaining.explanation import explain
from certify.explaining.explanation_json import as_json
from certify.explaining.explanation_text import claim, text
from certify.explaining.explanation_words import Files
from certify.explaining.problem_files import widened

FILES = Files("a.cert", "problem.canonical", "The file beside it,", (), "certify check problem.canonical a.cert")
NAMES = [
    *(
        "no",
        "all",
        "none",
        "violation1",
        "undefined2",
        "leg1.proved",
        "leg1",
        "a-b",
        "pi",
        "x.y",
        "x.",
        "sqrt",
        "e5",
        "column",
        "equation1",
    ),
    *("inequality2", "witness", "verified", "tree", "box", "c0", "v1", "A1.b-2", "exactly", "not", "zeros", "about"),
]
UNITS = ("1", "mm", "deg", "000", "e5", "m^2", "-5", "m/s", "1.5", "E-3x", "/", "rad")
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
UNIT = r"(?: [('A-Za-z][^ ,:]*)*"


def dyadic(value):
    return f"{value.numerator}p-{value.denominator.bit_length() - 1}" if value.denominator > 1 else str(value)


class Writer:
    """Random files; `bounds` are those of the scope's variables."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, positive=False):
        top = self.random.choice((1, 3, 10, 1000, 10**9, 10**30, 10**60))
        value = Fraction(
            self.random.randint(0 if positive else -top, top),
            self.random.choice((1, 1, 2, 3, 8, 1000, 7**9, 10**25, 3**60)),
        )
        return value

    def interval(self):
        low = self.number()
        width = self.random.choice((0, 1, 1, abs(self.number()), Fraction(1, 3**50)))
        return low, low + width

    def problem(self):
        choose = self.random
        names = choose.sample(NAMES, len(NAMES))
        self.variables = [(names.pop(), choose.choice(UNITS), *self.interval()) for _ in range(choose.randint(1, 3))]
        self.system = choose.random() < 0.3  # of conditions, each with an amount of its own
        count = choose.randint(1, 3)
        columns = [(names.pop(), choose.choice(UNITS)) for _ in range(count if self.system else choose.randint(0, 2))]
        self.rows = [1 if self.system else choose.randint(1, 3) for _ in columns]
        self.columns = columns
        self.exact = not self.system and choose.random() < 0.4
        tapes, families = [], []
        for number in range(count):
            bound = [f"v{v}" for v in range(len(self.variables)) if choose.random() < 0.8 or v == number]
            column = choose.randrange(len(columns)) if columns and choose.random() < 0.7 else None
            column = number if self.system else column
            bound += [] if column is None else [f"c{column}"]
            bound = bound or ["v0"]
            rows = 1 if column is None else self.rows[column]
            tapes.append((len(bound), self.tape(len(bound), bound[-1][0] == "c")))
            families.append((names.pop(), number, rows, tuple(bound)))
        self.families = families
        lines = [
            "certify-problem 3",
            f"variables {len(self.variables)}",
            *(f"{n} {u} {a} {b}" for n, u, a, b in self.variables),
        ]
        lines.append(f"columns {len(columns)}")
        for (name, unit), rows in zip(columns, self.rows, strict=True):
            lines.append(f"column {name} {unit} {rows}")
            lines += [f"{a} {a if self.exact else b}" for a, b in (self.interval() for _ in range(rows))]
        lines.append(f"tapes {len(tapes)}")
        for number, (inputs, operations) in enumerate(tapes):
            lines += [f"tape t{number} {inputs} {len(operations)}", *operations]
        lines += [f"families {len(families)}", *(f"{n} {t} {r} {' '.join(b)}" for n, t, r, b in families), "end", ""]
        return "\n".join(lines)

    def tape(self, inputs, measured):
        found = []
        for node in range(inputs, inputs + self.random.randint(1, 7)):
            code = self.random.choice(sorted(OPERANDS))
            operands = (
                [self.number()] if code == "const" else [self.random.randrange(node) for _ in range(OPERANDS[code])]
            )
            found.append(" ".join([code, *map(str, operands)]))
        if measured and (self.system or self.random.random() < 0.2):  # a condition
            found = [line for line in found if str(inputs - 1) not in line.split()[1:]] or ["const 1"]
            found = [self.shifted(line, k, inputs) for k, line in enumerate(found)]
            found.append(f"sub {inputs + len(found) - 1} {inputs - 1}")
        return found

    def shifted(self, line, place, inputs):
        """The line, if it names only nodes before it and not the amount."""
        code, *operands = line.split(" ")
        return line if code == "const" or all(int(v) < inputs + place for v in operands) else f"const {place}"

    def certificate(self, problem):
        choose = self.random
        scope = [f for f in self.families if choose.random() < 0.8] or [self.families[0]]
        used = sorted({int(b[1:]) for *_, bound in scope for b in bound if b[0] == "v"})
        self.bounds = [self.variables[v][2:] for v in used]
        measured = sorted({int(b[1:]) for *_, bound in scope for b in bound if b[0] == "c"})
        squares = self.exact and choose.random() < 0.4
        kind = choose.choice(
            (
                "lower",
                "upper",
                "both",
                "within",
                "volume",
                "local" if squares else "zeros",
                "global" if squares else "point",
            )
        )
        claims = dict.fromkeys(("lower", "upper", "within", "volume", "zeros", "minimum"), "none")
        level = Fraction(0) if choose.random() < (0.9 if self.system else 0.5) else self.number(positive=True)
        discard = choose.randint(0, 3) if not squares and kind != "zeros" and choose.random() < 0.5 else 0
        if kind in ("lower", "both", "point"):
            claims["lower"] = level
        if kind in ("upper", "both"):
            claims["upper"] = level + (self.number(positive=True) + Fraction(1, 9) if kind == "both" else 0)
        if kind in ("within", "volume"):
            claims |= {"within": level} | ({"volume": self.number(positive=True)} if kind == "volume" else {})
        zeros = choose.randint(0, 3) if kind == "zeros" else 1 if kind in ("local", "global") else 0
        if kind == "zeros":
            claims["zeros"] = zeros
        if kind in ("local", "global"):
            claims["minimum"] = f"{kind} {level}"
        version, about, factor = choose.choice(((5, [], []), (6, *self.about(scope, claims, squares))))
        lines = [
            f"certify-certificate {version}",
            f"problem {hashlib.sha256(problem.encode()).hexdigest()}",
            f"precision {choose.choice((64, 128))}",
        ]
        lines += about or ["scope " + " ".join(name for name, *_ in scope)]
        inside = [low + (high - low) * Fraction(choose.randint(0, 7), 7) for low, high in self.bounds]
        lines += [" ".join(map(str, ["point", *inside])) if kind == "point" else "box", *factor]
        lines += [f"norm {'squares' if squares else 'largest'}", f"discard {discard}"]
        lines += [f"{word} {claims[word]}" for word in claims]
        if kind in ("upper", "both"):
            lines += ["witness", " ".join(map(str, ["values", *inside]))]
            lines += ["without"] if discard else []
            lines += [" ".join(["column", self.columns[c][0], *["0.5"] * self.rows[c]]) for c in measured]
        if kind in ("within", "volume"):
            lines += ["hull", *(f"{low + (high - low) / 3} {high}" for low, high in self.bounds)]
            lines += (
                [" ".join(map(str, ["facet", *(self.number() for _ in self.bounds), self.number()]))]
                if choose.random() < 0.3
                else []
            )
        if kind in ("zeros", "local", "global"):
            lines += ["isolated"]
            for _ in range(zeros):
                lines += [
                    " ".join(["zero", *map(self.small, self.bounds)]),
                    " ".join(["inverse", *["1"] * len(self.bounds) ** 2]),
                ]
        if kind not in ("upper", "local"):
            numbers = {family: place for place, family in enumerate(self.families)}
            leaves = [f"evaluate {numbers[f]} {choose.randrange(f[2])}" for f in scope]
            leaves += (
                [f"aggregate q{numbers[f]}.0+1" for f in scope]
                + ["open"] * (kind in ("within", "volume"))
                + ["known 0"] * (zeros > 0)
            )
            lines += ["tree", *self.tree(used, leaves, kind != "point", discard, choose.randint(0, 4))]
        return "\n".join([*lines, "end", ""])

    def about(self, scope, claims, squares):
        """The kind of a claim with its groups, and the factor on half-widths."""
        given = {word: claims[word] for word in claims if claims[word] != "none"}
        if claims["zeros"] != "none" or (self.system and not squares and not any(given.values())):
            kind = "violations" if self.random.random() < 0.3 and not {"upper", "zeros"} & set(given) else "system"
            roles = [
                "violation" if kind == "violations" else "equation" if f[3][-1][0] == "v" else "condition"
                for f in scope
            ]
            groups = [f"{role} rows 0 1 {family[0]}" for role, family in zip(roles, scope, strict=True)]
            return [f"claim {kind}", f"groups {len(groups)}", *(f"group {group}" for group in groups)], ["factor 1"]
        bounds = (0, 1) if squares or self.random.random() < 0.5 else (self.number(True), self.number(True))
        alike = len({family[2] for family in scope}) == 1
        norm = self.random.choice(("euclidean", "largest", "rows")) if alike and not squares else "rows"
        names = " ".join(family[0] for family in scope)
        factor = self.random.choice((0, 1, self.number(True)))
        return ["claim errors", "groups 1", f"group model {norm} {bounds[0]} {bounds[1]} {names}"], [f"factor {factor}"]

    def small(self, ends):
        """Two ends near the lower one of these, as dyadic numbers."""
        low = Fraction(round(ends[0] * 2**40), 2**40)
        return f"{dyadic(low)} {dyadic(low + Fraction(self.random.randint(1, 999), 2 ** self.random.randint(0, 90)))}"

    def tree(self, used, leaves, splits, discard, depth, box=None):
        box = list(self.bounds) if box is None else box
        if discard and self.random.random() < 0.5:
            return [
                "hitting 2",
                *self.tree(used, leaves, splits, 0, depth, box),
                *self.tree(used, leaves, splits, 0, depth, box),
            ]
        place = self.random.randrange(len(box)) if box else 0
        if not splits or not depth or not box or box[place][1] - box[place][0] < Fraction(1, 2**20):
            return [self.random.choice(leaves)]
        at = Fraction(round((box[place][0] + box[place][1]) / 2 * 2**40), 2**40)
        if not box[place][0] < at < box[place][1]:
            return [self.random.choice(leaves)]
        below, above = list(box), list(box)
        below[place], above[place] = (box[place][0], at), (at, box[place][1])
        first = (
            [self.random.choice(leaves)]
            if self.random.random() < 0.5
            else self.tree(used, leaves, splits, 0, depth - 1, below)
        )
        return [f"split {used[place]} {dyadic(at)}", *first, *self.tree(used, leaves, splits, 0, depth - 1, above)]


def one(pattern, sentence):
    found = re.search(pattern, sentence)
    assert found, (pattern, sentence)
    return found


def near(written, exact, least_digits=14):
    assert abs(Fraction(written) - exact) <= abs(exact) / 10 ** (least_digits - 1)


def told_as(written, exact):
    """A number that is no end of a claim: exact, or about it."""
    about, number = one(rf"^(about )?({NUMBER})$", written).groups()
    if about:
        near(number, exact, 9)
    else:
        assert Fraction(number) == exact


def check_ends(claims, certificate, sentences):
    """The numbers of `lower`, `upper` and their distance."""
    said = " ".join(sentences)
    if claims["lower"] is not None and certificate.within is None and "condition" not in said:
        if claims["lower"]:
            written = one(rf"(?:model error|sum of squared errors) of ({NUMBER}){UNIT} or less", said)[1]
            assert Fraction(written) <= claims["lower"]
            near(written, claims["lower"])
        else:
            assert " exactly" in said
    if claims["upper"] is not None and "condition" not in said and claims["upper"]:
        written = one(rf"do explain .* of at most ({NUMBER}){UNIT}[:.]", said)[1]
        assert Fraction(written) >= claims["upper"]
        near(written, claims["upper"])
    if claims["lower"] is not None and claims["upper"] is not None:
        written = one(rf"is known up to ({NUMBER}){UNIT}: it lies", said)[1]
        assert Fraction(written) >= claims["upper"] - claims["lower"]
    if claims["within"]:
        measure = "(?:model error|sum of squared errors)"
        assert (
            Fraction(one(rf"with a {measure} of at most ({NUMBER}){UNIT} lie in their hull", said)[1])
            <= claims["within"]
        )


def check_volume(explanation, sentences):
    claimed = explanation.certificate.volume
    whole = Fraction(1)
    for _, _, low, high in explanation.boxed():
        whole *= high - low
    said = " ".join(sentences)
    written, part = one(
        rf"at most ({NUMBER})(?: \((?:at most )?({NUMBER}) of the search box\))?, measured in the units of", said
    ).groups()
    assert Fraction(written) >= claimed
    near(written, claimed)
    assert whole == 0 or Fraction(part) >= min(claimed / whole, Fraction(1))
    rest = re.search(rf"is not among them in the search box has an? \w+ of at least ({NUMBER})\.", said)
    assert (rest is not None) == (claimed < whole)
    assert rest is None or Fraction(rest[1]) <= whole - claimed


def check_boxes(explanation, sentences):
    """The hull, the search box, the small boxes."""
    certificate = explanation.certificate
    lines = text(explanation, FILES).split("\n")
    for number, (name, unit, low, high) in enumerate(explanation.boxed()):
        unit_ = "" if unit == "1" else f" {unit}"
        start = f"    {name}: "
        told = [line.removeprefix(start) for line in lines if line.startswith(start) and " .. " in line]
        if certificate.point is None:
            ends = told[-1].removesuffix(unit_).split(" .. ")
            told_as(ends[0], low)
            told_as(ends[1], high)
        if certificate.hull is not None:
            pattern = (
                rf"^({NUMBER}) \.\. ({NUMBER}){re.escape(unit_)} \((?:(?:at most )?({NUMBER})|all) of the search box\)$"
            )
            lower, upper, part = one(pattern, told[0]).groups()
            least, most = certificate.hull.box[number]
            assert Fraction(lower) <= least and Fraction(upper) >= most
            assert part is None or Fraction(part) >= min((most - least) / (high - low), Fraction(1))
    names = [name for name, *_ in explanation.boxed()]
    for place, zero in enumerate(certificate.isolated if names else (), 1):
        if certificate.minimum is not None:
            told = [line for line in sentences if re.match(r"    \S+ = ", line)]
        else:
            told = next(line for line in sentences if line.startswith(f"    {place}: ")).split(": ", 1)[1].split(", ")
        for name, written, (low, high) in zip(names, told, zero.box, strict=True):
            middle, radius = re.fullmatch(
                rf"\s*{re.escape(name)} = ({NUMBER})(?: \S+)? \+-({NUMBER})", written
            ).groups()
            assert Fraction(middle) - Fraction(radius) <= low and Fraction(middle) + Fraction(radius) >= high


def check_values(explanation, sentences):
    """The point, or the witness."""
    certificate = explanation.certificate
    values = certificate.point or (certificate.witness.values if certificate.witness is not None else ())
    said = " ".join(sentences)
    for (name, unit, _, _), value in zip(explanation.boxed(), values, strict=True) if values else ():
        unit_ = "" if unit == "1" or explanation.conditions else f" {unit}"
        told_as(one(rf"{re.escape(name)} = ((?:about )?{NUMBER}){re.escape(unit_)}(?=[,.]? |\.?$)", said)[1], value)


def checked(seed):
    """What became of one pair of files."""
    from certify.explaining.explanation_claims import claim_lines

    writer = Writer(seed)
    problem = writer.problem()
    certificate = writer.certificate(problem)
    try:
        explanation = explain(problem.encode(), certificate.encode())
    except (Rejection, ResourceLimit) as refusal:
        return "refused", refusal
    whole = text(explanation, FILES)
    assert whole.isascii() and "nothing is verified" in whole
    assert json.loads(json.dumps(as_json(explanation, FILES)))["checked"] is False
    sentences = claim_lines(explanation)
    assert set(claim(explanation)) <= {re.sub(":$", ".", sentence) for sentence in sentences}
    assert not any(
        word in whole
        for word in ("satisfies all conditions of the system", "poses", "leg's", "is violated or just met")
    )
    found = explanation.certificate
    claims = {word: getattr(found, word) for word in ("lower", "upper", "within")}
    if not explanation.conditions and found.zeros is None and found.minimum is None:
        check_ends(claims, found, sentences)
    if found.volume is not None:
        check_volume(explanation, sentences)
    check_boxes(explanation, sentences)
    check_values(explanation, sentences)
    if found.minimum is not None:
        written = one(rf"the only one in a small box, of at most ({NUMBER}){UNIT}\.$", sentences[0])[1]
        assert Fraction(written) >= found.minimum
    kinds = ("zeros", "minimum", "within", "upper", "lower")
    return "conditions" if explanation.conditions else next(
        word for word in kinds if getattr(found, word) is not None
    ), None


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_every_file_is_told_or_refused_and_its_numbers_are_on_the_safe_side(first):
    kinds = {checked(seed)[0] for seed in range(first, first + 100)}
    assert kinds >= {"conditions", "within", "upper", "lower"}


def test_few_of_them_are_refused():
    """So that the test above tests something; all kinds of claims are among them."""
    kinds = [checked(seed)[0] for seed in range(200)]
    assert kinds.count("refused") < 40
    assert set(kinds) >= {"zeros", "minimum", "within", "upper", "lower", "conditions"}


PLAIN = """certify-problem 2
variables 2
x 1 0 1
y 1 0 1
columns 1
column m 1 2
0 1
0 1
tapes 1
tape t 3 2
add 0 1
sub 3 2
families 1
F 0 2 v0 v1 c0
end
"""
HEAD = "certify-certificate 5\nproblem {}\nprecision 64\nscope F\nbox\nnorm {}\ndiscard {}\n"
UPPER = "lower none\nupper 1\nwithin none\nvolume none\nzeros none\nminimum none\nwitness\n"
LOWER = "lower 1\nupper none\nwithin none\nvolume none\nzeros none\nminimum none\ntree\n"
WITHIN = "lower none\nupper none\nwithin 0\nvolume none\nzeros none\nminimum none\nhull\n"
WRONG_SIZES = {
    "witness": ("largest", 0, UPPER + "values 1\ncolumn m 1 1\n"),
    "without": ("largest", 1, UPPER + "values 1 1\nwithout 7.1\ncolumn m 1 1\n"),
    "row": ("largest", 1, UPPER + "values 1 1\nwithout 0.2\ncolumn m 1 1\n"),
    "hull": ("largest", 0, WITHIN + "0 1\ntree\nopen\n"),
    "facet": ("largest", 0, WITHIN + "0 1\n0 1\nfacet 1 1\ntree\nopen\n"),
    "zero": (
        "largest",
        0,
        "lower none\nupper none\nwithin none\nvolume none\nzeros 1\nminimum none\nisolated\nzero 0 "
        "1\ninverse 1\ntree\nknown 0\n",
    ),
    "minimum": (
        "squares",
        0,
        "lower none\nupper none\nwithin none\nvolume none\nzeros none\nminimum local 1\nisolated\nzero "
        "0 1\ninverse 1\n",
    ),
    "known": (
        "largest",
        0,
        "lower none\nupper none\nwithin none\nvolume none\nzeros 0\nminimum none\nisolated\ntree\nknown 0\n",
    ),
    "open": ("largest", 0, LOWER + "open\n"),
    "row of the tree": ("largest", 0, LOWER + "evaluate 0 2\n"),
}


@pytest.mark.parametrize("name", WRONG_SIZES)
def test_blocks_of_other_sizes_and_rows_that_are_not_there_are_refused(name):
    norm, discard, rest = WRONG_SIZES[name]
    certificate = HEAD.format(hashlib.sha256(PLAIN.encode()).hexdigest(), norm, discard) + rest + "end\n"
    with pytest.raises(Rejection):
        explain(PLAIN.encode(), certificate.encode())


def test_a_problem_that_differs_in_more_than_its_half_widths_is_not_told_as_the_wider_one():
    wide = PLAIN.replace("\n0 1\n0 1\n", "\n-1/2 3/2\n-1/2 3/2\n")
    assert widened(PLAIN.encode(), wide.encode()) == 2
    for old, new in (
        ("x 1 0 1", "x 1 0 2"),
        ("x 1 0 1", "x mm 0 1"),
        ("column m 1 2", "column m mm 2"),
        ("sub 3 2", "add 3 2"),
    ):
        assert widened(PLAIN.encode(), wide.replace(old, new).encode()) is None
