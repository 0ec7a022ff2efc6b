"""Reading measurements: both layouts, and every fault named by file, line and column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.profiles.measurements import VIDUR_OPERATIONS, read, read_sets


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
    data = read(write(tmp_path, "tokens,seconds\n8,0.02\n8,0.021\n\n8,0.02\n"))
    assert data.columns["tokens"].tolist() == [8, 8, 8]
    assert data.seconds.tolist() == [0.02, 0.021, 0.02]  # a clock that rounds says the same twice


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
        ("tokens,seconds,tokens\n8,0.02,8\n", "m.csv:1: column 'tokens' appears twice"),
        ("tokens,ms\n8,20\n", "m.csv: no column 'seconds'; it has tokens, ms"),
        ("count,seconds\n8,20\n", "m.csv: no column of a law's variable"),
        ("decode_ratio,seconds\n1.5,0.1\n", "m.csv:2: column 'decode_ratio': 1.5 is not a share"),
        ("tokens,seconds,kind\n8,0.1,both\n", "m.csv:2: column 'kind': 'both' is none of prefill, decode and mixed"),
        ("tokens,seconds\n8,20 ms\n", "m.csv:2: column 'seconds': '20 ms' carries the unit 'ms'; plain numbers"),
        ("# gpu: A\n\ntokens,seconds\n8,0.02\n9,\n", "m.csv:5: column 'seconds': empty cell"),
        # a file in seconds with rows in milliseconds: repeats, neighbours, one phase of two, the second half
        ("tokens,seconds\n8,0.02\n8,21\n", "m.csv:3: column 'seconds': 21 beside 0.02 in line 2 (tokens 8"),
        ("tokens,seconds\n8,0.02\n16,0.02\n12,20.5\n", "m.csv:4: column 'seconds': 20.5 beside 0.02 in line 3"),
        ("tokens,seconds,kind\n8,0.02,decode\n8,30,prefill\n9,20,decode\n", "m.csv:2: column 'seconds': 0.02 beside"),
        ("resident_tokens,seconds\n100,0.02\n200,0.02\n300,21\n", "m.csv:4: column 'seconds': 21 beside 0.02 in"),
        ("tokens,seconds\n8,20\n64,30\n128,0.04\n", "m.csv:4: column 'seconds': 0.04 beside 30 in line 3"),
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


MEASURED = """# qtheory: 0.1.0
# gpu: H200
# model: Qwen3-4B
# leaves_out: scheduling; network
# skipped: series decode, 999 decode requests: out of memory
series,kind,tokens,seconds,repeat,comment
decode,decode,8,0.020,0,a
decode,decode,8,0.050,1,b
mixed-64,mixed,8,0.030,0,c
decode,decode,16,0.024,0,d
decode,decode,8,0.022,2,e
prefill,prefill,8,0.040,0,f
"""


def test_a_measured_file_is_read_by_series_and_medians(tmp_path: Path) -> None:
    path = write(tmp_path, MEASURED)
    data = read(path, series=["decode"])
    assert data.columns["tokens"].tolist() == [8, 16] and data.seconds.tolist() == [0.022, 0.024]
    assert (data.gpu, data.model, data.leaves_out) == ("H200", "Qwen3-4B", ("scheduling", "network"))
    assert data.provenance["qtheory"] == "0.1.0"
    assert read(path, series=["decode", "prefill"]).columns["decode"].tolist() == [1, 1, 0]
    assert "decode" not in read(path, series=["decode", "mixed-64"]).columns
    found = read_sets(path)
    assert [one.seconds.tolist() for one in found] == [[0.022, 0.024], [0.03], [0.04], [0.022, 0.024, 0.04]]
    assert found[-1].series == ("prefill", "decode") and found[-1].columns["decode"].tolist() == [1, 1, 0]
    with pytest.raises(InputError, match="several series: decode, mixed-64, prefill; say which with --series"):
        read(path)
    with pytest.raises(UnknownNameError, match="nearest: decode"):
        read(path, series=["decod"])
    with pytest.raises(InputError, match="no column 'series'"):
        read(write(tmp_path, "tokens,seconds\n8,0.1\n", "plain.csv"), series=["decode"])


def test_every_set_of_a_file(tmp_path: Path) -> None:
    path = vidur(tmp_path, [(8, 1, 0.1), (8, 2, 0.06), (16, 2, 0.07)])
    assert [one.tensor_parallel for one in read_sets(path)] == [1, 2]
    assert [one.tensor_parallel for one in read_sets(path, [2])] == [2]
    with pytest.raises(InputError, match="series are of files that qtheory measured"):
        read(path, series=["decode"])


def test_steep_but_possible_times_are_no_mixed_units(tmp_path: Path) -> None:
    rows = [(1, 0.001), (64, 0.02), (4096, 1.5), (131072, 900.0)]  # attention's square
    data = read(write(tmp_path, "tokens,seconds\n" + "".join(f"{n},{t}\n" for n, t in rows)))
    assert data.seconds.tolist() == [t for _, t in rows]


def test_vidur_layout_adds_layers_and_operations(tmp_path: Path) -> None:
    path = vidur(tmp_path, [(8, 1, 0.1), (8, 2, 0.06), (16, 2, 0.07)])
    data = read(path, workers=2)
    assert data.columns["tokens"].tolist() == [8, 16]
    # 32 layers of Llama-2-7b, 9 operations, milliseconds to seconds
    assert data.seconds == pytest.approx(np.array([0.06, 0.07]) * 32 * 9 / 1000)
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
