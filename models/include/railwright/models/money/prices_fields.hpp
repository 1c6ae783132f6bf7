// SPDX-License-Identifier: Apache-2.0
// The keys of prices.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/money/prices.hpp"

namespace railwright::models {

constexpr auto RentPrices::fields() {
  using core::field;
  using core::non_negative;
  return core::field_list(
      field("on_demand", &RentPrices::on_demand, "For as long as it is needed, as 100 USD/h.",
            non_negative),
      field("reserved", &RentPrices::reserved, "By a contract over time.", non_negative),
      field("spot", &RentPrices::spot, "With the right to take it back; needs `reliability`.",
            non_negative),
      field("spot_interruption", &RentPrices::spot_interruption,
            "Mean time until one such node is taken back, as 10 d; never where absent.",
            core::positive));
}

constexpr auto Prices::fields() {
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
      field("storage_nodes", &Prices::storage_nodes, "Of a storage node.", non_negative, optional),
      field("cpu_nodes", &Prices::cpu_nodes, "Of a node without accelerators.", non_negative,
            optional),
      field("electricity", &Prices::electricity, "Of the energy that the building takes.",
            non_negative),
      field("software", &Prices::software,
            "Licences and support of an accelerator, spares too, by names of your own: {support: "
            "1000 USD/y}.",
            non_negative, optional),
      field("labour", &Prices::labour,
            "Of putting up one piece, once, by kind: {nodes: 500 USD, cables: 20 USD}.",
            non_negative, optional),
      field("rent", &Prices::rent, "Of a node that is rented instead, by catalogue name.",
            optional),
      field("staff", &Prices::staff, "People and rooms, as 1000 USD/d.", non_negative, optional),
      field("maintenance", &Prices::maintenance, "Share of the capital paid each year.",
            core::between(0, 1), optional),
      field("residual", &Prices::residual,
            "Share of the capital that the pieces still bring at the end.", core::between(0, 1),
            optional),
      field("discount_rate", &Prices::discount_rate,
            "By which what is paid a year later weighs less.", core::between(0, 1), optional),
      field("ownership", &Prices::ownership, "How long the cluster is used, as 4 y.",
            core::positive),
      field("utilization", &Prices::utilization, "Share of that time in which jobs run.",
            core::fraction, optional));
}

}  // namespace railwright::models
