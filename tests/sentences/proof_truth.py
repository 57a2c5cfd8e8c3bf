"""What an explanation says of the problem, of the proof and of trust, held against the files themselves: read anew,
walked anew, and checked by the command that is named.
"""

from __future__ import annotations

import ast
import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path

from canonical_text import CanonicalText, Ends, read_canonical, times_as_wide
from certificates import Claimed
from proof_walk import Split, Walk, walk
from running import run
from statements import Said, Unread

from certify.checks import checking

TINY = Fraction(1, 10**8)
Size = tuple[int, int | None, int, int]  # unknowns, measured columns, rows, groups
Impossible = Callable[[Mapping[str, Ends]], bool]
INTERVALS = "the intervals hold the true measurements"
EXACT = "the exact numbers at which the measurements are taken are those that you mean, which need not be the true ones"
BOX = "the search box holds every value that you would accept"
INTEGER_FUNCTIONS = {"isqrt", "prod", "gcd", "lcm", "comb"}


@dataclass(frozen=True)
class ProofJudge:
    """A certificate, its canonical problem, the source that this was translated from, and the file that was named for
    an explanation, if any. `size` is what was planted, `impossible` says of ends of an
    unknown that nothing known lies between them, `inner` that the rows are known to be a system's violations.
    """

    certificate: Path
    canonical: Path
    source: Path
    given: Path | None
    claimed: Claimed
    size: Size
    impossible: Impossible
    system: bool = False
    inner: bool = False

    def holds(self, said: Said) -> bool:
        """Whether a statement is true."""
        rule = RULES.get(said.kind)
        if rule is None:
            raise Unread(f"nothing judges {said.kind!r}, which {said.words!r} says")
        return rule(self, *said.values)

    @cached_property
    def problem(self) -> CanonicalText:
        """The canonical problem."""
        return read_canonical(self.canonical)

    @property
    def box(self) -> dict[int, Ends]:
        """The box of the tree: of the unknowns, or the point."""
        box = self.problem.box(self.claimed.scope)
        point = self.claimed.point
        return box if point is None else {v: (x, x) for v, x in zip(box, point, strict=True)}

    @cached_property
    def tree(self) -> Walk | None:
        """The tree, if there is one."""
        text = self.certificate.read_text("ascii")
        return walk(text, self.box) if "\ntree\n" in text else None

    @property
    def measured(self) -> bool:
        """Whether rows of the scope have measurements, or amounts."""
        return bool(self.problem.measured(self.claimed.scope))

    @property
    def conditions(self) -> bool:
        """Whether the rows are conditions: those of a system with amounts."""
        return self.system and self.measured

    @property
    def rows_are(self) -> str:
        """What rows are called."""
        if self.claimed.squares:
            return "squares"
        if self.system:
            return "violation" if self.inner else "condition" if self.measured else "equation"
        return "row"

    @property
    def carriers(self) -> str:
        """What bounds the unknowns."""
        return "conditions" if self.conditions else "measurements" if self.measured else "equations"

    def unknown(self, number: int) -> tuple[str, str | None]:
        """Name and unit."""
        name, (unit, _) = list(self.problem.unknowns.items())[number]
        return name, None if unit == "1" else unit

    def named(self, rows: frozenset[tuple[int, int]], each: bool) -> set[tuple[str, int | None]]:
        """Rows by the names of their groups."""
        groups = list(self.problem.groups)
        return {(groups[family], row if each else None) for family, row in rows}


def near(said: tuple[Fraction, bool], exact: Fraction) -> bool:
    """Whether a number is exact, or has the eight digits of one that is said to be about so much."""
    return said[0] == exact or (said[1] and abs(said[0] - exact) <= abs(exact) * TINY)


def two_digits(text: str, exact: Fraction) -> bool:
    """Whether a share, in per cent or as a number, is the exact one to two digits: no other number of two is nearer."""
    said = Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    precise = Context(prec=40)
    value = precise.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    rounded = {
        Context(prec=2, rounding=ROUND_HALF_EVEN).plus(precise.multiply(value, Decimal(1) + Decimal(side).scaleb(-9)))
        for side in (-1, 0, 1)
    }
    return any(said == Fraction(number) for number in rounded)


# About which problem.


def _size(judge: ProofJudge, size: Size) -> bool:
    """It is that of the file, and what was planted."""
    problem = judge.problem
    columns = None if judge.conditions or not problem.columns else len(problem.columns)
    return size == judge.size == (len(problem.unknowns), columns, problem.rows, len(problem.groups))


def _is(judge: ProofJudge, given: bool, file: str, size: Size) -> bool:
    named = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    beside = Path(file).parent == judge.certificate.parent if not given else Path(file) == judge.given
    return beside and named == judge.problem.digest and _size(judge, size)


def _translates(judge: ProofJudge, given: bool, file: str, times: tuple[Fraction, bool], size: Size) -> bool:
    """The named file's translation was compared, which the real check repeats."""
    factor = Fraction(0) if judge.claimed.squares else Fraction(1)
    here = Path(file) == judge.given and given and near(times, factor)
    return here and _size(judge, size) and _repeats(judge)


def _repeats(judge: ProofJudge) -> bool:
    """Whether 'certify check' accepts the certificate for the file that is translated."""
    return accepted(("check", str(judge.source), str(judge.certificate)))


@lru_cache
def accepted(words: tuple[str, ...]) -> bool:
    """Whether the real command ends with 0."""
    return run(words, Path(words[-1]).parent).code == 0


def _wider(judge: ProofJudge, file: str, factor: tuple[Fraction, bool]) -> bool:
    exact = times_as_wide(read_canonical(judge.certificate.parent / file), judge.problem)
    return exact is not None and near(factor, exact)


# How the proof goes.


def _tree(judge: ProofJudge) -> Walk:
    if judge.tree is None:
        raise Unread(f"{judge.certificate} has no tree")
    return judge.tree


def _witness(judge: ProofJudge) -> bool:
    return judge.claimed.upper is not None


def _without(judge: ProofJudge, witness: bool) -> bool:
    minimum = judge.claimed.minimum is not None and not judge.claimed.minimum[0]
    return judge.tree is None and _witness(judge) == witness and (witness or minimum)


def _solutions(judge: ProofJudge, several: bool) -> bool:
    return judge.claimed.zeros == len(judge.claimed.isolated) and (judge.claimed.zeros > 1) == several


def _leaf(judge: ProofJudge, count: int, leaves: bool, kind: str, called: tuple[str, ...]) -> bool:
    fits = called == ("volume",) if judge.claimed.volume is not None else called == ()
    if kind in ("evaluate", "aggregate"):
        fits = judge.rows_are in called
    elif kind == "known":
        fits = bool(judge.claimed.isolated)
    return count == _tree(judge).count(kind) and leaves == bool(_tree(judge).conflicts) and fits


def _conflicts(judge: ProofJudge, count: int, whose: str, bound: str, out: str, which: str) -> bool:
    tree, claimed = _tree(judge), judge.claimed
    part = "no values in some part of the search box" if tree.parted else "no values in the search box"
    subject = "the given values do not" if claimed.point is not None else part
    level = claimed.within if claimed.lower is None else claimed.lower
    told = Fraction(bound.removeprefix(" with ").split(" ")[0]) if bound else Fraction(0)
    left = "row" if claimed.discard == 1 else f"{claimed.discard} rows"
    named = (whose, out, which) == (subject, left, "all those of a part" if tree.parted else "them all")
    right = told <= level and bool(told) == bool(level)
    return count == tree.conflicts and named and right and tree.unmet(claimed.discard)


def _leaves_out(judge: ProofJudge, count: int, called: str) -> bool:
    tree = _tree(judge)
    return count == tree.conflicts and called == judge.rows_are and tree.unmet(judge.claimed.discard)


def _rounds(judge: ProofJudge, rounds: int, told: Sequence[tuple[int, str]]) -> bool:
    exact = _tree(judge).rounds
    ends = [exact[0], exact[-1]] if len(told) > 1 else exact
    return len(exact) == rounds and all(
        said == cuts and two_digits(text, left) for (said, text), (cuts, left) in zip(told, ends, strict=True)
    )


def _split(judge: ProofJudge, place: int, called: str) -> Split | None:
    """The split of this number; the first one of many, which is called a cut or a split, or one of a list of all."""
    tree = _tree(judge)
    alone = tree.count("split") > 6 if called else tree.count("split") <= 6
    return tree.told[place - 1] if alone and place <= len(tree.told) else None


def _division(
    judge: ProofJudge, place: int, called: str, whole: bool, name: str, at: tuple[Fraction, bool], unit: str | None
) -> bool:
    split = _split(judge, place, called)
    return (
        split is not None
        and split.cut is None
        and called != "cut"
        and split.whole == whole
        and (name, unit) == judge.unknown(split.unknown)
        and near(at, split.at)
    )


def _cut(
    judge: ProofJudge,
    place: int,
    called: str,
    whole: bool,
    name: str,
    side: str,
    end: Fraction,
    unit: str | None,
    squares: bool,
    rows: Sequence[tuple[str, int | None]],
) -> bool:
    """It is the file's; nothing that is known is possible there, if it is what is left of the box."""
    split = _split(judge, place, called)
    if split is None or (split.cut, split.whole, called) != (side, whole, called.replace("split", "")):
        return False
    within = end <= split.at if side == "<=" else end >= split.at
    exact = within and abs(end - split.at) <= max(abs(split.at), Fraction(1, 10**6)) * TINY
    same = judge.named(split.rows, rows[0][1] is not None) == set(rows)
    named = (name, unit) == judge.unknown(split.unknown) and squares == judge.claimed.squares
    low, high = judge.box[split.unknown]
    region = {name: (low, end) if side == "<=" else (end, high)}
    return exact and same and named and (not whole or judge.impossible(region))


# What has to be trusted.


LOADED = """import json, runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    code = end.code
files = {name: str(getattr(module, "__file__", None) or "") for name, module in sys.modules.items()}
print(json.dumps([code, files]))
"""


def imported(canonical: Path, certificate: Path) -> dict[str, str]:
    """The modules that the checker loads for this certificate, in a process such as the command begins, with their
    files.
    """
    words = map(str, (checking.CHECKER, canonical, certificate))
    command = [sys.executable, *checking.FLAGS, "-c", LOADED, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    code, files = json.loads(done.stdout.splitlines()[-1])
    if code:
        raise AssertionError(done.stdout)
    return files


_CHECKED: dict[str, bool] = {}


def _checker(judge: ProofJudge) -> bool:
    """Nothing but itself and the standard library is loaded, and no number in it is a float; looked at once."""
    if "checker" not in _CHECKED:
        files = sorted(checking.CHECKER.glob("*.py"))
        loaded = imported(judge.canonical, judge.certificate)
        own = {name for name, file in loaded.items() if Path(file).parent == checking.CHECKER}
        others = {name.split(".")[0] for name in loaded} - {name.split(".")[0] for name in own} - {"__main__"}
        standard = len(own) > 1 and others <= sys.stdlib_module_names
        integers = all(_integers_only(ast.parse(file.read_text())) for file in files)
        _CHECKED["checker"] = standard and integers and (checking.CHECKER / "SPECIFICATION.md").is_file()
    return _CHECKED["checker"]


def _integers_only(module: ast.Module) -> bool:
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            return False
        if isinstance(node, ast.Name) and node.id == "float":
            return False
        of_math = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "math"
        if of_math and node.attr not in INTEGER_FUNCTIONS:
            return False
    return True


def _translation(judge: ProofJudge, file: str, given: bool, what: str) -> bool:
    beside = judge.certificate.parent / file  # two files may have the same bytes
    same = beside.is_file() and hashlib.sha256(beside.read_bytes()).hexdigest() == judge.problem.digest
    named = judge.given if given else beside if same else judge.canonical
    translated = judge.given is not None and judge.given.suffix != ".canonical"
    called = "model" if judge.measured and not judge.conditions else "system"
    return named is not None and named.name == file and translated == given and what == called and _repeats(judge)


def _numbers(judge: ProofJudge, *told: str) -> bool:
    """Measurements where there are any; the search box where something is claimed of all of it."""
    needed = [EXACT if judge.claimed.squares else INTERVALS] if judge.measured and not judge.conditions else []
    needed += [BOX] if judge.tree is not None and judge.claimed.point is None else []
    return list(told) == needed


def _how_to_check(judge: ProofJudge, command: str) -> bool:
    """The command is of the file that was translated, or of one with the same bytes, and accepts the certificate."""
    words = shlex.split(command)
    file = Path(words[2])
    same = file == judge.source or hashlib.sha256(file.read_bytes()).hexdigest() == judge.problem.digest
    if words[:2] != ["certify", "check"] or words[3:] != [str(judge.certificate)] or not same:
        return False
    return accepted(tuple(words[1:]))


RULES: dict[str, Callable[..., bool]] = {
    "problem digest": lambda judge, digest: judge.problem.digest == digest and digest in judge.certificate.read_text(),
    "problem is": _is,
    "problem translates": _translates,
    "problem wider": _wider,
    "proof without a tree": _without,
    "proof with a tree and a witness": lambda judge: judge.tree is not None and _witness(judge),
    "proof of a minimum": lambda judge: judge.claimed.minimum is not None,
    "proof of solutions": _solutions,
    "proof of conditions": lambda judge, what: (
        judge.measured and judge.claimed.zeros is not None and what == "inequalities"
    ),
    "proof after boxes": lambda judge: judge.tree is not None and bool(judge.claimed.isolated),
    "proof splits": lambda judge, times, deep: _tree(judge).count("split") == times and _tree(judge).depth == deep,
    "proof parts": lambda judge, parts: not _tree(judge).conflicts and _leaves(judge) == parts,
    "proof leaves": lambda judge, leaves: bool(_tree(judge).conflicts) and _leaves(judge) == leaves,
    "proof described anew": lambda judge, times: _tree(judge).count("prepare") == times,
    "proof slanted": lambda judge, what: _tree(judge).count("frame") > 0 and what == judge.carriers,
    "proof leaves out": _leaves_out,
    "proof conflicts": _conflicts,
    "proof rounds": _rounds,
    "proof leaf": _leaf,
    "proof division": _division,
    "proof cut": _cut,
    "trust in the checker": _checker,
    "trust in a translation": _translation,
    "trust in numbers": _numbers,
    "trust in nothing else": _checker,
    "trust in short": lambda judge: True,
    "how to check": _how_to_check,
}


def _leaves(judge: ProofJudge) -> int:
    return _tree(judge).count("evaluate", "aggregate", "open", "known")
