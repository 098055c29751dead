"""The few dialogs: a new problem, the list of keys, about, and the details of an error."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib import metadata

import numpy
import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

import explorer
from explorer.library.blank import FILLS, LIMITS, blank
from explorer.state.document import Document

_KINDS = (
    ("qkv", "Q, K, V"), ("projection", "X and projections W"), ("scores", "Scores"), ("weights", "Ready-made weights"),
)  # fmt: skip
_FILL_NAMES = {"zeros": "zeros", "identity": "identity", "integers": "small integers (seeded)"}
_SIZES = (
    ("n_q", "queries", 3), ("n_k", "keys", 3), ("d_model", "columns of X (d_model)", 2),
    ("d_k", "columns of Q and K (d_k)", 2), ("d_v", "columns of V (d_v), 0 for none", 2),
)  # fmt: skip


class NewDialog(QDialog):
    """Asks for the source, the sizes and what to fill the matrices with."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("New problem")
        self.setObjectName("new_dialog")
        form = QFormLayout(self)
        self._kind = _choices("new_source", _KINDS)
        self._memory = QCheckBox("keys and values from another sequence (memory)")
        self._memory.setObjectName("new_memory")
        self._sizes = {name: _size_box(name, start) for name, _, start in _SIZES}
        self._fill = _choices("new_fill", [(fill, _FILL_NAMES[fill]) for fill in FILLS])
        self._fill.setCurrentIndex(FILLS.index("integers"))
        self._seed = QSpinBox()
        self._seed.setObjectName("new_seed")
        self._seed.setRange(0, 999_999)
        self._seed.setValue(1)
        form.addRow("Source", self._kind)
        form.addRow("", self._memory)
        for name, title, _ in _SIZES:
            form.addRow(title[0].upper() + title[1:], self._sizes[name])
        form.addRow("Filled with", self._fill)
        form.addRow("Seed", self._seed)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)
        self._form = form
        for signal in (self._kind.currentIndexChanged, self._fill.currentIndexChanged, self._memory.toggled):
            signal.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        """Show only what the source and the filling need."""
        kind = self._kind.currentData()
        is_projection = kind == "projection"
        self._form.setRowVisible(self._memory, is_projection)
        self._form.setRowVisible(self._sizes["d_model"], is_projection)
        self._form.setRowVisible(self._sizes["d_k"], kind in ("qkv", "projection"))
        self._form.setRowVisible(self._sizes["n_k"], not is_projection or self._memory.isChecked())
        self._form.setRowVisible(self._seed, self._fill.currentData() == "integers")
        self.adjustSize()

    def document(self) -> Document:
        """The problem that was asked for."""
        sizes = {name: box.value() for name, box in self._sizes.items()}
        kind = self._kind.currentData()
        has_memory = kind == "projection" and self._memory.isChecked()
        if kind == "projection" and not has_memory:
            sizes["n_k"] = sizes["n_q"]
        return blank(kind, fill=self._fill.currentData(), seed=self._seed.value(), has_memory=has_memory, **sizes)


def _choices(name: str, choices: Sequence[tuple[str, str]]) -> QComboBox:
    box = QComboBox()
    box.setObjectName(name)
    for choice, text in choices:
        box.addItem(text, choice)
    return box


def _size_box(name: str, start: int) -> QSpinBox:
    box = QSpinBox()
    box.setObjectName(f"new_{name}")
    box.setRange(*LIMITS[name])
    box.setValue(start)
    return box


def _closing(dialog: QDialog, *, copied: str = "") -> QDialogButtonBox:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    if copied:
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setObjectName("btn_copy")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(copied))
    return buttons


def keys_dialog(parent: QWidget, rows: Sequence[tuple[str, str]]) -> QDialog:
    """The list of keys; a row with no key is a heading."""
    dialog = QDialog(parent)
    dialog.setWindowTitle("Keys")
    dialog.setObjectName("keys_dialog")
    lines = []
    for keys, what in rows:
        if keys:
            lines.append(f"<tr><td style='padding:2px 18px 2px 12px'><b>{keys}</b></td><td>{what}</td></tr>")
        else:
            lines.append(f"<tr><td colspan=2 style='padding-top:10px'><i>{what}</i></td></tr>")
    label = QLabel(f"<table>{''.join(lines)}</table>")
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setWordWrap(True)
    scroll = QScrollArea()
    scroll.setWidget(label)
    scroll.setWidgetResizable(True)
    layout = QVBoxLayout(dialog)
    layout.addWidget(scroll)
    layout.addWidget(_closing(dialog))
    size = dialog.fontMetrics().height()
    dialog.resize(min(44 * size, 900), min(40 * size, 660))
    return dialog


def versions() -> str:
    """What is running, for a report."""
    return "\n".join((
        f"Attention Explorer {explorer.__version__}",
        f"Python {platform.python_version()} on {platform.platform()}",
        f"Qt {qVersion()}, PySide6 {PySide6.__version__}",
        f"pyqtgraph {metadata.version('pyqtgraph')}, NumPy {numpy.__version__}",
    ))  # fmt: skip


def about_dialog(parent: QWidget) -> QDialog:
    """Name and versions."""
    return text_dialog(parent, "About Attention Explorer", versions(), "about_dialog")


def text_dialog(parent: QWidget, title: str, text: str, name: str) -> QDialog:
    """A text that can be copied."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setObjectName(name)
    box = QPlainTextEdit(text)
    box.setReadOnly(True)
    box.setAccessibleName(title)
    layout = QVBoxLayout(dialog)
    layout.addWidget(box)
    layout.addWidget(_closing(dialog, copied=text))
    dialog.resize(620, 300)
    return dialog
