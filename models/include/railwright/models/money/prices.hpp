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

/// Prices of putting up one piece, once, by its kind: "nodes", "cables".
using LabourList = std::map<std::string, core::Money>;

/// Prices of a node that is rented; none where it cannot be had so.
struct RentPrices {
  std::optional<MoneyRate> on_demand;
  std::optional<MoneyRate> reserved;
  std::optional<MoneyRate> spot;
  std::optional<core::Duration> spot_interruption;  ///< mean time until one node is taken back

  static constexpr auto fields();
};

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
  std::map<std::string, MoneyRate> software;  ///< of an accelerator, by names of the user's own
  LabourList labour;
  std::map<std::string, RentPrices> rent;  ///< of a node, by catalogue name
  MoneyRate staff;
  double maintenance = 0.0;
  double residual = 0.0;
  double discount_rate = 0.0;
  core::Duration ownership;
  double utilization = 1.0;

  static constexpr auto fields();
};

}  // namespace railwright::models
