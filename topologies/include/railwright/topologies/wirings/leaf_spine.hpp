// SPDX-License-Identifier: Apache-2.0
// Leaves and spines with any oversubscription, without rails.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

/// The leaves that the NICs of a node connect to.
enum class LeafChoice : std::uint8_t {
  kOneLeaf,  ///< all to one leaf
  kDealt,    ///< each to the next leaf, over all leaves in turn
};

constexpr auto enum_words(LeafChoice) {
  using enum LeafChoice;
  return core::words<LeafChoice>({{"one_leaf", kOneLeaf}, {"dealt", kDealt}});
}

/// Two tiers; one if a single leaf holds every host port.
class LeafSpine final : public Topology {
 public:
  static constexpr std::string_view kName = "leaf_spine";

  struct Config {
    core::Switch switch_model;
    std::optional<core::Switch> spine_switch;
    double oversubscription = 1.0;
    LeafChoice nics = LeafChoice::kOneLeaf;
    std::optional<int> num_leaves;
    std::optional<int> num_spines;

    static constexpr auto fields() {
      using core::field;
      return core::field_list(
          field("switch", &Config::switch_model, "The leaf switch, by catalogue name."),
          field("spine_switch", &Config::spine_switch, "The spine switch; as the leaf if absent."),
          field("oversubscription", &Config::oversubscription,
                "Host ports of a leaf for each uplink.", core::between(0.1, 100), core::optional),
          field("nics", &Config::nics, "Where the NICs of a node lead.", core::optional),
          field("num_leaves", &Config::num_leaves,
                "Leaves; the fewest that hold the host ports if absent.", core::between(1, 65536)),
          field("num_spines", &Config::num_spines, "Spines; the fewest that serve if absent.",
                core::between(1, 65536)));
    }
  };

  explicit LeafSpine(Config config) : config_(std::move(config)) {}
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
};

}  // namespace railwright::topologies
