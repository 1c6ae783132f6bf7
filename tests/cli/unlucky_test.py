# SPDX-License-Identifier: Apache-2.0
"""Full disks, folders that may not be written, damaged tables: for every verb that writes.
Usage: unlucky_test.py RAILWRIGHT REPOSITORY"""

import json
import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import closing
from pathlib import Path

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
UNDER_SANITIZER = b"__asan_init" in Path(PROGRAM).read_bytes()
NEUTRAL = "examples/neutral-llama-2-7b.yaml"
SAMPLE = "tests/importers/samples/hugging_face/llama-3-8b.json"
SAVED = "examples/powerscale-checkpoints.yaml"
OK, INTERNAL, BAD_INPUT, INFEASIBLE = range(4)
FEW = ["--estimate", "--steps-only", "--vary", "parallelism.tp=1,2,3,4"]
NOBODY = 65534
# Verbs that write a file beside their result, all but its name, and how many bytes it has at least.
WRITERS = [
    (["simulate", NEUTRAL, "--estimate", "--report"], "report.html", 100_000),
    (["simulate", NEUTRAL, "--trace"], "trace.json", 10_000),
    (["simulate", SAVED, "--estimate", "--load"], "load.csv", 1000),
    (["simulate", SAVED, "--estimate", "--load"], "load.json", 1000),
    (["compare", NEUTRAL, "--estimate", "--vary", "parallelism.tp=1,2", "--report"], "c.html", 100_000),
    (["topology", NEUTRAL, "--dot"], "fabric.dot", 1000),
    (["import", "hugging-face", SAMPLE, "--out"], "imported.yaml", 100),
    (["calibrate", "examples/measured/megatron.log", "--scenario", NEUTRAL, "--out"], "site.yaml", 300),
]  # fmt: skip
TABLES = (".sqlite", ".csv", ".jsonl")


def run(*arguments, program=PROGRAM, **options):
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT, **options}
    return subprocess.run([program, *arguments], text=True, timeout=280, **given)


def copy_for_all(folder):
    """The program, its catalogue, and files that tests read, where every user may read them."""
    program = folder / "bin/railwright"
    program.parent.mkdir()
    shutil.copy(PROGRAM, program)
    shutil.copytree(ROOT / "models/catalogue", folder / "share/railwright/catalogue")
    shutil.copytree(ROOT / "examples", folder / "work/examples")
    (folder / "work" / SAMPLE).parent.mkdir(parents=True)
    shutil.copy(ROOT / SAMPLE, folder / "work" / SAMPLE)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path == program else 0o644)
    return str(program), folder / "work"


def limited(num_bytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (num_bytes, num_bytes))

    return limit


class Unlucky(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def fails(self, *arguments, code, **options):
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, code, (arguments, result.stderr))
        self.assertTrue(result.stderr.endswith("\n"))
        self.assertNotIn("internal error", result.stderr)
        return result.stderr

    def sweep(self, table):
        result = run("sweep", NEUTRAL, "--out", str(table), *FEW)
        self.assertEqual(result.returncode, OK, result.stderr)


class FullDisk(Unlucky):
    def test_nothing_half_written_stays(self):
        for words, name, size in WRITERS:
            with self.subTest(words):
                path = self.folder / name
                path.write_text("what stood there before")
                said = self.fails(*words, str(path), code=INTERNAL, preexec_fn=limited(size // 2))
                self.assertIn(f"{path}: cannot be written: File too large", said)
                self.assertEqual(os.listdir(self.folder), [name])
                self.assertEqual(path.read_text(), "what stood there before")
                path.unlink()

    def test_with_room_it_is_written(self):
        for words, name, size in WRITERS:
            with self.subTest(words):
                result = run(*words, str(self.folder / name))
                self.assertEqual(result.returncode, OK, result.stderr)
                self.assertGreater((self.folder / name).stat().st_size, size)

    def test_output(self):
        for words in (["simulate", NEUTRAL, "--estimate"], ["schema"], ["catalogue", "list"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                said = self.fails(*words, code=INTERNAL, stdout=full)
            self.assertIn("cannot be written: No space left on device", said)

    def test_a_table_that_cannot_begin(self):
        for ending in TABLES:
            table = self.folder / f"table{ending}"
            words = ["sweep", NEUTRAL, "--out", str(table), *FEW]
            result = run(*words, preexec_fn=limited(1000))
            self.assertIn(result.returncode, (INTERNAL, BAD_INPUT))
            self.assertIn(str(table), result.stderr)
            self.assertEqual([p for p in os.listdir(self.folder) if p.endswith(".part")], [])
            self.sweep(table)

    def test_merged_table(self):
        pieces = [str(self.folder / f"{i}.sqlite") for i in (1, 2)]
        for i, piece in enumerate(pieces, 1):
            run("sweep", NEUTRAL, "--out", piece, *FEW, "--shard", f"{i}/2")
        out = self.folder / "merged.sqlite"
        result = run("merge", str(out), *pieces, preexec_fn=limited(6000))
        self.assertIn(result.returncode, (INTERNAL, BAD_INPUT))
        self.assertIn(str(out), result.stderr)
        self.assertEqual(run("merge", str(out), *pieces).returncode, OK)
        with closing(sqlite3.connect(out)) as database:
            self.assertEqual(database.execute("SELECT count(*) FROM points").fetchone(), (4,))


class Places(Unlucky):
    def as_another_user(self):
        """How to run the program as a user whom its folders do not let through, if we are root."""
        if os.geteuid() != 0:
            return {}
        if not hasattr(Places, "within_reach"):
            folder = tempfile.TemporaryDirectory()
            self.addClassCleanup(folder.cleanup)
            Places.within_reach = copy_for_all(Path(folder.name))
        program, work_folder = Places.within_reach
        return {"program": program, "cwd": work_folder, "preexec_fn": self.become_nobody}

    @staticmethod
    def become_nobody():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    def test_read_only_folder(self):
        another = self.as_another_user()
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        outs = [(words, name) for words, name, _ in WRITERS]
        outs += [(["sweep", NEUTRAL, *FEW, "--out"], f"table{ending}") for ending in TABLES]
        for words, name in outs:
            with self.subTest(words):
                path = str(self.folder / name)
                said = self.fails(*words, path, code=BAD_INPUT, **another)
                self.assertIn(path, said)
        self.assertEqual(os.listdir(self.folder), [])

    def test_read_only_table(self):
        another = self.as_another_user()
        self.folder.chmod(0o755)
        for ending in TABLES:
            table = self.folder / f"table{ending}"
            words = ["sweep", NEUTRAL, "--out", str(table), *FEW]
            self.assertEqual(run(*words, "--shard", "1/2").returncode, OK)
            table.chmod(0o444)
            before = table.read_bytes()
            result = run(*words, **another)
            self.assertIn(result.returncode, (INTERNAL, BAD_INPUT), ending)
            self.assertIn(str(table), result.stderr)
            self.assertEqual(table.read_bytes(), before)

    def test_a_pipe_stays_a_pipe(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
        reader.start()
        result = run("topology", NEUTRAL, "--dot", str(pipe))
        reader.join()
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))
        self.assertIn("graph", read[0])

    def test_standard_output_is_a_place(self):
        result = run("topology", NEUTRAL, "--dot", "/dev/stdout")
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("graph", result.stdout)

    def test_a_link_stays_a_link(self):
        link, target = self.folder / "link.dot", self.folder / "target.dot"
        target.write_text("old")
        link.symlink_to(target)
        self.assertEqual(run("topology", NEUTRAL, "--dot", str(link)).returncode, OK)
        self.assertTrue(link.is_symlink())
        self.assertIn("graph", target.read_text())

    def test_a_folder_is_no_file(self):
        for words, _, _ in WRITERS:
            said = self.fails(*words, str(self.folder), code=BAD_INPUT)
            self.assertIn(f"{self.folder}: cannot be written: Is a directory", said)
        self.assertEqual(os.listdir(self.folder), [])


class BrokenStreams(Unlucky):
    """Standard output or error that is closed, or that nobody reads."""

    VERBS = [
        ["simulate", NEUTRAL, "--estimate"],
        ["compare", NEUTRAL, "--estimate", "--vary", "parallelism.tp=1,2"],
        ["topology", NEUTRAL],
        ["topology", NEUTRAL, "--dot", "/dev/stdout"],
        ["sweep", NEUTRAL, "--out", "none", *FEW],
        ["explain", NEUTRAL, "--estimate"],
        ["merge", "--help"],
        ["calibrate", "examples/measured/megatron.log", "--scenario", NEUTRAL],
        ["catalogue", "list"],
        ["schema"],
        ["--help"],
        ["--version"],
        ["serve", NEUTRAL],
    ]

    def test_nobody_reads_the_output(self):
        for words in self.VERBS:
            with self.subTest(words):
                read, write = os.pipe()
                os.close(read)
                result = run(*words, stdout=write)
                os.close(write)
                self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))

    def test_nobody_reads_the_errors(self):
        read, write = os.pipe()
        os.close(read)
        self.assertEqual(run("simulate", "absent.yaml", stderr=write).returncode, BAD_INPUT)
        self.assertEqual(run("catalogue", "list", stderr=write).returncode, OK)
        os.close(write)

    def test_closed_output_is_said_and_damages_no_file(self):
        for words, name, _ in WRITERS:
            with self.subTest(words):
                path = self.folder / name
                whole = run(*words, str(path))
                content = path.read_bytes()
                result = run(*words, str(path), stdout=None, preexec_fn=lambda: os.close(1))
                if whole.stdout:
                    self.assertEqual(result.returncode, INTERNAL)
                    self.assertIn("the result cannot be written", result.stderr)
                self.assertEqual(path.read_bytes(), content)

    def test_closed_errors_damage_no_file(self):
        path = self.folder / "fabric.dot"
        words = ["topology", NEUTRAL, "--dot", str(path)]
        close = {"stderr": None, "preexec_fn": lambda: os.close(2)}
        self.assertEqual(run(*words, **close).returncode, OK)
        self.assertTrue(path.read_text().rstrip().endswith("}"))


class Texts(Unlucky):
    def test_a_table_of_runs_in_another_encoding(self):
        table = self.folder / "runs.csv"
        table.write_bytes("name,step_time_s\nd\u00e9but,3\n".encode("latin-1"))
        words = ["calibrate", str(table), "--scenario", NEUTRAL, "--format", "json"]
        self.assertIn(f"{table}:2:2: not valid UTF-8", self.fails(*words, code=BAD_INPUT))

    def test_a_value_of_two_lines_can_be_resumed(self):
        scenario = self.folder / "lines.yaml"
        vary = '{vary: [{key: name, values: ["a\\nb", "c\\r\\nd", e]}]}'
        scenario.write_text(f"{(ROOT / NEUTRAL).read_text()}\nsweep: {vary}\n")
        for ending in TABLES:
            table = self.folder / f"table{ending}"
            words = ["sweep", str(scenario), "--out", str(table), "--estimate", "--steps-only"]
            first = run(*words)
            self.assertEqual(first.returncode, OK, first.stderr)
            before = table.read_bytes()
            again = run(*words)
            self.assertEqual(again.returncode, OK, again.stderr)
            self.assertIn("3 were there, 0 made", again.stdout)
            self.assertEqual(table.read_bytes(), before)


class Machine(Unlucky):
    """What is no mistake of the input has words of its own."""

    def test_too_little_memory(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (60 << 20, 60 << 20))

        words = ["topology", NEUTRAL, "--set", "cluster.nodes=65536"]
        if run("--version", preexec_fn=little).returncode != OK:
            self.skipTest("an instrumented program needs more than that to start")
        said = self.fails(*words, code=INTERNAL, preexec_fn=little)
        self.assertIn("out of memory", said)

    @unittest.skipIf(UNDER_SANITIZER, "its check of types opens a pipe, and finds no memory without one")
    def test_a_sweep_needs_no_file_that_it_has_read(self):
        """From some point on no file can be opened, as where a disk goes away for a while: the
        catalogue is kept, so every row is there and none holds an error of the machine."""
        table = self.folder / "table.csv"
        words = ["sweep", NEUTRAL, "--out", str(table), "--threads", "1", "--steps-only"]
        batches = ",".join(str(64 * i) for i in range(1, 401))
        process = subprocess.Popen(
            [PROGRAM, *words, "--vary", f"workload.global_batch={batches}"],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        while not table.exists() or table.read_text().count("\n") < 2:
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (3, 3))
        said = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, OK, said)
        rows = table.read_text()
        self.assertNotIn("opened", rows)
        self.assertEqual(rows.count("\n"), 401)

    def test_removed_working_directory(self):
        gone = self.folder / "gone"
        gone.mkdir()
        program = [PROGRAM, "simulate", str(ROOT / NEUTRAL), "--estimate"]
        line = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
        result = subprocess.run(
            ["sh", "-c", line, "sh", str(gone), *program], capture_output=True, text=True
        )
        self.assertNotIn("internal error", result.stderr)
        if result.returncode != OK:
            self.assertIn("the working directory: cannot be read", result.stderr)

    def test_a_pipe_that_nothing_reads(self):
        pipe = self.folder / "pipe.csv"
        os.mkfifo(pipe)
        for words, _, _ in WRITERS[-2:]:
            said = self.fails(*words, str(pipe), code=BAD_INPUT)
            self.assertIn("nothing reads this pipe", said)
        said = self.fails("sweep", NEUTRAL, "--out", str(pipe), *FEW, code=BAD_INPUT)
        self.assertIn("a pipe or a device", said)

    def test_a_signal_leaves_nothing_half_written(self):
        """A `dot` that never ends stands for a slow disk."""
        slow = self.folder / "bin" / "dot"
        slow.parent.mkdir()
        slow.write_text("#!/bin/sh\ntouch $0.started\nexec sleep 100\n")
        slow.chmod(0o755)
        svg = self.folder / "out" / "fabric.svg"
        svg.parent.mkdir()
        path = {**os.environ, "PATH": f"{slow.parent}:{os.environ['PATH']}"}
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen(
                [PROGRAM, "topology", NEUTRAL, "--svg", str(svg)],
                cwd=ROOT, env=path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            started = slow.with_name("dot.started")
            while not started.exists():
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            started.unlink()
            process.send_signal(number)
            said = process.communicate(timeout=60)[1]
            self.assertEqual((process.returncode, said), (130, "interrupted; nothing was written\n"))
            self.assertEqual(os.listdir(svg.parent), [])


class StorageDown(Unlucky):
    """Half of the storage is down, and it does without none."""

    SHARED = "examples/storage-on-infiniband.yaml"
    OFF = "more storage nodes are down than their protection survives"

    def result(self, *settings, code):
        words = [word for setting in settings for word in ("--set", setting)]
        result = run("simulate", self.SHARED, "--estimate", "--format", "json", *words)
        self.assertEqual((result.returncode, result.stderr), (code, ""))
        return json.loads(result.stdout)

    def test_for_ever(self):
        incident = "run.incidents=[{time: 0 s, component: storage_node}]"
        self.assertIn(self.OFF, self.result(incident, code=INFEASIBLE)["infeasible"][0])

    def test_longer_than_the_run_can_wait(self):
        fleet = "description: x, detection: 1 min, replacement: 1 min, restart: 1 min"
        fails = "failures: [{component: storage_node, mtbf: 10 min}]"
        reliability = f"reliability={{name: x, {fleet}, repair: 30 day, {fails}}}"
        result = self.result(reliability, "run.replicas=2", code=INFEASIBLE)
        self.assertIn("2 of 2 simulated runs never finish: " + self.OFF, result["infeasible"][0])

    def test_failures_without_a_pause(self):
        fleet = "description: x, detection: 1 min, replacement: 1 min, restart: 1 min"
        for component in ("accelerator", "software", "storage_node"):
            failures = f"repair: 1 h, failures: [{{component: {component}, mtbf: 1 ns}}]"
            said = self.result(f"reliability={{name: x, {fleet}, {failures}}}", code=INFEASIBLE)
            self.assertIn("simulated runs never finish", said["infeasible"][0])

    def test_until_it_is_repaired(self):
        fleet = "description: x, detection: 1 min, replacement: 1 min, restart: 1 min"
        reliability = f"reliability={{name: x, {fleet}, repair: 1 h, failures: []}}"
        incident = "run.incidents=[{time: 0 s, component: storage_node}]"
        before = self.result(code=OK)["training_time_s"]
        after = self.result(reliability, incident, code=OK)["training_time_s"]
        self.assertAlmostEqual(after - before, 3600, delta=60)

    def test_one_of_several_jobs_with_targets(self):
        jobs = "examples/three-jobs-one-powerscale.yaml"
        targets = "jobs.0.run.targets.checkpoints_kept=6"
        said = self.fails("simulate", jobs, "--estimate", "--set", targets, code=BAD_INPUT)
        self.assertIn("jobs[0].run.targets: has no effect", said)


class DamagedTables(Unlucky):
    def test_cut_database(self):
        whole = self.folder / "whole.sqlite"
        self.sweep(whole)
        content = whole.read_bytes()
        for length in (99, 5000, len(content) // 2, len(content) - 4096):
            table = self.folder / "cut.sqlite"
            table.write_bytes(content[:length])
            words = ["sweep", NEUTRAL, "--out", str(table), *FEW]
            result = run(*words)
            self.assertIn(result.returncode, (INTERNAL, BAD_INPUT), length)
            self.assertIn(str(table), result.stderr)
            self.assertNotIn("internal error", result.stderr)
            merged = self.folder / "merged.sqlite"
            result = run("merge", str(merged), str(table), str(whole))
            self.assertIn(result.returncode, (INTERNAL, BAD_INPUT), length)
            self.assertIn(str(table), result.stderr)
            self.assertFalse(merged.exists())

    def test_cut_text_goes_on(self):
        for ending in (".csv", ".jsonl"):
            table = self.folder / f"table{ending}"
            self.sweep(table)
            content = table.read_bytes()
            for length in range(1, len(content), 97):
                table.write_bytes(content[:length])
                result = run("sweep", NEUTRAL, "--out", str(table), *FEW)
                if result.returncode == OK:
                    self.assertEqual(table.read_bytes(), content, length)
                else:
                    self.assertEqual(result.returncode, BAD_INPUT, result.stderr)
                    self.assertEqual(table.read_bytes(), content[:length])

    def test_cut_question(self):
        table = self.folder / "table.csv"
        self.sweep(table)
        question = self.folder / "table.csv.question.json"
        for content in (b"", b"{", b"[1, 2]", b"\xff\xfe", b'{"fingerprint": 3}'):
            question.write_bytes(content)
            before = table.read_bytes()
            said = self.fails("sweep", NEUTRAL, "--out", str(table), *FEW, code=BAD_INPUT)
            self.assertIn(str(table), said)
            self.assertEqual(table.read_bytes(), before)

    def test_another_database(self):
        table = self.folder / "table.sqlite"
        with closing(sqlite3.connect(table)) as database, database:
            database.execute("CREATE TABLE things (name TEXT)")
        before = table.read_bytes()
        said = self.fails("sweep", NEUTRAL, "--out", str(table), *FEW, code=BAD_INPUT)
        self.assertIn(str(table), said)
        self.assertEqual(table.read_bytes(), before)

    def test_a_table_in_use_is_not_merged_into(self):
        table, piece = self.folder / "table.sqlite", self.folder / "piece.sqlite"
        self.sweep(table)
        self.sweep(piece)
        with closing(sqlite3.connect(table)) as database:
            database.execute("BEGIN EXCLUSIVE")
            said = self.fails("merge", str(table), str(piece), code=BAD_INPUT)
        self.assertIn(f"{table}: another process has it open", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
