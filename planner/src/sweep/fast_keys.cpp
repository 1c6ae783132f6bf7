// SPDX-License-Identifier: Apache-2.0
#include "fast_keys.hpp"

#include <algorithm>
#include <array>

#include "railwright/core/config/reader.hpp"
#include "railwright/planner/sweep/sweep.hpp"

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

struct Scratch {
  models::Training workload;
  models::Parallelism parallelism;
  models::SoftwareProfile software;
};

struct Field {
  std::string_view key;
  std::int64_t (*take)(const Scratch&);
  void (*apply)(simulation::Configuration&, std::int64_t);
};

constexpr auto kFields = std::to_array<Field>({
    {"parallelism.tp", [](const Scratch& s) { return std::int64_t{s.parallelism.tp}; },
     [](simulation::Configuration& c, std::int64_t v) { c.tp = static_cast<int>(v); }},
    {"parallelism.cp", [](const Scratch& s) { return std::int64_t{s.parallelism.cp}; },
     [](simulation::Configuration& c, std::int64_t v) { c.cp = static_cast<int>(v); }},
    {"parallelism.ep", [](const Scratch& s) { return std::int64_t{s.parallelism.ep}; },
     [](simulation::Configuration& c, std::int64_t v) { c.ep = static_cast<int>(v); }},
    {"parallelism.pp", [](const Scratch& s) { return std::int64_t{s.parallelism.pp}; },
     [](simulation::Configuration& c, std::int64_t v) { c.pp = static_cast<int>(v); }},
    {"parallelism.virtual_stages",
     [](const Scratch& s) { return std::int64_t{s.parallelism.virtual_stages}; },
     [](simulation::Configuration& c, std::int64_t v) { c.virtual_stages = static_cast<int>(v); }},
    {"parallelism.schedule",
     [](const Scratch& s) { return static_cast<std::int64_t>(s.parallelism.schedule.row()); },
     [](simulation::Configuration& c, std::int64_t v) {
       c.schedule = models::Schedule::at(static_cast<std::size_t>(v));
     }},
    {"parallelism.sequence_parallel",
     [](const Scratch& s) { return std::int64_t{s.parallelism.sequence_parallel ? 1 : 0}; },
     [](simulation::Configuration& c, std::int64_t v) { c.sequence_parallel = v != 0; }},
    {"workload.micro_batch", [](const Scratch& s) { return std::int64_t{s.workload.micro_batch}; },
     [](simulation::Configuration& c, std::int64_t v) { c.micro_batch = static_cast<int>(v); }},
    {"workload.global_batch",
     [](const Scratch& s) { return std::int64_t{s.workload.global_batch}; },
     [](simulation::Configuration& c, std::int64_t v) { c.global_batch = v; }},
    {"software.zero_stage",
     [](const Scratch& s) { return std::int64_t{s.software.zero_stage.value}; },
     [](simulation::Configuration& c, std::int64_t v) { c.zero_stage = static_cast<int>(v); }},
    {"software.recompute",
     [](const Scratch& s) { return static_cast<std::int64_t>(s.software.recompute.value); },
     [](simulation::Configuration& c, std::int64_t v) {
       c.recompute = static_cast<models::Recompute>(v);
     }},
});

}  // namespace

bool varies_fast(const std::string& key) {
  return std::ranges::find(kFields, key, &Field::key) != kFields.end();
}

std::optional<FastValue> FastValue::read(const std::string& key, const core::Node& value) {
  for (const Field& field : kFields) {
    if (field.key != key) continue;
    const std::string_view name = std::string_view(key).substr(key.find('.') + 1);
    core::Reader reader;
    Scratch scratch;
    if (key.starts_with("parallelism.")) {
      read_field(reader, key, name, value, scratch.parallelism);
    } else if (key.starts_with("workload.")) {
      read_field(reader, key, name, value, scratch.workload);
    } else {
      read_field(reader, key, name, value, scratch.software);
    }
    FastValue made;
    made.apply_ = field.apply;
    made.value_ = field.take(scratch);
    made.problems_ = reader.diagnostics();
    return made;
  }
  return {};
}

}  // namespace railwright::planner
