"""``qtheory network NET --region TYPE``: where a network is stable over one to three of its arrival rates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.progress import progress_bar
from qtheory.errors import InputError

if TYPE_CHECKING:
    from qtheory.models.network import AgentNetwork

ENDINGS = (".png", ".pdf", ".svg", ".html", ".json")


def show_region(network: AgentNetwork, text: str, free: list[str], output: Path | None, budget: float,
                form: OutputFormat) -> int:
    """The region in words or as JSON, and drawn or written with its certificates to a file; exit 0."""
    from qtheory.files import write_whole
    from qtheory.networks.region_words import lines
    from qtheory.networks.regions import region
    from qtheory.proofs.visible import json_text

    if output is not None and output.suffix.lower() not in ENDINGS:
        raise InputError(f"{output}: a region is written to a file that ends in {', '.join(ENDINGS)}")
    with progress_bar("dividing the rates"):
        found = region(network, free, budget=budget, text=text)
    if output is not None:
        if output.suffix.lower() == ".json":
            write_whole(output, json.dumps(found.to_json(), ensure_ascii=False) + "\n")
        else:
            from qtheory.report.region_plot import picture

            write_whole(output, picture(found, output.suffix.lower()))
    if form == "json":
        typer.echo(json_text(short(found.to_json())))
    else:
        for line in lines(found):
            typer.echo(line)
        if output is not None:
            typer.echo(f"wrote {output}")
    return 0


def short(document: dict[str, Any]) -> dict[str, Any]:
    """Without the certificates, which the file has."""
    for cell in (*document["cells"], *document["beyond"]):
        cell["certified"] = cell.pop("certificate") is not None
    return document


def is_region(data: Any) -> bool:
    """Whether a file's data is a region, and no certificate of one network."""
    return isinstance(data, dict) and {"cells", "beyond"} <= set(data)


def check_region(text: str, data: Any, file: Path, form: OutputFormat) -> int:
    """Hold a written region against a network: exit 0 valid, 1 rejected."""
    from qtheory.networks.certified import Rejected
    from qtheory.networks.certified_cells import CHECKED
    from qtheory.networks.regions import reread
    from qtheory.proofs.visible import json_text, visible

    found: dict[str, Any] = {"schema": 1, "file": str(file), "result": "valid", "checked": CHECKED}
    try:
        cells = [c for c in reread(text, data).cells if c.certified]
        line = f"valid: {len(cells)} polygons, {CHECKED}"
    except Rejected as error:
        found |= {"result": "rejected", "reason": str(error)}
        line = f"rejected: {error}"
    typer.echo(json_text(found) if form == "json" else visible(f"{file}: {line}"))
    return 0 if found["result"] == "valid" else 1
