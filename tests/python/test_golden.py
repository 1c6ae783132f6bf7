# SPDX-License-Identifier: Apache-2.0
"""The numbers of tests/golden, which have formulas of their own, by the Python package."""

import json

import pytest
import railwright as rw
from conftest import REPOSITORY

GOLDEN = json.loads((REPOSITORY / "tests/golden/golden.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_numbers_are_those_of_the_textbook(case):
    result = rw.simulate(REPOSITORY / GOLDEN["scenario"], set=case["settings"], estimate=True)
    found = result.to_dict()
    found |= found["memory"]
    found["checkpoint_bytes"] = found["storage"]["checkpoint_bytes"]
    found["model_flops_per_step"] = (
        found["model_flops_utilization"]
        * found["step_time_s"]
        * found["num_accelerators"]
        * GOLDEN["peak_flops"]
    )
    for key, expected in case["expected"].items():
        assert found[key] == pytest.approx(expected, rel=GOLDEN["relative_tolerance"]), key
