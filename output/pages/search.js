// SPDX-License-Identifier: Apache-2.0
// Sections of `search`: the best configurations of a job or a service, and what was tried.
"use strict";

railwright.search = (() => {
  const { el, at, num, ratio, words, capital, table, tile, meter, rests_on, refusal, remark } = railwright.page;
  const { layout_words, has } = railwright.simulate;

  /// A service is divided first, and then has batches.
  const of_service = (doc) => doc.counts.divisions !== undefined;
  const kDimensions = ["tp", "cp", "ep", "pp", "dp"];

  /// "tp 2, pp 4": how the model is divided.
  const division = (doc, place) => {
    const divided = kDimensions.filter((key) => at(doc, `${place}/${key}`) > 1);
    return divided.length ? divided.map((key, i) => [i ? ", " : "", `${key} `, num(doc, `${place}/${key}`, "count")]) : "One accelerator a replica";
  };
  const step_at = (one, place) => `${place}/${one.simulated_step_time_s === null ? "estimated" : "simulated"}_step_time_s`;

  /// "--set parallelism.tp=2 ...": what runs a configuration.
  const set = (one) => one.settings.map((setting) => `--set ${setting}`).join(" ");

  function none(parent, doc) {
    parent.append(refusal("No configuration fits.",
      el("p", {}, doc.why_none || "", doc.min_memory ? ["The least memory of any is ", num(doc, "/min_memory/memory_per_accelerator_bytes", "memory"), " of ",
        num(doc, "/memory_capacity_bytes", "memory"), ", with ", el("span", { class: "path" }, set(doc.min_memory)), "."] : "")));
  }

  function job_tiles(doc) {
    const best = doc.best[0];
    return [tile("Step time", num(doc, step_at(best, "/best/0"), "s"), best.simulated_step_time_s === null ? "estimated" : "simulated"),
      tile("Throughput", [num(doc, "/best/0/samples_per_s"), " samples/s"], doc.own ? [ratio(doc, "/best/0/samples_per_s", "/own/samples_per_s", "change"), " over the scenario as it is"] : "the scenario as it is does not fit"),
      tile("Memory of an accelerator", num(doc, "/best/0/memory_per_accelerator_bytes", "memory"), meter(best.memory_per_accelerator_bytes / doc.memory_capacity_bytes),
        ratio(doc, "/best/0/memory_per_accelerator_bytes", "/memory_capacity_bytes"), " of ", num(doc, "/memory_capacity_bytes", "memory"))];
  }

  function service_tiles() {
    return [["Nodes", "num_nodes", "count"], ["Accelerators at work", "num_accelerators", "count"], ["Output of an accelerator, tokens/s", "accelerator_tokens_per_s", "count"],
      ["To the first token", "time_to_first_token_s", "s"], ["A token after it", "time_per_output_token_s", "s"]];
  }

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) return none(parent, doc);
    const best = doc.best[0];
    const settings = remark("To run it", best.settings.length
      ? el("span", { class: "path" }, set(best)) : "the scenario as it is");
    if (of_service(doc)) {
      parent.append(el("p", { class: "headline" }, division(doc, "/best/0"), ", batch ", num(doc, "/best/0/batch", "count"), "."),
        el("div", { class: "tiles" }, service_tiles().filter(([, key]) => has(doc, `/best/0/result/${key}`)).map(([name, key, kind]) => tile(name, num(doc, `/best/0/result/${key}`, kind)))), settings);
      return undefined;
    }
    parent.append(el("p", { class: "headline" }, division(doc, "/best/0"), ", micro-batch ", num(doc, "/best/0/micro_batch", "count"), ": a step of ", num(doc, "/best/0/global_batch", "count"),
      " samples takes ", num(doc, step_at(best, "/best/0"), "s"), "."),
    el("div", { class: "tiles" }, job_tiles(doc)), settings, remark("Optimistic", doc.selection));
    if (rests_on(doc)) parent.append(remark("How far to trust it", rests_on(doc)));
    return undefined;
  }

  /// Columns of keys in which configurations differ; those in which all are alike say nothing.
  const differing = (list, keys) => keys.filter((key) => list.some((one) => one[key] !== list[0][key]) || kDimensions.includes(key));
  const kJob = ["variant", "rank_order", "tp", "cp", "ep", "etp", "pp", "virtual_stages", "dp", "micro_batch", "global_batch", "zero_stage", "sequence_parallel", "recompute"];
  const kService = ["tp", "ep", "attention_dp", "batch"];

  const said = (doc, place, value) => (typeof value === "number" ? num(doc, place, "count") : words(value === true ? "yes" : value === false ? "no" : value || "-"));

  function configurations(doc, place, list) {
    const service = of_service(doc);
    const keys = differing(list, service ? kService : kJob);
    const numbers = service ? [["output tokens/s of an accelerator", "result/accelerator_tokens_per_s", "count"], ["of a user", "user_tokens_per_s", "count"],
      ["nodes", "result/num_nodes", "count"]].filter(([, key]) => list.some((_, i) => has(doc, `${place}/${i}/${key}`)))
      : [["estimated step", "estimated_step_time_s", "s"], ["simulated step", "simulated_step_time_s", "s"], ["samples/s", "samples_per_s", "plain"],
        ["memory", "memory_per_accelerator_bytes", "memory"]].filter(([, key]) => list.some((_, i) => has(doc, `${place}/${i}/${key}`)));
    return table([...keys.map((key) => ({ title: capital(layout_words(key)), right: true })), ...numbers.map(([title]) => ({ title, right: true }))],
      list.map((one, i) => [...keys.map((key) => said(doc, `${place}/${i}/${key}`, one[key])), ...numbers.map(([, key, kind]) => num(doc, `${place}/${i}/${key}`, kind))]));
  }

  const best = (parent, doc) => parent.append(configurations(doc, "/best", doc.best));

  /// The two quantities of the Pareto front, each {title, key, kind}.
  const axes = (doc) => (of_service(doc)
    ? [{ title: "tokens/s of a user", key: (one) => one.user_tokens_per_s, kind: "count" }, { title: "tokens/s of an accelerator", key: (one) => at(one, "/result/accelerator_tokens_per_s"), kind: "count" }]
    : [{ title: "memory of an accelerator", key: (one) => one.memory_per_accelerator_bytes, kind: "memory" }, { title: "step time", key: (one) => one.simulated_step_time_s || one.estimated_step_time_s, kind: "s" }]);

  /// What nothing beats in both: a point a configuration.
  function front(parent, doc) {
    const [across, up] = axes(doc);
    const point = (one) => ({ x: across.key(one), y: up.key(one), name: one.settings.join(" ") });
    const sets = [{ label: "front", data: doc.front.map(point), colour: "accent", shape: "circle" }];
    if (doc.own) sets.push({ label: "the scenario as it is", data: [point(doc.own)], colour: "bad", shape: "rectRot" });
    railwright.charts.scatter(parent, "What nothing beats in both", across, up, sets);
    const list = el("details", {}, el("summary", {}, "The front in numbers"));
    list.append(configurations(doc, "/front", doc.front));
    parent.append(list);
  }

  const kJobCounts = { points: "Combinations", legal: "Legal: their numbers divide", fitting: "Fit into memory", estimated: "Evaluated; the others were pruned by a lower bound on step time",
    transfers: "Sets of transfers that these needed" };
  const kServiceCounts = { divisions: "Divisions of the model", points: "Batches that fit into memory", in_time: "Within the latencies" };

  function tried(parent, doc) {
    const said_of = of_service(doc) ? kServiceCounts : kJobCounts;
    parent.append(table([{ title: "Tried" }, { title: "", right: true }], Object.keys(doc.counts).map((key) => [said_of[key] || capital(words(key)), num(doc, `/counts/${key}`, "count")])));
  }

  return { answer, best, front, tried };
})();
