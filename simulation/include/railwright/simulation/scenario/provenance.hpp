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
  int left_out = 0;           ///< steps that nothing was fitted to
  int fitted = 0;             ///< steps that constants were fitted to
  double median_error = 0.0;  ///< absolute relative error of steps left out, else of fitted ones
  int num_accelerators = 0;   ///< size of the largest step
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
        field("median_error", &TrackRow::median_error,
              "Median of the absolute relative errors of the steps left out, else of those fitted.",
              at_least(0)),
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

struct TrackRecord {
  static constexpr std::string_view kKind = "track_records";

  std::string name;
  std::string description;
  std::vector<TrackRow> rows;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("name", &TrackRecord::name, "Name in the catalogue.", core::optional),
        field("description", &TrackRecord::description, "Where it comes from.", core::optional),
        field("rows", &TrackRecord::rows, "By accelerator, software and precision."));
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
  std::optional<double> median_error;  ///< empty if the step differs from all of these
  std::string says;                    ///< a sentence
  std::vector<std::string> changes;    ///< new in this step: "sequence length 262144 (...)"
};

/// Returns the settings that factors of a site are fitted with: differences from the catalogue, and
/// an oversubscribed fabric.
std::vector<std::string> site_settings(const StepTraits& traits);

/// Returns the basis by the catalogue's track record "training_steps"; nothing if it has none. A
/// step is validated or calibrated only if one combination of the record's row has all of its
/// traits. A fitted site is calibrated with the settings that its factors were fitted with.
std::optional<Basis> basis_of(const StepTraits& traits, const models::Installation& installation,
                              const core::Catalogue& catalogue);

}  // namespace railwright::simulation

namespace railwright::core {
template <>
struct EnumNames<simulation::BasisKind> {
  static constexpr std::array<std::pair<std::string_view, simulation::BasisKind>, 3> kNames{
      {{"validated", simulation::BasisKind::kValidated},
       {"calibrated", simulation::BasisKind::kCalibrated},
       {"estimated", simulation::BasisKind::kEstimated}}};
};
}  // namespace railwright::core
