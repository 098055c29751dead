"""The installed Qt survives signals emitted from Python."""

import subprocess
import sys

EMIT = """
from PySide6.QtCore import QCoreApplication, QObject, Signal

class Emitter(QObject):
    plain = Signal()
    loaded = Signal(object)

application = QCoreApplication([])
emitter = Emitter()
heard = []
emitter.plain.connect(lambda: heard.append(1))
emitter.loaded.connect(heard.append)
for number in range(2500):
    emitter.plain.emit()
    emitter.loaded.emit((None, True, number)[number % 3])
print(len(heard))
"""


def test_five_thousand_signals_do_not_abort() -> None:
    # Some releases of PySide6 drop a reference to None or True at each emission, until the interpreter aborts.
    ended = subprocess.run([sys.executable, "-c", EMIT], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout.strip()) == (0, "5000"), ended.stderr
