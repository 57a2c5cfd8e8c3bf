"""How well the tests of the checker know the checker: small errors are put into it, one at a time, and the tests must
notice.

A mutant exchanges a comparison, an operation, the ends of an interval, floor and ceiling, minimum and maximum, `and`
and `or`; moves a constant by one; removes a statement, an exception, a condition or a part of it. `tests/checker` alone
is run against each until a test fails: the mutant is killed, as it is if it does not end: processor time is limited,
for a test and for a mutant. Nothing of the project is changed: the package and the tests are copied to a temporary
folder.

For speed the code of one function is exchanged in forks of a process that has collected the tests. Those that call this
function are run: what killed its last mutants first, then the quickest. What is outside of functions, or in what the
tests call while they are collected, is written into the copy and tested by a fresh import of everything. `--examples 5`
takes a fifth of the random examples, `--tests arithmetic` the tests of that name alone: so the score is a lower bound.
A survivor must be argued in `tests/checker/survivors.md`, by its module, its function and its text: `text before` ->
`text after`, and `(2)` where it is the second one there that reads so; so an argument stays where it is while lines
move.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import math
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
CHECKER: Final = Path("certify/checker")
TESTS: Final = Path("tests/checker")
ARGUED: Final = ROOT / TESTS / "survivors.md"
TEST_SECONDS: Final = 3.0  # of processor time, for one test, besides five times what it takes without a mutation
IMPORT_SECONDS: Final = 15.0  # of processor time, to collect the tests
MUTANT_SECONDS: Final = (
    60  # of processor time, for all tests of a mutant, or three times what they take without one: the larger
)
MEMORY: Final = 1 << 30  # of a mutant: without its limits numbers explode
BUILDERS: Final = (
    "__init__",
    "enclose_pi",
    "_odd_series",
    "_growing",
)  # what the tests call while they are collected, and keep
FUNCTION: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
CONFTEST: Final = '''"""The same examples for every mutant, and no search for smaller ones."""

from hypothesis import HealthCheck, Phase, settings

phases = (Phase.explicit, Phase.generate)
checks = list(HealthCheck)
settings.register_profile(
    "mutants", deadline=None, derandomize=True, database=None, phases=phases, suppress_health_check=checks
)
settings.load_profile("mutants")


def pytest_collection_modifyitems(items):
    chosen = [item for item in items if any(part in item.nodeid for part in CHOSEN)]
    items[:] = [item for item in chosen if "thorough" not in item.keywords]
    for function in {item.function for item in items}:
        if hasattr(function, "_hypothesis_internal_use_settings"):
            wanted = function._hypothesis_internal_use_settings
            fewer = max(1, wanted.max_examples // EXAMPLES)
            function._hypothesis_internal_use_settings = settings(wanted, max_examples=fewer)
'''

COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
OPERATIONS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.RShift: ast.LShift,
    ast.LShift: ast.RShift, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
PAIRS: Final = (
    "low high", "lower upper", "lo hi", "al ah", "bl bh", "near far", "left right", "rising falling", "least greatest",
    "old_low old_high",
    "total_low total_high", "before after", "first second", "first last", "sine cosine", "outer_lower outer_upper",
    "highest lowest",
)  # fmt: skip
OTHER_NAME: Final = [tuple(pair.split(" ")) for pair in PAIRS] + [tuple(pair.split(" "))[::-1] for pair in PAIRS]
OTHER_CALL: Final = {
    "min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceiling", "ceiling": "floor", "sin": "cos",
    "cos": "sin", "add": "sub",
    "sub": "add", "mul": "div", "div": "mul", "enclose_row": "", "sqr": "neg",
}  # fmt: skip
ORDERED: Final = {"sub", "div", "fit", "span", "contains", "range"}
UNWRAPPED: Final = {"abs", "sorted", "reversed"}


@dataclass(frozen=True)
class Mutant:
    """One change of one node: its place in the order of `ast.walk`, the number of the variant there, and how it reads.

    `time` counts those of a function that read alike, in the order of their lines.
    """

    module: str
    line: int
    function: str
    node: int
    variant: int
    before: str
    after: str
    time: int = 1

    @property
    def label(self) -> str:
        """As it is listed and argued: no other mutant has the same."""
        again = f" ({self.time})" if self.time > 1 else ""
        return f"{self.module}:{self.function or 'module'}: `{self.before}` -> `{self.after}`{again}"


# The variants of a node


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            yield ast.Compare(node.left, [*node.ops[:place], other(), *node.ops[place + 1 :]], node.comparators)
    if len(node.ops) > 1:
        yield ast.Compare(node.left, node.ops[:-1], node.comparators[:-1])
        yield ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])


def _negated(node: ast.expr) -> ast.expr | None:
    """The node without its minus, which may be within a shift to the left."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.Mult):
        left = _negated(node.left)
        return None if left is None else ast.BinOp(left, node.op, node.right)
    return None


def _binary(node: ast.BinOp) -> Iterator[ast.AST]:
    yield ast.BinOp(node.left, OPERATIONS[type(node.op)](), node.right)
    if isinstance(node.op, ast.RShift | ast.FloorDiv):
        yield ast.UnaryOp(ast.USub(), ast.BinOp(ast.UnaryOp(ast.USub(), node.left), node.op, node.right))


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    yield node.operand
    inner = node.operand
    if (
        isinstance(node.op, ast.USub)
        and isinstance(inner, ast.BinOp)
        and isinstance(inner.op, ast.RShift | ast.FloorDiv)
    ):
        left = _negated(inner.left)
        if left is not None:
            yield ast.BinOp(left, inner.op, inner.right)


def _logical(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _call(node: ast.Call) -> Iterator[ast.AST]:
    word = (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )
    if OTHER_CALL.get(word):
        function = copy.deepcopy(node.func)
        if isinstance(function, ast.Attribute):
            function.attr = OTHER_CALL[word]
        elif isinstance(function, ast.Name):
            function.id = OTHER_CALL[word]
        yield ast.Call(function, node.args, node.keywords)
    if word in ORDERED and len(node.args) == 2:
        yield ast.Call(node.func, node.args[::-1], node.keywords)
    if word in UNWRAPPED and len(node.args) == 1:
        yield node.args[0]


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def _condition(node: ast.If | ast.While) -> Iterator[ast.AST]:
    for value in (False, True) if isinstance(node, ast.If) else (False,):
        changed = copy.copy(node)
        changed.test = ast.Constant(value)
        yield changed


def _choice(node: ast.IfExp) -> Iterator[ast.AST]:
    yield ast.IfExp(node.test, node.orelse, node.body)


def _comprehension(node: ast.comprehension) -> Iterator[ast.AST]:
    if node.ifs:
        yield ast.comprehension(node.target, node.iter, [], node.is_async)


def _tuple(node: ast.Tuple) -> Iterator[ast.AST]:
    if (
        isinstance(node.ctx, ast.Load)
        and len(node.elts) == 2
        and not any(isinstance(part, ast.Starred) for part in node.elts)
    ):
        yield ast.Tuple(node.elts[::-1], node.ctx)


def _name(node: ast.Name) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, node.ctx) for name, other in OTHER_NAME if name == node.id)


def _removed(node: ast.stmt) -> Iterator[ast.AST]:
    """Statements that do something, assignments of a new value included."""
    if isinstance(node, ast.AugAssign):
        if type(node.op) in OPERATIONS:
            yield ast.AugAssign(node.target, OPERATIONS[type(node.op)](), node.value)
        yield ast.Pass()
    elif isinstance(node, ast.Raise | ast.Assign) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Pass()
    elif (
        isinstance(node, ast.Return)
        and isinstance(node.value, ast.Constant | ast.JoinedStr)
        and not isinstance(getattr(node.value, "value", ""), bool)
    ):
        yield ast.Return(ast.Constant(None))


VARIANTS: Final[dict[type[ast.AST], Callable[[Any], Iterator[ast.AST]]]] = {
    ast.Compare: _compare, ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: _logical, ast.Call: _call,
    ast.Constant: _constant,
    ast.If: _condition, ast.While: _condition, ast.IfExp: _choice, ast.comprehension: _comprehension,
    ast.Tuple: _tuple, ast.Name: _name,
    ast.AugAssign: _removed, ast.Raise: _removed, ast.Expr: _removed, ast.Assign: _removed, ast.Return: _removed,
}  # fmt: skip
SILENT: Final = ast.JoinedStr | ast.Import | ast.ImportFrom


def _sayings(tree: ast.Module) -> Iterator[ast.AST | None]:
    """What only says something: annotations, messages, imports, what is exported, names of types, `strict` (lengths
    that agree).
    """
    for node in ast.walk(tree):
        if isinstance(node, SILENT):
            yield node
        elif isinstance(node, ast.AnnAssign | ast.arg):
            yield node.annotation
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            yield node.value
        elif isinstance(node, FUNCTION):
            yield from (node.returns, *node.decorator_list)
        elif isinstance(node, ast.ClassDef):
            yield from (*node.bases, *node.decorator_list)
        elif isinstance(node, ast.ExceptHandler):
            yield node.type
        elif isinstance(node, ast.Raise):
            yield from ast.iter_child_nodes(node)
    for statement in [
        *tree.body,
        *(part for node in tree.body if isinstance(node, ast.ClassDef) for part in node.body),
    ]:
        if isinstance(statement, ast.Assign) or (
            isinstance(statement, ast.AnnAssign) and ast.unparse(statement.annotation) == "TypeAlias"
        ):
            yield statement


def _skipped(tree: ast.Module) -> set[int]:
    """Nodes that have no mutants."""
    skipped = {id(part) for node in _sayings(tree) if node is not None for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, FUNCTION):
            _first_assignments(node, skipped)
    return skipped


def _first_assignments(function: ast.AST, skipped: set[int]) -> None:
    """To remove the only assignment of a name is an error that any call shows."""
    assigned = Counter(
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            names = [
                part.id
                for target in node.targets
                for part in ast.walk(target)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            ]
            if names and not any(assigned[name] > 1 or name in arguments for name in names):
                skipped.add(id(node))


def _owners(tree: ast.Module) -> dict[int, tuple[str, ast.AST | None]]:
    """For each node the name and the node of the outermost function around it, its body only."""
    owners: dict[int, tuple[str, ast.AST | None]] = {}
    for statement in tree.body:
        for node in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            prefix = f"{statement.name}." if isinstance(statement, ast.ClassDef) else ""
            if isinstance(node, FUNCTION):
                for part in (inner for line in node.body for inner in ast.walk(line)):
                    owners[id(part)] = f"{prefix}{node.name}", node
    return owners


def mutants(module: str, source: str) -> list[Mutant]:
    """All of a module's."""
    tree = ast.parse(source)
    skipped, owners, parents = (
        _skipped(tree),
        _owners(tree),
        {id(part): node for node in ast.walk(tree) for part in ast.iter_child_nodes(node)},
    )
    names = {id(node): set(re.findall(r"\w+", ast.unparse(node))) for _, node in owners.values() if node is not None}
    found, line = [], 0
    for number, node in enumerate(ast.walk(tree)):
        line = getattr(node, "lineno", line)
        if id(node) in skipped or type(node) not in VARIANTS:
            continue
        function, owner = owners.get(id(node), ("", None))
        for variant, changed in enumerate(VARIANTS[type(node)](node)):
            if (
                isinstance(changed, ast.Name)
                and isinstance(node, ast.Name)
                and (owner is None or changed.id not in names[id(owner)])
            ):
                continue
            if (
                isinstance(changed, ast.Constant)
                and isinstance(parents[id(node)], ast.Subscript)
                and changed.value in (-1, 2)
            ):
                continue  # ends of an interval are exchanged: there is no third one
            before, after = _shown(node, changed, parents)
            if before != after:
                found.append(Mutant(module, getattr(node, "lineno", line), function, number, variant, before, after))
    return list(_counted(sorted(found, key=lambda mutant: (mutant.line, mutant.node, mutant.variant))))


def _counted(found: Sequence[Mutant]) -> Iterator[Mutant]:
    """Each with its number among those that read alike."""
    times = Counter[str]()
    for mutant in found:
        times[mutant.label] += 1
        yield replace(mutant, time=times[mutant.label])


def _shown(node: ast.AST, changed: ast.AST, parents: dict[int, ast.AST]) -> tuple[str, str]:
    """What is changed, with what is around it if it is short."""
    shown = node
    while len(_read(shown)) < 12 and isinstance(
        parents[id(shown)], ast.expr | ast.keyword | ast.Return | ast.Assign | ast.AnnAssign
    ):
        shown = parents[id(shown)]
    before = _read(shown)
    if shown is node:
        return before, _read(changed)
    parent = parents[id(node)]
    for field, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, field, changed)
            after = _read(shown)
            setattr(parent, field, node)
            return before, after
        if isinstance(value, list) and any(part is node for part in value):
            setattr(parent, field, [changed if part is node else part for part in value])
            after = _read(shown)
            setattr(parent, field, value)
            return before, after
    return before, _read(changed)


def _read(node: ast.AST) -> str:
    """One line of it."""
    if isinstance(node, ast.comprehension):
        return " ".join(
            [
                "for",
                ast.unparse(node.target),
                "in",
                ast.unparse(node.iter),
                *(f"if {ast.unparse(test)}" for test in node.ifs),
            ]
        )
    text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))
    return re.sub(r"\s+", " ", text.split("\n")[0] if isinstance(node, ast.If | ast.While) else text)


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().generic_visit(node)


def mutated(source: str, mutant: Mutant) -> ast.Module:
    """The module with this one change."""
    tree = ast.parse(source)
    node = next(node for number, node in enumerate(ast.walk(tree)) if number == mutant.node)
    changed = list(VARIANTS[type(node)](node))[mutant.variant]
    whole: ast.Module = _Replace(node, ast.copy_location(changed, node)).visit(tree)
    return ast.fix_missing_locations(whole)


# Running the tests: in a process that has nothing of the project in it but the copy


class Runner:
    """A plugin of pytest: instead of the tests it runs `loop`, with the tests as they were collected."""

    def __init__(self, loop: Callable[[Sequence[Any]], None]) -> None:
        self.loop = loop

    def pytest_runtestloop(self, session: Any) -> bool:
        """All tests were collected."""
        self.loop(session.items)
        return True


def _tests(loop: Callable[[Sequence[Any]], None]) -> None:
    import pytest

    pytest.main(
        ["-q", "-x", "-p", "no:cacheprovider", "--no-header", "-c", os.devnull, "--rootdir", ".", str(TESTS)],
        plugins=[Runner(loop)],
    )


@dataclass(frozen=True)
class Known:
    """What the tests do without a mutation: seconds, and the functions of the checker that they call, by test."""

    seconds: dict[str, float]
    calls: dict[str, list[str]]

    def order(self, items: Sequence[Any], function: str, killers: Sequence[str]) -> list[Any]:
        """The tests that call a function, what killed before first, then the quickest."""
        chosen = [item for item in items if not function or function in self.calls[item.nodeid]]
        return sorted(chosen, key=lambda item: (-killers.count(item.nodeid), self.seconds[item.nodeid]))


def _run_until_failure(items: Sequence[Any], known: Known) -> str:
    """The first test that fails; nothing if all pass. A test that does not end ends the process."""
    from _pytest.runner import runtestprotocol

    for number, item in enumerate(items):
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS + 5 * known.seconds[item.nodeid])
        reports = runtestprotocol(item, log=False, nextitem=items[number + 1] if number + 1 < len(items) else None)
        if any(report.failed for report in reports):
            return str(item.nodeid)
    return ""


def _forked(work: Callable[[], str], seconds: float, processor_seconds: int) -> str:
    """What `work` returns in a process of its own; `endless` if it dies or takes too long."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (processor_seconds, processor_seconds + 1))
        try:
            answer = work()
        except BaseException as error:
            answer = f"error {type(error).__name__}: {error}"
        os.write(writing, (answer[:900] + "\n").encode())
        os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], seconds)
    answer = os.read(reading, 1000).decode() if ready else ""
    os.close(reading)
    if not ready:
        os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return answer.rstrip("\n") if answer else "endless"


def _exchange(mutant: Mutant, source: str) -> None:
    """Give one function of the imported checker the code of the mutant."""
    code = compile(mutated(source, mutant), f"{mutant.module}.py", "exec", dont_inherit=True)
    target: Any = sys.modules[f"certify.checker.{mutant.module}"]
    for name in mutant.function.split("."):
        code = next(part for part in code.co_consts if isinstance(part, types.CodeType) and part.co_name == name)
        target = vars(target)[name]
    target = getattr(target, "fget", target)
    target.__code__ = code


def _observe() -> Known:
    """All tests without a mutation, for their times and then for what they call, each in a fresh process; a failure is
    an error.
    """
    from _pytest.runner import runtestprotocol

    known, called, failed = Known({}, {}), set[str](), list[str]()
    codes: dict[types.CodeType, str] = {}

    def trace(frame: types.FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        name = codes.get(code)
        if name is None:
            path = Path(code.co_filename)
            name = codes[code] = (
                f"{path.stem}.{code.co_qualname}".partition(".<locals>")[0] if path.parent.name == CHECKER.name else ""
            )
        called.add(name)

    def timed(items: Sequence[Any]) -> str:
        seconds: dict[str, float] = {}
        for number, item in enumerate(items):
            began = time.process_time()
            runtestprotocol(item, log=False, nextitem=items[number + 1] if number + 1 < len(items) else None)
            seconds[item.nodeid] = time.process_time() - began
        Path("seconds.json").write_text(json.dumps(seconds))
        return "timed"

    def loop(items: Sequence[Any]) -> None:
        if _forked(lambda: timed(items), 3600, 3600) == "timed":
            known.seconds.update(json.loads(Path("seconds.json").read_text()))
        for number, item in enumerate(items):
            called.clear()
            sys.settrace(trace)
            reports = runtestprotocol(item, log=False, nextitem=items[number + 1] if number + 1 < len(items) else None)
            sys.settrace(None)
            known.calls[item.nodeid] = sorted(called - {""})
            failed.extend(report.longreprtext for report in reports if report.failed)

    _tests(loop)
    if failed or not known.seconds:
        raise SystemExit(f"the tests fail without a mutation: {failed[:1]}")
    return known


def worker(folder: Path) -> None:
    """Judge the mutants of `jobs.json` of the folder, each a line of `results.jsonl`; make `known.json` if it is not
    there.
    """
    os.chdir(folder)
    sys.path[0] = str(folder)
    import hypothesis  # noqa: F401
    import pytest  # noqa: F401

    if not (folder / "known.json").exists():
        (folder / "known.json").write_text(json.dumps(asdict(_observe())))
        return
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    jobs = [Mutant(**job) for job in json.loads((folder / "jobs.json").read_text())]
    known = Known(**json.loads((folder / "known.json").read_text()))
    processor = max(MUTANT_SECONDS, math.ceil(3 * sum(known.seconds.values())))
    limit = 300 + 10 * processor
    sources = {path.stem: path.read_text() for path in (folder / CHECKER).glob("*.py")}
    inside = [
        job for job in jobs if job.function and job.function.split(".")[-1] not in BUILDERS and job.module != "__main__"
    ]

    def say(mutant: Mutant, killer: str) -> None:
        with open(folder / "results.jsonl", "a") as results:
            results.write(json.dumps({"mutant": asdict(mutant), "killer": killer}) + "\n")

    def in_memory(items: Sequence[Any]) -> None:
        killers: dict[str, list[str]] = defaultdict(list)
        for mutant in inside:
            function = f"{mutant.module}.{mutant.function}"

            def work(mutant: Mutant = mutant, function: str = function) -> str:
                _exchange(mutant, sources[mutant.module])
                return _run_until_failure(known.order(items, function, killers[function]), known)

            killer = _forked(work, limit, processor)
            killers[function].append(killer)
            say(mutant, killer)

    process = os.fork()
    if process == 0:
        _tests(in_memory)
        os._exit(0)
    os.waitpid(process, 0)
    for mutant in jobs:
        if mutant not in inside:
            path = folder / CHECKER / f"{mutant.module}.py"
            path.write_text(ast.unparse(mutated(sources[mutant.module], mutant)) + "\n")
            say(mutant, _forked(lambda: _fresh(known), limit, processor))
            path.write_text(sources[mutant.module])


def _fresh(known: Known) -> str:
    """All tests on the copy as it now is; an error while it is imported kills too."""
    killers: list[str] = []
    signal.setitimer(signal.ITIMER_PROF, IMPORT_SECONDS)
    _tests(lambda items: killers.append(_run_until_failure(known.order(items, "", ()), known)))
    return killers[0] if killers else "import"


# The benchmark


def copied(folder: Path, examples: int, chosen: Sequence[str]) -> None:
    """The checker, its tests, and what they need; the package around the checker is empty, so that it stands alone."""
    shutil.copytree(ROOT / CHECKER, folder / CHECKER, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / TESTS, folder / TESTS, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "certify/__init__.py").write_text("")
    (folder / "benchmarks").mkdir()
    (folder / "benchmarks/__init__.py").write_text("")
    for name in ("forgeries.py", "_false_claims.py", "_claims_of_version_6.py"):
        shutil.copy(ROOT / "benchmarks" / name, folder / "benchmarks")
    (folder / "tests/conftest.py").write_text(f"{CONFTEST}\n\nEXAMPLES = {examples}\nCHOSEN = {list(chosen)!r}\n")


def _spawn(folder: Path) -> subprocess.Popen[bytes]:
    command = ["nice", "-n", "5", sys.executable, str(Path(__file__).resolve()), str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def argued() -> list[str]:
    """The labels of the file of survivors; each is followed by why nothing is lost."""
    items = ARGUED.read_text().replace("\n  ", " ")
    return [match[1] for match in re.finditer(r"^- (\w+:[\w.]+: `.*?` -> `.*?`(?: \(\d+\))?): \S", items, re.M)]


def every_mutant() -> list[Mutant]:
    """All of the checker's."""
    return [mutant for name, source in _sources().items() for mutant in mutants(name, source)]


def _sources() -> dict[str, str]:
    """The modules of the checker that say something."""
    return {path.stem: path.read_text() for path in sorted((ROOT / CHECKER).glob("*.py")) if path.stem != "__init__"}


def _judge(jobs: Sequence[Mutant], processes: int, examples: int, chosen: Sequence[str]) -> list[tuple[Mutant, str]]:
    """Each mutant with what killed it."""
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / f"copy{number}" for number in range(processes)]
        copied(folders[0], examples, chosen)
        if _spawn(folders[0]).wait() != 0:
            raise SystemExit("the tests fail without a mutation")
        shutil.rmtree(folders[0] / CHECKER / "__pycache__", ignore_errors=True)
        for other in folders[1:]:
            shutil.copytree(folders[0], other)
        running, began = [], time.perf_counter()
        for number, folder in enumerate(folders):
            (folder / "jobs.json").write_text(json.dumps([asdict(job) for job in jobs[number::processes]]))
            running.append(_spawn(folder))
        while True:
            ended = all(process.poll() is not None for process in running)
            found = [line for folder in folders for line in _results(folder)]
            if ended:
                break
            print(
                f"{len(found)} of {len(jobs)}, {sum(not killer for _, killer in found)} survived, "
                f"{time.perf_counter() - began:.0f} s",
                flush=True,
            )
            time.sleep(20)
        if len(found) != len(jobs):
            raise SystemExit(
                f"{len(jobs) - len(found)} mutants were not judged; the processes ended with "
                f"{[p.returncode for p in running]}"
            )
        for mutant, killer in found:
            if killer.startswith("error"):
                raise SystemExit(f"{mutant.label} was not judged: {killer}")
    return found


def _results(folder: Path) -> list[tuple[Mutant, str]]:
    path = folder / "results.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    answers = [json.loads(line) for line in lines]
    return [(Mutant(**answer["mutant"]), answer["killer"]) for answer in answers]


def run(words: list[str]) -> dict[str, Any]:
    """Print the score by module and the survivors that nobody has argued."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks mutants")
    parser.add_argument("--module", nargs="*", help="names of modules of the checker; all")
    parser.add_argument("--count", type=int, help="so many mutants, evenly spread; all")
    parser.add_argument("--only", nargs="+", default=[""], help="those whose label contains one of these texts; all")
    parser.add_argument("--processes", type=int, default=2, help="at the same time, at most 2")
    parser.add_argument("--examples", type=int, default=1, help="take one of so many random examples of each test")
    parser.add_argument(
        "--tests",
        nargs="+",
        default=[""],
        help="only tests whose names contain one of these: faster, and a lower bound; all",
    )
    parser.add_argument("--unargued", action="store_true", help="leave out what is argued")
    options = parser.parse_args(words)
    modules = _sources()
    unknown = set(options.module or ()) - set(modules)
    if unknown:
        raise SystemExit(f"the checker has no module {unknown.pop()!r}; it has {', '.join(modules)}")
    chosen = [mutant for mutant in every_mutant() if mutant.module in (options.module or modules)]
    jobs = [mutant for mutant in chosen if any(part in mutant.label for part in options.only)]
    if options.count is not None and options.count < len(jobs):
        jobs = [jobs[k * len(jobs) // options.count] for k in range(options.count)]
    if options.unargued:
        jobs = [job for job in jobs if job.label not in argued()]
    found = _judge(jobs, max(1, min(options.processes, 2)), options.examples, options.tests)
    score: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for mutant, killer in found:
        score[mutant.module][0] += bool(killer)
        score[mutant.module][1] += 1
    for name, (killed, total) in sorted(score.items()):
        print(f"{name:<14} {killed:>5} of {total:>5} killed {100 * killed / total:6.1f} %")
    survivors = sorted(
        (mutant for mutant, killer in found if not killer), key=lambda mutant: (mutant.module, mutant.line)
    )
    killed = len(found) - len(survivors)
    print(
        f"{'all':<14} {killed:>5} of {len(found):>5} killed {100 * killed / max(len(found), 1):6.1f} %; "
        f"{len(survivors)} survivors, not argued:"
    )
    unargued = [mutant.label for mutant in survivors if mutant.label not in argued()]
    for label in unargued:
        print(f"- {label}")
    killers = Counter(killer.split("[")[0] for _, killer in found)
    return {
        "score": {name: {"killed": killed, "mutants": total} for name, (killed, total) in sorted(score.items())},
        "killed": killed, "mutants": len(found), "survivors": [mutant.label for mutant in survivors],
        "not argued": unargued,
        "killers": dict(killers.most_common()),
        "slowly": [mutant.label for mutant, killer in found if killer == "endless"],
    }  # fmt: skip


if __name__ == "__main__":
    worker(Path(sys.argv[1]))
