"""S2's script (section 5.2.1) for any contractor, in the Python of the peers (3.6 or newer).

A peer gives two functions: contract(box, epsilon), the narrowed box or None, and error(point), the model error that a
point needs. Boxes are lists of [lower, upper]. There is branch and contract, depth first, halving the widest side; a
point is tried at the middle of each box, and that of a box too narrow to be halved counts, whatever error it needs.
"""

import time
from typing import Any

GAP, FIRST_DELAY, NEAR, NARROW = 0.01, 1.0, 0.125, 1e-9


def solve(peer: Any, box: Any, epsilon: float, deadline: float) -> Any:
    """("refuted", None), ("found", error), or ("late", None); and the number of boxes."""
    stack, boxes = [box], 0
    while stack:
        if time.perf_counter() > deadline:
            return "late", None, boxes
        boxes += 1
        box = peer.contract(stack.pop(), epsilon)
        if box is None:
            continue
        needed = peer.error([0.5 * (low + high) for low, high in box])
        if needed <= epsilon:
            return "found", needed, boxes
        widths = [high - low for low, high in box]
        k = widths.index(max(widths))
        if widths[k] < NARROW:
            return "found", needed, boxes
        middle = 0.5 * (box[k][0] + box[k][1])
        for half in ([middle, box[k][1]], [box[k][0], middle]):
            stack.append([*box[:k], half, *box[k + 1 :]])
    return "refuted", None, boxes


def bisect(peer: Any, box: Any, upper: float, limit: float) -> Any:
    """The ends of epsilon reached from [0, upper] within `limit` seconds or a gap of 1 %."""
    began = time.perf_counter()
    end = began + limit
    lower, delay, epsilon, boxes, attempts = 0.0, FIRST_DELAY, 0.5 * upper, 0, 0
    while upper - lower > GAP * upper and time.perf_counter() < end:
        answer, found, more = solve(peer, box, epsilon, min(time.perf_counter() + delay, end))
        boxes, attempts = boxes + more, attempts + 1
        if answer == "refuted":
            lower = epsilon
        elif answer == "found":
            upper = min(upper, found)
        elif epsilon - lower > NEAR * (upper - lower):
            epsilon = 0.5 * (lower + epsilon)
            continue
        else:
            delay *= 2.0
        epsilon = 0.5 * (lower + upper)
    return {"epsilon": [lower, upper], "seconds": time.perf_counter() - began, "boxes": boxes, "attempts": attempts}


def refute(peer: Any, box: Any, limit: float) -> Any:
    """Whether nothing is feasible without any model error, within `limit` seconds."""
    began = time.perf_counter()
    answer, _, boxes = solve(peer, box, 0.0, began + limit)
    return {"answer": answer, "seconds": time.perf_counter() - began, "boxes": boxes}


def run(make_peer: Any, data: Any) -> Any:
    """Answers all tasks."""
    answers = []
    for task in data:
        peer = make_peer(task["rows"])
        if task["upper"] is None:
            answers.append(refute(peer, task["box"], task["limit"]))
        else:
            answers.append(bisect(peer, task["box"], task["upper"], task["limit"]))
        answers[-1]["name"] = task["name"]
    return answers
