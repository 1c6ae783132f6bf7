# SPDX-License-Identifier: Apache-2.0
"""Sweeps that end in all the wrong ways. Usage: sweep_test.py RAILWRIGHT REPOSITORY"""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing
from pathlib import Path

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
NEUTRAL = "examples/neutral-llama-2-7b.yaml"
OK, INTERNAL, BAD_INPUT, INFEASIBLE, INTERRUPTED = 0, 1, 2, 3, 130
BATCHES = ",".join(str(16 * i) for i in range(1, 61))
GRID = [
    *("--estimate", "--set", "cluster.storage=null", "--vary", "parallelism.tp=1,2,4,8"),
    *("--vary", "workload.micro_batch=1,2,3,4", "--vary", "cluster.node.nics.count=8,4,2,1"),
    *("--vary", "software.zero_stage=0,1,2,3", "--vary", "software.recompute=none,full"),
    *("--vary", f"workload.global_batch={BATCHES}"),
]
POINTS = 4 * 4 * 4 * 4 * 2 * 60
# Minutes of simulation.
SLOW = ["--vary", "workload.steps=" + ",".join(str(i) for i in range(1, 4000))]
FEW = ["--estimate", "--steps-only", "--vary", "parallelism.tp=1,2,3,4"]


def command(out, *arguments):
    return [PROGRAM, "sweep", NEUTRAL, "--out", str(out), *arguments]


def run(*arguments, program=None, **options):
    return subprocess.run(
        [PROGRAM, *arguments] if program is None else program,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        **options,
    )


def rows(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT * FROM points ORDER BY point").fetchall()


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def sweep(self, out, *arguments, code=OK, **options):
        result = run(program=command(out, *arguments), **options)
        self.assertEqual(result.returncode, code, result.stderr)
        if code in (INTERNAL, BAD_INPUT):
            self.assertNotIn("internal error", result.stderr)
            self.assertTrue(result.stderr.endswith("\n"))
        return result

    def whole(self):
        """The table that nothing came between, made once."""
        if not hasattr(Sweep, "rows_of_whole"):
            table = self.folder / "whole.sqlite"
            self.sweep(table, *GRID)
            Sweep.rows_of_whole = rows(table)
        return Sweep.rows_of_whole


class Ends(Sweep):
    def kill(self, table, times, chance, look):
        """Ends the sweep so many times, each a moment after it was begun, and begins it anew where
        it came to its end before. Looks at the table after every end."""
        killed = 0
        while killed < times:
            with subprocess.Popen(
                command(table, *GRID), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as program:
                time.sleep(chance.uniform(0.02, 1.0))
                program.send_signal(signal.SIGKILL)
            self.assertIn(program.returncode, (OK, -signal.SIGKILL))
            look(program.returncode == OK)
            if program.returncode == OK:
                table.unlink()
            killed += program.returncode == -signal.SIGKILL
        self.sweep(table, *GRID)
        look(True)

    def test_killed_at_random_moments(self):
        whole = self.whole()
        self.assertEqual([row[0] for row in whole], list(range(POINTS)))
        table = self.folder / "killed.sqlite"
        last = 0

        def look(is_done):
            nonlocal last
            if not table.exists() or table.stat().st_size == 0:
                return
            with closing(sqlite3.connect(table)) as database:
                begun = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            made = rows(table) if begun else []
            self.assertGreaterEqual(len(made), last)
            self.assertEqual(made, whole if is_done else [whole[row[0]] for row in made])
            last = 0 if is_done else len(made)

        self.kill(table, 16, random.Random(20240611), look)

    def test_text_killed_at_random_moments(self):
        chance = random.Random(7)
        for ending in (".csv", ".jsonl"):
            path, killed = self.folder / f"whole{ending}", self.folder / f"killed{ending}"
            self.sweep(path, *GRID)
            whole = path.read_bytes()
            self.assertEqual(len(whole.splitlines()), POINTS + (ending == ".csv"))

            def look(is_done, killed=killed, whole=whole):
                made = killed.read_bytes() if killed.exists() else b""
                self.assertTrue(made == whole if is_done else whole.startswith(made))

            self.kill(killed, 8, chance, look)

    def test_interrupted(self):
        table = self.folder / "interrupted.sqlite"
        with subprocess.Popen(
            command(table, *SLOW), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as program:
            while not (table.exists() and table.stat().st_size > 8192):
                time.sleep(0.05)
            time.sleep(0.5)
            program.send_signal(signal.SIGINT)
            _, said = program.communicate(timeout=60)
        self.assertEqual(program.returncode, INTERRUPTED, said)
        self.assertIn("run the same command again to resume", said)
        made = len(rows(table))
        self.assertGreater(made, 0)
        self.assertIn(f"interrupted after {made} of 3999 points", said)

    def test_full_disk(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

        whole = self.whole()
        for ending in (".sqlite", ".csv", ".jsonl"):
            table = self.folder / f"full{ending}"
            said = self.sweep(table, *GRID, code=INTERNAL, preexec_fn=small_files).stderr
            self.assertIn("committed rows are kept", said)
            self.assertLessEqual(table.stat().st_size, 400_000)
        self.sweep(self.folder / "full.sqlite", *GRID)
        self.assertEqual(rows(self.folder / "full.sqlite"), whole)

    def test_two_at_once(self):
        table = self.folder / "both.sqlite"
        with subprocess.Popen(
            command(table, *SLOW), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as program:
            while not (table.exists() and table.stat().st_size > 0):
                time.sleep(0.01)
            said = self.sweep(table, *SLOW, code=BAD_INPUT).stderr
            self.assertEqual(said, f"{table}: another process has it open\n")
            program.send_signal(signal.SIGINT)
        self.assertEqual(program.returncode, INTERRUPTED)


class Tables(Sweep):
    def test_corrupt(self):
        table = self.folder / "corrupt.sqlite"
        self.sweep(table, *GRID)
        content = bytearray(table.read_bytes())
        middle = len(content) // 2
        content[middle : middle + 40_000] = os.urandom(40_000)
        table.write_bytes(content)
        result = run(program=command(table, *GRID))
        self.assertIn(result.returncode, (INTERNAL, BAD_INPUT))
        self.assertIn("damaged", result.stderr)
        content[:100] = b"?" * 100
        table.write_bytes(content)
        said = self.sweep(table, *GRID, code=BAD_INPUT).stderr
        self.assertIn("is no SQLite database", said)
        self.assertEqual(table.read_bytes(), content)

    def test_cut_short(self):
        table = self.folder / "whole.sqlite"
        self.sweep(table, *FEW)
        whole = table.read_bytes()
        for missing in (1, 100, 4095, 4096, 5000):
            table.write_bytes(whole[:-missing])
            said = self.sweep(table, *FEW, code=BAD_INPUT).stderr
            self.assertIn(f"{table}: the database is damaged", said)
            piece = run("merge", str(self.folder / "all.sqlite"), str(table))
            self.assertEqual(piece.returncode, BAD_INPUT)
            self.assertIn(f"{table}: the database is damaged", piece.stderr)
            self.assertEqual(table.read_bytes(), whole[:-missing])
        table.write_bytes(whole)
        self.sweep(table, *FEW)

    def test_no_place(self):
        for place in ("/proc/table", str(self.folder / "none" / "table")):
            for ending in (".sqlite", ".csv", ".jsonl"):
                said = self.sweep(place + ending, *FEW, code=BAD_INPUT).stderr
                self.assertIn(place + ending, said)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_read_only_folder(self):
        self.folder.chmod(0o555)
        self.sweep(self.folder / "table.sqlite", *FEW, code=BAD_INPUT)
        self.folder.chmod(0o755)

    def test_other_question(self):
        table = self.folder / "table.sqlite"
        self.sweep(table, *FEW)
        before = rows(table)
        for other in (["--set", "workload.steps=7"], ["--vary", "workload.steps=1,2"]):
            said = self.sweep(table, *FEW, *other, code=BAD_INPUT).stderr
            self.assertIn("it answers another question", said)
        self.assertEqual(rows(table), before)

    def test_question_is_stored_once(self):
        table = self.folder / "table.sqlite"
        self.sweep(table, *FEW)
        with closing(sqlite3.connect(table)) as database:
            facts = dict(database.execute("SELECT key, value FROM question"))
            names = [column[1] for column in database.execute("PRAGMA table_info(points)")]
        self.assertIn("Llama 2 7B", facts["base_scenario"])
        self.assertEqual(facts["vary"], "parallelism.tp: [1, 2, 3, 4]\n")
        self.assertEqual(facts["num_points"], "4")
        self.assertEqual(names[:3], ["point", "parallelism.tp", "feasible"])
        self.assertIn("memory_per_accelerator_bytes", names)

    def test_nothing_left_behind(self):
        self.sweep(self.folder / "table.sqlite", *FEW)
        self.assertEqual(os.listdir(self.folder), ["table.sqlite"])


class Questions(Sweep):
    def test_unknown_keys(self):
        keys = ["--vary", "parallelism.tq=1,2", "--vary", "cluster.knode.x=1"]
        said = self.sweep("none", *keys, code=BAD_INPUT).stderr
        self.assertIn("parallelism.tq: unknown key; did you mean 'tp'?", said)
        self.assertIn("cluster.knode: unknown key", said)
        self.assertEqual(said.count("\n"), 2)

    def test_malformed(self):
        for arguments in (["--vary", "x"], ["--vary", "x="], ["--shard", "3/2"], []):
            self.sweep("none", *arguments, code=BAD_INPUT)
        self.sweep("table.txt", *FEW, code=BAD_INPUT)

    def test_nothing_feasible(self):
        big = ["--set", "workload.model=gpt-3-175b", "--vary", "parallelism.tp=1,2", "--estimate"]
        self.sweep("none", *big, code=INFEASIBLE)

    def test_summary(self):
        result = json.loads(self.sweep("none", *FEW, "--format", "json").stdout)
        self.assertEqual((result["points"], result["feasible"], result["errors"]), (4, 3, 1))
        self.assertEqual(result["shortest_step"]["settings"], ["parallelism.tp=1"])
        self.assertTrue(result["complete"])
        self.assertIn("writer_share", result)

    def test_a_row_is_what_simulate_says_of_its_point(self):
        """Sixty points of a pipeline with tensor parallelism, drawn from 108: time, parts, power."""
        example = "examples/llama-2-70b-six-nodes.yaml"
        table = self.folder / "points.jsonl"
        keys = {
            "parallelism.tp": (4, 8),
            "parallelism.virtual_stages": (1, 10, 20),
            "workload.global_batch": (24, 48, 144),
            "cluster.node.nics.count": (2, 4, 8),
            "software.overlap_gradient_reduce": ("true", "false"),
        }
        words = ["sweep", example, "--estimate", "--out", str(table)]
        for key, values in keys.items():
            words += ["--vary", f"{key}={','.join(map(str, values))}"]
        result = run(*words)
        self.assertEqual(result.returncode, OK, result.stderr)
        points = [json.loads(line) for line in table.read_text().splitlines()]
        self.assertEqual(len(points), 108)
        num_compared = 0
        for row in random.Random(18).sample(points, 60):
            words = ["simulate", example, "--estimate", "--format", "json"]
            for key in keys:
                words += ["--set", f"{key}={json.dumps(row[key])}"]
            made = run(*words)
            with self.subTest(point=row["point"]):
                if row["error"]:
                    self.assertEqual(made.returncode, BAD_INPUT)
                    continue
                answer = json.loads(made.stdout)
                self.assertEqual(row["feasible"], answer["feasible"])
                said = {
                    "step_time_s": answer["step_time_s"],
                    "training_time_s": answer["training_time_s"],
                    "memory_per_accelerator_bytes": answer["memory_per_accelerator_bytes"],
                    "mean_power_w": answer["power"]["mean_power_w"],
                }
                for part, seconds in answer["breakdown"].items():
                    said[f"breakdown_{part}_s"] = seconds
                for key, value in said.items() if row["feasible"] else ():
                    # Sums of the same numbers in another order differ in their last digits.
                    self.assertAlmostEqual(row[key], value, delta=1e-9 * abs(value), msg=key)
                num_compared += row["feasible"]
        self.assertGreater(num_compared, 20)

    def test_simulated_rows(self):
        table = self.folder / "table.sqlite"
        self.sweep(table, "--vary", "parallelism.tp=1,2")
        with closing(sqlite3.connect(table)) as database:
            times = database.execute("SELECT step_time_s, training_time_s FROM points").fetchall()
        for tp, (step, training) in zip((1, 2), times):
            said = run("simulate", NEUTRAL, "--set", f"parallelism.tp={tp}", "--format", "json").stdout
            self.assertEqual(json.loads(said)["step_time_s"], step)
            self.assertEqual(json.loads(said)["training_time_s"], training)


class Shards(Sweep):
    def pieces(self, count, *arguments):
        made = [self.folder / f"piece{i}.sqlite" for i in range(1, count + 1)]
        for i, piece in enumerate(made, 1):
            self.sweep(piece, *arguments, "--shard", f"{i}/{count}")
        return [str(piece) for piece in made]

    def test_merged_is_whole(self):
        out = self.folder / "merged.sqlite"
        pieces = self.pieces(3, *GRID)
        self.assertEqual(run("merge", str(out), *pieces).returncode, OK)
        self.assertEqual(rows(out), self.whole())
        slashes = run("merge", str(out), *("/" + str(piece) for piece in pieces))
        self.assertEqual((slashes.returncode, slashes.stderr), (OK, ""))
        again = run("merge", str(out), *pieces, "--format", "json")
        self.assertEqual((again.returncode, json.loads(again.stdout)["added"]), (OK, 0))

    def test_missing_is_said(self):
        out = self.folder / "merged.sqlite"
        pieces = self.pieces(2, *FEW)
        result = run("merge", str(out), pieces[0])
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("2 missing: 1, 3", result.stdout)
        self.assertIn("2 of 4 points are missing", result.stderr)
        self.sweep(out, *FEW)
        self.assertEqual(len(rows(out)), 4)

    def test_what_does_not_belong_together(self):
        out = self.folder / "merged.sqlite"
        pieces = self.pieces(2, *FEW)
        other = self.folder / "other.sqlite"
        self.sweep(other, *FEW, "--set", "workload.steps=9")
        said = run("merge", str(out), *pieces, str(other)).stderr
        self.assertIn("it answers another question", said)
        self.assertFalse(out.exists())
        with closing(sqlite3.connect(pieces[1])) as database, database:
            columns = len(list(database.execute("PRAGMA table_info(points)")))
            marks = ", ".join(["0"] + ["NULL"] * (columns - 1))
            database.execute(f"INSERT INTO points VALUES ({marks})")
        result = run("merge", str(out), *pieces)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("point 0 has other values", result.stderr)
        result = run("merge", str(out), str(self.folder / "none.sqlite"), str(ROOT / NEUTRAL))
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("none.sqlite: no such file", result.stderr)
        self.assertIn("is no SQLite database", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
