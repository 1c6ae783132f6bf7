// SPDX-License-Identifier: Apache-2.0
// Matrix products in a trace of PyTorch's profiler. [@kineto]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "csv.hpp"

namespace railwright::validation {

/// Reads products of the forward pass from a trace with shapes (`record_shapes=True`), as the lines
/// of a table `format,m,n,k,us`: for each shape the median time of its kernels alone. Products of
/// backward threads are gradients, and left out. Throws ConfigError.
std::vector<std::vector<Cell>> kineto_products(std::string_view text, const std::string& file);

}  // namespace railwright::validation
