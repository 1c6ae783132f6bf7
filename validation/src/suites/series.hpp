// SPDX-License-Identifier: Apache-2.0
// Turns collectives measured at many sizes into claims, and summarizes their errors.
#pragma once

#include <vector>

#include "claims.hpp"

namespace railwright::validation {

/// Appends a claim for each size of a series.
void add_claims(const Series& series, std::vector<Claim>& claims);

/// Stores the range of the published values of a call if its records contradict each other: by more
/// than 30 % below 64 MiB and more than 10 % from there on.
void find_contradictions(std::vector<ValidationCase>& cases);

/// Summarizes errors by group in the order of cases: below 1 MiB, below 64 MiB, from 64 MiB on.
std::vector<SizeClass> size_classes(const std::vector<ValidationCase>& cases);

}  // namespace railwright::validation
