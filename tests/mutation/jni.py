# SPDX-License-Identifier: Apache-2.0
"""What the specification says about each JNI function: rules/jni_functions.def, read as a table."""

import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^JG_JNI_(?:FUNCTION|VARIADIC)\((\w+),\s*\w+,\s*([^,]*?),\s*(\w+),\s*(\w+),"
                 r"\s*([\w| ]+?),\s*(.*)\)$", re.MULTILINE)
PARAM = re.compile(r"JG_PARAM\(([^,]*),\s*\w+,\s*(\w+),\s*(\w+)\)")

BUFFERS = {"ELEMENTS", "CHARS", "UTF_CHARS"}
CRITICALS = {"CRITICAL", "STRING_CRITICAL"}
GLOBALS = {"GLOBAL", "WEAK"}


class Jni(NamedTuple):
    """One function; parameters count from 1, as env is argument 0."""
    name: str
    type: str        # of the result, in C
    result: str      # LOCAL, ELEMENTS, STATUS...
    null_class: str  # THROWS, UNSPECIFIED, NORMAL or NONE
    flags: frozenset # THROWS, PENDING_OK, TESTS...
    roles: tuple     # of each parameter: REF, RELEASE, MODE...
    types: tuple     # in C, of each parameter
    not_null: tuple  # positions of the arguments that may not be NULL

    def position(self, role):
        """The argument with that role, or None."""
        return self.roles.index(role) + 1 if role in self.roles else None


def read_table(text):
    table = {}
    for name, type_, result, null_class, flags, params in ROW.findall(text):
        params = PARAM.findall(params)
        table[name] = Jni(name, type_, result, null_class,
                          frozenset(re.findall(r"[A-Z_]+", flags)),
                          tuple(role for _, role, _ in params),
                          tuple(type_ for type_, _, _ in params),
                          tuple(i for i, (*_, null) in enumerate(params, 1)
                                if null == "NOT_NULL"))
    return table


TABLE = read_table((ROOT / "rules" / "jni_functions.def").read_text())
