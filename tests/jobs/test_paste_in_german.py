"""The jobs that copy and paste, in one process under a German locale."""

from pathlib import Path

from tests.jobs.abroad import GERMAN
from tests.jobs.conftest import assert_passed, start_in_child

HERE = Path(__file__).parent
TESTS = (
    "test_j08_paste_a_block.py::test_a_block_is_taken_with_its_repair_and_taken_back[decimal commas]",
    "test_j08_paste_a_block.py::test_a_block_is_taken_with_its_repair_and_taken_back[decimal dots]",
    "test_j10_avoid_the_traps.py",
    "test_j14_to_paper_and_back.py",
)


def test_a_german_locale_changes_nothing() -> None:
    assert_passed(start_in_child(*(str(HERE / test) for test in TESTS), LANG=GERMAN, LC_ALL=GERMAN))
