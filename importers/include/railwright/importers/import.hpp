// SPDX-License-Identifier: Apache-2.0
// Parts of a scenario out of what other tools write about clusters and jobs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

enum class ImportKind : std::uint8_t {
  kNcclTopology,   ///< the XML of NCCL_TOPO_DUMP_FILE [@nccl]
  kNvidiaSmiTopo,  ///< `nvidia-smi topo -m` [@nvidia_smi]
  kIbNetDiscover,  ///< `ibnetdiscover` [@ibnetdiscover]
  kSlurmTopology,  ///< topology.conf [@slurm_topology]
  kHuggingFace,    ///< config.json of a transformer
  kMegatron,       ///< arguments of Megatron-LM, or a script with them [@megatron_arguments]
  kNemo,           ///< a YAML recipe of NeMo [@nemo_recipes]
  kDeepSpeed,      ///< a JSON configuration of DeepSpeed [@deepspeed_config]
};

}  // namespace railwright::importers

template <>
struct railwright::core::EnumNames<railwright::importers::ImportKind> {
  using Kind = importers::ImportKind;
  static constexpr std::array<std::pair<std::string_view, Kind>, 8> kNames{
      {{"nccl-topology", Kind::kNcclTopology},
       {"nvidia-smi-topo", Kind::kNvidiaSmiTopo},
       {"ibnetdiscover", Kind::kIbNetDiscover},
       {"slurm-topology", Kind::kSlurmTopology},
       {"hugging-face", Kind::kHuggingFace},
       {"megatron", Kind::kMegatron},
       {"nemo", Kind::kNemo},
       {"deepspeed", Kind::kDeepSpeed}}};
};

namespace railwright::importers {

/// A value of a scenario and what in the file says so.
struct ImportedValue {
  std::string path;  ///< "cluster.node.num_accelerators"
  core::Node value;
  std::string origin;
  bool is_assumed = false;  ///< does not follow from the file alone
};

/// What a scenario needs or the file speaks of, and why it is not among the values.
struct NotKnown {
  std::string path;
  std::string reason;
};

/// What one file says.
struct Imported {
  ImportKind kind = ImportKind::kHuggingFace;
  std::string file;
  std::vector<ImportedValue> values;
  std::vector<NotKnown> not_known;
  std::vector<std::string> not_expressed;  ///< stands in the file, has no place in a scenario
};

/// What several files say together.
struct ImportedParts {
  std::vector<Imported> parts;         ///< later ones win
  std::vector<std::string> conflicts;  ///< where two say different things
  core::Node tree;                     ///< of a scenario, to be laid over another
};

struct ImportFile {
  std::optional<ImportKind> kind;  ///< found out by what the file holds where absent
  std::string path;
};

/// What the text looks like; nothing where it looks like none of them.
std::optional<ImportKind> detect_import_kind(std::string_view text);

/// Reads one artefact. `known` is what others say already, for values that follow from both.
/// Throws ConfigError with every problem.
Imported import_text(ImportKind kind, std::string_view text, const std::string& file,
                     const core::Node& known = {});

/// Reads files of at most 64 MiB; those that need to know others' values come last. Throws
/// ConfigError with every problem of all files.
ImportedParts import_files(const std::vector<ImportFile>& files);

/// The parts with the scenario `base` beneath, as one tree for a file in `folder`: files that it
/// names are named as seen from there.
core::Node laid_over(const ImportedParts& parts, core::Node base, const std::string& folder);

/// A scenario file of `tree`, the parts alone or laid over another, each value with its origin
/// behind it, what is assumed and not known above. `include` names the scenario that it is laid
/// over, as seen from the file; "" for none.
std::string import_yaml(const ImportedParts& parts, const core::Node& tree,
                        const std::string& include);

/// What a person has to know of them: assumptions, what is not known or not expressed, conflicts.
std::string import_notes(const ImportedParts& parts);

/// The same as JSON.
std::string import_json(const ImportedParts& parts);

/// What keeps the parts, laid over `base`, from being a scenario; none where they are one.
std::vector<core::Diagnostic> import_problems(const ImportedParts& parts, const core::Node& base,
                                              const core::Catalogue& catalogue);

}  // namespace railwright::importers
