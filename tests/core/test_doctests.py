"""The examples in the docstrings of the core hold."""

import doctest
import importlib
import pkgutil

import pytest

import explorer.core

MODULES = sorted(module.name for module in pkgutil.iter_modules(explorer.core.__path__, "explorer.core."))
WITH_EXAMPLES = {"attention", "masks", "measures", "problem", "softmax"}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_module_hold(name):
    result = doctest.testmod(importlib.import_module(name), report=False)
    assert result.failed == 0
    assert result.attempted or name.rpartition(".")[2] not in WITH_EXAMPLES


def test_a_wrong_example_would_be_noticed():
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "planted", None, 0)
    assert doctest.DocTestRunner().run(wrong, out=lambda text: None).failed == 1
