// SPDX-License-Identifier: Apache-2.0
// The planner's errors as Python's.
#pragma once

namespace railwright::python {

/// From here on they are raised as railwright.ConfigError, ModelError, SimulationError, TableError.
void translate_errors();

}  // namespace railwright::python
