"""Exports of GenAI-Perf and AIPerf: two tables in a file, or JSON."""

import json
from pathlib import Path

import pytest

from tco.readings.benchmarks import genai_perf
from tco.readings.reading import Asked, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "genai_perf"
ON_EIGHT = Asked(gpu="h100-sxm", gpus=8)
CSV = (FILES / "profile_export.csv").read_bytes().decode()


def read(tmp_path: Path, text: str, asked: Asked = ON_EIGHT) -> Reading:
    path = tmp_path / "export.csv"
    path.write_bytes(text.encode())
    return genai_perf.read([path], asked)


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(ReadingError) as error:
        read(tmp_path, text)
    return str(error.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize("name", ["profile_export.csv", "saved_by_a_spreadsheet.csv"])
def test_the_two_tables(name: str) -> None:
    reading = genai_perf.read([FILES / name], ON_EIGHT)
    (entry,) = reading.entries
    # "10,944.00", which is 42.75 requests a second of 256 output tokens each
    assert entry.content == {
        "output_rate": {"value": 42.75 * 256},
        "gpus": 8,
        "input_length": 1024,
        "output_length": 256,
        "source": "GenAI-Perf",
    }
    assert entry.content["output_rate"] == {"value": 10_944.0}
    assert entry.shown == "10,944 tokens/s on 8 GPUs, 1,368 each"
    # 4,275 requests at 42.75 a second
    assert reading.tables[0].rows[1][4:6] == ("4,275", "100")
    assert list(reading.tables[1].rows[1])[1:3] == ["210 ms", "1.7 s"]
    assert reading.warnings == ()


def test_the_json_tells_model_and_load() -> None:
    reading = genai_perf.read([FILES / "profile_export_aiperf.json"], Asked(gpu="rtx-4090", gpus=1))
    (entry,) = reading.entries
    assert entry.content == {
        "output_rate": {"value": 5120 / 100.0},
        "gpus": 1,
        "input_length": 256,
        "output_length": 64,
        "concurrency": 2,
        "source": "Qwen/Qwen2.5-7B-Instruct, AIPerf",
    }
    assert list(reading.tables[1].rows[1])[1:] == [
        *("195 ms", "253 ms", "35 ms", "36 ms", "2.4 s", "2.44 s"),
    ]
    assert reading.warnings == ()


def test_the_length_that_the_options_ask(tmp_path: Path) -> None:
    values = json.loads((FILES / "profile_export_aiperf.json").read_text())
    values["input_config"]["input"]["prompt"]["output_tokens"]["mean"] = 512
    path = tmp_path / "export.json"
    path.write_text(json.dumps(values))
    reading = genai_perf.read([path], Asked(gpu="rtx-4090", gpus=1))
    assert reading.entries == ()
    assert reading.warnings == (
        "export.json: 64 output tokens a request produced of 512 asked, 5,120 of 40,960 in all "
        "(12.5%); let the server ignore the end of a text (--ignore-eos); not written",
    )


def test_figures_that_contradict_each_other(tmp_path: Path) -> None:
    reading = read(tmp_path, CSV.replace('"10,944.00"', '"20,944.00"'))
    assert reading.entries == ()
    assert reading.warnings == (
        "export.csv: the file says 20,944 output tokens/s, but requests a second times output "
        "tokens a request come to 10,944; not written",
    )


def test_unix_lines_and_no_first_table(tmp_path: Path) -> None:
    second = CSV.replace("\r\n", "\n").partition("\n\n")[2]
    (entry,) = read(tmp_path, second).entries
    assert entry.content == {
        "output_rate": {"value": 10_944.0},
        "gpus": 8,
        "source": "GenAI-Perf",
    }


def test_tables_of_other_things_are_passed_over(tmp_path: Path) -> None:
    telemetry = "\r\nEndpoint,GPU_Index,GPU_Name,Metric,avg\r\nlocalhost,0,H100,Power (W),612.0\r\n"
    (entry,) = read(tmp_path, CSV + telemetry).entries
    assert entry.content["output_rate"] == {"value": 10_944.0}


def test_missing_percentiles(tmp_path: Path) -> None:
    reading = read(tmp_path, CSV.replace('"1,702.31"', "N/A"))
    assert reading.tables[1].rows[1][1:3] == ["210 ms", "-"]


def test_a_number_with_commas_that_is_not_quoted(tmp_path: Path) -> None:
    assert refused(tmp_path, CSV.replace('"10,944.00"', "10,944.00")) == (
        "export.csv, line 9: Output Token Throughput (tokens/sec)\n"
        "  found:    3 cells under 2 names\n"
        "  expected: a cell for each name; a number with commas stands in quotes\n"
        "  next:     export the file again"
    )


def test_a_cell_that_is_no_number(tmp_path: Path) -> None:
    assert refused(tmp_path, CSV.replace("42.75", "fast")) == (
        "export.csv, line 10: Request Throughput (per sec)\n"
        '  found:    "fast"\n'
        "  expected: a number without a unit\n"
        "  next:     write a number such as 1234.5, or empty the cell if there is none"
    )


def test_two_ways_of_writing_numbers(tmp_path: Path) -> None:
    assert refused(tmp_path, CSV.replace("42.75", '"42,75"')) == (
        "export.csv, line 10: Request Throughput (per sec)\n"
        '  found:    "42,75" (a decimal comma), and "210.50" (a decimal point)\n'
        "  expected: one way of writing numbers in the whole file\n"
        "  next:     write them all in one way"
    )


def test_a_number_that_no_other_settles(tmp_path: Path) -> None:
    text = "Metric;Value\nOutput Token Throughput (tokens/sec);10.944\n"
    assert refused(tmp_path, text) == (
        "export.csv, line 2: Output Token Throughput (tokens/sec)\n"
        '  found:    "10.944", which can be read in two ways; no other cell of the file settles '
        "it\n"
        "  expected: a number that can be read in one way\n"
        "  next:     write 10.944 if the point begins the decimals, 10944 if it separates thousands"
    )


def test_no_output_rate(tmp_path: Path) -> None:
    text = "Metric,Value\nRequest Throughput (per sec),42.75\nRequest Count (count),100.00\n"
    assert refused(tmp_path, text) == (
        "export.csv: Output Token Throughput\n"
        "  found:    none\n"
        "  expected: output tokens a second\n"
        "  next:     profile a model of text with --streaming, and give that export"
    )


def test_recognised_by_content_alone() -> None:
    for path in FILES.iterdir():
        assert genai_perf.recognises(Head(Path("any"), path.read_text(encoding="utf-8"))), path


@pytest.mark.parametrize(
    "text",
    [
        "Metric,avg,min,max\nGPU Power (W),1,2,3\n",
        "metric,value\nlatency,3\n",
        '{"output_throughput": 3, "request_throughput": 1, "completed": 3}',
        "timestamp, index, power.draw [W]\n",
    ],
)
def test_other_files_are_not_taken(text: str) -> None:
    assert not genai_perf.recognises(Head(Path("profile_export.csv"), text))
