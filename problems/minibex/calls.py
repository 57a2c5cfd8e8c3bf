"""The functions of Minibex by name, and the names that nobody may declare.

They are those of the one table (`certify.problems.functions.function_table`). IBEX itself knows `ln` and writes powers
with ^; `log`, `sqr`, `pow`, `sum`, the arc- names and whatever else the table has are accepted besides, and may be
declared as one's own names, since for IBEX they are free.
"""

from __future__ import annotations

from certify.problems.functions.function_table import FUNCTIONS as TABLE
from certify.problems.functions.function_table import ROWS

SQUARE, SUM = "sqr", "sum"
ENDS = frozenset({"inf", "mid", "sup"})  # of a constant interval
UNSUPPORTED = frozenset({"chi", "diff"})
JUMPING = frozenset({"ceil", "floor", "integer"})  # of IBEX, for problems over the integers
FUNCTIONS = frozenset(TABLE) | ENDS | UNSUPPORTED | {SQUARE, SUM}

RESERVED = frozenset(name for row in ROWS for name in row.ibex) | ENDS | UNSUPPORTED | {"oo"}
