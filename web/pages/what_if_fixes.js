// SPDX-License-Identifier: Apache-2.0
// Ways out of a design that cannot be answered or does not fit: changes that may help, of which the
// program says which do.
"use strict";

railwright.fixes = (() => {
  const { moved, applied } = railwright.moves;
  const { all, kDivision, product } = railwright.controls;
  const kMost = 3;
  const kAtOnce = 4;  // tries in one question
  const spec_of = (path) => all.find((one) => one.path === path);

  /// Tries {words, changes} by the kind of change, the likeliest first.
  function candidates(changes, { places, smallest_change, context }) {
    const kinds = new Map();
    const value_of = (path) => changes.touched.get(path) ?? context.values[path] ?? context.base[path];
    const put = (kind, words, ...moves) => {
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push({ kind, words, changes: moves.reduce((before, [path, value]) => moved(before, path, value, context), changes) });
    };
    const divide = [kDivision, "automatic"];
    if (smallest_change) kinds.set("memory", [{ kind: "memory", words: smallest_change.setting, changes: applied(changes, smallest_change.setting) }]);
    if (changes.division !== "automatic") put("division", "Choose the division for me", divide);
    for (const path of places) add_nearest(path, changes, value_of, context, put);
    const nodes = Number(value_of("cluster.nodes")) || 1;
    const batch = Number(value_of("workload.global_batch")) || 1;
    const batches = spec_of("workload.global_batch").stops;
    for (const stop of spec_of("cluster.nodes").stops.filter((one) => one > nodes)) {
      put("nodes", `${stop} nodes`, ["cluster.nodes", stop], divide);
      const larger = batches.find((one) => one >= Math.max(batch + 1, 8 * stop));
      if (larger) put("nodes", `${stop} nodes and a global batch of ${larger}`, ["cluster.nodes", stop], ["workload.global_batch", larger], divide);
    }
    for (const larger of batches.filter((one) => one > batch)) put("batch", `Global batch: ${larger}`, ["workload.global_batch", larger], divide);
    for (const path of ["cluster.storage.switch", "cluster.fabric.switch", "cluster.fabric", "cluster.node.nics.nic"]) {
      for (const one of railwright.controls.choices_of(path, context.form)) {
        if (one.name !== value_of(path)) put(path, `${spec_of(path).label}: ${product(one)}`, [path, one.name]);
      }
    }
    for (const precision of ["bf16", "fp16"]) put("precision", `Precision: ${precision}`, ["software.precision", precision], divide);
    return [...kinds.values()];
  }

  /// The nearest stops of the control at fault, and what it was.
  function add_nearest(path, changes, value_of, context, put) {
    const spec = spec_of(path);
    if (spec?.stops) {
      const given = Number(spec.read ? spec.read(value_of(path)) : value_of(path));
      const far = (stop) => Math.abs(Math.log(stop / given)) || Math.abs(stop - given);
      for (const stop of [...spec.stops].filter((one) => one !== given).sort((a, b) => far(a) - far(b))) {
        put(path, `${spec.label}: ${stop}`, [path, spec.write ? spec.write(stop) : stop]);
      }
    }
    if (spec && changes.touched.has(path)) put(`${path} as it was`, `${spec.label} as it was`, [path, undefined]);
  }

  /// The first of each kind that answers, at most a few. `ask(tries)` gives their outcomes, or null
  /// where nobody waits for them any more; `tell(found)` is told of each.
  async function working(kinds, ask, tell) {
    const found = [];
    for (const tries of kinds) {
      for (let i = 0; i < tries.length; i += kAtOnce) {
        const some = tries.slice(i, i + kAtOnce);
        const outcomes = await ask(some);
        if (!outcomes) return null;
        const first = outcomes.findIndex((one) => !one.fails);
        if (first < 0) continue;
        found.push({ ...some[first], outcome: outcomes[first] });
        tell([...found]);
        break;
      }
      if (found.length === kMost) break;
    }
    return found;
  }

  return { candidates, working };
})();
