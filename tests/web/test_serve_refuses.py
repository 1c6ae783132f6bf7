# SPDX-License-Identifier: Apache-2.0
"""Whom `railwright serve` does not answer, and what it does not do for anybody."""

import http.client
import json
import socket

import pytest
from serving import served, seven_b


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
    for path in [
        "x",
        "../form.json",
        "..%2f..%2fetc/passwd",
        "what_if.html/",
        "/etc/passwd",
        "answer",
    ]:
        assert served.request("GET", f"/{token}/{path}")[0] in (403, 404), path
    assert served.request("GET", f"/{token}")[0] == 404
    assert served.request("PUT", f"/{token}/form.json", b"x")[0] == 405
    assert served.request("OPTIONS", f"/{token}/answer")[0] == 404
    assert served.request("DELETE", f"/{token}/")[0] == 405


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:{other}",
        "localhost",
        "127.0.0.2:{port}",
        "127.0.0.1:{port}.evil.example",
        "LOCALHOST.:{port}",
        "",
    ],
)
def test_another_host_is_refused(served, host):
    name = host.format(port=served.port, other=served.port + 1)
    status, _, _ = served.request(
        "GET", f"/{served.token}/", headers={"Host": name}, skip_host=True
    )
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
    [
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{other}",
        "http://localhost:{port}",
        "null",
        "file://",
        "http://127.0.0.1:{port}@evil.example",
    ],
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
    assert (
        served.request("POST", path, b"{}", {"Content-Type": "multipart/form-data; boundary=x"})[0]
        == 415
    )
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
        {"division": "guess"},
        {"keep": "parallelism.tp"},
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


@pytest.mark.parametrize(
    "change",
    [
        {"variants": "cluster.nodes=4"},
        {"variants": [4]},
        {"variants": [{"set": [], "division": "own"}]},
        {"variants": [{"set": [], "division": "own", "keep": [], "more": 1}]},
        {"variants": [{"set": [], "division": "own", "keep": []}] * 201},
        {"method": "estimate"},
    ],
    ids=lambda change: str(change)[:60],
)
def test_variants_that_no_page_asks(served, change):
    question = served.question()
    plain = {key: question[key] for key in ("page", "turn", "scenario")}
    status, _, content = served.post("variants", {**plain, "variants": [], **change})
    assert status == 400, content


def test_variants_read_no_files_and_an_illegal_one_spoils_no_other(served):
    question = served.question()
    plain = {key: question[key] for key in ("page", "turn", "scenario")}
    sets = [["cluster.nodes=4"], ["prices=/etc/passwd.yaml"], ["cluster.nodse=4"], []]
    variants = [{"set": one, "division": "own", "keep": []} for one in sets]
    status, _, content = served.post("variants", {**plain, "variants": variants})
    four, file, typo, own = json.loads(content)["variants"]
    assert status == 200
    assert "names a file" in file["fails"] and "unknown key" in typo["fails"]
    expected = [served.ask(*one)["result"]["step_time_s"] for one in (sets[0], sets[3])]
    assert [four["step_time_s"], own["step_time_s"]] == expected


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


def test_hostile_scenarios(served):
    assert served.ask(scenario="a: &a [*a]")["kind"] == "problems"
    assert served.ask(scenario="")["kind"] == "problems"
    assert served.ask(scenario="{" * 1000)["kind"] == "problems"
    assert served.ask("name={" + "a: {" * 70 + "}" * 71)["kind"] == "problems"
    assert (
        served.ask("cluster.nodes=65536", "cluster.node.num_accelerators=1024")["kind"]
        == "problems"
    )


def addresses_outside():
    """By which this machine is reached from others; none where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; tells which address would be used
        except OSError:
            return set()
        address = probe.getsockname()[0]
    return set() if address.startswith("127.") else {address}


def test_it_listens_on_this_machine_alone(served):
    for other in {"127.0.0.2"} | addresses_outside():
        with pytest.raises(OSError):
            socket.create_connection((other, served.port), timeout=2)
    with pytest.raises(OSError):
        socket.create_connection(("::1", served.port), timeout=2)


def test_half_sent_requests_hold_nobody_up(served):
    """Each waits for the rest of its request; those who send it all are answered meanwhile."""
    half = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(64)]
    for one in half:
        one.sendall(b"GET /x HTTP/1.1\r\nHost: ")
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=4)
    connection.request("GET", f"/{served.token}/form.json")
    assert connection.getresponse().status == 200
    connection.close()
    for one in half:
        one.close()


def test_a_dripping_request_ends(served):
    """A byte every half second would otherwise take as long as the sender likes."""
    with socket.create_connection(("127.0.0.1", served.port)) as one:
        one.settimeout(0.5)
        answer = None
        for _ in range(40):
            try:
                one.sendall(b"G")
                answer = one.recv(100)
                break
            except TimeoutError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                answer = b""
                break
        assert answer is not None, "still reading after 20 s"
