"""Opening and dropping any readable file: what needs no answer is shown, what does is asked, errors change nothing."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from explorer.formats import session
from explorer.gui import reading_aside
from explorer.library import examples
from tests.person import Person, process_events

SAMPLES = Path(__file__).parent.parent / "samples"
Answer = QMessageBox.StandardButton
Opens = Callable[[Path], None]


@pytest.fixture
def opens(person: Person, monkeypatch: pytest.MonkeyPatch) -> Opens:
    """Opens a file with Ctrl+O."""

    def do(path: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *_rest: (str(path), "")))
        person.press("Ctrl+O")

    return do


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked about unsaved work; each time the person stays."""
    texts: list[str] = []

    def stay(box: QMessageBox) -> QMessageBox.StandardButton:
        texts.append(box.text())
        return Answer.Cancel

    monkeypatch.setattr(QMessageBox, "exec", stay)
    return texts


@pytest.fixture(autouse=True)
def _nothing_waits(person: Person) -> Iterator[None]:
    """The window is that of other tests too."""
    yield
    if person.find("import_preview").isVisible():
        person.click("import_drop")


def is_asking(person: Person) -> bool:
    return bool(person.find("import_preview").isVisible())


def matrix(person: Person, name: str) -> Any:
    held = person.store.document.matrix(name)
    return None if held is None else held.tolist()


def drop(person: Person, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(person.window, QDragEnterEvent(QPoint(5, 5), copy, data, left, none))
    QApplication.sendEvent(person.window, QDropEvent(QPointF(5, 5), copy, data, left, none))
    process_events()
    person.settle()


def test_named_matrices_go_where_they_belong(person: Person, opens: Opens) -> None:
    opens(SAMPLES / "87_qkv.npz")
    assert not is_asking(person)
    held = np.load(SAMPLES / "87_qkv.npz")
    assert {name: matrix(person, name) for name in "qkv"} == {name: held[name.upper()].tolist() for name in "qkv"}
    assert person.store.document.query_labels == person.store.document.key_labels == ("I", "am")
    assert person.window.windowTitle().startswith("87_qkv[*]")
    assert person.message.endswith("opened 87_qkv.npz")
    assert person.store.undo_label is None
    assert not person.window.isWindowModified()


def test_a_session_is_opened_as_ever(person: Person, opens: Opens, tmp_path: Path) -> None:
    path = tmp_path / "lesson.json"
    path.write_bytes(session.write(*examples.load("attention-intuition-F")))
    opens(path)
    assert person.window.files.path == path
    assert person.store.document.title == examples.title("attention-intuition-F")


@pytest.mark.parametrize(
    ("file", "source", "first_row"),
    [
        ("02_semicolon_decimal_comma.csv", "weights", [0.7, 0.2, 0.1]),
        ("23_row_col_labels.csv", "weights", [0.7, 0.2, 0.1]),
        ("65_markdown_table.md", "weights", [0.121, 0.731, 0.148]),
        ("74_json_nested.json", None, None),
        ("83_fortran_order.npy", None, None),
        ("91_f32.safetensors", "weights", None),
        ("labels.xlsx", "weights", [0.7, 0.3]),
    ],
)  # fmt: skip
def test_a_matrix_of_any_format_is_asked_about_and_taken(
    person: Person, opens: Opens, file: str, source: str | None, first_row: list[float] | None
) -> None:
    before = person.store.document
    opens(SAMPLES / file)
    assert is_asking(person)
    assert person.store.document is before
    assert person.is_on(person.find("import_option_0"))
    person.press("Return")
    assert not is_asking(person)
    after = person.store.document
    assert after is not before
    if source is not None:
        assert after.problem.source.kind == source
    if first_row is not None:
        assert np.allclose(after.problem.source.matrices[after.problem.source.kind][0], first_row, rtol=0, atol=1e-12)


def test_labels_come_along(person: Person, opens: Opens) -> None:
    opens(SAMPLES / "23_row_col_labels.csv")
    person.click("import_option_0")
    assert person.store.document.query_labels == ("I", "am")
    assert person.store.document.key_labels == ("Je", "suis", "étudiant")
    assert "first row and column are labels" in person.message


def test_a_drop_is_as_good(person: Person) -> None:
    drop(person, SAMPLES / "labels.xlsx")
    assert is_asking(person)
    assert person.is_on(person.find("import_option_0"))
    person.press("Escape")
    assert not is_asking(person)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("20_empty_cell.csv", ["row 2", "column 2", "empty"]),
        ("89_truncated.npy", ["truncated"]),
        ("86_object_array.npy", ["object"]),
        ("a0_binary_junk.csv", ["binary"]),
        ("absent.csv", ["absent.csv", "no such file"]),
    ],
)
def test_an_error_is_one_line_and_changes_nothing(person: Person, opens: Opens, file: str, words: list[str]) -> None:
    before = person.store.document
    opens(SAMPLES / file)
    assert person.sees_error
    assert file in person.message
    assert "\n" not in person.message
    assert all(word in person.message for word in words)
    assert person.store.document is before
    assert not is_asking(person)


def test_an_error_leaves_an_earlier_question_open(person: Person, opens: Opens) -> None:
    opens(SAMPLES / "labels.xlsx")
    opens(SAMPLES / "89_truncated.npy")
    assert person.sees_error
    person.click("import_option_0")
    assert person.store.document.problem.source.kind == "weights"
    assert not person.sees_error


def test_unsaved_work_is_asked_about_before_it_goes(person: Person, opens: Opens, asked: list[str]) -> None:
    person.click_cell("q")
    person.type("7")
    before = person.store.document
    opens(SAMPLES / "87_qkv.npz")
    assert len(asked) == 1
    assert person.store.document is before
    assert not is_asking(person)
    opens(SAMPLES / "labels.xlsx")
    person.click("import_option_0")
    assert len(asked) == 2
    assert person.store.document is before
    assert is_asking(person), "the question stands while the person stays"
    person.press("Escape")


def test_a_matrix_can_go_into_the_open_document_as_an_edit(
    person: Person, opens: Opens, asked: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "Q.csv"
    path.write_text("1\t2\n3\t4\n5\t6\n", encoding="utf-8")
    person.click_cell("k")
    person.type("7")
    opens(path)
    assert person.find("import_option_0").accessibleName().startswith("Q of the open document")
    person.press("Return")
    assert matrix(person, "q") == [[1, 2], [3, 4], [5, 6]]
    assert asked == []
    assert len(person.undo_all()) == 2


def test_a_file_that_was_opened_is_among_the_recent(person: Person, opens: Opens) -> None:
    opens(SAMPLES / "87_qkv.npz")
    person.open("cat-sat-mat")
    person.choose("File", "Open recent", "87_qkv.npz")
    assert person.store.document.query_labels == ("I", "am")


def test_a_long_file_is_read_beside_the_window(person: Person, opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_aside, "LONG", 10)
    before = person.store.document
    opens(SAMPLES / "labels.xlsx")
    person.qtbot.waitUntil(lambda: is_asking(person), timeout=5000)
    assert person.store.document is before
    person.press("Escape")
    opens(SAMPLES / "89_truncated.npy")
    person.qtbot.waitUntil(lambda: person.sees_error, timeout=5000)
    assert person.window.cursor().shape() == Qt.CursorShape.ArrowCursor


def test_of_two_long_files_the_last_counts(person: Person, opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_aside, "LONG", 10)
    reader = person.window.opening.reader
    jobs: list[Any] = []
    monkeypatch.setattr(reader, "_work", lambda *job: jobs.append(job))
    opens(SAMPLES / "labels.xlsx")
    opens(SAMPLES / "83_fortran_order.npy")
    person.qtbot.waitUntil(lambda: len(jobs) == 2, timeout=5000)
    for number, path, data in reversed(jobs):
        reader._arrive(number, reading_aside._read(path, data))
    assert "83_fortran_order.npy" in person.find("import_preview").accessibleName()
    person.find("import_drop").click()
    person.settle()


def test_a_large_array_is_read(person: Person, opens: Opens, tmp_path: Path) -> None:
    path, buffer = tmp_path / "large.npy", io.BytesIO()
    np.save(buffer, np.zeros((4, 8, 128, 128), dtype=np.float32))
    path.write_bytes(buffer.getvalue())
    assert path.stat().st_size > reading_aside.LONG
    opens(path)
    person.qtbot.waitUntil(lambda: is_asking(person), timeout=5000)
    assert person.find("axis_picker").isVisible()
    person.press("Escape")
    assert not is_asking(person)
