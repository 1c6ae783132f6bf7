// SPDX-License-Identifier: Apache-2.0
// The keys of storage_node.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/storage_node.hpp"

namespace railwright::core {

constexpr auto StorageNode::fields() {
  return field_list(
      field("name", &StorageNode::name, "Name in the catalogue."),
      field("description", &StorageNode::description, "The device in words."),
      field("read_rate", &StorageNode::read_rate, "Sequential read rate of a node.", positive),
      field("write_rate", &StorageNode::write_rate,
            "Sequential write rate of a node that it can hold without end.", positive),
      field("burst_write_rate", &StorageNode::burst_write_rate,
            "Write rate that a node absorbs for minutes.", positive),
      field("protocols", &StorageNode::protocols, "Protocols that it speaks; any where empty.",
            optional),
      field("protection", &StorageNode::protection,
            "How files survive the loss of drives and nodes.", optional),
      field("protections", &StorageNode::protections,
            "Protections that it offers; any where empty.", optional),
      field("rated_protection", &StorageNode::rated_protection,
            "Protection that the write rates were measured with; `protection` where absent."),
      field("rated_nodes", &StorageNode::rated_nodes,
            "Nodes of the cluster that the write rates were measured on: protection writes more "
            "to a smaller one and less to a larger one.",
            between(1, 65536), optional),
      field("read_operations_per_s", &StorageNode::read_operations_per_s,
            "Small random reads a second of a node.", positive, optional),
      field("write_operations_per_s", &StorageNode::write_operations_per_s,
            "Small random writes a second of a node.", positive, optional),
      field("latency", &StorageNode::latency, "Of one small read, the network apart.", non_negative,
            optional),
      field("cache", &StorageNode::cache,
            "Memory of a node that keeps what was read last: files that are read by many come "
            "from the drives once.",
            non_negative, optional),
      field("idle_processor_load", &StorageNode::idle_processor_load,
            "Load of a node's processors without clients.", between(0, 1), optional),
      field("processor_read_rate", &StorageNode::processor_read_rate,
            "Read rate that would fill the processors of a node.", positive, optional),
      field("processor_write_rate", &StorageNode::processor_write_rate,
            "Write rate that would fill the processors of a node.", positive, optional),
      field("rebuild_rate", &StorageNode::rebuild_rate,
            "Rate at which a node writes its part of what a lost one held.", positive, optional),
      field("num_front_end_ports", &StorageNode::num_front_end_ports,
            "Client-facing Ethernet ports.", between(1, 64)),
      field("front_end_port_rate", &StorageNode::front_end_port_rate,
            "Line rate of a client-facing port, one direction.", positive),
      field("front_end_efficiency", &StorageNode::front_end_efficiency,
            "Share of the line rate that file protocols reach.", fraction),
      field("num_back_end_ports", &StorageNode::num_back_end_ports,
            "Ports to the other storage nodes.", between(0, 64), optional),
      field("back_end_port_rate", &StorageNode::back_end_port_rate,
            "Line rate of a port to the other storage nodes, one direction.", positive, optional),
      field("raw_capacity", &StorageNode::raw_capacity, "Raw capacity of a node.", positive),
      field("min_nodes", &StorageNode::min_nodes, "Fewest nodes in a cluster.", between(1, 65536)),
      field("max_nodes", &StorageNode::max_nodes, "Most nodes in a cluster.", between(1, 65536)),
      field("rack_units", &StorageNode::rack_units, "Height.", at_least(1)),
      field("power", &StorageNode::power, "Typical power.", positive));
}

}  // namespace railwright::core
