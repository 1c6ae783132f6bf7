// SPDX-License-Identifier: Apache-2.0
// What measurements say of a prediction of a step: whether steps like it were published, and by how
// much they were missed.
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

/// What makes one training step like another, as far as evidence goes from one to the other.
struct StepTraits {
  std::string accelerator;
  std::string software;
  core::Precision precision{};
  std::string layout;                 ///< dimensions that are more than 1: "tp+pp"; "dp" of none
  std::string transport;              ///< between nodes; empty on one
  double nics_per_accelerator = 0.0;  ///< the same
  core::Bandwidth nic_rate;           ///< the same, of one NIC
  std::string fabric;                 ///< the same: "fat_tree", "leaf_spine 2:1"
  std::string node;                   ///< accelerators and what joins them: "8 by switch"
  std::int64_t sequence_length = 0;   ///< none of images
  int num_accelerators = 0;
  std::vector<std::string> settings;  ///< that differ from the catalogue: "software.zero_stage=3"
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
        field("layout", &TrackCombination::layout, "Dimensions of parallelism used together."),
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
  double median_error = 0.0;  ///< absolute and relative, of those left out, else of those fitted
  int num_accelerators = 0;   ///< of the largest of them
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
  kValidated,   ///< steps like it were predicted that nothing was fitted to
  kCalibrated,  ///< constants were fitted to steps like it, or to the site itself
  kEstimated,   ///< neither: constants come from other devices, other stacks or specifications
};

/// Of the time of a step.
struct Basis {
  BasisKind kind = BasisKind::kEstimated;
  int left_out = 0;
  int fitted = 0;
  std::optional<double> median_error;  ///< nothing where the step differs from all of these
  std::string says;                    ///< a sentence
  std::vector<std::string> changes;    ///< what no such step had: "sequence length 262144 (...)"
};

/// What factors of a site are fitted with: settings that differ from the catalogue, and a fabric
/// that is oversubscribed.
std::vector<std::string> site_settings(const StepTraits& traits);

/// By the catalogue's track record "training_steps"; nothing where it has none. Validated or
/// calibrated only where one combination of the record's row has all of the traits. A fitted site's
/// factors are calibrated with the settings that they were fitted with.
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
