# SPDX-License-Identifier: Apache-2.0
"""The notebooks run from anywhere, their numbers hold, and what they store is what they give.

`python tests/python/test_notebooks.py` runs them and stores their outputs afresh.
"""

import sys
from pathlib import Path

import nbformat
import pytest
import railwright as rw
from nbclient import NotebookClient

REPOSITORY = Path(__file__).resolve().parents[2]
NOTEBOOKS = REPOSITORY / "examples" / "notebooks"


def executed(path, folder):
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


def results(notebook, mime):
    """What the cells show as `mime`, in order."""
    return [
        output.data[mime]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type in ("execute_result", "display_data") and mime in output.data
    ]


def printed(notebook):
    return "".join(
        output.text
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stdout"
    )


# Each ends with a cell that asserts what its words say.
OTHERS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb") if path.stem != "nics_4_or_8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OTHERS)
def test_stored_outputs_are_fresh(name):
    path = NOTEBOOKS / f"{name}.ipynb"
    stored = nbformat.read(path, as_version=4)
    assert "assert" in stored.cells[-1].source
    fresh = executed(path, NOTEBOOKS)
    refresh = f"stale; run: python {Path(__file__).relative_to(REPOSITORY)}"
    assert results(stored, "text/plain") == results(fresh, "text/plain"), refresh
    assert printed(stored) == printed(fresh), refresh


# The kernel's own libraries warn on some versions of Python; ours are tested without a kernel.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("folder", [NOTEBOOKS, REPOSITORY])
def test_nics_4_or_8(folder, main_job):
    path = NOTEBOOKS / "nics_4_or_8.ipynb"
    stored = nbformat.read(path, as_version=4)
    fresh = executed(path, folder)
    tables = results(fresh, "text/html")
    assert tables[0] == main_job._repr_html_()
    assert len(results(fresh, "image/png")) == 4
    refresh = f"stale; run: python {Path(__file__).relative_to(REPOSITORY)}"
    assert results(stored, "text/html")[0] == tables[0], refresh
    assert printed(stored) == printed(fresh), refresh


def test_what_the_notebook_says(main_job):
    """Its words hold. Where a number moves so far that they do not, they have to change."""
    errors = main_job.errors
    assert errors.num_cells == 6
    assert errors.mean_absolute_error <= 0.02
    assert errors.largest_absolute_error <= 0.05
    losses = []
    for row in main_job.rows:
        eight, four = row.cells
        assert four.effect_s > 0, "four adapters are slower in every case"
        assert four.published_training_time_s > eight.published_training_time_s
        losses.append(four.result.training_time_s / eight.result.training_time_s - 1)
    assert losses[0] < losses[1] < losses[2], "for 7B the loss grows with the nodes"
    assert 1.15 < losses[3] / (244 / 230 - 1) < 1.35, "for 70B it is a quarter above the published"
    frame = main_job.assumptions_to_pandas().set_index("assumption")
    assert frame["mean_absolute_error"].max() > 4 * errors.mean_absolute_error
    assert frame["mean_absolute_error"]["recipe as written"] > 0.05


def test_what_eight_are_worth_as_the_notebook_says(examples):
    curves = rw.compare(examples / "nic-break-even.yaml", assumptions=False).curves
    batch, work = (
        {float(place.at): place.points[1].worth for place in curves[i].lines[0].places}
        for i in (1, 2)
    )
    assert batch[2] < 0.02 < batch[9] < 0.1 < batch[36] < 0.5
    assert all(0.002 < worth < 0.04 for nodes, worth in work.items() if nodes > 1)


def test_only_what_crosses_nodes_depends_on_the_adapters(main_job):
    for row in main_job.rows:
        eight, four = (cell.result.breakdown.to_dict() for cell in row.cells)
        slower = {cause for cause in eight if four[cause] > eight[cause] * (1 + 1e-6)}
        assert slower <= {
            "overlap_slowdown",  # computation beside the collectives
            "gradient_reduce",
            "parameter_gather",
            "pipeline_transfer",
            "pipeline_bubble",  # stages wait for one another's transfers
        }


def store(path):
    notebook = executed(path, path.parent)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for found in sys.argv[1:] or sorted(NOTEBOOKS.glob("*.ipynb")):
        store(Path(found))
