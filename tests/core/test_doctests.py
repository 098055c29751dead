"""The docstrings of the core say what they must, and their examples hold."""

import ast
import doctest
import importlib
import pkgutil
import re

import pytest

import explorer.core

MODULES = sorted(module.name for module in pkgutil.iter_modules(explorer.core.__path__, "explorer.core."))


def missing_parts(function: ast.FunctionDef) -> list[str]:
    """What the docstring of a public function lacks."""
    text = ast.get_docstring(function) or ""
    arguments = [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]
    raises = any(isinstance(node, ast.Raise) for node in ast.walk(function))
    told = text.partition("Parameters\n---")[2]
    needed = [
        *(["Parameters\n---"] if arguments else []),
        *([] if "Yields\n---" in text else ["Returns\n---"]),
        *(["Raises\n---"] if raises else []),
        "Examples\n---",
        ">>> ",
    ]
    lacking = [part.partition("\n")[0] for part in needed if part not in text]
    return [*lacking, *(name for name in arguments if not re.search(rf"^\**[\w, ]*\b{name}\b", told, re.MULTILINE))]


def public_functions(source: str) -> list[ast.FunctionDef]:
    return [
        node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_function_says_what_it_takes_gives_and_refuses(name):
    with open(importlib.import_module(name).__file__, encoding="utf-8") as file:
        functions = public_functions(file.read())
    lacking = {function.name: missing_parts(function) for function in functions}
    assert {function: parts for function, parts in lacking.items() if parts} == {}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_module_hold(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, report=False)
    assert result.failed == 0
    with open(module.__file__, encoding="utf-8") as file:
        assert result.attempted >= len(public_functions(file.read()))


def test_a_poor_docstring_and_a_wrong_example_would_be_noticed():
    text = "Give x.\n\n    Returns\n    -------\n    int\n    "
    (poor,) = public_functions(f'def f(x):\n    """{text}"""\n    raise ValueError')
    assert missing_parts(poor) == ["Parameters", "Raises", "Examples", ">>> ", "x"]
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "planted", None, 0)
    assert doctest.DocTestRunner().run(wrong, out=lambda text: None).failed == 1
