# SPDX-License-Identifier: Apache-2.0
"""Bad input raises ConfigError with every problem at its place, as the program says it."""

import pickle

import pytest
import railwright as rw

BAD = """\
name: Two problems
workload:
  model: llama-2-7c
  sequence_length: 4096
  global_batch: 144
  micro_batch: 1
  steps: 500
cluster:
  nodes: 0
  node: {model: xe9680-h100, nics: {nic: connectx-7, count: 8}}
  fabric: {topology: single_switch, switch: qm9790}
software: nemo-23.11
"""


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(BAD, encoding="utf-8")
    return path


def test_every_problem_at_its_place(bad, program):
    with pytest.raises(rw.ConfigError) as caught:
        rw.simulate(bad)
    error = caught.value
    assert isinstance(error, ValueError)
    workload, nodes = error.diagnostics
    assert (workload.file, workload.line, workload.column) == (str(bad), 3, 10)
    assert workload.path == "workload.model"
    assert "llama-2-7c" in workload.message
    assert workload.hint.startswith("did you mean 'llama-2-7b'?")
    assert (nodes.file, nodes.line, nodes.column) == (str(bad), 9, 10)
    assert nodes.path == "cluster.nodes"
    code, out, err = program("simulate", bad)
    assert (code, out) == (2, "")
    assert all(line in err for line in str(error).splitlines())


def test_problems_of_a_dict_have_a_path_and_no_line():
    with pytest.raises(rw.ConfigError) as caught:
        rw.simulate({"name": "nothing else", "workload": {"modle": "llama-2-7b"}})
    diagnostics = caught.value.diagnostics
    assert "workload.modle" in [one.path for one in diagnostics]
    assert len(diagnostics) > 3, "the keys that are missing, too"
    assert {(one.file, one.line, one.column) for one in diagnostics} == {("<dict>", 0, 0)}
    assert str(caught.value).startswith("<dict>: ")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(rw.ConfigError, match="no such file"):
        rw.simulate(tmp_path / "missing.yaml")


def test_a_syntax_error_is_placed(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text("name: [1, 2\nworkload: 3\n", encoding="utf-8")
    with pytest.raises(rw.ConfigError) as caught:
        rw.simulate(path)
    (problem,) = caught.value.diagnostics
    assert problem.file == str(path) and problem.line == 2


def test_a_bad_setting_is_placed_at_the_setting(seven_b):
    with pytest.raises(rw.ConfigError) as caught:
        rw.simulate(seven_b, set=["cluster.nodes=many"])
    (problem,) = caught.value.diagnostics
    assert problem.file == "--set cluster.nodes=many" and problem.path == "cluster.nodes"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_none(number):
    with pytest.raises(rw.ConfigError) as caught:
        rw.simulate({"cluster": {"nodes": number}})
    assert any(one.path == "cluster.nodes" for one in caught.value.diagnostics)


def test_compare_needs_a_comparison(seven_b):
    with pytest.raises(rw.ConfigError, match="comparison"):
        rw.compare(seven_b)


def test_an_unknown_suite():
    with pytest.raises(rw.ConfigError, match="no suite of this name; known: collectives, documents, kernels, outside") as caught:
        rw.validate("nothing")
    assert caught.value.diagnostics[0].file == "nothing"


def test_lists_of_nothing(tmp_path):
    for call in (lambda: rw.compare([]), lambda: rw.import_([]), lambda: rw.merge(tmp_path / "a.sqlite", [])):
        with pytest.raises(rw.ConfigError, match="no (scenario|file|table) to "):
            call()
    assert not list(tmp_path.iterdir())


def test_an_empty_list_of_values(seven_b):
    for verb in (rw.compare, rw.sweep):
        with pytest.raises(rw.ConfigError, match="expected key=a,b,c"):
            verb(seven_b, vary={"cluster.nodes": []})


@pytest.mark.parametrize("threads", [-1, 1025])
def test_threads_that_are_none(seven_b, threads):
    for call in (
        lambda: rw.simulate(seven_b, threads=threads),
        lambda: rw.estimate(seven_b, threads=threads),
        lambda: rw.compare(seven_b, vary={"cluster.nodes": [1, 2]}, threads=threads),
        lambda: rw.explain(seven_b, threads=threads),
        lambda: rw.search(seven_b, threads=threads),
        lambda: rw.size(seven_b, threads=threads),
        lambda: rw.sweep(seven_b, vary={"cluster.nodes": [1, 2]}, threads=threads),
        lambda: rw.calibrate("published", threads=threads),
    ):
        with pytest.raises(rw.ConfigError, match=f"threads={threads}: expected a whole number"):
            call()


def test_numbers_of_a_search_that_are_none(seven_b):
    with pytest.raises(rw.ConfigError, match="top=0: expected a whole number from 1 to 1000"):
        rw.search(seven_b, top=0)
    with pytest.raises(rw.ConfigError, match="simulate=-1: expected"):
        rw.search(seven_b, simulate=-1)


def test_errors_pickle(bad):
    with pytest.raises(rw.ConfigError) as caught:
        rw.simulate(bad)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.diagnostics == caught.value.diagnostics
