"""More than 64 rows of tables left out: valid certificates, and forged ones with the reason for each."""

from __future__ import annotations

from checker_texts import Forgeries, Number, Text, certificate, certificate6, grouped, problem, table

from texts.rules import POSITIVE
from texts.tables import MAY, SECOND, TWO

PAIRS, LAST = 101, 202
# x = 0 in the first 101 rows, x = 9 in the next ones, x = 4 in the last: each pair of the first two is a conflict
RECORDS = [(1.0, 0.0, 0.0)] * PAIRS + [(1.0, 9.0, 9.0)] * PAIRS + [(1.0, 4.0, 4.0)]
LINE = problem([("x", -9, 9)], [], [], [f"W table {len(RECORDS)} v0"])
TABLE = table(LINE, RECORDS)
WIDE = table(LINE.replace("table", "intervals"), [(1.0, *record) for record in RECORDS])
PARTS = table(
    problem([("x", -9, 9)], [], [], [f"W table {PAIRS} v0", f"V intervals {PAIRS + 1} v0"]),
    RECORDS[:PAIRS],
    [(1.0, *record) for record in RECORDS[PAIRS:]],
)
ROWS = "model rows 0 1 W"


def pair(first: int, second: int | None = None) -> str:
    return f"aggregate m0.{first}+1 m0.{PAIRS + first if second is None else second}-1"


def hitting(*lines: str) -> list[str]:
    return [f"hitting {len(lines)}", *lines]


def pairs(count: int) -> list[str]:
    return [pair(k) for k in range(count)]


def lower(
    discard: Number, *lines: str, text: str = TABLE, level: Number = 4, groups: tuple[str, ...] = (ROWS,)
) -> Text:
    return text, certificate6(text, *groups, lower=level, discard=discard, tree=lines)


def upper(discard: Number, without: str, text: str = TABLE, level: Number = 0, x: Number = 0) -> Text:
    lines = [f"values {x}", f"without {without}".rstrip()]
    return text, certificate6(text, ROWS, upper=level, discard=discard, witness=lines)


def named(*rows: int) -> str:
    return " ".join(f"0.{row}" for row in rows)


HIGH = named(*range(PAIRS, LAST + 1))
SPLIT = ["split 0 9p-1", *hitting(*(f"evaluate 0 {PAIRS + k}" for k in range(66)))]
SPLIT += hitting(*(f"evaluate 0 {k}" for k in range(66)))
VALID: dict[str, Text] = {
    "66 of 65": lower(65, *hitting(*pairs(66))),
    "101 of 100": lower(100, *hitting(*pairs(101))),
    "101 of 65": lower(65, *hitting(*pairs(101))),
    "below a split": lower(65, *SPLIT),
    "of intervals": lower(99, *hitting(*pairs(100)), text=WIDE),
    "of two tables": lower(
        65,
        *hitting(*(f"aggregate m0.{k}+1 m1.{k}-1" for k in range(66))),
        text=PARTS,
        groups=("model rows 0 1 W V",),
    ),
    "a hull": (
        TABLE,
        certificate6(TABLE, ROWS, within=4, hull=["-9 9"], discard=70, tree=["split 0 9p-1", "open", "open"]),
    ),
    "left out": upper(102, HIGH),
    "fewer left out": upper(100_000, HIGH),
    "none left out": upper(65, "", level=5, x=4),
}
OTHERS = "discard: more than 64 rows, of families that are not all tables"
DISCARD: Forgeries = {
    **{
        f"{number}": (lower(number, *hitting(*pairs(101))), "discard: more than 100000")
        for number in (100_001, 100_002, 10**6, 10**9, 2**32, 2**64, 10**1999)
    },
    **{
        f"version 5, {number}": (
            (TABLE, certificate(TABLE, scope="W", lower=4, discard=number, tree=hitting(*pairs(101)))),
            "discard: more than 64",
        )
        for number in (65, 66, 100, 1000, 100_000)
    },
    **{
        f"{kind}, {number}": (
            (
                TABLE,
                certificate6(
                    TABLE, f"{role} rows 0 1 W", kind=kind, lower=0, discard=number, tree=hitting(*pairs(101))
                ),
            ),
            "discard: more than 64",
        )
        for kind, role in (("system", "model"), ("violations", "violation"))
        for number in (65, 100, 202, 100_000)
    },
}
SCOPE: Forgeries = {
    f"{' '.join(groups)}, {number}": (lower(number, *hitting("evaluate 1 0"), text=TWO, groups=groups), OTHERS)
    for number in (65, 66, 100, 1000, 100_000)
    for groups in (
        ("model rows 0 1 W E U",),
        ("model rows 0 1 E",),
        ("model rows 0 1 W E",),
        ("model rows 0 1 E U",),
    )
}
assert "E 0 1 v0 c0" in SECOND
COUNT: Forgeries = {
    **{
        f"{count}, {number} left out": (
            lower(number, f"hitting {count}", *pairs(101)),
            "hitting: more than 100001",
        )
        for number in (65, 100_000)
        for count in (100_002, 10**6, 2**64, 10**1999)
    },
    **{
        f"{count}, 64 left out": (lower(64, f"hitting {count}", *pairs(101)), "hitting: more than 10000")
        for count in (10_001, 10_002, 100_000, 100_001)
    },
    "missing": (lower(65, "hitting 67", *pairs(66)), "tree: a child is missing"),
    "missing, 100,001": (lower(65, "hitting 100001", *pairs(101)), "tree: a child is missing"),
    "too many": (lower(65, "hitting 66", *pairs(67)), "'end' was expected"),
    "none": (lower(65, "hitting 0"), "hitting: it needs discarded rows, a child, and none above"),
    "nested": (
        lower(65, "hitting 66", *hitting(*pairs(66)), *pairs(65)),
        "hitting: it needs discarded rows, a child, and none above",
    ),
}
FEW: Forgeries = {
    f"{count} of {number}": (
        lower(number, *hitting(*pairs(count))),
        f"hitting: no more than {number} conflicts, the number of rows discarded",
    )
    for count, number in (
        (1, 65),
        (2, 65),
        (64, 65),
        (65, 65),
        (66, 66),
        (65, 100),
        (100, 100),
        (101, 101),
        (101, 102),
        (101, 1000),
        (101, 100_000),
        (90, 99),
    )
}
SHARED = "hitting: two conflicts have a row in common"
MEET: Forgeries = {
    **{f"the same, {k}": (lower(65, *hitting(*pairs(65), pair(k))), SHARED) for k in (0, 1, 32, 63, 64)},
    **{
        f"one row in two, {first} {second}": (lower(65, *hitting(*pairs(66)[1:], pair(first, second))), SHARED)
        for first, second in ((0, PAIRS + 1), (1, PAIRS), (0, PAIRS + 65), (65, PAIRS), (2, LAST - 1))
    },
    "all of them": (lower(65, *hitting(*[pair(0)] * 100)), SHARED),
    "a star": (lower(65, *hitting(*(pair(0, PAIRS + k) for k in range(101)))), SHARED),
    "more than enough of others": (lower(65, *hitting(*pairs(101), pair(7))), SHARED),
    "rows of a split": (
        lower(65, "hitting 66", *pairs(65), "split 0 9p-1", f"evaluate 0 {LAST - 1}", "evaluate 0 3"),
        SHARED,
    ),
    "below a split": (
        lower(65, *SPLIT[:66], f"evaluate 0 {PAIRS}", *SPLIT[67:]),
        SHARED,
    ),
    "of intervals": (lower(65, *hitting(*pairs(65), pair(0)), text=WIDE), SHARED),
    "of 100": (lower(100, *hitting(*pairs(100), pair(100, PAIRS))), SHARED),
}
FALSE: Forgeries = {
    **{
        f"child {k}, {leaf}": (lower(65, *hitting(*pairs(k), leaf, *pairs(66)[k + 1 :])), POSITIVE)
        for k in (0, 1, 40, 65)
        for leaf in (f"aggregate m0.{k}-1 m0.{PAIRS + k}+1", f"aggregate m0.{k}+1", f"aggregate m0.{k}+1 m0.{LAST}-1")
    },
    **{f"level {level}": (lower(65, *hitting(*pairs(66)), level=level), POSITIVE) for level in ("9/2", 5, 9)},
    "twice a row": (lower(65, *hitting(*pairs(65), "aggregate m0.65+1 m0.65+1")), "a term occurs twice"),
    "no such row": (lower(65, *hitting(*pairs(65), pair(65, LAST + 1))), f"there is no row 0.{LAST + 1}"),
    "above": (lower(65, *pairs(1)), "rows are refuted below it only"),
    "open below": (
        (
            TABLE,
            certificate6(TABLE, ROWS, within=4, hull=["-9 9"], discard=65, tree=hitting(*pairs(65), "open")),
        ),
        "rows are refuted below it only",
    ),
}
LEFT = "rows, ascending, each once, may be left out"
WITNESS: Forgeries = {
    **{f"{number} at most": (upper(number, HIGH), f"at most {number} {LEFT}") for number in (65, 66, 100, 101)},
    "not ascending": (upper(102, f"0.{LAST} {HIGH.rsplit(' ', 1)[0]}"), LEFT),
    "twice": (upper(200, f"{HIGH} 0.{LAST}"), LEFT),
    "of no row": (upper(200, f"{HIGH} 0.{LAST + 1}"), f"there is no row 0.{LAST + 1}"),
    "of no family": (upper(200, f"{HIGH} 1.0"), "there is no row 1.0"),
    **{
        f"but {row}": (upper(150, named(*(k for k in range(PAIRS, LAST + 1) if k != row))), MAY)
        for row in (PAIRS, PAIRS + 50, LAST - 1, LAST)
    },
    "elsewhere": (upper(102, HIGH, x=9), MAY),
    "of the others": (upper(102, named(*range(PAIRS))), MAY),
    "nothing": (upper(100_000, ""), MAY),
}
GROUPS: dict[str, Forgeries] = {
    "discard": DISCARD,
    "scope": SCOPE,
    "count": COUNT,
    "few": FEW,
    "shared": MEET,
    "false": FALSE,
    "witness": WITNESS,
}
FORGED = grouped(GROUPS)
