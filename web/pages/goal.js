// SPDX-License-Identifier: Apache-2.0
// The page that sizes a cluster for a goal: a model by a date, or for its users. The program answers
// as `railwright size` does; the address holds the question.
"use strict";

railwright.goal = (() => {
  const { el, save, facts } = railwright.page;
  const kSizes = [0.5, 0.7, 0.85, 1, 1.25, 1.6, 2, 3];  // of the answer's nodes, on the chart
  const model = { name: "model", label: "Model", choices: "workload.model" };
  const node = { name: "node", label: "Server", choices: "cluster.node", value: "dgx-h100" };
  const kQuestions = {
    training: { title: "Train by a date", fields: [{ ...model, value: "llama-3.1-70b" },
      { name: "tokens", label: "Tokens", value: "1.5T", hint: "1.5T, 300B" }, { name: "deadline", label: "Deadline", value: "6w", hint: "6w, 42 day" },
      { name: "power", label: "Power, at most", set: "goals.power", value: "", hint: "300 kW; empty: no limit" }, node,
      { name: "beside", label: "Compare with", choices: "cluster.node", value: "", empty: "no other server" }] },
    service: { title: "Serve users", fields: [{ ...model, value: "llama-3.3-70b" },
      { name: "users", label: "Users", value: "2000", hint: "each asks once a minute" },
      { name: "ttft", label: "First token within", value: "1s", hint: "1s, 500ms" }, { name: "tpot", label: "Each further token within", value: "40ms" },
      { name: "prompt", label: "Tokens of a prompt", set: "inference.prompt_tokens", value: "", hint: "empty: 1,024" },
      { name: "answer", label: "Tokens of an answer", set: "inference.output_tokens", value: "", hint: "empty: 256" }, node] },
  };

  const state = { form: null, of: "training", values: {}, answer: null, problems: null, lost: null, is_asking: false, series: [], design: null };
  const page = crypto.randomUUID();
  const turns = new Map();
  const next_turn = (part) => { turns.set(part, (turns.get(part) ?? 0) + 1); return turns.get(part); };
  let asked = 0;  // questions; the answer to an older one is dropped

  async function post(name, part, more) {
    const body = JSON.stringify({ page: `${page}/${part}`, turn: next_turn(part), ...more });
    const response = await fetch(name, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (!response.ok) throw new Error(`the program answered ${response.status}`);
    return response.json();
  }

  const fields = () => kQuestions[state.of].fields;
  const filled = () => fields().filter(({ name }) => name !== "beside" && state.values[name]);

  /// The question as the program takes it, of another server if one is named.
  function question(server) {
    const value = (one) => (one.name === "node" ? server : state.values[one.name]);
    return { words: Object.fromEntries(filled().filter((one) => !one.set).map((one) => [one.name, value(one)])),
      set: filled().filter((one) => one.set).map((one) => `${one.set}=${value(one)}`) };
  }

  function command() {
    const { words, set } = question(state.values.node);
    return ["railwright size", ...Object.entries(words).map(([name, value]) => `--${name} ${/^[\w.-]+$/.test(value) ? value : `'${value}'`}`),
      ...set.map((one) => `--set '${one}'`)].join(" ");
  }

  async function ask() {
    const mine = ++asked;
    write_address();
    Object.assign(state, { is_asking: true, lost: null, design: null });
    show();
    try {
      const reply = await post("size", "goal", question(state.values.node));
      if (mine !== asked || reply.kind === "superseded") return;
      Object.assign(state, { is_asking: false, problems: reply.kind === "problems" ? reply.problems : null, answer: reply.kind === "sized" ? reply : state.answer, series: [] });
      show();
      if (reply.kind === "sized" && reply.of === "training") await ask_clusters(reply, mine);
    } catch (error) {
      if (mine !== asked) return;
      Object.assign(state, { is_asking: false, lost: `The program cannot be reached (${error.message}). Does \`railwright serve\` still run?` });
      show();
    }
  }

  /// Larger and smaller clusters of the answer's servers, and of those to compare with.
  async function ask_clusters(reply, mine) {
    await ask_sizes(reply, state.values.node, "series-1", mine);
    const other = state.values.beside;
    if (!other || other === state.values.node || mine !== asked) return;
    const beside = await post("size", "beside", question(other));
    if (mine !== asked) return;
    if (beside.kind === "sized" && beside.result.feasible) await ask_sizes(beside, other, "series-2", mine);
    else { state.series.push({ name: other, fails: beside.problems?.[0].message ?? beside.verdict }); show(); }
  }

  async function ask_sizes(reply, name, colour, mine) {
    if (!reply.result.feasible) return;
    const best = reply.result.sized[reply.result.chosen];
    const nodes = [...new Set(kSizes.map((size) => Math.max(1, Math.round(size * best.num_nodes))))];
    const told = await post("variants", `sizes-${name}`, { scenario: reply.scenario, variants: nodes.map((count) => ({ set: [`cluster.nodes=${count}`], division: "automatic", keep: [] })) });
    if (mine !== asked || told.kind !== "variants") return;
    const each = best.num_accelerators / best.num_nodes;
    const points = told.variants.map((one, i) => ({ nodes: nodes[i], accelerators: nodes[i] * each, time: one.training_time_s })).filter(({ time }) => time);
    state.series.push({ name, colour, points, scenario: reply.scenario, headline: headline(reply.verdict) });
    show();
  }

  const headline = (verdict) => facts(verdict)[0][1];

  function show() {
    const { answer, problems, lost, is_asking } = state;
    const summary = document.getElementById("summary");
    const details = document.getElementById("details");
    const is_late = is_asking || Boolean(problems || lost);
    const parts = [];
    if (lost) parts.push(el("p", { class: "reasons" }, lost));
    if (problems) {
      parts.push(el("div", { class: "reasons", id: "problems" },
        el("ul", {}, problems.map((one) => el("li", {}, `${one.where ? `${one.where}: ` : ""}${one.path ? `${one.path}: ` : ""}${one.message}${one.hint ? `; ${one.hint}` : ""}`)))));
    }
    if (is_asking) parts.push(el("p", { class: "state" }, "The program is at work …"));
    if (answer) {
      const [first, ...rest] = facts(answer.verdict);
      parts.push(el("div", { class: is_late ? "late" : null, inert: is_late }, el("p", { class: "headline", id: "headline" }, first[1]),
        el("dl", { class: "facts" }, rest.map(([label, text]) => [el("dt", {}, label), el("dd", {}, text)]))));
    }
    summary.replaceChildren(el("section", { class: "answer" }, parts));
    details.replaceChildren();
    details.classList.toggle("late", is_late);
    if (answer) show_details(details, answer);
    for (const id of ["what-if", "download"]) document.getElementById(id).disabled = is_late || !answer?.scenario;
    document.getElementById("what-if").hidden = answer?.of === "service";
    document.title = `${answer && !is_late ? headline(answer.verdict) : "By a goal"} – railwright`;
    document.body.dataset.state = lost ? "lost" : is_asking ? "asking" : problems ? "problems" : answer?.result.feasible ? "sized" : "nothing";
  }

  function show_details(parent, answer) {
    const chart = el("section", { id: "designs" }, el("h2", {}, "All designs tried"));
    parent.append(chart);
    if (answer.of === "service") show_front(chart, answer);
    else show_clusters(chart, answer);
    if (answer.chosen.length) {
      parent.append(el("section", {}, el("h2", {}, "Chosen for you"), el("dl", { class: "facts" },
        answer.chosen.map((one) => [el("dt", { class: "path" }, one.key), el("dd", {}, el("span", { class: "path" }, one.value), ` – ${one.why}`)]))));
    }
    parent.append(el("section", {}, el("h2", {}, "The same in a terminal"), el("p", { class: "path", id: "command" }, command())));
  }

  function show_front(parent, answer) {
    if (!answer.front.length) { parent.append(el("p", { class: "note" }, "No design fits.")); return; }
    const { result } = answer;
    const mine = result.time_per_output_token_s && { user: 1 / result.time_per_output_token_s, accelerator: result.accelerator_tokens_per_s };
    railwright.goal_chart.services(parent, answer.front, mine, (design) => { state.design = design; show(); });
    parent.append(state.design ? railwright.goal_chart.card(state.design)
      : el("p", { class: "note" }, "Those that no other one beats for a user and for an accelerator. Point at one to name it; a click opens it."));
  }

  function show_clusters(parent, answer) {
    if (!answer.result.feasible) { parent.append(el("p", { class: "note" }, "No cluster meets the goal.")); return; }
    const drawn = state.series.filter((one) => one.points?.length);
    if (!state.series.length) parent.append(el("p", { class: "note" }, "Larger and smaller clusters are being estimated …"));
    if (drawn.length) railwright.goal_chart.clusters(parent, drawn, answer.result.deadline_s, ({ series, nodes }) => open_what_if(series.scenario, [`cluster.nodes=${nodes}`]));
    for (const one of state.series) {
      if (one.fails) parent.append(el("p", { class: "note" }, `${one.name}: ${one.fails}`));
      else if (one.name !== state.values.node) parent.append(el("p", { class: "design" }, one.headline));
    }
    if (drawn.length) parent.append(el("p", { class: "note" }, "Each with the best division of the model in closed form, without spares. Point at one to name it; a click opens it in What if?"));
  }

  function open_what_if(scenario, settings) {
    sessionStorage.setItem("opened", JSON.stringify({ scenario, settings }));
    location.assign("./");
  }

  const address = () => new URLSearchParams([["of", state.of], ...fields().map(({ name }) => [name, state.values[name] ?? ""])]).toString();
  function write_address() { history.replaceState(null, "", `#${address()}`); }

  function read_address() {
    const words = new URLSearchParams(location.hash.slice(1));
    if (kQuestions[words.get("of")]) state.of = words.get("of");
    state.values = Object.fromEntries(fields().map(({ name, value }) => [name, words.get(name) ?? value]));
  }

  function input(one) {
    const value = state.values[one.name];
    if (!one.choices) return el("input", { type: "text", name: one.name, value, inputmode: one.name === "users" ? "numeric" : null });
    const options = state.form.controls[one.choices].choices.map(({ name, description }) => el("option", { value: name, title: description, selected: name === value }, name));
    return el("select", { name: one.name }, one.empty ? el("option", { value: "", selected: !value }, one.empty) : null, options);
  }

  function build(form) {
    const kinds = Object.entries(kQuestions).map(([of, { title }]) => el("label", {}, el("input", { type: "radio", name: "of", value: of, checked: of === state.of }), ` ${title}`));
    const rows = fields().map((one) => el("label", { class: "field" }, el("span", {}, one.label), input(one), one.hint ? el("span", { class: "hint" }, one.hint) : null));
    form.replaceChildren(el("fieldset", {}, el("legend", {}, "What is wanted"), el("div", { class: "kinds" }, kinds), rows, el("button", { type: "submit", class: "primary" }, "Answer")));
    for (const radio of form.querySelectorAll("[name=of]")) {
      radio.addEventListener("change", () => {
        state.of = radio.value;
        state.values = Object.fromEntries(fields().map(({ name, value }) => [name, value]));
        Object.assign(state, { answer: null, problems: null, series: [] });
        build(form);
        ask();
      });
    }
  }

  function submit(event, form) {
    event.preventDefault();
    for (const { name } of fields()) state.values[name] = form.elements[name].value.trim();
    ask();
  }

  function download() {
    const link = URL.createObjectURL(new Blob([state.answer.scenario], { type: "application/yaml" }));
    save(state.answer.result.name || "scenario", "yaml", link);
    setTimeout(() => URL.revokeObjectURL(link), 10000);
  }

  async function start() {
    state.form = await (await fetch("form.json")).json();
    railwright.page.know(state.form);
    read_address();
    const form = document.getElementById("settings");
    build(form);
    form.addEventListener("submit", (event) => submit(event, form));
    document.getElementById("what-if").addEventListener("click", () => open_what_if(state.answer.scenario, []));
    document.getElementById("download").addEventListener("click", download);
    const share = document.getElementById("share");
    share.addEventListener("click", () => railwright.share.show(share, `goal#${address()}`));
    ask();
  }

  start();
  return { state };
})();
