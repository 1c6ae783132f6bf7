// SPDX-License-Identifier: Apache-2.0
#include "rank_order.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace railwright::models {

namespace {

constexpr std::size_t kNumDimensions = 5;

std::vector<std::string_view> split(std::string_view order) {
  std::vector<std::string_view> names;
  while (true) {
    const std::size_t dash = order.find('-');
    names.push_back(order.substr(0, dash));
    if (dash == std::string_view::npos) return names;
    order.remove_prefix(dash + 1);
  }
}

bool names_each_dimension_once(std::vector<std::string_view> names) {
  static constexpr std::array<std::string_view, kNumDimensions> kSorted{"cp", "dp", "ep", "pp",
                                                                        "tp"};
  std::ranges::sort(names);
  return std::ranges::equal(names, kSorted);
}

/// Sets each stride to the product of the sizes of the dimensions before it; a dimension without a
/// size counts as 1.
template <std::size_t N>
void take_strides(const std::vector<std::string_view>& names,
                  const std::array<std::pair<std::string_view, std::pair<int, int*>>, N>& sizes) {
  int stride = 1;
  for (const std::string_view name : names) {
    for (const auto& [dimension, size_and_stride] : sizes) {
      if (dimension != name) continue;
      *size_and_stride.second = stride;
      stride *= size_and_stride.first;
    }
  }
}

using Dimension = std::pair<std::string_view, std::pair<int, int*>>;

/// Returns the rank within the cluster of a rank of a stage.
int accelerator_of(const Layout& layout, int rank, int stage) {
  const Strides& in_stage = layout.strides_in_stage;
  const int tensor = rank / in_stage.tp % layout.tp;
  const int context = rank / in_stage.cp % layout.cp;
  const int data = rank / in_stage.dp % layout.dp;
  return layout.accelerator(tensor, context + layout.cp * data, stage);
}

/// Returns the ranks that differ from `rank` in one digit of `base` values, `stride` apart.
std::vector<int> along(const Layout& layout, int rank, int stage, int stride, int base) {
  const int first = rank - rank / stride % base * stride;
  std::vector<int> members;
  for (int i = 0; i < base; ++i) {
    members.push_back(accelerator_of(layout, first + i * stride, stage));
  }
  return members;
}

}  // namespace

bool apply_order(std::string_view order, Layout& layout) {
  const auto names = split(order);
  if (!names_each_dimension_once(names)) return false;
  Strides& all = layout.strides;
  take_strides(names, std::array<Dimension, 4>{{{"tp", {layout.tp, &all.tp}},
                                                {"cp", {layout.cp, &all.cp}},
                                                {"dp", {layout.dp, &all.dp}},
                                                {"pp", {layout.pp, &all.pp}}}});
  Strides& in_stage = layout.strides_in_stage;
  in_stage.pp = 0;
  take_strides(names, std::array<Dimension, 3>{{{"tp", {layout.tp, &in_stage.tp}},
                                                {"cp", {layout.cp, &in_stage.cp}},
                                                {"dp", {layout.dp, &in_stage.dp}}}});
  ExpertStrides& experts = layout.expert_strides;
  const int replicas = layout.stage_size() / (layout.etp * layout.ep);
  int replica_stride = 1;
  take_strides(names, std::array<Dimension, 3>{{{"tp", {layout.etp, &experts.etp}},
                                                {"ep", {layout.ep, &experts.ep}},
                                                {"dp", {replicas, &replica_stride}}}});
  return true;
}

std::vector<int> expert_group(const Layout& layout, int rank_in_stage, int stage) {
  return along(layout, rank_in_stage, stage, layout.expert_strides.ep, layout.ep);
}

std::vector<int> expert_replicas(const Layout& layout, int rank_in_stage, int stage) {
  const auto digit = [](int rank, int stride, int base) { return rank / stride % base; };
  // Ranks up to the next with the digit of `rank_in_stage`.
  const auto ranks_to = [&](int rank, int stride, int base) {
    const int own = digit(rank_in_stage, stride, base);
    const int digits = (own - digit(rank, stride, base) + base) % base;
    return digits == 0 ? 0 : digits * stride - rank % stride;
  };
  const ExpertStrides& strides = layout.expert_strides;
  std::vector<int> members;
  for (int rank = 0; rank < layout.stage_size();) {
    const int ranks =
        std::max(ranks_to(rank, strides.ep, layout.ep), ranks_to(rank, strides.etp, layout.etp));
    if (ranks == 0) members.push_back(accelerator_of(layout, rank, stage));
    rank += std::max(1, ranks);
  }
  return members;
}

}  // namespace railwright::models
