// SPDX-License-Identifier: Apache-2.0
// Prices. The project has none of its own: all come from a file of the user's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

using EnergyPrice = decltype(core::Money{} / core::Energy{});
using MoneyRate = decltype(core::Money{} / core::Duration{});

/// Prices of one piece, by catalogue name.
using PriceList = std::map<std::string, core::Money>;

struct Prices {
  static constexpr std::string_view kKind = "prices";
  static constexpr bool kMayBeFile = true;

  std::string description;
  PriceList nodes;
  PriceList accelerators;
  PriceList nics;
  PriceList switches;
  PriceList cables;
  PriceList storage_nodes;
  PriceList cpu_nodes;
  std::optional<EnergyPrice> electricity;
  MoneyRate staff;
  double maintenance = 0.0;
  double discount_rate = 0.0;
  core::Duration ownership;
  double utilization = 1.0;

  static constexpr auto fields() {
    using core::field;
    using core::non_negative;
    using core::optional;
    return core::field_list(
        field("description", &Prices::description, "Whose prices, and of when.", optional),
        field("nodes", &Prices::nodes, "Of a node, by catalogue name.", non_negative, optional,
              core::formerly("servers")),
        field("accelerators", &Prices::accelerators,
              "Of an accelerator, where the price of its node is without.", non_negative, optional),
        field("nics", &Prices::nics, "Of an adapter; 0 USD where the price of its node is with it.",
              non_negative, optional),
        field("switches", &Prices::switches, "Of a switch without optics.", non_negative, optional),
        field("cables", &Prices::cables, "Of a cable with what plugs into its two ends.",
              non_negative, optional),
        field("storage_nodes", &Prices::storage_nodes, "Of a storage node.", non_negative,
              optional),
        field("cpu_nodes", &Prices::cpu_nodes, "Of a node without accelerators.", non_negative,
              optional),
        field("electricity", &Prices::electricity, "Of the energy that the building takes.",
              non_negative),
        field("staff", &Prices::staff, "People and rooms, as 1000 USD/d.", non_negative, optional),
        field("maintenance", &Prices::maintenance, "Share of the capital paid each year.",
              core::between(0, 1), optional),
        field("discount_rate", &Prices::discount_rate,
              "By which what is paid a year later weighs less.", core::between(0, 1), optional),
        field("ownership", &Prices::ownership, "How long the cluster is used, as 4 y.",
              core::positive),
        field("utilization", &Prices::utilization, "Share of that time in which jobs run.",
              core::fraction, optional));
  }
};

}  // namespace railwright::models
