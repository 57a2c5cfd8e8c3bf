"""The process that draws pictures: it draws what is asked for, and ends with whoever asks."""

import os
import subprocess
import sys
import time

import pytest

from certify.pictures.painting import in_place, painter

ASKER = """
import multiprocessing, os, signal
from certify.pictures.painting import painter
with painter(2):
    print(multiprocessing.active_children()[0].pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def shouted(word, times):
    return word.upper() * times


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_asked_for_is_drawn(workers):
    with painter(workers) as paint:
        assert (paint is in_place) == (workers == 1)
        assert paint(shouted, (b"a", 3))() == b"AAA"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="pictures are drawn in place where there is no fork")
def test_it_ends_with_a_process_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", ASKER], stdout=subprocess.PIPE, text=True) as asker:
        drawing = int(asker.stdout.readline())
    for _ in range(600):
        try:
            os.kill(drawing, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("it waits for ever")
