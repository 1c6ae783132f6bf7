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
  /// Reduce-scatter in each node, rings of the gates of each channel, all-gather in each node.
  /// Nodes have equal numbers of ranks here and in what follows.
  void hierarchical_all_reduce();
  /// Scale-up switches add what goes to a gate and multicast what comes from it; trees between.
  void nvls_all_reduce();
  /// As hierarchical, with a network that adds what the gates send and gives it back to them.
  void collnet_all_reduce();
  /// The first rank's buffer to all, around the rings.
  void broadcast();
  /// Part r of each rank's buffer to rank r, through the node's rank on r's rail where there is
  /// one.
  void all_to_all();

  /// Whether every rank holds the sum in its own shard, or in the whole buffer; after all_gather()
  /// alone, whether every rank holds every other's shard as it was filled.
  [[nodiscard]] bool shards_are_summed() const;
  [[nodiscard]] bool all_is_summed() const;
  [[nodiscard]] bool all_is_gathered() const;
  /// Whether every rank holds the first one's numbers; whether every rank got its part from all.
  [[nodiscard]] bool all_equal_the_first() const;
  [[nodiscard]] bool all_is_exchanged() const;

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
  void reduce_gates(std::size_t node, std::size_t channel, Chunk chunk,
                    const std::vector<std::vector<std::size_t>>& children);
  void multicast_gates(std::size_t node, std::size_t channel, Chunk chunk,
                       const std::vector<std::vector<std::size_t>>& children);
  void copy(std::size_t from, std::size_t to, Chunk chunk, bool add);
  [[nodiscard]] Chunk channel_chunk(std::size_t channel) const;
  void reduce_in_node(std::size_t node, std::size_t channel, Chunk chunk);
  void gather_in_node(std::size_t node, std::size_t channel, Chunk chunk);
  void ring_of_gates(std::size_t channel, Chunk chunk);
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
  std::vector<std::vector<std::int64_t>> received_;  ///< of all_to_all
};

}  // namespace railwright::test
