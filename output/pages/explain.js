// SPDX-License-Identifier: Apache-2.0
// Sections of `explain`: what limits a step, and what would change it.
"use strict";

railwright.explain = (() => {
  const { el, num, tile } = railwright.page;
  const { reasons, limit } = railwright.simulate;

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) return reasons(parent, doc);
    parent.append(el("p", { class: "headline" }, "A step takes ", num(doc, "/step_time_s", "s"), ": ", limit(doc), "."));
    const largest = doc.elasticities[0];
    const rate = largest && tile("The rate that matters most", el("span", { class: "path" }, largest.path), "1 % better saves ",
      num(doc, "/elasticities/0/gain_of_1_percent", "fine_percent"), " of a step");
    parent.append(el("div", { class: "tiles" }, tile("Step time", num(doc, "/step_time_s", "s")), tile("Training", num(doc, "/training_time_s", "s")), rate || []));
    return undefined;
  }

  return { answer };
})();
