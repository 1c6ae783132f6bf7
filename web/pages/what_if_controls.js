// SPDX-License-Identifier: Apache-2.0
// The controls of the what-if page: what may change, in which steps a slider goes, and the settings
// that changes make. What a key is, its range and its choices come from the program.
"use strict";

railwright.controls = (() => {
  const { el } = railwright.page;
  const { text, kFabric } = railwright.fabric_setting;

  const kLongList = 13;
  const kDivision = "division";  // no key of a scenario: who divides the model
  const kDivisionChoices = [
    { name: "where_needed", description: "The scenario's division; where it cannot be or does not fit, the fastest that does." },
    { name: "automatic", description: "Always the fastest in closed form." },
    { name: "own", description: "As the scenario and the controls below say." },
  ];
  const kDivisionWords = { where_needed: "as set, or chosen where needed", automatic: "chosen", own: "as set" };
  const kDoubling = [1, 2, 4, 8, 16, 32, 64];
  const kParts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 61, 63, 64, 80, 96, 126];
  const kCounts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
  const kPlanes = [2, 3, 4, 6, 8];
  const kMinutes = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720];
  const kSeconds = { s: 1, min: 60, h: 3600, day: 86400, days: 86400 };

  /// Minutes of "1 h"; undefined for what is no time.
  function minutes(text) {
    const parts = /^\s*([0-9.eE+-]+)\s*([a-z]+)\s*$/.exec(String(text ?? ""));
    return parts && kSeconds[parts[2]] ? (Number(parts[1]) * kSeconds[parts[2]]) / 60 : undefined;
  }

  /// A division is into parts of whole accelerators.
  const shares_accelerators = (v, limits) => limits.num_accelerators % v === 0;

  /// Groups of controls in the order of the page. `essential`: shown before *more*; `stops`: a slider
  /// through those that it `offers`; `applies`: to this model; `unit`: behind the number; `write`, `read`: between what is shown and what the scenario says.
  const groups = [
    { title: "Job", open: true, gist: (v) => `${v["workload.model"] ?? ""}`, controls: [
      { path: "workload.model", essential: true, label: "Model" },
      { path: "workload.sequence_length", label: "Sequence length", unit: "tokens", stops: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072] },
      { path: "workload.global_batch", essential: true, label: "Global batch", unit: "sequences", stops: [16, 32, 48, 64, 96, 128, 144, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096] },
      { path: "workload.micro_batch", label: "Micro-batch", unit: "sequences", stops: kDoubling },
      { path: "workload.steps", label: "Optimizer steps", unit: "steps", stops: [100, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000] },
    ] },
    { title: "Cluster", open: true, gist: (v) => `${v["cluster.nodes"]} × ${v["cluster.node"]}`, controls: [
      { path: "cluster.node", essential: true, label: "Node" },
      { path: "cluster.nodes", essential: true, label: "Nodes", unit: "nodes", stops: kCounts },
      { path: "cluster.node.nics.count", essential: true, label: "NICs a node", unit: "NICs", stops: [1, 2, 3, 4, 5, 6, 7, 8] },
      { path: "cluster.node.nics.nic", essential: true, label: "NIC" },
      { path: "cluster.node.nics.wiring", label: "Wiring of fewer NICs than accelerators" },
    ] },
    { title: "Network", open: true, gist: (v) => `${v["cluster.fabric"]}, ${v["cluster.node.nics.transport"]}`, controls: [
      { path: "cluster.node.nics.transport", label: "Protocol" },
      { path: "cluster.fabric", essential: true, label: "Fabric" },
      { path: "cluster.fabric.planes", label: "Planes", unit: "planes", stops: kPlanes, first: 2 },
      { path: "cluster.fabric.plane", label: "Each plane" },
      { path: "cluster.fabric.switch", label: "Switch" },
      { path: "cluster.fabric.oversubscription", label: "Oversubscription", unit: ": 1", stops: [1, 1.5, 2, 3, 4, 8] },
      { path: "cluster.fabric.inter_switch_links", label: "Links between the switches", unit: "links", stops: kDoubling, first: 16 },
      { path: "cluster.fabric.nodes_per_pod", label: "Nodes on a pod switch", unit: "nodes", stops: kDoubling, first: 8 },
    ] },
    { title: "Parallelism", open: true, gist: (v) => `tp ${v["parallelism.tp"]}, pp ${v["parallelism.pp"]}`, controls: [
      { path: kDivision, essential: true, label: "Division of the model" },
      { path: "parallelism.tp", label: "Tensor parallel", unit: "ranks", stops: [1, 2, 4, 8, 16, 32], offers: shares_accelerators },
      { path: "parallelism.pp", label: "Pipeline stages", unit: "stages", stops: kParts, offers: (v, limits) => shares_accelerators(v, limits) && limits.num_layers % v === 0 },
      { path: "parallelism.virtual_stages", label: "Virtual stages", unit: "chunks", stops: kParts, offers: (v, limits) => limits.num_layers % (v * limits.pp) === 0 },
      { path: "parallelism.cp", label: "Context parallel", unit: "ranks", stops: kDoubling, offers: shares_accelerators },
      { path: "parallelism.ep", label: "Expert parallel", unit: "ranks", stops: kDoubling, offers: shares_accelerators, applies: (limits) => limits.has_experts },
      { path: "parallelism.sequence_parallel", label: "Sequence parallel" },
    ] },
    { title: "Storage", open: true, gist: (v) => (v["cluster.storage.node"] ? `${v["cluster.storage.count"]} × ${v["cluster.storage.node"]}` : "none"), controls: [
      { path: "cluster.storage.node", label: "Storage node", none: "cluster.storage" },
      { path: "cluster.storage.count", essential: true, label: "Storage nodes", unit: "nodes", stops: kCounts, offers: (v, limits) => v >= (limits.min_storage_nodes ?? 1) && v <= (limits.max_storage_nodes ?? Infinity) },
      { path: "cluster.storage.switch", label: "Front-end switch" },
      { path: "cluster.storage.mount", label: "Mount" },
      { path: "checkpoint.interval", essential: true, label: "Checkpoint every", unit: "min", stops: kMinutes, read: minutes, write: (v) => `${v} min` },
      { path: "checkpoint.mode", label: "While it is written" },
    ] },
    { title: "Software and site", open: false, gist: (v) => `${v.software ?? ""}`, controls: [
      { path: "software", label: "Stack" },
      { path: "software.precision", label: "Precision" },
      { path: "software.recompute", label: "Recompute activations" },
      { path: "software.zero_stage", label: "ZeRO stage", stops: [0, 1, 2, 3] },
      { path: "installation", label: "Site" },
      { path: "reliability", label: "How often parts fail", none: "reliability" },
    ] },
  ];
  const all = groups.flatMap((group) => group.controls);

  /// Settings as for `--set`, of what was touched: names of whole entries before the keys below them.
  function settings(touched, base, form) {
    const made = [];
    const left = new Map(touched);
    const take = (path, write) => {
      if (!left.has(path)) return;
      made.push(write ? write(left.get(path)) : `${path}=${text(left.get(path))}`);
      left.delete(path);
    };
    take("workload.model");
    take("cluster.node");
    take("software");
    const fabric = new Map([...left].filter(([path]) => `${path}.`.startsWith(kFabric)));
    for (const path of fabric.keys()) left.delete(path);
    made.push(...railwright.fabric_setting.settings(fabric, all, base, form));
    if (left.get("cluster.storage.node") === "none") {
      made.push("cluster.storage=null");
      for (const path of [...left.keys()]) if (path.startsWith("cluster.storage.")) left.delete(path);
    } else if (left.has("cluster.storage.node") && !base["cluster.storage.node"]) {
      made.push(`cluster.storage={node: ${text(left.get("cluster.storage.node"))}, count: ${text(left.get("cluster.storage.count") ?? 4)}, switch: z9664f-on}`);
      left.delete("cluster.storage.node");
      left.delete("cluster.storage.count");
    }
    take("reliability", (value) => (value === "none" ? "reliability=null" : `reliability=${text(value)}`));
    if (left.has("checkpoint.interval") && base["checkpoint.interval_steps"]) made.push("checkpoint.interval_steps=0");
    for (const path of left.keys()) made.push(`${path}=${text(left.get(path))}`);
    return made;
  }

  /// Builds them; `change(path, value)` is told of every move, `undefined` meaning as it was;
  /// `look(path)` of a slider that somebody is about to move.
  function build(form, parent, change, look) {
    const made = new Map();
    for (const group of groups) {
      const gist = el("span", { class: "gist" });
      const inside = el("div", { class: "inside" });
      parent.append(el("fieldset", {}, el("details", { open: group.open && innerWidth > 860 },
        el("summary", {}, el("span", {}, group.title), gist), inside)));
      for (const spec of group.controls) {
        const control = one(spec, facts_of(spec, form), change, look);
        control.box.classList.toggle("less", !spec.essential);
        inside.append(control.box);
        made.set(spec.path, control);
      }
      made.set(group, { gist });
    }
    const more = el("button", { type: "button", id: "more", "aria-expanded": "false" }, "More settings");
    more.addEventListener("click", () => {
      const is_all = parent.classList.toggle("all");
      more.setAttribute("aria-expanded", String(is_all));
      more.textContent = is_all ? "Fewer settings" : "More settings";
    });
    parent.append(more);
    return made;
  }

  /// What may be chosen for a key: of the fabric, or of the catalogue.
  function choices_of(path, form) {
    return railwright.fabric_setting.choices(path, form) ?? facts_of({ path }, form)?.choices ?? [];
  }

  function facts_of(spec, form) {
    if (spec.path === kDivision) {
      return { doc: "Whether the division of the model is the scenario's or is chosen.", kind: "choice", choices: kDivisionChoices, words: kDivisionWords };
    }
    const choices = railwright.fabric_setting.choices(spec.path, form);
    if (choices) return { doc: "How the switches of the scale-out fabric are joined.", kind: "choice", choices };
    if (spec.path.startsWith(kFabric)) {
      const key = spec.path.slice(kFabric.length);
      return Object.values(form.topologies).map((keys) => keys[key]).find(Boolean);
    }
    return form.controls[spec.path];
  }

  /// What the catalogue calls a thing, without what else it says of it.
  const product = ({ name, description }) => (description ? description.split(/[,:;]/)[0] : name.replaceAll("_", " "));

  /// The product of each choice; where two would read the same, all that the catalogue says.
  function products(choices) {
    const counts = new Map();
    for (const one of choices) counts.set(product(one), (counts.get(product(one)) ?? 0) + 1);
    return new Map(choices.map((one) => [one.name, counts.get(product(one)) > 1 ? one.description : product(one)]));
  }

  /// Where choices have headings, those; in a long list the first word of what several are called.
  function with_groups(choices, shown) {
    if (choices.length < kLongList || choices.some(({ group }) => group)) return choices;
    const first = (one) => shown(one.name).split(/[ -]/)[0];
    const counts = new Map();
    for (const one of choices) counts.set(first(one), (counts.get(first(one)) ?? 0) + 1);
    return choices.map((one) => ({ ...one, group: counts.get(first(one)) > 1 ? first(one) : "Others" }));
  }

  /// Under a heading where choices have one; the headings by the alphabet, others last.
  function options_of(choices, shown) {
    const option = ({ name, description }) => el("option", { value: name, title: description ? `${name}: ${description}` : null }, shown(name));
    const is_derived = choices.some(({ group }) => group === "Others");
    const headings = [...new Set(choices.map(({ group }) => group))];
    if (is_derived) headings.sort((a, b) => (a === "Others") - (b === "Others") || a.localeCompare(b));
    return headings.flatMap((heading) => {
      const under = choices.filter(({ group }) => group === heading).map(option);
      return heading ? [el("optgroup", { label: heading }, under)] : under;
    });
  }

  function one(spec, facts, change, look) {
    const id = `set-${spec.path.replaceAll(".", "-")}`;
    const trouble = el("p", { class: "trouble", id: `${id}-trouble`, hidden: true });
    const back = el("button", { type: "button", class: "back", title: "As it was", "aria-label": `${spec.label} as it was` }, "undo");
    const label = el("label", { for: id, title: facts.doc }, spec.label);
    const parts = { id, trouble, back, label, described: `${id}-about ${id}-trouble` };
    back.addEventListener("click", () => change(spec.path, undefined));
    const control = facts.choices || facts.kind === "truth" ? list(spec, facts, change, parts) : number(spec, facts, change, look, parts);
    control.mark = (is_changed, problems) => {
      control.box.classList.toggle("changed", is_changed);
      control.box.classList.toggle("bad", problems.length > 0);
      trouble.hidden = problems.length === 0;
      trouble.textContent = problems.map((one_of) => [one_of.message, one_of.hint].filter(Boolean).join("; ")).join(" · ");
    };
    control.box.dataset.path = spec.path;
    control.spec = spec;
    return control;
  }

  /// A list of choices; a long one with a field that narrows it.
  function list(spec, facts, change, { id, trouble, back, label, described }) {
    const about = el("p", { class: "about", id: `${id}-about` });
    const plain = facts.choices ?? [{ name: "true" }, { name: "false" }];
    const called = products(plain);
    const shown = (name) => (facts.kind === "truth" ? { true: "yes", false: "no" }[name] : facts.words?.[name] ?? called.get(name) ?? name);
    const choices = with_groups(plain, shown);
    const select = el("select", { id, "aria-describedby": described });
    const narrow = choices.length < kLongList ? null
      : el("input", { type: "search", class: "narrow", placeholder: "Search", "aria-label": `Search in ${spec.label}` });
    const fill = (words) => {
      const value = select.value;
      const found = choices.filter((choice) => words.every((word) => `${choice.name} ${choice.description}`.toLowerCase().includes(word)));
      const kept = found.some(({ name }) => name === value) || !value || value === "none" ? [] : [choices.find(({ name }) => name === value) ?? { name: value }];
      select.replaceChildren(...(spec.none ? [el("option", { value: "none" }, "none")] : []), ...options_of([...kept, ...found], shown));
      if (value) select.value = value;
      return found;
    };
    fill([]);
    select.addEventListener("change", () => change(spec.path, select.value));
    narrow?.addEventListener("input", () => fill(narrow.value.toLowerCase().split(/\s+/).filter(Boolean)));
    narrow?.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      const [best] = fill(narrow.value.toLowerCase().split(/\s+/).filter(Boolean));
      narrow.value = "";
      fill([]);
      if (best) change(spec.path, best.name);
    });
    const show = (value) => {
      if (value === undefined) return;
      const name = value === null ? "none" : String(value);
      if (![...select.options].some((option) => option.value === name)) select.append(el("option", { value: name }, shown(name)));
      select.value = name;
      about.textContent = choices.find((choice) => choice.name === name)?.description ?? "";
    };
    return { show, box: el("div", { class: "control" }, el("div", { class: "line" }, label, back, narrow), select, about, trouble) };
  }

  /// A number to type in, and a slider through its stops that passes over those that do not answer.
  function number(spec, facts, change, look, { id, trouble, back, label, described }) {
    const input = el("input", { id, type: "text", inputmode: "decimal", "aria-describedby": described });
    const slider = spec.stops ? el("input", { type: "range", min: 0, step: 1, "aria-label": spec.label, "aria-describedby": described }) : null;
    const marks = el("div", { class: "stops", "aria-hidden": "true" });
    let [stops, outcomes, place] = [spec.stops ?? [], null, 0];
    const given = (value) => change(spec.path, spec.write ? spec.write(value) : value);
    input.addEventListener("input", () => {
      const plain = input.value.trim().replaceAll(",", "");
      given(plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : input.value.trim());
    });
    slider?.addEventListener("input", () => {
      const to = railwright.stops.landing(outcomes, place, Number(slider.value));
      slider.value = to;
      if (to !== place) given(stops[to]);
    });
    for (const event of ["pointerenter", "focus"]) slider?.addEventListener(event, () => look(spec.path));
    const usual = facts.default === undefined || !Number.isFinite(Number(facts.default)) ? null : Number(facts.default);
    const show = (given_value, limits) => {
      const value = given_value ?? usual;
      const shown = spec.read ? spec.read(value) ?? value : value;
      if (document.activeElement !== input) input.value = shown ?? "";
      if (!slider) return;
      if (typeof shown === "number" && document.activeElement !== slider) {
        stops = railwright.stops.stops_of(spec, shown, limits);
        slider.max = stops.length - 1;
      }
      place = Math.max(0, stops.indexOf(shown));
      slider.value = place;
      slider.setAttribute("aria-valuetext", `${shown ?? "none"} ${spec.unit ?? ""}`);
    };
    /// What the program says of each stop; null while nobody knows.
    const know_stops = (known) => {
      outcomes = known && known.stops.length === stops.length && known.stops.every((stop, i) => stop === stops[i]) ? known.outcomes : null;
      if (slider) railwright.stops.marks(marks, stops, outcomes, spec.unit);
    };
    label.append(el("span", { class: "range", id: `${id}-about` }, range_of(spec, facts)));
    return { show, know_stops, stops: () => stops, box: el("div", { class: "control" },
      el("div", { class: "line" }, label, el("span", { class: "given" }, back, input, el("span", { class: "unit" }, spec.unit))), slider, slider && marks, trouble) };
  }

  /// What may be given, in words.
  function range_of(spec, facts) {
    const grouped = (value) => value.toLocaleString("en-US");
    if (facts.least !== undefined && facts.most !== undefined) {
      return `${grouped(facts.least)} to ${facts.most >= 1e9 ? facts.most.toExponential(0).replace("+", "") : grouped(facts.most)}`;
    }
    return (facts.range ?? "").replace("greater than 0", "above 0");
  }

  /// Keys that decide how the model is divided.
  const divides = (path) => path.startsWith("parallelism.") || path === "workload.micro_batch";

  return { groups, all, build, settings, divides, choices_of, product, kDivision };
})();
