"""The simulator: compiled event loops, models built from plain data, and statistics that can be trusted.

The front is :class:`~qtheory.simulate.networks.Network` and :func:`~qtheory.simulate.runs.simulate`;
estimates with intervals and the stability verdict live in :mod:`qtheory.simulate.statistics`.
"""
