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

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("layout", &TrackCombination::layout,
              "Dimensions of parallelism used together, ZeRO-3, and Mamba-2 layers."),
        field("node", &TrackCombination::node, "Accelerators and what joins them."),
        field("transport", &TrackCombination::transport, "Between nodes; absent on one node.",
              optional),
        field("nics_per_accelerator", &TrackCombination::nics_per_accelerator,
              "Absent on one node.", core::positive, optional),
        field("nic_rate", &TrackCombination::nic_rate, "Of one NIC; absent on one node.",
              core::positive, optional),
        field("fabric", &TrackCombination::fabric,
              "Topology and oversubscription; absent on one node.", optional));
  }
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

  static constexpr auto fields() {
    using core::at_least;
    using core::field;
    using core::optional;
    return core::field_list(
        field("accelerator", &TrackRow::accelerator, "By catalogue name."),
        field("software", &TrackRow::software, "By catalogue name."),
        field("precision", &TrackRow::precision, "That of the matrix products."),
        field("left_out", &TrackRow::left_out, "Steps that nothing was fitted to.", at_least(0)),
        field("fitted", &TrackRow::fitted, "Steps that constants were fitted to.", at_least(0)),
        field("num_accelerators", &TrackRow::num_accelerators, "Of the largest of these steps.",
              at_least(1)),
        field("combinations", &TrackRow::combinations,
              "Traits that a step had together, each combination once.", optional),
        field("shortest_sequence", &TrackRow::shortest_sequence, "In tokens.", optional),
        field("longest_sequence", &TrackRow::longest_sequence, "In tokens.", optional),
        field("settings", &TrackRow::settings,
              "Keys of the software profile, the node or its devices that a step changed, with "
              "their value.",
              optional));
  }
};

/// Classes of steps by what is known of them; errors of families of published steps differ by it.
enum class StepClass : std::uint8_t {
  kLikePublished,  ///< others published its device and its stack; at most kMaxLike differences
  kChanged,        ///< they did, with more differences
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

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("class", &FamilyErrors::of, "What is known of these steps."),
        field("families", &FamilyErrors::families, "Families of published steps.",
              core::at_least(1)),
        field("steps", &FamilyErrors::steps, "Their steps.", core::at_least(1)),
        field("median_error", &FamilyErrors::median_error,
              "Median of the absolute relative errors, families weighted equally.",
              core::non_negative),
        field("percentile_90", &FamilyErrors::percentile_90, "Nine in ten are below it.",
              core::non_negative),
        field("low", &FamilyErrors::low,
              "Low end of the 80 % interval of published over predicted, of a step without "
              "differences; four fifths of a family that it was not made of lie within.",
              core::between(0.1, 1.0)),
        field("high", &FamilyErrors::high, "High end.", core::between(1.0, 10.0)));
  }
};

struct TrackRecord {
  static constexpr std::string_view kKind = "track_records";

  std::string name;
  std::string description;
  std::vector<TrackRow> rows;
  std::vector<FamilyErrors> families_left_out;
  double difference_growth = 0.0;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("name", &TrackRecord::name, "Name in the catalogue.", core::optional),
        field("description", &TrackRecord::description, "Where it comes from.", core::optional),
        field("rows", &TrackRecord::rows, "By accelerator, software and precision."),
        field("families_left_out", &TrackRecord::families_left_out,
              "Errors of families that a fit has not seen, by class of step.", core::optional),
        field("difference_growth", &TrackRecord::difference_growth,
              "Variance that each difference from published steps adds, over that of a step "
              "without: n of them widen the logarithm of an interval by sqrt(1 + growth n).",
              core::between(0.0, 10.0), core::optional));
  }
};

/// Returns the record "training_steps", or null if the catalogue has none. Every scenario asks for
/// it, so the last one read is cached until its file changes. Thread-safe.
std::shared_ptr<const TrackRecord> track_record(const core::Catalogue& catalogue);

/// Returns what the catalogue's record says of families of a class; nothing if it is silent.
std::optional<FamilyErrors> family_errors(StepClass of, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
