"""A chart as part of a page: the same picture, with ids of its own."""

import re

from tco.report.inlining import inlined

FILE = b"""<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="720pt" height="417.6pt"
 viewBox="0 0 720 417.6" xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><b>made by</b></metadata>
 <defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <!-- a name -->
 <g id="axes_1" clip-path="url(#p1)">
  <path id="m1" d="M 0 0
L 0 3
" style="fill: url(#h1)"/>
  <use xlink:href="#m1" x="54"/>
 </g>
 <defs><clipPath id="p1"><rect width="9"/></clipPath><pattern id="h1"/></defs>
</svg>"""


def test_ids_and_what_refers_to_them_have_the_prefix() -> None:
    drawn = inlined(FILE, "map", "a map")
    assert drawn == (
        '<svg role="img" aria-label="a map" viewBox="0 0 720 417.6"><title>a map</title><defs />'
        '<g id="map-axes_1" clip-path="url(#map-p1)">'
        '<path id="map-m1" d="M 0 0 L 0 3" style="fill: url(#map-h1)" />'
        '<use x="54" href="#map-m1" /></g>'
        '<defs><clipPath id="map-p1"><rect width="9" /></clipPath><pattern id="map-h1" /></defs>'
        "</svg>"
    )


def test_two_charts_share_no_id() -> None:
    first, second = (set(re.findall(r'id="([^"]+)"', inlined(FILE, p, ""))) for p in ("a", "b"))
    assert len(first) == len(second) == 4
    assert not first & second


def test_words_stay_text() -> None:
    words = "\"></svg><script>alert('x')</script> & more"
    drawn = inlined(FILE, "map", words)
    assert "<script" not in drawn
    assert drawn.count("</svg>") == 1
    assert "&lt;script&gt;alert('x')&lt;/script&gt; &amp; more" in drawn
