"""What people write of a benchmark into the name of its file, where the file does not tell it.

Source: the names of InferenceX, ``glm5_fp8_vllm_tp8_isl1024_osl512_conc16.json``, and the options
``--random-output-len`` of vLLM and SGLang and ``--output-tokens-mean`` of genai-perf.
"""

from __future__ import annotations

import re
from pathlib import Path

_NUMBER = r"[-_=]?(\d{1,7})(k?)(?![a-z0-9]|\.\d)"
_OUTPUT = re.compile(
    rf"(?<![a-z])(?:osl|output[-_]?(?:len|length|tokens?(?:[-_]mean)?)){_NUMBER}"
    # of "out512" alone nobody knows what it counts; behind the input it is a length
    rf"|(?<![a-z])in(?:put)?[-_=]?\d+k?[-_x]*out(?:put)?{_NUMBER}"
    r"|(?<![a-z0-9.])\d+k?in[-_x]*(\d{1,7})(k?)out(?![a-z0-9])"
)


def output_length(file: str) -> float | None:
    """Output tokens of a request by the name of the file, None where it says none or two.

    A ``k`` is taken as 1,000, the least that is meant by it.

    >>> output_length("runs/isl1024_osl512_conc16.json"), output_length("output-len-2k.json")
    (512.0, 2000.0)
    >>> output_length("output_3.json"), output_length("osl1_osl2.json"), output_length("tool5.json")
    (None, None, None)
    """
    name = Path(file).name.casefold().removesuffix(Path(file).suffix.casefold())
    said = {
        float(number) * (1000 if k else 1)
        for found in _OUTPUT.finditer(name)
        for number, k in [[group for group in found.groups() if group is not None]]
    }
    return said.pop() or None if len(said) == 1 else None
