// SPDX-License-Identifier: Apache-2.0
// The drawing of a fabric with the load of its links.

#include "railwright/topologies/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "../drawing/drawing_layout.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/simulation/scenario/pools.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/pools.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 12> kPaintNames{
    "core",        "spine",    "leaf",      "nic",  "pcie",   "host",
    "accelerator", "scale_up", "front_end", "node", "failed", "short"};

std::string_view name_of(Paint paint) { return kPaintNames[static_cast<std::size_t>(paint)]; }

/// Load of several links together.
struct Load {
  std::int64_t num_links = 0;
  double sum = 0.0;
  double largest = 0.0;
  double bytes = 0.0;  ///< bytes of the busiest link

  void add(double utilization, double of_link) {
    ++num_links;
    sum += utilization;
    if (utilization < largest) return;
    largest = utilization;
    bytes = of_link;
  }
  void write(Json& json) const {
    json["num_links"] = num_links;
    json["utilization"] = largest;
    json["mean_utilization"] = sum / static_cast<double>(num_links);
    json["busiest_link_bytes"] = bytes;
  }
};

/// Bytes that each link carries in a step, and the used share of its capacity.
struct LinkUse {
  std::vector<double> bytes;
  std::vector<double> utilization;
};

LinkUse link_use(const simulation::CheckedScenario& checked, const core::Fabric& fabric) {
  const simulation::StepCosts costs = step_costs(checked, fabric);
  const simulation::StepResult step = simulate_step(costs);
  LinkUse use{step.link_bytes, {}};
  for (std::size_t l = 0; l < use.bytes.size(); ++l) {
    use.utilization.push_back(use.bytes[l] / (costs.capacity[l] * step.step_time.base()));
  }
  return use;
}

/// Returns the kind of a device: "NIC" for "node 3 NIC 2", "leaf" for "leaf 3".
std::string kind_word(const core::Vertex& vertex) {
  std::string word = stem(vertex.label);
  const std::string place = fmt::format("node {} ", vertex.node);
  if (word.starts_with(place)) word.erase(0, place.size());
  return word;
}

class Report {
 public:
  Report(const core::Fabric& fabric, const std::string& title,
         const std::vector<core::Shortfall>& shortfalls)
      : fabric_(fabric),
        classes_(fold(fabric)),
        drawing_(lay_out(fabric, classes_, title, shortfalls)) {
    for (const core::Shortfall& shortfall : shortfalls) shortfalls_.push_back(shortfall.what);
  }

  Json drawing(const LinkUse* use) const {
    const auto loads = use != nullptr ? wire_loads(*use) : std::map<Ends, Load>{};
    Json json = {{"subtitle", drawing_.subtitle}, {"shortfalls", shortfalls_},
                 {"width", drawing_.width},       {"height", drawing_.height},
                 {"has_load", use != nullptr},    {"boxes", Json::array()},
                 {"frames", Json::array()},       {"wires", Json::array()}};
    for (const Box& box : drawing_.boxes) {
      json["boxes"].push_back(box_json(box));
      if (box.name.starts_with("legend")) json["boxes"].back()["legend"] = true;
    }
    for (const Frame& frame : drawing_.frames) {
      Json one = box_json(frame.box);
      one["label"] = frame.label;
      json["frames"].push_back(std::move(one));
    }
    for (const Wire& wire : drawing_.wires) {
      Json one = {{"from", wire.from},
                  {"to", wire.to},
                  {"paint", name_of(wire.paint)},
                  {"line", {wire.begin.x, wire.begin.y, wire.end.x, wire.end.y}},
                  {"label", wire.label},
                  {"label_at", {wire.label_at.x, wire.label_at.y}}};
      const auto load = loads.find(std::minmax({wire.from, wire.to}));
      if (load != loads.end()) load->second.write(one);
      json["wires"].push_back(std::move(one));
    }
    return json;
  }

  /// Groups links by the devices that they join, each direction separately, the busiest group
  /// first.
  Json kinds(const LinkUse& use) const {
    std::map<std::tuple<core::Tier, std::string, std::string>, Load> loads;
    for (std::size_t l = 0; l < use.bytes.size(); ++l) {
      const core::Link& link = fabric_.links()[l];
      loads[{link.tier, kind_word(vertex(link.from)), kind_word(vertex(link.to))}].add(
          use.utilization[l], use.bytes[l]);
    }
    std::vector<Json> list;
    for (const auto& [kind, load] : loads) {
      if (load.largest <= 0.0) continue;
      const auto& [tier, from, to] = kind;
      Json one = {{"from", from}, {"to", to}, {"tier", core::to_string(tier)}};
      load.write(one);
      list.push_back(std::move(one));
    }
    std::ranges::stable_sort(list, std::greater{},
                             [](const Json& one) { return one["utilization"].get<double>(); });
    return list;
  }

 private:
  using Ends = std::pair<std::size_t, std::size_t>;

  [[nodiscard]] const core::Vertex& vertex(core::VertexId v) const {
    return fabric_.vertices()[static_cast<std::size_t>(v)];
  }

  static Json box_json(const Box& box) {
    return {{"label", box.label}, {"paint", name_of(box.paint)}, {"x", box.center.x},
            {"y", box.center.y},  {"width", box.width},          {"height", box.height}};
  }

  /// Sums the loads in both directions, keyed by the boxes that a wire joins.
  [[nodiscard]] std::map<Ends, Load> wire_loads(const LinkUse& use) const {
    std::map<Ends, Load> loads;
    for (std::size_t l = 0; l < use.bytes.size(); ++l) {
      const core::Link& link = fabric_.links()[l];
      const auto from = box_of(link.from);
      const auto to = box_of(link.to);
      if (from && to && *from != *to) {
        loads[std::minmax({*from, *to})].add(use.utilization[l], use.bytes[l]);
      }
    }
    return loads;
  }

  [[nodiscard]] std::optional<std::size_t> box_of(core::VertexId v) const {
    const auto box = drawing_.box_of.find(classes_.class_of[static_cast<std::size_t>(v)]);
    if (box == drawing_.box_of.end()) return std::nullopt;
    return box->second;
  }

  const core::Fabric& fabric_;
  FabricClasses classes_;
  Drawing drawing_;
  std::vector<std::string> shortfalls_;
};

}  // namespace

std::string topology_json(const ReportSource& source, bool with_load) {
  std::optional<simulation::CheckedScenario> checked;
  const bool has_step = simulation::is_training(simulation::kind_of(source.tree)) &&
                        source.tree.find("workload") != nullptr &&
                        !simulation::has_pools(source.tree);
  if (with_load && has_step) checked = simulation::read_training(source.tree, source.catalogue);
  const core::Node* name = source.tree.find("name");
  const std::vector<topologies::Pool> pools = simulation::read_pools(source.tree, source.catalogue);
  // Draws of several pools the first, with what all share.
  const topologies::BuiltCluster built = topologies::build(std::span(pools).first(1));
  std::string title = name == nullptr ? std::string() : name->text;
  if (pools.size() > 1) title += ", pool " + pools.front().name;
  const Report report(built.fabric, title, built.parts.shortfalls);
  if (!checked) {
    Json json = report.drawing(nullptr);
    if (pools.size() > 1) json["pool"] = pools.front().name;
    return json.dump();
  }
  const LinkUse use = link_use(*checked, built.fabric);
  Json json = report.drawing(&use);
  json["links"] = report.kinds(use);
  return json.dump();
}

}  // namespace railwright::output
