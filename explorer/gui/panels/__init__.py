"""The panels, in the order of the window."""

from explorer.gui.panels.bars_panel import BarsPanel
from explorer.gui.panels.inputs_panel import InputsPanel
from explorer.gui.panels.output_panel import OutputPanel
from explorer.gui.panels.panel import Panel
from explorer.gui.panels.scores_panel import ScoresPanel
from explorer.gui.panels.weights_panel import WeightsPanel

PANELS: tuple[type[Panel], ...] = (InputsPanel, ScoresPanel, WeightsPanel, OutputPanel, BarsPanel)
