"""Kinds of file that people have beside the ones that are read, each with what to give instead.

They are recognised by what stands in them, as the kinds that are read are; no name is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tco.readings.reading import Head


@dataclass(frozen=True)
class OtherKind:
    """A kind of file that is not read: what it is called, how it is recognised, what to do."""

    title: str
    recognises: Callable[[Head], bool]
    instead: str


def other_kind(head: Head) -> OtherKind | None:
    """The first of the other kinds that this file is of."""
    return next((kind for kind in OTHER_KINDS if kind.recognises(head)), None)


def _columns(*names: str) -> Callable[[Head], bool]:
    return lambda head: not head.is_json and set(names) <= set(head.columns)


def _keys(*names: str) -> Callable[[Head], bool]:
    return lambda head: set(names) <= head.keys


def _text(pattern: str) -> Callable[[Head], bool]:
    compiled = re.compile(pattern, re.MULTILINE)
    return lambda head: not head.is_json and compiled.search(head.text) is not None


def _any(*ways: Callable[[Head], bool]) -> Callable[[Head], bool]:
    return lambda head: any(way(head) for way in ways)


LOG_NVIDIA_SMI = (
    "log it over two weeks:  nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,power.draw"
    " --format=csv -l 60 -f gpu.csv"
)
SKYPILOT = "the catalogue of SkyPilot, vms.csv, for the same cloud"
OUTPUT_RATE = (
    "output_rate under hardware, with the number of GPUs and the lengths it was measured with"
)

OTHER_KINDS: tuple[OtherKind, ...] = (
    # files of tco itself
    OtherKind(
        "a scenario",
        # comments and blank lines, then a key; a text that shows a scenario begins otherwise
        _text(r"\A(?:\s*(?:#[^\n]*|---)?\n)*[a-z_]+ *:(?s:.*)^(options|demand|hardware|like) *:"),
        "run it:  tco run FILE  (a reading is written into it with --into)",
    ),
    OtherKind(
        "a result of tco",
        _keys("schema", "scenario", "conventions"),
        "give the logs and exports that its scenario was made from",
    ),
    # use and power of GPUs
    OtherKind(
        "the table that nvidia-smi prints, a look at one moment",
        _text(r"NVIDIA-SMI [\d.]+.*Driver Version"),
        LOG_NVIDIA_SMI,
    ),
    OtherKind(
        "the full query of nvidia-smi (-q), a look at one moment",
        _text(r"<nvidia_smi_log>|=+NVSMI LOG=+"),
        LOG_NVIDIA_SMI,
    ),
    OtherKind(
        "the list of GPUs of nvidia-smi (-L)", _text(r"^GPU \d+: .*\(UUID: "), LOG_NVIDIA_SMI
    ),
    OtherKind(
        "the processes of nvidia-smi pmon",
        _text(r"^# gpu\s+pid\s+type"),
        "log the whole cards:  nvidia-smi dmon -s pu -o DT, or nvidia-smi --query-gpu as above",
    ),
    OtherKind(
        "a log of dcgmi dmon",
        _text(r"^# ?Entity\s+\w+"),
        "query the same counters from Prometheus (query_range of dcgm-exporter), or log with "
        "nvidia-smi --query-gpu",
    ),
    OtherKind(
        "metrics of AMD GPUs (amd-smi)",
        _any(
            _columns("gpu", "gfx_activity"),
            _columns("gpu", "socket_power"),
            _keys("gfx_activity"),
            _keys("socket_power"),
        ),
        "write its columns as timestamp, index, utilization.gpu [%], power.draw [W]; gfx_activity "
        "stands at 100 % for any process that holds the GPU, so take the power and doubt the rest",
    ),
    OtherKind(
        "metrics of AMD GPUs (rocm-smi)",
        _any(_columns("device", "gpu use (%)"), _keys("GPU use (%)")),
        "write its columns as timestamp, index, utilization.gpu [%], power.draw [W]",
    ),
    OtherKind(
        "metrics as an exporter serves them, of one moment",
        _text(r"^# (HELP|TYPE) \w+ "),
        "ask Prometheus for a period and save the answer:  "
        "/api/v1/query_range?query=DCGM_FI_DEV_GPU_UTIL&start=...&end=...&step=60",
    ),
    OtherKind(
        "energy measured by Zeus",
        _any(
            _columns("window_name", "elapsed_time"),
            _text(r"^start_time,window_name,elapsed_time"),
        ),
        "divide joules by seconds and write active_power under hardware; for a log of power use "
        "nvidia-smi --query-gpu",
    ),
    OtherKind(
        "emissions estimated by CodeCarbon",
        _columns("emissions", "energy_consumed"),
        "its energies are estimates with its own PUE: log the power with nvidia-smi --query-gpu",
    ),
    OtherKind(
        "a report of Slurm (sreport), whose unit depends on its option -t",
        _any(
            _text(r"^\s*Usage reported in "),
            _columns("cluster", "tres name"),
            _text(r"^\S+\|[^\n]*\|gres/gpu[^|\n]*\|\d+(\(|\|)"),
        ),
        "give the jobs:  sacct -a -X -P -S 2026-05-01 -E 2026-06-01 "
        "-o JobIDRaw,State,Start,End,ElapsedRaw,AllocTRES",
    ),
    # throughput
    OtherKind(
        "results of InferenceX (InferenceMAX)",
        _any(_columns("tput_per_gpu"), _keys("tput_per_gpu")),
        "write output_tput_per_gpu times the GPUs as "
        f"{OUTPUT_RATE}; tput_per_gpu counts input tokens as well",
    ),
    OtherKind(
        "a summary of MLPerf",
        _text(r"^MLPerf Results Summary|^Result is : (IN)?VALID"),
        f"write its (Completed) tokens per second, of the whole system, as {OUTPUT_RATE}",
    ),
    OtherKind(
        "records of AIPerf, one for each request",
        lambda head: head.is_json and {"metadata", "metrics", "value", "unit"} <= head.keys,
        "give the summary of the same run, profile_export_aiperf.csv",
    ),
    OtherKind(
        "what a benchmark prints on the screen",
        _text(r"=+ ?Serving Benchmark Result ?=+"),
        "run it again with --save-result (vLLM) or --output-file (SGLang) and give that file",
    ),
    OtherKind(
        "a log of a vLLM server",
        _text(r"Avg generation throughput: "),
        "measure with  vllm bench serve --save-result  and give that file",
    ),
    # use of APIs
    OtherKind(
        "a bill in the FOCUS format",
        lambda head: (
            len({"billedcost", "effectivecost", "listcost", "chargecategory"} & set(head.columns))
            > 1
        ),
        "give the provider's own export of tokens; for rented GPUs write the price of an hour",
    ),
    # prices
    OtherKind(
        "a catalogue of gpuhunt",
        _columns("instance_name", "gpu_name", "gpu_count"),
        f"give {SKYPILOT}",
    ),
    OtherKind(
        "prices of RunPod",
        _any(
            _keys("securePrice"),
            _keys("communityPrice"),
            _keys("uninterruptablePrice"),
            _keys("costPerHr"),
        ),
        "give the catalogue of SkyPilot, runpod/vms.csv, or write the price of an hour and GPU",
    ),
    OtherKind(
        "the price list genai-prices",
        _any(_keys("input_mtok"), _keys("output_mtok")),
        "tco holds that list: name the provider and the model in the scenario",
    ),
    OtherKind(
        "a price list of AWS",
        _any(_keys("offerCode", "publicationDate"), _text(r'^"?FormatVersion"?,"?v1')),
        f"give {SKYPILOT} (aws/vms.csv)",
    ),
    OtherKind(
        "costs of Kubernetes (Kubecost, OpenCost)",
        _any(_keys("gpuCost", "ramCost"), _columns("gpucost", "ramcost")),
        "write the price that the cluster is billed at; its use is read from Prometheus",
    ),
    OtherKind(
        "an electricity tariff of OpenEI",
        _any(_keys("energyratestructure"), _text(r"energyratestructure/")),
        "write electricity_price: the rate plus its adj, per kWh; demand charges are separate",
    ),
    OtherKind(
        "electricity prices of the EIA",
        _any(_keys("response", "sectorid"), _keys("series_id"), _columns("stateid", "sectorid")),
        "write electricity_price; the EIA counts in cents per kWh",
    ),
    # what was saved in place of the file
    OtherKind(
        "a web page",
        _text(r"\A\s*(<!doctype html|<html|<!DOCTYPE html|<!DOCTYPE HTML|<HTML)"),
        "use the page's own export or download (for GitHub, the raw file), not Save as",
    ),
    OtherKind(
        "a pointer of Git LFS, not the file itself",
        _text(r"\Aversion https://git-lfs"),
        "fetch the file:  git lfs pull",
    ),
    OtherKind("a file of XML", _text(r"\A\s*<\?xml"), "export it as CSV or JSON"),
    OtherKind(
        "an answer with an error",
        lambda head: (
            head.is_json
            and len(head.text) < 4096
            and bool({"error", "errors", "errorType"} & head.keys)
            and re.match(r'\s*\{\s*"(error|errors|status|detail)"', head.text) is not None
        ),
        "put right what it says and save the answer again",
    ),
)
