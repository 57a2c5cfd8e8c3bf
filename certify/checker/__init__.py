"""The certificate checker: SPECIFICATION.md as a program, on nothing but the standard library.

It trusts neither the problem nor the certificate. `check` judges files; `Proof` and `Scope` are the same rules one leaf
at a time, for whoever writes a certificate and replays it.
"""

from .certificate import (
    Aggregate,
    Certificate,
    Evaluate,
    Facet,
    Hitting,
    Hull,
    Known,
    Minimum,
    Node,
    Open,
    Prepare,
    Product,
    RowTerm,
    Skew,
    Split,
    Term,
    Witness,
    Zero,
    parse_certificate,
    parse_node,
    parse_term,
)
from .decision import check
from .interval import Undefined
from .isolated import Enclosure, check_square, isolate, overlapping
from .minimum import check_minimum
from .outcome import Clock, Outcome, Rejection, ResourceLimit, Status
from .problem import CanonicalProblem, parse_problem
from .rules import Preparation, Proof, Question, Unproved, hit
from .scope import Box, Scope, find_families
from .witness import check_witness, row_reason

__all__ = [
    "Aggregate",
    "Box",
    "CanonicalProblem",
    "Certificate",
    "Clock",
    "Enclosure",
    "Evaluate",
    "Facet",
    "Hitting",
    "Hull",
    "Known",
    "Minimum",
    "Node",
    "Open",
    "Outcome",
    "Preparation",
    "Prepare",
    "Product",
    "Proof",
    "Question",
    "Rejection",
    "ResourceLimit",
    "RowTerm",
    "Scope",
    "Skew",
    "Split",
    "Status",
    "Term",
    "Undefined",
    "Unproved",
    "Witness",
    "Zero",
    "check",
    "check_minimum",
    "check_square",
    "check_witness",
    "find_families",
    "hit",
    "isolate",
    "overlapping",
    "parse_certificate",
    "parse_node",
    "parse_problem",
    "parse_term",
    "row_reason",
]
