"""GPU-hours rented only while they are needed, level by level of the load.

At each level whole nodes are held for the load above what stands before the supply, up to those
there are. Each level adds to those before it.
"""

import numpy as np

from tco.engine.operations import ceil
from tco.units import GpuHours, Nodes, WorkPerHour


def level_rate(demanded_rate, level, capacity_before) -> WorkPerHour:
    """Load of this level above what stands before the supply."""
    return np.maximum(demanded_rate * level - capacity_before, 0)


def level_nodes(level_rate, planned_node_rate, nodes, tolerance) -> Nodes:
    """Whole nodes held at this level."""
    return np.minimum(ceil(level_rate / planned_node_rate, tolerance), nodes)


def needed_gpu_hours_through(
    needed_gpu_hours_before, level_nodes, gpus_per_node, hours, share
) -> GpuHours:
    """GPU-hours held at this level and those above it."""
    return needed_gpu_hours_before + level_nodes * gpus_per_node * hours * share
