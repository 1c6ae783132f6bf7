// SPDX-License-Identifier: Apache-2.0
// Reads measured times of single kernels, from a CSV table for each device and kind.
#pragma once

#include <string>
#include <vector>

#include "kernel_kinds.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

/// A table of a suite. Its kind decides on the columns, see docs/models/compute.md.
struct KernelTable {
  std::string device;
  std::string kind;
  std::string file;
  std::string source;
  std::string stand_in;
  bool fits = true;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("device", &KernelTable::device, "The measured accelerator, by catalogue name."),
        field("kind", &KernelTable::kind, "Which kernels: gemm, ..."),
        field(
            "file", &KernelTable::file,
            "CSV file, from the folder of the suite; or a trace of PyTorch's profiler, `.json`, of "
            "kind gemm."),
        field("source", &KernelTable::source, "Where the times stand."),
        field("stand_in", &KernelTable::stand_in,
              "Accelerator whose kernel constants predict this one as if it had never been "
              "measured."),
        field("fits", &KernelTable::fits,
              "Whether constants may be fitted to half of its rows; false: it only checks.",
              core::optional));
  }
};

/// One measured kernel.
struct KernelRow {
  std::string shape;   ///< columns of its shape, joined by commas; its CRC-32 splits rows
  std::string format;  ///< number format of its operands, or the operation
  std::string shape_class;
  std::vector<double> coordinates;  ///< ln(1 + dimension)
  core::Duration measured;
  KernelPrediction predict;

  /// Whether constants may be fitted to it: half of the shapes, for any device and format.
  [[nodiscard]] bool is_for_fitting() const;
};

/// Reads the table from the folder of the file in `base`. Problems go to `reader`.
std::vector<KernelRow> read_kernel_rows(const KernelTable& table, const core::Location& base,
                                        core::Reader& reader);

}  // namespace railwright::validation
