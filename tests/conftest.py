"""Two sizes of the tests: `pytest` runs a core that touches every room, `pytest --all` everything, and `pytest --rest`
what the core leaves out of it.

The core leaves out what is marked `thorough`. Of the cases of one test function it has at most CASES, chosen by their
names, so always the same ones (all of them where `every_case` is marked); of random examples a SHARE, the same ones
each time. What is named with its function (`FILE::test`) is run with all of its cases. Files that are named run in one
process, which starts at once; everything else on all processors.
"""

import gc
import hashlib
import tracemalloc  # noqa: F401  pytest imports it where a finalizer failed, where a timer might interrupt it
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, settings

from certify.solvers.one_thread import one_thread

one_thread()

CASES = 3
SHARE = 0.1


def pytest_addoption(parser):
    parser.addoption(
        "--all", action="store_true", help="run everything: all cases, all random examples, and what is thorough"
    )
    parser.addoption(
        "--rest", action="store_true", help="run everything but what the core has run already, with all its examples"
    )


def pytest_configure(config):
    settings.register_profile("all", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("core", settings.get_profile("all"), derandomize=True)
    settings.load_profile("core" if in_core(config) else "all")


def in_core(config):
    return not (config.getoption("all") or config.getoption("rest"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays: looking through it for garbage, then and later, took a third of the time to collect."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


def is_random(item):
    return hasattr(item.function, "_hypothesis_internal_use_settings")


def pytest_xdist_auto_num_workers(config):
    """No workers where files are named; None asks how many processors there are. Kernels are compiled before there are
    workers, not by each of them.
    """
    if any(".py" in word for word in config.args):
        return 0
    from certify.parts.warm_up import compile_once
    from certify.questions.system_search import warm_up_systems

    compile_once()
    warm_up_systems()
    return None


def pytest_collection_modifyitems(config, items):
    if config.getoption("all"):
        return
    core = chosen(item for item in items if item.get_closest_marker("thorough") is None)
    if config.getoption("rest"):
        done = {item for item in core if not is_random(item)}
        config.hook.pytest_deselected(items=done)
        items[:] = [item for item in items if item not in done]
        return
    for function in {item.function for item in items if is_random(item)}:
        wanted = function._hypothesis_internal_use_settings
        function._hypothesis_internal_use_settings = settings(
            wanted, max_examples=max(1, round(SHARE * wanted.max_examples))
        )
    if any("::" in word for word in config.args):
        return
    config.hook.pytest_deselected(items=[item for item in items if item not in core])
    items[:] = [item for item in items if item in core]


def chosen(items):
    """Of the cases of each function at most CASES: those whose names have the smallest hashes."""
    families = defaultdict(list)
    for item in items:
        families[item.parent, item.function].append(item)
    return {case for cases in families.values() for case in some_of(cases)}


def some_of(cases):
    if cases[0].get_closest_marker("every_case"):
        return cases
    return sorted(cases, key=lambda item: hashlib.sha256(item.name.encode()).digest())[:CASES]
