// SPDX-License-Identifier: Apache-2.0
// railwright._core: the verbs in C++, which the public package `railwright` wraps.
#include <pybind11/pybind11.h>

#include "errors.hpp"
#include "inputs.hpp"
#include "verbs.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The verbs of railwright: scenarios in, JSON text and arrays out.";
  module.attr("__version__") = RAILWRIGHT_VERSION;
  railwright::python::translate_errors();
  railwright::python::bind_source(module);
  railwright::python::bind_simulation(module);
  railwright::python::bind_verbs(module);
  railwright::python::bind_import(module);
  railwright::python::bind_sweep(module);
}
