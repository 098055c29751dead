"""The node tests that the onnx package carries, put to our core."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import pytest

from explorer.core.attention import Attention, attend
from explorer.core.masks import NO_MASK, Mask, allowed_cells
from explorer.core.problem import QKV, Problem

FOLDER = Path(onnx.__path__[0]) / "backend" / "test" / "data" / "node"
# softmax_precision names a float type for the softmax; ours is float64 always.
ATTRIBUTES = {
    "scale", "is_causal", "softcap", "q_num_heads", "kv_num_heads", "qk_matmul_output_mode", "softmax_precision",
}  # fmt: skip
# The stage that each qk_matmul_output_mode asks for; ONNX scales Q and K before it multiplies them.
STAGES = ("scaled", "softcapped", "masked", "weights")


@dataclass(frozen=True, eq=False)
class Case:
    """One node test: its attributes, and its inputs and expected outputs by the operator's names."""

    name: str
    operator: str
    attributes: dict
    inputs: dict
    outputs: dict


def names(prefix: str) -> list[str]:
    """The folders of one operator, without those that hold the same numbers for the expanded function body."""
    return sorted(path.name for path in FOLDER.glob(f"{prefix}*") if "_expanded" not in path.name)


def expanded_names(prefix: str) -> list[str]:
    """The folders that test an operator's function body."""
    return sorted(path.name for path in FOLDER.glob(f"{prefix}*_expanded*"))


def same_numbers(expanded: str) -> bool:
    """Whether a folder of an expanded function body holds the very files of the operator's own."""
    ours, theirs = (
        {path.name: path.read_bytes() for path in (FOLDER / folder / "test_data_set_0").iterdir()}
        for folder in (expanded, expanded.partition("_expanded")[0])
    )
    return ours == theirs and bool(ours)


def read(name: str) -> Case:
    """A case from the installed package."""
    (node,) = onnx.load(FOLDER / name / "model.onnx").graph.node
    attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    return Case(
        name, node.op_type, attributes, _tensors(name, "input", node.input), _tensors(name, "output", node.output)
    )


def _tensors(name: str, side: str, slots: list[str]) -> dict[str, np.ndarray]:
    """The tensors of one side by name; a slot left out has no file."""
    data = FOLDER / name / "test_data_set_0"
    given = [slot for slot in slots if slot]
    assert len(given) == len(list(data.glob(f"{side}_*.pb")))
    files = [data / f"{side}_{index}.pb" for index in range(len(given))]
    return {slot: onnx.numpy_helper.to_array(onnx.load_tensor(file)) for slot, file in zip(given, files, strict=True)}


@dataclass(frozen=True, eq=False)
class Heads:
    """An Attention case cut into one problem of ours a head and batch; nothing is computed here."""

    case: Case

    def __post_init__(self) -> None:
        assert set(self.case.attributes) <= ATTRIBUTES, self.case.attributes  # one we do not know would be ignored

    @cached_property
    def q(self) -> np.ndarray:
        return self._split("Q", "q_num_heads")  # (batch, heads, n_q, d_k)

    @cached_property
    def present_key(self) -> np.ndarray:
        return self._with_past("past_key", self._split("K", "kv_num_heads"))  # (batch, kv heads, n_k, d_k)

    @cached_property
    def present_value(self) -> np.ndarray:
        return self._with_past("past_value", self._split("V", "kv_num_heads"))  # (batch, kv heads, n_k, d_v)

    def _split(self, name: str, count: str) -> np.ndarray:
        """(batch, n, heads * d) as (batch, heads, n, d)."""
        packed = self.case.inputs[name]
        if packed.ndim == 4:
            return packed
        batch, n, _ = packed.shape
        return packed.reshape(batch, n, self.case.attributes[count], -1).transpose(0, 2, 1, 3)

    def _with_past(self, past: str, new: np.ndarray) -> np.ndarray:
        return np.concatenate([self.case.inputs[past], new], axis=2) if past in self.case.inputs else new

    @cached_property
    def attn_mask(self) -> np.ndarray | None:
        """The mask of every head; keys beyond its end are hidden, as the operator says."""
        mask = self.case.inputs.get("attn_mask")
        if mask is None:
            return None
        n_k = self.present_key.shape[2]
        missing = [(0, 0)] * (mask.ndim - 1) + [(0, n_k - mask.shape[-1])]
        padded = np.pad(mask, missing, constant_values=False if mask.dtype == bool else -np.inf)
        return np.broadcast_to(padded, (*self.q.shape[:3], n_k))

    def mask(self, batch: int, head: int) -> Mask:
        """Who may attend to whom, without what a float mask hides: the core finds its -inf itself."""
        n_q, n_k = self.q.shape[2], self.present_key.shape[2]
        length = self.case.inputs.get("nonpad_kv_seqlen")
        keys = None if length is None else np.arange(n_k) < length[batch]
        past = self.case.inputs["past_key"].shape[2] if "past_key" in self.case.inputs else 0
        if not self.case.attributes.get("is_causal"):
            rule = Mask("padding", keys=keys)
        elif past:  # j <= i + past, which the causal mask has at neither end when K brings more keys than Q queries
            rule = Mask("window", right=past, keys=keys)
        else:
            rule = Mask("causal", keys=keys)
        if self.attn_mask is None or self.attn_mask.dtype != bool:
            return rule
        return Mask("custom", allowed=allowed_cells(rule, n_q, n_k) & self.attn_mask[batch, head])

    def problem(self, batch: int, head: int) -> Problem:
        given = self.case.attributes
        shared = head // (self.q.shape[1] // self.present_key.shape[1])  # grouped heads: neighbours share keys
        is_bias = self.attn_mask is not None and self.attn_mask.dtype != bool
        return Problem(
            QKV(self.q[batch, head], self.present_key[batch, shared], self.present_value[batch, shared]),
            scale=1 / given["scale"] if "scale" in given else "sqrt_dk",
            mask=self.mask(batch, head),
            bias=self.attn_mask[batch, head] if is_bias else None,
            softcap=given.get("softcap", 0.0),
        )

    @cached_property
    def attended(self) -> list[list[Attention]]:
        batches, heads = self.q.shape[:2]
        return [[attend(self.problem(batch, head)) for head in range(heads)] for batch in range(batches)]

    def stage(self, name: str) -> np.ndarray:
        """One of our stages for every head: (batch, heads, rows, columns)."""
        return np.array([[stage_of(attention, name) for attention in heads] for heads in self.attended])

    def outputs(self) -> dict[str, np.ndarray]:
        """What the operator gives, by its names."""
        y = self.stage("output")
        if self.case.inputs["Q"].ndim == 3:
            batch, heads, n_q, d_v = y.shape
            y = y.transpose(0, 2, 1, 3).reshape(batch, n_q, heads * d_v)
        made = {"Y": y, "present_key": self.present_key, "present_value": self.present_value}
        if "qk_matmul_output" in self.case.outputs:
            made["qk_matmul_output"] = self.stage(STAGES[self.case.attributes.get("qk_matmul_output_mode", 0)])
        return {name: made[name] for name in self.case.outputs if name}


def stage_of(attention: Attention, name: str) -> np.ndarray:
    if name != "softcapped":
        return getattr(attention, name)
    # Between scaled and masked; it is what masked shows where there is neither bias nor mask.
    return attend(replace(attention.problem, mask=NO_MASK, bias=None)).masked


def assert_agree(case: Case, ours: dict[str, np.ndarray]) -> None:
    """Every output the case asks for, in the case's own float type: a half-precision answer is stored rounded."""
    assert list(ours) == list(case.outputs)
    for name, theirs in case.outputs.items():
        assert ours[name].shape == theirs.shape, name
        rounded = ours[name].astype(theirs.dtype)
        np.testing.assert_allclose(
            rounded.astype(float), theirs.astype(float), rtol=1e-4, atol=1e-5, err_msg=f"{case.name}: {name}"
        )


def show(config: pytest.Config, line: str) -> None:
    """A line on the terminal, also where the output of tests is captured."""
    capture, reporter = (config.pluginmanager.get_plugin(name) for name in ("capturemanager", "terminalreporter"))
    if capture is not None and reporter is not None:
        with capture.global_and_fixture_disabled():
            reporter.write(f"\n{line}\n")  # on a line of its own among the dots
