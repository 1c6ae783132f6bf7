# SPDX-License-Identifier: Apache-2.0
"""`railwright serve` as a program: its documents, how it starts and how it ends."""

import json
import re
import signal
import socket
import subprocess

import pytest
from serving import EXAMPLES, PROGRAM, Served, run, serve, served, seven_b


def test_the_address_has_a_token_of_256_bits(served):
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{64}/", served.address)


def test_each_page_has_its_own_token(serve, served, seven_b):
    assert serve(seven_b).token != served.token


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("", "text/html"),
        ("goal", "text/html"),
        ("style.css", "text/css"),
        ("what_if.js", "text/javascript"),
        ("form.json", "application/json"),
    ],
)
def test_documents_of_the_page(served, name, kind):
    status, headers, content = served.get(name)
    assert status == 200 and content
    assert headers["Content-Type"].startswith(kind)
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert not [one for one in headers if one.lower().startswith("access-control-")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_well_in_the_middle_of_work(number):
    page = Served(EXAMPLES / "llama3-405b-54-days.yaml", "--set", "run.replicas=100000")
    question = json.dumps(page.question(method="simulate")).encode()
    idle = page.processor_time()
    waiting = socket.create_connection(("127.0.0.1", page.port))
    waiting.sendall(
        f"POST /{page.token}/answer HTTP/1.1\r\nHost: {page.host}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(question)}\r\n\r\n".encode() + question
    )
    page.until_it_computes(idle)
    assert page.close(number) == (0, "", "")
    waiting.close()


def test_a_shell_that_has_signals_ignored(seven_b):
    """As with `&` in a script: the page ends with SIGINT all the same."""
    command = f"trap '' INT; exec {PROGRAM} serve {seven_b}"
    process = subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()


def test_a_port_that_is_taken(served, seven_b):
    code, out, err = run("serve", seven_b, "--port", served.port)
    assert (code, out) == (2, "")
    assert err.startswith(f"--port {served.port}: cannot be listened on: Address already in use")


def test_a_port_of_ones_own_again_and_again(serve, seven_b):
    first = serve(seven_b)
    first.get()
    assert first.close()[0] == 0
    assert serve(seven_b, "--port", first.port).port == first.port


def test_starts_where_somebody_shared_it(serve, seven_b):
    page = serve(seven_b, "--at", "goal#of=training&model=llama-2-7b")
    assert page.address.endswith("/goal#of=training&model=llama-2-7b")
    for wrong in ("x#y", "goal#a b", "http://elsewhere", "#<script>"):
        code, out, err = run("serve", seven_b, "--at", wrong)
        assert (code, out) == (2, "") and "no state of the page" in err


@pytest.mark.parametrize("port", ["-1", "65536", "x", ""])
def test_ports_that_are_none(seven_b, port):
    code, out, err = run("serve", seven_b, f"--port={port}")
    assert (code, out) == (2, "") and "--port" in err


def test_bad_scenarios_do_not_start(tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("name: x\n")
    code, out, err = run("serve", bad)
    assert (code, out) == (2, "") and "missing key" in err
    assert run("serve", tmp_path / "none.yaml")[0] == 2


def test_many_idle_connections_do_not_block_it(served):
    idle = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(20)]
    assert served.get()[0] == 200  # while they are there; a question waits a minute
    for one in idle:
        one.close()
