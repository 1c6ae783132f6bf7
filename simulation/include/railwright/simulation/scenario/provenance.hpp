// SPDX-License-Identifier: Apache-2.0
// Provenance of a step's prediction: whether similar steps were published, and how large the errors
// of their predictions are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/models/software/installation.hpp"
#include "railwright/simulation/scenario/track_record.hpp"

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
  std::vector<std::string> stated;    ///< settings of the recipe that the scenario has
  std::vector<std::string> assumed;   ///< those that apply here and come from the profile
};

enum class BasisKind : std::uint8_t {
  kValidated,   ///< steps with all of its traits and its recipe were predicted, none fitted
  kCalibrated,  ///< constants were fitted to all such steps, or to the site itself
  kEstimated,   ///< a trait differs from all of them, or a setting of its recipe is not known
};

constexpr auto enum_words(BasisKind) {
  using enum BasisKind;
  return core::words<BasisKind>(
      {{"validated", kValidated}, {"calibrated", kCalibrated}, {"estimated", kEstimated}});
}

/// Provenance of a step's predicted time.
struct Basis {
  BasisKind kind = BasisKind::kEstimated;
  int left_out = 0;
  int fitted = 0;
  /// Errors of families of which as much was known, which a fit has not seen: half of them, and
  /// nine in ten, are below. Empty at a fitted site.
  std::optional<StepClass> of;
  std::optional<double> median_error;
  std::optional<double> percentile_90;
  /// 80 % interval of such families, over the prediction; empty where nothing is known of it.
  double low = 1.0;
  double high = 1.0;
  /// The interval if no setting of its recipe had to be assumed, and by how much a spread of the
  /// step by assumed ones counts beside it.
  double stated_low = 1.0;
  double stated_high = 1.0;
  double unstated_weight = 0.0;
  /// Half of the published readings of memory are above this, over what is computed.
  double memory_median = 1.0;
  std::string says;                  ///< a sentence
  std::vector<std::string> changes;  ///< new in this step: "sequence length 262144 (...)"
  std::vector<std::string> assumed;  ///< settings of its recipe that nobody stated
};

/// Returns the settings that factors of a site are fitted with: differences from the catalogue, and
/// an oversubscribed fabric.
std::vector<std::string> site_settings(const StepTraits& traits);

/// Returns the basis by the catalogue's track record "training_steps"; nothing if it has none. A
/// step is validated or calibrated only if one combination of the record's row has all of its
/// traits and the scenario states its recipe. A fitted site is calibrated with the settings that
/// its factors were fitted with.
std::optional<Basis> basis_of(const StepTraits& traits, const models::Installation& installation,
                              const core::Catalogue& catalogue);

}  // namespace railwright::simulation
