// SPDX-License-Identifier: Apache-2.0
// Designs side by side on the what-if page: A as it stands, B with another number of NICs, C the
// baseline that was kept; what they differ in, what that costs, and which is better.
"use strict";

railwright.designs = (() => {
  const { el, at, kinds, words } = railwright.page;

  /// The number of NICs that B has: half, or all of them where A has few.
  const other_nics = (now, most) => (now > most / 2 ? Math.max(1, Math.floor(now / 2)) : most);

  /// A number of a design's answer.
  function of(design, name, pointer, kind) {
    const value = at(design.answer, pointer);
    if (typeof value !== "number") return el("span", { class: "none" }, "-");
    return el("span", { class: "num", "data-in": name, "data-at": pointer, "data-kind": kind, title: String(value) }, kinds[kind](value));
  }

  const feasible = (design) => design?.answer?.result.feasible;

  /// What is bought, by kind and name.
  const bill = ({ bill: parts }) => new Map(parts.map((one) => [`${one.kind}/${one.name}`, one]));

  /// Parts of which the designs do not have the same number.
  function differing(shown) {
    const bills = shown.map(({ design }) => bill(design.answer));
    const keys = new Set(bills.flatMap((one) => [...one.keys()]));
    return [...keys].map((key) => ({ key, counts: bills.map((one) => one.get(key)?.count ?? 0), of: bills.map((one) => one.get(key)).find(Boolean) }))
      .filter(({ counts }) => counts.some((count) => count !== counts[0]));
  }

  /// Names of parts without a price of which the designs do not have the same number: while there are
  /// any, their costs are not comparable, as `unpriced_that_decide` says of every other verb.
  function unpriced(shown) {
    const lists = shown.map(({ design }) => new Map((design.answer.result.cost?.unpriced ?? []).map((one) => [`${one.kind}/${one.name}`, one])));
    const keys = [...new Set(lists.flatMap((one) => [...one.keys()]))];
    return keys.filter((key) => lists.some((one) => one.get(key)?.count !== lists[0].get(key)?.count))
      .map((key) => lists.map((one) => one.get(key)).find(Boolean).name);
  }

  function change(value, before, kind, less_is_better = true) {
    const step = kind === "change" ? value / before - 1 : value - before;
    if (!Number.isFinite(step) || Math.abs(kind === "change" ? step : step / (before || 1)) < 5e-4) return null;
    const text = kind === "change" ? kinds.change(step) : `${step > 0 ? "+" : "\u2212"}${kinds[kind](Math.abs(step))}`;
    return el("span", { class: `delta ${(step < 0) === less_is_better ? "better" : "worse"}` }, text);
  }

  /// "B (4 NICs a node) trains 3.3 % longer than A, and saves 24 connectx-7 and 1,200 W."
  function verdict(a, b) {
    const [now, other] = [a.answer.result, b.answer.result];
    const slower = other.training_time_s / now.training_time_s - 1;
    const time = Math.abs(slower) < 5e-4 ? "trains as long as A" : `trains ${kinds.percent(Math.abs(slower))} ${slower > 0 ? "longer" : "shorter"} than A`;
    const parts = differing([{ design: a }, { design: b }]).filter(({ of: part }) => part.kind !== "cables");
    const bought = parts.map(({ counts, of: part }) => `${Math.abs(counts[1] - counts[0]).toLocaleString("en-US")} ${part.name} ${counts[1] < counts[0] ? "fewer" : "more"}`);
    const watts = other.power.mean_power_w - now.power.mean_power_w;
    if (Math.abs(watts) >= 1) bought.push(`${kinds.w(Math.abs(watts))} ${watts < 0 ? "less" : "more"}`);
    const saved = other.cost && now.cost ? other.cost.capital_usd - now.cost.capital_usd : 0;
    const missing = unpriced([{ design: a }, { design: b }]);
    if (saved && !missing.length) bought.push(`${kinds.usd(Math.abs(saved))} ${saved < 0 ? "less" : "more"} capital`);
    if (other.cost && now.cost && missing.length) bought.push(`costs not comparable: no price of ${missing.join(", ")}`);
    return el("p", { class: "lead", id: "designs-verdict" }, el("b", {}, `B, ${b.title}, ${time}`), bought.length ? `: ${bought.join(", ")}.` : ".");
  }

  const kRows = [["Training time", "/result/training_time_s", "s", "change"], ["A step", "/result/step_time_s", "s", "change"],
    ["Power while it trains", "/result/power/mean_power_w", "w", "w"], ["Capital, of what has a price", "/result/cost/capital_usd", "usd", "usd"],
    ["This run, of what has a price", "/result/cost/run_usd", "usd", "usd"]];

  function price_field(part, actions) {
    const field = el("input", { type: "text", inputmode: "decimal", class: "price", "aria-label": `Price of one ${part.name} in USD`, placeholder: "USD each", value: part.each_usd ?? null });
    field.addEventListener("change", () => actions.price(part.kind, part.name, field.value.trim().replaceAll(",", "")));
    return field;
  }

  function table(shown, actions) {
    const [first] = shown;
    const columns = [{ title: "" }, ...shown.map(({ name, design }) => ({ title: `${name}: ${design.title}`, right: true })), { title: "Price" }];
    const rows = kRows.filter(([, pointer]) => shown.some(({ design }) => at(design.answer, pointer))).map(([title, pointer, kind, how]) => [title,
      ...shown.map(({ name, design }) => [of(design, name, pointer, kind), " ",
        design === first.design || (kind === "usd" && unpriced([first, { design }]).length) ? null
          : change(at(design.answer, pointer), at(first.design.answer, pointer), how)]), ""]);
    const parts = differing(shown).map(({ counts, of: part }) => [`${part.name}, ${words(part.kind)}`,
      ...counts.map((count, i) => [count.toLocaleString("en-US"), " ", i === 0 ? null : change(count, counts[0], "count")]), price_field(part, actions)]);
    return railwright.page.table(columns, [...rows, ...parts], { id: "designs-table" });
  }

  /// `designs`: {a, b, c}, each {title, answer} or null; if `is_late`, of before the last change.
  function section(designs, actions) {
    const { a, b, c, is_late = false } = designs;
    if (!feasible(a)) return null;
    const title = el("h2", {}, "Designs side by side", is_late ? el("small", {}, " B is being computed") : null);
    const box = el("section", { id: "designs", class: is_late ? "late" : null, "aria-busy": String(is_late) }, title);
    box.inert = is_late;
    if (b && !feasible(b) && b.answer) box.append(el("p", { class: "lead", id: "designs-verdict" }, `B, ${b.title}, does not fit: ${b.answer.result.infeasible[0]}.`));
    if (b?.fails) box.append(el("p", { class: "lead", id: "designs-verdict" }, `B, ${b.title}, cannot be: ${b.fails}.`));
    const shown = [["A", a], ["B", b], ["C", c]].filter(([, design]) => feasible(design)).map(([name, design]) => ({ name, design }));
    const is_comparable = shown.every(({ design }) => design.answer.result.method === a.answer.result.method);
    if (is_comparable && feasible(b)) box.append(verdict(a, b));
    if (!is_comparable) box.append(el("p", { class: "lead" }, "Events are being simulated."));
    if (shown.length > 1 && is_comparable) box.append(table(shown, actions));
    const take = el("button", { type: "button", id: "take-b", disabled: !feasible(b) }, "Take B");
    take.addEventListener("click", actions.take_other);
    box.append(el("div", { class: "push" }, take));
    return box;
  }

  return { section, other_nics };
})();
