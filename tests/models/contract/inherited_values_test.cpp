// SPDX-License-Identifier: Apache-2.0
// An entry laid over another one takes values that belong together from one of the two: a node
// with its own power and another node's idle power has neither.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "entries.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/models/power/node_power.hpp"

namespace railwright::models {
namespace {

using Group = std::span<const std::string_view>;

constexpr auto kNodePower =
    std::to_array<std::string_view>({"power_idle", "power_compute", "power_communication"});
constexpr auto kScaleUp =
    std::to_array<std::string_view>({"scale_up_bandwidth", "scale_up_efficiency"});
constexpr auto kRates =
    std::to_array<std::string_view>({"bf16_rate", "fp8_rate", "fp32_rate", "tf32_rate"});
constexpr auto kMemoryRate =
    std::to_array<std::string_view>({"memory_bandwidth", "memory_efficiency"});
constexpr auto kFp8 = std::to_array<std::string_view>({"fp8_rate", "fp8_gemm_efficiency"});
constexpr auto kPcie = std::to_array<std::string_view>({"num_accelerators", "num_pcie_switches"});
constexpr auto kStorageRates = std::to_array<std::string_view>({"read_rate", "write_rate"});
constexpr auto kStorageOperations =
    std::to_array<std::string_view>({"read_operations_per_s", "write_operations_per_s"});
constexpr auto kCableEnds = std::to_array<std::string_view>({"nic_end_power", "switch_end_power"});

struct Kind {
  std::string_view name;
  std::vector<Group> groups;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kAll{{"nodes", {kNodePower, kPcie}},
                                      {"accelerators", {kScaleUp, kRates, kMemoryRate, kFp8}},
                                      {"storage_nodes", {kStorageRates, kStorageOperations}},
                                      {"cables", {kCableEnds}}};
  return kAll;
}

/// The entry that `entry` is laid over has the key, or one further below.
bool is_inherited(const core::Catalogue& catalogue, std::string_view kind, const core::Node& entry,
                  std::string_view key) {
  const core::Node* base = entry.find("model");
  if (base == nullptr) return false;
  const core::Node below = catalogue.load(kind, base->text);
  return below.find(key) != nullptr || is_inherited(catalogue, kind, below, key);
}

TEST(InheritedValues, GroupsComeFromOneEntry) {
  const core::Catalogue catalogue = test::catalogue();
  for (const Kind& kind : kinds()) {
    for (const std::string& name : catalogue.names(kind.name)) {
      const core::Node entry = catalogue.load(kind.name, name);
      for (const Group group : kind.groups) {
        const bool has_one = std::ranges::any_of(
            group, [&](std::string_view key) { return entry.find(key) != nullptr; });
        if (!has_one) continue;
        for (const std::string_view key : group) {
          EXPECT_TRUE(entry.find(key) != nullptr || !is_inherited(catalogue, kind.name, entry, key))
              << kind.name << '/' << name << " inherits " << key << " beside its own "
              << group.front();
        }
      }
    }
  }
}

/// How many modules are in a node says nothing of another one with the same accelerators.
TEST(InheritedValues, NoNodeHasTheHostMemoryOfAnother) {
  const core::Catalogue catalogue = test::catalogue();
  for (const std::string& name : catalogue.names("nodes")) {
    const core::Node entry = catalogue.load("nodes", name);
    EXPECT_TRUE(entry.find("host_memory") != nullptr ||
                !is_inherited(catalogue, "nodes", entry, "host_memory"))
        << name;
  }
}

core::Power of_accelerators(const core::ComputeNode& node) {
  return node.accelerator.power.value * node.num_accelerators.value;
}

/// A node draws no less than its accelerators, and its hosts less than 0.4 of it.
TEST(InheritedValues, NodesDrawWhatTheirPartsDo) {
  for (const core::ComputeNode& node : test::entries<core::ComputeNode>()) {
    const NodePower power = node_power(node, {});
    const models::NodePowerByPart& parts = power.parts_of(Activity::kCompute);
    EXPECT_GE(power.of(Activity::kCompute), of_accelerators(node)) << node.name;
    EXPECT_GT(power.of(Activity::kIdle), node.host_power.value) << node.name;
    EXPECT_GT(parts.of(models::NodePart::kNics), core::Power{}) << node.name;
    EXPECT_LT(parts.of(models::NodePart::kHosts) / power.of(Activity::kCompute), 0.4) << node.name;
  }
}

}  // namespace
}  // namespace railwright::models
