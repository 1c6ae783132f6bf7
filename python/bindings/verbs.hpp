// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace railwright::python {

/// The verbs that answer once: a scenario in, JSON text out.
void bind_verbs(pybind11::module_& module);
/// `simulate`, whose result has series and a timeline.
void bind_simulation(pybind11::module_& module);
/// `import`.
void bind_import(pybind11::module_& module);
/// `sweep` and `merge`.
void bind_sweep(pybind11::module_& module);

}  // namespace railwright::python
