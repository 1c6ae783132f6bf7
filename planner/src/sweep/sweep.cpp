// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/sweep/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <mutex>
#include <utility>

#include "railwright/core/parallel_for.hpp"
#include "railwright/core/stop.hpp"
#include "sweep_parts.hpp"
#include "workers.hpp"

namespace railwright::planner {

namespace {

[[noreturn]] void refuse(const std::string& where, std::string message) {
  throw core::ConfigError({{{where}, "", std::move(message), {}}});
}

}  // namespace

Shard read_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool has_slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  if (has_slash) {
    const auto second = std::from_chars(first.ptr + 1, end, shard.count);
    const bool is_whole = second.ec == std::errc{} && second.ptr == end;
    if (is_whole && shard.count >= 1 && shard.index >= 1 && shard.index <= shard.count) {
      return shard;
    }
  }
  refuse("--shard " + text, "expected i/n with i from 1 to n");
}

Sweep::Parts::Parts(SweepInput read, const core::Catalogue& files, SweepOptions how)
    : input(std::move(read)),
      catalogue(files.keeping()),
      options(std::move(how)),
      grid(input.space.cases, input.space.vary,
           {.has_fast_keys = uses_tables(*input.kind, options), .max_points = options.max_points}),
      base{.kind = *input.kind,
           .tree = input.tree,
           .catalogue = catalogue,
           .grid = grid,
           .options = options},
      question(make_question(base)),
      groups(base) {}

int Sweep::Parts::num_threads() const {
  if (options.num_threads > 0) return options.num_threads;
  return core::default_num_threads();
}

Sweep::Sweep(const core::Node& tree, const core::Catalogue& catalogue,
             const std::vector<simulation::Variation>& vary, SweepOptions options)
    : parts_(std::make_unique<Parts>(read_input(tree, vary), catalogue, std::move(options))) {}

Sweep::~Sweep() = default;

const SweepQuestion& Sweep::question() const { return parts_->question; }

SweepSummary Sweep::run(SweepTable& table) const {
  SweepRun run(*this, table);
  make_rows(parts_->base, parts_->groups, parts_->num_threads(),
            {.next = [&](std::size_t most) { return run.next(most); },
             .put = [&](std::vector<SweepRow> rows) { return run.put(std::move(rows)); }});
  return run.finish();
}

std::vector<SweepRow> Sweep::make(std::span<const std::int64_t> points) const {
  struct Place {
    std::int64_t group;  // points of one group go together
    std::int64_t point;
    std::size_t row;

    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    places.push_back({parts_->grid.group_of(points[i]), points[i], i});
  }
  std::ranges::sort(places);
  std::vector<SweepRow> rows(points.size());
  std::mutex mutex;
  std::size_t asked = 0;
  std::size_t made = 0;
  const auto next = [&](std::size_t most) {
    const std::lock_guard lock(mutex);
    std::vector<std::int64_t> some;
    for (; asked < places.size() && some.size() < most; ++asked) {
      some.push_back(places[asked].point);
    }
    return some;
  };
  const auto put = [&](std::vector<SweepRow> some) {
    const std::lock_guard lock(mutex);
    made += some.size();
    for (SweepRow& row : some) {
      const Place first{parts_->grid.group_of(row.point), row.point, 0};
      rows[std::ranges::lower_bound(places, first)->row] = std::move(row);
    }
    return true;
  };
  make_rows(parts_->base, parts_->groups, parts_->num_threads(), {.next = next, .put = put});
  if (made < points.size()) throw core::Interrupted();
  return rows;
}

std::vector<SweepValue> Sweep::inputs(std::int64_t point) const {
  std::vector<SweepValue> cells;
  parts_->grid.cells(point, cells);
  return cells;
}

}  // namespace railwright::planner
