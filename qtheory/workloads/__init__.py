"""Request classes: laws of prompt and output lengths, the papers' named workloads, and trace files.

>>> from qtheory import workloads
>>> chat = workloads.load("eb-sharegpt")
>>> round(chat.output.mean), round(chat.output.standard_deviation)
(280, 153)
"""

from qtheory.workloads.base import FailureRateVerdict, LengthLaw
from qtheory.workloads.catalogue import load, names
from qtheory.workloads.counting import NegativeBinomial, Poisson
from qtheory.workloads.elementary import Deterministic, Geometric, ShiftedExponential, Uniform
from qtheory.workloads.entropy import MaximumEntropy
from qtheory.workloads.gamma import DiscretisedGamma
from qtheory.workloads.tabulated import Binned, Empirical, Mixture
from qtheory.workloads.trace import read_trace
from qtheory.workloads.trace_formats import Client, read_clients, shared_prefix
from qtheory.workloads.workload import RequestClass, RequestSample, Trace, Workload

__all__ = [
    "Binned",
    "Client",
    "Deterministic",
    "DiscretisedGamma",
    "Empirical",
    "FailureRateVerdict",
    "Geometric",
    "LengthLaw",
    "MaximumEntropy",
    "Mixture",
    "NegativeBinomial",
    "Poisson",
    "RequestClass",
    "RequestSample",
    "ShiftedExponential",
    "Trace",
    "Uniform",
    "Workload",
    "load",
    "names",
    "read_clients",
    "read_trace",
    "shared_prefix",
]
