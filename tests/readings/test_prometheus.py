"""Answers of Prometheus: scales by metric, series that repeat a GPU, what is no number."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.readings.gpus.prometheus import KIND
from tco.readings.reading import Asked, Reading, ReadingError
from tests.readings.logs import FILES, column, lost, recognised, values, written

HERE = FILES / "prometheus"
BEGIN = 1_782_720_000  # 2026-06-29 08:00 UTC
CARD = {"UUID": "GPU-0a", "modelName": "NVIDIA H100 80GB HBM3"}


def read(*paths: Path, gpu: str | None = None) -> Reading:
    assert all(recognised(KIND, path) for path in paths)
    return KIND.read(paths, Asked(gpu=gpu))


def series(metric: str, numbers: list[Any], step: float = 60, **labels: str) -> dict[str, Any]:
    points = [[BEGIN + n * step, str(number)] for n, number in enumerate(numbers)]
    return {"metric": {"__name__": metric, **CARD, **labels}, "values": points}


def answer(folder: Path, *those: dict[str, Any], name: str = "a.json") -> Path:
    text = {"status": "success", "data": {"resultType": "matrix", "result": those}}
    return written(folder, json.dumps(text), name)


def test_a_gpu_that_two_pods_share_counts_once() -> None:
    found = read(HERE / "range.json")
    # 0, 0 and 100 % a minute apart: 30 of 120 s; 100, 100 and 700 W: (60 x 100 + 60 x 400) / 120
    assert values(found) == {"utilisation": 0.25, "idle_power": 100.0, "active_power": 700.0}
    assert {e.subject for e in found.entries} == {"h100-sxm"}
    assert column(found, "kWh") == [f"{120 * 250 / 3.6e6:.4g}"]
    assert column(found, "GPU") == ["0 on n1"]
    assert found.used == 3
    assert found.remarks[:4] == (
        "use from the metric DCGM_FI_DEV_GPU_UTIL",
        "power from the metric DCGM_FI_DEV_POWER_USAGE",
        "not taken beside them: DCGM_FI_DEV_POWER_USAGE_INSTANT",
        "5 series of 1 GPUs: one that several pods share is counted once",
    )
    assert found.period is not None
    assert (found.period.begin, found.period.zone) == (datetime(2026, 6, 29, 8), "UTC")


@pytest.mark.parametrize("pods", [1, 2, 4])
def test_four_pods_do_not_make_four_cards(tmp_path: Path, pods: int) -> None:
    each = [
        series(metric, numbers, pod=f"p{pod}")
        for pod in range(pods)
        for metric, numbers in (
            ("DCGM_FI_DEV_GPU_UTIL", [50, 50]),
            ("DCGM_FI_DEV_POWER_USAGE", [60, 60]),
        )
    ]
    found = read(answer(tmp_path, *each))
    assert column(found, "kWh") == ["0.001"]
    assert column(found, "busy") == ["50 %"]


@pytest.mark.parametrize(
    ("metric", "numbers"),
    [
        ("DCGM_FI_DEV_GPU_UTIL", [0, 1, 100]),
        ("DCGM_FI_PROF_GR_ENGINE_ACTIVE", [0, 0.01, 1]),
        ("nvidia_smi_utilization_gpu_ratio", [0, 0.01, 1]),
        ("nvidia_gpu_duty_cycle", [0, 1, 100]),
        ("nv_gpu_utilization", [0, 0.01, 1]),
    ],
)
def test_percent_and_share_are_told_apart_by_the_metric(
    tmp_path: Path, metric: str, numbers: list[float]
) -> None:
    found = read(answer(tmp_path, series(metric, numbers)))
    # 60 s in the mean of 0 and 1 %, 60 s in the mean of 1 and 100 %
    assert values(found)["utilisation"] == pytest.approx((0.005 + 0.505) / 2)


@pytest.mark.parametrize(
    ("metric", "numbers"),
    [
        ("DCGM_FI_DEV_POWER_USAGE", [100, 300]),
        ("DCGM_FI_DEV_POWER_USAGE_INSTANT", [100, 300]),
        ("nvidia_smi_power_draw_watts", [100, 300]),
        ("nvidia_gpu_power_usage_milliwatts", [100_000, 300_000]),
    ],
)
def test_power_is_in_the_unit_of_its_metric(
    tmp_path: Path, metric: str, numbers: list[float]
) -> None:
    found = read(answer(tmp_path, series(metric, numbers)))
    assert column(found, "mean W") == ["200.00"]


@pytest.mark.parametrize(
    ("other", "labels"),
    [
        ([0.9, 0.95], {"uuid": "gpu-0a"}),
        ([0.9, 0.95], {"gpu_uuid": "GPU-0A"}),
    ],
)
def test_metrics_that_disagree_are_shown_and_none_is_written(
    tmp_path: Path, other: list[float], labels: dict[str, str]
) -> None:
    ratio = series("nvidia_smi_utilization_gpu_ratio", other)
    ratio["metric"] = {"__name__": "nvidia_smi_utilization_gpu_ratio", **labels}
    found = read(answer(tmp_path, series("DCGM_FI_DEV_GPU_UTIL", [10, 20]), ratio))
    assert found.entries == ()
    assert found.tables[-1].rows == (
        ("GPU", "metric", "mean use"),
        ("GPU-0a", "DCGM_FI_DEV_GPU_UTIL", "15 %"),
        ("GPU-0a", "nvidia_smi_utilization_gpu_ratio", "92.5 %"),
    )
    assert found.warnings[-1] == (
        "h100-sxm: no busy share, no idle and no busy power are written: its metrics disagree "
        "about its use; query one of them alone"
    )


def test_metrics_that_agree_are_one(tmp_path: Path) -> None:
    ratio = series("nvidia_smi_utilization_gpu_ratio", [0.11, 0.21])
    found = read(answer(tmp_path, series("DCGM_FI_DEV_GPU_UTIL", [10, 20]), ratio))
    assert values(found) == {"utilisation": pytest.approx(0.15)}


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("NaN", "NaN"),
        ("9223372036854775794", "blank (the card does not support it)"),
        ("9223372036854775792", "blank (the card does not support it)"),
        ("2147483634", "blank (the card does not support it)"),
        ("140737488355328", "blank (the card does not support it)"),
        ("101", "out of bounds"),
        ("-1", "out of bounds"),
        ("+Inf", "out of bounds"),
    ],
)
def test_what_is_no_number_is_left_out(tmp_path: Path, number: str, why: str) -> None:
    metric = "DCGM_FI_DEV_GPU_UTIL"
    found = read(answer(tmp_path, series(metric, [0, number, 100])))
    # the line from 0 to 100 % over two minutes
    assert values(found) == {"utilisation": 0.5}
    assert lost(found) == {f"{metric} {why}": (1, None)}


def test_one_moment_is_said_to_be_one(tmp_path: Path) -> None:
    text = {
        "status": "success",
        "data": {
            "resultType": "vector",
            "result": [
                {
                    "metric": {"__name__": "DCGM_FI_DEV_GPU_UTIL", **CARD},
                    "value": [BEGIN + 0.73, "40"],
                }
            ],
        },
    }
    found = read(written(tmp_path, json.dumps(text)))
    assert values(found) == {"utilisation": 0.4}
    assert "one moment only, not the use over time; no energy is known" in found.warnings


def mig(metric: str, numbers: list[Any], part: str, profile: str) -> dict[str, Any]:
    return series(metric, numbers, GPU_I_ID=part, GPU_I_PROFILE=profile)


def test_a_card_that_mig_cuts_has_no_use_by_gpu_util(tmp_path: Path) -> None:
    found = read(
        answer(
            tmp_path,
            mig("DCGM_FI_DEV_GPU_UTIL", [0, 0], "1", "3g.40gb"),
            mig("DCGM_FI_DEV_POWER_USAGE", [300, 300], "1", "3g.40gb"),
            mig("DCGM_FI_DEV_POWER_USAGE", [300, 300], "2", "4g.40gb"),
        )
    )
    assert found.entries == ()
    assert found.warnings[-1] == (
        "h100-sxm: no busy share, no idle and no busy power are written: it is cut into parts by "
        "MIG, and the use of the whole is not known; what would do: an export of "
        "DCGM_FI_PROF_GR_ENGINE_ACTIVE from Prometheus"
    )
    assert column(found, "kWh") == ["0.005"]


def test_the_parts_that_mig_cut_add_up_by_their_size(tmp_path: Path) -> None:
    found = read(
        answer(
            tmp_path,
            mig("DCGM_FI_PROF_GR_ENGINE_ACTIVE", [1, 1], "1", "3g.40gb"),
            mig("DCGM_FI_PROF_GR_ENGINE_ACTIVE", [0.5, 0.5], "2", "2g.20gb"),
            mig("DCGM_FI_DEV_POWER_USAGE", [300, 300], "1", "3g.40gb"),
            mig("DCGM_FI_DEV_POWER_USAGE", [300, 300], "2", "2g.20gb"),
        )
    )
    # 3 of 7 parts in full and 2 of 7 by half; the rest of the card is idle
    assert values(found) == {"utilisation": pytest.approx(3 / 7 + 2 / 7 / 2, rel=1e-5)}
    assert column(found, "mean W") == ["300.00"]


def test_a_name_may_stand_in_another_series(tmp_path: Path) -> None:
    use: dict[str, object] = {
        "metric": {"__name__": "nvidia_smi_utilization_gpu_ratio", "uuid": "0a"}
    }
    use["values"] = [[BEGIN, "0.5"], [BEGIN + 60, "0.5"]]
    info: dict[str, object] = {
        "metric": {"__name__": "nvidia_smi_gpu_info", "uuid": "0a", "name": "NVIDIA L40S"}
    }
    info["values"] = [[BEGIN, "1"]]
    found = read(answer(tmp_path, use, info))
    assert {e.subject for e in found.entries} == {"l40s"}


def test_another_gpu_than_asked_for_is_refused() -> None:
    with pytest.raises(ReadingError) as refused:
        read(HERE / "range.json", gpu="rtx-4090")
    assert (refused.value.field, refused.value.found) == ("modelName", "NVIDIA H100 80GB HBM3")


def test_answers_of_two_queries_are_one(tmp_path: Path) -> None:
    use = answer(tmp_path, series("DCGM_FI_DEV_GPU_UTIL", [0, 0, 100]), name="use.json")
    power = answer(tmp_path, series("DCGM_FI_DEV_POWER_USAGE", [100, 100, 700]), name="power.json")
    found = read(use, power)
    assert values(found) == {"utilisation": 0.25, "idle_power": 100.0, "active_power": 700.0}


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (
            '{"status":"error","errorType":"bad_data","error":"exceeded maximum resolution"}',
            None,
            "an error of Prometheus: bad_data: exceeded maximum resolution",
        ),
        (
            '{"status":"success","data":{"resultType":"matrix","result":[\n{"metric":{"__na',
            2,
            "the file ends in the middle of its JSON",
        ),
        (
            '{"status":"success","data":{"resultType":"scalar","result":[1782720000,"1"]}}',
            None,
            "a result of the type scalar",
        ),
        (
            '{"status":"success","data":{"resultType":"vector","result":[]}}',
            None,
            "an empty answer",
        ),
        (
            '{"status":"success","data":{"resultType":"vector","result":['
            '{"metric":{},"value":[1782720000,"1"]}]}}',
            None,
            "series without the name of their metric, as a function such as avg() leaves them",
        ),
        (
            '{"status":"success","data":{"resultType":"vector","result":['
            '{"metric":{"__name__":"up"},"value":[1782720000,"1"]}]}}',
            None,
            "the metrics up",
        ),
        (
            '{"status":"success","data":{"resultType":"matrix","result":['
            '{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL"},"values":[[1782720000]]}]}}',
            None,
            "a point that is no pair of a time and a number (not enough values to unpack "
            "(expected 2, got 1))",
        ),
        (
            '{"status":"success","data":{"resultType":"vector","result":[7]}}',
            None,
            "7",
        ),
    ],
)
def test_what_is_no_answer_is_refused(
    tmp_path: Path, text: str, line: int | None, found: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ReadingError) as refused:
        read(path)
    assert (refused.value.file, refused.value.line) == (str(path), line)
    assert refused.value.found == found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.integers(0, 100), min_size=2, max_size=20), st.randoms())
def test_the_order_of_series_and_points_does_not_matter(
    tmp_path: Path, numbers: list[int], random: Any
) -> None:
    those = [
        series("DCGM_FI_DEV_GPU_UTIL", numbers),
        series("DCGM_FI_DEV_POWER_USAGE", [3 * number + 50 for number in numbers]),
    ]
    right = read(answer(tmp_path, *those, name="right.json"))
    for one in those:
        random.shuffle(one["values"])
    random.shuffle(those)
    shuffled = read(answer(tmp_path, *those, name="shuffled.json"))
    assert shuffled.entries == right.entries
    assert column(shuffled, "kWh") == column(right, "kWh")


@pytest.mark.parametrize(
    "text",
    ['{"object": "list", "data": []}', '[{"id": 1, "dph_total": 0.3}]', "a,b\n1,2\n"],
)
def test_files_of_other_kinds_are_not_taken(tmp_path: Path, text: str) -> None:
    assert not recognised(KIND, written(tmp_path, text))
