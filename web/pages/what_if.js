// SPDX-License-Identifier: Apache-2.0
// The what-if page: a change is asked about at once in closed form, and simulated when it rests. One
// question is under way at a time; the newest change is asked next. Asides (another design, the stops
// of a slider, ways out) are asked beside it and give way to it.
"use strict";

railwright.what_if = (() => {
  const { kinds, save } = railwright.page;
  const { moves, stops, fixes } = railwright;
  const { all, kDivision } = railwright.controls;
  const kRest = 250;  // ms without a change until events are simulated
  const kNics = "cluster.node.nics.count";
  const kOwnership = "4 y";  // for prices that say nothing of it

  const state = {
    form: null, scenario: "", example: "", is_file: false, name: "", base: {}, values: {}, changes: moves.untouched(),
    answer: null, answered: 0, settings: [], problems: null, lost: null, baseline: null, working: null,
    fixes: null, other: null, moved: kNics, stops: new Map(),
  };
  const page = crypto.randomUUID();
  const turns = new Map();
  let under_way = null;  // {method, abort}
  let is_new = false;    // a change that nobody has asked about yet
  let rest = 0;
  let generation = 0;    // of changes: an aside of an older one is dropped
  let asides = new AbortController();
  let stops_asked = Promise.resolve();  // one slider after the other
  let controls = null;

  const context = () => ({ form: state.form, base: state.base, values: state.values });
  const next_turn = (part) => { turns.set(part, (turns.get(part) ?? 0) + 1); return turns.get(part); };
  const question = (part, more) => JSON.stringify({ page: part ? `${page}/${part}` : page, turn: next_turn(part), scenario: state.scenario, ...more });

  async function post(name, text, signal) {
    const response = await fetch(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: text, signal });
    if (!response.ok) throw new Error(`the program answered ${response.status}`);
    return response.json();
  }

  /// An answer to something beside the main question; null where it is late, or where there is none.
  async function aside(name, part, more) {
    const mine = generation;
    try {
      const reply = await post(name, question(part, more), asides.signal);
      return mine === generation && reply.kind !== "superseded" ? reply : null;
    } catch {
      return null;  // the main question says that the program is lost
    }
  }

  /// Asks about things as they are now; a simulation under way gives way to it.
  async function ask(method) {
    if (under_way) {
      if (under_way.method === "estimate") { is_new = true; return; }
      under_way.abort.abort();
    }
    const variant = moves.variant(state.changes, context());
    const mine = { method, abort: new AbortController(), settings: variant.set, generation };
    under_way = mine;
    is_new = false;
    state.working = method;
    let reply = null;
    try {
      reply = await post("answer", question("", { method, ...variant }), mine.abort.signal);
    } catch (error) {
      if (under_way !== mine) return;
      state.lost = `The program cannot be reached (${error.message}). Does \`railwright serve\` still run?`;
    }
    if (under_way !== mine) return;
    under_way = null;
    state.working = null;
    if (reply) take(reply, mine);
    if (is_new) { ask("estimate"); return; }
    show();
    if (reply) ask_beside();
  }

  function take(reply, asked) {
    state.lost = null;
    if (reply.kind === "problems") { state.problems = reply.problems; return; }
    if (reply.kind !== "answer") return;
    state.problems = null;
    if (!reply.topology && state.answer?.topology) {  // greyed until the next simulation draws it anew
      reply.topology = state.answer.topology;
      reply.is_topology_late = true;
    }
    state.answer = reply;
    state.answered = asked.generation;
    state.settings = asked.settings;
    state.values = reply.values;
    state.name = reply.result.name;
  }

  const is_refused = () => Boolean(state.problems) || state.answer?.result.feasible === false;

  /// The other design, and of what rests the ways out or the stops of the slider that moved.
  async function ask_beside() {
    const mine = generation;
    if (state.lost || !(state.answer || state.problems)) return;
    if (is_refused()) { await ask_fixes(); return; }
    await ask_other();
    if (mine !== generation || state.answer.result.method !== "simulate") return;
    await ask_stops(state.moved);
    if (mine !== generation) return;
    show();
    for (const spec of all) if (spec.stops && !controls.get(spec.path).box.hidden && controls.get(spec.path).box.offsetParent) await ask_stops(spec.path);
  }

  async function ask_other() {
    const now = state.values[kNics];
    if (!now) { state.other = null; return; }
    const nics = railwright.designs.other_nics(now, state.answer.accelerators_per_node);
    if (nics === now) { state.other = null; return; }
    const changes = moves.moved(state.changes, kNics, nics, context());
    const against = { title: nics_title(now), answer: state.answer, answered: state.answered };
    const reply = await aside("answer", "b", { method: state.answer.result.method, ...moves.variant(changes, context()) });
    if (!reply) return;
    state.other = { title: nics_title(nics), changes, against, answer: reply.kind === "answer" ? reply : null, fails: reply.problems?.[0].message };
    show();
  }

  const nics_title = (count) => `${count} NIC${count === 1 ? "" : "s"} a node`;

  /// What the stops of a slider depend on: everything but where it stands.
  const stops_key = (path) => JSON.stringify(moves.variant(moves.moved(state.changes, path, undefined, context()), context()));

  /// What is known of the stops of a slider as things are; null where nobody has asked.
  function known_stops(path) {
    const known = state.stops.get(path);
    return known?.key === stops_key(path) ? known : null;
  }

  /// What every stop of a slider would answer; remembered until something else changes.
  function ask_stops(path) {
    const mine = generation;
    stops_asked = stops_asked.then(() => (mine === generation ? ask_stops_now(path) : null));
    return stops_asked;
  }

  async function ask_stops_now(path) {
    if (known_stops(path)) return;
    const key = stops_key(path);
    const { spec } = controls.get(path);
    const list = stops_of(path);
    const variants = list.map((stop) => moves.variant(moves.moved(state.changes, path, spec.write ? spec.write(stop) : stop, context()), context()));
    const reply = await aside("variants", "stops", { variants });
    if (reply?.kind !== "variants") return;
    state.stops.set(path, { key, stops: list, outcomes: reply.variants });
    controls.get(path).know_stops(state.stops.get(path));
  }

  /// The stops that a slider offers as things are.
  function stops_of(path) {
    const { spec } = controls.get(path);
    return stops.stops_of(spec, shown_number(spec), limits());
  }

  /// Of what sliders offer; of the last answer.
  const limits = () => state.answer && { ...state.answer.limits, pp: state.values["parallelism.pp"] ?? 1 };

  function shown_number(spec) {
    const value = shown_value(spec.path);
    return spec.read ? spec.read(value) : value;
  }

  async function ask_fixes() {
    const places = [...new Set([...(state.problems ?? []).flatMap(places_of), state.moved])];
    const kinds_of_fix = fixes.candidates(state.changes, { places, smallest_change: state.problems ? null : state.answer.result.smallest_change, context: context() });
    const outcomes = async (tries) =>
      (await aside("variants", "fixes", { variants: tries.map(({ changes }) => moves.variant(changes, context())) }))?.variants;
    const tell = (found) => { state.fixes = found; show(); };
    const found = await fixes.working(kinds_of_fix, outcomes, tell);
    if (found) tell(found);
  }

  function changed(changes) {
    state.changes = changes;
    state.fixes = null;
    ++generation;
    document.body.dataset.state = "asking";
    asides.abort();
    asides = new AbortController();
    write_address();
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
    if (controls.get(path)?.spec.stops) state.moved = path;
    changed(moves.moved(state.changes, path, value, context()));
  }

  /// The state as the address of this page; a file of somebody's own has no name here.
  const address = () => (state.is_file ? "" : moves.to_address(state.changes, state.example));

  function write_address() {
    const words = address();
    history.replaceState(null, "", words ? `#${words}` : location.pathname);
  }

  function shown_value(path) {
    return state.changes.touched.has(path) ? state.changes.touched.get(path) : state.values[path];
  }

  /// Where a problem is shown: at the control of its key or of the nearest key above it; one of keys
  /// together at those of them that were changed.
  function places_of(problem) {
    const place = problem.path.replace(/^cluster\.fabric\.plane\./, "cluster.fabric.");
    const above = all.filter(({ path }) => place === path || place.startsWith(`${path}.`));
    if (above.length) return [above.reduce((a, b) => (b.path.length > a.path.length ? b : a)).path];
    const below = all.filter(({ path }) => problem.path && path.startsWith(`${problem.path}.`)).map(({ path }) => path);
    const changed_ones = below.filter((path) => state.changes.touched.has(path));
    return changed_ones.length ? changed_ones : below.slice(0, 1);
  }

  /// With what is no control's, and of a fabric without an answer yet what its planes will be.
  function shown_values() {
    const { touched, division } = state.changes;
    const values = Object.fromEntries(all.map(({ path }) => [path, shown_value(path)]));
    values[kDivision] = division;
    values["cluster.fabric.topology"] = state.values["cluster.fabric.topology"];
    const is_answered = !touched.has("cluster.fabric") || touched.get("cluster.fabric") === state.values["cluster.fabric"];
    if (!is_answered && !touched.has("cluster.fabric.plane")) delete values["cluster.fabric.plane"];
    return values;
  }

  function show_controls() {
    const values = shown_values();
    const { touched, division } = state.changes;
    const placed = (state.problems ?? []).map((problem) => ({ problem, places: places_of(problem) }));
    const now = limits();
    for (const { path } of all) {
      const control = controls.get(path);
      control.box.hidden = !railwright.fabric_setting.applies(path, values, state.form) || (now && control.spec.applies?.(now) === false);
      if (!control.box.hidden) control.show(values[path], now);
      control.know_stops?.(known_stops(path));
      control.mark(path === kDivision ? division !== "where_needed" : touched.has(path), placed.filter(({ places }) => places.includes(path)).map(({ problem }) => problem));
    }
    for (const group of railwright.controls.groups) controls.get(group).gist.textContent = group.gist(values);
    document.getElementById("reset").disabled = moves.is_untouched(state.changes);
    document.getElementById("share").disabled = state.is_file;  // a file has no address: Download gives it
  }

  function designs() {
    if (!state.answer?.result.feasible || state.problems) return { a: null };
    const against = state.other?.against;  // until B's own answer is there, the designs of before, greyed
    if (against && against.answered !== state.answered) return { a: against, b: state.other, c: state.baseline, is_late: true };
    return { a: { title: nics_title(state.values[kNics]), answer: state.answer }, b: state.other, c: state.baseline };
  }

  /// The curve of the slider that was moved last, while its stops are known.
  function curve() {
    const known = known_stops(state.moved);
    const { spec } = controls.get(state.moved);
    return known && { spec, known, place: shown_number(spec) };
  }

  /// A price of a part, in USD; nothing takes it away.
  function price(kind, name, usd) {
    const place = `prices.${kind}.${name}=`;
    const extras = state.changes.extras.filter((one) => !one.startsWith(place));
    if (!state.base["prices.ownership"] && !extras.some((one) => one.startsWith("prices.ownership="))) extras.push(`prices.ownership=${kOwnership}`);
    if (usd !== "") extras.push(`${place}${usd} USD`);
    changed({ ...state.changes, extras });
  }

  function show() {
    show_controls();
    const actions = { pin, unpin, price, take: changed, take_other: () => changed(state.other.changes) };
    const shown = { ...state, designs: designs(), curve: state.answer?.result.feasible && !state.problems ? curve() : null };
    railwright.answer.summary(document.getElementById("summary"), shown, actions);
    railwright.answer.details(document.getElementById("details"), shown, actions);
    document.getElementById("name").textContent = state.name || "What if?";
    const time = state.answer?.result.training_time_s;
    document.title = `${state.problems ? "?" : time ? kinds.s(time) : "does not fit"} – ${state.name}`;
    document.body.dataset.state = state.lost ? "lost" : state.problems ? "problems" : state.answer
      ? `${state.answer.result.feasible ? "fits" : "infeasible"} ${state.answer.result.method}` : "asking";
  }

  function pin() {
    const names = [...state.changes.touched].map(([path, value]) => `${path.split(".").pop()} ${value}`);
    state.baseline = { answer: state.answer, title: names.length ? names.slice(-2).join(", ") : "the scenario as it was" };
    show();
  }

  function unpin() {
    state.baseline = null;
    show();
  }

  /// Starts from another scenario.
  function start_from(scenario, { example = "", is_file = false, base, changes = moves.untouched() }) {
    Object.assign(state, { scenario, example, is_file, base, values: base, baseline: null, other: null, answer: null, moved: kNics, stops: new Map() });
    changed(changes);
  }

  /// Starts from a scenario that the program can answer as it is; what it says against it stands on
  /// the page.
  async function open(scenario, name, how) {
    const reply = await post("answer", question("opened", { scenario, set: [], method: "estimate", division: "own", keep: [] }));
    if (reply.kind === "answer") { start_from(scenario, { ...how, base: reply.values }); return; }
    state.problems = reply.problems?.map((one) => ({ ...one, message: `${name}: ${one.message}` })) ?? [];
    state.fixes = [];
    show();
  }

  const open_file = async (file) => open(await file.text(), file.name, { is_file: true });

  async function open_example(name, changes) {
    const scenario = await (await fetch(`examples/${encodeURIComponent(name)}`)).text();
    open(scenario, name, { example: name, changes });
  }

  async function download(name, type, ending) {
    const variant = moves.variant(state.changes, context());
    const reply = await post(name, question("file", { method: "simulate", ...variant }));
    if (reply.kind !== "file") { state.problems = reply.problems; show(); return; }
    const address = URL.createObjectURL(new Blob([reply.text], { type }));
    save(state.name || "scenario", ending, address);
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  function offer_examples(list) {
    const select = document.getElementById("example");
    for (const { name, title } of list) select.append(new Option(title, name));
    select.addEventListener("change", () => { if (select.value) open_example(select.value); select.value = ""; });
  }

  async function start() {
    const form = await (await fetch("form.json")).json();
    form.switch_protocols = Object.fromEntries(railwright.controls.choices_of("cluster.fabric.switch", form).map(({ name, protocols }) => [name, protocols?.[0]]));
    railwright.page.know(form);
    state.form = form;
    const settings = document.getElementById("settings");
    settings.addEventListener("submit", (event) => event.preventDefault());
    controls = railwright.controls.build(form, settings, change, (path) => { if (!is_refused() && state.answer) ask_stops(path); });
    const input = document.getElementById("file");
    document.getElementById("open").addEventListener("click", () => input.click());
    input.addEventListener("change", () => { if (input.files[0]) open_file(input.files[0]); input.value = ""; });
    document.getElementById("download").addEventListener("click", () => download("file", "application/yaml", "yaml"));
    document.getElementById("report").addEventListener("click", () => download("report", "text/html", "html"));
    document.getElementById("reset").addEventListener("click", () => changed(moves.untouched()));
    const share = document.getElementById("share");
    share.addEventListener("click", () => railwright.share.show(share, address() && `#${address()}`));
    offer_examples(form.examples);
    const given = JSON.parse(sessionStorage.getItem("opened") ?? "null");  // by the page of goals
    sessionStorage.removeItem("opened");
    if (given) {
      open(given.scenario, "the scenario", { is_file: true, changes: given.settings.reduce(moves.applied, moves.untouched()) });
      return;
    }
    const { changes, example } = moves.from_address(location.hash.slice(1));
    if (form.examples.some(({ name }) => name === example)) open_example(example, changes);
    else open(form.scenario, "the scenario", { changes });
  }

  start();
  return { state, stops_of, ask_stops };
})();
