// SPDX-License-Identifier: Apache-2.0
// Sections of kinds of scenario that say no more than their numbers.
"use strict";

railwright.plain = (() => {
  const { el, num, table, capital, labelled, labelled_rows } = railwright.page;
  const { reasons } = railwright.simulate;
  const is_one = (doc) => doc?.scenario_kind !== undefined;

  /// The first number of a time or a rate, which is what a reader looks for.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) { reasons(parent, doc); return; }
    const first = labelled(doc.scenario_kind)[0];
    if (first) parent.append(el("p", { class: "headline" }, capital(first.word), ": ", num(doc, first.pointer, first.format), "."));
  }

  const numbers = (parent, doc) =>
    parent.append(table([{ title: "" }, { title: "", right: true }], labelled_rows(doc.scenario_kind, doc, [""])));

  /// Designs of any kind in columns. Where one could not be read, its column is empty.
  function overview(parent, doc, kind) {
    parent.append(table([{ title: "" }, ...doc.designs.map(({ name }) => ({ title: name, right: true }))],
      labelled_rows(kind, doc, doc.designs.map((_, i) => `/designs/${i}/result`))));
  }

  function best(parent, doc) {
    parent.append(el("p", { class: "headline" }, doc.best ? `${doc.best} is the best.` : "No design fits."));
  }

  return { is_one, answer, numbers, best, overview };
})();
