// SPDX-License-Identifier: Apache-2.0
// Provenance of a step's prediction: whether similar steps were published, and how large the errors
// of their predictions are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/models/software/installation.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::simulation {

/// Standard normal deviate that a tenth exceeds.
inline constexpr double kTenth = 1.2815515655446004;

/// Traits by which two training steps are similar enough for evidence of one to hold for the other.
struct StepTraits {
  std::string accelerator;
  std::string software;
  core::Precision precision{};
  std::string layout;  ///< dimensions greater than 1, "zero-3", "mamba": "tp+pp"; "dp" without any
  std::string transport;              ///< between nodes; empty on one node
  double nics_per_accelerator = 0.0;  ///< 0 on one node
  core::Bandwidth nic_rate;           ///< rate of one NIC; 0 on one node
  std::string fabric;                 ///< "fat_tree", "leaf_spine 2:1"; empty on one node
  std::string node;                   ///< accelerators and what joins them: "8 by switch"
  std::int64_t sequence_length = 0;   ///< 0 for images
  int num_accelerators = 0;
  bool has_experts = false;
  std::vector<std::string> settings;  ///< differences from the catalogue: "software.zero_stage=3"
};

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

/// Knowledge of a step, by which the errors of families of published steps differ.
enum class StepClass : std::uint8_t {
  kKnownStack,  ///< published steps of its software profile were fitted
  kNewStack,    ///< none were: the profile has the mean of the others
  kExperts,     ///< a model with experts, with either
};

/// Errors of the steps of a class, each family predicted by a fit without it.
struct FamilyErrors {
  StepClass of{};
  int families = 0;
  int steps = 0;
  double median_error = 0.0;
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
              "Median of the absolute relative errors.", core::non_negative),
        field("low", &FamilyErrors::low,
              "First tenth of published over predicted, each family counting alike.",
              core::between(0.1, 1.0)),
        field("high", &FamilyErrors::high, "Last tenth.", core::between(1.0, 10.0)));
  }
};

struct TrackRecord {
  static constexpr std::string_view kKind = "track_records";

  std::string name;
  std::string description;
  std::vector<TrackRow> rows;
  std::vector<FamilyErrors> families_left_out;
  double device_spread = 0.0;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("name", &TrackRecord::name, "Name in the catalogue.", core::optional),
        field("description", &TrackRecord::description, "Where it comes from.", core::optional),
        field("rows", &TrackRecord::rows, "By accelerator, software and precision."),
        field("families_left_out", &TrackRecord::families_left_out,
              "Errors of families that a fit has not seen, by class of step.", core::optional),
        field("device_spread", &TrackRecord::device_spread,
              "Standard deviation of the logarithm of a kernel's time, predicted from another "
              "device's constants: it widens the interval of a device without published steps.",
              core::between(0.0, 1.0), core::optional));
  }
};

enum class BasisKind : std::uint8_t {
  kValidated,   ///< similar steps were predicted, and nothing was fitted to them
  kCalibrated,  ///< constants were fitted to similar steps, or to the site itself
  kEstimated,   ///< neither: constants come from other devices, other stacks or specifications
};

/// Provenance of a step's predicted time.
struct Basis {
  BasisKind kind = BasisKind::kEstimated;
  int left_out = 0;
  int fitted = 0;
  /// Median error of families like this one that a fit has not seen; empty at a fitted site.
  std::optional<double> median_error;
  /// 80 % interval of such families, over the prediction; empty where nothing is known of it.
  double low = 1.0;
  double high = 1.0;
  std::string says;                  ///< a sentence
  std::vector<std::string> changes;  ///< new in this step: "sequence length 262144 (...)"
};

/// Returns the settings that factors of a site are fitted with: differences from the catalogue, and
/// an oversubscribed fabric.
std::vector<std::string> site_settings(const StepTraits& traits);

/// Returns the basis by the catalogue's track record "training_steps"; nothing if it has none. A
/// step is validated or calibrated only if one combination of the record's row has all of its
/// traits. A fitted site is calibrated with the settings that its factors were fitted with.
std::optional<Basis> basis_of(const StepTraits& traits, const models::Installation& installation,
                              const core::Catalogue& catalogue);

/// Returns what the catalogue's track record says of families of a class; nothing if it is silent.
std::optional<FamilyErrors> family_errors(StepClass of, const core::Catalogue& catalogue);

}  // namespace railwright::simulation

namespace railwright::core {
template <>
struct EnumNames<simulation::StepClass> {
  static constexpr std::array<std::pair<std::string_view, simulation::StepClass>, 3> kNames{
      {{"known_stack", simulation::StepClass::kKnownStack},
       {"new_stack", simulation::StepClass::kNewStack},
       {"experts", simulation::StepClass::kExperts}}};
};
template <>
struct EnumNames<simulation::BasisKind> {
  static constexpr std::array<std::pair<std::string_view, simulation::BasisKind>, 3> kNames{
      {{"validated", simulation::BasisKind::kValidated},
       {"calibrated", simulation::BasisKind::kCalibrated},
       {"estimated", simulation::BasisKind::kEstimated}}};
};
}  // namespace railwright::core
