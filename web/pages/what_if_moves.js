// SPDX-License-Identifier: Apache-2.0
// What a move on the what-if page changes: the key that was moved, and what has to follow it. Changes
// are {touched, extras, division}; a move makes new ones and leaves the old as they were.
"use strict";

railwright.moves = (() => {
  const { divides, kDivision, all } = railwright.controls;
  const { is_named } = railwright.fabric_setting;
  const kNode = "cluster.node";
  const kNic = "cluster.node.nics.nic";
  const kTransport = "cluster.node.nics.transport";
  const kFabric = "cluster.fabric";
  const kSwitch = "cluster.fabric.switch";

  const untouched = () => ({ touched: new Map(), extras: [], division: "where_needed" });
  const is_untouched = ({ touched, extras, division }) => !touched.size && !extras.length && division === "where_needed";
  const copy = (changes) => ({ ...changes, touched: new Map(changes.touched), extras: [...changes.extras] });
  const link_of = (transport) => (transport === "infiniband" ? "infiniband" : "ethernet");
  const choice = (path, name, form) => (form.controls[path]?.choices ?? []).find((one) => one.name === name);
  const switch_protocol = (name, form) => form.switch_protocols[name];

  /// What the scenario says of a key as it was opened; a node that was chosen has its own adapters.
  function own(path, changes, { base, form }) {
    const node = changes.touched.get(kNode);
    if (node === undefined) return base[path];
    if (path === kTransport) return choice(kNode, node, form)?.protocols?.[0] ?? base[path];
    return path === kNic ? undefined : base[path];
  }

  const now = (path, changes, context) => changes.touched.get(path) ?? own(path, changes, context);

  function put(path, value, changes, context) {
    if (value === undefined || value === own(path, changes, context)) changes.touched.delete(path);
    else changes.touched.set(path, value);
  }

  function forget_division(changes) {
    for (const path of [...changes.touched.keys()]) if (divides(path)) changes.touched.delete(path);
  }

  /// What was chosen stands in the controls; from now on it is as set.
  function take_over_division(changes, { base, values }) {
    changes.division = "own";
    for (const { path } of all) {
      if (divides(path) && values[path] !== base[path]) changes.touched.set(path, values[path]);
    }
  }

  /// A fabric of the catalogue is what the catalogue says, until something of it is changed; so is a
  /// plane.
  function forget_fabric(path, value, changes, { base, form }) {
    const named = is_named(value ?? base[path], form);
    const kept = path === kFabric ? [] : ["cluster.fabric.planes", path];
    for (const below of [...changes.touched.keys()]) {
      const is_of_plane = path === kFabric && below === "cluster.fabric.plane";
      if (below.startsWith("cluster.fabric.") && !kept.includes(below) && (named || is_of_plane)) changes.touched.delete(below);
    }
  }

  /// InfiniBand and Ethernet have switches of their own.
  function follow_transport(changes, context) {
    const link = link_of(now(kTransport, changes, context));
    const chosen = changes.touched.get(kSwitch) ?? context.values[kSwitch] ?? context.base[kSwitch];
    if (switch_protocol(chosen, context.form) === link) return;
    const before = context.base[kSwitch];
    if (switch_protocol(before, context.form) === link) changes.touched.delete(kSwitch);
    else changes.touched.set(kSwitch, link === "infiniband" ? "qm9790" : "z9664f-on");
  }

  /// A fabric that the catalogue names has its switch, which the transport follows.
  function follow_switch(path, value, changes, context) {
    const { form, base } = context;
    const chosen = path === kSwitch ? value ?? base[path] : form.fabrics.find(({ name }) => name === (value ?? base[path]))?.switch;
    const transport = now(kTransport, changes, context);
    const link = switch_protocol(chosen, form);
    if (!link || !transport || link === link_of(transport)) return;
    const usual = own(kTransport, changes, context);
    if (link_of(usual) === link) changes.touched.delete(kTransport);
    else changes.touched.set(kTransport, link === "infiniband" ? "infiniband" : "roce");
  }

  /// An adapter speaks what it speaks.
  function follow_nic(name, changes, context) {
    const speaks = choice(kNic, name, context.form)?.protocols;
    if (!speaks || speaks.includes(link_of(now(kTransport, changes, context)))) return;
    put(kTransport, speaks.includes("infiniband") ? "infiniband" : name.startsWith("efa") ? "efa" : "roce", changes, context);
    follow_transport(changes, context);
  }

  /// The changes with `path` at `value`, `undefined` meaning as it was. `context`: {form, base, values}.
  function moved(before, path, value, context) {
    const changes = copy(before);
    if (path === kDivision) {
      changes.division = value ?? "where_needed";
      if (changes.division === "automatic") forget_division(changes);
      return changes;
    }
    if (changes.division === "automatic" && divides(path) && value !== undefined) take_over_division(changes, context);
    if (path === kNode) for (const below of [kNic, kTransport]) changes.touched.delete(below);
    put(path, path === kNode && value === context.base[kNode] ? undefined : value, changes, context);
    if (path === kFabric || path === "cluster.fabric.plane") forget_fabric(path, value, changes, context);
    if (path === kNode || (path === kTransport && value !== undefined)) follow_transport(changes, context);
    if (path === kNic && value !== undefined) follow_nic(value, changes, context);
    if (path.startsWith("cluster.fabric")) follow_switch(path, value, changes, context);
    return changes;
  }

  /// The changes with a setting that the program proposed.
  function applied(before, setting) {
    const changes = copy(before);
    const at = setting.indexOf("=");
    const [path, plain] = [setting.slice(0, at), setting.slice(at + 1)];
    if (all.some((one) => one.path === path)) {
      changes.touched.set(path, plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : plain);
    } else {
      changes.extras = [...changes.extras.filter((one) => !one.startsWith(`${path}=`)), setting];
    }
    return changes;
  }

  const settings = ({ touched, extras }, { base, form }) => [...railwright.controls.settings(touched, base, form), ...extras];

  /// As the program takes it; who divides the model, where what was set by hand stays.
  const variant = (changes, context) => ({ set: settings(changes, context), division: changes.division,
    keep: [...changes.touched.keys()].filter(divides) });

  /// As text of an address, and back. Nothing where it is none of ours.
  function to_address(changes, example) {
    const words = new URLSearchParams();
    if (example) words.set("example", example);
    if (changes.division !== "where_needed") words.set(kDivision, changes.division);
    for (const [path, value] of changes.touched) words.set(path, value);
    for (const setting of changes.extras) words.append("set", setting);
    return words.toString();
  }

  function from_address(text) {
    const words = new URLSearchParams(text);
    const changes = untouched();
    const known = new Set(all.map(({ path }) => path));
    for (const [key, value] of words) {
      if (key === kDivision) changes.division = value;
      else if (key === "set") changes.extras.push(value);
      else if (known.has(key)) changes.touched.set(key, value !== "" && Number.isFinite(Number(value)) ? Number(value) : value);
    }
    return { changes, example: words.get("example") };
  }

  return { untouched, is_untouched, moved, applied, settings, variant, to_address, from_address };
})();
