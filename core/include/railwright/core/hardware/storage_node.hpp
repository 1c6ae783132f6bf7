// SPDX-License-Identifier: Apache-2.0
// One node of a storage cluster, and how its files are protected.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/mount.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// Protection of files against loss: `+2d:1n` survives two drives or one node; `+2n` two nodes;
/// `2x` keeps copies; `8+2` stripes eight data and two parity units, whatever the number of nodes.
enum class Protection : std::uint8_t {
  kNone,
  k1n,
  k2n,
  k3n,
  k4n,
  k2d1n,
  k3d1n,
  k3d1n1d,
  k4d1n,
  k4d2n,
  k2x,
  k3x,
  k8p2,
  k10p2,
  k12p4,
};

constexpr auto enum_words(Protection) {
  using enum Protection;
  return words<Protection>({{"none", kNone},
                            {"+1n", k1n},
                            {"+2n", k2n},
                            {"+3n", k3n},
                            {"+4n", k4n},
                            {"+2d:1n", k2d1n},
                            {"+3d:1n", k3d1n},
                            {"+3d:1n1d", k3d1n1d},
                            {"+4d:1n", k4d1n},
                            {"+4d:2n", k4d2n},
                            {"2x", k2x},
                            {"3x", k3x},
                            {"8+2", k8p2},
                            {"10+2", k10p2},
                            {"12+4", k12p4}});
}

/// One node of a scale-out storage cluster, or one appliance. Rates count the clients' bytes.
struct StorageNode {
  static constexpr std::string_view kKind = "storage_nodes";

  std::string name;
  std::string description;
  Sourced<Bandwidth> read_rate;
  Sourced<Bandwidth> write_rate;
  Sourced<Bandwidth> burst_write_rate;
  Sourced<std::vector<FileProtocol>> protocols{{}, "default", false};
  Sourced<Protection> protection{Protection::kNone, "default", false};
  Sourced<std::vector<Protection>> protections{{}, "default", false};
  std::optional<Sourced<Protection>> rated_protection;
  Sourced<int> rated_nodes{1, "default", false};
  Sourced<double> read_operations_per_s{std::numeric_limits<double>::infinity(), "no limit known",
                                        false};
  Sourced<double> write_operations_per_s{std::numeric_limits<double>::infinity(), "no limit known",
                                         false};
  Sourced<Duration> latency{Duration{}, "default", false};
  Sourced<DataSize> cache{DataSize{}, "default", false};
  Sourced<double> idle_processor_load{0.0, "default", false};
  Sourced<Bandwidth> processor_read_rate{Bandwidth::infinity(), "no limit known", false};
  Sourced<Bandwidth> processor_write_rate{Bandwidth::infinity(), "no limit known", false};
  Sourced<Bandwidth> rebuild_rate{Bandwidth::infinity(), "default", false};
  Sourced<int> num_front_end_ports;
  Sourced<Bandwidth> front_end_port_rate;
  Sourced<double> front_end_efficiency;
  Sourced<int> num_back_end_ports{0, "none: one enclosure", false};
  Sourced<Bandwidth> back_end_port_rate{Bandwidth::infinity(), "default", false};
  Sourced<DataSize> raw_capacity;
  Sourced<int> min_nodes;
  Sourced<int> max_nodes;
  Sourced<int> rack_units;
  Sourced<Power> power;

  static constexpr auto fields();
};

}  // namespace railwright::core
