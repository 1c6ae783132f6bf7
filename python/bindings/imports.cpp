// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>
#include <utility>

#include "inputs.hpp"
#include "interruptible.hpp"
#include "railwright/core/units/nearest.hpp"
#include "railwright/importers/import.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "verbs.hpp"

namespace railwright::python {

namespace py = pybind11;

namespace {

/// Returns the named kind; nothing for "", which means that the format is detected.
std::optional<importers::ImportKind> kind_of(const std::string& word) {
  if (word.empty()) return {};
  const auto names = importers::ImportKind::names();
  if (std::ranges::find(names, word) != names.end()) return importers::ImportKind(word);
  const std::vector<std::string> known(names.begin(), names.end());
  const std::string near = core::nearest(word, known);
  std::string hint = near.empty() ? "known:" : "did you mean '" + near + "'? known:";
  for (const std::string& name : known) hint += ' ' + name;
  throw core::ConfigError({{{}, "kind", "there is no kind '" + word + "'", std::move(hint)}});
}

struct Import {
  std::string json;
  std::string yaml;
  std::string notes;
  core::Node tree;
  std::vector<std::string> problems;
};

/// Returns the imported parts as JSON, YAML, notes and a dict. With a base it also returns the
/// problems that keep the merged scenario from being simulated.
std::tuple<std::string, std::string, std::string, py::object, Strings> import_files(
    const std::vector<std::pair<std::string, std::string>>& files,
    const std::optional<Source>& base, const Strings& roots, const Strings& variables,
    const std::string& recipe) {
  const Import done = interruptibly([&] {
    std::vector<importers::ImportFile> named;
    for (const auto& [kind, path] : files) named.push_back({kind_of(kind), path});
    importers::ImportedParts parts =
        importers::import_files(named, {.variables = variables, .recipe = recipe});
    const core::Catalogue catalogue(simulation::catalogue_roots(roots));
    importers::drop_names_without_entry(parts, catalogue);
    const core::Node beneath = base ? tree_of(*base) : core::Node{};
    importers::keep_software_of(beneath, parts);
    Import made{.json = importers::import_json(parts),
                .yaml = {},
                .notes = importers::import_notes(parts),
                .tree = parts.tree,
                .problems = {}};
    if (base) {
      for (const auto& problem : importers::import_problems(parts, beneath, catalogue)) {
        made.problems.push_back(core::to_string(problem));
      }
      const std::string here = std::filesystem::current_path().string();
      made.tree = importers::merge_with_base(parts, beneath, here);
    }
    made.yaml = importers::import_yaml(parts, made.tree, "");
    return made;
  });
  return {done.json, done.yaml, done.notes, to_python(done.tree), done.problems};
}

}  // namespace

void bind_import(py::module_& module) {
  module.def("import_files", &import_files, py::arg("files"), py::arg("base"), py::arg("roots"),
             py::arg("variables"), py::arg("recipe"));
}

}  // namespace railwright::python
