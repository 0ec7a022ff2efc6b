"""The command ``qtheory``. Each command lives in ``qtheory.commands`` and is imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from keyword import iskeyword

import typer

from qtheory import __version__
from qtheory.errors import QTheoryError

# command -> its line in the help; the module ``qtheory.commands.<name>``, with a _ behind Python's own words, offers
# ``register(app)``
COMMANDS = {
    "prove": "Prove or refute a statement of your own.",
    "verify": "Referee the corpus, or single claims, and compare with the record.",
    "referee": "Referee a paper of your own, written as Markdown.",
    "import": "List a paper's theorems and equations, from its LaTeX, as claims.",
    "check": "Re-check certificates with both checkers.",
    "show": "Show one claim: quote, statement, verdict, evidence, correction.",
    "report": "Write the referee's report on papers: HTML, LaTeX, certificates.",
    "errata": "Print a paper's errata: root causes by weight, with numbers and repairs.",
    "table": "Print a table for a paper, computed from a measured profile.",
    "macros": "Write LaTeX macros for computed numbers in running text.",
    "plot": "Draw a plot of computed numbers.",
    "reproduce": "Recompute a paper's table or figure: the paper's values beside ours.",
    "profile": "List, show and fit hardware profiles.",
    "simulate": "Simulate a scenario: a stability verdict first, then means with intervals.",
    "capacity": "The critical rate of engines, certified; whether a recorded system was saturated.",
    "thresholds": "How many requests may wait: thresholds of WAIT and Nested WAIT, and their memory.",
    "plan": "Plan a cluster of GPUs: the optimum with its prices, and the smallest fleets.",
    "network": "Is a network of agents stable? A verdict with its certificate.",
    "workflow": "Load, verdict, critical rate and risky priorities of a workflow of agents.",
}

COMPLETING = "what can stand next"  # in place of a command, where a shell asks
BROKEN_PIPE = 141  # as a shell reports a program that SIGPIPE ended

# The base class of usage errors, wherever the installed Typer keeps its copy of click.
_UsageProblem: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def _version(show: bool) -> None:
    if show:
        typer.echo(f"qtheory {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """A referee for the queueing theory of LLM serving."""


def _not_called() -> None:
    """Stands in for a command that is only listed."""


def build_app(command: str | None) -> typer.Typer:
    """The application with ``command`` loaded and the others listed by name and help alone; for a shell that asks what
    can stand next, with the command that stands in its line."""
    app = typer.Typer(add_completion=command not in COMMANDS, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.callback()(_root)
    line = os.environ.get("COMP_WORDS", os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()
    wanted = next((word for word in line if word in COMMANDS), None) if command == COMPLETING else command
    for name, text in COMMANDS.items():
        if name == wanted:
            importlib.import_module(f"qtheory.commands.{name}{'_' * iskeyword(name)}").register(app)
        else:
            app.command(name, help=text)(_not_called)
    return app


def main(argv: list[str] | None = None) -> None:
    """Run the command line. Bad input ends in one line on standard error and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal of few characters gets the others spelled out
    arguments = (sys.argv[1:] if argv is None else argv) or ["--help"]
    command = next((a for a in arguments if not a.startswith("-")), None)
    if "_QTHEORY_COMPLETE" in os.environ:
        arguments, command = [], COMPLETING
    try:
        status = build_app(command)(args=arguments, prog_name="qtheory", standalone_mode=False)
    except QTheoryError as error:
        _fail(str(error))
    except _UsageProblem as error:
        shown = error.format_message() if hasattr(error, "format_message") else str(error)
        _fail(shown.replace("Value error, ", ""))
    except OSError as error:
        _let_go_of_output()
        _fail(f"cannot read or write{f' {error.filename!r}' if error.filename else ''}: {error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except SystemExit as end:  # Typer's own: where nobody reads the output its status 1 would say "refuted"
        sys.exit(BROKEN_PIPE if command in COMMANDS else end.code)
    sys.exit(status if isinstance(status, int) else 0)


def _let_go_of_output() -> None:
    """What cannot be written is dropped: Python would try again as it ends, and exit with a status of its own."""
    try:
        sys.stdout.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _fail(message: str) -> None:
    from qtheory.proofs.visible import flowing  # text of files stands in messages too

    print("qtheory: " + flowing(message), file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
