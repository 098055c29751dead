"""Files that hold arrays or pictures in ways that are not read, each with what to do instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath

from explorer.errors import ExplorerError
from explorer.formats.arrays import zip_members

_TORCH = (
    "python -c \"import torch, numpy as np; a = torch.load('{file}', weights_only=True); "
    "a = torch.stack([*a]) if isinstance(a, (list, tuple)) else a; np.save('a.npy', a.detach().float().numpy())\""
)
_PICKLE = "python -c \"import numpy as np; np.save('a.npy', np.load('{file}', allow_pickle=True))\", if you trust it"
_PANDAS = "python -c \"import pandas as pd; pd.read_{kind}('{file}').to_csv('a.csv', index=False)\""
_HDF5 = (
    "python -c \"import h5py, numpy as np; f = h5py.File('{file}'); print(*f); np.save('a.npy', f[list(f)[0]][...])\""
)
_ONNX = (
    'python -c "import onnx, numpy as np; from onnx import numpy_helper as h; '
    "np.savez('a.npz', **{t.name: h.to_array(t) for t in onnx.load('{file}').graph.initializer})\""
)
_MAT = (
    'python -c "import scipy.io, numpy as np; '
    "np.savez('a.npz', **{k: v for k, v in scipy.io.loadmat('{file}').items() if k[0] != '_'})\""
)
_CSV, _NUMBERS, _UNPACK = "save it as CSV", "open the numbers themselves, as CSV or .npy", "unpack it first"

# What it is, and what to do; {file} is the name of the file.
KINDS: Mapping[str, tuple[str, str]] = {
    "torch": ("a file of PyTorch", _TORCH),
    "pickle": ("a pickle, which could run a program", _PICKLE),
    "joblib": ("a file of joblib", "python -c \"import joblib, numpy as np; np.save('a.npy', joblib.load('{file}'))\""),
    "hdf5": ("an HDF5 file", _HDF5),
    "onnx": ("an ONNX model", _ONNX),
    "parquet": ("a Parquet file", _PANDAS.replace("{kind}", "parquet")),
    "feather": ("a Feather file", _PANDAS.replace("{kind}", "feather")),
    "gguf": ("a GGUF model", "python -c \"import gguf, numpy as np; t = gguf.GGUFReader('{file}').tensors; "
             "np.savez('a.npz', **{x.name: x.data for x in t})\""),
    "mat": ("a file of MATLAB", _MAT),
    "rds": ("a file of R", "in R: write.csv(readRDS('{file}'), 'a.csv')"),
    "npy.gz": ("compressed", _UNPACK),
    "archive": ("an archive", _UNPACK),
    "picture": ("a picture, not numbers", _NUMBERS),
    "document": ("a document, not numbers", "copy the table in it and paste it"),
    "xls": ("an old or protected Office file", _CSV),
    "ods": ("a spreadsheet of another kind than .xlsx", _CSV),
    "database": ("a database", _CSV),
    "damaged": ("a zip file that is truncated or damaged", "fetch or save it again"),
}  # fmt: skip
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\x89HDF\r\n\x1a\n", "hdf5"), (b"MATLAB 7.3 MAT-file", "hdf5"), (b"MATLAB 5.0 MAT-file", "mat"),
    (b"PAR1", "parquet"), (b"ARROW1", "feather"), (b"FEA1", "feather"), (b"GGUF", "gguf"),
    (b"\x89PNG\r\n\x1a\n", "picture"), (b"\xff\xd8\xff", "picture"), (b"GIF87a", "picture"), (b"GIF89a", "picture"),
    (b"II*\x00", "picture"), (b"MM\x00*", "picture"), (b"%PDF-", "picture"), (b"%!PS", "picture"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls"), (b"SQLite format 3\x00", "database"), (b"{\\rtf", "document"),
    (b"\x1f\x8b", "npy.gz"), (b"BZh", "npy.gz"), (b"\xfd7zXZ\x00", "npy.gz"), (b"\x28\xb5\x2f\xfd", "npy.gz"),
    (b"7z\xbc\xaf\x27\x1c", "archive"), (b"Rar!\x1a\x07", "archive"), (b"RDX2\n", "rds"), (b"RDX3\n", "rds"),
)  # fmt: skip
_ENDINGS: Mapping[str, str] = {
    ".pt": "torch", ".pth": "torch", ".ckpt": "torch", ".pkl": "pickle", ".pickle": "pickle", ".joblib": "joblib",
    ".h5": "hdf5", ".hdf5": "hdf5", ".onnx": "onnx", ".parquet": "parquet", ".feather": "feather", ".gguf": "gguf",
    ".rds": "rds", ".rda": "rds", ".xls": "xls", ".xlsb": "ods", ".ods": "ods", ".numbers": "ods",
    ".png": "picture", ".jpg": "picture", ".jpeg": "picture", ".gif": "picture", ".webp": "picture",
    ".bmp": "picture", ".pdf": "picture", ".svg": "picture", ".docx": "document", ".pptx": "document",
}  # fmt: skip
# These endings are also given to text, which may well be read.
_IF_BINARY: Mapping[str, str] = {".bin": "torch", ".mat": "mat"}
_SVG = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,500}?-->\s*)?(?:<!DOCTYPE svg[^>]{0,300}>\s*)?<svg\b", re.DOTALL
)


def refuse(data: bytes, file: str = "") -> None:
    """Raise what to do instead for a kind of file that is not read, known by its content or else its ending.

    Call it after the readers have been asked whether a file is theirs.
    """
    kind = _kind_of_content(data) or _kind_of_name(data, file)
    if not kind:
        return
    name = PurePath(file).name
    what, hint = KINDS[kind]
    shown = name if re.fullmatch(r"[\w.-]{1,60}", name) else "FILE"
    raise ExplorerError(f"{what}: it is not read here", hint.replace("{file}", shown))


def _kind_of_content(data: bytes) -> str:
    for start, kind in _STARTS:
        if data.startswith(start):
            return kind
    if data[:1] == b"\x80" and data[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        return "torch" if b"torch" in data[:4096] else "pickle"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "picture"
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return "picture"
    if data[257:262] == b"ustar":
        return "archive"
    if data.startswith(zip_members.MAGIC):
        return _kind_of_zip(zip_members.names_in(data))
    return "picture" if _SVG.match(data[:2000].removeprefix(b"\xef\xbb\xbf")) else ""


def _kind_of_zip(names: tuple[str, ...]) -> str:
    """What a zip file is by its members; nothing for .npz and .xlsx, which are read."""
    if not names:
        return "damaged"
    if any(name.endswith(".npy") for name in names) or "xl/workbook.xml" in names:
        return ""
    if any(name.endswith("data.pkl") for name in names):
        return "torch"
    if {"content.xml", "xl/workbook.bin"} & {*names} or any(name.startswith("Index/") for name in names):
        return "ods"
    if any(name.startswith(("word/", "ppt/")) for name in names):
        return "document"
    return "archive"


def _kind_of_name(data: bytes, file: str) -> str:
    ending = PurePath(file).suffix.lower()
    if ending in _IF_BINARY and b"\0" in data[:4096]:
        return _IF_BINARY[ending]
    return _ENDINGS.get(ending, "")
