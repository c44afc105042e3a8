"""Texts of drivers, marketplaces, clouds and schedulers, and the GPU that each means."""

import pytest

from tco.prices.cards import names
from tco.prices.gpu_names import Gpu, gpu_of

KNOWN = [
    ("NVIDIA GeForce RTX 4090", "rtx-4090", None),
    ("RTX_4090", "rtx-4090", None),
    ("RTX4090", "rtx-4090", None),
    ("GeForce RTX 4090", "rtx-4090", None),
    ("4090", "rtx-4090", None),
    ("2x RTX 4090", "rtx-4090", None),
    ("RTX 4090 24564 MiB", "rtx-4090", None),
    ("NVIDIA GeForce RTX 5090", "rtx-5090", None),
    ("RTX PRO 6000 96GB", "rtx-pro-6000", None),
    ("RTXPRO6000", "rtx-pro-6000", None),
    ("RTX-PRO-6000", "rtx-pro-6000", None),
    ("RTX 6000 Pro", "rtx-pro-6000", None),
    ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000", None),
    ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000", None),
    ("NVIDIA L40S", "l40s", None),
    ("L40S 46068 MiB", "l40s", None),
    ("NVIDIA A100-SXM4-40GB", "a100-40gb", "sxm"),
    ("NVIDIA A100-SXM4-80GB", "a100-80gb", "sxm"),
    ("A100-80GB-SXM", "a100-80gb", "sxm"),
    ("NVIDIA A100-PCIE-40GB", "a100-40gb-pcie", "pcie"),
    ("NVIDIA A100 80GB PCIe", "a100-80gb-pcie", "pcie"),
    ("NVIDIA H100 80GB HBM3", "h100-sxm", "sxm"),
    ("H100-80G-SXM5", "h100-sxm", "sxm"),
    ("H100-SXM", "h100-sxm", "sxm"),
    ("H100_SXM5", "h100-sxm", "sxm"),
    ("h100sxm5", "h100-sxm", "sxm"),
    ("H100-MEGA-80GB", "h100-sxm", "sxm"),
    ("HGX H100", "h100-sxm", "sxm"),
    ("8xH100 SXM", "h100-sxm", "sxm"),
    ("gpu_8x_h100_sxm5", "h100-sxm", "sxm"),
    ("NVIDIA H100 PCIe", "h100-pcie", "pcie"),
    ("H100-80G-PCIe", "h100-pcie", "pcie"),
    ("NVIDIA H200", "h200-sxm", "sxm"),
    ("h200", "h200-sxm", "sxm"),
    ("NVIDIA B200", "b200-sxm", "sxm"),
    ("B200 183359 MiB", "b200-sxm", "sxm"),
    ("MI300X", "mi300x", None),
    ("AMD Instinct MI300X OAM", "mi300x", None),
]

OTHERS = [
    ("NVIDIA RTX A6000", "rtx-a6000", None),
    ("A6000", "rtx-a6000", None),
    ("NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada", None),
    ("RTX6000-Ada", "rtx-6000-ada", None),
    ("NVIDIA RTX 4000 SFF Ada Generation", "rtx-4000-ada", None),
    ("Quadro RTX 6000", "quadro-rtx-6000", None),
    ("RTX 3090", "rtx-3090", None),
    ("RTX 4070S Ti", "rtx-4070-ti-super", None),
    ("RTX 4070 Ti SUPER", "rtx-4070-ti-super", None),
    ("RTX 4080S", "rtx-4080-super", None),
    ("NVIDIA GeForce GTX 1080 Ti", "gtx-1080-ti", None),
    ("L4", "l4", None),
    ("L40", "l40", None),
    ("A10G", "a10g", None),
    ("Tesla T4", "t4", None),
    ("Tesla V100-SXM2-32GB", "v100-32gb", "sxm"),
    ("H100 NVL", "h100-nvl", "nvl"),
    ("NVIDIA H200 NVL", "h200-nvl", "nvl"),
    ("GB200 NVL72", "gb200", None),
    ("NVIDIA GH200 480GB", "gh200", None),
    # what is sold under the name of a card and is not that card
    ("RTX 4090 48GB", "rtx-4090-48gb", None),
    ("RTX 4090D", "rtx-4090-d", None),
    ("NVIDIA GeForce RTX 4090 Laptop GPU", "rtx-4090-laptop", None),
    ("RTX PRO 6000 Blackwell Max-Q Workstation Edition", "rtx-pro-6000-max-q", None),
    ("NVIDIA A100-SXM-64GB", "a100-64gb", "sxm"),
    ("H100 96GB HBM3", "h100-sxm-96gb", "sxm"),
    ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "h100-mig-1g-10gb", "sxm"),
    # an instance is no GPU, nor is anything else
    ("a2-highgpu-1g", "a2-highgpu-1g", None),
    ("Apple M2 Max", "apple-m2-max", None),
]

OPEN = [
    ("H100", "h100", None, ("h100-pcie", "h100-sxm")),
    ("h100", "h100", None, ("h100-pcie", "h100-sxm")),
    ("H100 80GB", "h100", None, ("h100-pcie", "h100-sxm")),
    ("A100-80GB", "a100-80gb", None, ("a100-80gb", "a100-80gb-pcie")),
    ("A100 SXM4", "a100-sxm", "sxm", ("a100-40gb", "a100-80gb")),
    ("A100 PCIE", "a100-pcie", "pcie", ("a100-40gb-pcie", "a100-80gb-pcie")),
    ("a100", "a100", None, ("a100-40gb", "a100-40gb-pcie", "a100-80gb", "a100-80gb-pcie")),
]

HINTED = [
    ("H100", "gpu-h100-sxm_8gpu", "h100-sxm"),
    ("H100", "gpu_1x_h100_pcie", "h100-pcie"),
    ("H100", "p5.48xlarge", "h100-sxm"),
    ("H100", "a3-highgpu-8g", "h100-sxm"),
    ("H100", "Standard_ND96isr_H100_v5", "h100-sxm"),
    ("A100", "p4d.24xlarge", "a100-40gb"),
    ("A100-80GB", "p4de.24xlarge", "a100-80gb"),
    ("A100", "a2-ultragpu-8g", "a100-80gb"),
    ("A100-80GB", "Standard_NC48ads_A100_v4", "a100-80gb-pcie"),
    ("A100 SXM4", "81920 MiB", "a100-80gb"),
    ("A100 PCIE", "40960 MB", "a100-40gb-pcie"),
    # a text that tells is believed before the hint
    ("H100 PCIe", "gpu-h100-sxm_8gpu", "h100-pcie"),
]


@pytest.mark.parametrize(("text", "name", "form"), KNOWN)
def test_a_known_card(text, name, form):
    assert gpu_of(text) == Gpu(name, name, form)


@pytest.mark.parametrize("name", names())
def test_the_name_of_a_card_is_that_card(name):
    assert (gpu_of(name).name, gpu_of(name).card, gpu_of(name).ambiguous) == (name, name, ())


@pytest.mark.parametrize(("text", "name", "form"), OTHERS)
def test_a_card_that_is_not_known_has_a_name_and_no_card(text, name, form):
    assert gpu_of(text) == Gpu(name, None, form)


@pytest.mark.parametrize(("text", "name", "form", "meant"), OPEN)
def test_a_text_that_leaves_the_card_open_says_which_it_may_be(text, name, form, meant):
    assert gpu_of(text) == Gpu(name, None, form, meant)


@pytest.mark.parametrize(("text", "hint", "name"), HINTED)
def test_a_hint_tells_what_the_text_leaves_open(text, hint, name):
    assert gpu_of(text, hint).card == name


def test_an_instance_with_another_form_is_not_taken_for_a_known_card():
    # Azure's NC H100 v5 holds the NVL of 94 GB
    assert gpu_of("H100", "Standard_NC40ads_H100_v5") == Gpu("h100-nvl", None, "nvl")
