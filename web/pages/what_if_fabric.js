// SPDX-License-Identifier: Apache-2.0
// The fabric on the what-if page: a topology with its keys, several planes of one, or a fabric that
// the catalogue has by name.
"use strict";

railwright.fabric_setting = (() => {
  const text = (value) => {
    if (typeof value !== "string") return String(value);
    return value.trim() === "" ? '""' : value;
  };

  const kFabric = "cluster.fabric.";
  const kPlanesOf = "multi_plane";
  const is_infiniband = (name) => /^qm/.test(name ?? "");

  /// A fabric's topology and that of its planes, be it named or spelled out; `now` is the topology of
  /// the last answer, for what the page has never heard of.
  function kind_of(fabric, plane, form, now) {
    const named = form.fabrics.find(({ name }) => name === fabric);
    const topology = form.topologies[fabric] ? fabric : named?.topology ?? now;
    if (topology !== kPlanesOf) return { topology, keys: form.topologies[topology] ?? {} };
    const of_plane = plane ?? named?.plane ?? "rail_optimized";
    const inner = form.topologies[of_plane] ? of_plane : form.fabrics.find(({ name }) => name === of_plane)?.topology;
    const { planes, plane: each } = form.topologies[kPlanesOf];
    return { topology, inner, keys: { ...(form.topologies[inner] ?? {}), planes, plane: each } };
  }

  const as_mapping = (given) => `{${Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}: ${text(value)}`).join(", ")}}`;

  /// A topology with its keys: those that were touched, the switch there was, and what it cannot do
  /// without.
  function spelled_out(topology, fabric, specs, base, form) {
    const keys = form.topologies[topology] ?? {};
    const usual = base["cluster.node.nics.transport"] === "infiniband" ? "qm9790" : "z9664f-on";
    const given = { topology, switch: fabric.get(`${kFabric}switch`) ?? base[`${kFabric}switch`] ?? usual };
    for (const { path, first } of specs) {
      const key = path.slice(kFabric.length);
      if (!path.startsWith(kFabric) || !keys[key] || key in given) continue;
      const value = fabric.get(path) ?? (keys[key].optional ? undefined : first);
      if (value !== undefined) given[key] = value;
    }
    return as_mapping(given);
  }

  /// The settings of what was touched of the fabric: a topology is spelled out, over a name of the
  /// catalogue keys are laid.
  function settings(fabric, specs, base, form) {
    const chosen = fabric.get("cluster.fabric");
    const was = (key) => (chosen === undefined ? base[`${kFabric}${key}`] ?? undefined : undefined);
    const plane = fabric.get(`${kFabric}plane`);
    const { topology, inner, keys } = kind_of(chosen ?? base["cluster.fabric"], plane ?? was("plane"), form, was("topology"));
    const has_planes = topology === kPlanesOf;
    if (form.topologies[chosen] || (has_planes && plane !== undefined)) {
      if (!has_planes) return [`cluster.fabric=${spelled_out(chosen, fabric, specs, base, form)}`];
      const planes = fabric.get(`${kFabric}planes`) ?? was("planes") ?? 2;
      const laid_over = [...fabric].map(([path, value]) => [path.slice(kFabric.length), value]).filter(([key]) => form.topologies[inner]?.[key]);
      const each = plane === undefined || form.topologies[plane] ? spelled_out(inner, fabric, specs, base, form)
        : laid_over.length ? as_mapping({ model: plane, ...Object.fromEntries(laid_over) }) : plane;
      return [`cluster.fabric={topology: ${kPlanesOf}, planes: ${text(planes)}, plane: ${each}}`];
    }
    const made = chosen === undefined ? [] : [`cluster.fabric=${text(chosen)}`];
    for (const [path, value] of fabric) {
      const key = path.slice(kFabric.length);
      if (keys[key]) made.push(`${kFabric}${has_planes && key !== "planes" ? "plane." : ""}${key}=${text(value)}`);
    }
    return made;
  }

  /// What may be chosen for the fabric, and for each of its planes, which have no planes themselves.
  function choices(path, form) {
    const topologies = Object.keys(form.topologies).map((name) => ({ name, description: "", topology: name, group: "By its topology" }));
    const all = [...topologies, ...form.fabrics.map((one) => ({ ...one, group: "Of the catalogue" }))];
    if (path === "cluster.fabric") return all;
    return path === `${kFabric}plane` ? all.filter(({ topology }) => topology !== kPlanesOf) : undefined;
  }

  /// Whether the fabric's topology, or that of its planes, has this key; other keys are there always.
  function applies(path, values, form) {
    if (!path.startsWith(kFabric)) return true;
    const { keys } = kind_of(values["cluster.fabric"], values[`${kFabric}plane`], form, values[`${kFabric}topology`]);
    return Boolean(keys[path.slice(kFabric.length)]);
  }

  const is_named = (name, form) => form.fabrics.some((one) => one.name === name);

  return { kFabric, text, settings, choices, applies, is_infiniband, is_named };
})();
