// SPDX-License-Identifier: Apache-2.0
// Collectives measured at many sizes, as claims and in sum.
#pragma once

#include <vector>

#include "claims.hpp"

namespace railwright::validation {

/// Appends a claim for each size of a series.
void add_claims(const Series& series, std::vector<Claim>& claims);

/// Notes the range of what was published for one and the same call where its records contradict
/// each other: by more than 30 % below 64 MiB and more than 10 % from there on.
void find_contradictions(std::vector<ValidationCase>& cases);

/// Of an odd number of values the middle one, of an even number the mean of the middle two.
double median(std::vector<double> values);

/// By group, in the order of the cases: below 1 MiB, below 64 MiB, from 64 MiB on.
std::vector<SizeClass> size_classes(const std::vector<ValidationCase>& cases);

}  // namespace railwright::validation
