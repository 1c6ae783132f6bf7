// SPDX-License-Identifier: Apache-2.0
// Sections of `calibrate`: the numbers fitted to a site's runs, and how well they describe them.
"use strict";

railwright.calibrate = (() => {
  const { el, num, range, table, tile, refusal, right } = railwright.page;
  const { has } = railwright.simulate;

  const kNames = { compute_efficiency: "Efficiency in kernels", nic_efficiency: "Efficiency of a NIC" };

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", doc.refused);
    if (doc.refused) {
      parent.append(refusal("These runs fit no installation.", el("p", {}, doc.refusal), doc.advice && el("p", {}, doc.advice)));
      return;
    }
    parent.append(el("p", { class: "headline" }, "The site reaches ", num(doc, "/factors/compute_efficiency/value", "percent"), " of a device's efficiency in kernels and ",
      num(doc, "/factors/nic_efficiency/value", "percent"), " of a NIC's rate."));
    const factor = (key) => {
      const fitted = doc.factors[key];
      const sure = fitted.fitted ? ["standard error ", num(doc, `/factors/${key}/standard_error`, "percent"), fitted.at_bound ? "; at the end of what is allowed" : ""] : "kept as it was";
      return tile(kNames[key], num(doc, `/factors/${key}/value`, "percent"), sure);
    };
    const error = has(doc, "/model_error") ? tile("What the model leaves", num(doc, "/model_error", "percent"), "standard deviation of a step around the fit") : [];
    const tied = has(doc, "/correlation") ? tile("Correlation of the two", num(doc, "/correlation", "factor"), "near one or minus one, the runs cannot tell them apart") : [];
    const interval = doc.step_time_high > doc.step_time_low ? tile("Predictions at this site", range(doc, "/step_time_low", "/step_time_high", "plain"),
      "80 % interval around a predicted step") : [];
    parent.append(el("div", { class: "tiles" }, Object.keys(doc.factors).map(factor), error, tied, interval));
    for (const said of [doc.advice, ...doc.notes].filter(Boolean)) parent.append(el("p", { class: "limit" }, said));
  }

  function runs(parent, doc) {
    if (doc.refused) parent.append(el("p", {}, "With the number that they cannot tell held, these runs would be:"));
    const values = (key) => doc.runs.map((run) => run[key]);
    const before = (run, i) => run.before.low_s === null ? "not known" : range(doc, `/runs/${i}/before/low_s`, `/runs/${i}/before/high_s`, "s");
    railwright.charts.grouped_bars(parent, "Steps as measured and as predicted", "s", values("name"),
      [{ label: "measured", values: values("measured_s"), colour: "muted" }, { label: "predicted", values: values("predicted_s"), colour: "accent" }], { title: "time of a step" });
    parent.append(table([{ title: "Before the fit" }, ...right("measured", "predicted", "error", "80 % interval"), { title: "measured is" }],
      doc.runs.map((run, i) => [run.name, num(doc, `/runs/${i}/measured_s`, "s"), num(doc, `/runs/${i}/before/predicted_s`, "s"),
        num(doc, `/runs/${i}/before/relative_error`, "change"), before(run, i), run.before.measured_is || ""])));
    parent.append(table([{ title: "After the fit" }, ...right("measured", "predicted", "error", "left out", "share of the NICs"), { title: "source" }],
      doc.runs.map((run, i) => [run.name, num(doc, `/runs/${i}/measured_s`, "s"), num(doc, `/runs/${i}/predicted_s`, "s"), num(doc, `/runs/${i}/relative_error`, "change"),
        num(doc, `/runs/${i}/left_out_relative_error`, "change"), num(doc, `/runs/${i}/nic_share`, "percent"), run.source])),
    el("p", { class: "note" }, "Left out: the error of a run by a fit to the others."));
  }

  return { answer, runs };
})();
