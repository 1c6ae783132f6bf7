# SPDX-License-Identifier: Apache-2.0
"""Results as pages."""

import json
import pickle

import railwright as rw


def content(path):
    inside = path.read_text(encoding="utf-8").partition('id="document">')[2]
    return json.loads(inside.partition("</script>")[0])


def test_a_simulation_is_the_page_of_the_program(seven_b, tmp_path, program):
    ours, theirs = tmp_path / "ours.html", tmp_path / "theirs.html"
    rw.simulate(seven_b, trace=True).report(ours)
    code, _, said = program("simulate", seven_b, "--report", theirs)
    assert code == 0, said
    assert ours.read_bytes() == theirs.read_bytes()
    assert sorted(tmp_path.iterdir()) == [ours, theirs]


def test_what_was_pickled_has_its_numbers(seven_b, tmp_path):
    result = pickle.loads(pickle.dumps(rw.estimate(seven_b)))
    result.report(tmp_path / "page.html")
    made = content(tmp_path / "page.html")
    assert made["document"] == result.to_dict()
    assert (made["verb"], made["version"]) == ("simulate", rw.__version__)


def test_comparisons(main_job, seven_b, tmp_path):
    main_job.report(str(tmp_path / "cases.html"))
    assert content(tmp_path / "cases.html")["verb"] == "compare"
    designs = rw.compare(seven_b, vary={"cluster.node.nics.count": [8, 4]}, estimate=True)
    designs.report(tmp_path / "designs.html")
    assert content(tmp_path / "designs.html")["document"] == designs.to_dict()
