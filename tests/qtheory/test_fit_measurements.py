"""Reading measurements: both layouts, and every fault named by file, line and column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.profiles.measurements import VIDUR_OPERATIONS, read


def write(folder: Path, text: str, name: str = "m.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def vidur(
    folder: Path, rows: list[tuple[int, int, float]], name: str = "a100_meta-llama_Llama-2-7b-hf.mlp.csv"
) -> Path:
    """A file in Vidur's layout: for each (tokens, workers, milliseconds) every operation takes that long."""
    header = [f"time_stats.{op}.median" for op in VIDUR_OPERATIONS] + ["num_tokens", "num_tensor_parallel_workers"]
    lines = [",".join(header)]
    lines += [",".join([*[repr(ms)] * len(VIDUR_OPERATIONS), str(n), str(w)]) for n, w, ms in rows]
    return write(folder, "\n".join(lines) + "\n", name)


def test_plain_file_with_every_column(tmp_path: Path) -> None:
    text = "tokens,seconds,kind,resident_tokens,decode_ratio,comment\n8,0.02,prefill,100,0,a\n9,0.03,decode,200,0.5,b\n"
    data = read(write(tmp_path, text))
    assert data.seconds.tolist() == [0.02, 0.03]
    assert {name: column.tolist() for name, column in data.columns.items()} == {
        "tokens": [8, 9],
        "decode": [0, 1],
        "resident_tokens": [100, 200],
        "decode_ratio": [0, 0.5],
    }


def test_repeated_counts_are_repeats(tmp_path: Path) -> None:
    data = read(write(tmp_path, "tokens,seconds\n8,0.02\n8,0.021\n\n8,0.022\n"))
    assert data.columns["tokens"].tolist() == [8, 8, 8]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "m.csv: empty file"),
        ("\n\n", "m.csv: empty file"),
        ("tokens,seconds\n", "m.csv:1: a header and no rows"),
        ("tokens,seconds\n8,0.02\n9,\n", "m.csv:3: column 'seconds': empty cell"),
        ("tokens,seconds\n8,0.02\n9\n", "m.csv:3: 1 cells, the header has 2"),
        ("tokens,seconds\n8,0.02\n9,0\n", "m.csv:3: column 'seconds': 0 is not positive"),
        ("tokens,seconds\n8,0.02\n9,-0.1\n", "m.csv:3: column 'seconds': -0.1 is not positive"),
        ("tokens,seconds\n0,0.02\n", "m.csv:2: column 'tokens': 0 is not positive"),
        ("tokens,seconds\n8,abc\n", "m.csv:2: column 'seconds': 'abc' is not a number"),
        ("tokens,seconds\n8,nan\n", "m.csv:2: column 'seconds': nan is not a finite number"),
        ("tokens,seconds\n8,inf\n", "m.csv:2: column 'seconds': inf is not a finite number"),
        ("tokens,seconds\n1e300,0.1\n", "m.csv:2: column 'tokens': 1e300 is beyond any measurement"),
        ("tokens,seconds\n8,1e-300\n", "m.csv:2: column 'seconds': 1e-300 is beyond any measurement"),
        ("tokens,seconds\n8,0.02\n9,0.03\n8,0.02\n", "m.csv:4: the same in every cell as line 2"),
        ("tokens,seconds,tokens\n8,0.02,8\n", "m.csv:1: column 'tokens' appears twice"),
        ("tokens,ms\n8,20\n", "m.csv: no column 'seconds'; it has tokens, ms"),
        ("count,seconds\n8,20\n", "m.csv: no column of a law's variable"),
        ("decode_ratio,seconds\n1.5,0.1\n", "m.csv:2: column 'decode_ratio': 1.5 is not a share"),
        ("tokens,seconds,kind\n8,0.1,mixed\n", "m.csv:2: column 'kind': 'mixed' is neither prefill nor decode"),
        ('tokens,seconds\n8,"0.1\n', "m.csv:2: not CSV"),
    ],
)
def test_faults_are_named_by_line_and_column(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(write(tmp_path, text))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path)
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00tokens")
    with pytest.raises(InputError, match="cannot be read as UTF-8"):
        read(tmp_path / "binary.csv")


def test_vidur_layout_adds_layers_and_operations(tmp_path: Path) -> None:
    path = vidur(tmp_path, [(8, 1, 0.1), (8, 2, 0.06), (16, 2, 0.07)])
    data = read(path, workers=2)
    assert data.columns["tokens"].tolist() == [8, 16]
    # 32 layers of Llama-2-7b, 9 operations, milliseconds to seconds
    assert data.seconds == pytest.approx(np.array([0.06, 0.07]) * 32 * len(VIDUR_OPERATIONS) / 1000)
    assert (data.gpu, data.model, data.tensor_parallel) == ("A100", "Llama-2-7b-hf", 2)
    assert "attention" in data.leaves_out
    assert read(path, workers=2, layers=16).seconds == pytest.approx(data.seconds / 2)


def test_vidur_faults(tmp_path: Path) -> None:
    path = vidur(tmp_path, [(8, 1, 0.1), (8, 2, 0.06)])
    with pytest.raises(InputError, match="measured with 1, 2 GPUs; say which with --workers"):
        read(path)
    with pytest.raises(InputError, match="no row with 4 GPUs; it has 1, 2"):
        read(path, workers=4)
    with pytest.raises(InputError, match="layers = 0"):
        read(path, workers=1, layers=0)
    with pytest.raises(UnknownNameError, match="Llama-2-7b-hf"):
        read(vidur(tmp_path, [(8, 1, 0.1)], "a100_meta-llama_Llama-2-8b-hf.mlp.csv"))
    with pytest.raises(InputError, match="give --layers"):
        read(vidur(tmp_path, [(8, 1, 0.1)], "times.csv"))
    with pytest.raises(InputError, match=r"mlp.csv:3: column 'time_stats.input_layernorm.median': 0.0 is not positive"):
        read(vidur(tmp_path, [(8, 1, 0.1), (16, 1, 0.0)]))
    with pytest.raises(InputError, match="without column 'num_tensor_parallel_workers'"):
        read(write(tmp_path, "num_tokens,time_stats.add.median\n8,0.1\n"))
    with pytest.raises(InputError, match="workers is for files in Vidur's layout"):
        read(write(tmp_path, "tokens,seconds\n8,0.1\n"), workers=2)


def test_choosing_rows(tmp_path: Path) -> None:
    data = read(write(tmp_path, "tokens,seconds\n" + "".join(f"{n},{n / 100}\n" for n in range(1, 11))))
    assert data.tokens_between(most=4).columns["tokens"].tolist() == [1, 2, 3, 4]
    split = data.phases_split_at(3, 8)
    assert split.columns["tokens"].tolist() == [1, 2, 3, 8, 9, 10]
    assert split.columns["decode"].tolist() == [1, 1, 1, 0, 0, 0]
    assert "decode" not in data.columns
    for call in (
        lambda: data.tokens_between(most=0.5),
        lambda: data.phases_split_at(8, 3),
        lambda: data.phases_split_at(0.5, 3),
        lambda: data.phases_split_at(3, 100),
    ):
        with pytest.raises(InputError):
            call()
