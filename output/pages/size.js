// SPDX-License-Identifier: Apache-2.0
// Sections of `size`: the designs that meet the goals, what they are made of, what a smaller one misses.
"use strict";

railwright.size = (() => {
  const { el, at, num, ratio, range, words, capital, table, saved_table, tile, rests_on, cause_words, refusal, remark } = railwright.page;
  const { stacked_bars, bars, legend } = railwright.charts;
  const { causes, has, layout_words } = railwright.simulate;

  /// The chosen one, the one of least power and the fastest; those that are the same one once.
  function designs(doc) {
    const named = [];
    const add = (title, place) => {
      const known = named.find((one) => one.place === place);
      if (known) known.title += `, ${title}`;
      else named.push({ title: capital(title), place, made: at(doc, place) });
    };
    if (doc.chosen !== null) add(doc.ranked_by === "cost" ? "cheapest" : "fewest nodes", `/sized/${doc.chosen}`);
    if (doc.min_power !== null) add("least power", `/sized/${doc.min_power}`);
    if (doc.fastest) add("fastest", "/fastest");
    return named;
  }

  /// Whose prices the costs are of, and what they leave out.
  function prices(parent, doc) {
    const all = designs(doc).filter((one) => at(doc, `${one.place}/result/cost`));
    if (!all.length) return;
    const said = [...new Set(all.map((one) => at(doc, `${one.place}/result/cost/prices`)).filter(Boolean))];
    const unpriced = [...new Set(all.flatMap((one) => at(doc, `${one.place}/result/cost/unpriced`).map((part) => part.name)))];
    if (said.length) parent.append(remark("Prices", said.join("; "), "."));
    if (unpriced.length) {
      parent.append(remark("Without a price, and in no sum", unpriced.join(", "),
        doc.no_price_of.length ? `. The costs are not comparable: no price of ${doc.no_price_of.join(", ")}.` : "."));
    }
  }

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) {
      parent.append(refusal("No cluster meets these goals.",
        el("ul", {}, doc.missed.map((one) => el("li", {}, `${one.option}: ${one.why}`)))));
      return;
    }
    const best = designs(doc)[0];
    parent.append(el("p", { class: "headline" }, num(doc, `${best.place}/num_nodes`, "count"), " nodes (", best.made.option, ", ",
      num(doc, `${best.place}/num_accelerators`, "count"), " accelerators) take ", num(doc, `${best.place}/result/training_time_s`, "s"),
      " in the mean and ", num(doc, `${best.place}/training_time_at_confidence_s`, "s"), " at ", num(doc, "/confidence", "percent"),
      " confidence; ", num(doc, "/deadline_s", "s"), " are allowed."));
    parent.append(el("div", { class: "tiles" }, designs(doc).map((one) => tile(one.title, [num(doc, `${one.place}/num_nodes`, "count"), " nodes"], one.made.option, ": ",
      num(doc, `${one.place}/training_time_at_confidence_s`, "s"), " at ", num(doc, "/confidence", "percent"), " confidence, ", num(doc, `${one.place}/peak_power_w`, "w"),
      has(doc, `${one.place}/result/cost/ownership_usd`) ? [at(doc, `${one.place}/result/cost/partial`) ? ", at least " : ", ", num(doc, `${one.place}/result/cost/ownership_usd`, "usd")] : ""))));
    prices(parent, doc);
    parent.append(remark("Decided by", doc.sized[doc.chosen].binds, "."));
    const trust = rests_on(doc, `${best.place}/result`);
    if (trust) parent.append(remark("How far to trust it", trust));
  }

  const kConfiguration = ["tp", "cp", "ep", "pp", "dp", "virtual_stages", "micro_batch", "global_batch", "zero_stage"];

  function overview(parent, doc) {
    const all = designs(doc);
    const row = (title, cell) => [title, ...all.map((one) => cell(one.place, one))];
    const rows = [row("Parts", (_, one) => one.made.option), row("Nodes", (at_) => num(doc, `${at_}/num_nodes`, "count")), row("Spares", (at_) => num(doc, `${at_}/num_spares`, "count")),
      row("Storage nodes", (at_) => num(doc, `${at_}/num_storage_nodes`, "count")), row("Accelerators", (at_) => num(doc, `${at_}/num_accelerators`, "count")),
      row("Training time, mean", (at_) => num(doc, `${at_}/result/training_time_s`, "s")),
      row([`Training time, at `, num(doc, "/confidence", "percent"), " confidence"], (at_) => num(doc, `${at_}/training_time_at_confidence_s`, "s")), row("Probability of meeting the deadline", (at_) => num(doc, `${at_}/deadline_probability`, "percent")),
      row("Deadline", () => num(doc, "/deadline_s", "s")),
      row("Step time", (at_) => num(doc, `${at_}/result/step_time_s`, "s")),
      row("Band of the step", (at_) => range(doc, `${at_}/result/step_time_low_s`, `${at_}/result/step_time_high_s`, "s")),
      row("It rests on", (at_) => rests_on(doc, `${at_}/result`, false) || ""),
      row("Model FLOPs utilization", (at_) => num(doc, `${at_}/result/model_flops_utilization`, "percent")),
      row("Memory of an accelerator", (at_) => num(doc, `${at_}/result/memory_per_accelerator_bytes`, "memory")),
      row("Interruptions", (at_) => num(doc, `${at_}/result/run/num_interruptions`)),
      row("Power, peak", (at_) => num(doc, `${at_}/peak_power_w`, "w")), row("Racks", (at_) => num(doc, `${at_}/racks/count`, "count")),
      row("Fullest rack", (at_) => num(doc, `${at_}/racks/largest_power_w`, "w")),
      row("Bought", (at_) => num(doc, `${at_}/result/cost/capital_usd`, "usd")), row("Owned, in all", (at_) => num(doc, `${at_}/result/cost/ownership_usd`, "usd")),
      row("This run costs", (at_) => num(doc, `${at_}/result/cost/run_usd`, "usd")),
      ...kConfiguration.map((key) => row(capital(layout_words(key)), (at_) => num(doc, `${at_}/configuration/${key}`, "count"))),
      row("Recompute", (_, one) => words(one.made.configuration.recompute || "-"))]
      .filter((cells) => cells.slice(1).some((cell) => cell !== "" && !(cell instanceof Element && cell.classList.contains("none"))));
    parent.append(table([{ title: "" }, ...all.map((one) => ({ title: one.title, right: true }))], rows));
    parent.append(el("details", {}, el("summary", {}, "As settings of the scenario"), all.map((one) => [el("h3", {}, one.title),
      el("p", { class: "path" }, one.made.settings.map((setting) => `--set ${setting}`).join(" "))])));
  }

  /// Training times with their band, and where a step goes.
  function times(parent, doc) {
    const all = designs(doc);
    bars(parent, "Training time", "s", all.map((one) => ({ name: one.title, value: at(doc, `${one.place}/result/training_time_s`),
      low: at(doc, `${one.place}/result/training_time_low_s`), high: at(doc, `${one.place}/result/training_time_high_s`),
      mark: at(doc, `${one.place}/training_time_at_confidence_s`) })), { title: "training time", limit: doc.deadline_s, limit_name: "deadline" });
    parent.append(el("p", { class: "note" }, "Bars: the mean. Diamonds: ", num(doc, "/confidence", "percent"), " confidence, with the spread between sites. Dashed: the deadline of ",
      num(doc, "/deadline_s", "s"), ". Whiskers: from the fastest to the slowest twentieth of runs, as failures fall."));
    const kinds = [...new Set(all.flatMap((one) => causes(one.made.result)))];
    const parts = kinds.map((cause) => ({ name: cause_words(cause), colour: cause, values: all.map((one) => one.made.result.breakdown[cause]) }));
    parent.append(el("h3", {}, "Where a step goes"), legend(parts));
    stacked_bars(parent, "Step time by cause", "s", all.map((one) => ({ name: one.title, low: one.made.result.step_time_low_s, high: one.made.result.step_time_high_s })), parts,
      { title: "a step" });
    parent.append(el("p", { class: "note" }, "Whiskers: 80 % interval of the step time over sites."));
  }

  /// What each design is made of.
  function materials(parent, doc) {
    const all = designs(doc);
    const parts = new Map();
    all.forEach((one, d) => one.made.result.parts.forEach((part, i) => {
      const key = `${part.kind}/${part.name}`;
      if (!parts.has(key)) parts.set(key, { part, counts: all.map(() => "") });
      parts.get(key).counts[d] = num(doc, `${one.place}/result/parts/${i}/count`, "count");
    }));
    parent.append(saved_table("bill of materials", [{ title: "Part" }, { title: "kind" }, ...all.map((one) => ({ title: one.title, right: true }))],
      [...parts.values()].map(({ part, counts }) => [part.name, words(part.kind), ...counts])));
  }

  /// Why no smaller cluster does, and which parts none does with.
  function one_step_down(parent, doc) {
    doc.sized.forEach((one) => {
      parent.append(el("h3", {}, one.option), el("p", {}, "Decided by ", one.binds, "."),
        table([{ title: "One step down" }, { title: "misses" }], one.steps_down.map((step) => [step.what, step.misses])));
    });
    if (doc.missed.length) {
      parent.append(el("h3", {}, "No cluster of these parts meets the goals"), table([{ title: "Parts" }, { title: "why" }], doc.missed.map((one) => [one.option, one.why])));
    }
  }

  return { answer, overview, times, materials, one_step_down, designs };
})();
