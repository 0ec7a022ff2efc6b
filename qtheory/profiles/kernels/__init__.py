"""Iteration times from measured kernels: tables, models' shapes, and the sum of a batch's kernels.

``tables("h200_sxm", "vllm")`` reads the installed package ``aiconfigurator-core``, or a folder of such tables;
``Engine(tables, shape("qwen3-32b"), tensor_parallel=2).seconds(Batch(prefill=[(512, 0)], decode=[900, 1200]))``
is the time of one iteration.
"""

from qtheory.profiles.kernels.iteration import Batch, Engine, Load
from qtheory.profiles.kernels.shapes import Shape, names, shape
from qtheory.profiles.kernels.tables import KernelTables, engines, gpus, root, tables

__all__ = ["Batch", "Engine", "KernelTables", "Load", "Shape", "engines", "gpus", "names", "root", "shape", "tables"]
