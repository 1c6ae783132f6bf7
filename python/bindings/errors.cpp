// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <pybind11/pybind11.h>

#include <exception>

#include "railwright/core/error.hpp"
#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::python {

namespace py = pybind11;

namespace {

py::object error_class(const char* name) {
  return py::module_::import("railwright._errors").attr(name);
}

/// Raises railwright.ConfigError with the same list of problems.
void raise_config_error(const core::ConfigError& error) {
  const py::object diagnostic = error_class("Diagnostic");
  py::list diagnostics;
  for (const core::Diagnostic& d : error.diagnostics()) {
    diagnostics.append(
        diagnostic(d.where.file, d.where.line, d.where.column, d.path, d.message, d.hint));
  }
  const py::object type = error_class("ConfigError");
  py::set_error(type, type(error.what(), diagnostics));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 requires this signature
void translate(std::exception_ptr pointer) {
  if (!pointer) return;
  try {
    std::rethrow_exception(pointer);
  } catch (const core::ConfigError& error) {
    raise_config_error(error);
  } catch (const core::ModelError& error) {
    py::set_error(error_class("ModelError"), error.what());
  } catch (const core::SimulationError& error) {
    py::set_error(error_class("SimulationError"), error.what());
  } catch (const planner::TableError& error) {
    py::set_error(error_class("TableError"), error.what());
  }
}

}  // namespace

void translate_errors() { py::register_local_exception_translator(&translate); }

}  // namespace railwright::python
