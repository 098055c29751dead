"""Attention Explorer: type a number, and every step of softmax(Q K^T / scale) V redraws.

The map of the program, from left to right; nothing imports what stands to its right::

    errors, paths <- core <- state <- formats <- library <- gui <- app
                                                 library <- cli <- app

errors     ExplorerError(message, hint), the only error a user reads
paths      where resources, settings, recovery files and the log are
preflight  says in one sentence why Qt cannot start here
core       the mathematics, in NumPy: Problem -> attend() -> Attention, every stage of it; measures, the worked
           solution, the usual mistakes, and a check of a person's own working
state      Document, View and Snapshot; edits; the Store, the only thing that changes
formats    documents and arrays to and from bytes: session files, cells, results, whatever people bring
library    the examples, and opening a file or an example by its name
gui        the window: panels show a Snapshot and ask for an Edit or a Look; Qt lives here and nowhere else
cli        the commands that need no window: list, compute, check, read
app        reads the command line, builds Store and window and joins them

The one way that anything changes::

    request -> Store.apply -> new Document -> attend(problem) -> Snapshot -> panel.display(snapshot), every panel

To add a panel, an example, a mask, a mistake, a command, a format of compute: write one file or function and add one
line to its table (PANELS, EXAMPLES, MASKS, MISTAKES, COMMANDS, FORMATS).
"""

__version__ = "0.1.0"
