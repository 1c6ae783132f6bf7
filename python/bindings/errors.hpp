// SPDX-License-Identifier: Apache-2.0
// Translation of C++ errors into Python exceptions.
#pragma once

namespace railwright::python {

/// Makes this module raise railwright.ConfigError, ModelError, SimulationError and TableError.
void translate_errors();

}  // namespace railwright::python
