// SPDX-License-Identifier: Apache-2.0
// The table of a configuration's settings. Whatever copies, compares, names, varies or caches
// configurations walks it, so that a new setting is a row.
#pragma once

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "railwright/models/software/profile_fields.hpp"
#include "railwright/models/workload/training_fields.hpp"
#include "railwright/simulation/closed_form/configuration_rules.hpp"
#include "railwright/simulation/estimator/configuration.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"

namespace railwright::simulation {

enum class KnobKind : std::uint8_t {
  kRanks,         ///< each rank more takes accelerators more
  kExpertRanks,   ///< ranks of a stage that divide its experts
  kExpertSlices,  ///< tp where the scenario does not say
  kChunks,        ///< parts of a stage
  kMicroBatch,
  kGlobalBatch,
  kZeroStage,
  kRecompute,
  kSchedule,
  kSwitch,
};

/// Whether it is a number of parts that the model or its batch is divided into.
constexpr bool divides(KnobKind kind) {
  return kind == KnobKind::kRanks || kind == KnobKind::kExpertRanks || kind == KnobKind::kChunks ||
         kind == KnobKind::kMicroBatch;
}

/// The part of a knob that the key of a table has.
enum class InKey : std::uint8_t {
  kNothing,  ///< the entries are the same for all its values
  kValue,
  kIsLeast,
  kIsMost,
  kIsTp,    ///< 1 or tp is all that is legal
  kChunks,  ///< two chunks are as good as more where inner stages are identical
};

/// A value that must be given: a row without it does not compile.
struct Given {
  consteval Given(InKey what) : in_key(what) {}  // NOLINT(google-explicit-constructor): as a value
  InKey in_key;
};

/// The parts of a knob in the keys of the estimator's tables, and in that of checkpoint writers. A
/// test tries each knob on each table.
struct InKeys {
  Given layers;
  Given networks;
  Given calls;
  Given layouts;
  Given divisions;
  Given writers;
};

/// The member of a section of a scenario that a knob sets.
template <auto kSectionOf, auto kMember>
struct InScenario {
  static constexpr auto kSection = kSectionOf;

  template <class T>
  static constexpr bool kIsSourced = requires(T member) { member.source; };

  static auto read(const Scenario& scenario) {
    const auto& member = scenario.*kSectionOf.*kMember;
    if constexpr (kIsSourced<decltype(member)>) {
      return member.value;
    } else {
      return member;
    }
  }
  template <class T>
  static void write(Scenario& scenario, T value) {
    auto& member = scenario.*kSectionOf.*kMember;
    if constexpr (kIsSourced<decltype(member)>) {
      member.value = value;
    } else {
      member = static_cast<std::remove_reference_t<decltype(member)>>(value);
    }
  }
};

/// Tensor parallelism within an expert.
struct ExpertSlices {
  static constexpr auto kSection = &Scenario::parallelism;

  static int read(const Scenario& scenario) {
    const models::Parallelism& p = scenario.parallelism;
    return has_experts(scenario.workload) ? p.etp.value_or(p.tp) : 1;
  }
  static void write(Scenario& scenario, int etp) {
    if (has_experts(scenario.workload)) scenario.parallelism.etp = etp;
  }
};

/// A setting: its key in a scenario, its place there and in a Configuration, the numbers from
/// `least` to `most` that stand for its values, and its part in keys.
template <class T, class Place>
struct Knob {
  std::string_view key;
  T Configuration::* member;
  Place in_scenario;
  KnobKind kind;
  std::int64_t least;  ///< that of Configuration{}: legal anywhere, except as a global batch
  std::int64_t most;
  InKeys in_keys;

  /// Returns the section of the scenario, and the name within it.
  [[nodiscard]] constexpr std::string_view section() const { return key.substr(0, key.find('.')); }
  [[nodiscard]] constexpr std::string_view name() const { return key.substr(key.find('.') + 1); }
  /// Returns the range of the key.
  [[nodiscard]] core::Range range() const {
    core::Range range;
    using Section = std::remove_cvref_t<decltype(std::declval<Scenario>().*Place::kSection)>;
    core::for_each_field<Section>([&](const auto& field) {
      if (field.name == name()) range = field.range;
    });
    return range;
  }
  /// Returns "key=value", as for `--set`.
  [[nodiscard]] std::string setting(const Configuration& c) const {
    if constexpr (kIsRow) {
      return fmt::format("{}={}", key, (c.*member)->name);
    } else if constexpr (std::is_enum_v<T>) {
      return fmt::format("{}={}", key, core::to_string(c.*member));
    } else {
      return fmt::format("{}={}", key, c.*member);
    }
  }

  [[nodiscard]] constexpr std::int64_t number(const Configuration& c) const {
    if constexpr (kIsRow) {
      return static_cast<std::int64_t>((c.*member).row());
    } else {
      return static_cast<std::int64_t>(c.*member);
    }
  }
  void set_number(Configuration& c, std::int64_t number) const {
    if constexpr (kIsRow) {
      c.*member = T::at(static_cast<std::size_t>(number));
    } else {
      c.*member = static_cast<T>(number);
    }
  }
  void copy(const Scenario& from, Configuration& to) const {
    to.*member = static_cast<T>(in_scenario.read(from));
  }
  void copy(const Configuration& from, Scenario& to) const { in_scenario.write(to, from.*member); }
  /// Returns the change to the value in `c`. The knob must outlive it, as those of kKnobs do.
  [[nodiscard]] Change change_to(const Configuration& c) const {
    return {setting(c), [this, c](Scenario& scenario) { copy(c, scenario); }};
  }

 private:
  static constexpr bool kIsRow = std::same_as<T, models::Schedule>;
};

namespace detail {

template <class T, class Place>
constexpr Knob<T, Place> knob(std::string_view key, T Configuration::* member, Place place,
                              KnobKind kind, std::int64_t most, const InKeys& in_keys) {
  const std::int64_t least = kind < KnobKind::kZeroStage ? 1 : 0;  // counts, then choices
  return {key, member, place, kind, least, most, in_keys};
}

}  // namespace detail

/// The rows of kKnobs, with short names for what stands in them.
namespace knob_rows {

using detail::knob;
using models::Parallelism;
using models::SoftwareProfile;
using models::Training;
using enum InKey;

inline constexpr std::int64_t kMaxRanks = 1023;
inline constexpr std::int64_t kMaxContextRanks = 511;
inline constexpr std::int64_t kMaxChunks = 255;
inline constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
inline constexpr auto kLastRecompute = static_cast<std::int64_t>(models::Recompute::kFull);

inline constexpr auto kRows = std::tuple(
    knob("parallelism.tp", &Configuration::tp,
         InScenario<&Scenario::parallelism, &Parallelism::tp>{}, KnobKind::kRanks, kMaxRanks,
         {.layers = kValue,
          .networks = kValue,
          .calls = kValue,
          .layouts = kValue,
          .divisions = kNothing,
          .writers = kValue}),
    knob("parallelism.cp", &Configuration::cp,
         InScenario<&Scenario::parallelism, &Parallelism::cp>{}, KnobKind::kRanks, kMaxContextRanks,
         {.layers = kValue,
          .networks = kValue,
          .calls = kValue,
          .layouts = kValue,
          .divisions = kNothing,
          .writers = kNothing}),
    knob("parallelism.ep", &Configuration::ep,
         InScenario<&Scenario::parallelism, &Parallelism::ep>{}, KnobKind::kExpertRanks, kMaxRanks,
         {.layers = kValue,
          .networks = kValue,
          .calls = kNothing,
          .layouts = kValue,
          .divisions = kNothing,
          .writers = kNothing}),
    knob("parallelism.etp", &Configuration::etp, ExpertSlices{}, KnobKind::kExpertSlices, kMaxRanks,
         {.layers = kIsTp,
          .networks = kIsTp,
          .calls = kNothing,
          .layouts = kIsTp,
          .divisions = kNothing,
          .writers = kNothing}),
    knob("parallelism.pp", &Configuration::pp,
         InScenario<&Scenario::parallelism, &Parallelism::pp>{}, KnobKind::kRanks, kMaxRanks,
         {.layers = kIsLeast,
          .networks = kValue,
          .calls = kNothing,
          .layouts = kValue,
          .divisions = kValue,
          .writers = kValue}),
    knob("parallelism.virtual_stages", &Configuration::virtual_stages,
         InScenario<&Scenario::parallelism, &Parallelism::virtual_stages>{}, KnobKind::kChunks,
         kMaxChunks,
         {.layers = kNothing,
          .networks = kChunks,
          .calls = kNothing,
          .layouts = kNothing,
          .divisions = kValue,
          .writers = kNothing}),
    knob("parallelism.schedule", &Configuration::schedule,
         InScenario<&Scenario::parallelism, &Parallelism::schedule>{}, KnobKind::kSchedule, kAny,
         {.layers = kNothing,
          .networks = kNothing,
          .calls = kNothing,
          .layouts = kNothing,
          .divisions = kNothing,
          .writers = kNothing}),
    knob("parallelism.sequence_parallel", &Configuration::sequence_parallel,
         InScenario<&Scenario::parallelism, &Parallelism::sequence_parallel>{}, KnobKind::kSwitch,
         1,
         {.layers = kValue,
          .networks = kValue,
          .calls = kValue,
          .layouts = kValue,
          .divisions = kNothing,
          .writers = kNothing}),
    knob("workload.micro_batch", &Configuration::micro_batch,
         InScenario<&Scenario::workload, &Training::micro_batch>{}, KnobKind::kMicroBatch,
         kMaxRanks,
         {.layers = kValue,
          .networks = kValue,
          .calls = kValue,
          .layouts = kNothing,
          .divisions = kNothing,
          .writers = kNothing}),
    knob("workload.global_batch", &Configuration::global_batch,
         InScenario<&Scenario::workload, &Training::global_batch>{}, KnobKind::kGlobalBatch, kAny,
         {.layers = kNothing,
          .networks = kNothing,
          .calls = kNothing,
          .layouts = kNothing,
          .divisions = kNothing,
          .writers = kValue}),
    knob("software.zero_stage", &Configuration::zero_stage,
         InScenario<&Scenario::software, &SoftwareProfile::zero_stage>{}, KnobKind::kZeroStage, 3,
         {.layers = kIsMost,
          .networks = kValue,
          .calls = kNothing,
          .layouts = kNothing,
          .divisions = kNothing,
          .writers = kNothing}),
    knob("software.recompute", &Configuration::recompute,
         InScenario<&Scenario::software, &SoftwareProfile::recompute>{}, KnobKind::kRecompute,
         kLastRecompute,
         {.layers = kValue,
          .networks = kNothing,
          .calls = kNothing,
          .layouts = kNothing,
          .divisions = kNothing,
          .writers = kNothing}));

}  // namespace knob_rows

/// All knobs, in the order of a Configuration's members and of the settings that make one.
inline constexpr auto kKnobs = knob_rows::kRows;
inline constexpr std::size_t kNumKnobs = std::tuple_size_v<decltype(kKnobs)>;

template <class Function>
constexpr void for_each_knob(const Function& function) {
  std::apply([&](const auto&... knob) { (function(knob), ...); }, kKnobs);
}

namespace detail {

/// Whether the knobs are all members of a Configuration, in order. Does not compile for another
/// number of members.
constexpr bool are_all_members() {
  const Configuration c;
  const auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = c;
  const std::array<const void*, kNumKnobs> members{&m0, &m1, &m2, &m3, &m4,  &m5,
                                                   &m6, &m7, &m8, &m9, &m10, &m11};
  std::size_t i = 0;
  bool are_same = true;
  for_each_knob([&](const auto& knob) {
    are_same = are_same && static_cast<const void*>(&(c.*knob.member)) == members[i++];
  });
  return are_same;
}
static_assert(are_all_members(), "a member of Configuration has no row, or two");

}  // namespace detail

/// Returns the product of the ranks that take accelerators of their own.
constexpr int ranks_of_replica(const Configuration& c) {
  std::int64_t ranks = 1;
  for_each_knob([&](const auto& knob) {
    if (knob.kind == KnobKind::kRanks) ranks *= knob.number(c);
  });
  return static_cast<int>(ranks);
}

using KnobNumbers = std::array<std::int64_t, kNumKnobs>;
/// Returns all settings as numbers.
inline KnobNumbers numbers_of(const Configuration& c) {
  KnobNumbers numbers{};
  std::size_t i = 0;
  for_each_knob([&](const auto& knob) { numbers[i++] = knob.number(c); });
  return numbers;
}

/// Returns the settings that tell writers of checkpoints apart as numbers, 0 for each other one.
inline KnobNumbers numbers_of_writers(const Configuration& c) {
  KnobNumbers numbers{};
  std::size_t i = 0;
  for_each_knob([&](const auto& knob) {
    const bool is_one = knob.in_keys.writers.in_key != InKey::kNothing;
    numbers[i++] = is_one ? knob.number(c) : 0;
  });
  return numbers;
}

}  // namespace railwright::simulation
