"""Dynamics of serial arms: `python -m benchmarks arm_dynamics [--data FOLDER] [--joints 6 7]`.

    pinocchio   the regressor's torques beside those of Pinocchio (`pip install pin`), on random arms and on the URDFs
                of a folder; left out where it is not installed
    urdfs       which arms are read, and how many parameters their torques depend on
    arms        simulated logs of 20,000 and 45,000 samples, from CSV to checked certificates: processor seconds and
                memory of `certify identify`, without and with --physical, and how much narrower that makes intervals
    table       a regressor of the same size as CSV, as a user would give it

The folder holds URDFs of others, which are not shipped; it is searched through.
"""

import argparse
import importlib
import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from certify.problems.arm_dynamics.arm_regressor import ArmChoice, regressor_of_arm
from certify.problems.arm_dynamics.grouping import grouping
from certify.problems.arm_dynamics.links import Links, read_links
from certify.problems.arm_dynamics.parameters import ArmModel
from certify.problems.arm_dynamics.simulated_motion import ARMS, LOG, URDF, simulate_arm_motion
from certify.problems.errors import InputError
from certify.problems.regressors.regressor_file import Chosen

SECONDS = {6: 20.0, 7: 45.0}
BOUNDS = {6: (3, 2, 2, 1.5, 1, 0.6), 7: (3.5, 3.5, 3, 3, 2.5, 1, 1.2)}  # Nm: what the model error needs, and some
TRIALS = 200


def run(words: list[str]) -> dict[str, Any]:
    """Print what each part finds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks arm_dynamics")
    parser.add_argument("--data", type=Path, help="a folder with URDFs")
    parser.add_argument("--joints", type=int, nargs="*", default=list(ARMS), help="which arms to simulate")
    options = parser.parse_args(words)
    urdfs = sorted(options.data.rglob("*.urdf")) if options.data is not None else []
    answer: dict[str, Any] = {"urdfs": [_read(path) for path in urdfs], "pinocchio": _beside_pinocchio(urdfs)}
    answer["arms"] = [_told(_arm(joints)) for joints in options.joints]
    return answer


def _told(found: dict[str, Any]) -> dict[str, Any]:
    print(json.dumps(found))
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        links = read_links(path)
    except InputError as error:
        return _told({"urdf": path.name, "refused": str(error).partition(": ")[2]})
    model = ArmModel(links)
    kept = len(grouping(model).kept) - len(model.of_a_joint) * links.count
    masses = sum(ten is not None for ten in links.inertials)
    return _told({"urdf": path.name, "joints": links.count, "base parameters": kept, "bodies with a mass": masses})


def _beside_pinocchio(urdfs: list[Path]) -> list[dict[str, Any]]:
    """The largest difference of torques, relative to the largest torque."""
    if importlib.util.find_spec("pinocchio") is None:
        print("pinocchio: left out, it is not installed (pip install pin)")
        return []
    found = []
    with tempfile.TemporaryDirectory() as folder:
        paths = list(urdfs)
        for joints in ARMS:
            paths.append(simulate_arm_motion(Path(folder) / str(joints), joints, 3.0)[0])
        for path in paths:
            difference = _difference(path)
            if difference is not None:
                found.append(_told({"urdf": path.name, "difference to pinocchio": difference}))
    return found


def _difference(path: Path) -> float | None:
    pinocchio = importlib.import_module("pinocchio")
    try:
        links = read_links(path)
    except InputError:
        return None
    whole = pinocchio.buildModelFromUrdf(str(path))
    others = [whole.getJointId(name) for name in whole.names[1:] if name not in links.joints]
    model = pinocchio.buildReducedModel(whole, others, pinocchio.neutral(whole))
    if model.nq != model.nv or list(model.names)[1:] != list(links.joints) or not any(links.inertials):
        return None
    model.gravity.linear = links.gravity
    random, data = np.random.default_rng(1), model.createData()
    q, dq, ddq = random.uniform(-3, 3, (3, TRIALS, links.count))
    ours = _torques(links, q, dq, ddq)
    theirs = np.array([pinocchio.rnea(model, data, *each) for each in zip(q, dq, ddq, strict=True)])
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def _torques(links: Links, q: Any, dq: Any, ddq: Any) -> Any:
    model = ArmModel(links)
    phi = np.zeros(len(model.names))
    for k, ten in enumerate(links.inertials):
        phi[10 * k : 10 * k + 10] = 0.0 if ten is None else ten
    return model.matrix(q, dq, ddq) @ phi


def _arm(joints: int) -> dict[str, Any]:
    """A simulated log, from CSV to checked certificates."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulate_arm_motion(folder, joints, SECONDS[joints])
        bound = ", ".join(f"{value} Nm" for value in BOUNDS[joints])
        log = [str(folder / LOG), "--urdf", str(folder / URDF), "--bound", bound]
        found: dict[str, Any] = {"joints": joints, "samples": round(1000 * SECONDS[joints])}
        for kind, more in (("plain", []), ("physical", ["--physical"])):
            found[kind] = _identified([*log, *more], folder / kind)
        table = _table(folder, bound)
        found["table"] = _identified([str(table), "--y", "tau", "--bound", "bound"], folder / "of_table")
    return found


def _table(folder: Path, bound: str) -> Path:
    """The regressor of the log, as a CSV file of a user's own."""
    problem = regressor_of_arm(folder / LOG, ArmChoice(folder / URDF), Chosen("", bound)).problem
    half = (problem.upper - problem.lower) / 2
    path = folder / "regressor.csv"
    heading = ",".join([*problem.names, "tau [Nm]", "bound"])
    rows = np.column_stack([problem.matrix, problem.y, half])
    np.savetxt(path, rows, fmt="%.17g", delimiter=",", header=heading, comments="")
    return path


def _identified(words: list[str], out: Path) -> dict[str, Any]:
    """The command in a process of its own: processor seconds with its checks, memory, and what it says."""
    command = [sys.executable, "-m", "certify", "identify", *words, "--time-limit", "3000", "--quiet"]
    resource = importlib.import_module("resource")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, "--out", str(out), "--json"], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    record = json.loads(done.stdout)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = {
        "rows": record["rows"], "parameters": len(record["parameters"]), "exit code": done.returncode,
        "processor seconds": round(used, 1), "MB (of any process so far)": round(after.ru_maxrss / 1024),
        "certificates accepted": sum(record["certificates"].values()),
        "kB of certificates": round(sum(path.stat().st_size for path in out.glob("*.cert")) / 1000),
    }  # fmt: skip
    if record["physical"] is not None:
        found |= {"verdict": record["physical"]["verdict"], "ends that are nearer": len(record["physical"]["faces"])}
        found["median of widths, of the intervals'"] = round(_narrower(record), 3)
    return found


def _narrower(record: dict[str, Any]) -> float:
    ends = [list(parameter["interval"]) for parameter in record["parameters"]]
    for face in record["physical"]["faces"]:
        ends[face["parameter"] - 1][face["sign"] > 0] = face["end"]
    widths = [parameter["interval"][1] - parameter["interval"][0] for parameter in record["parameters"]]
    return statistics.median((high - low) / width for (low, high), width in zip(ends, widths, strict=True))
