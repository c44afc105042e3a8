"""What has to be served: tokens, tasks or GPU-hours of work a month, of one workload or several."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from tco.scenario import kinds
from tco.scenario.document import Block, Items, Node, Scalar, nearest
from tco.scenario.fields import (
    CardName,
    Customers,
    Factor,
    Fraction,
    Growth,
    Known,
    MonthlyRate,
    Name,
    OptionName,
    Part,
    Peak,
    Provenance,
    RequestsPerMonth,
    Tasks,
    TokenLength,
    Tokens,
    Whole,
    WorkHours,
    items_of,
    numbers_of,
    reads,
)
from tco.scenario.reading import OF_A_NUMBER, Reading, Rejected

STEPS = "[{month: 1, factor: 1}, {month: 13, factor: 1.5}]"
SIZES = "[{prompt_tokens: 2k, share: 95%}, {prompt_tokens: 300k, share: 5%}]"
Word = Literal["flat", "office-hours"]
SHAPES: tuple[Word, ...] = ("flat", "office-hours")
LOADS = "[1, 1, 2, 4, 4, 2]"
LEVELS = "{loads: [4, 2, 1], shares: [10%, 40%, 50%]}"
LONGEST_LOAD = 8784  # the hours of a leap year
TOKENS = ("output_tokens", "input_tokens")
CACHES = ("cache_read_tokens", "cache_write_tokens", "cache_write_1h_tokens")
KINDS_OF_WORK = ((*TOKENS, "reasoning_tokens", *CACHES), ("tasks",), ("gpu_hours",))


Shape = Word | tuple[float, ...]


class LoadMapping(Provenance):
    """The load within a month with what is known about it."""

    loads: Word | list[float | str]
    """A word, or loads of equal hours: 24 for a day, 168 for a week, or a measured series."""
    shares: list[float | str] | None = None
    """The share of the hours at each load, where they are not of equal hours; they sum to 1."""


class Load(Known):
    """The load within a month: ``shape`` is a word, or the loads.

    ``shares`` are those of the hours at each load, and sum to 1; None for loads of equal hours.
    """

    shape: Shape
    shares: tuple[float, ...] | None = None


def _read_load(reading: Reading, node: Node) -> Load:
    loads, about = node, Block(node.line, node.path)
    if isinstance(node, Block):
        loads, about = _loads_of(reading, node), node
    parts = about.get("shares")
    if parts is not None and parts.line is not None and loads.line is None:
        # the shares that the file states are not those of other loads
        parts = None
    given = loads if parts is None or parts.line is not None else parts
    known = reading.provenance(about, kinds.LOAD, given)
    shape = _shape_of(reading, loads, have_shares=parts is not None)
    shares = None if parts is None else _shares_of(reading, parts, shape)
    return Load(shape=shape, shares=shares, path=node.path, line=given.line, **known)


def _loads_of(reading: Reading, block: Block) -> Node:
    """The loads in a block that says more about them."""
    if reading.unknown_keys(block, ("loads", "shares", *OF_A_NUMBER)):
        raise Rejected()
    if "loads" not in block:
        raise reading.reject(
            block,
            "the loads that the rest is said of",
            f"add for example  loads: {LOADS}",
            found="nothing",
            below="loads",
        )
    return block["loads"]


def _shares_of(reading: Reading, node: Node, shape: Shape) -> tuple[float, ...]:
    """The share of the hours at each load."""
    if isinstance(shape, str):
        raise reading.reject(
            node,
            f"no shares beside  loads: {shape}, which has its own",
            f"delete the key shares, or list a load for each:  loads: {LOADS}",
        )
    expected = f"a list of {len(shape)} shares of the hours, one for each load"
    if not isinstance(node, Items) or len(node) != len(shape):
        raise reading.reject(node, expected, f"write one for each load:  load: {LEVELS}")
    shares = tuple(reading.amount(item, kinds.SHARE).value for item in node)
    total = math.fsum(shares)
    if abs(total - 1) > 1e-9:
        raise reading.reject(
            node,
            "shares of the hours that sum to 100%",
            "correct the shares, or write  load:  as a list of loads of equal hours",
            found=f"{total:.12g} in all",
        )
    return shares


def _shape_of(reading: Reading, node: Node, *, have_shares: bool) -> Shape:
    if isinstance(node, Items):
        weights = tuple(reading.amount(item, kinds.LOAD).value for item in node)
        if not 2 <= len(weights) <= LONGEST_LOAD or not sum(weights):
            of_hours = "with shares of the hours" if have_shares else "of equal hours"
            example = f"as levels of load:  load: {LEVELS}"
            if not have_shares:
                example = f"24 for a day, 168 for a week, or a measured series:  load: {LOADS}"
            raise reading.reject(
                node,
                f"2 to {LONGEST_LOAD} loads {of_hours}, not all of them 0",
                example,
                found="loads that are all 0"
                if len(weights) > 1 and not sum(weights)
                else f"a list of {len(weights)}",
            )
        return weights
    expected = f"{', '.join(SHAPES)} or a list of loads of equal hours"
    text = reading.scalar(node, expected, "flat").text
    for word in SHAPES:
        if text == word:
            return word
    near = nearest(text.replace("_", "-"), SHAPES)
    raise reading.reject(
        node, expected, f"did you mean {near}?" if near else f"write for example  load: {LOADS}"
    )


LoadAsTyped = Annotated[
    Load,
    reads(_read_load, Word | list[float | str] | LoadMapping),
]


class GrowthStep(Part):
    """The work of the months from one on, compared with month 1."""

    example = "{month: 13, factor: 1.5}"

    month: Whole
    """The first month it holds for."""
    factor: Factor
    """How many times the work of month 1."""


class RequestSize(Part):
    """How many of the requests have prompts of a size."""

    example = "{prompt_tokens: 200k, share: 5%}"

    prompt_tokens: TokenLength
    """Tokens of the prompt."""
    share: Fraction
    """Share of the requests."""


class Workload(Part):
    """One kind of work: how much of it there is in month 1, and how that changes."""

    example = "{output_tokens: 50 M}"

    output_tokens: Tokens | None = None
    """Tokens a month that the model writes and the user sees."""
    reasoning_tokens: Tokens | None = None
    """Tokens a month that the model writes for itself: billed and computed as output."""
    input_tokens: Tokens | None = None
    """Tokens a month that the model reads, those from a cache included."""
    cache_read_tokens: Tokens | None = None
    """How many of the input tokens are read from a cache."""
    cache_write_tokens: Tokens | None = None
    """How many of the input tokens are written to a cache for 5 minutes."""
    cache_write_1h_tokens: Tokens | None = None
    """How many of the input tokens are written to a cache for an hour."""
    tasks: Tasks | None = None
    """Tasks a month: images, clips, fine-tuning jobs."""
    task: Name | None = None
    """What one task is: image."""
    gpu_hours: WorkHours | None = None
    """Hours of work a month, measured on one card."""
    card: CardName | None = None
    """The card that the gpu_hours were measured on."""
    growth_per_year: Growth | None = None
    """Growth a year, compounding by the month."""
    growth_per_month: MonthlyRate | None = None
    """Growth a month, compounding."""
    growth: Annotated[list[GrowthStep], items_of("steps", STEPS)] | None = None
    """Steps of growth, in place of a rate."""
    season: (
        Annotated[
            tuple[float, ...],
            numbers_of(
                kinds.LOAD,
                12,
                "12 weights, January to December",
                "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 2]",
            ),
        ]
        | None
    ) = None
    """Weights of the months of the year, January first; their mean counts as 1."""
    retries: Fraction | None = None
    """Attempts that fail and are made again, as a share of those that succeed."""
    present: OptionName | None = None
    """The option that serves it now: what is not addressable stays there."""
    replacement: Name | None = None
    """The model that would replace the present one."""
    addressable: Fraction | None = None
    """Share of the work that can move; the rest stays where it is in every option."""

    @property
    def kind(self) -> str:
        """What is counted: tokens, tasks or gpu_hours."""
        if self.tasks is not None:
            return "tasks"
        return "gpu_hours" if self.gpu_hours is not None else "tokens"

    def _check(self, reading: Reading, block: Block) -> None:
        self._check_kind(reading, block)
        rates = [
            name
            for name in ("growth_per_year", "growth_per_month", "growth")
            if getattr(self, name) is not None
        ]
        if len(rates) > 1:
            reading.report(
                block, "one kind of growth", "keep one of them", found=" and ".join(rates)
            )
        self._check_growth(reading)
        self._check_caches(reading)
        if self.season is not None:
            if not sum(self.season):
                reading.report(
                    block, "weights that are not all 0", "write 1 for an ordinary month",
                    found="12 times 0", below="season",
                )  # fmt: skip
            if not reading.has_start:
                reading.report(
                    block,
                    "a start when the months of the year differ",
                    "add the first month, for example  start: 2026-12",
                    found="a season and no start",
                    below="season",
                )

    def _check_kind(self, reading: Reading, block: Block) -> None:
        names = [
            [name for name in kind if getattr(self, name) is not None] for kind in KINDS_OF_WORK
        ]
        given = [kind for kind in names if kind]
        if len(given) > 1:
            reading.report(
                block,
                "one kind of work: tokens, tasks or gpu_hours",
                "keep one; the others can be scenarios of their own",
                found=" and ".join(kind[0] for kind in given),
            )
        if not given or (given == [names[0]] and not set(TOKENS) & set(names[0])):
            raise reading.reject(
                block,
                "output_tokens, input_tokens or both (or tasks, or gpu_hours)",
                "add the tokens of a month, for example  output_tokens: 50 M; "
                "without the whole block demand, costs alone are calculated",
            )
        if self.gpu_hours is not None and self.card is None:
            reading.report(
                block,
                "the card that the hours were measured on",
                "add for example  card: rtx-4090",
                found="nothing",
                below="card",
            )

    def _check_growth(self, reading: Reading) -> None:
        months = [step.month for step in self.growth or ()]
        for before, after in pairwise(months):
            if before.value >= after.value:
                reading.report(
                    Scalar(after.text, True, after.line, after.path),
                    f"a month after the {before.text} of the step before it",
                    "write the steps in ascending order of their months",
                )
        if months and months[0].value != 1:
            reading.report(
                Scalar(months[0].text, True, months[0].line, months[0].path),
                "a first step that holds from month 1",
                "write  month: 1"
                if not months[0].value
                else "add  {month: 1, factor: 1}  before it",
            )

    def _check_caches(self, reading: Reading) -> None:
        parts = [getattr(self, name) for name in CACHES if getattr(self, name) is not None]
        whole = self.input_tokens.value if self.input_tokens else 0.0
        if parts and sum(part.value for part in parts) > whole * (1 + 1e-12):
            text = f"the {self.input_tokens.text}" if self.input_tokens else "the missing"
            reading.report(
                Scalar(parts[0].text, True, parts[0].line, parts[0].path),
                f"cache reads and writes that are at most {text} input tokens, which include them",
                "write under input_tokens all that is read, from a cache or not",
                found=" + ".join(part.text for part in parts),
            )


def _read_workloads(reading: Reading, node: Node) -> Block:
    block = reading.block(node, "{chat: {output_tokens: 50 M}}")
    if not block:
        raise reading.reject(
            node, "at least one workload", "add one:  {chat: {output_tokens: 50 M}}",
            found="no workload",
        )  # fmt: skip
    reading.names(block, "a workload")
    return block


class Demand(Workload):
    """The work of a month: one workload, or several by name."""

    load: LoadAsTyped = Field(
        default_factory=lambda: Load(shape="flat"), json_schema_extra={"default": "flat"}
    )
    """The shape within the month: flat, office-hours or loads of equal hours, or with its source:
    {loads: [...], basis: measured, source: ..., as_of: ..., files: {...}}, and where the hours are
    not equal the share of them at each load: {loads: [4, 2, 1], shares: [10%, 40%, 50%]}."""
    peak_to_mean: Peak | None = None
    """Load of the busiest hundredth of the hours over the mean, where no shape is known."""
    request_sizes: Annotated[list[RequestSize], items_of("sizes", SIZES)] | None = None
    """Sizes of prompts, for prices that depend on them."""
    requests: RequestsPerMonth | None = None
    """Requests that the work of a month makes up, in every month alike: only to divide costs by."""
    customers: Customers | None = None
    """Customers that are served, in every month alike: only to divide costs by."""
    workloads: (
        Annotated[dict[str, Workload], reads(_read_workloads, dict[str, Workload])] | None
    ) = None
    """Several workloads, in place of one."""

    @property
    def parts(self) -> dict[str, Workload]:
        """The workloads by name; one alone has no name."""
        return self.workloads or {"": self}

    @property
    def kind(self) -> str:
        """What is counted: tokens, tasks or gpu_hours."""
        if self.workloads:
            return next(iter(self.workloads.values())).kind
        return super().kind

    def _check(self, reading: Reading, block: Block) -> None:
        if self.workloads is None:
            super()._check(reading, block)
        else:
            self._check_workloads(reading, block)
        if self.peak_to_mean is not None and self.load.shape != "flat":
            reading.report(
                Scalar(
                    self.peak_to_mean.text, True, self.peak_to_mean.line, self.peak_to_mean.path
                ),
                "no second peak on top of a load that has its own",
                "delete peak_to_mean, or write  load: flat",
            )
        if self.request_sizes is not None:
            shares = sum(size.share.value for size in self.request_sizes)
            if abs(shares - 1) > 1e-9:
                reading.report(
                    block,
                    "shares of the requests that sum to 100%",
                    "correct the shares",
                    found=f"{shares:.6g} in all",
                    below="request_sizes",
                )

    def _check_workloads(self, reading: Reading, block: Block) -> None:
        assert self.workloads is not None
        beside = [
            name
            for name in Workload.model_fields
            if name in block and getattr(self, name) is not None
        ]
        if beside:
            reading.report(
                block,
                "the work under each workload, or one work for all",
                f"move {', '.join(beside)} under the workloads",
                found=f"workloads beside {beside[0]}",
            )
        kinds = {workload.kind for workload in self.workloads.values()}
        if len(kinds) > 1:
            reading.report(
                block,
                "workloads of one kind: tokens, tasks or gpu_hours",
                "make a scenario of each kind",
                found=" and ".join(sorted(kinds)),
                below="workloads",
            )
        measured = {workload.card for workload in self.workloads.values() if workload.card}
        if len(measured) > 1:
            reading.report(
                block,
                "gpu_hours that were measured on one card",
                "state the hours of all workloads on the same card: a speed-up is over that card",
                found=f"hours of {' and '.join(sorted(measured))}",
                below="workloads",
            )
