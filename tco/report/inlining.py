"""An SVG file as part of a page: its ids its own, its words for those who do not see it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
LONG = re.compile(r"-?\d+\.\d{3,}")
UNSEEN = ("metadata", "style", "title", "desc", "script")  # what the page says itself


def inlined(file: bytes, prefix: str, words: str) -> str:
    """The picture as an element of HTML.

    ``prefix`` begins every id, so that those of several pictures on one page differ; ``words`` are
    the text in place of the picture.

    >>> inlined(b'<svg xmlns="http://www.w3.org/2000/svg"><path id="a"/></svg>', "map", "A & B")
    '<svg role="img" aria-label="A &amp; B"><title>A &amp; B</title><path id="map-a" /></svg>'
    """
    picture = ElementTree.fromstring(file)  # noqa: S314  a file that was just drawn
    _plain(picture, prefix)
    for size in ("width", "height", "version"):
        picture.attrib.pop(size, None)
    picture.attrib = {"role": "img", "aria-label": words, **picture.attrib}
    title = ElementTree.Element("title")
    title.text = words
    picture.insert(0, title)
    return ElementTree.tostring(picture, encoding="unicode")


def _plain(element: ElementTree.Element, prefix: str) -> None:
    """Take away names of spaces, what is not shown and blanks between elements."""
    element.tag = element.tag.removeprefix(SVG)
    element.text = element.tail = None
    if LINK in element.attrib:
        element.attrib["href"] = element.attrib.pop(LINK)
    for name, value in element.attrib.items():
        if name == "id":
            value = f"{prefix}-{value}"
        elif name == "href" and value.startswith("#"):
            value = f"#{prefix}-{value.removeprefix('#')}"
        elif name == "d":
            value = " ".join(LONG.sub(_shortened, value).split())
        else:
            value = re.sub(r"url\(#", f"url(#{prefix}-", value)
        element.attrib[name] = value
    for child in list(element):
        if child.tag.removeprefix(SVG) in UNSEEN:
            element.remove(child)
        else:
            _plain(child, prefix)


def _shortened(number: re.Match[str]) -> str:
    """A coordinate to a hundredth of a point, which nobody sees.

    >>> LONG.sub(_shortened, "M 0.079561 72.3 L -0.001 5")
    'M 0.08 72.3 L 0 5'
    """
    text = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
