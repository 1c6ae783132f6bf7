// SPDX-License-Identifier: Apache-2.0
#include "wires.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace railwright::test {

Wires::Wires(int num_nodes, int accelerators_per_node, int nics_per_node)
    : num_nodes_(num_nodes),
      accelerators_per_node_(accelerators_per_node),
      nics_per_node_(nics_per_node),
      nic_out_(static_cast<std::size_t>(num_nodes * nics_per_node)),
      nic_in_(nic_out_.size()),
      scale_up_out_(static_cast<std::size_t>(num_nodes * accelerators_per_node)),
      scale_up_in_(scale_up_out_.size()) {}

int Wires::nic_of(int accelerator) const {
  return accelerator % accelerators_per_node_ * nics_per_node_ / accelerators_per_node_;
}

void Wires::move(int from, int to, double amount) {
  if (node_of(from) == node_of(to)) {
    scale_up_out_[static_cast<std::size_t>(from)] += amount;
    scale_up_in_[static_cast<std::size_t>(to)] += amount;
  } else {
    nic_out_[nic_index(node_of(from), nic_of(from))] += amount;
    nic_in_[nic_index(node_of(to), nic_of(to))] += amount;
  }
}

void Wires::into_scale_up_switch(int accelerator, double amount) {
  scale_up_out_[static_cast<std::size_t>(accelerator)] += amount;
}

void Wires::out_of_scale_up_switch(int accelerator, double amount) {
  scale_up_in_[static_cast<std::size_t>(accelerator)] += amount;
}

void Wires::into_network(int accelerator, double amount) {
  nic_out_[nic_index(node_of(accelerator), nic_of(accelerator))] += amount;
}

void Wires::out_of_network(int accelerator, double amount) {
  nic_in_[nic_index(node_of(accelerator), nic_of(accelerator))] += amount;
}

void Wires::add(const Wires& other, double factor) {
  const auto accumulate = [factor](std::vector<double>& sum, const std::vector<double>& more) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * more[i];
  };
  accumulate(nic_out_, other.nic_out_);
  accumulate(nic_in_, other.nic_in_);
  accumulate(scale_up_out_, other.scale_up_out_);
  accumulate(scale_up_in_, other.scale_up_in_);
}

double Wires::node_out(int node) const {
  double sum = 0.0;
  for (int nic = 0; nic < nics_per_node_; ++nic) sum += nic_out(node, nic);
  return sum;
}

double Wires::node_in(int node) const {
  double sum = 0.0;
  for (int nic = 0; nic < nics_per_node_; ++nic) sum += nic_in(node, nic);
  return sum;
}

std::string Wires::difference(const core::Fabric& fabric, std::span<const double> link_loads,
                              double tolerance) const {
  const double largest =
      std::max({std::ranges::max(nic_out_), std::ranges::max(nic_in_),
                std::ranges::max(scale_up_out_), std::ranges::max(scale_up_in_), 1e-300});
  std::string found;
  for (std::size_t link = 0; link < link_loads.size(); ++link) {
    const core::Link& l = fabric.links()[link];
    const core::Vertex& from = fabric.vertices()[static_cast<std::size_t>(l.from)];
    const core::Vertex& to = fabric.vertices()[static_cast<std::size_t>(l.to)];
    double counted = 0.0;
    if (l.tier == core::Tier::kInjection) {
      counted = from.role == core::Role::kNic ? nic_out(from.node, from.local_index)
                                              : nic_in(to.node, to.local_index);
    } else if (l.tier == core::Tier::kScaleUp) {
      counted = from.role == core::Role::kAccelerator
                    ? scale_up_out(from.node * accelerators_per_node_ + from.local_index)
                    : scale_up_in(to.node * accelerators_per_node_ + to.local_index);
    } else {
      continue;
    }
    if (std::abs(link_loads[link] - counted) > tolerance * largest) {
      found += from.label + " -> " + to.label + ": " + std::to_string(link_loads[link]) +
               ", counted " + std::to_string(counted) + "\n";
    }
  }
  return found;
}

}  // namespace railwright::test
