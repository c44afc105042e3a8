"""What the instances of a cloud hold."""

from __future__ import annotations

import pytest

from tco.prices import cards, instances


def test_every_family_has_cards_a_source_and_a_day() -> None:
    for family in instances.families():
        assert family.counts == tuple(sorted(family.counts))
        assert family.source
        assert family.as_of == "2026-11"
        if family.card is not None:
            known = cards.card(family.card)
            assert known is not None
            assert known.memory_gb == family.memory_gb


@pytest.mark.parametrize(
    "text", ["g5", "AWS G5", "aws-g5", "g5.12xlarge", "Amazon EC2 G5 (2x A100)"]
)
def test_a_family_is_found_by_its_name(text: str) -> None:
    found = instances.family(text)
    assert found is not None
    assert (found.provider, found.name, found.gpu) == ("AWS", "G5", "A10G")


@pytest.mark.parametrize("text", ["a100-80gb", "rtx-4090", "g55", "", "AWS"])
def test_a_card_is_no_instance(text: str) -> None:
    assert instances.family(text) is None
    assert instances.said_of(text) is None


def test_what_is_said_names_the_card_that_a_scenario_knows() -> None:
    assert instances.said_of("p5") == (
        "AWS P5 is a family of instances with 8 H100 (h100-sxm) of 80 GB each"
    )
