// SPDX-License-Identifier: Apache-2.0
#include "ranks.hpp"

#include <algorithm>
#include <utility>

#include "trees.hpp"

namespace railwright::test {

Ranks::Ranks(std::vector<int> members, Wires& wires)
    : members_(std::move(members)), wires_(wires), node_of_rank_(members_.size()) {
  int last_node = -1;
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    if (wires_.node_of(members_[rank]) != last_node) by_node_.emplace_back();
    last_node = wires_.node_of(members_[rank]);
    by_node_.back().push_back(rank);
    node_of_rank_[rank] = by_node_.size() - 1;
  }
  for (const auto& ranks : by_node_) num_channels_ = std::max(num_channels_, ranks.size());
  fill();
}

void Ranks::fill() {
  buffers_.assign(members_.size(), std::vector<std::int64_t>(buffer_size()));
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    for (std::size_t e = 0; e < buffer_size(); ++e) buffers_[rank][e] = filled(rank, e);
  }
}

std::int64_t Ranks::filled(std::size_t rank, std::size_t element) {
  return static_cast<std::int64_t>((rank + 1) * 1'000'003 + element * element * 7 + rank * element);
}

std::int64_t Ranks::sum(std::size_t element) const {
  std::int64_t total = 0;
  for (std::size_t rank = 0; rank < members_.size(); ++rank) total += filled(rank, element);
  return total;
}

Ranks::Chunk Ranks::chunk(std::size_t owner, std::size_t channel) const {
  const std::size_t size = buffer_size() / members_.size() / num_channels_;
  const std::size_t begin = (owner * num_channels_ + channel) * size;
  return {begin, begin + size};
}

std::size_t Ranks::gate(std::size_t node, std::size_t channel) const {
  return by_node_[node][channel % by_node_[node].size()];
}

std::vector<std::size_t> Ranks::ring(std::size_t channel) const {
  std::vector<std::size_t> order;
  for (const auto& ranks : by_node_) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      order.push_back(ranks[(channel + i) % ranks.size()]);
    }
  }
  return order;
}

void Ranks::copy(std::size_t from, std::size_t to, Chunk chunk, bool add) {
  for (std::size_t e = chunk.begin; e < chunk.end; ++e) {
    buffers_[to][e] = buffers_[from][e] + (add ? buffers_[to][e] : 0);
  }
}

void Ranks::along_ring(std::size_t from, std::size_t to, std::size_t channel, Chunk chunk,
                       bool add) {
  const auto amount = static_cast<double>(chunk.end - chunk.begin);
  std::size_t sender = from;
  if (node_of_rank_[from] != node_of_rank_[to]) {
    sender = gate(node_of_rank_[from], channel);
    if (sender != from) wires_.move(members_[from], members_[sender], amount);
  }
  wires_.move(members_[sender], members_[to], amount);
  copy(from, to, chunk, add);
}

void Ranks::reduce_scatter() {
  const std::size_t n = members_.size();
  for (std::size_t channel = 0; channel < num_channels_; ++channel) {
    const auto order = ring(channel);
    for (std::size_t step = 0; step + 1 < n; ++step) {
      for (std::size_t p = 0; p < n; ++p) {
        const std::size_t owner = order[(p + 2 * n - 1 - step) % n];
        along_ring(order[p], order[(p + 1) % n], channel, chunk(owner, channel), true);
      }
    }
  }
}

void Ranks::all_gather() {
  const std::size_t n = members_.size();
  for (std::size_t channel = 0; channel < num_channels_; ++channel) {
    const auto order = ring(channel);
    for (std::size_t step = 0; step + 1 < n; ++step) {
      for (std::size_t p = 0; p < n; ++p) {
        const std::size_t owner = order[(p + n - step) % n];
        along_ring(order[p], order[(p + 1) % n], channel, chunk(owner, channel), false);
      }
    }
  }
}

void Ranks::all_reduce() {
  reduce_scatter();
  all_gather();
}

void Ranks::reduce_up(std::size_t node, std::size_t channel, Chunk chunk,
                      const Children& children) {
  const auto amount = static_cast<double>(chunk.end - chunk.begin);
  const auto& ranks = by_node_[node];
  for (std::size_t i = ranks.size(); i-- > 1;) {
    const std::size_t from = ranks[(channel + i) % ranks.size()];
    const std::size_t to = ranks[(channel + i - 1) % ranks.size()];
    wires_.move(members_[from], members_[to], amount);
    copy(from, to, chunk, true);
  }
  for (const std::size_t child : children[node]) {
    reduce_up(child, channel, chunk, children);
    wires_.move(members_[gate(child, channel)], members_[gate(node, channel)], amount);
    copy(gate(child, channel), gate(node, channel), chunk, true);
  }
}

void Ranks::broadcast_down(std::size_t node, std::size_t channel, Chunk chunk,
                           const Children& children) {
  const auto amount = static_cast<double>(chunk.end - chunk.begin);
  for (const std::size_t child : children[node]) {
    wires_.move(members_[gate(node, channel)], members_[gate(child, channel)], amount);
    copy(gate(node, channel), gate(child, channel), chunk, false);
    broadcast_down(child, channel, chunk, children);
  }
  const auto& ranks = by_node_[node];
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i) {
    const std::size_t from = ranks[(channel + i) % ranks.size()];
    const std::size_t to = ranks[(channel + i + 1) % ranks.size()];
    wires_.move(members_[from], members_[to], amount);
    copy(from, to, chunk, false);
  }
}

void Ranks::tree_all_reduce() {
  const std::size_t half = buffer_size() / num_channels_ / 2;
  for (std::size_t channel = 0; channel < num_channels_; ++channel) {
    std::size_t begin = channel * 2 * half;
    for (const Children& children : {binary_tree(by_node_.size()), second_tree(by_node_.size())}) {
      const Chunk chunk{begin, begin + half};
      const std::size_t root = root_of(children);
      reduce_up(root, channel, chunk, children);
      broadcast_down(root, channel, chunk, children);
      begin += half;
    }
  }
}

bool Ranks::shards_are_summed() const {
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    for (std::size_t channel = 0; channel < num_channels_; ++channel) {
      const Chunk own = chunk(rank, channel);
      for (std::size_t e = own.begin; e < own.end; ++e) {
        if (buffers_[rank][e] != sum(e)) return false;
      }
    }
  }
  return true;
}

bool Ranks::all_is_summed() const {
  return std::ranges::all_of(buffers_, [&](const auto& buffer) {
    for (std::size_t e = 0; e < buffer.size(); ++e) {
      if (buffer[e] != sum(e)) return false;
    }
    return true;
  });
}

bool Ranks::all_is_gathered() const {
  const std::size_t shard = buffer_size() / members_.size();
  return std::ranges::all_of(buffers_, [&](const auto& buffer) {
    for (std::size_t e = 0; e < buffer.size(); ++e) {
      if (buffer[e] != filled(e / shard, e)) return false;
    }
    return true;
  });
}

}  // namespace railwright::test
