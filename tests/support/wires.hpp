// SPDX-License-Identifier: Apache-2.0
// Transfers between accelerators, counted one by one as they happen. Knows the wiring of a node
// (which accelerator sends through which NIC) from the outside, and nothing of routes or formulas.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::test {

/// What went into and came out of every NIC and every accelerator's scale-up port.
class Wires {
 public:
  /// Accelerator a of a node sends through NIC floor(a * nics / accelerators) of it.
  Wires(int num_nodes, int accelerators_per_node, int nics_per_node);

  /// `amount` from one accelerator into another.
  void move(int from, int to, double amount);
  /// The two halves of a move through a switch that adds or multicasts: inside a node, and between
  /// nodes through the accelerator's NIC.
  void into_scale_up_switch(int accelerator, double amount);
  void out_of_scale_up_switch(int accelerator, double amount);
  void into_network(int accelerator, double amount);
  void out_of_network(int accelerator, double amount);
  /// The NIC of its node that an accelerator sends through.
  [[nodiscard]] int nic_of(int accelerator) const;
  /// Adds what another set of equal wires carried, times `factor`.
  void add(const Wires& other, double factor);

  [[nodiscard]] int node_of(int accelerator) const { return accelerator / accelerators_per_node_; }
  [[nodiscard]] int local_index(int accelerator) const {
    return accelerator % accelerators_per_node_;
  }
  [[nodiscard]] int num_nodes() const { return num_nodes_; }
  [[nodiscard]] int nics_per_node() const { return nics_per_node_; }
  [[nodiscard]] double nic_out(int node, int nic) const { return nic_out_[nic_index(node, nic)]; }
  [[nodiscard]] double nic_in(int node, int nic) const { return nic_in_[nic_index(node, nic)]; }
  [[nodiscard]] double scale_up_out(int accelerator) const {
    return scale_up_out_[static_cast<std::size_t>(accelerator)];
  }
  [[nodiscard]] double scale_up_in(int accelerator) const {
    return scale_up_in_[static_cast<std::size_t>(accelerator)];
  }
  /// Across the boundary of a node, outwards.
  [[nodiscard]] double node_out(int node) const;
  [[nodiscard]] double node_in(int node) const;

  /// What differs from the loads of a fabric's links, "" where all agree to `tolerance`, relative
  /// to the largest load: every NIC and every scale-up port, both directions.
  [[nodiscard]] std::string difference(const core::Fabric& fabric,
                                       std::span<const double> link_loads, double tolerance) const;

 private:
  [[nodiscard]] std::size_t nic_index(int node, int nic) const {
    return static_cast<std::size_t>(node) * static_cast<std::size_t>(nics_per_node_) +
           static_cast<std::size_t>(nic);
  }

  int num_nodes_;
  int accelerators_per_node_;
  int nics_per_node_;
  std::vector<double> nic_out_;
  std::vector<double> nic_in_;
  std::vector<double> scale_up_out_;
  std::vector<double> scale_up_in_;
};

}  // namespace railwright::test
