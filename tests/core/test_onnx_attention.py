"""Every case that the onnx package carries for its Attention operator comes out of our core."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.core.onnx_cases import Case, Heads, assert_agree, expanded_names, names, read, same_numbers, show

pytestmark = pytest.mark.filterwarnings("error")
PREFIX = "test_attention_"
CASES = names(PREFIX)
ran: set[str] = set()
agreed: set[str] = set()


@pytest.fixture(scope="module", autouse=True)
def _the_count_is_shown(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    skipped = len(set(CASES) - ran)
    show(request.config, f"{len(CASES)} Attention cases, {skipped} skipped, {len(agreed)} agree")


@cache
def heads(name: str) -> Heads:
    return Heads(read(name))


@pytest.mark.parametrize("name", CASES)
def test_the_core_gives_what_the_case_expects(name):
    ran.add(name)
    assert_agree(heads(name).case, heads(name).outputs())
    agreed.add(name)


def test_there_are_64_cases_from_the_pinned_version():
    pyproject = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"onnx=={onnx.__version__}" in pyproject["project"]["optional-dependencies"]["test"]
    assert len(CASES) == 64
    assert {read(name).operator for name in CASES} == {"Attention"}


def test_the_folders_left_out_hold_the_same_numbers():
    expanded = expanded_names(PREFIX)
    assert len(expanded) == 64
    assert [name for name in expanded if not same_numbers(name)] == []


def test_what_the_cases_cover():
    asked = {key for name in CASES for key in (*heads(name).case.attributes, *heads(name).case.inputs)}
    assert asked >= {"scale", "is_causal", "softcap", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"}
    modes = {heads(name).case.attributes.get("qk_matmul_output_mode", 0) for name in CASES}
    assert modes == {0, 1, 2, 3}
    assert {heads(name).case.inputs["Q"].dtype.name for name in CASES} == {"float32", "float16"}
    # No row of theirs is without an allowed key, so these cases say nothing on ours being 0 there.
    attended = [attention for name in CASES for batch in heads(name).attended for attention in batch]
    assert {status for attention in attended for status in attention.status} == {"ok"}


def without(key: str):
    def dropped(case: Case) -> Case:
        attributes, inputs = (
            {name: value for name, value in given.items() if name != key} for given in (case.attributes, case.inputs)
        )
        return replace(case, attributes=attributes, inputs=inputs)

    return dropped


def with_input(key: str, change):
    return lambda case: replace(case, inputs=case.inputs | {key: change(case.inputs[key])})


def with_attribute(**changed):
    return lambda case: replace(case, attributes=case.attributes | changed)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("4d_scaled", without("scale")),
        ("4d_softcap", without("softcap")),
        ("4d_causal", without("is_causal")),
        ("4d_attn_mask", without("attn_mask")),
        ("4d_attn_mask_bool", with_input("attn_mask", np.logical_not)),
        ("4d_softcap_neginf_mask_poison", without("attn_mask")),
        ("4d_diff_heads_mask4d_padded_kv", without("nonpad_kv_seqlen")),
        ("4d_gqa", with_input("K", lambda k: k[:, ::-1])),  # another head's keys
        ("3d", with_input("V", lambda v: v[..., ::-1])),
        ("4d_with_past_and_present", with_input("past_key", lambda past: past[:, :, ::-1])),
        ("4d_with_past_and_present_qk_matmul_bias_4d_mask_causal", without("is_causal")),
        ("4d_with_qk_matmul_bias", with_attribute(qk_matmul_output_mode=1)),
        ("4d_with_qk_matmul_softcap", with_attribute(qk_matmul_output_mode=0)),
        ("4d_fp16", with_attribute(scale=0.3)),
    ],
)
def test_a_case_that_is_read_wrongly_would_be_noticed(name, spoil):
    with pytest.raises(AssertionError):
        assert_agree(heads(PREFIX + name).case, Heads(spoil(heads(PREFIX + name).case)).outputs())


def test_an_attribute_that_we_do_not_know_is_not_ignored():
    with pytest.raises(AssertionError):
        Heads(replace(heads(CASES[0]).case, attributes={"window": 3}))
