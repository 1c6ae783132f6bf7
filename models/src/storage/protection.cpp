// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/storage/protection.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "railwright/core/arithmetic.hpp"

namespace railwright::models {

namespace {

using core::Protection;

enum class Kind : std::uint8_t { kSpread, kCopies, kFixed };

/// The layout of a protection. Spread stripes use `units_per_node`, the others `data`.
struct StripeLayout {
  Kind kind;
  int parity;
  int units_per_node = 1;
  int data = 1;
};

constexpr int kMaxData = 16;

StripeLayout layout_of(Protection protection) {
  switch (protection) {
    case Protection::k1n:
      return {Kind::kSpread, 1};
    case Protection::k2n:
      return {Kind::kSpread, 2};
    case Protection::k3n:
      return {Kind::kSpread, 3};
    case Protection::k4n:
      return {Kind::kSpread, 4};
    case Protection::k2d1n:
      return {Kind::kSpread, 2, 2};
    case Protection::k3d1n:
      return {Kind::kSpread, 3, 3};
    case Protection::k3d1n1d:
      return {Kind::kSpread, 3, 2};
    case Protection::k4d1n:
      return {Kind::kSpread, 4, 4};
    case Protection::k4d2n:
      return {Kind::kSpread, 4, 2};
    case Protection::k2x:
      return {Kind::kCopies, 1};
    case Protection::k3x:
      return {Kind::kCopies, 2};
    case Protection::k8p2:
      return {Kind::kFixed, 2, 1, 8};
    case Protection::k10p2:
      return {Kind::kFixed, 2, 1, 10};
    case Protection::k12p4:
      return {Kind::kFixed, 4, 1, 12};
    case Protection::kNone:
      break;
  }
  return {Kind::kFixed, 0};
}

/// Returns the write amplification at which the rate was measured over that of this cluster.
double rate_factor(const core::StorageNode& node, int num_nodes) {
  return write_amplification(rated_protection(node), node.rated_nodes.value) /
         write_amplification(node.protection.value, num_nodes);
}

}  // namespace

std::optional<Stripe> stripe(Protection protection, int num_nodes) {
  if (num_nodes < min_nodes(protection)) return std::nullopt;
  const StripeLayout layout = layout_of(protection);
  if (layout.kind != Kind::kSpread) return Stripe{layout.data, layout.parity};
  return Stripe{std::min(kMaxData, layout.units_per_node * num_nodes - layout.parity),
                layout.parity};
}

int min_nodes(Protection protection) {
  const StripeLayout layout = layout_of(protection);
  switch (layout.kind) {
    case Kind::kFixed:
      return 1;
    case Kind::kCopies:
      return layout.parity + 1;
    case Kind::kSpread:
      break;
  }
  if (layout.units_per_node == 1) return 2 * layout.parity + 1;
  // At least as much data as parity, else copies would be smaller; and three nodes for a quorum.
  const int for_data = core::ceil_div(2 * layout.parity, layout.units_per_node);
  return std::max(3, for_data);
}

int quorum(int num_nodes) { return num_nodes / 2 + 1; }

int node_losses_survived(Protection protection, int num_nodes) {
  const auto units = stripe(protection, num_nodes);
  if (!units || protection == Protection::k8p2) return 0;
  const StripeLayout layout = layout_of(protection);
  const int on_a_node = layout.kind == Kind::kFixed
                            ? core::ceil_div(units->data + units->parity, num_nodes)
                            : layout.units_per_node;
  return units->parity / on_a_node;
}

double write_amplification(Protection protection, int num_nodes) {
  const auto units = stripe(protection, num_nodes);
  if (!units) return std::numeric_limits<double>::infinity();
  return static_cast<double>(units->data + units->parity) / units->data;
}

double small_file_amplification(Protection protection) {
  const StripeLayout layout = layout_of(protection);
  return 1.0 + static_cast<double>(layout.parity) / layout.data;
}

Protection rated_protection(const core::StorageNode& node) {
  return node.rated_protection ? node.rated_protection->value : node.protection.value;
}

core::Bandwidth pool_write_rate(const core::StorageNode& node, int num_nodes) {
  core::Bandwidth of_node = client_write_rate(node, num_nodes);
  if (node.num_back_end_ports.value > 0) {
    of_node =
        std::min(of_node, node.back_end_port_rate.value *
                              (node.num_back_end_ports.value * node.front_end_efficiency.value /
                               write_amplification(node.protection.value, num_nodes)));
  }
  return of_node * static_cast<double>(num_nodes);
}

core::Bandwidth client_write_rate(const core::StorageNode& node, int num_nodes) {
  return node.write_rate.value * rate_factor(node, num_nodes);
}

core::Bandwidth client_burst_write_rate(const core::StorageNode& node, int num_nodes) {
  return node.burst_write_rate.value * rate_factor(node, num_nodes);
}

core::DataSize raw_capacity(const core::StorageNode& node, int num_nodes) {
  return node.raw_capacity.value * static_cast<double>(num_nodes);
}

core::DataSize usable_capacity(const core::StorageNode& node, int num_nodes, double data_reduction,
                               double hot_spare) {
  return raw_capacity(node, num_nodes) * (1.0 - hot_spare) * data_reduction /
         write_amplification(node.protection.value, num_nodes);
}

double processor_load(const core::StorageNode& node, core::Bandwidth read, core::Bandwidth write) {
  const double busy =
      read / node.processor_read_rate.value + write / node.processor_write_rate.value;
  const double idle = node.idle_processor_load.value;
  return std::min(1.0, idle + (1.0 - idle) * busy);
}

}  // namespace railwright::models
