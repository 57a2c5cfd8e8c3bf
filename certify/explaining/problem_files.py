"""The problem and the certificate that a command was given: files that are there, and the canonical bytes of the
problem.
"""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.disk import MAX_BYTES

TRANSLATED = (".toml", ".bch", ".mbx")
HEAD = 200  # bytes of a certificate in which it names its problem
HEADER = 1 << 20  # bytes of a certificate in which its norm is said
CERTIFICATE = b"certify-certificate "
READABLE = (*TRANSLATED, ".canonical")


def require_file(path: Path) -> None:
    """Refuse, with what to do about it, what is no file."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name the file in it")
    if not path.is_file():
        raise InputError(f"there is no file {path}; give the problem and the certificate that a run wrote")


def require_files(problem: Path, certificate: Path) -> None:
    """Refuse what is not a problem file and another file."""
    require_file(problem)
    require_file(certificate)
    if problem.suffix not in READABLE:
        swapped = "; did you swap the two files?" if certificate.suffix in READABLE else ""
        raise InputError(f"{problem} is no problem: a file ending in {' or '.join(READABLE)} is needed{swapped}")


def require_certificate(certificate: Path) -> None:
    """Refuse a file that does not begin as certificates do."""
    with certificate.open("rb") as file:
        if file.read(len(CERTIFICATE)) != CERTIFICATE:
            raise InputError(
                f"{certificate} is no certificate: it does not begin with {CERTIFICATE.decode()!r}; give a .cert "
                f"file that a run wrote"
            )


def problem_bytes(problem: Path, certificate: bytes, factor: Fraction = Fraction(1)) -> bytes:
    """The canonical bytes of a problem: those of a problem.canonical, or those into which a problem.toml or a system in
    Minibex is translated.
    """
    return translated(problem, certificate, factor) if problem.suffix in TRANSLATED else problem.read_bytes()


def widened(narrow: bytes, wide: bytes) -> Fraction | None:
    """The factor on all half-widths that makes one canonical problem the other, if there is one and nothing else
    differs.
    """
    from certify.checker.outcome import Rejection, ResourceLimit
    from certify.checker.problem import parse_problem
    from certify.explaining.model_units import units
    from certify.problems.model.scaled import factor_between

    try:
        one, other = parse_problem(narrow), parse_problem(wide)
    except (Rejection, ResourceLimit):
        return None
    factor = factor_between(*([tuple(column.entries) for column in problem.columns] for problem in (one, other)))
    named = [column.name for column in one.columns] == [column.name for column in other.columns]
    same = named and one._replace(columns=()) == other._replace(columns=()) and units(narrow) == units(wide)
    return factor if same else None


def factor_beside(problem: Path, certificate: Path) -> Fraction:
    """The factor on the half-widths of a problem.toml that the .canonical beside a certificate suggests, if the
    certificate names that; else 1.

    Only a suggestion: the translation with this factor must give the bytes that the certificate names.
    """
    text, path = certificate.read_bytes(), certificate.with_suffix(".canonical")
    if (
        problem.suffix != ".toml"
        or not path.is_file()
        or path.stat().st_size > MAX_BYTES
        or not names(text, path.read_bytes())
    ):
        return Fraction(1)
    found = widened(translated(problem), path.read_bytes())
    return Fraction(1) if found is None else found


def is_complement(problem: Path, canonical: bytes) -> bool | None:
    """Whether these bytes are those of the complement of the set that a system in Minibex describes; None if no such
    system is given.
    """
    if problem.suffix not in TRANSLATED or problem.suffix == ".toml":
        return None
    from certify.problems.minibex import read_minibex
    from certify.problems.model.canonical import canonical_bytes
    from certify.problems.systems.set_canonical import complement_problem
    from certify.problems.systems.system_canonical import NotCertifiable

    try:
        return canonical_bytes(complement_problem(read_minibex(problem))) == canonical
    except NotCertifiable:
        return False


def about_squares(certificate: bytes) -> bool:
    """Whether a certificate speaks of sums of squares, and so of measurements that are known exactly."""
    return b"\nnorm squares\n" in certificate[:HEADER]


def names(certificate: bytes, canonical: bytes) -> bool:
    """Whether the certificate is about these bytes."""
    return f"problem {hashlib.sha256(canonical).hexdigest()}".encode() in certificate[:HEAD].splitlines()


def names_any(certificate: bytes) -> bool:
    """Whether the certificate says which problem it is about."""
    return any(re.fullmatch(rb"problem [0-9a-f]{64}", line) for line in certificate[:HEAD].splitlines())


def _translated_system(problem: Path, certificate: bytes) -> bytes:
    """The canonical bytes of a system; of inequalities only those of the set, or of its complement if the certificate
    names it.
    """
    from certify.problems.minibex import read_minibex
    from certify.problems.model.canonical import canonical_bytes
    from certify.problems.systems.set_canonical import complement_problem, set_problem
    from certify.problems.systems.system import Relation
    from certify.problems.systems.system_canonical import NotCertifiable, canonical_problem

    system = read_minibex(problem)
    if not system.constraints or any(constraint.relation is Relation.EQUAL for constraint in system.constraints):
        return canonical_bytes(canonical_problem(system))
    inside = canonical_bytes(set_problem(system))
    if not names(certificate, inside):
        try:
            outside = canonical_bytes(complement_problem(system))
        except NotCertifiable:
            return inside
        return outside if names(certificate, outside) else inside
    return inside


def translated(problem: Path, certificate: bytes = b"", factor: Fraction = Fraction(1)) -> bytes:
    """The canonical bytes of a problem.toml, with half-widths multiplied by a factor, or of a system in Minibex.

    A certificate about sums of squares names the problem at the middles of its measurement boxes: if it does, these are
    the bytes. No other certificate may: what no parameters explain at the middles they may well explain within the
    intervals.
    """
    from certify.problems.model.canonical import canonical_bytes

    if problem.suffix != ".toml":
        return _translated_system(problem, certificate)
    from certify.problems.experiments.experiment import LEAST_SQUARES, box_centre
    from certify.problems.experiments.toml_reader import load_experiment
    from certify.problems.model.model import at_middles
    from certify.problems.model.scaled import scaled

    experiment = load_experiment(problem)
    if experiment.centre == LEAST_SQUARES:
        raise InputError(
            f"{problem}: its box is centred on a fit that is made anew in every run, so no certificate can name it; "
            "check against the problem.toml that the run wrote beside the certificate"
        )
    found = scaled(experiment.problem(box_centre(experiment, ())), factor)
    canonical, exact = canonical_bytes(found), canonical_bytes(at_middles(found))
    return exact if about_squares(certificate) and names(certificate, exact) else canonical
