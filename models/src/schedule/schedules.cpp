// SPDX-License-Identifier: Apache-2.0
// The table of schedules. The first is the default.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "dualpipe.hpp"
#include "gpipe.hpp"
#include "one_f_one_b.hpp"
#include "railwright/models/parallelism/schedule.hpp"
#include "zb_h1.hpp"

namespace railwright::models {

namespace {

constexpr ScheduleKind kSchedules[] = {
    kOneFOneB,
    kGpipe,
    kZbH1,
    kDualPipe,
};

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kSchedules)> names;
  std::ranges::transform(kSchedules, names.begin(), &ScheduleKind::name);
  return names;
}();

}  // namespace

Schedule::Schedule(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) throw std::invalid_argument("no schedule " + std::string(name));
  row_ = static_cast<std::uint8_t>(found - kNames.begin());
}

std::span<const std::string_view> Schedule::names() { return kNames; }

const ScheduleKind* Schedule::operator->() const { return &kSchedules[row_]; }

}  // namespace railwright::models
