"""The certificate (specification, section 3): a header that is read at once, and a tree that is read node by node.

Only the form is judged here; whether it proves anything is judged by `witness`, `isolated` and `rules`.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

from .nodes import at_most, square
from .outcome import Rejection, ResourceLimit, require
from .problem import Bounds
from .text import NO_HASH, SHA256, Lines, dyadic, fraction, matched, name, natural, rational, shown

VERSIONS: Final = ("5", "6")
ROLES: Final = {
    "errors": ("model",),
    "system": ("equation", "condition", "model"),
    "violations": ("violation",),
}
NORMS: Final = ("rows", "largest", "euclidean")
LEAST_PRECISION: Final = 64
GREATEST_PRECISION: Final = 512
HEADER: Final = 8 * 1024 * 1024
ZEROS: Final = 100_000
DISCARDED: Final = 64
DISCARDED_OF_TABLES: Final = 100_000

Token = tuple[Fraction, Fraction | None]
Item = TypeVar("Item")


class Witness(NamedTuple):
    """Values of the scope's variables; for each column its name and one (s, t) or (t, None) an entry; rows that are
    left out.
    """

    values: tuple[Fraction, ...]
    columns: tuple[tuple[str, tuple[Token, ...]], ...]
    without: tuple[tuple[int, int], ...] = ()


class Zero(NamedTuple):
    """A box Y that holds exactly one zero, and a matrix C, an inverse of the derivatives by estimate."""

    box: tuple[Bounds, ...]
    inverse: tuple[tuple[Fraction, ...], ...]

    @property
    def centre(self) -> tuple[Bounds, ...]:
        """The midpoint of Y, as a box."""
        return tuple(((lower + upper) / 2,) * 2 for lower, upper in self.box)


class Facet(NamedTuple):
    """The half-space of all x with coefficients . x <= bound."""

    coefficients: tuple[Fraction, ...]
    bound: Fraction


class Hull(NamedTuple):
    """A box and half-spaces."""

    box: tuple[Bounds, ...]
    facets: tuple[Facet, ...] = ()


class Group(NamedTuple):
    """Families by name: what their rows are, their norm, and its bound b(e) = base + scale e."""

    role: str
    norm: str
    base: Fraction
    scale: Fraction
    names: tuple[str, ...]

    @property
    def ordinary(self) -> bool:
        """Whether each row is bounded by e itself, as in version 5."""
        return self.norm == "rows" and self.base == 0 and self.scale == 1


class Certificate(NamedTuple):
    """The claim and its proof; the tree is not read yet: copy `tree`, and read on.

    `kind` is empty in version 5, which does not say it; `places` are the lines of the header by their first words.
    """

    places: dict[str, int]
    problem: str
    precision: int
    kind: str
    groups: tuple[Group, ...]
    factor: Fraction
    point: tuple[Fraction, ...] | None
    part: tuple[Bounds, ...] | None
    squares: bool
    discard: int
    lower: Fraction | None
    upper: Fraction | None
    within: Fraction | None
    volume: Fraction | None
    zeros: int | None
    minimum: Fraction | None
    everywhere: bool
    witness: Witness | None
    hull: Hull | None
    isolated: tuple[Zero, ...]
    tree: Lines

    @property
    def scope(self) -> tuple[str, ...]:
        """The names of its families, group by group."""
        return tuple(name for group in self.groups for name in group.names)

    @property
    def level(self) -> Fraction | None:
        """What the tree is about: S(level); None if there is no tree."""
        if self.zeros is not None:
            return Fraction(0)
        if self.minimum is not None:
            return self.minimum if self.everywhere else None
        return self.lower if self.within is None else self.within


def parse_certificate(data: bytes) -> Certificate:
    """Read a certificate, but not its tree; raises Rejection with the line."""
    lines = Lines(data, "certificate")
    start = data.find(b"\ntree\n")
    if (len(data) if start < 0 else start + 1) > HEADER:
        raise ResourceLimit(f"{HEADER} bytes before the tree")
    try:
        return _certificate(lines)
    except Rejection as rejection:
        rejection.where = lines.where
        raise


def _certificate(lines: Lines) -> Certificate:
    (version,) = lines.fields("certify-certificate", 1)
    require(version in VERSIONS, "text", f"'certify-certificate 5' or 6 was expected, not {shown(version)}")
    (problem,) = lines.fields("problem", 1)
    matched(SHA256, problem, "problem", NO_HASH)
    precision = natural(lines.fields("precision", 1)[0])
    require(
        LEAST_PRECISION <= precision <= GREATEST_PRECISION,
        "precision",
        f"it must be from {LEAST_PRECISION} to {GREATEST_PRECISION}",
    )
    kind, groups, (point, part), factor = _about(lines) if version == "6" else _scope(lines)
    squares = _one_of(lines.fields("norm", 1)[0], ("largest", "squares"), "norm") == "squares"
    most = DISCARDED_OF_TABLES if kind == "errors" else DISCARDED
    discard = at_most(natural(lines.fields("discard", 1)[0]), most, "discard")
    lower, upper, within, volume = (_claim(lines, word, _level) for word in ("lower", "upper", "within", "volume"))
    zeros = _claim(lines, "zeros", lambda token: at_most(natural(token), ZEROS, "claim"))
    minimum, everywhere = _minimum(lines)
    claims = [claim is not None for claim in (lower, upper, within, zeros, minimum)]
    require(
        sum(claims) == 1
        or claims == [True, True, False, False, False]
        or (kind != "" and claims == [False, False, True, True, False]),
        "claim",
        "one of the five is claimed, or lower and upper together, or in version 6 within and zeros",
    )
    whole = part is None or (upper is None and minimum is None)
    require(whole, "claim", "of a part of the box there is neither an upper end nor a minimum")
    require(lower is None or upper is None or lower < upper, "claim", "lower must be below upper")
    require(
        point is None or lower is not None or upper is not None,
        "claim",
        "within, zeros and minimum are claimed about the box",
    )
    require(volume is None or within is not None, "claim", "a volume is claimed with within only")
    require(
        not discard or (not squares and zeros is None),
        "claim",
        "rows are discarded with the largest error only, and not with zeros",
    )
    require(
        (minimum is not None) <= squares <= (zeros is None), "claim", "zeros need the norm largest, a minimum squares"
    )
    if kind:
        about_errors = kind == "errors"
        level = factor != 1 or bool(lower or upper or within)
        require(about_errors or not level, "claim", "what is no claim about errors is about level 0, with factor 1")
        fit = about_errors if squares else zeros is None or kind == "system"
        require(fit, "claim", "squares are of errors, zeros of a system")
        require(kind != "violations" or (upper is None and zeros is None), "claim", "violations have no upper end")
        for group in groups:
            require(
                group.ordinary or (about_errors and not squares),
                "claim",
                "only of errors that are not squared a group has another norm than rows, another bound than e",
            )
    witness = None if upper is None else _witness(lines, discard)
    hull = None if within is None else _hull(lines)
    isolated = () if zeros is None and minimum is None else _isolated(lines, 1 if zeros is None else zeros)
    claim = lower, upper, within, volume, zeros, minimum, everywhere, witness, hull, isolated
    found = Certificate(
        lines.places, problem, precision, kind, groups, factor, point, part, squares, discard, *claim, lines
    )
    if found.level is None:
        lines.exact("end")
        lines.finish()
    else:
        lines.exact("tree")
    return found


Place = tuple[tuple[Fraction, ...] | None, tuple[Bounds, ...] | None]
About = tuple[str, tuple[Group, ...], Place, Fraction]


def _scope(lines: Lines) -> About:
    """Version 5: names alone, each row its own, the half-widths as they are."""
    names = tuple(name(token) for token in lines.keyword("scope"))
    return "", (Group("model", "rows", Fraction(0), Fraction(1), names),), _place(lines, ("point",)), Fraction(1)


def _about(lines: Lines) -> About:
    """Version 6: the kind of the claim, what its rows are, where, and a factor on half-widths."""
    kind = _one_of(lines.fields("claim", 1)[0], tuple(ROLES), "claim")
    groups = []
    for _ in range(natural(lines.fields("groups", 1)[0])):
        tokens = lines.keyword("group")
        require(len(tokens) >= 5, "group", "ROLE NORM BASE SCALE NAME... was expected")
        role, norm = _one_of(tokens[0], ROLES[kind], "group"), _one_of(tokens[1], NORMS, "group")
        groups.append(Group(role, norm, _level(tokens[2]), _level(tokens[3]), tuple(map(name, tokens[4:]))))
    return kind, tuple(groups), _place(lines, ("part", "point")), _level(lines.fields("factor", 1)[0])


def _one_of(token: str, words: tuple[str, ...], rule: str) -> str:
    require(token in words, rule, f"{shown(token)} is none of {', '.join(words)}")
    return token


def _place(lines: Lines, words: tuple[str, ...]) -> Place:
    """A point, or a part of the box; neither for the whole of it."""
    word, *tokens = lines.tokens()
    lines.places["point"] = lines.number
    if [word, *tokens] == ["box"]:
        return None, None
    known = " or ".join(map(repr, words))
    require(word in words, "text", f"{known} with its values or 'box' was expected, not {shown(word)}")
    values = tuple(rational(token) for token in tokens)
    if word == "point":
        return values, None
    require(len(values) % 2 == 0, "part", "two ends for each variable were expected")
    return None, tuple(zip(values[::2], values[1::2], strict=True))


def _claim(lines: Lines, word: str, read: Callable[[str], Item]) -> Item | None:
    (token,) = lines.fields(word, 1)
    return None if token == "none" else read(token)


def _level(token: str) -> Fraction:
    value = rational(token)
    require(value >= 0, "claim", f"{shown(token)} is negative")
    return value


def _minimum(lines: Lines) -> tuple[Fraction | None, bool]:
    """The value, and whether nothing else in the box does better."""
    match lines.keyword("minimum"):
        case ["none"]:
            return None, False
        case ["local" | "global" as reach, token]:
            return _level(token), reach == "global"
    raise Rejection("claim", "minimum takes 'none', or 'local' or 'global' and a number")


def _witness(lines: Lines, discard: int) -> Witness:
    """`values`, the rows `without` if some are discarded, then one line for each column of the scope; the next line's
    first token tells how many.
    """
    lines.exact("witness")
    values = tuple(rational(token) for token in lines.keyword("values"))
    without = tuple(_row(token) for token in lines.keyword("without")) if discard else ()
    ascending = all(earlier < later for earlier, later in pairwise(without))
    require(
        ascending and len(without) <= discard,
        "witness",
        f"at most {discard} rows, ascending, each once, may be left out",
    )
    columns = []
    while lines.ahead("column "):
        title, *tokens = lines.keyword("column")
        columns.append((name(title), tuple(_token(token) for token in tokens)))
    return Witness(values, tuple(columns), without)


def _row(token: str) -> tuple[int, int]:
    family, _, row = token.partition(".")
    return natural(family), natural(row)


def _token(token: str) -> Token:
    first, colon, second = token.partition(":")
    return fraction(first), fraction(second) if colon else None


def _hull(lines: Lines) -> Hull:
    """Two ends for each variable of the scope, then facets; the next line's first token tells how many."""
    lines.exact("hull")
    box, facets = [], []
    while not any(lines.ahead(word) for word in ("facet ", "isolated", "tree")):
        lower, *upper = (rational(token) for token in lines.tokens())
        require(
            len(upper) == 1 and lower <= upper[0],
            "hull",
            "a lower end and an upper end that is not below it were expected",
        )
        box.append((lower, upper[0]))
    while lines.ahead("facet "):
        *coefficients, bound = (rational(token) for token in lines.keyword("facet"))
        facets.append(Facet(tuple(coefficients), bound))
    return Hull(tuple(box), tuple(facets))


def _isolated(lines: Lines, count: int) -> tuple[Zero, ...]:
    """So many pairs of lines."""
    lines.exact("isolated")
    zeros = []
    for _ in range(count):
        ends = [dyadic(token) for token in lines.keyword("zero")]
        entries = [dyadic(token) for token in lines.keyword("inverse")]
        size = len(ends) // 2
        require(
            len(ends) == 2 * size and len(entries) == size * size,
            "zero",
            f"{len(ends)} ends and {len(entries)} entries are not 2 n and n * n",
        )
        box = tuple(zip(ends[::2], ends[1::2], strict=True))
        require(all(lower < upper for lower, upper in box), "zero", "a lower end is not below its upper end")
        zeros.append(Zero(box, square(entries, size)))
    return tuple(zeros)
