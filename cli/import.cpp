// SPDX-License-Identifier: Apache-2.0
#include "railwright/importers/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common.hpp"
#include "output_file.hpp"
#include "railwright/core/config/include.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kOut = "--out,-o";
constexpr const char* kVariables = "--set-variable";
constexpr const char* kRecipe = "--recipe";

std::optional<importers::ImportKind> kind_of(const std::string& word) {
  const auto names = importers::ImportKind::names();
  if (std::ranges::find(names, word) == names.end()) return {};
  return importers::ImportKind(word);
}

/// Reads "hugging-face a.json deepspeed b.json c.json": a kind applies to the files after it.
std::vector<importers::ImportFile> files_of(const std::vector<std::string>& words) {
  std::vector<importers::ImportFile> files;
  std::vector<core::Diagnostic> problems;
  const auto kinds = importers::ImportKind::names();
  const std::vector<std::string> names(kinds.begin(), kinds.end());
  std::optional<importers::ImportKind> kind;
  bool waits = false;
  for (const std::string& word : words) {
    if (const auto named = kind_of(word)) {
      if (waits) problems.push_back({{word}, "", "the kind before it has no file", ""});
      kind = named;
      waits = true;
      continue;
    }
    std::error_code error;
    if (!std::filesystem::exists(word, error)) {
      const std::string near = core::nearest(word, names);
      problems.push_back({{word},
                          "",
                          "no such file",
                          near.empty() ? "" : fmt::format("did you mean the kind '{}'?", near)});
    }
    files.push_back({kind, word});
    waits = false;
  }
  if (waits) problems.push_back({{words.back()}, "", "a kind without a file behind it", ""});
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return files;
}

/// Returns the scenario file for the parts. It includes a base from its own folder or below; it
/// copies one from elsewhere, since reading that would need --allow-include.
std::string yaml_of(const importers::ImportedParts& parts, const std::string& base_file,
                    const core::Node& base, const std::string& out) {
  if (base_file.empty()) return importers::import_yaml(parts, parts.tree, "");
  namespace fs = std::filesystem;
  const fs::path folder = fs::weakly_canonical(fs::absolute(out).parent_path());
  const fs::path path = fs::weakly_canonical(base_file).lexically_relative(folder);
  if (!path.empty() && *path.begin() != "..") {
    return importers::import_yaml(parts, parts.tree, path.generic_string());
  }
  return importers::import_yaml(parts, importers::merge_with_base(parts, base, folder.string()),
                                "");
}

void tell_problems(const importers::ImportedParts& parts, const core::Node& base,
                   const Options& options, Streams& streams) {
  if (options.text("--base").empty()) return;
  const auto problems = importers::import_problems(parts, base, open_catalogue(options));
  if (problems.empty()) return;
  streams.err << "not yet a scenario that can be simulated:\n";
  for (const core::Diagnostic& problem : problems) {
    streams.err << "  " << core::to_string(problem) << '\n';
  }
}

int run_import(const Options& options, Streams& streams) {
  importers::ImportedParts parts = importers::import_files(
      files_of(options.list("artefacts")),
      {.variables = options.list(kVariables), .recipe = options.text(kRecipe)});
  importers::drop_names_without_entry(parts, open_catalogue(options));
  const std::string out = options.text(kOut);
  const std::string base = options.text("--base");
  core::Node base_tree;  // read first: an error in it must not leave a file behind
  if (!base.empty()) {
    base_tree = core::load_yaml_with(include_folders(options), base);
    importers::keep_software_of(base_tree, parts);
  }
  const std::string yaml = yaml_of(parts, base, base_tree, out.empty() ? "x" : out);
  if (!out.empty()) write_file("--out", out, [&](std::ostream& to) { to << yaml; });
  if (wants_json(options)) {
    streams.out << importers::import_json(parts);
  } else if (out.empty()) {
    streams.out << yaml;
  }
  streams.err << importers::import_notes(parts);
  tell_problems(parts, base_tree, options, streams);
  return importers::asks_outside(parts) ? kUnknown : kOk;
}

}  // namespace

Verb import_verb() {
  std::string kinds;
  for (const std::string_view name : importers::ImportKind::names()) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(name);
  }
  return {
      .name = "import",
      .help = "Parts of a scenario from files of other tools",
      .options =
          {{.name = "artefacts",
            .kind = OptionKind::kPositionals,
            .value = "[KIND] FILE...",
            .help =
                "Input files, each after its kind; without one the format is detected. Kinds: " +
                kinds,
            .required = true},
           {.name = "--base",
            .kind = OptionKind::kValue,
            .value = "FILE",
            .help = "Base scenario to merge the imported parts into"},
           {.name = kVariables,
            .kind = OptionKind::kList,
            .value = "NAME=VALUE",
            .help = "Value of a variable that a script takes from outside or sets in a branch"},
           {.name = kRecipe,
            .kind = OptionKind::kValue,
            .value = "NAME",
            .help = "Recipe to read from a file of Python with several"},
           allow_include_option(),
           {.name = kOut,
            .kind = OptionKind::kValue,
            .value = "FILE",
            .help = "Write the YAML there in place of standard output"},
           format_option(),
           catalogue_option()},
      .run = run_import};
}

}  // namespace railwright::cli
