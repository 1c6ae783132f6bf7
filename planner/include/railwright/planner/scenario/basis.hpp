// SPDX-License-Identifier: Apache-2.0
// What measurements say of a prediction of a step: whether steps like it were published, and by how
// much they were missed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/models/software/installation.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::planner {

/// Published steps of one accelerator with one software profile in one precision.
struct TrackRow {
  std::string accelerator;
  std::string software;
  core::Precision precision{};
  int left_out = 0;           ///< steps that nothing was fitted to
  int fitted = 0;             ///< steps that constants were fitted to
  double median_error = 0.0;  ///< absolute and relative, of those left out, else of those fitted
  int num_accelerators = 0;   ///< of the largest of them

  static constexpr auto fields() {
    using core::at_least;
    using core::field;
    return std::tuple{
        field("accelerator", &TrackRow::accelerator, "By catalogue name."),
        field("software", &TrackRow::software, "By catalogue name."),
        field("precision", &TrackRow::precision, "That of the matrix products."),
        field("left_out", &TrackRow::left_out, "Steps that nothing was fitted to.", at_least(0)),
        field("fitted", &TrackRow::fitted, "Steps that constants were fitted to.", at_least(0)),
        field("median_error", &TrackRow::median_error,
              "Median of the absolute relative errors of the steps left out, else of those fitted.",
              at_least(0)),
        field("num_accelerators", &TrackRow::num_accelerators, "Of the largest of these steps.",
              at_least(1))};
  }
};

struct TrackRecord {
  static constexpr std::string_view kKind = "track_records";

  std::string name;
  std::string description;
  std::vector<TrackRow> rows;

  static constexpr auto fields() {
    using core::field;
    return std::tuple{
        field("name", &TrackRecord::name, "Name in the catalogue.", core::optional),
        field("description", &TrackRecord::description, "Where it comes from.", core::optional),
        field("rows", &TrackRecord::rows, "By accelerator, software and precision.")};
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
  std::optional<double> median_error;
  std::string says;  ///< a sentence
};

/// By the catalogue's track record "training_steps"; nothing where it has none.
std::optional<Basis> basis_of(const core::Accelerator& accelerator,
                              const models::SoftwareProfile& software,
                              const models::Installation& installation, int num_accelerators,
                              const core::Catalogue& catalogue);

}  // namespace railwright::planner

namespace railwright::core {
template <>
struct EnumNames<planner::BasisKind> {
  static constexpr std::array<std::pair<std::string_view, planner::BasisKind>, 3> kNames{
      {{"validated", planner::BasisKind::kValidated},
       {"calibrated", planner::BasisKind::kCalibrated},
       {"estimated", planner::BasisKind::kEstimated}}};
};
}  // namespace railwright::core
