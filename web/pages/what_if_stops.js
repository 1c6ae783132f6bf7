// SPDX-License-Identifier: Apache-2.0
// The stops of a slider: which of them answer, and the curve through those that do.
"use strict";

railwright.stops = (() => {
  const { el, kinds } = railwright.page;

  /// The stops that a control offers, with the value that it has now among them.
  function stops_of(spec, shown, limits) {
    const offered = spec.offers && limits ? spec.stops.filter((stop) => spec.offers(stop, limits)) : spec.stops;
    const with_shown = typeof shown === "number" ? [...offered, shown] : offered;
    return [...new Set(with_shown)].sort((a, b) => a - b);
  }

  /// The nearest stop on the way from one place to another that answers; where none does on the way
  /// on, the last that did. Without outcomes every stop may be taken.
  function landing(outcomes, from, to) {
    if (!outcomes || !outcomes[to]?.fails) return to;
    const step = to > from ? 1 : -1;
    for (let i = to; i >= 0 && i < outcomes.length; i += step) if (!outcomes[i].fails) return i;
    return from;
  }

  /// A mark for each stop; those that do not answer are grey and say why.
  function marks(parent, stops, outcomes, unit) {
    const last = Math.max(1, stops.length - 1);
    parent.replaceChildren(...stops.map((stop, i) => el("i", {
      class: outcomes?.[i]?.fails ? "dead" : null, style: { left: `${(100 * i) / last}%` },
      title: outcomes?.[i]?.fails ? `${stop} ${unit ?? ""}: ${outcomes[i].fails}` : null })));
  }

  /// Training time over the stops that answer, with where the slider is.
  function curve(parent, spec, known, shown) {
    const alive = known.stops.map((stop, i) => [stop, known.outcomes[i]]).filter(([, one]) => !one.fails);
    if (alive.length < 2) return;
    const dead = known.stops.filter((stop, i) => known.outcomes[i].fails);
    const section = el("section", { id: "curve" }, el("h2", {}, `Training time over ${spec.label.charAt(0).toLowerCase() + spec.label.slice(1)}`.replace("nICs", "NICs")),
      el("p", { class: "lead" }, `In closed form, everything else as it stands${dead.length ? `; ${dead.join(", ")} ${spec.unit ?? ""} cannot be answered` : ""}.`));
    parent.append(section);
    const table = el("details", {}, el("summary", {}, "As a table"),
      railwright.page.table([{ title: spec.label }, { title: "Training time", right: true }, { title: "Step", right: true }],
        known.stops.map((stop, i) => [`${stop} ${spec.unit ?? ""}`, ...(known.outcomes[i].fails ? ["-", "-"] : [kinds.s(known.outcomes[i].training_time_s), kinds.s(known.outcomes[i].step_time_s)])])));
    if (typeof Chart !== "undefined") {
      const xs = alive.map(([stop]) => stop);
      const here = alive.filter(([stop]) => stop === shown);
      railwright.charts.lines(section, `Training time over ${spec.label}`, () => [
        { name: "training time", colour: "series-1", x: xs, y: alive.map(([, one]) => one.training_time_s), points: true },
        ...(here.length ? [{ name: "as it stands", colour: "series-2", x: [shown], y: [here[0][1].training_time_s], points: true, width: 6 }] : []),
      ], { x: "plain", y: "s", x_title: spec.unit ?? spec.label, height: 220, x_ticks: xs, logarithmic_x: xs[xs.length - 1] > 20 * Math.max(xs[0], 1) });
    }
    section.append(table);
  }

  return { stops_of, landing, marks, curve };
})();
