"""A referee's report on a paper: one page of HTML that needs no network, and the same errata as LaTeX."""

from qtheory.report.referee.account import Account, Judged, account
from qtheory.report.referee.page import overview, page

__all__ = ["Account", "Judged", "account", "overview", "page"]
