"""Which card holds a model: the rows, the recommendations, and every text of `tco fit`."""

import re

import pytest
from click.testing import CliRunner, Result

from tco.analysis import card_choice
from tco.analysis.card_choice import WORKLOADS, held, known, usable_gb
from tco.analysis.fit import CACHE, HEADS, OVERHEAD, PRECISIONS, WEIGHTS, Fit, Question, fits, needs
from tco.cli import main
from tco.cli.fitting import PRECISIONS as OFFERED
from tco.prices import cards, models
from tco.report.columns import width

USAGE = "Usage: tco fit [OPTIONS] [MODEL]\nTry 'tco fit --help' for help.\n\nError: "
EXAMPLE = "tco fit --parameters 8B --layers 32 --heads 32 --kv-heads 8 --head-dim 128"
SHAPE = "--layers 32 --heads 32 --kv-heads 8 --head-dim 128"
A_SEQUENCE = 327_680 * 8192 / 1e9  # GB of KV cache of Llama 3 70B


def asked(name: str, precision: str = "fp16", context: int = 8192, sequences: int = 1) -> Question:
    model = models.model(name)
    assert model is not None
    return Question(model, precision, context, sequences)


def on(card: str, question: Question) -> Fit:
    (found,) = fits(question, [known(card)])
    return found


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["fit", *arguments], prog_name="tco")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# The rows


def test_article_c_70b_in_4_bits_is_35_gb_and_takes_two_4090() -> None:
    question = asked("Llama-3-70B", "int4")
    assert needs(question).weights_gb == 70 / 2
    found = on("rtx-4090", question)
    assert found.cards == 2
    assert found.needed_gb == pytest.approx(35 / 2 + A_SEQUENCE / 2 + 1.5)
    # the article read 22 GB in use on each: a server takes what it may use, 21.6 of 24
    assert found.usable_gb == pytest.approx(0.9 * 24)
    assert found.needed_gb < found.usable_gb < 22
    assert found.one_card_gb == pytest.approx(35 + A_SEQUENCE + 1.5 - 21.6)
    assert found.binding == WEIGHTS
    assert found.unmeasured


def test_vram_02_is_the_row_of_an_h100() -> None:
    found = on("h100-sxm", asked("llama-3-70b", sequences=10))
    assert found.cards == 4
    assert found.needed_gb == pytest.approx(140 / 4 + 10 * A_SEQUENCE / 4 + 1.5)
    assert found.one_card_gb == pytest.approx(140 + 10 * A_SEQUENCE + 1.5 - 72)
    assert found.binding == HEADS  # three would have the memory
    assert found.sequences == (72 - 35 - 1.5) * 4 // A_SEQUENCE == 52
    assert found.decode_bound == pytest.approx(10 * 3350 * 4 / (140 + 10 * A_SEQUENCE))
    assert not found.unmeasured


@pytest.mark.parametrize(
    ("card", "question", "count", "binding"),
    [
        ("rtx-4090", asked("llama-3-8b"), 1, CACHE),  # room for more, until the cache is full
        ("h100-sxm", asked("llama-3-70b", sequences=10), 4, HEADS),
        ("a100-40gb", asked("llama-3-70b", "int4"), 2, OVERHEAD),  # 35 <= 36 < 35 + 1.5
        ("l40s", asked("qwen2.5-7b", context=131_072, sequences=4), 2, CACHE),  # 15.2 + 1.5 + 30.1
        ("rtx-4090", asked("deepseek-v3", "fp8"), None, WEIGHTS),
        ("rtx-4090", asked("llama-2-13b", context=4096, sequences=60), None, CACHE),
        ("rtx-4090", asked("flux-dev"), None, WEIGHTS),  # no heads to share out
        ("h100-sxm", asked("flux-dev"), 1, None),
    ],
)
def test_what_binds(card: str, question: Question, count: int | None, binding: str | None) -> None:
    found = on(card, question)
    assert (found.cards, found.binding) == (count, binding)


def test_a_model_that_fits_nowhere_lacks_memory_and_is_never_cheap() -> None:
    found = on("h100-sxm", asked("deepseek-v3", "fp8"))
    assert found.cards is None
    assert found.decode_bound is None
    # a compressed cache has no heads to share out: each of the eight holds all of it
    cache = 61 * 576 * 2 * 8192 / 1e9
    assert found.shortfall_gb == pytest.approx(671 / 8 + cache + 1.5 - 72)
    assert found.one_card_gb == pytest.approx(671 + cache + 1.5 - 72)


def test_four_pcie_cards_are_more_than_a_bridge_joins() -> None:
    four = on("h100-pcie", asked("llama-3-70b", sequences=10))
    two = on("h100-pcie", asked("llama-3-70b", "fp8", sequences=10))
    assert (four.cards, four.unmeasured) == (4, True)
    assert (two.cards, two.unmeasured) == (2, False)


def test_a_window_is_as_much_as_is_kept() -> None:
    long, short = (asked("mistral-7b-v0.1", context=n) for n in (32_768, 4_096))
    assert needs(long).kv_gb_per_sequence == needs(short).kv_gb_per_sequence
    assert needs(asked("mistral-7b", context=32_768)).kv_gb_per_sequence == 131_072 * 32_768 / 1e9


def test_more_sequences_never_need_fewer_cards() -> None:
    all_cards = [known(name) for name in cards.names()]
    before = [0] * len(all_cards)
    for sequences in (1, 2, 5, 20, 80, 320):
        rows = fits(asked("llama-3.1-8b", sequences=sequences), all_cards)
        counts = [row.cards or 99 for row in rows]
        assert all(new >= old for new, old in zip(counts, before, strict=True))
        before = counts
    assert 99 in before


def test_every_answer_is_consistent() -> None:
    all_cards = [known(name) for name in cards.names()]
    for name in models.names():
        for precision in ("fp16", "int4"):
            for row in fits(asked(name, precision, 4096, 4), all_cards):
                assert (row.cards is None) == (row.shortfall_gb > 0)
                assert (row.cards is None) == (row.needed_gb > row.usable_gb)
                assert (row.one_card_gb == 0) == (row.cards == 1)
                if row.sequences is not None:
                    assert (row.sequences >= 4) == (row.cards is not None)


def test_the_command_offers_the_precisions_there_are() -> None:
    assert tuple(PRECISIONS) == OFFERED


# The recommendations


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_a_recommended_card_holds_the_work(workload: card_choice.Workload) -> None:
    for name in workload.recommended:
        assert any(held(load, known(name)).cards for load in workload.loads)


def test_small_models_need_no_sharding_on_a_4090() -> None:
    single = [card_choice.SMALL_7B, card_choice.SMALL_8B, card_choice.QUANTISED_13B]
    assert [held(load, known("rtx-4090")).cards for load in single] == [1, 1, 1]
    short = held(card_choice.FULL_13B, known("rtx-4090"))
    cache = 2 * 40 * 40 * 128 * 2 * 4096 / 1e9
    assert short.one_card_gb == pytest.approx(26 + cache + 1.5 - 21.6)
    assert held(card_choice.FULL_13B, known("a100-40gb")).cards == 1


def test_lora_keeps_the_weights_frozen_and_trains_one_in_a_hundred() -> None:
    found = held(card_choice.LORA_8B, known("rtx-4090"))
    assert found.cards == 1
    assert found.needed_gb == pytest.approx(8 * 2 + 0.08 * 16 + 1.5)
    assert held(card_choice.LORA_13B, known("rtx-4090")).cards == 2
    assert held(card_choice.LORA_13B, known("a100-40gb")).cards == 1


def test_training_all_of_it_takes_16_bytes_a_parameter() -> None:
    # 7.61 x 16 = 121.76 GB over cards with 72 - 1.5 and 21.6 - 1.5 GB
    assert held(card_choice.TRAINED_7B, known("a100-80gb")).cards == 2 == -(-121.76 // 70.5)
    assert held(card_choice.TRAINED_7B, known("rtx-4090")).cards == 7 == -(-121.76 // 20.1)
    # 70 x 16 = 1,120 GB: memory does not tell an A100 of 80 GB from an H100
    for name in ("a100-80gb", "h100-sxm"):
        assert held(card_choice.TRAINED_70B, known(name)).cards == 16 == -(-1120 // 70.5)


def test_usable_memory() -> None:
    assert usable_gb(known("rtx-4090")) == pytest.approx(0.9 * 24)


def test_the_rule_between_two_cards() -> None:
    assert card_choice.rule("rtx-4090", "h100-sxm") == (
        "Throughput per dollar decides, not the hourly rate: an H100 SXM has 3.32 times the memory "
        "bandwidth and 5.99 times the dense FP16 arithmetic of an RTX 4090, so it is the cheaper "
        "one per job only where its hour costs less than the speed-up that you measure, somewhere "
        "about these."
    )
    assert (round(3350 / 1008, 2), round(989 / 165.2, 2)) == (3.32, 5.99)


# The screen


def test_the_whole_screen_of_a_model() -> None:
    found = run("Llama-3-70B", "--precision", "int4", "--card", "rtx-4090", "--card", "H100-SXM")
    assert found.exit_code == 0
    assert (
        found.stdout
        == """\
Llama 3 70B in int4 (70 billion parameters), 1 sequence of 8,192 tokens
weights 35 GB; KV cache 2.68 GB a sequence, 327,680 bytes a token; runtime 1.5 GB a card

          memory  usable       fits  needed      seqs      what  short on  tokens/s
card          GB      GB         on  a card  that fit     binds  one card   at most
RTX 4090      24    21.6  2 cards !    20.3         1   weights      17.6      53.5
H100 SXM      80    72.0     1 card    39.2        13  KV cache         -      88.9
  ! unmeasured: Two RTX 4090 are not one 48 GB pool (no NVLink joins them): it needs software that
    shards the model, and a throughput measured on them
  sold on boards only, of so many: H100 SXM 4 or 8
  usable: 0.9 of the memory; GB are 1e9 bytes, a card's as printed on it
  needed a card: weights / cards + KV cache / min(cards, KV heads) + runtime; KV cache at 2 bytes a
    value, whatever the weights take
  fits on: the fewest of at most 8 cards that share out 64 query heads and 8 KV heads
  what binds: what keeps it from fewer cards; on one card, from more sequences
  tokens/s at most: each step reads the active weights once and every cache, at the card's full
    memory bandwidth; a bound, no forecast
  4-bit weights: their scales, a few per cent more, are not counted
  model: config.json of meta-llama/Meta-Llama-3-70B; counted one by one: 70.6
  this is the fit only; whether replies come fast enough (the SLO) is a separate test, and a
    measured one
"""
    )


def test_a_model_that_fits_no_card_is_said_to_fit_none() -> None:
    shape = "--layers 100 --heads 128 --kv-heads 8 --head-dim 128"
    screen = run("--parameters", "2T", *shape.split()).stdout
    # 4,000 GB of weights and 3.36 of cache over 8 MI300X with 172.8 GB each, runtime besides
    short = (4000 + 2 * 100 * 8 * 128 * 2 * 8192 / 1e9) / 8 + 1.5 - 0.9 * 192
    assert round(short) == 329
    assert (
        "INFEASIBLE: it fits none of these 13 cards, not even 8 together. The nearest, MI300X, is "
        "short by\n329 GB on each.\n"
    ) in screen
    assert "  no: 8 cards together lack, each, 480 GB (RTX 4090), 473 GB (RTX 5090)," in screen


def test_one_card_that_does_not_hold_it() -> None:
    assert (
        "INFEASIBLE: it does not fit the RTX 4090, not even 8 together: short by 81.7 GB on each.\n"
    ) in run("llama-3.1-405b", "--card", "rtx-4090").stdout
    assert "INFEASIBLE: it does not fit the RTX 4090: short by 13.7 GB.\n" in (
        run("flux-dev", "--card", "rtx-4090").stdout
    )


def test_all_cards_are_asked_unless_some_are_named() -> None:
    screen = run("llama-3-8b").stdout
    for title in (card.title for name in cards.names() if (card := cards.card(name))):
        assert f"\n{title} " in screen


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("llama-3-8b --context 20000", "warning: 20,000 tokens are more than the 8,192 that the"),
        ("mistral-7b-v0.1 --context 8192", "attention looks back 4,096 tokens: no more are kept"),
        ("mixtral-8x7b", "(46.7 billion parameters, 12.9 of them active)"),
        ("mixtral-8x7b", "all experts are resident, whichever a token reads"),
        ("sdxl", "Stable Diffusion XL base 1.0 in fp16 (3.5 billion parameters): weights 7 GB, no"),
        ("llama-2-13b", "1 sequence of 4,096 tokens"),  # its longest, below the usual 8,192
    ],
)
def test_what_is_said_of_some_models(arguments: str, said: str) -> None:
    assert said in run(*arguments.split()).stdout


def test_a_described_model_is_counted_as_a_known_one() -> None:
    shape = SHAPE.split()
    described = run("--parameters", "8B", *shape, "--sequences", "3").stdout
    by_name = run("llama-3-8b", "--sequences", "3").stdout
    assert described.splitlines()[1:-4] == by_name.splitlines()[1:-4]
    assert "model: as described on the command line" in described
    mixture = run("--parameters", "47B", *shape, "--active", "13B").stdout
    assert "(47 billion parameters, 13 of them active)" in mixture
    assert "(0.35 billion parameters)" in run("--parameters", "350m", *shape).stdout


def test_the_workloads_are_listed() -> None:
    assert (
        run("--workload").stdout
        == run("--workload", "help").stdout
        == """\
Workloads, and the card recommended for each:

  small-inference      Inference with 7B to 13B models         RTX 4090; scale out with more cards
  lora                 LoRA fine-tuning                        RTX 4090, or A100 40 GB
  full-fine-tuning     Full fine-tuning and mid-size training  A100 80 GB
  large-training       Large training                          H100
  high-throughput-api  An API of high throughput               H100
  offline-batch        Offline batches                         RTX 4090
  all                  all six

why:  tco fit --workload NAME
"""
    )


def test_the_whole_screen_of_a_workload() -> None:
    assert (
        run("--workload", "lora").stdout
        == """\
LoRA fine-tuning: RTX 4090, or A100 40 GB

  GB needed on each    RTX 4090  A100 40GB SXM4  A100 80GB SXM4  H100 SXM
  usable of it             21.6            36.0            72.0      72.0
  llama-3-8b, LoRA     1 x 18.8        1 x 18.8        1 x 18.8  1 x 18.8
  llama-2-13b, LoRA  2 x 15.5 !        1 x 29.6        1 x 29.6  1 x 29.6

  The weights stay frozen at 2 bytes a parameter; only 1 % more are trained (assumed), at 16 bytes
  each. 8B leaves 2.82 GB of an RTX 4090 for activations; 13B is 7.98 GB too much for it and leaves
  6.42 GB of an A100 of 40 GB. Throughput per dollar decides, not the hourly rate: an A100 40GB SXM4
  has 1.54 times the memory bandwidth and 1.89 times the dense FP16 arithmetic of an RTX 4090, so it
  is the cheaper one per job only where its hour costs less than the speed-up that you measure,
  somewhere about these.

  2 x 9.5: at least two cards, 9.5 GB on each; !: more than NVLink joins, so unmeasured
  counted: weights or training state, KV cache, 1.5 GB of runtime; activations of training are not
  recommendations: article A; the arithmetic is this tool's
  this is the fit only; whether replies come fast enough (the SLO) is a separate test, and a
    measured one
"""
    )


def test_all_six_reasons() -> None:
    screen = run("--workload", "all").stdout
    words = " ".join(screen.split())
    for workload in WORKLOADS:
        assert f"{workload.title}: {workload.advice}\n" in screen
        assert workload.reason() in words
    assert words.count("Throughput per dollar decides, not the hourly rate") == 6
    assert (
        "Adam in mixed precision holds 16 bytes a parameter: 7.61 billion are 122 GB before "
        "activations. That is 2 A100 of 80 GB, joined by 600 GB/s of NVLink, or 7 RTX 4090 with "
        "none, where every step's gradients cross PCIe."
    ) in words
    assert "2 H100 SXM hold 26 and their bandwidth allows 949 tokens/s at most" in words
    assert round(16 * 3350 * 2 / (70 + 16 * A_SEQUENCE)) == 949


@pytest.mark.parametrize(
    "arguments",
    [
        *(f"{name} --sequences 7" for name in models.names()),
        "llama-3-70b --context 1000000000 --sequences 1000000",
        "llama-3-70b --context 1000000 --sequences 100",
        "llama-3-70b --context 1 --sequences 1000000",
        "--parameters 1M --layers 1 --heads 1 --kv-heads 1 --head-dim 1 --context 1",
        "--workload",
        "--workload all",
    ],
)
def test_lines_fit_into_100_columns(arguments: str) -> None:
    result = run(*arguments.split())
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if width(line) > 100] == []


# Wrong use


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "",
            "name a MODEL, or describe one: --parameters, --layers, --heads, --kv-heads, "
            f"--head-dim\nfor example:  {EXAMPLE}",
        ),
        (
            "--parameters 8B --heads 32",
            "--parameters is given, but not --layers, --kv-heads, --head-dim\n"
            f"for example:  {EXAMPLE}",
        ),
        (
            "llama-3-8b --layers 3",
            "give MODEL or describe one, not both: --layers is not needed",
        ),
        (
            "llama-3-8b --workload lora",
            "ask about a model or about a workload, not both",
        ),
        (
            "--parameters 8 " + SHAPE,
            "Invalid value for '--parameters': '8' is no number of parameters; write 8B or 350M",
        ),
        (
            "--parameters 0B " + SHAPE,
            "Invalid value for '--parameters': '0B' is no number of parameters; write 8B or 350M",
        ),
        (
            "--parameters 8B --active 9B " + SHAPE,
            "--active cannot be more than --parameters",
        ),
        (
            "--parameters 8B --layers 32 --heads 32 --kv-heads 5 --head-dim 128",
            "32 query heads cannot share 5 KV heads: --heads must be a multiple of --kv-heads",
        ),
        (
            "llama-3-8b --card rtx-490",
            "Invalid value for '--card': 'rtx-490' is no known card; did you mean rtx-4090?\n"
            "known: rtx-4090, rtx-5090, rtx-pro-6000, l40s, a100-40gb, a100-80gb, "
            "a100-40gb-pcie, a100-80gb-pcie,\n"
            "       h100-pcie, h100-sxm, h200-sxm, b200-sxm, mi300x",
        ),
        (
            "--workload lorra",
            "Invalid value for '--workload': 'lorra' is no known workload; did you mean lora?\n"
            "known: small-inference, lora, full-fine-tuning, large-training, "
            "high-throughput-api, offline-batch,\n       all",
        ),
    ],
)
def test_wrong_use_is_a_message_and_2(arguments: str, message: str) -> None:
    result = run(*arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{USAGE}{message}\n"


def test_an_unknown_model_is_told_the_nearest_the_known_ones_and_how_to_describe_it() -> None:
    result = run("Lama-3-70b")
    assert (result.exit_code, result.stdout) == (2, "")
    first, *known_names, last = result.stderr.removeprefix(USAGE).splitlines()
    assert first == (
        "Invalid value for 'MODEL': 'Lama-3-70b' is no known model; did you mean llama-3-70b?"
    )
    assert " ".join(" ".join(known_names).split()) == f"known: {', '.join(models.names())}"
    assert last == f"any other:  {EXAMPLE}"
    assert "did you mean" not in run("zzz").stderr


@pytest.mark.parametrize(
    "arguments",
    ["llama-3-8b --precision fp32", "llama-3-8b --context 0", "llama-3-8b --sequences 1.5"],
)
def test_values_out_of_range_are_2(arguments: str) -> None:
    result = run(*arguments.split())
    assert result.exit_code == 2
    assert "Error: Invalid value for" in result.stderr


def test_hostile_names_are_printed_harmlessly() -> None:
    assert "\x1b" not in run("a\x1b[31mb").stderr
    assert re.search(r"'a\\+x1b\[31mb' is no known model", run("a\x1b[31mb").stderr)
