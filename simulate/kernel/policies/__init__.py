"""Scheduling policies: one file each, found by being here, or in the folder that QTHEORY_POLICIES names."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from qtheory.errors import InputError
from qtheory.simulate.kernel.policy import Policy

OWN = os.environ.get("QTHEORY_POLICIES", "")


def _found() -> dict[str, Policy]:
    """By name; two files with one name for a policy would make a scenario mean either."""
    if OWN and not Path(OWN).is_dir():
        raise InputError(f"QTHEORY_POLICIES names no folder: {OWN}")
    __path__.extend(filter(None, [OWN]))
    policies: dict[str, Policy] = {}
    for module in iter_modules(__path__):
        try:
            names = vars(import_module(f"{__name__}.{module.name}"))
        except Exception as error:
            raise InputError(f"{module.name}.py is no policy: {type(error).__name__}: {error}") from error
        for policy in names.values():
            if isinstance(policy, Policy) and policies.setdefault(policy.name, policy) is not policy:
                raise InputError(f"two policies are called {policy.name!r}; one is in {module.name}.py")
    return dict(sorted(policies.items()))


POLICIES = _found()
