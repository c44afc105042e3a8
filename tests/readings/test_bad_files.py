"""Files that are cut off, mixed up, packed with nonsense or meant to harm: read or refused.

Whatever a file holds, reading it ends in a reading or in a ReadingError, and what is shown of it
steers no terminal.
"""

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.errors import is_control
from tco.readings.reading import Asked, Kind, Reading, ReadingError
from tco.readings.recognition import KINDS, Files, head_of, read_all
from tco.report.columns import LINE, width
from tco.report.readings import shown

ASKED = Asked(gpu="rtx-4090", gpus=1, tensor_parallel=1)

NVIDIA_SMI = "timestamp, index, name, utilization.gpu [%], power.draw [W]\n" + "".join(
    f"2026/06/29 10:{n:02}:00.250, {n % 2}, NVIDIA GeForce RTX 4090, {n} %, {100 + n}.50 W\n"
    for n in range(12)
)
DMON = (
    "#Date       Time        gpu    pwr     sm    mem\n"
    "#YYYYMMDD   HH:MM:SS    Idx      W      %      %\n"
    + "".join(f" 20260629   10:{n:02}:00      0    {100 + n}     {n}     20\n" for n in range(12))
)
PROMETHEUS = json.dumps(
    {
        "status": "success",
        "data": {
            "resultType": "matrix",
            "result": [
                {
                    "metric": {
                        "__name__": name,
                        "UUID": "GPU-1",
                        "gpu": "0",
                        "modelName": "NVIDIA GeForce RTX 4090",
                    },
                    "values": [[1782727200 + 60 * n, str(base + n)] for n in range(6)],
                }
                for name, base in (("DCGM_FI_DEV_GPU_UTIL", 40), ("DCGM_FI_DEV_POWER_USAGE", 300))
            ],
        },
    },
    indent=1,
)
SACCT = (
    "JobIDRaw|JobName|State|Start|End|ElapsedRaw|AllocTRES\n"
    "1|train|COMPLETED|2026-06-01T00:00:00|2026-06-01T02:00:00|7200|billing=8,cpu=8,gres/gpu=2\n"
    "1.batch|batch|COMPLETED|2026-06-01T00:00:00|2026-06-01T02:00:00|7200|cpu=8,gres/gpu=2\n"
    "2|a|b|CANCELLED by 5|2026-06-02T00:00:00|2026-06-02T01:00:00|3600|cpu=8,gres/gpu:h200=1\n"
    "3|eval|FAILED|2026-06-03T00:00:00|2026-06-03T00:30:00|1800|cpu=8,gres/gpu=1\n"
)
VLLM = json.dumps(
    {
        "date": "20260318-154232",
        "model_id": "meta-llama/Llama-3.1-8B",
        "num_prompts": 100,
        "request_rate": "inf",
        "max_concurrency": 16,
        "duration": 100.0,
        "completed": 100,
        "total_input_tokens": 102400,
        "total_output_tokens": 12800,
        "request_throughput": 1.0,
        "output_throughput": 128.0,
        "total_token_throughput": 1152.0,
        "mean_ttft_ms": 120.0,
        "mean_tpot_ms": 12.0,
    },
    indent=1,
)
SGLANG = "".join(
    json.dumps(
        {
            "backend": "sglang",
            "completed": 100,
            "duration": 100.0,
            "max_concurrency": n,
            "total_input_tokens": 102400,
            "total_output_tokens": 12800,
            "request_throughput": 1.0,
            "input_throughput": 1024.0,
            "output_throughput": 128.0,
            "total_throughput": 1152.0,
            "mean_e2e_latency_ms": 2000.0,
        }
    )
    + "\n"
    for n in (8, 16)
)
GENAI_PERF = (
    "Metric,avg,min,max,p99\r\nTime To First Token (ms),120.00,90.00,150.00,149.00\r\n"
    "Output Sequence Length (tokens),128.00,128.00,128.00,128.00\r\n"
    'Input Sequence Length (tokens),"1,024.00",1024.00,1024.00,1024.00\r\n\r\n'
    "Metric,Value\r\nOutput Token Throughput (tokens/sec),256.00\r\n"
    "Request Throughput (requests/sec),2.00\r\nRequest Count (count),400.00\r\n"
)
LLAMA_BENCH = (
    "build_commit,gpu_info,model_type,n_prompt,n_gen,avg_ns,avg_ts,stddev_ts\n"
    '"a1b2","NVIDIA GeForce RTX 4090","llama 8B Q4_0","512","0","100000000","5120.000000","3.1"\n'
    '"a1b2","NVIDIA GeForce RTX 4090","llama 8B Q4_0","0","128","1000000000","128.000000","0.2"\n'
)
OPENAI = (
    "start_time,end_time,start_time_iso,end_time_iso,num_model_requests,model,batch,service_tier,"
    "input_tokens,output_tokens,input_cached_tokens,input_uncached_tokens\n"
    "1760054400,1760140800,2025-10-10T00:00:00+00:00,2025-10-11T00:00:00+00:00,12,"
    "gpt-5-mini-2025-08-07,FALSE,,124784.0,154852.0,0.0,124784.0\n"
    "1760140800,1760227200,2025-10-11T00:00:00+00:00,2025-10-12T00:00:00+00:00,,,,,,,,\n"
    "1760227200,1760313600,2025-10-12T00:00:00+00:00,2025-10-13T00:00:00+00:00,3,"
    "gpt-5-mini-2025-08-07,FALSE,,22688.0,33191.0,0.0,22688.0\n"
)
COSTS = (
    "start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item\n"
    "1760054400,1760140800,2025-10-10T00:00:00+00:00,2025-10-11T00:00:00+00:00,0.3409000,usd,\n"
    "1760140800,1760227200,2025-10-11T00:00:00+00:00,2025-10-12T00:00:00+00:00,,,\n"
)
ANTHROPIC = (
    "usage_date_utc,model_version,api_key,workspace,usage_type,context_window,"
    "usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,"
    "usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,"
    "web_search_count,inference_geo,speed\n"
    '2026-03-22,claude-sonnet-4-20250514,"key, one",Default,standard,≤ 200k,1000,20,0,300,50,1,x,\n'
    "2026-03-23,claude-sonnet-4-20250514,key,Default,standard,≤ 200k,2000,0,10,0,60,0,x,\n"
)
LITELLM_SPEND = "".join(
    json.dumps(
        {
            "request_id": f"r{n}",
            "call_type": "acompletion",
            "model": "anthropic/claude-sonnet-4-5",
            "spend": 0.0048,
            "prompt_tokens": 100 + n,
            "completion_tokens": 300,
            "total_tokens": 400 + n,
            "startTime": f"2026-03-28T10:0{n}:00",
            "endTime": f"2026-03-28T10:0{n}:02",
            "cache_hit": "False",
        }
    )
    + "\n"
    for n in range(5)
)
OPENROUTER = (
    "generation_id,created_at,cost_total,cost_cache,byok_usage_inference,tokens_prompt,"
    "tokens_completion,tokens_reasoning,tokens_cached,model_permaslug,provider_name,variant\n"
    "gen-1,2026-06-28 03:46:57.713,0.0123,0,0,1000,200,100,500,openai/gpt-5-mini,OpenAI,standard\n"
    "gen-2,2026-06-29 03:46:57.713,0.0223,0,0,2000,300,0,0,openai/gpt-5-mini,OpenAI,standard\n"
)
VASTAI = json.dumps(
    [
        {
            "id": n,
            "ask_contract_id": n,
            "machine_id": n,
            "host_id": n,
            "gpu_name": "RTX 4090",
            "num_gpus": 2,
            "gpu_ram": 24564,
            "dph_base": 0.6 + n / 100,
            "dph_total": 0.62 + n / 100,
            "storage_cost": 0.2,
            "storage_total_cost": 0.02,
            "min_bid": 0.4,
            "inet_up_cost": 0.01,
            "inet_down_cost": 0.01,
            "rentable": True,
            "verification": "verified",
        }
        for n in range(6)
    ],
    indent=1,
)
SKYPILOT = (
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
    "cpu-1,,0,2,8,0.05,eu,,\n"
    "gpu-h100-sxm_1gpu,H100,1,16,200,2.95,eu,\"{'Gpus': [{'Name': 'H100', 'Count': 1}]}\",1.25\n"
    "gpu-h100-sxm_8gpu,H100,8,128,1600,23.60,eu,\"{'Gpus': [{'Name': 'H100'}]}\",10.00\n"
)
LITELLM_PRICES = json.dumps(
    {
        "sample_spec": {"input_cost_per_token": "the cost of a token", "mode": "one of: chat"},
        "gpt-5-mini": {
            "input_cost_per_token": 2.5e-7,
            "output_cost_per_token": 2e-6,
            "cache_read_input_token_cost": 2.5e-8,
            "litellm_provider": "openai",
            "max_input_tokens": 272000,
            "mode": "chat",
        },
        "free": {
            "input_cost_per_token": 0,
            "output_cost_per_token": 0,
            "litellm_provider": "x",
            "mode": "chat",
        },
    },
    indent=1,
)
OPENROUTER_MODELS = json.dumps(
    {
        "data": [
            {
                "id": "openai/gpt-5-mini",
                "canonical_slug": "openai/gpt-5-mini",
                "name": "GPT-5 Mini",
                "context_length": 400000,
                "pricing": {"prompt": "0.00000025", "completion": "0.000002", "request": "0"},
            },
            {
                "id": "openrouter/auto",
                "name": "Auto",
                "context_length": 2000000,
                "pricing": {"prompt": "-1", "completion": "-1"},
            },
        ]
    },
    indent=1,
)
ECB = (
    "Date,USD,JPY,CNY,\n2026-04-13,1.1684,186.75,7.9827,\n2026-04-10,1.1700,N/A,7.9900,\n"
    "2026-04-09,1.1650,186.00,7.9700,\n"
)

GOOD = {
    "nvidia_smi": NVIDIA_SMI,
    "dmon": DMON,
    "prometheus": PROMETHEUS,
    "sacct": SACCT,
    "vllm": VLLM,
    "sglang": SGLANG,
    "genai_perf": GENAI_PERF,
    "llama_bench": LLAMA_BENCH,
    "openai": OPENAI,
    "openai_costs": COSTS,
    "anthropic": ANTHROPIC,
    "litellm_spend": LITELLM_SPEND,
    "openrouter_activity": OPENROUTER,
    "vastai": VASTAI,
    "skypilot": SKYPILOT,
    "litellm_prices": LITELLM_PRICES,
    "openrouter_models": OPENROUTER_MODELS,
    "ecb": ECB,
}
TABLES = {name: text for name, text in GOOD.items() if text.lstrip()[0] not in "{["}
JSONS = {name: text for name, text in GOOD.items() if name not in TABLES}


def seeds() -> dict[str, bytes]:
    """The files above and those of the tests of each kind."""
    files = {name: text.encode() for name, text in GOOD.items()}
    for path in sorted((Path(__file__).parent / "files").rglob("*")):
        if path.is_file() and path.stat().st_size < 20_000:
            files[f"{path.parent.name}/{path.name}"] = path.read_bytes()
    return files


SEEDS = seeds()


def kind_of_good(name: str, folder: Path) -> Kind:
    path = folder / "good"
    path.write_text(GOOD[name])
    (kind,) = (kind for kind in KINDS if kind.recognises(head_of(path)))
    return kind


def outcome(content: str | bytes, folder: Path, kind: Kind | None = None) -> Files | ReadingError:
    """What comes of a file: what was read of it, or the error; both fit for a terminal.

    Given a kind, it is read as one of that kind whether it is recognised or not.
    """
    path = folder / "a"
    path.write_bytes(
        content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    )
    try:
        found = read_all([path], ASKED) if kind is None else Files((kind.read([path], ASKED),), ())
    except ReadingError as error:
        return complete(error, path)
    for reading in found.readings:
        plausible(reading)
    screen = shown(found.readings, not_read=found.not_read)
    told(screen)
    assert all(width(line) <= LINE for line in screen.splitlines())
    return found


def complete(error: ReadingError, path: Path) -> ReadingError:
    assert error.file == str(path)
    assert error.found
    assert error.expected
    assert error.next_step
    assert error.line is None or error.line >= 1
    told(str(error))
    return error


def told(text: str) -> None:
    assert not any(is_control(character) for character in text if character != "\n")


def plausible(reading: Reading) -> None:
    """Numbers that can stand in a scenario: finite, and no less than nothing."""

    def numbers(value: object) -> Iterator[float]:
        if isinstance(value, dict):
            for part in value.values():
                yield from numbers(part)
        elif isinstance(value, (list, tuple)):
            for part in value:
                yield from numbers(part)
        elif isinstance(value, (int, float)):
            yield value

    assert reading.used >= 0
    for entry in reading.entries:
        for number in numbers(dict(entry.content)):
            assert 0 <= number < 1e30, entry
        if entry.field == "utilisation":
            assert entry.content["value"] <= 1


@pytest.mark.parametrize("name", GOOD)
def test_a_good_file_is_read(tmp_path: Path, name: str) -> None:
    found = outcome(GOOD[name], tmp_path)
    assert isinstance(found, Files), str(found)
    assert found.readings[0].used > 0


@pytest.mark.parametrize("name", SEEDS)
def test_a_file_that_is_cut_off_anywhere(tmp_path: Path, name: str) -> None:
    content = SEEDS[name]
    places = {1, 2, 3, len(content) - 1, len(content) - 2, len(content) - 3}
    places |= {len(content) * n // 8 for n in range(1, 8)}
    for place in sorted(places):
        outcome(content[:place], tmp_path)
        outcome(content[place:], tmp_path)


@pytest.mark.parametrize("name", ["prometheus", "vllm", "vastai", "litellm_prices"])
def test_json_that_is_cut_off_is_refused_not_read_in_part(tmp_path: Path, name: str) -> None:
    kind = kind_of_good(name, tmp_path)
    for part in range(4, 20):
        text = GOOD[name][: len(GOOD[name]) * part // 20].rstrip()
        assert isinstance(outcome(text, tmp_path, kind), ReadingError), text[-40:]


@pytest.mark.parametrize("name", TABLES)
def test_a_head_alone_or_no_usable_row_is_refused_or_told(tmp_path: Path, name: str) -> None:
    lines = GOOD[name].splitlines(keepends=True)
    head = lines[: 2 if name == "dmon" else 1]
    kind = kind_of_good(name, tmp_path)
    rows = [
        [],
        ["\n"] * 3,
        head,
        ["x\n"] * 3,
        [lines[-1].split()[0].split(",")[0] + "\n"] * 3,
        [",".join([""] * 40) + "\n"] * 3,
        [line.translate(dict.fromkeys(map(ord, "0123456789"), "x")) for line in lines[len(head) :]],
    ]
    for more in rows:
        for of in (None, kind):
            found = outcome("".join(head + more), tmp_path, of)
            assert isinstance(found, ReadingError) or not any(
                reading.entries for reading in found.readings
            ), more


@pytest.mark.parametrize("name", GOOD)
def test_a_file_read_as_one_of_every_other_kind(tmp_path: Path, name: str) -> None:
    for kind in KINDS:
        outcome(GOOD[name], tmp_path, kind)


@pytest.mark.parametrize("name", TABLES)
def test_the_head_of_one_over_the_rows_of_another(tmp_path: Path, name: str) -> None:
    head, _, _ = GOOD[name].partition("\n")
    for other in TABLES:
        _, _, rows = GOOD[other].partition("\n")
        outcome(f"{head}\n{rows}", tmp_path)
        outcome(GOOD[name] + GOOD[other], tmp_path)
        outcome(GOOD[name] + rows, tmp_path)


@pytest.mark.parametrize("name", JSONS)
def test_one_json_after_another(tmp_path: Path, name: str) -> None:
    for other in JSONS:
        outcome(GOOD[name] + "\n" + GOOD[other], tmp_path)
        outcome(f"[{GOOD[name].strip()},{GOOD[other].strip()}]", tmp_path)


NONSENSE = [
    b"",
    b"\n",
    bytes(range(256)),
    random.Random(1).randbytes(3000),
    b"\xff" * 100,
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff\x00",
    b"{",
    b"[",
    b"[]",
    b"{}",
    b"[[]]",
    b"null",
    b"[null]",
    b"true",
    b'"text"',
    b"[1, 2",
    b"NaN",
    b"[Infinity]",
    b"{}{}{}",
    b"{}\n[]\n",
    b"," * 5000,
    b"|" * 5000,
    b"# gpu",
    b'"',
    b'"""',
    b"[" * 100_000,
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 100_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    b"a" * 1_100_000,
    b"1," * 600_000,
    b"[" + b"1," * 20_000 + b"1]",
    b"9" * 100_000,
    b"[" + b"9" * 100_000 + b"]",
    b'{"a": "' + b"x" * 1_100_000 + b'"}',
]


@pytest.mark.parametrize("content", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_refused_by_every_kind(tmp_path: Path, content: bytes) -> None:
    assert isinstance(outcome(content, tmp_path), ReadingError)
    for kind in KINDS:
        found = outcome(content, tmp_path, kind)
        assert isinstance(found, ReadingError) or not found.readings[0].entries


def put(text: str, value: str) -> Iterator[str]:
    """The JSON text with another text in place of each value, one at a time."""

    def walk(node: object, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
        if isinstance(node, dict):
            for key, part in node.items():
                yield from walk(part, (*path, key))
        elif isinstance(node, list):
            for n, part in enumerate(node[:1]):
                yield from walk(part, (*path, n))
        yield path

    for line in [text] if text.count("\n{") == 0 else [text.partition("\n")[0]]:
        whole = json.loads(line)
        for path in walk(whole, ()):
            if not path:
                continue
            copy = json.loads(line)
            node = copy
            for step in path[:-1]:
                node = node[step]
            node[path[-1]] = "@@"
            yield json.dumps(copy, indent=1 if "\n" in line else None).replace('"@@"', value)


STRANGE = [
    "null",
    "true",
    "-1",
    "1e400",
    "-0.0",
    "NaN",
    "-Infinity",
    "9" * 5000,
    "1e-400",
    "1e99999999999999999999",
    "-1.5e-99999999999999999999",
    '"1e99999999999999999999"',
    '""',
    '"-"',
    '"NaN"',
    '"1e999999"',
    '"٣"',
    r'"\ud800"',
    r'"\u001b[31m\u202eabc\u0000"',
    "\"=cmd|' /C calc'!A0\"",
    "[]",
    "{}",
    '{"value": {}}',
    "[[[[]]]]",
    '["a", 1, null]',
    '"' + "x" * 5000 + '"',
]


@pytest.mark.parametrize("name", JSONS)
def test_any_value_of_json_may_be_strange(tmp_path: Path, name: str) -> None:
    kind = kind_of_good(name, tmp_path)
    for value in STRANGE:
        for text in put(GOOD[name], value):
            outcome(text, tmp_path, kind)


@pytest.mark.parametrize("name", JSONS)
def test_keys_that_stand_twice(tmp_path: Path, name: str) -> None:
    text = GOOD[name]
    for line in text.splitlines():
        if line.rstrip().endswith(","):
            outcome(text.replace(line, line + line, 1), tmp_path)


CELLS = [
    "",
    " ",
    "-",
    "-1",
    "NaN",
    "inf",
    "1e400",
    "1e99999999999999999999",
    "9" * 400,
    "1.000",
    "1,5",
    '"1,5"',
    "[N/A]",
    "#DIV/0!",
    "03/04/2026",
    "0000-00-00",
    "9999-12-31T23:59:59",
    "0001-01-01",
    "99999999999999999999",
    "=1+1",
    "@SUM(A1)",
    "+1|cmd",
    "\x1b[2J",
    "\u202eabc",
    "\ud800",
    '"',
    '"a\nb"',
    "NULL",
    "true",
    "💥" * 50,
    "x" * 5000,
]


@pytest.mark.parametrize("name", TABLES)
def test_any_cell_may_be_strange(tmp_path: Path, name: str) -> None:
    separator = {"sacct": "|", "dmon": " "}.get(name, ",")
    lines = GOOD[name].splitlines()
    kind = kind_of_good(name, tmp_path)
    *above, last = lines
    cells = last.split(separator)
    for cell, n in product(CELLS, range(len(cells))):
        if cells[n]:
            changed = separator.join([*cells[:n], cell, *cells[n + 1 :]])
            outcome("\n".join([*above, changed]), tmp_path, kind)


@pytest.mark.parametrize("sign", ["=1+1", "+1", "-1", "@a", "\t=1", "\x1b]0;a\x07", "..", "/etc/a"])
@pytest.mark.parametrize(
    ("name", "old"),
    [
        ("nvidia_smi", "NVIDIA GeForce RTX 4090"),
        ("prometheus", "NVIDIA GeForce RTX 4090"),
        ("vllm", "meta-llama/Llama-3.1-8B"),
        ("openai", "gpt-5-mini-2025-08-07"),
        ("anthropic", "claude-sonnet-4-20250514"),
        ("litellm_spend", "anthropic/claude-sonnet-4-5"),
        ("openrouter_activity", "openai/gpt-5-mini"),
        ("vastai", "RTX 4090"),
        ("skypilot", "H100"),
        ("litellm_prices", "gpt-5-mini"),
        ("openrouter_models", "openai/gpt-5-mini"),
    ],
)
def test_names_that_would_steer_something(tmp_path: Path, name: str, old: str, sign: str) -> None:
    new = json.dumps(sign)[1:-1] if name in JSONS else sign
    outcome(GOOD[name].replace(old, new), tmp_path)


def test_a_file_of_a_strange_name_is_shown_escaped(tmp_path: Path) -> None:
    path = tmp_path / "=a\x1b[31m\n\u202e.csv"
    path.write_text(NVIDIA_SMI)
    told(shown(read_all([path], ASKED).readings))
    (tmp_path / "b\x1b[0m").write_text("nonsense")
    found = read_all([tmp_path], ASKED)
    told(shown(found.readings, not_read=found.not_read))
    assert len(found.not_read) == 1


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A file with bytes or lines cut, doubled, swapped, put in or taken from another."""
    content = SEEDS[draw(st.sampled_from(sorted(SEEDS)))]
    for _ in range(draw(st.integers(1, 4))):
        by_lines = draw(st.booleans())
        parts = content.splitlines(keepends=True) if by_lines else [bytes([b]) for b in content]
        if not parts:
            return content
        place = draw(st.integers(0, len(parts) - 1))
        end = min(place + draw(st.integers(1, 3 if by_lines else 30)), len(parts))
        how = draw(st.sampled_from(["cut", "double", "swap", "end", "put", "other"]))
        if how == "cut":
            del parts[place:end]
        elif how == "double":
            parts[place:place] = parts[place:end]
        elif how == "swap":
            parts[place:end] = reversed(parts[place:end])
        elif how == "end":
            del parts[end:]
        elif how == "put":
            parts[place:place] = [draw(st.binary(max_size=8))]
        else:
            other = SEEDS[draw(st.sampled_from(sorted(SEEDS)))].splitlines(keepends=True)
            parts[place:end] = other[: draw(st.integers(0, len(other)))]
        content = b"".join(parts)
    return content


@given(mutated())
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
def test_a_mutated_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    outcome(content, tmp_path_factory.getbasetemp())
