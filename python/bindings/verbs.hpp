// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace railwright::python {

/// Binds the verbs that take a scenario and return JSON text.
void bind_verbs(pybind11::module_& module);
/// Binds `simulate`, whose result has series and a timeline.
void bind_simulation(pybind11::module_& module);
/// Binds `import`.
void bind_import(pybind11::module_& module);
/// Binds `sweep` and `merge`.
void bind_sweep(pybind11::module_& module);

}  // namespace railwright::python
