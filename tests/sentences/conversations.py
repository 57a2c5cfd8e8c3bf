"""Random planted problems through the real command: every statement that is made about them, with the judge that knows
better.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from certificates import read_certificate, read_certificates
from doubt_truth import DoubtJudge
from explain_truth import Explained, ExplainedSystem
from next_truth import NextJudge
from planted_curves import arms, distances, quotients, squares
from planted_experiments import PlantedExperiment, shown
from planted_lines import linear
from planted_platform import platform
from planted_readings import readings
from planted_systems import (
    PlantedSet,
    PlantedSystem,
    discs,
    expressions,
    impossible,
    lengths,
    polygons,
    quadrants,
    triangular,
)
from platform_truth import PlatformJudge
from prepare_truth import PrepareJudge
from proof_truth import RULES as OF_PROOFS
from proof_truth import ProofJudge
from reading import read_run
from reading_doubt import read_doubt
from reading_explain import read_check, read_explanation
from reading_next import read_next
from reading_platform import read_calibrate
from reading_prepare import read_prepare
from reading_report import read_report
from reading_systems import read_system
from running import Told, run
from statements import Said
from system_truth import SystemJudge
from truth import Judge

EXPERIMENTS: Sequence[Callable[[int], PlantedExperiment]] = (linear, distances, linear, quotients, linear, arms, linear)
SYSTEMS: Sequence[Callable[[int], PlantedSystem | PlantedSet]] = (
    triangular,
    polygons,
    expressions,
    lengths,
    triangular,
    impossible,
    quadrants,
    discs,
)
SELDOM = 40  # experiments between two whose rows touch 0 from one side: their searches end at a limit
DOUBTED = 9  # of so many problems one is doubted
CALIBRATED = 30  # of so many problems one is a platform
EXPLAINED = 3  # of so many experiments one is explained
ZERO = Fraction(0)
MIDDLES = "least-squares.canonical"


@dataclass(frozen=True)
class Heard:
    """A statement, the problem that it is about, and whether it is true."""

    problem: str
    words: tuple[str, ...]
    said: Said
    true: bool


def experiment(seed: int) -> PlantedExperiment:
    """The planted experiment of this number."""
    return squares(seed) if seed % SELDOM == SELDOM - 1 else EXPERIMENTS[seed % len(EXPERIMENTS)](seed)


def system(seed: int) -> PlantedSystem | PlantedSet:
    """The planted system of this number."""
    return SYSTEMS[seed % len(SYSTEMS)](seed)


def run_experiment(planted: PlantedExperiment, folder: Path, words: Sequence[str], seconds: int = 3) -> Told:
    """Write the files and run the command on them."""
    folder.mkdir(parents=True)
    (folder / "problem.toml").write_text(planted.problem)
    (folder / "poses.csv").write_text(planted.table)
    out = folder / "certified"
    return run(
        [
            "run",
            str(folder / "problem.toml"),
            "--out",
            str(out),
            "--quiet",
            "--workers",
            "1",
            "--time-limit",
            str(seconds),
            *words,
        ],
        out,
    )


def run_system(planted: PlantedSystem | PlantedSet, folder: Path, seconds: int = 2) -> Told:
    """Write the file and run the command on it."""
    folder.mkdir(parents=True)
    (folder / "system.bch").write_text(planted.text)
    out = folder / "solved"
    return run(
        [
            "run",
            str(folder / "system.bch"),
            "--out",
            str(out),
            "--quiet",
            "--workers",
            "1",
            "--time-limit",
            str(seconds),
        ],
        out,
    )


def questions(planted: PlantedExperiment, seed: int) -> tuple[list[str], Fraction]:
    """Random options of a run, and the model error that they ask about."""
    rng = random.Random(f"questions {seed}")
    words, level = [], Fraction(0)
    if rng.random() < 0.35:
        level = Fraction(rng.choice([0, 1, 5, 20, 50]), 100)
        words += ["--epsilon", f"{shown(level)} {planted.unit}"]
    elif rng.random() < 0.2:
        words += ["--gap", rng.choice(["0.3", "0.0123", "0.00017"])]
    words += [rng.choice(["--enclose", "--polytope"])] if rng.random() < 0.3 else []
    words += ["--least-squares"] if rng.random() < 0.3 else []
    words += ["--factor"] if rng.random() < 0.2 else []
    words += ["--discard"] if rng.random() < 0.25 and not planted.joint else []
    return words, level


def hear_experiment(seed: int, folder: Path) -> Iterator[Heard]:
    """All that is said about the experiment of this number."""
    words, level = questions(experiment(seed), seed)
    yield from ask(seed, folder, words, level, seed % EXPLAINED == 0)


def ask(
    seed: int, folder: Path, words: Sequence[str], level: Fraction = ZERO, explained: bool = False
) -> Iterator[Heard]:
    """What a run on an experiment says with these options, and what is explained of its certificates."""
    planted = experiment(seed)
    told = run_experiment(planted, folder, words)
    judge, problem = Judge(planted, told, level), f"experiment {seed} ({planted.kind})"
    yield from judged(problem, judge, told, read_experiment(told))
    if explained:
        yield from hear_explanations(problem, judge)
        yield from hear_report(problem, judge)


def hear_page(seed: int, folder: Path) -> Iterator[Heard]:
    """What the page about a run on the experiment of this number says, and nothing else."""
    planted = experiment(seed)
    words, level = questions(planted, seed)
    told = run_experiment(planted, folder / "run", words)
    yield from hear_report(f"experiment {seed} ({planted.kind})", Judge(planted, told, level))


def hear_report(problem: str, judge: Judge) -> Iterator[Heard]:
    """What the page about a run's folder says."""
    told = run(["report", str(judge.told.folder), "--quiet"], judge.told.folder)
    yield from judged(problem, judge, told, read_report(judge.told.folder / "report.html"))


def read_experiment(told: Told) -> Iterator[Said]:
    """What the run and its certificates say."""
    yield from read_run(told)
    yield from read_certificates(told.folder)
    if (told.folder / MIDDLES).is_file():
        yield from read_certificates(told.folder, MIDDLES)


def widened(canonical: Path, planted: PlantedExperiment) -> Fraction:
    """The factor on all half-widths with which a canonical problem is written."""
    lines = canonical.read_text("ascii").split("\n")
    for place, words in enumerate(line.split(" ") for line in lines):
        if words[0] == "column":
            for half, line in zip(planted.halves[words[1]], lines[place + 1 :], strict=False):
                if half:
                    low, high = map(Fraction, line.split(" "))
                    return (high - low) / 2 / half
    raise AssertionError("no reading is uncertain")


@dataclass(frozen=True)
class Whole:
    """What an explanation says of the claim, and of the proof."""

    explained: Explained | ExplainedSystem
    proof: ProofJudge

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return (self.proof if said.kind in OF_PROOFS else self.explained).holds(said)


def hear_explanations(problem: str, judge: Judge) -> Iterator[Heard]:
    """What is explained of each certificate, and what its check says in words."""
    folder = judge.told.folder
    for path in sorted(folder.glob("*.cert")):
        canonical = MIDDLES if path.stem.endswith(("-minimum", "-minimiser")) else "problem.canonical"
        knowing = judge
        if "-factor-" in path.stem:
            canonical = f"{path.stem}.canonical"
            if judge.planted.kind.endswith("lines"):
                knowing = replace(judge, planted=judge.planted.scaled(widened(folder / canonical, judge.planted)))
            else:
                continue  # nothing is known about other half-widths
        claimed = read_certificate(path)
        planted, legs = judge.planted, len(judge.planted.unknowns)
        free = sum(radius > 0 for radius in planted.radii.values())
        size = free, len(planted.halves), planted.poses * legs, legs
        explained = Explained(knowing, claimed, canonical)
        proof = ProofJudge(
            path, folder / canonical, folder / "problem.toml", None, claimed, size, explained.impossible_in
        )
        for words, read in (
            (["explain", str(path)], read_explanation),
            (["check", str(folder / canonical), str(path)], read_check),
        ):
            told = run(words, folder)
            yield from judged(problem, Whole(explained, proof), told, read(told.text))


def hear_system_explanations(problem: str, planted: PlantedSystem | PlantedSet, judge: SystemJudge) -> Iterator[Heard]:
    """The same of a system; the inner certificate of a set is explained as one of the system, and as one of a problem
    that nobody knows.
    """
    folder, system = judge.told.folder, judge.told.folder.parent / "system.bch"
    for path in sorted(folder.glob("*.cert")):
        about = judge
        words = [
            ["explain", str(path)],
            ["explain", str(path), "--problem", str(system)],
            ["check", str(system), str(path)],
        ]
        for asked in words if path.stem in ("inner", "solutions") else words[::2]:
            if path.stem == "inner" and len(asked) == 2 and isinstance(planted, PlantedSet):
                about = SystemJudge(planted.complement(), judge.told)
            told = run(asked, folder)
            read = read_check if asked[0] == "check" else read_explanation
            explained = ExplainedSystem(about, read_certificate(path))
            proof = proof_of(judge, path, system, asked[3:] != [])
            yield from judged(problem, Whole(explained, proof), told, read(told.text))
            about = judge


def proof_of(judge: SystemJudge, path: Path, source: Path, given: bool) -> ProofJudge:
    """What is true of the proof of a system's certificate; the inner one is of what does not belong to a set."""
    planted, claimed = judge.planted, read_certificate(path)
    inner = path.stem == "inner" and isinstance(planted, PlantedSet)
    about = SystemJudge(planted.complement(), judge.told) if inner and isinstance(planted, PlantedSet) else judge
    canonical = next(file for file in sorted(path.parent.glob("*.canonical")) if digest(file) == named_by(path))
    size = len(planted.box), None, len(planted.functions), len(planted.functions)
    named = source if given else None
    return ProofJudge(path, canonical, source, named, claimed, size, about.impossible_in, True, inner and given)


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def named_by(certificate: Path) -> str:
    """The problem that a certificate names."""
    return certificate.read_text("ascii").split("\n")[1].removeprefix("problem ")


def hear_system(seed: int, folder: Path) -> Iterator[Heard]:
    """All that is said about the system of this number."""
    planted = system(seed)
    told = run_system(planted, folder)
    judge = SystemJudge(planted, told)
    yield from judged(f"system {seed} ({planted.kind})", judge, told, read_system(told))
    yield from hear_system_explanations(f"system {seed} ({planted.kind})", planted, judge)


def judged(
    problem: str,
    judge: Judge | SystemJudge | Whole | PlatformJudge | NextJudge | PrepareJudge,
    told: Told,
    statements: Iterator[Said],
) -> Iterator[Heard]:
    """Statements with their truth."""
    for said in statements:
        yield Heard(problem, told.words, said, judge.holds(said))


def hear_doubt(seed: int, folder: Path) -> Iterator[Heard]:
    """What is doubted of straight lines of this number, on two thirds of the poses."""
    planted = linear(seed)
    boxed = run_experiment(planted, folder, [])
    out = folder / "doubted"
    words = ["doubt", str(folder / "problem.toml"), "--out", str(out), "--quiet", "--keep", "1/3", "--time-limit", "3"]
    told = run(words, out)
    yield from judged(f"doubt {seed} ({planted.kind})", DoubtJudge(planted, told, boxed), told, read_doubt(told))


def hear_platform(seed: int, folder: Path) -> Iterator[Heard]:
    """What a classical calibration says of the platform of this number."""
    planted, out = platform(seed), folder / "calibrated"
    folder.mkdir(parents=True)
    (folder / "problem.toml").write_text(planted.problem)
    (folder / "poses.csv").write_text(planted.table(planted.poses, planted.readings))
    (folder / "validation.csv").write_text(planted.table(planted.validation, planted.seen))
    told = run(["calibrate", str(folder), "--quiet", "--gap", "0.1", "--time-limit", "10"], out)
    yield from judged(f"platform {seed}", PlatformJudge(planted, told), told, read_calibrate(told))


def hear_next(seed: int, folder: Path) -> Iterator[Heard]:
    """Which of the poses of straight lines of this number would be measured again."""
    planted = linear(seed)
    folder.mkdir(parents=True)
    (folder / "problem.toml").write_text(planted.problem.replace('centre = "least squares"', 'centre = "nominal"'))
    for name in ("poses.csv", "candidates.csv"):
        (folder / name).write_text(planted.table)
    count = min(2, planted.poses)
    words = ["next", str(folder / "problem.toml"), str(folder / "candidates.csv"), "--count", str(count), "--quiet"]
    told = run(words, folder)
    yield from judged(f"next {seed} ({planted.kind})", NextJudge(planted, told), told, read_next(told))


def hear_prepare(seed: int, folder: Path) -> Iterator[Heard]:
    """What is made of the raw readings of this number."""
    planted, out = readings(seed), folder / "prepared"
    folder.mkdir(parents=True)
    (folder / "experiment.toml").write_text(planted.experiment)
    (folder / "calibration.csv").write_text(planted.table)
    told = run(["prepare", str(folder / "experiment.toml"), "--quiet"], out)
    yield from judged(f"readings {seed}", PrepareJudge(planted, told), told, read_prepare(told))


def hear_renamed(seed: int, folder: Path) -> Iterator[Heard]:
    """What is explained of a set's certificate when somebody has called its conditions violations: no name may change
    what is claimed.
    """
    planted = system(seed)
    if not isinstance(planted, PlantedSet):
        raise ValueError(f"system {seed} is no set")
    told = run_system(planted, folder)
    files = {name: (told.folder / name).read_text() for name in ("outer.canonical", "outer.cert")}
    renamed = {name: text.replace("inequality", "violation") for name, text in files.items()}
    old, new = (hashlib.sha256(texts["outer.canonical"].encode()).hexdigest() for texts in (files, renamed))
    (folder / "outer.canonical").write_text(renamed["outer.canonical"])
    (folder / "outer.cert").write_text(renamed["outer.cert"].replace(old, new))
    told = replace(told, folder=folder)
    judge, outer = SystemJudge(planted, told), folder / "outer.canonical"
    proof = proof_of(judge, folder / "outer.cert", outer, True)
    whole = Whole(ExplainedSystem(judge, read_certificate(folder / "outer.cert")), proof)
    for words, read in (
        (["explain", str(folder / "outer.cert"), "--problem", str(folder / "outer.canonical")], read_explanation),
        (["check", str(folder / "outer.canonical"), str(folder / "outer.cert")], read_check),
    ):
        yield from judged(f"system {seed}, renamed", whole, told, read(run(words, folder).text))


def hear(number: int, folder: Path) -> Iterator[Heard]:
    """All that is said about the problem of this number: experiments, some of which are doubted, every third a system,
    and seldom a platform that is calibrated classically, and whose raw readings are prepared.
    """
    if number % CALIBRATED == CALIBRATED - 1:
        yield from hear_platform(number // CALIBRATED, folder / "platform")
        yield from hear_prepare(number // CALIBRATED, folder / "readings")
    elif number % 3 == 2:
        yield from hear_system(number // 3, folder)
    elif number % DOUBTED == DOUBTED - 2:
        yield from hear_doubt(number, folder)
    else:
        yield from hear_experiment(number - number // 3, folder)
