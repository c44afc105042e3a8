"""How many GPUs a load needs: whole replicas, whole boards or nodes, spares.

A replica is the GPUs that hold one copy of the model. Planned capacity stays below a highest busy
share; a spare replica stands in for one that is down (or availability is planned with, not both).
With ``auto`` the replicas follow the peak of what those before it leave; owned ones are kept.
"""

import numpy as np

from tco.engine.operations import at_most, ceil, following, highest, highest_yet, ratio, whole
from tco.units import (
    Factor,
    Flag,
    Fraction,
    Gpus,
    MoneyPerGpu,
    Nodes,
    Replicas,
    WorkPerHour,
    WorkPerNodeHour,
    WorkPerReplicaHour,
)


def replica_rate(work_per_gpu_hour, gpus_per_replica) -> WorkPerReplicaHour:
    """Work that a busy replica does in an hour."""
    return work_per_gpu_hour * gpus_per_replica


def planned_replica_rate(replica_rate, busy_ceiling, availability) -> WorkPerReplicaHour:
    """Work of a replica in an hour that may be planned with."""
    return replica_rate * busy_ceiling * availability


def replicas_per_node(gpus_per_node, gpus_per_replica, tolerance) -> Factor:
    """Whole replicas on a node."""
    return np.maximum(whole(gpus_per_node / gpus_per_replica, tolerance), 1)


def nodes_per_replica(gpus_per_replica, gpus_per_node, tolerance) -> Factor:
    """Nodes that one replica takes."""
    return ceil(gpus_per_replica / gpus_per_node, tolerance)


def nodes__fixed(count, gpus_per_node, tolerance) -> Nodes:
    """Nodes: whole ones for the GPUs that are asked for."""
    return ceil(count / gpus_per_node, tolerance)


def replicas__fixed(nodes, nodes_per_replica, replicas_per_node, tolerance) -> Replicas:
    """Replicas."""
    return whole(nodes / nodes_per_replica, tolerance) * replicas_per_node


def rate_left__auto(peak_rate, capacity_before) -> WorkPerHour:
    """Peak load that those before it leave."""
    return np.maximum(peak_rate - capacity_before, 0)


def load_is_left__auto(peak_rate, capacity_before, tolerance) -> Flag:
    """1 when those before it leave any load at the peak."""
    return 1 - at_most(peak_rate, capacity_before, tolerance)


def replicas_for_load__auto(
    rate_left, planned_replica_rate, load_is_left, one_replica, tolerance
) -> Replicas:
    """Replicas that the load needs: whole ones, and one for however little."""
    return np.maximum(ceil(rate_left / planned_replica_rate, tolerance), load_is_left * one_replica)


def replicas_needed__auto(replicas_for_load, spare_replicas) -> Replicas:
    """Replicas that the load needs, with their spares."""
    return replicas_for_load + spare_replicas * np.where(replicas_for_load > 0, 1, 0)


def replicas__kept(replicas_needed) -> Replicas:
    """Replicas: what was bought is kept."""
    return highest_yet(replicas_needed)


def replicas__released(replicas_needed) -> Replicas:
    """Replicas."""
    return replicas_needed


def nodes__auto(replicas, replicas_per_node, nodes_per_replica, tolerance) -> Nodes:
    """Nodes: whole ones for the replicas."""
    return ceil(replicas / replicas_per_node, tolerance) * nodes_per_replica


def gpus(nodes, gpus_per_node) -> Gpus:
    """GPUs."""
    return nodes * gpus_per_node


def most_gpus__auto(gpus) -> Gpus:
    """Most GPUs of any month."""
    return highest(gpus)


def serving_replicas(replicas, spare_replicas) -> Replicas:
    """Replicas without the spares."""
    return np.maximum(replicas - spare_replicas, 0)


def serving_replicas__later(replicas, spare_replicas, in_service) -> Replicas:
    """Replicas without the spares, as soon as they are in service."""
    return np.maximum(replicas - spare_replicas, 0) * in_service


def capacity(serving_replicas, planned_replica_rate) -> WorkPerHour:
    """Capacity of these GPUs in an hour, as planned."""
    return serving_replicas * planned_replica_rate


def planned_node_rate__needed(
    planned_replica_rate, replicas_per_node, nodes_per_replica
) -> WorkPerNodeHour:
    """Work of a node in an hour that may be planned with."""
    return planned_replica_rate * replicas_per_node / nodes_per_replica


def replica_busy_share(served_work, replicas, replica_rate, hours) -> Fraction:
    """Share of their hours that the replicas are busy, spares included."""
    return ratio(served_work, replicas * replica_rate * hours)


def gpus_bought__auto(gpus) -> Gpus:
    """GPUs bought for the next month."""
    return np.maximum(following(gpus) - gpus, 0)


def purchase_price__changing(price, price_change_per_year, month, months_per_year) -> MoneyPerGpu:
    """Purchase price of a GPU in the month."""
    return price * (1 + price_change_per_year) ** (month / months_per_year)
