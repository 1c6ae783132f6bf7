# SPDX-License-Identifier: Apache-2.0
"""A running `railwright serve`, and questions to it. RAILWRIGHT_PROGRAM names the program that is
tested; the one of this Python's environment where it is not set."""

import http.client
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"
PROGRAM = Path(os.environ.get("RAILWRIGHT_PROGRAM") or Path(sys.executable).parent / "railwright")


def run(*arguments, **options):
    """Exit code, stdout and stderr of the program."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
        **options,
    )
    return done.returncode, done.stdout, done.stderr


class Served:
    """The page of a scenario, until close()."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = self.process.stdout.readline().rstrip("\n")
        assert self.address, self.process.communicate(timeout=30)[1]
        parts = urlsplit(self.address)
        self.host = parts.netloc
        self.port = parts.port
        self.token = parts.path.split("/")[1]
        self.turns = itertools.count(1)

    def request(self, method, path, body=None, headers=None, skip_host=False):
        """Status, headers and body of a raw request; `headers` may repeat as a list of pairs."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=skip_host, skip_accept_encoding=True)
        pairs = list(headers.items()) if isinstance(headers, dict) else list(headers or [])
        if body is not None and not any(
            name in ("Content-Length", "Transfer-Encoding") for name, _ in pairs
        ):
            pairs.append(("Content-Length", str(len(body))))
        for name, value in pairs:
            connection.putheader(name, value)
        try:
            connection.endheaders(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it was refused before it was read; the answer is there
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.headers, content

    def get(self, name="", **headers):
        return self.request("GET", f"/{self.token}/{name}", headers=headers)

    def post(self, name, question, **headers):
        body = question if isinstance(question, bytes) else json.dumps(question).encode()
        given = {"Content-Type": "application/json", **headers}
        return self.request("POST", f"/{self.token}/{name}", body, given)

    def form(self):
        return json.loads(self.get("form.json")[2])

    def question(
        self,
        *settings,
        method="estimate",
        page="test",
        scenario=None,
        turn=None,
        division="own",
        keep=(),
    ):
        return {
            "page": page,
            "turn": next(self.turns) if turn is None else turn,
            "scenario": self.form()["scenario"] if scenario is None else scenario,
            "set": list(settings),
            "method": method,
            "division": division,
            "keep": list(keep),
        }

    def ask(self, *settings, name="answer", **options):
        """The reply to a question, which must be one that the program understands."""
        status, _, content = self.post(name, self.question(*settings, **options))
        assert status == 200, content
        return json.loads(content)

    def processor_time(self):
        """Seconds that the program has computed."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def until_it_computes(self, since, seconds=0.3):
        """Waits until it has computed for so long since `since`, a processor_time()."""
        end = time.monotonic() + 60
        while self.processor_time() < since + seconds:
            assert time.monotonic() < end, "it computes nothing"
            time.sleep(0.02)

    def close(self, number=signal.SIGINT):
        """Exit code and what was printed after the address."""
        self.process.send_signal(number)
        try:
            out, err = self.process.communicate(timeout=30)
        finally:
            self.process.kill()
        return self.process.returncode, out, err


@pytest.fixture(scope="session")
def seven_b():
    return EXAMPLES / "neutral-llama-2-7b.yaml"


@pytest.fixture
def serve():
    """Starts pages that end with the test."""
    started = []

    def start(*arguments):
        started.append(Served(*arguments))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            assert one.close()[0] == 0


@pytest.fixture(scope="session")
def served(seven_b):
    """One page for all tests that leave it as it is."""
    page = Served(seven_b)
    yield page
    assert page.close() == (0, "", "")
