// SPDX-License-Identifier: Apache-2.0
// Collectives carried out chunk by chunk on real buffers: numbers move from rank to rank over
// counted wires, and what the ranks hold at the end shows whether the moves were the right ones.
#pragma once

#include <cstdint>
#include <vector>

#include "wires.hpp"

namespace railwright::test {

/// Ranks of one communicator, listed node by node, and the buffer of each.
class Ranks {
 public:
  Ranks(std::vector<int> members, Wires& wires);

  /// Elements of a buffer: as many for each (rank, channel) as the trees need, so at least 2.
  [[nodiscard]] std::size_t buffer_size() const { return members_.size() * num_channels_ * 2; }
  /// Fills the buffer of every rank with numbers of its own.
  void fill();

  void reduce_scatter();
  void all_gather();
  void all_reduce();
  /// Two complementary trees over the nodes with a chain in each; half of the buffer to each tree.
  void tree_all_reduce();

  /// Whether every rank holds the sum in its own shard, or in the whole buffer; after all_gather()
  /// alone, whether every rank holds every other's shard as it was filled.
  [[nodiscard]] bool shards_are_summed() const;
  [[nodiscard]] bool all_is_summed() const;
  [[nodiscard]] bool all_is_gathered() const;

 private:
  /// The elements that move together in a channel.
  struct Chunk {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  [[nodiscard]] static std::int64_t filled(std::size_t rank, std::size_t element);
  [[nodiscard]] std::int64_t sum(std::size_t element) const;
  [[nodiscard]] Chunk chunk(std::size_t owner, std::size_t channel) const;
  /// Positions of a ring of `channel`: every node is entered at its member number `channel`.
  [[nodiscard]] std::vector<std::size_t> ring(std::size_t channel) const;
  [[nodiscard]] std::size_t gate(std::size_t node, std::size_t channel) const;
  /// From one position of the ring to the next; the wire out of a node is that of its gate.
  void along_ring(std::size_t from, std::size_t to, std::size_t channel, Chunk chunk, bool add);
  void copy(std::size_t from, std::size_t to, Chunk chunk, bool add);
  void reduce_up(std::size_t node, std::size_t channel, Chunk chunk,
                 const std::vector<std::vector<std::size_t>>& children);
  void broadcast_down(std::size_t node, std::size_t channel, Chunk chunk,
                      const std::vector<std::vector<std::size_t>>& children);

  std::vector<int> members_;
  Wires& wires_;
  std::vector<std::vector<std::size_t>> by_node_;  ///< ranks of each node
  std::vector<std::size_t> node_of_rank_;
  std::size_t num_channels_ = 0;
  std::vector<std::vector<std::int64_t>> buffers_;
};

}  // namespace railwright::test
