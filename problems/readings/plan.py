"""Experiment files: raw readings of a Gough platform, and what is needed to make a problem of them.

format = "certify-experiment-file 1"     title, provenance ("measured: ..." or "simulated: ..."), kind = "gough"
frames = "camera"                        the pose is that of a target in a camera's frame; "robot": of the platform in
the base's frame calibration = "calibration.csv"          raw readings (problems/readings/readings.py); validation =
"validation.csv", if there are such sigmas = "3"                             an interval is the mean -+ so many standard
deviations (if left out: as many as keep all
                                         readings inside with 99 % if the noise is Gaussian, see
                                             problems/experiments/half_widths.py)
radius = "100 mm"                        how far around the fit is searched (100 mm if left out)
[half_widths]                            of the columns x, y, z, alpha, beta, gamma, L1..L6 for which a stated one shall
hold [legs.leg1] ... [legs.leg6]              the blueprint: a and b in any frames of base and platform, with z from the
base to the platform
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.experiments.half_widths import MOST
from certify.problems.files.disk import neighbour
from certify.problems.files.sections import Section, read_sections
from certify.problems.formulas.units import Dimension, nearest, parse_decimal, shown
from certify.problems.robots.kind import Kind, find_kind

FORMAT = "certify-experiment-file 1"
EXPERIMENT_FILE = "experiment.toml"
CAMERA, ROBOT = "camera", "robot"
PREPARED_KINDS = ("gough",)
PROVENANCES = ("simulated: ", "measured: ")
RADIUS = Fraction(100)


@dataclass(frozen=True, slots=True)
class Plan:
    """What an experiment file says; half-widths in mm and degrees. `sigmas` None: as many as keep all readings inside
    with 99 %.
    """

    title: str
    provenance: str
    kind: Kind
    in_camera: bool
    calibration: Path
    validation: Path | None
    sigmas: Fraction | None
    radius: Fraction
    half_widths: dict[str, Fraction]
    blueprint: tuple[Fraction, ...]


def load_plan(path: Path) -> Plan:
    """Read an experiment file."""
    root = read_sections(path, "experiment")
    root.only(
        [
            "format",
            "title",
            "provenance",
            "kind",
            "frames",
            "calibration",
            "validation",
            "sigmas",
            "radius",
            "half_widths",
            "legs",
        ]
    )
    if root.text("format") != FORMAT:
        remedy = (
            "a problem file is for 'certify run'"
            if "problem" in root.text("format")
            else f"this program reads {FORMAT!r}"
        )
        raise InputError(f"{root.at('format')} is {shown(root.text('format'))}; {remedy}")
    provenance, frames = root.text("provenance"), root.text("frames")
    if not provenance.startswith(PROVENANCES):
        raise InputError(
            f"{root.at('provenance')} is {shown(provenance)}; begin it with 'simulated: ' or 'measured: ' and say how"
        )
    if frames not in (CAMERA, ROBOT):
        raise InputError(f"{root.at('frames')} is {shown(frames)}; {nearest(frames, (CAMERA, ROBOT))}")
    kind = find_kind(root.text("kind"), root.at("kind"))
    if kind.name not in PREPARED_KINDS:
        raise InputError(
            f"{root.at('kind')} is {shown(kind.name)}; raw readings are prepared for {', '.join(PREPARED_KINDS)} only"
        )
    tables = {
        key: neighbour(path, root.text(key), root.at(key))
        for key in ("calibration", "validation")
        if key in root.entries
    }
    root.value("calibration")
    return Plan(
        root.text("title"), provenance, kind, frames == CAMERA, tables["calibration"], tables.get("validation"),
        _sigmas(root), _radius(root), _half_widths(root, kind), _blueprint(root.section("legs"), kind),
    )  # fmt: skip


def _sigmas(root: Section) -> Fraction | None:
    key = "sigmas"
    if key not in root.entries:
        return None
    value = parse_decimal(root.text(key), root.at(key))
    if not 0 < value <= MOST:
        raise InputError(
            f'{root.at(key)} is {float(value)}; write a positive number of standard deviations such as "3"'
        )
    return value


def _radius(root: Section) -> Fraction:
    radius = root.quantity("radius", Dimension.LENGTH).value if "radius" in root.entries else RADIUS
    if radius <= 0:
        raise InputError(
            f'{root.at("radius")} is {float(radius)} mm; write how far around the fit to search, such as "100 mm"'
        )
    return radius


def _half_widths(root: Section, kind: Kind) -> dict[str, Fraction]:
    section = root.section("half_widths") if "half_widths" in root.entries else Section(root.at("half_widths."), {})
    section.only(kind.columns)
    widths = {}
    for name in section.entries:
        width = section.quantity(name, kind.columns[name])
        if width.value < 0 or width.unit == "rad":
            remedy = "write it in deg" if width.unit == "rad" else f"write how far {name} may be off"
            raise InputError(f"{section.at(name)} is {float(width.value)} {width.unit}; {remedy}")
        widths[name] = width.value
    return widths


def _blueprint(section: Section, kind: Kind) -> tuple[Fraction, ...]:
    section.only(kind.leg_names)
    values: list[Fraction] = []
    for leg in kind.leg_names:
        part = section.section(leg)
        part.only(field.name for field in kind.parameters)
        for field in kind.parameters:
            if field.components:
                values += [quantity.value for quantity in part.quantities(field.name, field.names, field.dimension)]
            else:
                values.append(part.quantity(field.name, field.dimension).value)
    return tuple(values)
