// SPDX-License-Identifier: Apache-2.0
// Imports parts of a scenario from files that other tools write about clusters and jobs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/row.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

struct Imported;

/// Strength of the marks by which a kind of file is recognized.
enum class Marks : std::uint8_t {
  kOwn,     ///< words that no other tool writes
  kLikely,  ///< words that files of this tool share with few others
  kCommon,  ///< words that files of other tools hold as well
};

/// Place of a file in the order of reading, of several that are imported together.
enum class ReadingTurn : std::uint8_t { kFirst, kInOrder, kLast };

/// Holds what a person chose of what files leave open.
struct ImportChoices {
  std::vector<std::string> variables;  ///< of scripts: "PRECISION=bf16"
  std::string recipe;                  ///< the function, of a file with several; "" for none
};

/// A row of the table of importers: the name of a kind of file, how it is recognized and read.
struct Importer {
  /// All importers, in the order in which messages name them.
  static std::span<const Importer> table();

  std::string_view name;
  /// Whether a text, of which this is at most the first MiB, looks like this kind. Of several
  /// kinds that say so the one with the best marks is taken, and of these the first row.
  bool (*recognizes)(std::string_view head);
  /// Reads a text. `known` holds the values of the files that were read before. Throws ConfigError
  /// with every problem.
  Imported (*read)(std::string_view text, const std::string& file, const core::Node& known);
  Marks marks = Marks::kOwn;
  ReadingTurn turn = ReadingTurn::kInOrder;
  /// Returns a text with what was chosen, its lines at the same numbers; nothing where it has no
  /// such choice. Null for kinds that leave none. Throws ConfigError for a choice that is not
  /// there.
  std::optional<std::string> (*choose)(std::string_view text, const std::string& file,
                                       const ImportChoices& choices) = nullptr;
};

using ImportKind = core::Row<Importer>;

/// A value of a scenario, and what in the file it follows from.
struct ImportedValue {
  std::string path;  ///< "cluster.node.num_accelerators"
  core::Node value;
  std::string origin;
  bool is_assumed = false;  ///< does not follow from the file alone
};

/// A path that a scenario needs or the file mentions, and why it has no value.
struct NotKnown {
  std::string path;
  std::string reason;
  bool is_outside = false;  ///< the file asks for it, with a value from outside the file
};

/// Content of one file.
struct Imported {
  ImportKind kind;
  std::string file;
  std::vector<ImportedValue> values;
  std::vector<NotKnown> not_known;
  std::vector<std::string> not_expressed;  ///< in the file, without a place in a scenario
};

/// Content of several files together.
struct ImportedParts {
  std::vector<Imported> parts;         ///< later ones win
  std::vector<std::string> conflicts;  ///< paths with two different values, in words
  core::Node tree;                     ///< partial scenario, to be merged over a base
};

struct ImportFile {
  std::optional<ImportKind> kind;  ///< detected from the content where absent
  std::string path;
};

/// Detects the kind of a text; nothing where it matches none.
std::optional<ImportKind> detect_import_kind(std::string_view text);

/// Reads one text. `known` holds the values of other files, for values that follow from both.
/// Throws ConfigError with every problem.
Imported import_text(ImportKind kind, std::string_view text, const std::string& file,
                     const core::Node& known = {});

/// Reads files of at most 64 MiB each, in the turns of their kinds. Throws ConfigError with every
/// problem of all files, and for a choice that none of them leaves.
ImportedParts import_files(const std::vector<ImportFile>& files, const ImportChoices& choices = {});

/// Drops assumed names of models and software that the catalogue does not have: they are unknown
/// then, the model as one that comes from outside.
void drop_names_without_entry(ImportedParts& parts, const core::Catalogue& catalogue);

/// Drops a software profile that readers propose where `base` names one of the same stack, such as
/// another release of NeMo: that choice stays.
void keep_software_of(const core::Node& base, ImportedParts& parts);

/// Merges the parts over the scenario `base`, as one tree for a file in `folder`. Renames the files
/// that `base` names as seen from there.
core::Node merge_with_base(const ImportedParts& parts, core::Node base, const std::string& folder);

/// Writes `tree` as a scenario file: each value with its origin in a comment, assumptions and
/// unknown values at the top. `include` names the base scenario as seen from the file; "" for none.
std::string import_yaml(const ImportedParts& parts, const core::Node& tree,
                        const std::string& include);

/// Whether a file leaves to its surroundings what a scenario needs.
bool asks_outside(const ImportedParts& parts);

/// Lists what the user has to know: conflicts, assumptions, and what is unknown or not expressed.
std::string import_notes(const ImportedParts& parts);

/// Writes values, origins and notes as JSON.
std::string import_json(const ImportedParts& parts);

/// Returns the problems of the parts merged over `base`; none where they make a scenario.
std::vector<core::Diagnostic> import_problems(const ImportedParts& parts, const core::Node& base,
                                              const core::Catalogue& catalogue);

}  // namespace railwright::importers
