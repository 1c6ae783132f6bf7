# SPDX-License-Identifier: Apache-2.0
"""Plots of results, with matplotlib. Each function draws into `ax`, or into a new figure, and
returns the axes."""

from railwright.plot._designs import curves, pareto_front
from railwright.plot._load import storage_load
from railwright.plot._power import power
from railwright.plot._published import accuracy
from railwright.plot._queue import queue
from railwright.plot._timeline import timeline
from railwright.plot._times import breakdown, comparison
from railwright.plot._topology import topology

__all__ = [
    "accuracy",
    "breakdown",
    "comparison",
    "curves",
    "pareto_front",
    "power",
    "queue",
    "storage_load",
    "timeline",
    "topology",
]
