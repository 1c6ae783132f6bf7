// SPDX-License-Identifier: Apache-2.0
#include "node_failures.hpp"

#include <algorithm>
#include <utility>

namespace railwright::simulation {

namespace {

constexpr std::uint64_t kFailureStream = 16;  ///< streams below draw jobs
constexpr std::uint64_t kLemonStream = 15;

}  // namespace

NodeFailures::NodeFailures(const std::optional<models::Reliability>& reliability,
                           const models::FleetSize& fleet, std::uint64_t seed)
    : nodes_(seed, kFailureStream),
      num_nodes_(fleet.num_nodes),
      trays_per_node_(fleet.trays_per_node) {
  if (!reliability) return;
  std::uint64_t stream = kFailureStream;
  for (const models::FailureRate& rate : reliability->failures) {
    ++stream;
    if (rate.component == models::Component::kStorageNode) continue;
    Source source{.process = {rate, models::num_components(rate, fleet), seed, stream},
                  .needs_repair = rate.component != models::Component::kSoftware,
                  .num_nodes = rate.num_nodes};
    if (rate.repair) {
      source.repair = reliability->detection.value.base() + rate.repair->value.base();
    }
    source.next = source.process.next().base();
    sources_.push_back(std::move(source));
  }
  if (!reliability->lemon_nodes) return;
  lemon_nodes_ = *reliability->lemon_nodes;
  for (models::LemonNode& lemon : models::draw_lemons(lemon_nodes_, fleet, seed, kLemonStream)) {
    const double next = lemon.next(lemon_nodes_).base();
    lemons_.push_back({.lemon = std::move(lemon), .next = next});
  }
}

NodeFailure NodeFailures::next() {
  if (num_together_ > 0) {
    --num_together_;
    ++together_.node;
    return together_;
  }
  const auto soonest = std::ranges::min_element(sources_, {}, &Source::next);
  const auto lemon = std::ranges::min_element(lemons_, {}, &Lemon::next);
  const bool has_source = soonest != sources_.end();
  if (lemon != lemons_.end() && (!has_source || lemon->next < soonest->next)) {
    return next_of(*lemon);
  }
  if (!has_source) return {.time = core::Duration::infinity().base()};
  const double time = soonest->next;
  soonest->next = soonest->process.next().base();
  const auto drawn = static_cast<int>(nodes_.below(static_cast<std::uint64_t>(num_nodes_)));
  const int size = soonest->num_nodes;
  together_ = {.time = time,
               .node = drawn / size * size,
               .needs_repair = soonest->needs_repair,
               .repair = soonest->repair};
  num_together_ = std::min(size, num_nodes_ - together_.node) - 1;
  return together_;
}

NodeFailure NodeFailures::next_of(Lemon& lemon) const {
  const double time = lemon.next;
  lemon.next += lemon.lemon.next(lemon_nodes_).base();
  return {.time = time, .node = lemon.lemon.node() / trays_per_node_};
}

}  // namespace railwright::simulation
