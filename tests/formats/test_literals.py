"""Literals and prints of programming languages, each with what they must be read as."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.literals.literals import read_literal

SAMPLES = Path(__file__).parent.parent / "samples"
INF, NAN = math.inf, math.nan
SQUARE = [[1, 2], [3, 4]]
WEIGHTS = [[0.1, 0.9], [0.2, 0.8]]


def read(text: str) -> Imported:
    found = read_literal(text)
    assert found is not None
    return found


def values(found: Imported) -> list[object]:
    assert found.values is not None
    return found.values.tolist()


def sample(name: str) -> str:
    return next(SAMPLES.glob(f"{name}_*")).read_text(encoding="utf-8")


PYTHON = [
    ("[[1, 2], [3, 4]]", SQUARE),
    ("[(1, 2), (3, 4)]", SQUARE),
    ("((1,2),(3,4),)", SQUARE),
    ("[[1, 2,], # first\n [3, 4,],]", SQUARE),
    ("[\n  [1, 2],\n  [3, 4],\n]", SQUARE),
    ("[ [1, 2]\n, [3, 4]\n]", SQUARE),
    ("[[1,2][3,4]]", SQUARE),
    ("[1, 2], [3, 4]", SQUARE),
    ("[1, 2]\n[3, 4]", SQUARE),
    ("(1, 2, 3)", [[1, 2, 3]]),
    ("[[1e-3, 1E+5, -.5, +2., 1_000]]", [[0.001, 1e5, -0.5, 2, 1000]]),
    ("[[0, float('-inf')], [-np.inf, -math.inf], [-torch.inf, math.inf]]", [[0, -INF], [-INF, -INF], [-INF, INF]]),
    ("[[1, -Infinity], [−2, −∞], [-1.#INF, Infinity]]", [[1, -INF], [-2, -INF], [-INF, INF]]),
    ("[[1/3, np.sqrt(2)], [np.float64(0.5), (0.5+0.25)/3]]", [[1 / 3, 2**0.5], [0.5, 0.25]]),
    ("[[math.pi, -math.e], [np.log(2), 2**3]]", [[math.pi, -math.e], [math.log(2), 8]]),
    ("[[Fraction(1, 4), 1 - 2]]", [[0.25, -1]]),
    ("[['1/3', '-inf'], ['0,5', '0']]", [[1 / 3, -INF], [0.5, 0]]),
    ("np.array([[1, 2], [3, 4]], dtype=np.float32)", SQUARE),
    ("np.array(((1, 2), (3, 4)))", SQUARE),
    ("array([['0.1', '0.9'], ['0.2', '0.8']], dtype='<U3')", WEIGHTS),
    ("torch.tensor([[0.1, 0.9], [0.2, 0.8]])", WEIGHTS),
    ("[array([0.1, 0.9]), array([0.2, 0.8])]", WEIGHTS),
    ("np.array([[1, 3], [2, 4]]).T", SQUARE),
    ("torch.tensor([[1, 2], [3, 4]]).detach().cpu().numpy()", SQUARE),
    ("mx.array([[1, 2], [3, 4]])", SQUARE),
    ("Matrix([\n[1, 2],\n[3, 4]])", SQUARE),
    ("pd.DataFrame([[1, 2], [3, 4]], columns=['a', 'b'])", SQUARE),
    ("print([[1, 2], [3, 4]])", SQUARE),
    ("```python\n[[1, 2], [3, 4]]\n```", SQUARE),
    ("[[50%, 50%], [10%, 90%]]", [[0.5, 0.5], [0.1, 0.9]]),
]
PRINTS = [
    ("[[0.1  0.9]\n [0.2  0.8]]", WEIGHTS),
    ("[[0.1 0.9\n  0.5]\n [0.2 0.8\n  0.5]]", [[0.1, 0.9, 0.5], [0.2, 0.8, 0.5]]),
    ("[ 1. -2.  3.e-05]", [[1, -2, 3e-5]]),
    ("[1 2]\n[3 4]", SQUARE),
    ("tensor([[0.1, 0.9],\n        [0.2, 0.8]], dtype=torch.float64, grad_fn=<DivBackward0 object at 0x7f>)", WEIGHTS),
    ("tensor([[1, 2],\n        [3, 4]], device='cuda:0', requires_grad=True)", SQUARE),
    ("tensor(1.0000e-05 *\n       [[1.0000, 2.5000],\n        [3.0000, -inf]])", [[1e-5, 2.5e-5], [3e-5, -INF]]),
    ("Parameter containing:\ntensor([[1., 2.],\n        [3., 4.]], requires_grad=True)", SQUARE),
    ("tf.Tensor(\n[[0.1 0.9]\n [0.2 0.8]], shape=(2, 2), dtype=float32)", WEIGHTS),
    (
        "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[0.1, 0.9],\n       [0.2, 0.8]], dtype=float32)>",
        WEIGHTS,
    ),
    (
        "<tf.Variable 'v:0' shape=(2, 2) dtype=float32, numpy=\narray([[0.1, 0.9],\n  [0.2, 0.8]], dtype=float32)>",
        WEIGHTS,
    ),
    ("Array([[1., 2.],\n       [3., 4.]], dtype=float32)", SQUARE),
    ("DeviceArray([[1., 2.], [3., 4.]], dtype=float32)", SQUARE),
    ("Tensor(shape=[2, 2], dtype=float32, place=Place(cpu),\n       [[1., 2.],\n        [3., 4.]])", SQUARE),
    ("[[1 2]\n [3 4]]\n<NDArray 2x2 @cpu(0)>", SQUARE),
    ("[[1.0, 2.0],\n [3.0, 4.0]], shape=[2, 2], strides=[2, 1], layout=Cc (0x5), const ndim=2", SQUARE),
    ("[[1., 2.],\n [3., 4.]]\nTensor[[2, 2], f32]", SQUARE),
    ("Tensor\n    [[1, 2],\n     [3, 4]]", SQUARE),
    ("<xarray.DataArray (x: 2, y: 2)>\narray([[1., 2.],\n       [3., 4.]])", SQUARE),
    (">>> [[1, 2], [3, 4]]", SQUARE),
    (">>> np.ones(2)\narray([1., 1.])", [[1, 1]]),
    ("Out[3]: \narray([[1, 2],\n       [3, 4]])", SQUARE),
    ("Out[1]= {{1, 2}, {3, 4}}", SQUARE),
    ("Here is the matrix you asked for: [[1, 2], [3, 4]]. Enjoy!", SQUARE),
]
LANGUAGES = [
    ("[1 2; 3 4]", SQUARE),
    ("[1, 2; 3, 4];", SQUARE),
    ("[1 2; 3, 4]", SQUARE),
    ("[1 -2; 1 4]", [[1, -2], [1, 4]]),
    ("[1 - 2; 3]", [[-1], [3]]),
    ("[1 3; 2 4]'", SQUARE),
    ("[1.0 2.0\n 3.0 4.0]", SQUARE),
    ("[1\n2\n3]", [[1], [2], [3]]),
    ("[1e3 -Inf; NaN 2.]", [[1000, -INF], [NAN, 2]]),
    ("[[1 2]; [3 4]]", SQUARE),
    ("Float32[1 2; 3 4]", SQUARE),
    ("[1//3 2//3; 1.5f0 2f-1]", [[1 / 3, 2 / 3], [1.5, 0.2]]),
    ("matrix(c(1,2,3,4), nrow=2, byrow=TRUE)", SQUARE),
    ("matrix(c(1,3,2,4), nrow = 2)", SQUARE),
    ("matrix(c(1,3,2,4), ncol = 2)", SQUARE),
    ("matrix(1:4, 2, 2, TRUE)", SQUARE),
    ("matrix(c(1, 2, 3), nrow = 1)", [[1, 2, 3]]),
    ('matrix(c(1L, 3L, 2L, 4L), 2, dimnames = list(c("a", "b"), c("x", "y")))', SQUARE),
    ("structure(c(1, 3, 2, 4), dim = c(2L, 2L))", SQUARE),
    ("array(c(1, 3, 2, 4), dim = c(2, 2))", SQUARE),
    ("c(1, 2, 3)", [[1, 2, 3]]),
    ("rbind(c(1,2),c(3,4))", SQUARE),
    ("cbind(a = c(1,3), b = c(2,4))", SQUARE),
    ("t(rbind(c(1, 3), c(2, 4)))", SQUARE),
    ("{{1, 2}, {3, 4}}", SQUARE),
    ("(* note [9] *) {{1.5*^-3, 1/3}, {Sqrt[2], -\\[Infinity]}}", [[0.0015, 1 / 3], [2**0.5, -INF]]),
    ("{{0.5`, 0.25`15.9}, {Infinity, Pi}}", [[0.5, 0.25], [INF, math.pi]]),
    ("List[List[1, 2], List[3, 4]]", SQUARE),
    ("MatrixForm[{{1, 2}, {3, 4}}]", SQUARE),
    ("matrix([1,2],[3,4])", SQUARE),
    ("{1,2;3,4}", SQUARE),
    ("vec![vec![1.0, 2.0_f64], vec![3.0f32, 4.]]", SQUARE),
    ("array![[1., 2.], [3., f64::NEG_INFINITY]]", [[1, 2], [3, -INF]]),
    ("[][]float64{{1, 2}, {3, math.Inf(-1)}}", [[1, 2], [3, -INF]]),
    ("listOf(listOf(1.0, 2.0), listOf(3.0, 4.0))", SQUARE),
    ("Array(Array(1.0, 2.0), Array(3.0, 4.0))", SQUARE),
    ("tf.tensor2d([1, 2, 3, 4], [2, 2])", SQUARE),
    ("new Float32Array([1, 2])", [[1, 2]]),
]
NAMED = [
    ("A = [1 2; 3 4];", "A"),
    ("A = [1 2\n     3 4];", "A"),
    ("A = [1 2; ...\n     3 ...\n 4] % 5 6", "A"),
    ("A = [\n  1, 2\n  3, 4\n]", "A"),
    ("A = [\n  1, 2;\n  3, 4;\n];", "A"),
    ("m <- matrix(c(1, 3, 2, 4), 2)", "m"),
    ("m = {{1, 2}, {3, 4}};", "m"),
    ("In[1]:= m = {{1, 2}, {3, 4}}", "m"),
    ("double a[2][2] = {{1.0f, 2.0f}, {3.0, 4.0}};  // {9}", "a"),
    ("double a[2][2] = {1, 2, /* 9, */ 3, 4};", "a"),
    ("static const float W[2][2] PROGMEM = {{1,2},{3,4}};", "W"),
    ("#define N 2\nfloat Q[N][N] = {\n  {1, 2},\n  {3, 4}\n};", "Q"),
    ("std::vector<std::vector<double>> a = {{1.0, 2.0}, {3.0, 4.0}};", "a"),
    ("std::array<std::array<double, 2>, 2> a = {{1.0, 2.0}, {3.0, 4.0}};", "a"),
    ("double[][] a = new double[][] {{1, 2}, {3, 4}};", "a"),
    ("double[,] q = { { 1.0, 2.0 }, { 3.0, 4.0 } };", "q"),
    ("List<List<double>> q = new List<List<double>> { new List<double> {1, 2}, new List<double> {3, 4} };", "q"),
    ("let q = vec![vec![1.0, 2.0], vec![3.0, 4.0]];", "q"),
    ("let mut q: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];", "q"),
    ("let q = arr2(&[[1.0, 2.0], [3.0, 4.0]]);", "q"),
    ("a := [][]float64{\n\t{1, 2},\n\t{3, 4},\n}", "a"),
    ("var Q = [2][2]float64{{1, 2}, {3, 4}}", "Q"),
    ("const Q: number[][] = [[1, 2], [3, 4]];", "Q"),
    ("$Q = [[1,2],[3,4]];", "Q"),
    ("val q = arrayOf(doubleArrayOf(1.0, 2.0), doubleArrayOf(3.0, 4.0))", "q"),
    ("self.w_q = np.array([[1, 2], [3, 4]])", "w_q"),
    ("Attention weights:\n [[1 2]\n [3 4]]", "Attention weights"),
    ("Q =\n[[1 2]\n [3 4]]", "Q"),
    (">>> Q = np.array([[1, 2],\n...               [3, 4]])\n>>> Q\narray([[1, 2],\n       [3, 4]])", "Q"),
    (">>> print(w)\n[[1 2]\n [3 4]]", "w"),
    ("In [3]: w\nOut[3]: \narray([[1, 2],\n       [3, 4]])", "w"),
    ("> x <- rbind(c(1, 2),\n+            c(3, 4))", "x"),
    ("julia> A = [1 2; 3 4]\n2×2 Matrix{Int64}:\n 1  2\n 3  4", "A"),
]
REFUSED = [
    ("[[1, None], [0, 1]]", ["row 1, column 2", "None"]),
    ("[[1, 2], [3, 'n/a']]", ["row 2, column 2", "n/a"]),
    ("[[x, 1], [2, 3]]", ["row 1, column 1", "'x'"]),
    ("[[1, 1e400], [2, 3]]", ["row 1, column 2", "1e400"]),
    ("[[[1, 1e400], [2, 3]]]", ["part 1, row 1, column 2", "1e400"]),
    ("[[1, , 2], [2, 3, 4]]", ["row 1, column 2", "empty"]),
    ("[[1, 2], [2024-01-02, 4]]", ["row 2, column 1", "date"]),
    ("[[1, 1+2j]]", ["row 1, column 2", "1+2j"]),
    ("[[1, 2], [3]]", ["row 2 has 1 number, row 1 has 2"]),
    ("[[[1, 2], [3, 4]], [[5, 6], [7]]]", ["part 2, row 2", "1 number"]),
    ("[[[1, 2], [3, 4]], [[5, 6]]]", ["part 2 has 1 row"]),
    ("[[1, 2], 3]", ["row 2 is one number"]),
    ("[1 2; 3]", ["row 2 has 1 number, row 1 has 2"]),
    ("[[1, 2], [3, 4]", ["line 1", "not closed", "truncated"]),
    ("[[1, 2], [3, 4", ["row 2", "not closed"]),
    ("[[1, 2), (3, 4]]", ["line 1: ) closes a ["]),
    ("[]", ["empty"]),
    ("array([], shape=(0, 3), dtype=float64)", ["empty"]),
    ("[[0.1, 0.2, ...], [0.3, 0.4, ...]]", ["...", "summarized", "threshold"]),
    ("[[0. 0.1 ... 3.8 4.1]\n ...\n [4.2 4.4 ... 8.2 8.4]]", ["..."]),
    ("A = [0. 0.14 0.28 ...\n 3.85 4. 4.14]", ["..."]),
    ("[0.1, 0.2, \N{HORIZONTAL ELLIPSIS}, 0.3]", ["..."]),
    ("[ [ 1, 2 ], [ 3, 4 ], ... 3 more items ]", ["..."]),
    ("[1 -2, 3]", ["commas and spaces"]),
    ("[0,5 0,5]", ["commas and spaces", "dots"]),
    ("[1, 2,\n 3, 4\n 5, 6]", ["comma"]),
    ("[[1; 2], [3; 4]]", ["blocks"]),
    ("[1 2;; 3 4]", [";;"]),
    ("let a = [0.5; 3];", ["repeats"]),
    ("let a = vec![0.5; 3];", ["repeats"]),
    ("double a[2][2] = {{1}, {2}};", ["2 x 2", "2 x 1"]),
    ("double a[2][2] = {1, 2, 3};", ["3 numbers", "2 x 2"]),
    ("double a[2] = {1/3, 2/3};", ["row 1, column 1", "1/3"]),
    ("array([[0.1, 0.9]], shape=(120, 2))", ["120 x 2", "1 x 2"]),
    ("matrix(c(1,2,3), 2, 2)", ["3 numbers", "2 x 2"]),
    ("matrix(1:999999999, 2)", ["too long"]),
    ("masked_array(data=[[1.0, 2.0]], mask=[[False, True]])", ["masked"]),
    ("np.array([[1, 2]]).astype(int)", [".astype(int)"]),
    ("np.array([[1, 2]]) / 2", ["/ 2"]),
    ("torch.tensor([[0.1, 0.9]]).softmax(-1)", ["softmax"]),
    ("Q = 2 * np.array([[1, 2], [3, 4]])", ["calculation"]),
    ("softmax([[1, 2], [3, 4]])", ["calculation"]),
    ("-np.array([[1, 2], [3, 4]])", ["calculation"]),
    ("w = softmax([[1, 2], [3, 4]])", ["calculation"]),
    ("[[1, 2], [3, 4]]\n[[5, 6], [7, 8]]", ["2 matrices", "name"]),
    ("Q = [[1, 2], [3, 4]]\nQ = [[1, 2], [3, 5]]", ["Q", "twice"]),
    ("Q = [[1, 2], [3, 4]]\nQ *= 2", ["Q", "changed"]),
    ("Q = torch.tensor([[1., 2.], [3., 4.]])\nQ.fill_(0)", ["Q", "changed"]),
    ("Q = [[1, 2], [3, 4]]\nQ[0, 0] = 5", ["Q", "changed"]),
    ("Q = [[1, 2], [3, 4]]\nK = [[1, 2], [3]]", ["'K': row 2"]),
    ("[[[[[[1]]]]]]", ["5"]),
    ("Q = " + "[" * 60 + "1" + "]" * 60, ["50"]),
    ("[[1, true], [2, 3]]", ["row 1, column 2"]),
    ("[[[1, true]], [[2, 3]]]", ["part 1, row 1, column 2"]),
]
NO_LITERALS = [
    "",
    "1 2\n3 4",
    "0.5 (0.1) 0.3",
    "[CLS],I,[SEP]\n[CLS],0.5,0.3",
    ",[CLS],I\n[CLS],0.5,0.3",
    "[CLS] 0.5 0.5\n[SEP] 0.2 0.8",
    "     [,1] [,2]\n[1,]  0.5  0.5\n[2,]  0.1  0.9",
    "2×2 Matrix{Float64}:\n 0.5  0.5\n 0.1  0.9",
    "A =\n\n   1   2\n   3   4\n",
    "(0, 1]  0.5\n(1, 2]  0.3",
    "x (cm),y (cm)\n1,2",
    "Table (2 x 2):\n0.5 0.5",
    "See [12] for details.",
    '{"Q": [[1, 0]], "K": [[0, 1]]}',
    '[{"a": 1}, {"a": 2}]',
    "\\left[ 1 & 2 \\\\ 3 & 4 \\right]",
    "$\\begin{bmatrix} 1 & 2 \\end{bmatrix}$",
    "<table><tr><td>(1, 2)</td></tr></table>",
    "mat(1, 2; 3, 4)",
    'Tensor("x:0", shape=(2, 2), dtype=float32)',
    "0: [1, 2]\n1: [3, 4]",
]


@pytest.mark.parametrize(("text", "expected"), [*PYTHON, *PRINTS, *LANGUAGES])
def test_a_literal_is_read(text, expected):
    found = read(text)
    assert found.kind == "matrix"
    np.testing.assert_allclose(values(found), expected, rtol=1e-15)


@pytest.mark.parametrize(("text", "name"), NAMED)
def test_the_variable_names_the_matrix(text, name):
    found = read(text)
    assert (found.kind, found.name, values(found)) == ("matrix", name, SQUARE)


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_what_is_doubtful_is_refused_by_its_place(text, words):
    with pytest.raises(ExplorerError) as caught:
        read_literal(text)
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("text", NO_LITERALS)
def test_other_texts_are_left_to_other_readers(text):
    assert read_literal(text) is None


def test_samples():
    assert values(read(sample("41"))) == [[1, 0], [0, 2]]
    assert values(read(sample("43"))) == [[0.1, 0.9], [0.25, 0.75]]
    with pytest.raises(ExplorerError, match=r"\.\.\..*summarized"):
        read_literal(sample("45"))
    assert values(read(sample("47"))) == [
        [0.26820001006126404, 0.2962000072002411, 0.43560001254081726],
        [0.28940001130104065, 0.3199000060558319, 0.39070001244544983],
    ]
    assert values(read(sample("51"))) == [[0.2899, -INF], [0.4656, 0.1723]]
    assert (read(sample("54")).name, values(read(sample("54")))) == ("A", SQUARE)
    assert (read(sample("67")).kind, values(read(sample("67")))) == ("mask", np.tri(3, dtype=bool).tolist())
    assert values(read(sample("74"))) == [[0.5, 0.5], [0.1, 0.9]]
    with pytest.raises(ExplorerError, match="row 2 has 1 number, row 1 has 2"):
        read_literal(sample("77"))


def test_more_dimensions_are_a_tensor_with_named_axes():
    found = read(sample("50"))
    assert (found.kind, found.axes) == ("tensor", ("batch", "head", "query", "key"))
    assert values(found) == [[[[0.5, 0.5], [0.25, 0.75]], [[1, 0], [0, 1]]]]
    layers = read("(tensor([[[[0.5, 0.5], [0., 1.]]]]), tensor([[[[1., 0.], [0., 1.]]]]))")
    assert (layers.axes[0], np.shape(values(layers))) == ("layer", (2, 1, 1, 2, 2))
    assert read("[[[True, False], [False, True]], [[True, True], [True, True]]]").values.dtype == bool


def test_several_assignments_are_named_matrices():
    found = read(
        "import numpy as np\nQ = np.array([[1, 0],\n              [0, 1]])\nK = [[1, 0], [0, 2]]; V = [[5], [6]]\n"
        'tokens = ["I", "am"]\nd_k = 2\nscores = Q @ K.T / np.sqrt(d_k)\nprint(scores)\n'
    )
    assert found.kind == "named"
    assert {name: values(part) for name, part in found.matrices.items()} == {
        "Q": [[1, 0], [0, 1]], "K": [[1, 0], [0, 2]], "V": [[5], [6]],
    }  # fmt: skip
    assert found.tokens == ("I", "am")
    assert any("'scores'" in note and "'d_k'" in note for note in found.notes)


@pytest.mark.parametrize(
    "text",
    [
        "Q: [[1, 2], [3, 4]]\nK: [[5, 6], [7, 8]]",
        "Q = [[1,2],[3,4]], K = [[5,6],[7,8]]",
        "Q =\n[[1 2]\n [3 4]]\n\nK =\n[[5 6]\n [7 8]]",
        "Q\n[[1 2]\n [3 4]]\nK\n[[5 6]\n [7 8]]",
        "Q = [1 2; 3 4]; K = [5 6; 7 8];",
        "double Q[2][2] = {{1, 2}, {3, 4}}; double K[2][2] = {{5, 6}, {7, 8}};",
        "{'Q': array([[1., 2.], [3., 4.]]), 'K': array([[5., 6.], [7., 8.]])}",
        "{'Q':[[1, 2], [3, 4]], 'd': 2, 'K' : [[5, 6], [7, 8]]}",
        '"Q": [[1, 2], [3, 4]],\n"K": [[5, 6], [7, 8]],',
        ">>> Q\narray([[1, 2],\n       [3, 4]])\n>>> K\narray([[5, 6],\n       [7, 8]])",
    ],
)
def test_each_of_several_has_its_name(text):
    found = read(text)
    assert {name: values(part) for name, part in found.matrices.items()} == {"Q": SQUARE, "K": [[5, 6], [7, 8]]}


def test_lines_of_a_flat_list_are_a_question():
    found = read("[1, 2,\n 3, 4]")
    assert [values(option.reading) for option in found.options] == [[[1, 2, 3, 4]], SQUARE]
    assert [option.label for option in found.options] == ["1x4 (one row)", "2x2 (each line is a row)"]
    assert read("np.array([1, 2,\n          3, 4])").kind == "matrix"


@pytest.mark.parametrize("size", [12, 14])
def test_a_wrapped_print_of_one_row(size):
    row = np.random.default_rng(0).random(size)
    found = read(str(row))
    one = found.options[0].reading if found.kind == "choice" else found
    np.testing.assert_allclose(values(one), [row], atol=1e-8)
    # Two full lines could be two rows as well, six and eight numbers could not.
    assert (found.kind == "choice") == (size == 12)


def test_what_was_written_is_kept_where_it_says_more():
    found = read("[[1/3, np.sqrt(2), 0.5], [1//4, 50%, 2.]]")
    assert found.texts.tolist() == [["1/3", "sqrt(2)", None], ["1/4", "50%", None]]


def test_labels_in_quotes():
    found = read('[["", "Je", "suis"], ["I", 0.7, 0.3], ["am", 0.1, 0.9]]')
    assert (found.row_labels, found.column_labels) == (("I", "am"), ("Je", "suis"))


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("", [0.26820001006126404, 0.5]),
        (", dtype=torch.float64", [0.2682, 0.5]),
        (", dtype=torch.float16", [0.268310546875, 0.5]),
        (", dtype=torch.bfloat16", [0.267578125, 0.5]),
    ],
)
def test_a_print_of_torch_is_in_its_own_precision(dtype, expected):
    assert values(read(f"tensor([[0.2682, 0.5000]]{dtype})")) == [expected]
    assert values(read(f"tensor([[0.2682, -inf]]{dtype})")) == [[0.2682, -INF]]


def test_notes():
    assert read("[1, 2]").notes == ("one row",)
    assert read("matrix(c(1, 2), 1)").notes == ("filled column by column, as R does",)
    assert read("[1 2]'").notes == ("transposed, as ' says",)
    assert "multiplied by 1.0000e-05, as the print says" in read("tensor(1.0000e-05 *\n [[1., 2.]])").notes
    assert read("[[nan, 1.]]").notes == ("1 cell is nan",)


def test_the_given_name_is_for_what_has_none():
    assert read_literal("[[1, 2]]", name="file").name == "file"
    assert read_literal("A = [1 2; 3 4]", name="file").name == "A"


def test_prints_of_numpy_come_back_exactly():
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(40, 30)) * 10.0 ** rng.integers(-9, 9, size=(40, 30))
    matrix[3, 4], matrix[5, 6], matrix[7, 8] = INF, -INF, NAN
    with np.printoptions(threshold=sys.maxsize, precision=17, floatmode="unique"):
        for text in (repr(matrix), str(matrix), str(matrix.tolist())):
            np.testing.assert_array_equal(values(read(text)), matrix)
