// SPDX-License-Identifier: Apache-2.0
// Collectives that switches, rails or relays carry out.
#include <algorithm>

#include "ranks.hpp"
#include "trees.hpp"

namespace railwright::test {

Ranks::Chunk Ranks::channel_chunk(std::size_t channel) const {
  const std::size_t size = buffer_size() / num_channels_;
  return {channel * size, (channel + 1) * size};
}

void Ranks::reduce_in_node(std::size_t node, std::size_t channel, Chunk chunk) {
  const auto amount = static_cast<double>(chunk.end - chunk.begin);
  const auto& ranks = by_node_[node];
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    const std::size_t from = ranks[(channel + i) % ranks.size()];
    const std::size_t to = ranks[(channel + i + 1) % ranks.size()];
    wires_.move(members_[from], members_[to], amount);
    copy(from, to, chunk, true);
  }
}

void Ranks::gather_in_node(std::size_t node, std::size_t channel, Chunk chunk) {
  const auto amount = static_cast<double>(chunk.end - chunk.begin);
  const auto& ranks = by_node_[node];
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i) {
    const std::size_t from = ranks[(channel + i) % ranks.size()];
    const std::size_t to = ranks[(channel + i + 1) % ranks.size()];
    wires_.move(members_[from], members_[to], amount);
    copy(from, to, chunk, false);
  }
}

void Ranks::ring_of_gates(std::size_t channel, Chunk chunk) {
  const std::size_t nodes = by_node_.size();
  const std::size_t part = (chunk.end - chunk.begin) / nodes;
  for (const bool add : {true, false}) {
    for (std::size_t step = 0; step + 1 < nodes; ++step) {
      for (std::size_t node = 0; node < nodes; ++node) {
        const std::size_t owner = (node + (add ? 2 * nodes - 1 : nodes) - step) % nodes;
        const Chunk own{chunk.begin + owner * part, chunk.begin + (owner + 1) * part};
        const std::size_t from = gate(node, channel);
        const std::size_t to = gate((node + 1) % nodes, channel);
        wires_.move(members_[from], members_[to], static_cast<double>(part));
        copy(from, to, own, add);
      }
    }
  }
}

void Ranks::hierarchical_all_reduce() {
  for (std::size_t channel = 0; channel < num_channels_; ++channel) {
    const Chunk chunk = channel_chunk(channel);
    for (std::size_t node = 0; node < by_node_.size(); ++node) {
      reduce_in_node(node, channel, chunk);
    }
    ring_of_gates(channel, chunk);
    for (std::size_t node = 0; node < by_node_.size(); ++node) {
      gather_in_node(node, channel, chunk);
    }
  }
}

void Ranks::reduce_gates(std::size_t node, std::size_t channel, Chunk chunk,
                         const Children& children) {
  for (const std::size_t child : children[node]) {
    reduce_gates(child, channel, chunk, children);
    wires_.move(members_[gate(child, channel)], members_[gate(node, channel)],
                static_cast<double>(chunk.end - chunk.begin));
    copy(gate(child, channel), gate(node, channel), chunk, true);
  }
}

void Ranks::multicast_gates(std::size_t node, std::size_t channel, Chunk chunk,
                            const Children& children) {
  for (const std::size_t child : children[node]) {
    wires_.move(members_[gate(node, channel)], members_[gate(child, channel)],
                static_cast<double>(chunk.end - chunk.begin));
    copy(gate(node, channel), gate(child, channel), chunk, false);
    multicast_gates(child, channel, chunk, children);
  }
}

void Ranks::nvls_all_reduce() {
  const std::size_t half = buffer_size() / num_channels_ / 2;
  for (std::size_t channel = 0; channel < num_channels_; ++channel) {
    const Chunk whole = channel_chunk(channel);
    const auto amount = static_cast<double>(whole.end - whole.begin);
    for (std::size_t node = 0; node < by_node_.size(); ++node) {
      const std::size_t owner = gate(node, channel);
      for (const std::size_t rank : by_node_[node]) {
        wires_.into_scale_up_switch(members_[rank], amount);
        if (rank != owner) copy(rank, owner, whole, true);
      }
      wires_.out_of_scale_up_switch(members_[owner], amount);
    }
    std::size_t begin = whole.begin;
    for (const Children& children : {binary_tree(by_node_.size()), second_tree(by_node_.size())}) {
      reduce_gates(root_of(children), channel, {begin, begin + half}, children);
      multicast_gates(root_of(children), channel, {begin, begin + half}, children);
      begin += half;
    }
    for (std::size_t node = 0; node < by_node_.size(); ++node) {
      const std::size_t owner = gate(node, channel);
      wires_.into_scale_up_switch(members_[owner], amount);
      for (const std::size_t rank : by_node_[node]) {
        wires_.out_of_scale_up_switch(members_[rank], amount);
        if (rank != owner) copy(owner, rank, whole, false);
      }
    }
  }
}

void Ranks::collnet_all_reduce() {
  for (std::size_t channel = 0; channel < num_channels_; ++channel) {
    const Chunk chunk = channel_chunk(channel);
    const auto amount = static_cast<double>(chunk.end - chunk.begin);
    for (std::size_t node = 0; node < by_node_.size(); ++node) {
      reduce_in_node(node, channel, chunk);
      wires_.into_network(members_[gate(node, channel)], amount);
      if (node > 0) copy(gate(node, channel), gate(0, channel), chunk, true);
    }
    for (std::size_t node = 0; node < by_node_.size(); ++node) {
      wires_.out_of_network(members_[gate(node, channel)], amount);
      if (node > 0) copy(gate(0, channel), gate(node, channel), chunk, false);
      gather_in_node(node, channel, chunk);
    }
  }
}

void Ranks::broadcast() {
  for (std::size_t channel = 0; channel < num_channels_; ++channel) {
    auto order = ring(channel);
    std::ranges::rotate(order, std::ranges::find(order, std::size_t{0}));
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      along_ring(order[i], order[i + 1], channel, channel_chunk(channel), false);
    }
  }
}

void Ranks::all_to_all() {
  const std::size_t part = buffer_size() / members_.size();
  received_ = buffers_;
  for (std::size_t from = 0; from < members_.size(); ++from) {
    for (std::size_t to = 0; to < members_.size(); ++to) {
      if (from == to) continue;
      std::size_t relay = from;
      if (node_of_rank_[from] != node_of_rank_[to]) {
        const int rail = wires_.nic_of(members_[to]);
        std::vector<std::size_t> on_rail;
        for (const std::size_t rank : by_node_[node_of_rank_[from]]) {
          if (wires_.nic_of(members_[rank]) == rail) on_rail.push_back(rank);
        }
        const bool is_there = on_rail.empty() || wires_.nic_of(members_[from]) == rail;
        const auto turn = static_cast<std::size_t>(wires_.local_index(members_[to]));
        if (!is_there) relay = on_rail[turn % on_rail.size()];
      }
      if (relay != from) wires_.move(members_[from], members_[relay], static_cast<double>(part));
      wires_.move(members_[relay], members_[to], static_cast<double>(part));
      std::copy_n(buffers_[from].begin() + static_cast<std::ptrdiff_t>(to * part), part,
                  received_[to].begin() + static_cast<std::ptrdiff_t>(from * part));
    }
  }
}

bool Ranks::all_equal_the_first() const {
  return std::ranges::all_of(buffers_, [&](const auto& buffer) {
    for (std::size_t e = 0; e < buffer.size(); ++e) {
      if (buffer[e] != filled(0, e)) return false;
    }
    return true;
  });
}

bool Ranks::all_is_exchanged() const {
  const std::size_t part = buffer_size() / members_.size();
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    for (std::size_t e = 0; e < received_[rank].size(); ++e) {
      const std::size_t sender = e / part;
      if (received_[rank][e] != filled(sender, rank * part + e % part)) return false;
    }
  }
  return true;
}

}  // namespace railwright::test
