// SPDX-License-Identifier: Apache-2.0
// The catalogue's record of how well published steps are predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::simulation {

/// Traits that one published step had together.
struct TrackCombination {
  std::string layout;
  std::string node;
  std::string transport;
  double nics_per_accelerator = 0.0;
  core::Bandwidth nic_rate;
  std::string fabric;

  static constexpr auto fields();
};

/// Published steps of one accelerator with one software profile in one precision, and the range of
/// their other traits.
struct TrackRow {
  std::string accelerator;
  std::string software;
  core::Precision precision{};
  int left_out = 0;          ///< steps that nothing was fitted to
  int fitted = 0;            ///< steps that constants were fitted to
  int num_accelerators = 0;  ///< size of the largest step
  std::vector<TrackCombination> combinations;
  std::int64_t shortest_sequence = 0;
  std::int64_t longest_sequence = 0;
  std::vector<std::string> settings;

  static constexpr auto fields();
};

/// Classes of steps by what is known of them; errors of families of published steps differ by it.
enum class StepClass : std::uint8_t {
  kLikePublished,  ///< others published its device, stack and precision; up to kMaxLike changes
  kChanged,        ///< its device and its stack, in other precisions or with more differences
  kNewStack,       ///< others published its device, nobody its stack
  kExperts,        ///< a model with experts, on a device that others published
  kNewDevice,      ///< nobody else published a step of its device
};

constexpr auto enum_words(StepClass) {
  using enum StepClass;
  return core::words<StepClass>({{"like_published", kLikePublished},
                                 {"changed", kChanged},
                                 {"new_stack", kNewStack},
                                 {"experts", kExperts},
                                 {"new_device", kNewDevice}});
}

/// Differences from published steps up to which a step is like them.
inline constexpr std::size_t kMaxLike = 2;

/// Errors of the steps of a class, each family predicted by a fit without it, families weighted
/// equally.
struct FamilyErrors {
  StepClass of{};
  int families = 0;
  int steps = 0;
  double median_error = 0.0;
  double percentile_90 = 0.0;
  double low = 1.0;
  double high = 1.0;
  double stated_low = 1.0;
  double stated_high = 1.0;

  static constexpr auto fields();
};

/// Published readings of memory over what is computed for them: four fifths lie from low to high,
/// families weighted equally.
struct MemoryReadings {
  int families = 0;
  int readings = 0;
  double low = 1.0;
  double median = 1.0;
  double high = 1.0;

  static constexpr auto fields();
};

struct TrackRecord {
  static constexpr std::string_view kKind = "track_records";

  std::string name;
  std::string description;
  std::vector<TrackRow> rows;
  std::vector<FamilyErrors> families_left_out;
  double difference_growth = 0.0;
  double unstated_weight = 0.0;
  std::optional<MemoryReadings> memory;

  static constexpr auto fields();
};

/// Returns the record "training_steps", or null if the catalogue has none. Every scenario asks for
/// it, so the last one read is cached until its file changes. Thread-safe.
std::shared_ptr<const TrackRecord> track_record(const core::Catalogue& catalogue);

/// Returns what the catalogue's record says of families of a class; nothing if it is silent.
std::optional<FamilyErrors> family_errors(StepClass of, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
