// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/result_number.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace railwright::simulation {

namespace {

struct FormatFacts {
  std::string_view name;
  std::string_view unit;
};
/// Names and units in the order of NumberFormat.
constexpr auto kFormats = std::to_array<FormatFacts>({{"count", ""},
                                                      {"big", ""},
                                                      {"plain", ""},
                                                      {"percent", ""},
                                                      {"s", "s"},
                                                      {"bytes", "B"},
                                                      {"bytes_per_s", "B/s"},
                                                      {"w", "W"},
                                                      {"w_per_s", "W/s"},
                                                      {"j", "J"},
                                                      {"kg", "kg"},
                                                      {"usd", "USD"}});

double as_double(const std::variant<std::int64_t, double>& value) {
  return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

}  // namespace

double Output::number() const { return as_double(value); }

std::string Output::json_pointer() const {
  std::string pointer = "/" + path;
  std::ranges::replace(pointer, '.', '/');
  return pointer;
}

std::string_view unit_of(NumberFormat format) {
  return kFormats[static_cast<std::size_t>(format)].unit;
}

std::string_view name_of(NumberFormat format) {
  return kFormats[static_cast<std::size_t>(format)].name;
}

double NumberValue::number() const { return as_double(*value_); }

bool has(const NumberSource& source, NumberScope scope) {
  switch (scope) {
    case NumberScope::kDesign:
      return source.result != nullptr;
    case NumberScope::kStep:
      return source.result != nullptr && source.has_step;
    case NumberScope::kJob:
      return source.job != nullptr;
    case NumberScope::kStorage:
      return source.storage != nullptr && source.has_storage;
    case NumberScope::kRun:
      return source.result != nullptr && source.job != nullptr;
    case NumberScope::kService:
      return source.service != nullptr;
    case NumberScope::kAnswers:
      return source.service != nullptr && source.has_answers;
    case NumberScope::kRequests:
      return source.service != nullptr && source.has_requests;
    case NumberScope::kQueue:
      return source.queue != nullptr;
    case NumberScope::kQueueRun:
      return source.queue != nullptr && source.has_queue_run;
    case NumberScope::kJobs:
      return source.jobs != nullptr;
    case NumberScope::kJobsRun:
      return source.jobs != nullptr && source.has_jobs_run;
    case NumberScope::kPostTraining:
      return source.post_training != nullptr;
    case NumberScope::kPostTrainingStep:
      return source.post_training != nullptr && source.has_post_training_step;
  }
  return false;
}

std::vector<ScopedNumber> table_of(std::span<const NumberGroup> groups) {
  std::vector<ScopedNumber> all;
  for (const NumberGroup& group : groups) {
    for (ResultNumber& number : group.numbers()) all.push_back({group.scope, std::move(number)});
  }
  return all;
}

NumberValue ScopedNumber::read(const NumberSource& source) const {
  return number.read && has(source, scope) ? number.read(source) : NumberValue();
}

}  // namespace railwright::simulation
