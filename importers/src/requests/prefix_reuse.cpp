// SPDX-License-Identifier: Apache-2.0
#include "prefix_reuse.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <ranges>
#include <utility>

namespace railwright::importers {

namespace {

constexpr double kSizeStep = 1000.0;
constexpr double kRatesOfOne = 1e4;

std::int64_t lowest_bit(std::int64_t number) { return number & -number; }

}  // namespace

std::int64_t PrefixReuse::last_uses_since(std::int64_t from) const {
  std::int64_t before = 0;
  for (std::int64_t i = from; i > 0; i -= lowest_bit(i))
    before += tree_[static_cast<std::size_t>(i)];
  return num_last_ - before;
}

void PrefixReuse::change(std::int64_t place, std::int64_t by) {
  num_last_ += by;
  for (std::int64_t i = place + 1; i < std::ssize(tree_); i += lowest_bit(i)) {
    tree_[static_cast<std::size_t>(i)] += by;
  }
}

void PrefixReuse::add(std::span<const std::int64_t> blocks, std::int64_t prompt_tokens) {
  std::int64_t room = 0;
  auto left = static_cast<double>(prompt_tokens);
  tokens_ += left;
  for (const std::int64_t block : blocks) {
    const auto known = last_use_.find(block);
    if (known == last_use_.end()) break;
    room = std::max(room, last_uses_since(known->second));
    const double here = std::min(left, block_tokens_);
    found_[room] += here;
    left -= here;
  }
  for (const std::int64_t block : std::views::reverse(blocks)) {
    const std::int64_t place = std::ssize(tree_) - 1;
    const auto [known, is_new] = last_use_.try_emplace(block, place);
    if (!is_new) change(std::exchange(known->second, place), -1);
    // A new place of the tree begins with the sum of those below it.
    const std::int64_t index = place + 1;
    std::int64_t sum = 0;
    for (std::int64_t i = index - 1; i > index - lowest_bit(index); i -= lowest_bit(i)) {
      sum += tree_[static_cast<std::size_t>(i)];
    }
    tree_.push_back(sum);
    change(place, 1);
  }
}

ReuseCurve PrefixReuse::curve(int num_points) const {
  const std::map<std::int64_t, double> by_room(found_.begin(), found_.end());
  double all = 0.0;
  for (const auto& [room, found] : by_room) all += found;
  ReuseCurve curve;
  double sum = 0.0;
  double next = all / num_points;
  for (const auto& [room, found] : by_room) {
    sum += found;
    const bool is_last = room == by_room.rbegin()->first;
    if (sum < next && !is_last) continue;
    const double size =
        std::ceil(static_cast<double>(room) * block_tokens_ / kSizeStep) * kSizeStep;
    const double rate = std::round(sum / tokens_ * kRatesOfOne) / kRatesOfOne;
    if (!curve.sizes.empty() && size <= curve.sizes.back()) {
      curve.hit_rates.back() = rate;
    } else {
      curve.sizes.push_back(size);
      curve.hit_rates.push_back(rate);
    }
    next = sum + all / num_points;
  }
  return curve;
}

}  // namespace railwright::importers
