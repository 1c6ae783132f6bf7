// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/in/import.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "common.hpp"
#include "output_file.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kOut = "--out,-o";

std::optional<planner::ImportKind> kind_of(const std::string& word) {
  for (const auto& [name, kind] : core::EnumNames<planner::ImportKind>::kNames) {
    if (name == word) return kind;
  }
  return {};
}

/// "hugging-face a.json deepspeed b.json c.json": a kind holds for the files behind it.
std::vector<planner::ImportFile> files_of(const std::vector<std::string>& words) {
  std::vector<planner::ImportFile> files;
  std::vector<core::Diagnostic> problems;
  std::vector<std::string> names;
  for (const auto& [name, kind] : core::EnumNames<planner::ImportKind>::kNames) {
    names.emplace_back(name);
  }
  std::optional<planner::ImportKind> kind;
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

/// As a file at `out` names it: includes are relative to the file.
std::string include_of(const std::string& base, const std::string& out) {
  if (base.empty()) return {};
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::absolute(out.empty() ? "x" : out, error).parent_path();
  const fs::path path = fs::proximate(base, folder, error);
  return error || path.empty() ? base : path.generic_string();
}

void tell_problems(const planner::ImportedParts& parts, const Options& options, Streams& streams) {
  const std::string base = options.text("--base");
  if (base.empty()) return;
  const auto problems = planner::import_problems(parts, base, open_catalogue(options));
  if (problems.empty()) return;
  streams.err << "not yet a scenario that can be simulated:\n";
  for (const core::Diagnostic& problem : problems) {
    streams.err << "  " << core::to_string(problem) << '\n';
  }
}

int run(const Options& options, Streams& streams) {
  const planner::ImportedParts parts = planner::import_files(files_of(options.list("artefacts")));
  const std::string out = options.text(kOut);
  const std::string base = options.text("--base");
  if (!base.empty()) core::load_yaml(base);  // a mistake there must not leave a file behind
  const std::string yaml = planner::import_yaml(parts, include_of(base, out));
  if (!out.empty()) write_file("--out", out, [&](std::ostream& to) { to << yaml; });
  if (wants_json(options)) {
    streams.out << planner::import_json(parts);
  } else if (out.empty()) {
    streams.out << yaml;
  }
  streams.err << planner::import_notes(parts);
  tell_problems(parts, options, streams);
  return kOk;
}

}  // namespace

Verb import_verb() {
  using Kind = OptionSpec::Kind;
  std::string kinds;
  for (const auto& [name, kind] : core::EnumNames<planner::ImportKind>::kNames) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(name);
  }
  return {
      .name = "import",
      .help = "Parts of a scenario from files of other tools",
      .options = {{.name = "artefacts",
                   .kind = Kind::kPositionals,
                   .value = "[KIND] FILE...",
                   .help =
                       "Files, each behind its kind or found out by what it holds. Kinds: " + kinds,
                   .required = true},
                  {.name = "--base",
                   .kind = Kind::kValue,
                   .value = "FILE",
                   .help = "The scenario that the parts are laid over; what is written "
                           "includes it"},
                  {.name = kOut,
                   .kind = Kind::kValue,
                   .value = "FILE",
                   .help = "Writes the YAML there in place of standard output"},
                  format_option(),
                  catalogue_option()},
      .run = run};
}

}  // namespace railwright::cli
