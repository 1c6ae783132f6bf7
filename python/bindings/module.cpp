// SPDX-License-Identifier: Apache-2.0
// railwright._core: the planner's verbs, a scenario in and JSON text out.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/planner/benchmark/benchmark.hpp"
#include "railwright/planner/inference/inference.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/scenario/data_path.hpp"
#include "railwright/planner/scenario/scenario.hpp"
#include "railwright/planner/verbs/compare.hpp"
#include "railwright/planner/verbs/simulate_any.hpp"
#include "railwright/planner/verbs/validate.hpp"

namespace py = pybind11;
namespace core = railwright::core;
namespace planner = railwright::planner;

namespace {

using Strings = std::vector<std::string>;

/// A dict has no lines: its problems are placed by their key path alone.
void forget_places(core::Node& node) {
  node.where.line = node.where.column = 0;
  for (core::Node& item : node.items) forget_places(item);
  for (core::Entry& entry : node.entries) {
    entry.where.line = entry.where.column = 0;
    forget_places(entry.value);
  }
}

/// `source` is a path, or with `is_json` the text of a dict.
core::Node scenario_tree(const std::string& source, bool is_json, const Strings& settings) {
  if (!is_json) return planner::load_scenario_tree(source, settings);
  core::Node tree = core::parse_yaml(source, "<dict>");
  forget_places(tree);
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

core::Catalogue catalogue_at(const Strings& roots) {
  return core::Catalogue(planner::catalogue_roots(roots));
}

planner::Method method_of(bool estimate) {
  return estimate ? planner::Method::kEstimate : planner::Method::kSimulate;
}

std::string simulate(const std::string& source, bool is_json, const Strings& settings,
                     bool estimate, bool unfolded, bool load, const Strings& roots) {
  const core::Catalogue catalogue = catalogue_at(roots);
  const core::Node tree = scenario_tree(source, is_json, settings);
  const auto symmetry = unfolded ? planner::Symmetry::kUnfolded : planner::Symmetry::kFolded;
  const planner::AnyResult result =
      planner::simulate(tree, catalogue, {.method = method_of(estimate), .symmetry = symmetry});
  return std::visit(
      [&](const auto& one) {
        if constexpr (requires { planner::to_json(one, load); }) {
          return planner::to_json(one, load && planner::run_of(result) != nullptr);
        } else {
          return planner::to_json(one);
        }
      },
      result);
}

std::string compare(const std::string& source, bool is_json, const Strings& settings, bool estimate,
                    bool assumptions, const Strings& roots) {
  const core::Catalogue catalogue = catalogue_at(roots);
  const core::Node tree = scenario_tree(source, is_json, settings);
  return planner::to_json(planner::compare(tree, catalogue, method_of(estimate), assumptions));
}

std::string validate(const std::string& path, const Strings& roots) {
  const core::Catalogue catalogue = catalogue_at(roots);
  return planner::to_json(planner::validate(core::load_yaml(path), catalogue));
}

/// Raises railwright.ConfigError, a Python class, with the same list.
void raise_config_error(const core::ConfigError& error) {
  const py::module_ errors = py::module_::import("railwright._errors");
  py::list diagnostics;
  for (const core::Diagnostic& d : error.diagnostics()) {
    diagnostics.append(errors.attr("Diagnostic")(d.where.file, d.where.line, d.where.column, d.path,
                                                 d.message, d.hint));
  }
  const py::object type = errors.attr("ConfigError");
  py::set_error(type, type(error.what(), diagnostics));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 wants this signature
void translate(std::exception_ptr pointer) {
  if (!pointer) return;
  try {
    std::rethrow_exception(pointer);
  } catch (const core::ConfigError& error) {
    raise_config_error(error);
  } catch (const core::ModelError& error) {
    py::set_error(py::module_::import("railwright._errors").attr("ModelError"), error.what());
  } catch (const core::SimulationError& error) {
    py::set_error(py::module_::import("railwright._errors").attr("SimulationError"), error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The verbs of railwright: a scenario in, JSON text out.";
  module.attr("__version__") = RAILWRIGHT_VERSION;
  py::register_local_exception_translator(&translate);

  using NoGil = py::call_guard<py::gil_scoped_release>;
  module.def("simulate", &simulate, NoGil(), py::arg("source"), py::arg("is_json"),
             py::arg("settings"), py::arg("estimate"), py::arg("unfolded"), py::arg("load"),
             py::arg("roots"));
  module.def("compare", &compare, NoGil(), py::arg("source"), py::arg("is_json"),
             py::arg("settings"), py::arg("estimate"), py::arg("assumptions"), py::arg("roots"));
  module.def("validate", &validate, NoGil(), py::arg("path"), py::arg("roots"));
}
