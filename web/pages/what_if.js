// SPDX-License-Identifier: Apache-2.0
// The what-if page: a change is asked about at once in closed form, and simulated when it rests. One
// question is under way at a time; the newest change is asked next.
"use strict";

railwright.what_if = (() => {
  const { kinds } = railwright.page;
  const kRest = 250;  // ms without a change until events are simulated

  const state = {
    form: null, scenario: "", name: "", base: {}, values: {}, touched: new Map(), extras: [],
    answer: null, settings: [], problems: null, lost: null, baseline: null, working: null,
    division: "where_needed",
  };
  const page = crypto.randomUUID();
  let turn = 0;
  let under_way = null;  // {method, abort}
  let is_new = false;    // a change that nobody has asked about yet
  let rest = 0;
  let controls = null;

  const settings_now = () => [...railwright.controls.settings(state.touched, state.base, state.form), ...state.extras];
  const body = (method, scenario, settings, division = { division: "own", keep: [] }) =>
    JSON.stringify({ page, turn: ++turn, scenario, set: settings, method, ...division });

  /// Who divides the model; what was set by hand stays.
  const division_now = () => ({ division: state.division, keep: [...state.touched.keys()].filter(railwright.controls.divides) });

  async function post(name, text, signal) {
    const response = await fetch(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: text, signal });
    if (!response.ok) throw new Error(`the program answered ${response.status}`);
    return response.json();
  }

  /// Asks about things as they are now; a simulation under way gives way to it.
  async function ask(method) {
    if (under_way) {
      if (under_way.method === "estimate") { is_new = true; return; }
      under_way.abort.abort();
    }
    const mine = { method, abort: new AbortController(), settings: settings_now(), scenario: state.scenario, division: division_now() };
    under_way = mine;
    is_new = false;
    state.working = method;
    let reply = null;
    try {
      reply = await post("answer", body(method, mine.scenario, mine.settings, mine.division), mine.abort.signal);
    } catch (error) {
      if (under_way !== mine) return;
      state.lost = `The program cannot be reached (${error.message}). Does \`railwright serve\` still run?`;
    }
    if (under_way !== mine) return;
    under_way = null;
    state.working = null;
    if (reply) take(reply, mine);
    if (is_new) { ask("estimate"); } else { show(); }
  }

  function take(reply, asked) {
    state.lost = null;
    if (reply.kind === "problems") { state.problems = reply.problems; return; }
    if (reply.kind !== "answer") return;
    state.problems = null;
    state.answer = reply;
    state.settings = asked.settings;
    state.values = reply.values;
    if (asked.settings.length === 0) take_base(reply);
    state.name = reply.result.name;
  }

  /// Values of the scenario as it was opened; a division that was chosen is not its own.
  function take_base(reply) {
    if (!reply.division) { state.base = reply.values; return; }
    if (Object.keys(state.base).length) return;
    state.base = Object.fromEntries(Object.entries(reply.values).filter(([path]) => !railwright.controls.divides(path)));
  }

  function changed() {
    show_controls();
    ask("estimate");
    clearTimeout(rest);
    rest = setTimeout(simulate_at_rest, kRest);
  }

  function simulate_at_rest() {
    if (under_way || is_new) { rest = setTimeout(simulate_at_rest, kRest); return; }
    if (!state.problems && !state.lost && state.answer?.result.feasible && state.answer.result.method !== "simulate") ask("simulate");
  }

  function change(path, value) {
    if (path === railwright.controls.kDivision) {
      state.division = value ?? "where_needed";
      if (state.division === "automatic") forget_division();
      changed();
      return;
    }
    if (state.division === "automatic" && railwright.controls.divides(path) && value !== undefined) take_over_division();
    if (value === undefined || value === state.base[path]) state.touched.delete(path);
    else state.touched.set(path, value);
    if (path === "cluster.fabric" || path === "cluster.fabric.plane") forget_fabric(path, value);
    if (path === "cluster.node.nics.transport" && value !== undefined) follow_protocol(value);
    if (path.startsWith("cluster.fabric")) follow_switch(path, value);
    changed();
  }

  function forget_division() {
    for (const path of [...state.touched.keys()]) if (railwright.controls.divides(path)) state.touched.delete(path);
  }

  /// What was chosen stands in the controls; from now on it is as set.
  function take_over_division() {
    state.division = "own";
    for (const { path } of railwright.controls.all) {
      if (railwright.controls.divides(path) && state.values[path] !== state.base[path]) state.touched.set(path, state.values[path]);
    }
  }

  /// A fabric of the catalogue is what the catalogue says, until something of it is changed; so is a
  /// plane.
  function forget_fabric(path, value) {
    const is_named = railwright.fabric_setting.is_named(value ?? state.base[path], state.form);
    const kept = path === "cluster.fabric" ? [] : ["cluster.fabric.planes", path];
    for (const below of [...state.touched.keys()]) {
      const is_of_plane = path === "cluster.fabric" && below === "cluster.fabric.plane";
      if (below.startsWith("cluster.fabric.") && !kept.includes(below) && (is_named || is_of_plane)) state.touched.delete(below);
    }
  }

  /// A fabric that the catalogue names has its switch, which the transport follows.
  function follow_switch(path, value) {
    const { is_infiniband } = railwright.fabric_setting;
    const kTransport = "cluster.node.nics.transport";
    const chosen = path === "cluster.fabric.switch" ? value ?? state.base[path]
      : state.form.fabrics.find(({ name }) => name === (value ?? state.base[path]))?.switch;
    const now = state.touched.get(kTransport) ?? state.base[kTransport];
    if (!chosen || !now || is_infiniband(chosen) === (now === "infiniband")) return;
    const other = is_infiniband(chosen) ? "infiniband" : "roce";
    const before = state.base[kTransport];
    if ((before === "infiniband") === is_infiniband(chosen)) state.touched.delete(kTransport);
    else state.touched.set(kTransport, other);
  }

  /// InfiniBand and Ethernet have switches of their own.
  function follow_protocol(protocol) {
    const { is_infiniband } = railwright.fabric_setting;
    const path = "cluster.fabric.switch";
    const now = state.touched.get(path) ?? state.values[path] ?? state.base[path];
    if ((protocol === "infiniband") === is_infiniband(now)) return;
    const before = state.base[path];
    const other = protocol === "infiniband" ? "qm9790" : "z9664f-on";
    if (is_infiniband(before) === (protocol === "infiniband")) state.touched.delete(path);
    else state.touched.set(path, other);
  }

  function shown_value(path) {
    return state.touched.has(path) ? state.touched.get(path) : state.values[path];
  }

  /// Where a problem is shown: at the control of its key or of the nearest key above it; one of keys
  /// together at those of them that were changed.
  function places_of(problem) {
    const { all } = railwright.controls;
    const place = problem.path.replace(/^cluster\.fabric\.plane\./, "cluster.fabric.");
    const above = all.filter(({ path }) => place === path || place.startsWith(`${path}.`));
    if (above.length) return [above.reduce((a, b) => (b.path.length > a.path.length ? b : a)).path];
    const below = all.filter(({ path }) => problem.path && path.startsWith(`${problem.path}.`)).map(({ path }) => path);
    const changed_ones = below.filter((path) => state.touched.has(path));
    return changed_ones.length ? changed_ones : below.slice(0, 1);
  }

  /// With what is no control's, and of a fabric without an answer yet what its planes will be.
  function shown_values() {
    const values = Object.fromEntries(railwright.controls.all.map(({ path }) => [path, shown_value(path)]));
    values[railwright.controls.kDivision] = state.division;
    values["cluster.fabric.topology"] = state.values["cluster.fabric.topology"];
    const is_answered = !state.touched.has("cluster.fabric") || state.touched.get("cluster.fabric") === state.values["cluster.fabric"];
    if (!is_answered && !state.touched.has("cluster.fabric.plane")) delete values["cluster.fabric.plane"];
    return values;
  }

  function show_controls() {
    const values = shown_values();
    const placed = (state.problems ?? []).map((problem) => ({ problem, places: places_of(problem) }));
    for (const { path } of railwright.controls.all) {
      const control = controls.get(path);
      control.box.hidden = !railwright.fabric_setting.applies(path, values, state.form);
      if (!control.box.hidden) control.show(values[path]);
      control.mark(path === railwright.controls.kDivision ? state.division !== "where_needed" : state.touched.has(path), placed.filter(({ places }) => places.includes(path)).map(({ problem }) => problem));
    }
    for (const group of railwright.controls.groups) controls.get(group).gist.textContent = group.gist(values);
    document.getElementById("reset").disabled = state.touched.size === 0 && state.extras.length === 0 && state.division === "where_needed";
  }

  function show() {
    show_controls();
    const shown = { ...state };
    railwright.answer.summary(document.getElementById("summary"), shown, { pin, unpin, apply, divide: () => change(railwright.controls.kDivision, "automatic") });
    railwright.answer.details(document.getElementById("details"), shown);
    document.getElementById("name").textContent = state.name || "What if?";
    const time = state.answer?.result.training_time_s;
    document.title = `${state.problems ? "?" : time ? kinds.s(time) : "does not fit"} – ${state.name}`;
    document.body.dataset.state = state.lost ? "lost" : state.problems ? "problems" : state.answer
      ? `${state.answer.result.feasible ? "fits" : "infeasible"} ${state.answer.result.method}` : "asking";
  }

  function pin() {
    const names = [...state.touched].map(([path, value]) => `${path.split(".").pop()} ${value}`);
    state.baseline = { answer: state.answer, title: names.length ? names.slice(-2).join(", ") : "the scenario as it was" };
    show();
  }

  function unpin() {
    state.baseline = null;
    show();
  }

  /// A setting that the program proposed.
  function apply(setting) {
    const at = setting.indexOf("=");
    const path = setting.slice(0, at);
    const plain = setting.slice(at + 1);
    if (controls.has(path)) {
      state.touched.set(path, plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : plain);
    } else {
      state.extras = [...state.extras.filter((one) => !one.startsWith(`${path}=`)), setting];
    }
    changed();
  }

  function reset() {
    state.touched.clear();
    state.extras = [];
    state.division = "where_needed";
    changed();
  }

  async function open_file(file) {
    const scenario = await file.text();
    const reply = await post("answer", body("estimate", scenario, []));
    if (reply.kind !== "answer") {
      state.problems = reply.problems?.map((one) => ({ ...one, path: one.path, message: `${file.name}: ${one.message}` })) ?? [];
      show();
      return;
    }
    Object.assign(state, { scenario, base: reply.values, touched: new Map(), extras: [], baseline: null, division: "where_needed" });
    changed();
  }

  async function download() {
    const reply = await post("file", body("simulate", state.scenario, settings_now(), division_now()));
    if (reply.kind !== "file") { state.problems = reply.problems; show(); return; }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([reply.text], { type: "application/yaml" }));
    link.download = `${(state.name || "scenario").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60)}.yaml`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async function start() {
    const form = await (await fetch("form.json")).json();
    railwright.page.know(form);
    Object.assign(state, { form, scenario: form.scenario });
    const settings = document.getElementById("settings");
    settings.addEventListener("submit", (event) => event.preventDefault());
    controls = railwright.controls.build(form, settings, change);
    const input = document.getElementById("file");
    document.getElementById("open").addEventListener("click", () => input.click());
    input.addEventListener("change", () => { if (input.files[0]) open_file(input.files[0]); input.value = ""; });
    document.getElementById("download").addEventListener("click", download);
    document.getElementById("reset").addEventListener("click", reset);
    changed();
  }

  start();
  return { state };
})();
