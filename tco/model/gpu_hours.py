"""Hours of a set of GPUs, held and busy.

The busy share is a result where throughput and demand are known (``measured``), else an input
(``assumed``).
"""

from tco.engine.operations import ratio, sum_product
from tco.units import Fraction, GpuHours, GpuHoursPerMonth


def gpu_hours__held(gpus, hours) -> GpuHours:
    """GPU-hours held."""
    return gpus * hours


def gpu_hours__needed(needed_gpu_hours) -> GpuHours:
    """GPU-hours held: those in which the load is above what stands before the supply."""
    return needed_gpu_hours


def busy_gpu_hours(gpu_hours, busy_share) -> GpuHours:
    """GPU-hours busy."""
    return gpu_hours * busy_share


def gpu_hours_through(gpu_hours_before, gpu_hours) -> GpuHours:
    """GPU-hours held, this supply and those before it."""
    return gpu_hours_before + gpu_hours


def busy_gpu_hours_through(busy_gpu_hours_before, busy_gpu_hours) -> GpuHours:
    """GPU-hours busy, this supply and those before it."""
    return busy_gpu_hours_before + busy_gpu_hours


def equivalent_gpu_hours(gpu_hours, discount_factor, annuity_factor) -> GpuHoursPerMonth:
    """GPU-hours held a month, levelled over the horizon."""
    return sum_product(gpu_hours, discount_factor) / annuity_factor


def equivalent_busy_gpu_hours(busy_gpu_hours, discount_factor, annuity_factor) -> GpuHoursPerMonth:
    """GPU-hours busy a month, levelled over the horizon."""
    return sum_product(busy_gpu_hours, discount_factor) / annuity_factor


def average_gpu_hours(gpu_hours, operating, operating_months) -> GpuHoursPerMonth:
    """GPU-hours held a month, plain average."""
    return sum_product(gpu_hours, operating) / operating_months


def average_busy_gpu_hours(busy_gpu_hours, operating, operating_months) -> GpuHoursPerMonth:
    """GPU-hours busy a month, plain average."""
    return sum_product(busy_gpu_hours, operating) / operating_months


def busy_share__measured(served_work, work_per_gpu_hour, gpu_hours) -> Fraction:
    """Share of their hours that these GPUs are busy."""
    return ratio(served_work, work_per_gpu_hour * gpu_hours)


def busy_share__assumed(utilisation, operating) -> Fraction:
    """Share of their hours that these GPUs are taken to be busy."""
    return utilisation * operating
