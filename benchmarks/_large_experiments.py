"""Experiments for limits and interruptions: simulated platforms, with more poses than they have, and planar arms of
many links.

More poses are the same ones again, under new names: what a run must do grows with them as with new ones. An arm is a
chain of links in a plane whose tip is measured along one axis; its lengths and joint offsets are unknown, its angles
are exact.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.problems.experiments.toml_writer import write_experiment
from certify.problems.simulation.platform import find_platform, simulate_platform
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error

TABLE = "poses.csv"
HALF_WIDTH = Fraction(1, 20)  # mm, of the tip
ROOM = Fraction(2), Fraction(1, 2)  # mm for a length, degrees for an offset


def platform(folder: Path, name: str, poses: int, error: str = "backlash") -> Path:
    """A platform of problems/platforms in so many poses; its problem.toml."""
    chosen = find_platform(name)
    few = min(poses, chosen.poses)
    path = write_experiment(
        folder, simulate_platform(replace(chosen, poses=few), unmodelled_error(error, None), 1).experiment
    )
    _repeat(folder / TABLE, poses)
    return path


def table_of_stewart(folder: Path, error: str, poses: int = 64) -> Path:
    """The Table of Stewart in so many poses; its problem.toml."""
    path = write_experiment(folder, simulate(unmodelled_error(error, None), 1).experiment)
    _repeat(folder / TABLE, poses)
    return path


def _repeat(table: Path, poses: int) -> None:
    """The rows of a table again and again, under new names, until there are so many."""
    lines = table.read_text().splitlines()
    head = 1 + next(k for k, line in enumerate(lines) if not line.startswith("#"))
    rows = lines[head:]
    longer = [f"{k + 1},{rows[k % len(rows)].partition(',')[2]}" for k in range(poses)]
    table.write_text("\n".join([*lines[:head], *longer]) + "\n")


def arm(folder: Path, links: int, poses: int, error: float = 0.3, seed: int = 1) -> Path:
    """A planar arm whose tip is `error` mm off, root mean square; its problem.toml."""
    random = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    angles = np.round(random.uniform(-60, 60, (poses, links)), 3)
    lengths = 300.0 + 10.0 * np.arange(links)
    true, offsets = lengths + random.uniform(-1, 1, links), random.uniform(-0.25, 0.25, links)
    tip = np.cos(np.radians(np.cumsum(angles + offsets, axis=1))) @ true + random.normal(0.0, error, poses)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["pose", *(f"q{k + 1} [deg]" for k in range(links)), "u1 [mm]"])
    writer.writerows([k + 1, *angles[k], f"{tip[k]:.4f}"] for k in range(poses))
    (folder / TABLE).write_text(text.getvalue())
    path = folder / "problem.toml"
    path.write_text(_arm_problem(links, lengths))
    return path


def _arm_problem(links: int, lengths: np.ndarray) -> str:
    names = [f"c{k + 1}" for k in range(links)]
    turned = [" + ".join(f"q{j + 1} + o[{j + 1}]" for j in range(k + 1)) for k in range(links)]
    terms = " + ".join(f"l[{k + 1}]*cos({turned[k]})" for k in range(links))
    columns = "\n".join(f'q{k + 1} = "angle"' for k in range(links))
    widths = "\n".join(f'q{k + 1} = "0 deg"' for k in range(links))
    quoted = ", ".join(f'"{length:g} mm"' for length in lengths)
    return f"""format = "certify-problem-file 1"
title = "Planar arm of {links} links"
provenance = "simulated: a planar arm of {links} links of invented lengths"
poses = "{TABLE}"

[model]
equation = "{terms} - u"

[model.parameters]
l = "length {" ".join(names)}"
o = "angle {" ".join(names)}"

[model.columns]
{columns}

[model.leg_columns]
u = "length"

[half_widths]
{widths}
u1 = "{float(HALF_WIDTH):g} mm"

[box]
centre = "nominal"
radius = {{ l = "{float(ROOM[0]):g} mm", o = "{float(ROOM[1]):g} deg" }}

[legs.leg1]
l = [{quoted}]
o = [{", ".join(['"0 deg"'] * links)}]
"""
