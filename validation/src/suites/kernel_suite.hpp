// SPDX-License-Identifier: Apache-2.0
// Turns measured kernels into rows of a suite.
#pragma once

#include <string>
#include <vector>

#include "kernel_rows.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Reads an accelerator of the catalogue.
core::Accelerator read_accelerator(const std::string& name, const core::Catalogue& catalogue,
                                   const core::Location& where, core::Reader& reader);

/// Returns `device` as if nobody had measured its kernels: its data sheet, with the memory
/// efficiency and kernel constants of `other`.
core::Accelerator with_kernels_of(core::Accelerator device, const core::Accelerator& other);

/// Returns a case for each row: `calibrate` if constants may be fitted to it, else `validate`.
/// Besides the prediction it has two baselines: `same_baseline` interpolates the fitted rows with
/// the nearest shapes, `constant_baseline` predicts with the constants of the table's stand-in.
std::vector<ValidationCase> kernel_cases(const std::vector<KernelTable>& tables,
                                         const core::Catalogue& catalogue,
                                         const core::Location& where, core::Reader& reader);

/// Groups errors of the rows of the role `validate` by table, format and class of shape.
std::vector<ErrorGroup> kernel_groups(const std::vector<ValidationCase>& cases);

}  // namespace railwright::validation
