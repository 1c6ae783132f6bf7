// SPDX-License-Identifier: Apache-2.0
// Logarithm and powers that give the same bits on every platform, for random draws.
#pragma once

namespace railwright::core {

/// ln x for finite x > 0, to a few units in the last place of the C library's. Like the functions
/// below, it uses only IEEE basic operations.
double portable_log(double x);

/// e^x; infinite above 709, 0 below -745.
double portable_exp(double x);

/// x^exponent for finite x >= 0 and exponent != 0.
double portable_power(double x, double exponent);

}  // namespace railwright::core
