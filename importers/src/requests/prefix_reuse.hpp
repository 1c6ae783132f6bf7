// SPDX-License-Identifier: Apache-2.0
// Finds of prompts in earlier ones by the size of a cache, counted in their blocks.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace railwright::importers {

/// Sizes of a cache in tokens, ascending, and the share of the prompts' tokens that each finds.
struct ReuseCurve {
  std::vector<double> sizes;
  std::vector<double> hit_rates;
};

/// Counts the distances of blocks that come again, in one pass over the requests: how many
/// different blocks were used since. A cache that drops what was not used for longest holds a block
/// if it has room for so many and itself [@mattson1970evaluation], so one pass has all sizes. Of a
/// prompt only the first blocks without a gap count. Its last block is used first, as engines free
/// a prompt from its end [@kwon2023vllm]. O(n log n) for `n` blocks.
class PrefixReuse {
 public:
  explicit PrefixReuse(std::int64_t block_tokens)
      : block_tokens_(static_cast<double>(block_tokens)) {}

  /// Adds the blocks of the next prompt of so many tokens; each number stands for a block and all
  /// before it.
  void add(std::span<const std::int64_t> blocks, std::int64_t prompt_tokens);

  /// Returns about `num_points` sizes, that find equal parts of all that comes again; none if
  /// nothing does. Sizes are whole thousands of tokens, rates have four digits.
  [[nodiscard]] ReuseCurve curve(int num_points) const;

 private:
  /// Counts the places from `from` on that are the last use of a block.
  [[nodiscard]] std::int64_t last_uses_since(std::int64_t from) const;
  void change(std::int64_t place, std::int64_t by);

  std::unordered_map<std::int64_t, std::int64_t> last_use_;  ///< place by block
  std::vector<std::int64_t> tree_{0};  ///< Fenwick tree of places that are a last use
  std::int64_t num_last_ = 0;
  std::unordered_map<std::int64_t, double> found_;  ///< tokens by the room in blocks they need
  double tokens_ = 0.0;
  double block_tokens_;
};

}  // namespace railwright::importers
