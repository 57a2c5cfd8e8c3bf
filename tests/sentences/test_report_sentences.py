"""Nothing false is said by the page about a run's folder."""

import pytest
from conversations import hear_page


@pytest.mark.parametrize("number", [3, 6, 9, 15, 18])
def test_nothing_false_is_said_by_a_report(number, tmp_path):
    heard = list(hear_page(number, tmp_path))
    assert heard
    assert [statement for statement in heard if not statement.true] == []
