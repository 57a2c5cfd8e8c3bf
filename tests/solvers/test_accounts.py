"""What a contractor may cost depends on what it has saved, by counts alone."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.boxes import Boxes, Narrowed
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder
from certify.solvers.graph.accounts import BELOW, CALL, FREE, MOST, Account, Books, faded, saved_boxes, together
from certify.solvers.graph.build import smear, system_graph
from certify.solvers.graph.schedule import Graph, Node
from certify.solvers.search.branch_and_prune import SearchOptions, branch_and_prune


def test_boxes_that_are_refuted_or_narrowed_by_a_level_are_saved():
    """Of two variables, a level is two bits: 3 bits are a level, 1 bit half of one, no end where there was none too."""
    before = Boxes(np.zeros((2, 5)), np.array([[8.0, 8.0, 8.0, 8.0, np.inf], [4.0, 4.0, 4.0, 4.0, 4.0]]))
    upper = np.array([[1.0, 8.0, 8.0, 0.0, 1.0], [4.0, 2.0, 4.0, 4.0, 4.0]])
    after = Narrowed(np.zeros((2, 5)), upper, np.array([False, False, False, True, False]))
    assert saved_boxes(before, after) == 1.0 + 0.5 + 0.0 + BELOW + 1.0


def test_what_saves_more_than_it_costs_goes_on_and_what_does_not_ends_with_its_trial():
    books = Books(1000.0)
    for name, account in (("first", Account(1e9, 0.0)), ("good", Account(1e8, 400.0)), ("bad", Account(1e8, 0.0))):
        books.enter(name, account)
    assert books.price("good") == 1.1e9 / 1000.0
    assert books.left("good", 0.1, 1e4) == 0.1 * 1.1e9 + 400.0 * 1.1e6 - 1e8
    assert books.left("bad", 0.0, 1e4) == FREE * (CALL + 1e4) - 1e8
    assert books.left("bad", 0.0, 1e9) == MOST - 1e8
    assert books.left("bad", 0.2, 1e4) == 0.2 * 1.1e9 - 1e8
    assert books.rate("good") == 400.0 * 1.1e6 / 1e8
    assert books.rate("bad") == 0.0
    assert books.rate("new") == np.inf


def test_books_are_added_and_fade():
    one, two = Books(1500.0), Books(2500.0)
    one.enter("a", Account(10.0, 2.0))
    two.enter("a", Account(30.0, 2.0))
    both = together([one, two])
    assert (both.boxes, both.of("a")) == (4000.0, Account(40.0, 4.0))
    assert (faded(both).boxes, faded(both).of("a")) == (2000.0, Account(20.0, 2.0))
    assert faded(one) is one


@dataclass(frozen=True, eq=False)
class Useless:
    """Narrows nothing, and keeps count."""

    seen: list = field(default_factory=list)
    name: str = "useless"
    cost: int = 9
    reads: tuple = (0, 1)
    children: tuple = ()

    def contract(self, boxes):
        self.seen.append(boxes.count)
        return Narrowed(boxes.lower.copy(), boxes.upper.copy(), np.zeros(boxes.count, dtype=np.bool_))


def waves():
    """sin(30 x) = y, sin(30 y) = x: hundreds of zeros."""
    b = Builder(2)
    outputs = tuple(b.sub(b.sin(b.mul(b.constant(30), v)), other) for v, other in ((0, 1), (1, 0)))
    return Equations(b.tape(outputs), np.zeros(2), np.zeros(2))


def test_a_contractor_that_saves_nothing_costs_no_more_than_its_trial():
    equations, useless = waves(), Useless()
    work = 5e4

    def graph(equations):
        return Graph(
            (Node(HullConsistency(equations), 0.1, 1000.0), Node(useless, 0.1, work, 0.1)), partial(smear, equations)
        )

    found = branch_and_prune(equations, Box(-np.full(2, 3.0), np.full(2, 3.1)), SearchOptions(graph=graph))
    hull = found.statistics["hull consistency"].calls
    spent = sum(CALL + count * work for count in useless.seen)
    assert useless.seen
    assert spent <= max(FREE * (CALL + work), 0.1 * (1000.0 + CALL) * hull)
    assert sum(useless.seen) < 0.5 * found.cells


def test_what_newton_proves_is_not_sliced():
    """A zero that Newton's contractor finds at once: nothing dearer is run."""
    b = Builder(2)
    outputs = (b.sub(b.add(0, 1), b.constant(3)), b.sub(b.add(b.mul(b.constant(2), 0), b.sin(1)), b.constant(2)))
    equations = Equations(b.tape(outputs), np.zeros(2), np.zeros(2))
    found = branch_and_prune(equations, Box(np.full(2, -1.0), np.full(2, 5.0)), SearchOptions(graph=system_graph))
    assert len(found.solutions) == 1
    assert "interval Newton" in found.statistics
    assert not {"slicing", "slicing with the linear hull", "linear hull"} & found.statistics.keys()
