"""Which kind a file is of, by its content alone, and what is said of one that is not read."""

import bz2
import gzip
import io
import lzma
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tco.readings import recognition
from tco.readings.other_kinds import OTHER_KINDS, other_kind
from tco.readings.reading import Asked, Kind, Reading, ReadingError, Source
from tco.readings.recognition import KINDS, READ, TEXT, NotRead, head_of, kind_of, read_all

FILES = Path(__file__).parent / "files"
FIXTURES = sorted(path for path in FILES.rglob("*") if path.is_file())

HEAD = "timestamp, index, utilization.gpu [%], power.draw [W]\n"
LOG = HEAD + "".join(f"2026/06/29 10:{n:02}:00.000, 0, 50 %, 100.00 W\n" for n in range(30))
OFFER = '[{"gpu_name": "RTX 4090", "num_gpus": 2, "dph_base": 0.6, "gpu_ram": 24564}]'


def refused(path: Path) -> ReadingError:
    with pytest.raises(ReadingError) as error:
        kind_of(path)
    return error.value


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_exactly_one_kind_takes_a_file(path: Path) -> None:
    head = head_of(path)
    assert len([kind.title for kind in KINDS if kind.recognises(head)]) == 1


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_that_is_read_is_of_no_other_kind(path: Path) -> None:
    assert other_kind(head_of(path)) is None


def test_the_kinds_have_names_of_their_own() -> None:
    titles = [kind.title for kind in KINDS]
    assert len(set(titles)) == len(titles) > 16


@pytest.mark.parametrize("name", ["log.csv", "log.txt", "export.json", "picture.png", "nothing"])
def test_the_name_of_a_file_plays_no_part(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(LOG)
    assert "nvidia-smi" in kind_of(path).title


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("before", ["", "sep=,\n"])
def test_marks_and_the_line_for_excel_do_not_hide_the_head(
    tmp_path: Path, encoding: str, before: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes((before + LOG).encode(encoding))
    assert "nvidia-smi" in kind_of(path).title


def zipped(member: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(member, "x")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "found", "next_step"),
    [
        (gzip.compress(LOG.encode()), "a file packed with gzip", "unpack it:  gunzip FILE"),
        (bz2.compress(b"x"), "a file packed with bzip2", "unpack it and give the file inside"),
        (lzma.compress(b"x"), "a file packed with xz", "unpack it and give the file inside"),
        (
            zipped("xl/workbook.xml"),
            "an Excel workbook",
            "save the sheet as CSV (CSV UTF-8) and give that",
        ),
        (zipped("log.csv"), "a file packed with zip", "unpack it and give the file inside"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100),
            "an old Excel workbook",
            "open it and save the sheet as CSV UTF-8",
        ),
        (b"%PDF-1.7\n", "a PDF", "export the numbers as CSV or JSON where the PDF comes from"),
        (
            b"\x89PNG\r\n\x1a\n",
            "a picture",
            "give the file of numbers that the picture was made from",
        ),
        (b"PAR1", "a file of Parquet", "export the table as CSV"),
    ],
    ids=["gzip", "bzip2", "xz", "xlsx", "zip", "xls", "pdf", "png", "parquet"],
)
def test_what_is_packed_or_no_text_is_named(
    tmp_path: Path, content: bytes, found: str, next_step: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    error = refused(path)
    assert (error.found, error.expected) == (f"{found}, which is not read", TEXT)
    assert error.next_step == next_step


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "an empty file"),
        (b" \r\n\t\n", "a file of blanks"),
        (b"\xef\xbb\xbf", "a file of blanks"),
        (bytes(2000), "a file of blanks"),
        (bytes(range(256)) * 9, "bytes that are no text"),
        (LOG.encode("utf-16-le"), "UTF-16 without the mark it begins with"),
        (LOG.encode("utf-16-be"), "UTF-16 without the mark it begins with"),
    ],
    ids=["empty", "blanks", "mark alone", "zeros", "binary", "utf-16-le", "utf-16-be"],
)
def test_what_holds_no_text_is_said_to(tmp_path: Path, content: bytes, found: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    error = refused(path)
    assert (error.found, error.expected) == (found, TEXT)


def test_a_file_of_no_known_kind_is_shown_by_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("\x1b[31m=cmd()" + " and so on" * 30)
    error = refused(path)
    assert str(error) == (
        f"{path}, line 1\n"
        "  found:    \\x1b[31m=cmd() and so on and so on and so o...  (of no kind that is known)\n"
        "  expected: a log of GPU use (nvidia-smi, Prometheus, sacct), a benchmark (vLLM, SGLang, "
        "GenAI-Perf,\n"
        "            llama-bench), an export of API use (OpenAI, Anthropic, LiteLLM, OpenRouter), "
        "or prices\n"
        "            (Vast.ai, SkyPilot, LiteLLM, OpenRouter, ECB)\n"
        "  next:     give the file as the program wrote it, with its first lines"
    )


def test_a_name_that_is_no_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "no.csv").found == "No such file or directory"
    assert refused(tmp_path).found == "a folder"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refused(pipe).found == "no ordinary file (a pipe or a device)"
    with pytest.raises(ReadingError):
        kind_of(Path("a\0b"))


def test_at_most_64_kilobytes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(LOG.encode() + b"2026/06/29 11:00:00.000, 0, 50 %, 100.00 W\n" * 10_000)
    assert path.stat().st_size > 400_000
    assert len(head_of(path).text) == 64 * 1024


def test_a_folder_is_read_without_what_is_hidden_or_deeper(tmp_path: Path) -> None:
    (tmp_path / "gpu.csv").write_text(LOG)
    (tmp_path / "offers.json").write_text(OFFER)
    (tmp_path / ".hidden.csv").write_text("nonsense")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "b.csv").write_text("nonsense")
    (tmp_path / "plan.yaml").write_text("# a plan\nname: a\noptions: {}\ndemand: {}\n")
    (tmp_path / "chart.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "copy.csv").write_text(LOG)
    found = read_all([tmp_path], Asked(gpu="rtx-4090"))
    assert [[source.path.name for source in reading.sources] for reading in found.readings] == [
        ["copy.csv"],
        ["offers.json"],
    ]
    assert [(left.path.name, left.why) for left in found.not_read] == [
        ("chart.png", "a picture, which is not read"),
        ("gpu.csv", f"the same content as {tmp_path / 'copy.csv'}, which is read"),
        ("plan.yaml", "a scenario, which is not read"),
    ]


def test_a_file_given_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "gpu.csv"
    path.write_text(LOG)
    found = read_all([path, path, tmp_path], Asked(gpu="rtx-4090"))
    assert [source.path for reading in found.readings for source in reading.sources] == [path]
    assert found.not_read == ()


def test_a_file_given_by_its_name_must_be_read(tmp_path: Path) -> None:
    (tmp_path / "gpu.csv").write_text(LOG)
    bad = tmp_path / "bad.csv"
    bad.write_text("nonsense")
    with pytest.raises(ReadingError):
        read_all([tmp_path / "gpu.csv", bad], Asked(gpu="rtx-4090"))
    assert len(read_all([tmp_path], Asked(gpu="rtx-4090")).readings) == 1


def test_a_folder_with_nothing_to_read_is_refused_with_the_reasons(tmp_path: Path) -> None:
    with pytest.raises(ReadingError) as error:
        read_all([tmp_path], Asked())
    assert (error.value.found, error.value.next_step) == ("no file", "give files, or their folder")
    (tmp_path / "deeper").mkdir()
    with pytest.raises(ReadingError) as error:
        read_all([tmp_path], Asked())
    assert (error.value.found, error.value.next_step) == (
        "folders, and no file",
        f"give the folders in it:  {tmp_path}/*",
    )
    for n in range(7):
        (tmp_path / f"{n}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes([n]))
    with pytest.raises(ReadingError) as error:
        read_all([tmp_path], Asked())
    assert error.value.found == (
        "".join(f"{n}.png: a picture, which is not read; " for n in range(5)) + "and 2 more"
    )
    assert error.value.expected == READ


def kind(title: str, sign: str, faulty: str = "never") -> Kind:
    """A kind of files that begin with a sign; one that holds the faulty text is refused."""

    def read(paths: Sequence[Path], asked: Asked) -> Reading:
        for path in paths:
            if faulty in path.read_text():
                raise ReadingError(str(path), 3, "power", "fast", "a number", "mend it")
        return Reading(title, tuple(map(Source.of, paths)), len(paths))

    return Kind(title, lambda head: head.text.startswith(sign), read)


def test_a_faulty_file_of_a_folder_is_left_out_of_its_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognition, "KINDS", (kind("a log", "log", faulty="broken"),))
    for name, text in (("a", "log 1"), ("b", "log 2 broken"), ("c", "log 3")):
        (tmp_path / name).write_text(text)
    found = read_all([tmp_path], Asked())
    assert [source.path.name for source in found.readings[0].sources] == ["a", "c"]
    assert found.not_read == (
        NotRead(tmp_path / "b", "line 3: fast; expected: a number", "mend it"),
    )
    with pytest.raises(ReadingError):
        read_all([tmp_path, tmp_path / "b"], Asked())


@pytest.mark.parametrize(
    ("failure", "found"),
    [
        (OSError(5, "Input/output error"), "Input/output error"),
        (MemoryError(), "more than fits into memory (0 MB)"),
    ],
)
def test_what_the_machine_refuses_is_an_error_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception, found: str
) -> None:
    def read(paths: object, asked: object) -> Reading:
        raise failure

    monkeypatch.setattr(recognition, "KINDS", (Kind("a log", lambda head: True, read),))
    path = tmp_path / "a"
    path.write_text("log")
    with pytest.raises(ReadingError) as error:
        read_all([path], Asked())
    assert (error.value.file, error.value.found) == (str(path), found)


def test_files_of_one_reader_are_read_together_in_the_order_of_the_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = kind("usage", "u")
    costs = Kind("costs", lambda head: head.text.startswith("c"), usage.read)
    prices = kind("prices", "p")
    monkeypatch.setattr(recognition, "KINDS", (prices, usage, costs))
    paths = [tmp_path / name for name in ("u1", "p", "c", "u2")]
    for path in paths:
        path.write_text(path.name)
    found = read_all(paths, Asked())
    assert [(r.kind, [s.path.name for s in r.sources]) for r in found.readings] == [
        ("prices", ["p"]),
        ("usage", ["u1", "c", "u2"]),
    ]


# ------------------------------------------------------- kinds that are known and not read

OTHERS = {
    "a scenario": "# yaml-language-server: x\nname: A\n\ndemand: {output_tokens: 50 M}\n",
    "a result of tco": '{"schema": "tco-result/1", "scenario": {}, "conventions": {}}',
    "the table that nvidia-smi prints, a look at one moment": (
        "Mon Jun 29 10:00:00 2026\n+------+\n"
        "| NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4 |\n"
    ),
    "the full query of nvidia-smi (-q), a look at one moment": (
        "\n==============NVSMI LOG==============\n\nTimestamp : Mon Jun 29 10:00:00 2026\n"
    ),
    "the list of GPUs of nvidia-smi (-L)": "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1234)\n",
    "the processes of nvidia-smi pmon": (
        "# gpu        pid  type    sm   mem   enc   dec   command\n"
        "# Idx          #   C/G     %     %     %     %   name\n    0   1234     C    45    20\n"
    ),
    "a log of dcgmi dmon": "#Entity   GPUTL  POWER\nID\nGPU 0     45     210.3\n",
    "metrics of AMD GPUs (amd-smi)": (
        "timestamp,gpu,gfx_activity,umc_activity,socket_power,power_management\n"
        "1782727200,0,100,12,420,ENABLED\n"
    ),
    "metrics of AMD GPUs (rocm-smi)": "device,GPU use (%),Average Power (W)\ncard0,45,210\n",
    "metrics as an exporter serves them, of one moment": (
        '# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization.\nDCGM_FI_DEV_GPU_UTIL{gpu="0"} 45\n'
    ),
    "energy measured by Zeus": "start_time,window_name,elapsed_time,gpu0_energy\n1,a,5.0,326.9\n",
    "emissions estimated by CodeCarbon": (
        "timestamp,project_name,duration,emissions,gpu_power,energy_consumed\n"
        "2026-06-29T10:00:00,a,3600,0.1,210,0.3\n"
    ),
    "a report of Slurm (sreport), whose unit depends on its option -t": (
        "--------\nCluster Utilization 2026-05-01T00:00:00 - 2026-05-31T23:59:59\n"
        "Usage reported in TRES Hours/Percentage of Total\n--------\n"
        "Cluster|TRES Name|Allocated|Down\nc1|gres/gpu|8866(57.06%)|0(0.00%)\n"
    ),
    "results of InferenceX (InferenceMAX)": (
        "hw,conc,model,framework,isl,osl,tp,tput_per_gpu,output_tput_per_gpu\n"
        "h200,16,dsr1,sglang,1024,1024,8,900.1,450.2\n"
    ),
    "a summary of MLPerf": (
        "=====\nMLPerf Results Summary\n=====\nSUT name : PySUT\nScenario : Server\n"
        "Completed tokens per second: 24593.77\nResult is : VALID\n"
    ),
    "records of AIPerf, one for each request": (
        '{"metadata": {"session_num": 1}, "metrics": {"request_latency": '
        '{"value": 900.1, "unit": "ms"}}}\n'
    ),
    "what a benchmark prints on the screen": (
        "============ Serving Benchmark Result ============\nSuccessful requests: 1000\n"
    ),
    "a log of a vLLM server": (
        "INFO 06-29 10:00:00 loggers.py:1] Engine 000: Avg prompt throughput: 12.0 tokens/s, "
        "Avg generation throughput: 450.1 tokens/s\n"
    ),
    "a bill in the FOCUS format": (
        '"AvailabilityZone","BilledCost","BillingCurrency","ChargeCategory","EffectiveCost"\n'
        '"NULL","1.5","USD","Usage","1.5"\n'
    ),
    "a catalogue of gpuhunt": (
        "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size\n"
        "a,eu,2.95,16,200,1,H100,80,False,\n"
    ),
    "prices of RunPod": (
        '{"data": {"gpuTypes": [{"id": "NVIDIA A40", "securePrice": 0.49, "memoryInGb": 48}]}}'
    ),
    "the price list genai-prices": (
        '[{"id": "openai", "models": [{"id": "gpt-5", "prices": {"input_mtok": 1.25}}]}]'
    ),
    "a price list of AWS": (
        '{"formatVersion": "v1.0", "offerCode": "AmazonEC2", "publicationDate": "2026-06-29"}'
    ),
    "costs of Kubernetes (Kubecost, OpenCost)": (
        '{"code": 200, "data": [{"a": {"cpuCost": 0.1, "gpuCost": 2.0, "ramCost": 0.2}}]}'
    ),
    "an electricity tariff of OpenEI": (
        '{"items": [{"energyratestructure": [[{"rate": 0.07531, "adj": 0.0119}]]}]}'
    ),
    "electricity prices of the EIA": (
        '{"response": {"data": [{"period": "2026-05", "sectorid": "COM", "price": "13.1"}]}}'
    ),
    "a web page": "<!DOCTYPE html>\n<html><head><title>Usage</title></head></html>\n",
    "a pointer of Git LFS, not the file itself": (
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    ),
    "a file of XML": '<?xml version="1.0"?>\n<a/>\n',
    "an answer with an error": '{"error": {"message": "Incorrect API key provided"}}',
}


def test_every_other_kind_has_a_file_here() -> None:
    assert [other.title for other in OTHER_KINDS] == list(OTHERS)


@pytest.mark.parametrize("title", OTHERS)
def test_another_kind_is_named_with_what_to_give_instead(tmp_path: Path, title: str) -> None:
    path = tmp_path / "a"
    path.write_text(OTHERS[title])
    instead = next(other.instead for other in OTHER_KINDS if other.title == title)
    error = refused(path)
    assert error.found == f"{title}, which is not read"
    assert (error.expected, error.next_step) == (READ, instead)


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\nRun it:\n\n```yaml\nname: a\noptions:\n  a: {}\n```\n",
        "name,options\na,b\n",
        '{"options": 1}',
        "Meeting\nagenda: prices\n",
    ],
)
def test_a_text_that_shows_a_scenario_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a"
    path.write_text(text)
    assert refused(path).found.endswith("(of no kind that is known)")


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_last_row_without_an_end_may_be_cut_off_within_a_number(tmp_path: Path, end: str) -> None:
    file = tmp_path / "eurofxref.csv"
    file.write_bytes(f"Date, USD, CNY\n13 April 2026, 1.1684, 7.98{end}".encode())
    (reading,) = read_all([file], Asked()).readings
    told = (
        "eurofxref.csv: its last row has no end of line; if the file was cut off, the last number "
        "is too: compare it with where it came from"
    )
    assert (told in reading.warnings) == (end == "")


def test_a_readme_that_begins_with_a_name_is_no_log_of_dmon(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text("# gpu-tools: what they are\n\nSome text.\n")
    with pytest.raises(ReadingError) as refused:
        read_all([file], Asked())
    assert refused.value.found.endswith("(of no kind that is known)")


def test_json_of_no_known_kind_is_told_by_its_keys(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('[\n {\n  "width": 1,\n  "colour": "red"\n }\n]\n')
    with pytest.raises(ReadingError) as refused:
        read_all([file], Asked())
    assert refused.value.found == ("JSON with the keys colour, width  (of no kind that is known)")
