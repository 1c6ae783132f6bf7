# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence

__version__: str

def simulate(
    source: str,
    is_json: bool,
    settings: Sequence[str],
    estimate: bool,
    unfolded: bool,
    load: bool,
    roots: Sequence[str],
) -> str: ...
def compare(
    source: str,
    is_json: bool,
    settings: Sequence[str],
    estimate: bool,
    assumptions: bool,
    roots: Sequence[str],
) -> str: ...
def validate(path: str, roots: Sequence[str]) -> str: ...
