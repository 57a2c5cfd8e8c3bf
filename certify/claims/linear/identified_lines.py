"""Which parameters of a linear model are identified, which are not and why, and which rows say so."""

from __future__ import annotations

from collections import Counter

from certify.records.verdicts import Verdict
from certify.regressors.identified import Identified

CARRYING = 5  # rows that carry most ends


def identified_lines(answer: Identified) -> list[str]:
    """Of an answer with intervals that some parameters fit."""
    if answer.verdict is not Verdict.ADEQUATE or not answer.faces:
        return []
    names, told = answer.problem.names, list[str]()
    known = [name for j, name in enumerate(names) if answer.is_identified(j)]
    if known:
        told.append(f"Identified, as 0 is outside of their intervals: {', '.join(known)}.")
    ends = list(enumerate(answer.box))
    around = [j for j, (low, high) in ends if low is not None and high is not None and low <= 0 <= high]
    if around:
        partners = dict(enumerate(answer.partners))
        words = [f"{names[j]}{'' if (k := partners.get(j)) is None else f' (with {names[k]})'}" for j in around]
        traded = any(partners.get(j) is not None for j in around)
        why = "; in brackets what each trades off with most (estimated)" if traded else ""
        told.append(
            f"Not identified, as 0 is in their intervals: {', '.join(words)}{why}. A smaller bound, or rows that move "
            f"them apart, would narrow them."
        )
    count = Counter(row for face in answer.faces for row in face.rows)
    most = [f"{row + 1} ({number})" for row, number in count.most_common(CARRYING) if number > 1]
    if most:
        told.append(f"Rows that carry most ends (how many in brackets): {', '.join(most)}.")
    return told
