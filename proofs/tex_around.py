r"""The sentence in which a display stands: "For all $x > 0$, \begin{equation} .. \end{equation} where $n \ge 1$."

Its conditions are conditions of the display. Where there are any, the whole sentence is read as a theorem's is, or no
statement is made.
"""

from __future__ import annotations

import re

MAX_BEFORE, MAX_AFTER = 4000, 2000  # characters that are looked at
FORMULA = re.compile(r"\$\$.+?\$\$|\$.+?\$|\\\(.+?\\\)", re.DOTALL)
OTHER = re.compile(r"\\begin\s*\{((?:equation|align|gather|multline|eqnarray|flalign|alignat|displaymath|math)\*?)\}"
                   r"(.*?)\\end\s*\{\1\}|(?<!\\)\\\[(.*?)\\\]|\$\$(.*?)\$\$", re.DOTALL)
WRAPPED = re.compile(r"\\(?:begin|end)\s*\{(?:subequations|small|footnotesize|center|linenomath)\*?\}|"
                     r"\\(?:label|vspace\*?|hspace\*?)\s*\{[^{}]*\}|\\(?:noindent|par(?=\s*[a-z]))(?![A-Za-z])")
DISPLAYED = "$DISPLAYED$"  # another display in the sentence
LISTED = re.compile(r"\\item(?![A-Za-z])|\\begin\s*\{(?:itemize|enumerate|description)")
# No sentence goes on over these
BORDER = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^\]]*\])?|\\(?:sub)*(?:section|paragraph)\*?\s*\{[^{}]*\}|"
                    r"\\(?:item|maketitle|appendix|chapter)(?![A-Za-z])|\\\[|\\\]")
ENDED = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bEq)(?<!\bSec)(?<!\bFig)(?<!\bresp)[.?!;]"
                   r"(?:''|\"|\))?(?=\s|$)")
GOES_BACK = re.compile(r"(?:then|hence|thus|so|therefore|consequently|accordingly|in (?:this|that|such a|which) case|"
                       r"under (?:this|these|such)|here|now|moreover|furthermore|also|and|it follows)\b", re.IGNORECASE)
# Words that make a condition of what they stand before, or may take back what is displayed
CONDITION = re.compile(
    r"\b(?:for (?:all|every|any|each|some|an?|one|which|large|small|sufficiently)|if|iff|when|whenever|provided|"
    r"given(?! by)|assum\w*|suppos\w*|let|fix|unless|subject to|such that|except|only|as long as|once|hold(?:s|ing)? "
    r"(?:on|in|over|at|near)|restricted|hypothes\w*|otherwise|until|under|not|never|cannot|neither|nor|no longer|false|"
    r"wrong\w*|fails?|might|would|could|may|whether|contradict\w*|absurd|conjectur\w*|unlike|instead|approximat\w*|"
    r"asymptotic\w*|heuristic\w*|roughly|almost|nearly|essentially|on average|in (?:expectation|distribution)|"
    r"with (?:high )?probability|to (?:first|second|leading) order|up to|modulo|neglect\w*|ignor\w*|typically|usually|"
    r"violat\w*|naive\w*|tempt\w*|believ\w*|goal|to within|overestimat\w*|underestimat\w*|"
    r"often|heavy|light|regimes?|limits?|limiting|cases?|contrary|claim\w*|"
    r"conditions?|requir\w*|constraint\w*|solutions?|solv\w*|roots?|need\w*|ensur\w*|guarant\w*|impos\w*|want\w*|wish|"
    r"seek\w*|sought|minimi[sz]\w*|maximi[sz]\w*|objective|problem|program|the equation|equivalent)\b", re.IGNORECASE)
# and these where a relation, or a kind of number, stands there too
PERHAPS = re.compile(r"\b(?:for|where|with|as|on|in|over|at|while|because|since|here|being|and)\b|,\s*\ue000",
                     re.IGNORECASE)
KINDS = re.compile(r"\b(?:integers?|positive|negative|non-?negative|non-?zero|natural|even|odd|large|small|real|finite|"
                   r"bounded|enough|prime)\b", re.IGNORECASE)
RELATION = re.compile(r"[<>=]|\\(?:le|leq|ge|geq|lt|gt|ne|neq|leqslant|geqslant|in|to|gg|ll|rightarrow|notin|subset|"
                      r"forall|equiv|approx|sim|mid)(?![A-Za-z])")
STANDING = re.compile(r"\b(?:let|suppose|assume|assuming|fix|given(?! by)|consider|take|pick|choose|set|put|throughout|"
                      r"henceforth|from now on|focus|restrict|imagine|turn to|"
                      r"in what follows|(?-i:Now) \ue000|(?:holds?|valid|true) only|(?-i:Case)|"
                      r"case (?:of|where|when|that|\ue000))(?![a-z])", re.IGNORECASE)  # for the whole paragraph
DENIED = re.compile(r"(?:This|That|It|However|But|Yet|Unfortunately|Of course)\b[^.]*?\b(?:false|wrong|not|fails?|"
                    r"incorrect|contradict\w*|only|impossible|absurd|if|when|cannot|never|no longer)\b")

# A sentence of its own that says where it holds, or what it supposes, if a relation stands there too
BOUNDS = re.compile(r"(?:(?:Here|Above|However|But|Yet|Otherwise|In (?:Eq|equation|\(|\\(?:eq|[Cc]|auto)?ref))(?![a-z])"
                    r"|(?:Note|Recall|Remember|Observe|Of course)\b.*\b(?:assum\w*|need\w*|requir\w*|valid|only)\b"
                    r"|(?:For|If|When)\b.*\b(?:only|instead)\b"
                    r"|(?:This|That|It|They|These|Both|Equation|Inequality|Identity|Formula|Eqs?\.|\(|"
                    r"\\(?:eq|[Cc]|auto)?ref|The (?:above |last |latter |previous )?(?:equation|inequality|identity|"
                    r"formula|relation|bound|display|expression|result|estimate|statement|equality|claim))(?![a-z])"
                    r".*\b(?:holds?|valid|true|appl(?:y|ies)|correct|exact|assum\w*|need\w*|requir\w*)\b).*", re.DOTALL)


def before(text: str) -> tuple[str, str]:
    """Of the text before a display: the sentence that goes on there, and what of its paragraph stands before that."""
    text = _plain(text[-MAX_BEFORE:])
    borders = list(BORDER.finditer(text))
    paragraphs = re.split(r"\n[ \t]*\n\s*", text[borders[-1].end() if borders else 0:])
    last = paragraphs.pop()
    while paragraphs and (not last.strip() or not re.search(r"[.?!:;}]\s*$", paragraphs[-1])):
        last = paragraphs.pop() + "\n" + last  # the blank line before a display ends no sentence
        if last.strip() and ENDED.search(last.rstrip()[-3:]):
            break
    masked = FORMULA.sub(lambda m: "x" * len(m.group()), last)
    ends = [m.end() for m in ENDED.finditer(masked)]
    at = ends.pop() if ends else 0
    while ends and GOES_BACK.match(last[at:].strip()):
        at = ends.pop() if ends else 0
    if at and GOES_BACK.match(last[at:].strip()):
        at = 0
    # what a list begins with is said of each of its items
    opened = max((m.start() for m in LISTED.finditer(text) if m.group() != r"\item"), default=0)
    listed = text[:opened] if borders and LISTED.match(borders[-1].group()) else ""
    # and what a paragraph or a proof is headed by, of all in it
    headed = "let" if any(RELATION.search(m.group()) for m in borders) else ""
    return last[at:].strip(), f"{headed} {CONDITION.sub('let', listed)} {last[:at]}".strip()


def after(text: str, display: str) -> str:
    """Of the text behind a display: the rest of its sentence."""
    rest = _plain(text[:MAX_AFTER]).lstrip()
    if denied := DENIED.match(rest):
        return denied.group()
    own = rest[:_end(rest)]
    if RELATION.search(" ".join(FORMULA.findall(own))) and BOUNDS.match(FORMULA.sub("\ue000", own)):
        return own.strip()
    if re.search(r"[.?!]\s*(?:\\(?:nonumber|notag|label\s*\{[^{}]*\})\s*)*$", display):
        return ""
    if not rest[:1].islower() and rest[:1] not in (*",$\\(~[{-",):
        return ""  # a sentence of its own
    border = BORDER.search(rest)
    rest = rest[:border.start()] if border else rest
    rest = re.split(r"\n[ \t]*\n", rest)[0]
    return rest[:_end(rest)].strip()


def _end(text: str) -> int:
    """Where its first sentence ends."""
    end = ENDED.search(FORMULA.sub(lambda m: "x" * len(m.group()), text))
    return end.start() if end else len(text)


def _plain(text: str) -> str:
    """The text with other displays in it as formulas, which end a sentence if they have a full stop."""
    def shown(m: re.Match[str]) -> str:
        inside = next(g for g in m.groups()[1:] if g is not None)
        return DISPLAYED + (". " if re.search(r"[.?!]\s*$", inside) else " ")

    return OTHER.sub(shown, WRAPPED.sub(" ", text))


def conditions(sentence: str) -> str:
    """The words with which the sentence makes a condition, or ""."""
    formulas = " ".join(FORMULA.findall(sentence))
    words = FORMULA.sub("\ue000", sentence)
    if found := CONDITION.search(words):
        return " ".join(found.group().split())
    if RELATION.search(formulas) or KINDS.search(words):
        found = PERHAPS.search(words)
        return found.group().strip(", \ue000") or "a formula beside it" if found else \
            "a formula beside it" if RELATION.search(formulas) else ""
    return ""


def standing(paragraph: str) -> str:
    """The words with which what stands in a paragraph before a sentence makes a condition of all that follows."""
    found = STANDING.search(FORMULA.sub("\ue000", paragraph))
    return " ".join(found.group().split()) if found else ""


__all__ = ["DISPLAYED", "MAX_BEFORE", "RELATION", "after", "before", "conditions", "standing"]
