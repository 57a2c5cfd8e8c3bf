"""How far off can an arm be all over a workspace: what is proved, beside the best of many local ascents in floats.

    python -m benchmarks accuracy [--data FOLDER] [--poses 60] [--ascents 1000] [--cells 32] [--boxes 1,2,3] [--cube 64]
                                  [--arms 20]

A UR10 (simulated, 27 unknowns; with --data measured by others, 25 unknowns within 2 mm and 3 mrad), boxes of +-10
degrees about three configurations and the positions of a cube of half a metre, at 1.2 times the smallest model error
that a witness shows. The ascents know nothing of the proofs: sequential linear programs in x, slopes by differences of
a second description of the arm, trials in q, or in the position, whose joints are found by Newton's method.
Then planted arms of all shapes: is the deviation of the planted parameters ever beyond the upper end?
"""

import argparse
import resource
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import certify
from benchmarks._planted_arms import FLOATS, Plan, PlantedArm, Shape, planted
from benchmarks._planted_arms import tip as planted_tip
from benchmarks._row_problems import problem as row_problem
from benchmarks._row_problems import tip
from certify.accuracy.assumptions import FACTOR, above, levels_of, witnesses
from certify.accuracy.guarantees import Guarantee
from certify.accuracy.outputs import Axis
from certify.accuracy.question import Asked, Workspace, accuracy
from certify.branches.cube import Region
from certify.checks.checking import check_files
from certify.parts.warm_up import warm_up
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.limits import UNLIMITED
from certify.solvers.linear_programs.highs import GrowingModel

PLACES = ([0.3, -1.2, 1.1, -0.5, 1.2, 0.4], [-1.0, -0.8, 0.9, 0.2, -1.0, 0.0], [2.0, -1.5, 1.8, -1.0, 0.8, 1.0])
CONFIGURATION, EDGE = ("-0.6", "-1.4", "1.9", "-2.0", "-1.5", "0.4"), 500  # of the cube, in mm
TOOL = ("tool_x", "tool_y", "tool_z")
TEN_DEGREES, TENTH = Fraction(17454, 10**5), Fraction(1, 10)
STEPS, TRUST = 4, (1.0, 1.0, 0.3, 0.1)
INSIDE = 1e-6  # mm by which a row may exceed its error
STEP = 1e-6  # of a parameter, for slopes


def run(words: list[str]) -> dict[str, Any]:
    """A line for each box, and one for the planted arms."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks accuracy")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--poses", type=int, default=60)
    parser.add_argument("--ascents", type=int, default=1000)
    parser.add_argument("--cells", type=int, default=32)
    parser.add_argument("--cube", type=int, default=64, help="cells of the cube; 0 leaves it out")
    parser.add_argument("--boxes", type=_numbers, default=(1, 2, 3), metavar="K,...", help="0 leaves them out")
    parser.add_argument("--arms", type=int, default=20)
    parser.add_argument("--limit", type=float, default=1200.0)
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    name = "arm" if options.data is None else "ur10"
    problem, start = row_problem(name, options.poses, options.data)
    return {"boxes": _boxes(name, problem, start, options), "planted": _planted(options.arms, options.limit)}


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(number for part in text.split(",") if (number := int(part)))


def _boxes(name: str, problem: certify.Problem, start: np.ndarray, options: Any) -> list[dict[str, Any]]:
    """Each workspace is asked about alone, so that its seconds are its own."""
    asking = certify.Options(time_limit=options.limit)
    known = witnesses(problem, start, asking, UNLIMITED)
    at = tuple(Fraction(round(v * 10**7), 10**7) for v in start.tolist())
    levels = levels_of(problem, above({part: needed for part, (needed, _) in known.items()}, FACTOR), at)
    epsilon = float(levels[0].epsilon)
    rows = []
    for k in options.boxes:
        place = PLACES[k - 1]
        space = Workspace(f"box {k}", _axes(place))
        ascents = _Ascents(problem, at, epsilon, place)
        rows.append(_row(name, problem, Asked(at, frozenset(), levels, (space,), options.cells), ascents, options))
    if options.cube:
        space = Workspace("cube", (), _region(problem))
        ascents = _CubeAscents(problem, at, epsilon, [float(q) for q in CONFIGURATION])
        rows.append(_row(name, problem, Asked(at, frozenset(), levels, (space,), options.cube), ascents, options))
    return rows


def _region(problem: certify.Problem) -> Region:
    """The cube about a configuration of the arm, whose joints are its first columns."""
    names = tuple(v.name for v in problem.variables)
    joints, tool = tuple(range(6)), tuple(names.index(name) for name in TOOL)
    place = tuple((Fraction(value), Fraction(value)) for value in CONFIGURATION)
    return Region(problem.families, names, {}, joints, ("rad",) * 6, tool, place, Fraction(EDGE))


def _row(name: str, problem: certify.Problem, asked: Asked, ascents: "_Ascents", options: Any) -> dict[str, Any]:
    """One workspace: both ends, as they stand after the check, beside the best of the ascents."""
    began = time.process_time()
    (found,) = accuracy(problem, asked, options=certify.Options(time_limit=options.limit)).guarantees
    seconds, checked = time.process_time() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    accepted = _accepted(found)
    after, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time()
    best = ascents.best(options.ascents)
    stands = found.standing(accepted)
    upper = None if stands.upper is None else float(stands.upper)
    told = {
        "robot": name, "box": found.workspace, "epsilon": float(found.level.epsilon), "upper": upper,
        "lower": float(stands.lower), "ascents": best, "ratio": None if upper is None else upper / best,
        "cells": [len(covering) for covering in stands.coverings], "certificates": len(accepted),
        "faces": sum(len(piece.faces) for piece in stands.pieces),
        "rejected": len(found.documents) - len(accepted), "cpu": seconds,
        "cpu_checking": after.ru_utime + after.ru_stime - checked.ru_utime - checked.ru_stime,
        "cpu_ascents": time.process_time() - began,
    }  # fmt: skip
    print(told, flush=True)
    return told


def _axes(place: list[float]) -> tuple[Axis, ...]:
    return tuple(Axis(k, Fraction(str(q)) - TEN_DEGREES, Fraction(str(q)) + TEN_DEGREES) for k, q in enumerate(place))


def _accepted(found: Guarantee) -> set[bytes]:
    """The certificates that the checker accepts, in a process of its own."""
    accepted = set()
    with tempfile.TemporaryDirectory() as folder:
        for number, (_, (canonical, certificate)) in enumerate(found.documents):
            paths = Path(folder) / f"{number}.canonical", Path(folder) / f"{number}.cert"
            paths[0].write_bytes(canonical)
            paths[1].write_bytes(certificate)
            if check_files(*paths).verified:
                accepted.add(certificate)
    return accepted


class _Ascents:
    """Local ascents of the deviation over consistent x and q in a box."""

    def __init__(self, problem: certify.Problem, at: tuple[Fraction, ...], epsilon: float, place: list[float]) -> None:
        self.problem, self.epsilon = problem, epsilon
        self.names = [v.name for v in problem.variables]
        self.at, self.place = np.array([float(v) for v in at]), np.array(place)
        self.lower, self.upper = problem.box
        self.radius = 0.5 * (self.upper - self.lower)
        self.known: tuple[np.ndarray, np.ndarray] | None = None

    def position(self, x: np.ndarray, q: np.ndarray) -> np.ndarray:
        """The tip (3, points) at joint values (6, points)."""
        found = tip(dict(zip(self.names, x, strict=True)), q, np.cos, np.sin)
        return np.array([np.broadcast_to(part, q.shape[1]) for part in found])

    def best(self, count: int) -> float:
        """The largest deviation of so many ascents."""
        random = np.random.default_rng(7)
        return max(self._ascent(random) for _ in range(count))

    def _rows(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sides of all rows, which must not be positive, and their slopes."""
        values, slopes = [], []
        for rows in self.problem.blocks:
            middle, half = 0.5 * (rows.lower + rows.upper), 0.5 * (rows.upper - rows.lower)
            found, slope = residuals(rows, x, middle)
            room = self.epsilon + half[list(rows.measured_inputs)].max(axis=0)
            values += [found - room, -found - room]
            slopes += [slope, -slope]
        return np.concatenate(values), np.vstack(slopes)

    def _ascent(self, random: np.random.Generator) -> float:
        x, q = self.at.copy(), self._drawn(random)
        u = random.normal(size=3)
        found = 0.0
        for step in range(STEPS):
            x = self._step(x, q, u / np.linalg.norm(u), TRUST[step])
            q = self._turned(x, q)
            u = (self.position(x, q[:, None]) - self.position(self.at, q[:, None]))[:, 0]
            if self._rows(x)[0].max() <= INSIDE:
                found = max(found, float(np.linalg.norm(u)))
        return found

    def _drawn(self, random: np.random.Generator) -> np.ndarray:
        """Joints of the workspace."""
        return self.place + float(TEN_DEGREES) * random.uniform(-1.0, 1.0, 6)

    def _step(self, x: np.ndarray, q: np.ndarray, u: np.ndarray, trust: float) -> np.ndarray:
        values, slopes = self._rows(x)
        shifts = np.eye(x.size) * STEP
        ends = [u @ (self.position(x + e, q[:, None]) - self.position(x - e, q[:, None]))[:, 0] for e in shifts]
        cost = -np.array(ends) / (2 * STEP) * self.radius
        lower = np.maximum((self.lower - x) / self.radius, -2.0 * trust)
        upper = np.minimum((self.upper - x) / self.radius, 2.0 * trust)
        model = GrowingModel(slopes * self.radius, -values, lower, upper, 1e-9)
        answer = model.minimise(cost, UNLIMITED)
        return x if answer is None else np.clip(x + self.radius * answer.point, self.lower, self.upper)

    def _turned(self, x: np.ndarray, q: np.ndarray) -> np.ndarray:
        q, grid = q.copy(), float(TEN_DEGREES) * np.linspace(-1.0, 1.0, 9)
        for k in range(6):
            trials = np.repeat(q[:, None], grid.size, axis=1)
            trials[k] = self.place[k] + grid
            off = np.linalg.norm(self.position(x, trials) - self.position(self.at, trials), axis=0)
            q[k] = trials[k, int(off.argmax())]
        return q


class _CubeAscents(_Ascents):
    """The same over the positions of a cube at one orientation; `where` says where in the cube the joints are."""

    def __init__(self, problem: certify.Problem, at: tuple[Fraction, ...], epsilon: float, place: list[float]) -> None:
        super().__init__(problem, at, epsilon, place)
        self.tool = [self.names.index(name) for name in TOOL]
        self.middle, self.axes = self._pose(self.place[:, None])
        self.where = np.zeros(3)

    def _pose(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The position (3, points) and the axes of the tool (3, 3, points) at joint values (6, points)."""
        here = self.position(self.at, q)
        return here, np.array([self.position(self.at + e, q) - here for e in np.eye(self.at.size)[self.tool]])

    def _missed(self, q: np.ndarray, offset: np.ndarray) -> np.ndarray:
        here, axes = self._pose(q)
        across = np.einsum("icp,jc->ijp", axes, self.axes[:, :, 0])
        off = (here - self.middle - offset[:, None]) / 1000.0
        return np.concatenate([off, across[[0, 0, 1], [1, 2, 2]]])

    def _joints(self, offset: np.ndarray, q: np.ndarray, before: np.ndarray) -> np.ndarray:
        """Those of a position, carried on from joints of another one along a straight way."""
        steps = np.hstack([np.zeros((6, 1)), 1e-6 * np.eye(6)])
        for part in np.linspace(0.0, 1.0, 5)[1:]:
            for _ in range(4):
                missed = self._missed(q[:, None] + steps, before + part * (offset - before))
                q = q - np.linalg.solve((missed[:, 1:] - missed[:, :1]) / 1e-6, missed[:, 0])
        return q

    def _drawn(self, random: np.random.Generator) -> np.ndarray:
        self.where = EDGE * random.uniform(-0.5, 0.5, 3)
        return self._joints(self.where, self.place, np.zeros(3))

    def _turned(self, x: np.ndarray, q: np.ndarray) -> np.ndarray:
        """One of the two ends of each axis, or where it is."""
        for k in range(3):
            trials = [np.where(np.arange(3) == k, end, self.where) for end in (-EDGE / 2, self.where[k], EDGE / 2)]
            joints = np.array([self._joints(trial, q, self.where) for trial in trials]).T
            off = np.linalg.norm(self.position(x, joints) - self.position(self.at, joints), axis=0)
            self.where, q = trials[int(off.argmax())], joints[:, int(off.argmax())]
        return q


def _planted(arms: int, limit: float) -> dict[str, Any]:
    """How often the planted parameters are beyond the upper end, how near it is to the lower one."""
    beyond, ratios, unbounded = 0, [], 0
    for seed in range(arms):
        random = np.random.default_rng(seed)
        shape = Shape.drawn(random, 3 + seed % 5)
        plan = Plan(unknowns=6 + seed % 9, redundant=seed % 2 == 1, joint=Fraction(seed % 3 == 0, 10**5))
        made = planted(shape, plan, random)
        at = tuple(Fraction(round(v * 10**6), 10**6) for v in made.start.tolist())
        part = next(iter(witnesses(made.problem, made.start, certify.Options(), UNLIMITED)))
        levels = levels_of(made.problem, {part: Fraction(1, 100)}, at)
        turns = [Fraction(round(v * 1000), 1000) for v in random.uniform(-1.2, 1.2, shape.joints).tolist()]
        units = [Fraction(100) if slides else Fraction(1) for slides in shape.slides]
        ends = [((turn - TENTH) * unit, (turn + TENTH) * unit) for turn, unit in zip(turns, units, strict=True)]
        space = Workspace("box", tuple(Axis(k, *pair) for k, pair in enumerate(ends)))
        options = certify.Options(time_limit=limit)
        (found,) = accuracy(made.problem, Asked(at, frozenset(), levels, (space,), 16), options=options).guarantees
        if found.upper is None:
            unbounded += 1
            continue
        q = np.array([random.uniform(float(low), float(high), 200) for low, high in ends])
        beyond += _off(made, shape, at, q) > found.upper
        ratios += [float(found.upper / found.lower)] if found.lower else []
    told = {
        "arms": arms, "beyond": beyond, "without_bound": unbounded, "with_witness": len(ratios),
        "median_ratio": float(np.median(ratios)) if ratios else None, "worst_ratio": max(ratios, default=None),
    }  # fmt: skip
    print(told)
    return told


def _off(made: PlantedArm, shape: Shape, at: tuple[Fraction, ...], q: np.ndarray) -> float:
    """The largest deviation of the planted parameters at these joint values."""
    names, places = [v.name for v in made.problem.variables], []
    for x in (made.truth, at):
        free = dict(zip(names, map(float, x), strict=True))
        places.append([np.broadcast_to(part, q.shape[1]) for part in planted_tip(shape, free, q, FLOATS)])
    return float(np.linalg.norm(np.subtract(*places), axis=0).max())
