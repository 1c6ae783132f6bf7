// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <variant>

#include "railwright/output/schema/schema.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/planner/unsaid/question.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::python {

namespace py = pybind11;

namespace {

void forget_places(core::Node& node) {
  node.where.line = node.where.column = 0;
  for (core::Node& item : node.items) forget_places(item);
  for (core::Entry& entry : node.entries) {
    entry.where.line = entry.where.column = 0;
    forget_places(entry.value);
  }
}

constexpr auto kDoor = planner::Door::kPython;

std::vector<planner::Said> said_of(const Source& source) {
  std::vector<planner::Said> said;
  for (const auto& [name, text] : source.words) {
    const auto* word = std::ranges::find_if(planner::kWords, [&](const planner::Word& one) {
      return planner::written(one, kDoor) == name;
    });
    if (word == std::end(planner::kWords)) throw py::type_error("no word of a question: " + name);
    said.push_back(planner::said(*word, text, kDoor));
  }
  return said;
}

/// Returns name, placeholder and meaning of each word of a question.
py::tuple words() {
  py::list all;
  for (const planner::Word& word : planner::kWords) {
    all.append(py::make_tuple(planner::written(word, kDoor), word.value, word.help));
  }
  return py::tuple(all);
}

/// Returns the YAML of the scenario that a question means: of a design, or of `size`.
std::string question_yaml(const Source& source, bool has_nodes, const Strings& roots) {
  const core::Catalogue catalogue(simulation::catalogue_roots(roots));
  const auto asked = has_nodes ? planner::Asked::kDesign : planner::Asked::kSize;
  return core::to_yaml(filled_of(source, catalogue, asked).tree);
}

std::string scenario_schema(const Strings& roots) {
  return output::scenario_schema(core::Catalogue(simulation::catalogue_roots(roots)));
}

}  // namespace

core::Node tree_of(const Source& source) {
  if (!source.is_json) {
    return simulation::load_scenario_tree(source.text, source.settings, source.include_folders);
  }
  core::Node tree =
      core::parse_yaml(source.text, "<dict>", {.max_bytes = 256U << 20U, .max_nodes = 50'000'000});
  forget_places(tree);
  for (const std::string& setting : source.settings) core::set_path(tree, setting);
  simulation::name_settings(tree, source.settings);
  return tree;
}

planner::Filled filled_of(const Source& source, const core::Catalogue& catalogue,
                          planner::Asked asked) {
  planner::Question question{
      .scenario = std::nullopt, .words = said_of(source), .settings = source.settings};
  if (!source.text.empty()) question.scenario = tree_of(source);
  return planner::answerable(std::move(question), catalogue, asked, kDoor);
}

std::string name_of(const core::Node& tree, const Source& source) {
  const core::Node* name = tree.find("name");
  if (name != nullptr && name->is_scalar()) return name->text;
  return source.is_json ? "<dict>" : source.text;
}

py::object to_python(const core::Node& node) {
  switch (node.kind) {
    case core::Node::Kind::kNull:
    case core::Node::Kind::kScalar:
      return to_python(planner::cell_of(node));
    case core::Node::Kind::kSequence: {
      py::list list;
      for (const core::Node& item : node.items) list.append(to_python(item));
      return list;
    }
    case core::Node::Kind::kMapping:
      break;
  }
  py::dict dict;
  for (const core::Entry& entry : node.entries) dict[py::str(entry.key)] = to_python(entry.value);
  return dict;
}

py::object to_python(const planner::SweepValue& value) {
  return std::visit(
      [](const auto& one) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) {
          return py::none();
        } else {
          return py::cast(one);
        }
      },
      value);
}

int in_range(const std::string& argument, int value, int least, int most) {
  if (value >= least && value <= most) return value;
  throw core::ConfigError({{{fmt::format("{}={}", argument, value)},
                            "",
                            fmt::format("expected a whole number from {} to {}", least, most),
                            ""}});
}

simulation::Method method_of(bool estimate) {
  return estimate ? simulation::Method::kEstimate : simulation::Method::kSimulate;
}

void bind_source(py::module_& module) {
  py::class_<Source>(module, "Source")
      .def(py::init<std::string, bool, Strings, Strings,
                    std::vector<std::pair<std::string, std::string>>>(),
           py::arg("text"), py::arg("is_json"), py::arg("settings"),
           py::arg("include_folders") = Strings(),
           py::arg("words") = std::vector<std::pair<std::string, std::string>>())
      .def("to_yaml", [](const Source& source) { return core::to_yaml(tree_of(source)); })
      .def("to_python", [](const Source& source) { return to_python(tree_of(source)); });
  using NoGil = py::call_guard<py::gil_scoped_release>;
  module.def("question_yaml", &question_yaml, NoGil(), py::arg("source"), py::arg("has_nodes"),
             py::arg("roots"));
  module.def("scenario_schema", &scenario_schema, NoGil(), py::arg("roots"));
  module.attr("WORDS") = words();
}

}  // namespace railwright::python
