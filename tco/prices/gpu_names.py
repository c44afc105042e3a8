"""What GPU a text means: drivers, marketplaces and schedulers each spell the names their own way.

>>> gpu_of("NVIDIA GeForce RTX 4090").card, gpu_of("RTX_4090").card
('rtx-4090', 'rtx-4090')
>>> gpu_of("H100").ambiguous
('h100-pcie', 'h100-sxm')
>>> gpu_of("H100", hint="gpu-h100-sxm_8gpu").card, gpu_of("NVIDIA H100 80GB HBM3").card
('h100-sxm', 'h100-sxm')
>>> gpu_of("NVIDIA RTX A6000")
Gpu(name='rtx-a6000', card=None, form=None, ambiguous=())
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tco.prices.cards import card as known_card

Form = Literal["sxm", "pcie", "nvl"]

MEMORY_MARGIN = 0.08
"""Share by which a printed memory may differ from a card's: an L40S with ECC shows 45 of 48 GB."""


@dataclass(frozen=True)
class Gpu:
    """The GPU that a text means.

    ``name`` is how scenarios would spell it, ``card`` that name where the card is known, ``form``
    how it is built where that makes another card of it. Where the text leaves open which card it
    is, ``card`` is None, ``ambiguous`` holds the known cards that it may be, and ``name`` what
    they have in common.
    """

    name: str
    card: str | None
    form: Form | None
    ambiguous: tuple[str, ...] = ()


def gpu_of(text: str, hint: str = "") -> Gpu:
    """The GPU that ``text`` names; ``hint`` may tell what it leaves open.

    A card's own name, as it stands, is that card: ``a100-80gb`` is the one with SXM, ``A100-80GB``
    leaves that open. A hint is the name of an instance, of a node or of a board, or the memory
    (``81920 MiB``); it tells the form and, of an A100, the memory. A text that also says another
    memory than the card has, a part of a card, a laptop or a variant is not that card. A text that
    names no GPU becomes a name as it stands.

    >>> gpu_of("NVIDIA A100-SXM4-80GB").card, gpu_of("NVIDIA A100 80GB PCIe").card
    ('a100-80gb', 'a100-80gb-pcie')
    >>> gpu_of("A100-80GB").ambiguous, gpu_of("A100", hint="p4d.24xlarge").card
    (('a100-80gb', 'a100-80gb-pcie'), 'a100-40gb')
    >>> gpu_of("NVIDIA GeForce RTX 4090 Laptop GPU").name, gpu_of("RTX 4090 48GB").name
    ('rtx-4090-laptop', 'rtx-4090-48gb')
    """
    if known_card(text):
        return Gpu(text, text, _form("", _words(text)) or _USUAL_FORM.get(text))
    words = _words(text)
    for pattern, spell in _NAMES:
        found = re.search(rf"(?<![a-z0-9])(?:\d+ ?x ?)?(?:{pattern})(?![a-z0-9])", words)
        if found:
            return _settled(spell(found), words, _words(hint))
    return Gpu(words.replace(" ", "-"), None, None)


def _settled(base: str, words: str, hint: str) -> Gpu:
    """The card of that base name, once its form, its memory and its variant are known."""
    part = re.search(r"(?<![a-z0-9])mig(?: (\d+) ?g (\d+) ?gb)?", words)
    if part:
        size = f"-{part[1]}g-{part[2]}gb" if part[1] else ""
        return Gpu(f"{base}-mig{size}", None, _form(base, words) or _form(base, hint))
    form = _form(base, words) or _form(base, hint) or _USUAL_FORM.get(base)
    memory = _memory(words)
    if base == "a100":
        return _a100(form, memory or _memory(hint) or _instance_memory(hint))
    if base == "v100" and memory:
        return Gpu(f"v100-{memory:.0f}gb", None, form)
    if base in _BUILT_AS:
        forms = _BUILT_AS[base]
        if form is None:
            return Gpu(base, None, None, tuple(name for name in forms.values() if known_card(name)))
        name = forms.get(form, f"{base}-{form}")
    else:
        name, form = base, None
    variant = next((said for word, said in _VARIANTS if word in words), "")
    if variant:
        return Gpu(f"{name}-{variant}", None, form)
    card = known_card(name)
    if card is not None and memory and not _is_about(memory, card.memory_gb):
        return Gpu(f"{name}-{memory:.0f}gb", None, form)
    return Gpu(name, name if card is not None else None, form)


def _a100(form: Form | None, memory: float | None) -> Gpu:
    if memory is not None and not any(_is_about(memory, size) for size in (40, 80)):
        return Gpu(f"a100-{memory:.0f}gb", None, form)
    sizes = (40, 80) if memory is None else (40,) if _is_about(memory, 40) else (80,)
    endings = {"sxm": ("",), "pcie": ("-pcie",)}.get(form or "", ("", "-pcie"))
    meant = [f"a100-{size}gb{ending}" for size in sizes for ending in endings]
    if meant[1:]:
        shared = f"a100-{sizes[0]}gb" if not sizes[1:] else f"a100-{form}" if form else "a100"
        return Gpu(shared, None, form, tuple(name for name in meant if known_card(name)))
    return Gpu(meant[0], meant[0] if known_card(meant[0]) else None, form)


def _words(text: str) -> str:
    """Small letters and digits with single spaces, so that ``RTX_4090`` is ``RTX 4090``."""
    words = re.sub(r"[^a-z0-9.]+", " ", text.casefold())
    words = re.sub(r"(?<!\d)\.|\.(?!\d)|(?<=g)\.", " ", words)
    # h100sxm5, a100pcie, rtx6000ada
    words = re.sub(r"(?<=\d)(sxm|pcie|nvl(?!ink)|ada)", r" \1", words)
    return " ".join(words.split())


def _form(base: str, words: str) -> Form | None:
    # NVL72 is a rack of boards, not the card for a slot
    if re.search(r"\bnvl\b", words):
        return "nvl"
    if re.search(r"\bsxm\d?\b|\b(?:hgx|dgx)\b", words):
        return "sxm"
    if re.search(r"\bpcie?\b", words):
        return "pcie"
    if base == "h100" and re.search(r"\bhbm3\b|\bmega\b", words):
        return "sxm"
    if base == "h100" and re.search(r"\bhbm2e?\b", words):
        return "pcie"
    return next((form for pattern, form, _ in _INSTANCES if re.search(pattern, words)), None)


def _instance_memory(words: str) -> float | None:
    return next((memory for pattern, _, memory in _INSTANCES if re.search(pattern, words)), None)


def _memory(words: str) -> float | None:
    """The memory that a text tells, in GB: ``80GB``, ``80g``, ``81920 MiB``."""
    found = re.search(r"(?<![a-z0-9.])(\d{2,3}) ?(?:gb|gib|g)\b", words)
    if found:
        return float(found[1])
    found = re.search(r"(?<![a-z0-9.])(\d{4,6}) ?(?:mb|mib)\b", words)
    return round(float(found[1]) / 1024) if found else None


def _is_about(memory: float, size: float) -> bool:
    return abs(memory - size) <= MEMORY_MARGIN * size


def _geforce(found: re.Match[str]) -> str:
    number, *endings = (group.strip() for group in found.groups(default=""))
    # Vast.ai writes RTX 4070S Ti
    endings = sorted({"s": "super"}.get(ending, ending) for ending in endings if ending)
    return "-".join(["gtx" if number[:2] in ("10", "16") else "rtx", number, *endings[::-1]])


_NAMES = (
    (r"rtx ?pro ?(\d{4})|rtx ?6000 ?pro", lambda found: f"rtx-pro-{found[1] or 6000}"),
    (r"rtx ?(\d000)(?: sff)? ?ada", lambda found: f"rtx-{found[1]}-ada"),
    (r"(?:quadro )?(?:rtx ?)?(a\d000)", lambda found: f"rtx-{found[1]}"),
    (r"quadro rtx ?([4568]000)", lambda found: f"quadro-rtx-{found[1]}"),
    (r"rtx ?([4568]000)", lambda found: f"rtx-{found[1]}"),
    (
        r"(?:[rg]tx ?)?((?:10|16|20|30|40|50)[5-9]0)"
        r"( ?ti\b)?( ?super\b| ?s\b)?( ?ti\b)?( ?d\b)?",
        _geforce,
    ),
    (r"g?([hb][123]00)(?= nvl ?\d)", lambda found: f"g{found[1]}"),
    (
        r"g[hb][23]00|[ahb][1238]00|h20|mi\d{3}[ax]?|l40s?|l4|a10g|a10|a16|a2(?! \w+gpu)|a30|a40|"
        r"v100|p100|p40|p4|t4|k80|m60",
        lambda found: re.sub(r"^\d+ ?x ?", "", found[0]),
    ),
)
"""How a name is found, the first that fits, and how it is spelled here."""

_BUILT_AS: dict[str, dict[Form, str]] = {
    "h100": {"pcie": "h100-pcie", "sxm": "h100-sxm", "nvl": "h100-nvl"},
    "h200": {"sxm": "h200-sxm", "nvl": "h200-nvl"},
    "b200": {"sxm": "b200-sxm"},
    "b300": {"sxm": "b300-sxm"},
}
"""Cards that are not the same card in another form."""

_USUAL_FORM: dict[str, Form] = {
    "h200": "sxm",
    "b200": "sxm",
    "b300": "sxm",
    "a100-40gb": "sxm",
    "a100-80gb": "sxm",
}
"""The form of those whose other form, if any, always says so in its name: NVIDIA H200 NVL."""

_VARIANTS = (("max q", "max-q"), ("laptop", "laptop"), ("mobile", "laptop"))
"""Words that make another card of it, with less power under the same name."""

_INSTANCES: tuple[tuple[str, Form, float], ...] = (
    (r"\bp4d\b|\bp4d 24xlarge\b", "sxm", 40),
    (r"\bp4de\b", "sxm", 80),
    (r"\bp5(?:e|en)?\b|\bp6\b", "sxm", 80),
    (r"\ba2 (?:highgpu|megagpu)\b", "sxm", 40),
    (r"\ba2 ultragpu\b", "sxm", 80),
    (r"\ba3 (?:highgpu|megagpu|edgegpu|ultragpu)\b", "sxm", 80),
    (r"\bnd ?96asr\b", "sxm", 40),
    (r"\bnd ?96amsr\b", "sxm", 80),
    (r"\bnd ?96isr\b", "sxm", 80),
    (r"\bnc ?\d+ads a100\b", "pcie", 80),
    (r"\bnc ?\d+ads h100\b", "nvl", 94),
)
"""Instances of AWS, Google Cloud and Azure that hold one form of the card only, and its GB."""
