// SPDX-License-Identifier: Apache-2.0
#include "unstated_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "number_text.hpp"
#include "phrases.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::output {

using simulation::OtherValue;
using simulation::UnstatedSetting;

namespace {

/// Returns "bucket" for "software.bucket".
std::string key_of(const UnstatedSetting& one) { return one.key.substr(one.key.rfind('.') + 1); }

}  // namespace

std::string unstated_words(const UnstatedSetting& one, core::Duration step_time) {
  const OtherValue& other = one.others.front();
  return fmt::format("{} {} assumed: at {} a step takes {} ({})", one.key, one.value, other.value,
                     core::to_text(step_time * other.factor), signed_percent(other.factor - 1.0));
}

std::string unstated_summary(const simulation::SimulationResult& result) {
  const auto settings = simulation::those_that_matter(result.unstated);
  if (settings.empty()) return {};
  std::string text = unstated_words(settings.front(), result.step_time);
  for (const UnstatedSetting& one : settings.subspan(1)) {
    const OtherValue& other = one.others.front();
    text += fmt::format("; {} {}: {} {}", key_of(one), one.value, other.value,
                        signed_percent(other.factor - 1.0));
  }
  return text;
}

std::string unstated_text(const simulation::SimulationResult& result) {
  const auto settings = simulation::those_that_matter(result.unstated);
  std::string text;
  for (const UnstatedSetting& one : settings.first(std::min(settings.size(), kMaxUnstatedLines))) {
    text += fact(text.empty() ? "not stated" : "", unstated_words(one, result.step_time));
  }
  if (settings.size() > kMaxUnstatedLines) {
    text += fact("", fmt::format("{} more in --format json", settings.size() - kMaxUnstatedLines));
  }
  return text;
}

}  // namespace railwright::output
