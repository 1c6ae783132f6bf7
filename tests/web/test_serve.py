# SPDX-License-Identifier: Apache-2.0
"""`railwright serve` as a program: who may ask, what is answered, how it starts and ends."""

import json
import re
import signal
import socket
import subprocess
import threading
import time

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


def test_the_token_is_asked_for(served):
    token = served.token
    wrong = [
        "/",
        "/favicon.ico",
        "/form.json",
        f"/{token[:-1]}/",
        f"/{token}0/",
        f"/{token[:-1]}{'1' if token[-1] == '0' else '0'}/form.json",
        f"/{token.upper()}x/",
        f"//{token}/",
        f"/x/{token}/",
        f"/?token={token}",
        f"/form.json?{token}",
        "/" + "0" * 64 + "/",
        f"/{token}{token}/",
    ]
    for path in wrong:
        status, headers, content = served.request("GET", path)
        assert status == 403, path
        assert token.encode() not in content
        assert "Content-Security-Policy" in headers
    question = json.dumps(served.question()).encode()
    for path in ["/answer", f"/{token[:-1]}/answer"]:
        headers = {"Content-Type": "application/json"}
        assert served.request("POST", path, question, headers)[0] == 403


def test_there_is_nothing_else(served):
    token = served.token
    for path in ["x", "../form.json", "..%2f..%2fetc/passwd", "what_if.html/", "/etc/passwd", "answer"]:
        assert served.request("GET", f"/{token}/{path}")[0] in (403, 404), path
    assert served.request("GET", f"/{token}")[0] == 404
    assert served.request("PUT", f"/{token}/form.json", b"x")[0] == 405
    assert served.request("OPTIONS", f"/{token}/answer")[0] == 404
    assert served.request("DELETE", f"/{token}/")[0] == 405


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:{other}", "localhost", "127.0.0.2:{port}",
     "127.0.0.1:{port}.evil.example", "LOCALHOST.:{port}", ""],
)
def test_another_host_is_refused(served, host):
    name = host.format(port=served.port, other=served.port + 1)
    status, _, _ = served.request("GET", f"/{served.token}/", headers={"Host": name}, skip_host=True)
    assert status == 403


def test_two_hosts_are_refused(served):
    headers = [("Host", served.host), ("Host", "evil.example")]
    assert served.request("GET", f"/{served.token}/", headers=headers, skip_host=True)[0] == 403
    assert served.request("GET", f"/{served.token}/", skip_host=True)[0] == 403, "none at all"


def test_localhost_is_this_host_too(served):
    headers = {"Host": f"localhost:{served.port}"}
    assert served.request("GET", f"/{served.token}/", headers=headers, skip_host=True)[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:{other}", "http://localhost:{port}",
     "null", "file://", "http://127.0.0.1:{port}@evil.example"],
)
def test_another_origin_is_refused(served, origin):
    name = origin.format(port=served.port, other=served.port + 1)
    assert served.post("answer", served.question(), Origin=name)[0] == 403
    assert served.get("form.json", Origin=name)[0] == 403


def test_its_own_origin_is_answered(served):
    assert served.post("answer", served.question(), Origin=f"http://{served.host}")[0] == 200


def test_other_sites_may_lead_here_and_no_more(served):
    site = {"Sec-Fetch-Site": "cross-site"}
    assert served.get("", **site, **{"Sec-Fetch-Mode": "navigate"})[0] == 200
    assert served.get("what_if.js", **site, **{"Sec-Fetch-Mode": "no-cors"})[0] == 403
    assert served.post("answer", served.question(), **site, **{"Sec-Fetch-Mode": "cors"})[0] == 403
    assert served.post("answer", served.question(), **{"Sec-Fetch-Site": "same-origin"})[0] == 200


def test_bodies_are_small_plain_json_of_known_length(served):
    path = f"/{served.token}/answer"
    kind = {"Content-Type": "application/json"}
    assert served.post("answer", b" " * ((1 << 20) + 1))[0] == 413
    huge = {**kind, "Content-Length": "99999999999999999999999"}
    assert served.request("POST", path, b"", huge)[0] == 413
    assert served.request("POST", path, b"", {**kind, "Content-Length": "-1"})[0] == 400
    assert served.request("POST", path, b"x", {**kind, "Content-Length": "1x"})[0] == 400
    assert served.request("POST", path, None, kind)[0] == 411
    chunked = {**kind, "Transfer-Encoding": "chunked"}
    assert served.request("POST", path, b"2\r\n{}\r\n0\r\n\r\n", chunked)[0] == 411
    assert served.request("POST", path, b"{}", {**kind, "Content-Encoding": "gzip"})[0] == 415
    assert served.request("POST", path, b"{}", {"Content-Type": "text/plain"})[0] == 415
    assert served.request("POST", path, b"{}", {"Content-Type": "multipart/form-data; boundary=x"})[0] == 415
    assert served.ask()["kind"] == "answer", "it goes on"


@pytest.mark.parametrize(
    "change",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"page": "a"}',
        b"\xff\xfe",
        b"[" * 100_000,
        {"turn": -1},
        {"turn": 1.5},
        {"turn": "1"},
        {"page": ""},
        {"page": "x" * 65},
        {"set": "cluster.nodes=4"},
        {"set": [4]},
        {"set": ["a=b"] * 101},
        {"set": ["a=" + "b" * 4000]},
        {"method": "guess"},
        {"scenario": 7},
        {"more": 1},
    ],
    ids=str,
)
def test_questions_that_no_page_asks(served, change):
    question = change if isinstance(change, bytes) else {**served.question(), **change}
    status, _, content = served.post("answer", question)
    assert status == 400, content
    assert json.loads(content)["kind"] == "problems"


def test_an_answer_is_that_of_simulate(served, seven_b):
    for method in ("estimate", "simulate"):
        options = ["--estimate"] if method == "estimate" else []
        code, out, _ = run("simulate", seven_b, "--set", "cluster.nodes=4", "--format", "json", *options)
        assert code == 0
        expected = json.loads(out)
        result = served.ask("cluster.nodes=4", method=method)["result"]
        assert {key: result[key] for key in expected if key != "storage"} == {
            key: value for key, value in expected.items() if key != "storage"
        }
        assert expected["storage"].items() <= result["storage"].items()


def test_an_answer_names_what_is_least_certain(served):
    answer = served.ask()
    assert answer["result"]["feasible"]
    doubts = answer["doubts"]
    assert doubts[0]["about"] == "site" and "four of five" in doubts[0]["sentence"]
    # neutral: a tenth of sites below 0.9, a tenth above 1.27; nothing fails in this scenario
    assert (doubts[0]["low"], doubts[0]["high"]) == (0.9, 1.27)
    low, high = answer["training_time_band_s"]
    time_s = answer["result"]["training_time_s"]
    assert low == pytest.approx(0.9 * time_s) and high == pytest.approx(1.27 * time_s)
    assert [one["about"] for one in served.ask(method="simulate")["doubts"]] == ["site"]


def test_a_site_without_a_band_comes_first(served):
    doubt = served.ask("installation=h20003")["doubts"][0]
    assert "no band" in doubt["sentence"] and doubt["low"] is None


def test_what_does_not_fit_is_an_answer(served):
    answer = served.ask("workload.model=llama-2-70b")
    result = answer["result"]
    assert answer["kind"] == "answer" and not result["feasible"]
    assert "240 GB too much" in result["infeasible"][0]
    assert "training_time_s" not in result and answer["doubts"] == []


def test_every_problem_comes_at_once(served):
    reply = served.ask(
        "cluster.node.nics.cuont=4", "workload.steps=-5", "parallelism.tp", "cluster.fabric.switch=qm979"
    )
    assert reply["kind"] == "problems"
    found = {one["path"]: one for one in reply["problems"]}
    assert found["cluster.node.nics.cuont"]["hint"] == "did you mean 'count'?"
    assert found["workload.steps"]["message"].startswith("must be between 1")
    assert "path=value" in next(one["message"] for one in reply["problems"] if "parallelism.tp" in one["where"])
    assert "qm9790" in found["cluster.fabric.switch"]["hint"]


def test_scenarios_of_the_page_read_no_files(served, tmp_path):
    secret = tmp_path / "secret.yaml"
    secret.write_text("sentinel: 1\n")
    for setting in [
        f"prices={secret}",
        f"prices={{model: {secret}}}",
        f"workload.model={secret.with_suffix('.json')}",
        f"include={secret}",
        "prices=../examples/prices/fictitious.yaml",
    ]:
        reply = served.ask(setting)
        assert reply["kind"] == "problems", setting
        assert "sentinel" not in json.dumps(reply)
        assert any("file" in one["message"] for one in reply["problems"]), setting


def test_other_kinds_of_scenario_say_so(served, serve):
    text = (EXAMPLES / "all-reduce-8-h100-nodes.yaml").read_text()
    reply = served.ask(scenario=text)
    assert "a collective" in reply["problems"][0]["message"]
    for name, word in [("inference-llama-2-70b", "servers"), ("three-jobs-one-powerscale", "several jobs")]:
        code, out, err = run("serve", EXAMPLES / f"{name}.yaml")
        assert (code, out) == (2, "") and word in err


def test_hostile_scenarios(served):
    assert served.ask(scenario="a: &a [*a]")["kind"] == "problems"
    assert served.ask(scenario="")["kind"] == "problems"
    assert served.ask(scenario="{" * 1000)["kind"] == "problems"
    assert served.ask("name={" + "a: {" * 70 + "}" * 71)["kind"] == "problems"
    assert served.ask("cluster.nodes=65536", "cluster.node.num_accelerators=1024")["kind"] == "problems"


def test_a_downloaded_scenario_gives_the_same_number(served, tmp_path):
    settings = ["cluster.node.nics.count=4", "workload.steps=123", "name='A \"quoted\": name'"]
    reply = served.ask(*settings, name="file")
    assert reply["kind"] == "file"
    path = tmp_path / "shared.yaml"
    path.write_text(reply["text"])
    code, out, err = run("simulate", path, "--format", "json")
    assert code == 0, err
    expected = served.ask(*settings, method="simulate")["result"]
    assert json.loads(out)["training_time_s"] == expected["training_time_s"]
    assert json.loads(out)["name"] == 'A "quoted": name'


@pytest.mark.parametrize(
    "name", ["llama-2-70b-cost", "powerscale-checkpoints", "llama3-405b-54-days", "one-leaf-down"]
)
def test_a_scenario_with_its_files_in_one_piece(serve, name, tmp_path):
    """What the page starts from is the scenario, also where files and lists are part of it."""
    path = EXAMPLES / f"{name}.yaml"
    page = serve(path)
    whole = tmp_path / "whole.yaml"
    whole.write_text(page.form()["scenario"])
    results = [run("simulate", one, "--estimate", "--format", "json") for one in (path, whole)]
    assert results[0][0] == 0, results[0][2]
    assert results[0] == results[1]


def test_settings_of_the_command_line(serve, seven_b):
    page = serve(seven_b, "--set", "cluster.nodes=4")
    assert page.ask()["values"]["cluster.nodes"] == 4
    assert serve().ask()["result"]["feasible"], "its own scenario"


def test_two_at_the_same_time(served):
    replies = {}

    def ask(nodes, page):
        replies[nodes] = served.ask(f"cluster.nodes={nodes}", page=page, method="simulate")

    threads = [threading.Thread(target=ask, args=(nodes, f"page {nodes}")) for nodes in (2, 4, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for nodes in (2, 4, 6):
        assert replies[nodes]["kind"] == "answer"
        assert replies[nodes]["result"]["num_accelerators"] == 8 * nodes


def test_a_new_question_ends_the_one_before(serve):
    """A simulation that takes long gives way to the next question of the same page, and of no other."""
    page = serve(EXAMPLES / "llama3-405b-54-days.yaml", "--set", "run.replicas=100000")
    long_one = {}

    def ask():
        start = time.monotonic()
        long_one["reply"] = page.ask(method="simulate", page="mine", turn=1)
        long_one["time"] = time.monotonic() - start

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(1.0)
    assert page.ask("run.replicas=1", page="another", turn=1)["kind"] == "answer"
    assert thread.is_alive(), "another page leaves it alone"
    assert page.ask("run.replicas=1", page="mine", turn=2)["kind"] == "answer"
    thread.join(timeout=20)
    assert long_one["reply"] == {"kind": "superseded"}
    late = page.ask("run.replicas=1", page="mine", turn=1)
    assert late == {"kind": "superseded"}, "one that was overtaken on its way"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_well_in_the_middle_of_work(number):
    page = Served(EXAMPLES / "llama3-405b-54-days.yaml", "--set", "run.replicas=100000")
    question = json.dumps(page.question(method="simulate")).encode()
    waiting = socket.create_connection(("127.0.0.1", page.port))
    waiting.sendall(
        f"POST /{page.token}/answer HTTP/1.1\r\nHost: {page.host}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(question)}\r\n\r\n".encode() + question
    )
    time.sleep(0.7)
    start = time.monotonic()
    assert page.close(number) == (0, "", "")
    assert time.monotonic() - start < 10
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


@pytest.mark.parametrize("port", ["-1", "65536", "x", ""])
def test_ports_that_are_none(seven_b, port):
    code, out, err = run("serve", seven_b, f"--port={port}")
    assert (code, out) == (2, "") and "--port" in err


def test_it_listens_on_this_machine_alone(served):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; tells which address would be used
        address = probe.getsockname()[0]
    others = {"127.0.0.2", *([] if address.startswith("127.") else [address])}
    for other in others:
        with pytest.raises(OSError):
            socket.create_connection((other, served.port), timeout=2)
    with pytest.raises(OSError):
        socket.create_connection(("::1", served.port), timeout=2)


def test_bad_scenarios_do_not_start(tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("name: x\n")
    code, out, err = run("serve", bad)
    assert (code, out) == (2, "") and "missing key" in err
    assert run("serve", tmp_path / "none.yaml")[0] == 2


def test_many_idle_connections_do_not_block_it(served):
    idle = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(20)]
    start = time.monotonic()
    assert served.get()[0] == 200
    assert time.monotonic() - start < 3
    for one in idle:
        one.close()
