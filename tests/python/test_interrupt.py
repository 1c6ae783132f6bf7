# SPDX-License-Identifier: Apache-2.0
"""Long calls leave other threads running, and end with Ctrl-C."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time

import pytest
import railwright as rw

LONG = {
    "search": "rw.search({scenario!r}, simulate=3)",
    "sweep": "rw.sweep({scenario!r}, {{'workload.steps': range(1, 4000)}}, out={out!r})",
    "sweep in memory": "rw.sweep({scenario!r}, {{'workload.steps': range(1, 4000)}})",
    "calibrate a suite": "rw.calibrate('published')",
    "validate": "rw.validate('published')",
    "simulate": "[rw.simulate({scenario!r}, unfolded=True) for _ in range(1000)]",
    "simulate a service": "rw.simulate({scenario!r}, set=['inference.load.requests=10000000'])",
}
SCENARIOS = {
    "search": "search-gpt3-175b-1024-a100",
    "simulate a service": "serving-llama-3.3-70b",
}


@pytest.mark.parametrize("verb", LONG)
def test_ctrl_c_ends_a_long_call(verb, examples, tmp_path):
    name = SCENARIOS.get(verb, "neutral-llama-2-7b")
    out = tmp_path / "t.sqlite"
    call = LONG[verb].format(scenario=str(examples / f"{name}.yaml"), out=str(out))
    repeated = f"while True: {call}" if verb == "search" else call
    program = textwrap.dedent(f"""
        import signal
        import railwright as rw
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & has it ignored
        print("ready", flush=True)
        try:
            {repeated}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    try:
        rest, err = child.communicate(timeout=60)
    finally:
        child.kill()
    assert (rest, err, child.returncode) == ("interrupted\n", "", 0)
    if verb == "sweep":
        with sqlite3.connect(out) as database:
            (rows,) = database.execute("SELECT count(*) FROM points").fetchone()
        assert 0 < rows < 3999, "what was made is there"


def test_other_threads_go_on(examples):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    rw.search(examples / "search-gpt3-175b-1024-a100.yaml", simulate=1)
    end = time.monotonic()
    done.set()
    thread.join()
    during = [one for one in ticks if start < one < end]
    assert len(during) > (end - start) / 0.5, "at least two a second"


def test_an_exception_of_progress_ends_the_call(examples):
    class Enough(Exception):
        pass

    def progress(what, done, of):
        raise Enough(what)

    with pytest.raises(Enough):
        rw.sweep(
            examples / "neutral-llama-2-7b.yaml",
            {"workload.steps": range(1, 2000)},
            progress=progress,
        )


def test_a_call_off_the_main_thread_is_not_disturbed_by_signals(seven_b):
    results = []
    thread = threading.Thread(target=lambda: results.append(rw.simulate(seven_b)))
    caught = []
    before = signal.signal(signal.SIGUSR1, lambda *_: caught.append(True))
    try:
        thread.start()
        os.kill(os.getpid(), signal.SIGUSR1)
        thread.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert caught and results == [rw.simulate(seven_b)]
