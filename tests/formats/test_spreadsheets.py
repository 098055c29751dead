"""Numbers out of .xlsx workbooks, and the workbooks that are refused."""

import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.formats.arrays.spreadsheets import is_spreadsheet, read_spreadsheet
from tests.formats.mutations import damaged, holds, refusal

SAMPLES = Path(__file__).parent.parent / "samples"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def workbook(sheets, texts="", styles="", target="worksheets/sheet{}.xml", method=zipfile.ZIP_DEFLATED):
    """A workbook as small as it can be; ``sheets`` are the rows as XML by title."""
    listed = "".join(
        f'<sheet name={quoteattr(title)} sheetId="{i}" r:id="rId{i}"/>' for i, title in enumerate(sheets, 1)
    )
    links = "".join(f'<Relationship Id="rId{i}" Target="{target.format(i)}"/>' for i in range(1, len(sheets) + 1))
    members = {
        "xl/workbook.xml": f"<workbook {MAIN} {LINKS}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships>{links}</Relationships>",
        "xl/sharedStrings.xml": f"<sst {MAIN}>{texts}</sst>",
        "xl/styles.xml": f"<styleSheet {MAIN}>{styles}</styleSheet>",
    }
    for i, rows in enumerate(sheets.values(), 1):
        members[f"xl/worksheets/sheet{i}.xml"] = (
            rows if rows.startswith("<?") else f"<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>"
        )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def cells(*rows):
    """Rows of numbers, from A1 on."""
    return "".join(
        f'<row r="{i}">' + "".join(f'<c r="{chr(64 + j)}{i}"><v>{v}</v></c>' for j, v in enumerate(row, 1)) + "</row>"
        for i, row in enumerate(rows, 1)
    )


def values(rows, **parts):
    return read_spreadsheet(workbook({"Sheet1": rows}, **parts)).values.tolist()


def error(rows, **parts):
    return refusal(read_spreadsheet, workbook({"Sheet1": rows}, **parts))


STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/>'
    '<numFmt numFmtId="166" formatCode="[Red]0.00_m"/><numFmt numFmtId="167" formatCode="[h]:mm"/></numFmts>'
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
    "<cellXfs>" + "".join(f'<xf numFmtId="{key}"/>' for key in (0, 14, 164, 165, 166, 167, 9, 12)) + "</cellXfs>"
)
SEEDS = [
    workbook({"Q": cells([1, 2]), "K": cells([3, 4.5])}, styles=STYLES, method=zipfile.ZIP_STORED),
    workbook({"S": '<row><c t="s"><v>0</v></c><c s="1"><v>3</v></c></row>'}, "<si><t>a</t></si>", STYLES),
]


def test_labels_around_the_numbers():
    made = read_spreadsheet((SAMPLES / "labels.xlsx").read_bytes())
    assert (made.kind, made.values.tolist()) == ("matrix", [[0.7, 0.3], [0.1, 0.9]])
    assert (made.row_labels, made.column_labels) == (("I", "am"), ("Je", "suis"))


def test_a_date_is_named_and_never_its_number():
    assert "sheet 'Sheet1', row 1, column 1 is a date" in refusal(
        read_spreadsheet, (SAMPLES / "date.xlsx").read_bytes()
    )
    for style in (1, 2, 5):
        assert "is a date" in error(f'<row><c s="{style}"><v>45323</v></c></row>', styles=STYLES)
    for style in (0, 3, 4, 6, 7, 99):
        assert values(f'<row><c s="{style}"><v>45323</v></c></row>', styles=STYLES) == [[45323]]
    assert "is a date" in error('<row><c t="d"><v>2024-01-02</v></c></row>')


@settings(max_examples=100)
@given(st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2), min_size=1))
def test_numbers_are_read_exactly(rows):
    assert values(cells(*rows)) == rows


def test_numbers_beside_decimal_commas_stay_what_they_are():
    rows = '<row><c><v>1.234</v></c><c t="inlineStr"><is><t>0,7</t></is></c></row>'
    assert values(rows) == [[1.234, 0.7]]


def test_every_kind_of_cell():
    rows = (
        '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" t="str"><f>A2</f><v>1/3</v></c></row>'
        '<row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c t="inlineStr"><is><r><t>1</t></r><r><t>/2</t></r></is></c></row>'
    )
    made = read_spreadsheet(workbook({"S": rows}, "<si><t>x</t></si><si><t>5</t><rPh><t>9</t></rPh></si>"))
    assert made.values.tolist() == [[5, 1 / 3], [2, 0.5]]
    assert made.texts.tolist() == [[None, "1/3"], [None, "1/2"]]
    assert read_spreadsheet(workbook({"S": '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c></row>'})).kind == "mask"


def test_texts_alone_are_read_too():
    assert values('<row><c t="inlineStr"><is><t>0,7</t></is></c><c t="inlineStr"><is><t>0,3</t></is></c></row>') == [
        [0.7, 0.3]
    ]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ('<row><c><v>1</v></c><c t="e"><v>#DIV/0!</v></c></row>', "row 1, column 2: '#DIV/0!' is not a number"),
        ("<row><c><f>1/3</f></c></row>", "row 1, column 1: a formula without a value"),
        ('<row r="3"><c r="C3"><v>1</v></c></row><row r="4"><c r="C4" t="str"><v>n/a</v></c></row>', "row 4, column 3"),
        ('<row><c r="A1"><v>1</v></c><c r="C1"><v>1</v></c></row>', "row 1, column 2 is empty"),
        ('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', "1048576 x 16384 cells are too many"),
        ('<row r="1048577"><c><v>1</v></c></row>', "row 1048577, column 1"),
        ('<row><c r="ZZZ1"><v>1</v></c></row>', "column 18278"),
        ('<row><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>', "row 1, column 1 cannot stand"),
        ("<row><c><v>1e400</v></c></row>", "1e400"),
        ("<row><c><v>abc</v></c></row>", "damaged"),
        ('<row><c t="s"><v>7</v></c><c><v>1</v></c></row>', "damaged"),
        ("<row><c><v>1</v>", "damaged"),
        ("", "no sheet has numbers"),
    ],
)
def test_what_is_wrong_is_named(rows, words):
    assert words in error(rows)


def test_sheets_with_our_names_are_read_together():
    made = read_spreadsheet(workbook({"Q": cells([1, 0]), "K": cells([2, 3]), "notes": cells([1])}))
    assert (made.kind, list(made.matrices)) == ("named", ["Q", "K"])
    assert made.notes == ("sheets left out: 'notes'",)


def test_the_first_sheet_with_numbers_is_read():
    text = '<row><c t="inlineStr"><is><t>words</t></is></c></row>'
    made = read_spreadsheet(workbook({"cover": text, "a & b": cells([1]), "c": cells([2])}))
    assert (made.values.tolist(), made.notes) == ([[1]], ("sheet 'a & b', sheets left out: 'c'",))
    assert read_spreadsheet(workbook({"Q": cells([1])})).name == "Q"


def test_addresses_and_namespaces_as_other_programs_write_them():
    rows = '<?xml version="1.0"?><x:sheet xmlns:x="urn:x"><x:row><x:c><x:v>4</x:v></x:c></x:row></x:sheet>'
    made = read_spreadsheet(workbook({"S": rows}, target="/xl/worksheets/sheet{}.xml"))
    assert made.values.tolist() == [[4]]


def test_entities_are_refused_before_they_grow():
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "1">]><worksheet><row><c><v>&b;</v></c></row></worksheet>'
    assert "document type" in error(bomb)
    assert "document type" in error(bomb.replace("<worksheet>", "<worksheet >" + "&b;" * 9))


def test_a_large_workbook_is_refused_before_it_is_unpacked():
    data = bytearray(workbook({"S": cells([1])}))
    entry = data.index(b"PK\1\2")
    data[entry + 24 : entry + 28] = (2**27).to_bytes(4, "little")
    assert "unpacked it takes" in refusal(read_spreadsheet, bytes(data))


def test_is_known_by_its_content():
    assert is_spreadsheet((SAMPLES / "date.xlsx").read_bytes())
    assert not is_spreadsheet(b"PK\3\4")
    assert "damaged" in refusal(read_spreadsheet, b"PK\3\4")


@settings(max_examples=500)
@given(st.text('<>/="crvts 019AZ.&;\n', max_size=60) | st.binary(max_size=40).map(lambda data: data.decode("latin-1")))
def test_random_sheets_are_refused_in_one_line(rows):
    holds(read_spreadsheet, workbook({"S": rows}, method=zipfile.ZIP_STORED))
    holds(read_spreadsheet, rows.encode())


def test_damaged_files_are_read_or_refused():
    for data in damaged(SEEDS, 500):
        holds(read_spreadsheet, data)


@pytest.mark.fuzz
def test_many_damaged_files_are_read_or_refused():
    read = sum(holds(read_spreadsheet, data) is not None for data in damaged(SEEDS, 10_000, seed=2))
    assert 0 < read < 10_000
    sheet = [cells([1, 2], [3, 4]).encode(), b'<row><c t="s"><v>0</v></c><c s="1"><v>3</v></c></row>']
    for data in damaged(sheet, 10_000, seed=3):
        rows = data.decode("latin-1")
        holds(read_spreadsheet, workbook({"S": rows}, "<si><t>a</t></si>", STYLES, method=zipfile.ZIP_STORED))
