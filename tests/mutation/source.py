# SPDX-License-Identifier: Apache-2.0
"""C text: where functions, statements, conditions and macro uses begin and end.

All positions are offsets into Source.text, which holds one character per byte, so that the columns
of the analyzer count the same. Source.code is the same text with comments, literals' contents and
preprocessor lines blanked: searching it finds code only.
"""

import bisect
import re
from typing import NamedTuple

BLANK = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
                   r"""|^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*""", re.DOTALL | re.MULTILINE)
CXX_ONLY = re.compile(r"^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus$.*?^[ \t]*#[ \t]*(?:else|endif)\b",
                      re.DOTALL | re.MULTILINE)
HEAD = re.compile(r"(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
BRACKET = re.compile(r"[()\[\]{}]")
PAIRS = {"(": ")", "[": "]", "{": "}"}


class Edit(NamedTuple):
    start: int
    end: int
    text: str


class Body(NamedTuple):
    name: str
    head: str   # result type, name and parameters
    begin: int  # of the head
    start: int  # of the brace
    end: int    # past the closing brace


def blanked(match):
    """Spaces for a comment, a directive or the inside of a literal; lines stay where they are."""
    text = match.group()
    if text[0] in "\"'":
        return text[0] + "_" * (len(text) - 2) + text[0]
    return re.sub(r"[^\n]", " ", text)


class Source:
    def __init__(self, text):
        self.text = text
        self.code = BLANK.sub(blanked, CXX_ONLY.sub(blanked, text))
        self.lines = [0] + [m.end() for m in re.finditer("\n", text)]

    def offset(self, line, column):
        return self.lines[line - 1] + column - 1

    def line(self, offset):
        return bisect.bisect_right(self.lines, offset)

    def edited(self, edits):
        """The text with the edits made. Each line keeps its number."""
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            lost = text.count("\n", start, end) - new.count("\n")
            text = text[:start] + new + "\n" * lost + text[end:]
        return text

    # ---- brackets, from the outside in ----------------------------------------------------------

    def close(self, start):
        """Past the bracket that closes the one at `start`."""
        depth = 0
        for match in BRACKET.finditer(self.code, start):
            depth += 1 if match.group() in PAIRS else -1
            if depth == 0:
                return match.end()
        return len(self.code)

    def open(self, end):
        """The bracket that the one at `end` closes."""
        depth = 0
        for at in range(end, -1, -1):
            if self.code[at] in ")]}":
                depth += 1
            elif self.code[at] in "([{":
                depth -= 1
                if depth == 0:
                    return at
        return 0

    def split(self, start, end, *separators):
        """[start, end) cut at the separators outside of brackets: [(start, end)], trimmed."""
        pattern = re.compile(r"[(\[{]|" + "|".join(map(re.escape, separators)))
        pieces, begin, at = [], start, start
        while match := pattern.search(self.code, at, end):
            if match.group() in PAIRS:
                at = self.close(match.start())
            else:
                pieces.append((begin, match.start()))
                begin = at = match.end()
        return [self.trim(*piece) for piece in [*pieces, (begin, end)]]

    def trim(self, start, end):
        piece = self.code[start:end]
        lead = len(piece) - len(piece.lstrip())
        return start + lead, max(start + lead, start + len(piece.rstrip()))

    def bare(self, start, end):
        """Without the parentheses around all of it."""
        start, end = self.trim(start, end)
        while self.code[start:start + 1] == "(" and self.close(start) == end:
            start, end = self.trim(start + 1, end - 1)
        return start, end

    # ---- functions and statements ---------------------------------------------------------------

    def bodies(self):
        """Function definitions. One ends at its brace, or at the first brace in column 1: that is
        right even where both branches of an #if open one."""
        at = 0
        while match := re.compile(r"\{").search(self.code, at):
            start = match.start()
            column_1 = self.code.find("\n}", start)
            end = min(self.close(start), column_1 + 2 if column_1 >= 0 else len(self.code))
            head = HEAD.search(self.code, max(0, start - 2000), start)
            if head:
                begin = max(self.code.rfind(c, 0, head.start()) for c in ";}") + 1
                begin, stop = self.trim(begin, start)
                yield Body(head.group(1), self.code[begin:stop], begin, start, end)
            at = end

    def statement_end(self, start):
        """Past the statement that begins at `start`."""
        start = self.trim(start, len(self.code))[0]
        match = re.compile(r"(if|while|for|switch)\b\s*(?=\()|(else|do)\b|(\w+\s*:)(?!:)"
                           r"").match(self.code, start)
        if self.code[start] == "{":
            return self.close(start)
        if not match:
            at = start
            while at < len(self.code) and self.code[at] != ";":
                at = self.close(at) if self.code[at] in PAIRS else at + 1
            return at + 1
        end = self.statement_end(self.close(match.end()) if match.group(1) else match.end())
        if match.group(1) == "if" and (other := self.else_after(end)):
            return self.statement_end(other)
        if match.group(2) == "do":
            return self.code.index(";", end) + 1
        return end

    def else_after(self, end):
        """Past the word else, if it follows."""
        match = re.compile(r"\s*else\b").match(self.code, end)
        return match and match.end()

    def begins_statement(self, start):
        before = self.code[:start].rstrip()
        if before.endswith(")"):
            return bool(re.search(r"\b(if|while|for|switch)\s*$", before[:self.open(
                len(before) - 1)]))
        if before.endswith(":"):
            return "?" not in re.split(r"[;{}]", before)[-1]
        return before.endswith((";", "{", "}")) or bool(re.search(r"\b(else|do)$", before))

    def statement(self, start, end):
        """The expression [start, end) as an Edit that removes it, or None if it is no statement of
        its own."""
        void = re.search(r"\(\s*void\s*\)\s*$", self.code[:start])
        start = void.start() if void else start
        if not self.begins_statement(start):
            return None
        follows = re.compile(r"\s*;").match(self.code, end)
        return Edit(start, end, "" if follows else ";")

    def statement_starts(self, body):
        """Where a statement may be put in front of another one."""
        at = body.start
        while match := re.compile(r"[;{}(\[]|=\s*\{").search(self.code, at, body.end - 1):
            at = match.end()
            if match.group()[0] in "([=":
                at = self.close(match.end() - 1)
                continue
            start = self.trim(at, body.end)[0]
            if not re.compile(r"\}|;|(else|case|default|while)\b|\w+\s*:").match(self.code, start):
                yield start

    def macro_use(self, start, name):
        """[start, end) of a use of the macro that begins there, with its arguments, or None."""
        match = re.compile(rf"{re.escape(name)}\b\s*(\()?").match(self.code, start)
        if not match:
            return None
        return start, self.close(match.end() - 1) if match.group(1) else match.end()

    def called(self, start, name):
        """Past the arguments that follow such a use, where it only names a function; or None."""
        use = self.macro_use(start, name)
        match = use and re.compile(r"\s*\(").match(self.code, use[1])
        return match and self.close(match.end() - 1)

    def arguments(self, start, end):
        """The argument ranges of a call or macro use that ends with its parenthesis."""
        return self.split(self.open(end - 1) + 1, end - 1, ",")

    # ---- conditions -----------------------------------------------------------------------------

    def enclosing_if(self, at, body):
        """(word if, start and end of what its parentheses hold) of the innermost if whose
        condition holds `at`."""
        for match in reversed(list(re.finditer(r"\bif\s*\(", self.code[body.start:at]))):
            start = body.start + match.end()
            end = self.close(start - 1) - 1
            if at < end:
                return body.start + match.start(), start, end
        return None

    def leaf(self, start, end, at):
        """The operand of && and || that holds `at`."""
        inner = self.bare(start, end)
        pieces = self.split(*inner, "&&", "||")
        if len(pieces) == 1:
            return inner
        return next((self.leaf(*piece, at) for piece in pieces if piece[0] <= at < piece[1]), None)

    def tested(self, start, end):
        """What a test tests, and whether it holds for NULL: `!(p = f())` -> (`p = f()`, True).
        None where only a macro's body could tell."""
        start, end = self.bare(start, end)
        text = self.code[start:end]
        zero = r"\(*\s*(?:\(\s*\w+\s*\*?\s*\)\s*)?(?:NULL|0|JNI_FALSE|FALSE|false)\s*\)*"
        for pattern, is_zero in ((rf"==\s*{zero}$", True), (rf"!=\s*{zero}$", False),
                                 (r"==\s*(JNI_TRUE|TRUE|true)$", False)):
            match = re.search(pattern, text)
            if match and len(self.split(start, end, "==", "!=")) == 2:
                return (*self.bare(start, start + match.start()), is_zero)
        match = re.match(rf"{zero}\s*([!=])=", text)
        if match and len(self.split(start, end, "==", "!=")) == 2:
            return (*self.bare(start + match.end(), end), match.group(1) == "=")
        call = re.match(r"(\w+)\s*\(", text)
        is_call = call and self.close(start + call.end() - 1) == end
        if text.startswith("!"):
            inner = self.tested(start + 1, end)
        elif is_call and re.search("is_?null$", call.group(1), re.IGNORECASE):
            inner = self.tested(*self.arguments(start, end)[-1])
        elif is_call and not re.search("Exception(Check|Occurred)", text):
            return None
        else:
            return start, end, False
        return inner and (inner[0], inner[1], not inner[2])
