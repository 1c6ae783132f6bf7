// SPDX-License-Identifier: Apache-2.0
#include "fast_keys.hpp"

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/estimator/knobs.hpp"
#include "railwright/simulation/scenario/scenario_fields.hpp"

namespace railwright::planner {

namespace {

/// Reads one field of a struct under its own range; false if there is none of that name.
template <class T>
bool read_field(core::Reader& reader, const std::string& path, std::string_view name,
                const core::Node& value, T& out) {
  bool found = false;
  core::for_each_field<T>([&](const auto& f) {
    if (f.name != name) return;
    found = true;
    reader.read(value, path, out.*(f.member), f.range);
  });
  return found;
}

template <std::size_t kKnob>
void set_knob(simulation::Configuration& c, std::int64_t number) {
  std::get<kKnob>(simulation::kKnobs).set_number(c, number);
}

/// Whether a knob's value stands by itself: etp where absent is tp.
template <class Knob>
bool is_fast(const Knob& knob, std::string_view key) {
  return knob.key == key && knob.kind != simulation::KnobKind::kExpertSlices;
}

}  // namespace

bool varies_fast(const std::string& key) {
  bool found = false;
  simulation::for_each_knob([&](const auto& knob) { found = found || is_fast(knob, key); });
  return found;
}

template <std::size_t kKnob>
void FastValue::read_knob(const core::Node& value, std::optional<FastValue>& made) {
  constexpr const auto& kRow = std::get<kKnob>(simulation::kKnobs);
  core::Reader reader;
  simulation::Scenario scratch;
  read_field(reader, std::string(kRow.key), kRow.name(), value, scratch.*kRow.in_scenario.kSection);
  simulation::Configuration c;
  kRow.copy(scratch, c);
  made.emplace();
  made->apply_ = set_knob<kKnob>;
  made->value_ = kRow.number(c);
  made->problems_ = reader.diagnostics();
}

std::optional<FastValue> FastValue::read(const std::string& key, const core::Node& value) {
  std::optional<FastValue> made;
  [&]<std::size_t... kKnob>(std::index_sequence<kKnob...>) {
    ((is_fast(std::get<kKnob>(simulation::kKnobs), key) ? read_knob<kKnob>(value, made) : void()),
     ...);
  }(std::make_index_sequence<simulation::kNumKnobs>{});
  return made;
}

}  // namespace railwright::planner
