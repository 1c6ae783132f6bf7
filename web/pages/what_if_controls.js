// SPDX-License-Identifier: Apache-2.0
// The controls of the what-if page: what may change, in which steps a slider goes, and the settings
// that changes make. What a key is, its range and its choices come from the program.
"use strict";

railwright.controls = (() => {
  const { el } = railwright.page;
  const { text, kFabric } = railwright.fabric_setting;

  const kDivision = "division";  // no key of a scenario: who divides the model
  const kDivisionChoices = [
    { name: "where_needed", description: "The scenario's division; where it cannot be or does not fit, the fastest that does." },
    { name: "automatic", description: "Always the fastest in closed form." },
    { name: "own", description: "As the scenario and the controls below say." },
  ];
  const kDivisionWords = { where_needed: "as set, or chosen where needed", automatic: "chosen", own: "as set" };
  const kDoubling = [1, 2, 4, 8, 16, 32, 64];
  const kCounts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
  const kPlanes = [2, 3, 4, 6, 8];
  const kMinutes = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720];
  const kSeconds = { s: 1, min: 60, h: 3600, day: 86400, days: 86400 };

  /// Minutes of "1 h"; undefined for what is no time.
  function minutes(text) {
    const parts = /^\s*([0-9.eE+-]+)\s*([a-z]+)\s*$/.exec(String(text ?? ""));
    return parts && kSeconds[parts[2]] ? (Number(parts[1]) * kSeconds[parts[2]]) / 60 : undefined;
  }

  /// Groups of controls in the order of the page. `stops`: a slider through them; `unit`: behind the
  /// number; `write`, `read`: between what is shown and what the scenario says.
  const groups = [
    { title: "Job", open: true, gist: (v) => `${v["workload.model"] ?? ""}`, controls: [
      { path: "workload.model", label: "Model" },
      { path: "workload.sequence_length", label: "Sequence length", unit: "tokens", stops: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072] },
      { path: "workload.global_batch", label: "Global batch", unit: "sequences", stops: [16, 32, 48, 64, 96, 128, 144, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096] },
      { path: "workload.micro_batch", label: "Micro-batch", unit: "sequences", stops: kDoubling },
      { path: "workload.steps", label: "Optimizer steps", unit: "steps", stops: [100, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000] },
    ] },
    { title: "Cluster", open: true, gist: (v) => `${v["cluster.nodes"]} × ${v["cluster.node"]}`, controls: [
      { path: "cluster.node", label: "Node" },
      { path: "cluster.nodes", label: "Nodes", unit: "nodes", stops: kCounts },
      { path: "cluster.node.nics.count", label: "NICs a node", unit: "NICs", stops: [1, 2, 3, 4, 5, 6, 7, 8] },
      { path: "cluster.node.nics.nic", label: "NIC" },
      { path: "cluster.node.nics.wiring", label: "Wiring of fewer NICs than accelerators" },
    ] },
    { title: "Network", open: true, gist: (v) => `${v["cluster.fabric"]}, ${v["cluster.node.nics.transport"]}`, controls: [
      { path: "cluster.node.nics.transport", label: "Protocol" },
      { path: "cluster.fabric", label: "Fabric" },
      { path: "cluster.fabric.planes", label: "Planes", unit: "planes", stops: kPlanes, first: 2 },
      { path: "cluster.fabric.plane", label: "Each plane" },
      { path: "cluster.fabric.switch", label: "Switch" },
      { path: "cluster.fabric.oversubscription", label: "Oversubscription", unit: ": 1", stops: [1, 1.5, 2, 3, 4, 8] },
      { path: "cluster.fabric.inter_switch_links", label: "Links between the switches", unit: "links", stops: kDoubling, first: 16 },
      { path: "cluster.fabric.nodes_per_pod", label: "Nodes on a pod switch", unit: "nodes", stops: kDoubling, first: 8 },
    ] },
    { title: "Parallelism", open: true, gist: (v) => `tp ${v["parallelism.tp"]}, pp ${v["parallelism.pp"]}`, controls: [
      { path: kDivision, label: "Division of the model" },
      { path: "parallelism.tp", label: "Tensor parallel", unit: "ranks", stops: [1, 2, 4, 8, 16, 32] },
      { path: "parallelism.pp", label: "Pipeline stages", unit: "stages", stops: [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 80] },
      { path: "parallelism.virtual_stages", label: "Virtual stages", unit: "chunks", stops: [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40] },
      { path: "parallelism.cp", label: "Context parallel", unit: "ranks", stops: kDoubling },
      { path: "parallelism.ep", label: "Expert parallel", unit: "ranks", stops: kDoubling },
      { path: "parallelism.sequence_parallel", label: "Sequence parallel" },
    ] },
    { title: "Storage", open: true, gist: (v) => (v["cluster.storage.node"] ? `${v["cluster.storage.count"]} × ${v["cluster.storage.node"]}` : "none"), controls: [
      { path: "cluster.storage.node", label: "Storage node", none: "cluster.storage" },
      { path: "cluster.storage.count", label: "Storage nodes", unit: "nodes", stops: kCounts },
      { path: "cluster.storage.mount", label: "Mount" },
      { path: "checkpoint.interval", label: "Checkpoint every", unit: "min", stops: kMinutes, read: minutes, write: (v) => `${v} min` },
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

  /// Builds them; `change(path, value)` is told of every move, `undefined` meaning as it was.
  function build(form, parent, change) {
    const made = new Map();
    for (const group of groups) {
      const gist = el("span", { class: "gist" });
      const inside = el("div", { class: "inside" });
      parent.append(el("fieldset", {}, el("details", { open: group.open && innerWidth > 860 },
        el("summary", {}, el("span", {}, group.title), gist), inside)));
      for (const spec of group.controls) {
        const control = one(spec, facts_of(spec, form), change);
        inside.append(control.box);
        made.set(spec.path, control);
      }
      made.set(group, { gist });
    }
    return made;
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

  /// Under a heading where choices have one.
  function options_of(choices, shown) {
    const option = ({ name, description }) => el("option", { value: name, title: description }, shown(name));
    const headings = [...new Set(choices.map(({ group }) => group))];
    return headings.flatMap((heading) => {
      const under = choices.filter(({ group }) => group === heading).map(option);
      return heading ? [el("optgroup", { label: heading }, under)] : under;
    });
  }

  function one(spec, facts, change) {
    const id = `set-${spec.path.replaceAll(".", "-")}`;
    const about = el("p", { class: "about", id: `${id}-about` });
    const trouble = el("p", { class: "trouble", id: `${id}-trouble`, hidden: true });
    const back = el("button", { type: "button", class: "back", title: "As it was" }, "undo");
    const label = el("label", { for: id, title: facts.doc }, spec.label);
    const described = `${id}-about ${id}-trouble`;
    back.addEventListener("click", () => change(spec.path, undefined));
    const control = {};

    if (facts.choices || facts.kind === "truth") {
      const choices = facts.choices ?? [{ name: "true" }, { name: "false" }];
      const shown = (name) => (facts.kind === "truth" ? { true: "yes", false: "no" }[name] : facts.words?.[name] ?? name);
      const select = el("select", { id, "aria-describedby": described },
        spec.none ? el("option", { value: "none" }, "none") : null,
        options_of(choices, shown));
      select.addEventListener("change", () => change(spec.path, select.value));
      control.show = (value) => {
        if (value === undefined) return;
        const name = value === null ? "none" : String(value);
        if (![...select.options].some((option) => option.value === name)) select.append(el("option", { value: name }, name));
        select.value = name;
        about.textContent = choices.find((choice) => choice.name === name)?.description ?? "";
      };
      control.box = el("div", { class: "control" }, el("div", { class: "line" }, label, back), select, about, trouble);
    } else {
      const number = el("input", { id, type: "text", inputmode: "decimal", "aria-describedby": described });
      const slider = spec.stops ? el("input", { type: "range", min: 0, step: 1, "aria-label": spec.label, "aria-describedby": described }) : null;
      let stops = spec.stops ?? [];
      const given = (value) => change(spec.path, spec.write ? spec.write(value) : value);
      const typed = () => {
        const plain = number.value.trim().replaceAll(",", "");
        given(plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : number.value.trim());
      };
      number.addEventListener("input", typed);
      if (slider) slider.addEventListener("input", () => given(stops[slider.value]));
      const usual = facts.default === undefined || !Number.isFinite(Number(facts.default)) ? null : Number(facts.default);
      control.show = (given_value) => {
        const value = given_value ?? usual;
        const shown = spec.read ? spec.read(value) ?? value : value;
        if (document.activeElement !== number) number.value = shown ?? "";
        if (!slider) return;
        if (typeof shown === "number" && document.activeElement !== slider) {
          stops = [...new Set([...spec.stops, shown])].sort((a, b) => a - b);
          slider.max = stops.length - 1;
        }
        slider.value = Math.max(0, stops.indexOf(shown));
        slider.setAttribute("aria-valuetext", `${shown ?? "none"} ${spec.unit ?? ""}`);
      };
      label.append(el("span", { class: "range", id: `${id}-about` }, range_of(spec, facts)));
      control.box = el("div", { class: "control" },
        el("div", { class: "line" }, label, el("span", { class: "given" }, back, number, el("span", { class: "unit" }, spec.unit))), slider, trouble);
    }
    control.mark = (is_changed, problems) => {
      control.box.classList.toggle("changed", is_changed);
      control.box.classList.toggle("bad", problems.length > 0);
      trouble.hidden = problems.length === 0;
      trouble.textContent = problems.map((one_of) => [one_of.message, one_of.hint].filter(Boolean).join("; ")).join(" · ");
    };
    control.box.dataset.path = spec.path;
    return control;
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

  return { groups, all, build, settings, divides, kDivision };
})();
