// SPDX-License-Identifier: Apache-2.0
// Rows of a sweep, picklable between processes and readable as NumPy arrays.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <vector>

#include "railwright/planner/sweep/sweep_row.hpp"

namespace railwright::python {

using Points =
    pybind11::array_t<std::int64_t, pybind11::array::c_style | pybind11::array::forcecast>;

struct Rows {
  std::vector<planner::SweepRow> rows;
};

void bind_rows(pybind11::module_& module);

}  // namespace railwright::python
