"""What a notebook finds under ``qt``: every name that is listed loads, and others are named."""

from __future__ import annotations

import pytest

import qtheory as qt
from qtheory import networks, simulate


@pytest.mark.parametrize("package", [qt, networks, simulate],
                         ids=["qtheory", "qtheory.networks", "qtheory.simulate"])
def test_every_listed_name_loads(package) -> None:
    assert set(dir(package)) == set(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'no_such_name'; it has"):
        package.no_such_name  # noqa: B018
