// SPDX-License-Identifier: Apache-2.0
// Files in, a scenario file out.
#include "railwright/importers/import.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "imported.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::test {
namespace {

const std::string kLlama = sample("hugging_face/llama-3-8b.json");
const std::string kZero3 = sample("deepspeed/metrum-8b.json");

const core::Catalogue& catalogue() {
  static const core::Catalogue kCatalogue(simulation::catalogue_roots());
  return kCatalogue;
}

TEST(Import, FindsOutWhatAFileIs) {
  const auto parts = importers::import_files({{{}, kZero3}, {{}, kLlama}});
  ASSERT_EQ(parts.parts.size(), 2U);
  EXPECT_EQ(parts.parts[0].kind, importers::ImportKind("hugging-face"));
  EXPECT_EQ(parts.parts[1].kind, importers::ImportKind("deepspeed"));
  EXPECT_FALSE(importers::detect_import_kind("no such thing"));
  // DeepSpeed's data efficiency has a "model_type" that names no model.
  EXPECT_EQ(importers::detect_import_kind(R"({"train_batch_size": 4, "x": {"model_type": "y"}})"),
            importers::ImportKind("deepspeed"));
}

/// The kind of the samples whose path starts so, unless the folder has its name.
struct Samples {
  std::string_view path;
  std::string_view kind;
};
constexpr Samples kSamples[] = {{"nccl/", "nccl-topology"},     {"nvidia_smi/", "nvidia-smi-topo"},
                                {"requests/", "request-trace"}, {"rocm_smi/", "rocm-smi-topo"},
                                {"slurm/jobs", "slurm-jobs"},   {"slurm/", "slurm-topology"}};

/// Where the table above has no row, a folder has the name of its kind.
std::string kind_of_sample(std::string_view path) {
  const auto* const found = std::ranges::find_if(
      kSamples, [&](const Samples& one) { return path.starts_with(one.path); });
  if (found != std::end(kSamples)) return std::string(found->kind);
  std::string folder(path.substr(0, path.find('/')));
  std::ranges::replace(folder, '_', '-');
  return folder;
}

TEST(Import, FindsOutWhatEverySampleIs) {
  std::set<std::string_view> found;
  const std::filesystem::path folder(sample(""));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "README.md") continue;
    const std::string path = entry.path().lexically_relative(folder).generic_string();
    const auto kind = importers::detect_import_kind(text_of(entry.path().string()));
    ASSERT_TRUE(kind) << path;
    EXPECT_EQ(core::to_string(*kind), kind_of_sample(path)) << path;
    found.insert(core::to_string(*kind));
  }
  EXPECT_EQ(found.size(), importers::Importer::table().size()) << "a kind without a sample";
}

TEST(Import, ProposesProfilesThatTheCatalogueHas) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sample(""))) {
    if (!entry.is_regular_file() || entry.path().filename() == "README.md") continue;
    const std::string text = text_of(entry.path().string());
    const auto kind = importers::detect_import_kind(text);
    ASSERT_TRUE(kind);
    const auto imported = importers::import_text(*kind, text, entry.path().string());
    const auto* const profile = find(imported, "software.model");
    if (profile == nullptr) continue;
    ++count;
    EXPECT_TRUE(catalogue().contains("software", profile->value.text)) << entry.path();
    EXPECT_FALSE(profile->origin.empty());
  }
  EXPECT_GE(count, 10U);
}

TEST(Import, KeepsAProfileOfTheSameStackBeneath) {
  const auto software_over = [](const char* base) {
    auto parts = importers::import_files({{{}, sample("nemo/llama2-70b.yaml")}});
    importers::keep_software_of(core::parse_yaml(base, "base"), parts);
    const core::Node* model = core::find_path(parts.tree, "software.model");
    return model == nullptr ? std::string("kept") : model->text;
  };
  EXPECT_EQ(software_over("software: nemo-23.11"), "kept");
  EXPECT_EQ(software_over("software: {model: nemo-22.08}"), "kept");
  EXPECT_EQ(software_over("software: torchtitan"), "nemo-24.09");
  EXPECT_EQ(software_over("workload: {steps: 1}"), "nemo-24.09");
}

TEST(Import, EveryKindIsInTheDocuments) {
  const std::string page = text_of(RAILWRIGHT_SOURCE_DIR "/docs/how_to/import.md");
  for (const std::string_view name : importers::ImportKind::names()) {
    EXPECT_NE(page.find("| `" + std::string(name) + "` | "), std::string::npos) << name;
  }
}

TEST(Import, TheFuzzerReachesEveryKind) {
  const std::string script = text_of(RAILWRIGHT_SOURCE_DIR "/tests/fuzz/run");
  const std::size_t start = script.find("kinds=(nccl ");
  ASSERT_NE(start, std::string::npos);
  std::istringstream words(script.substr(start + 7, script.find(')', start) - start - 7));
  std::size_t row = 0;
  for (std::string folder; words >> folder; ++row) {
    ASSERT_LT(row, importers::Importer::table().size());
    std::ranges::replace(folder, '_', '-');
    const std::string name(importers::Importer::table()[row].name);
    const std::string stem = folder.substr(0, 4) == "requ" ? "request" : folder;
    EXPECT_EQ(name.substr(0, stem.size()), stem);
  }
  EXPECT_EQ(row, importers::Importer::table().size());
}

// A byte inside a name would reach the scenario, which no reader then takes.
TEST(Import, RefusesWhatIsNoText) {
  const std::string line =
      "trtllm-serve nvidia/Qwen3-23\x93"
      "5B-A22B-FP4 --tp_size 8\n";
  for (const std::string_view name : importers::ImportKind::names()) {
    SCOPED_TRACE(name);
    EXPECT_NE(refusal(importers::ImportKind(name), line).find(":1:29: not valid UTF-8; save it"),
              std::string::npos);
  }
}

TEST(Import, WritesWhatReadsBackTheSame) {
  const auto parts = importers::import_files({{{}, kZero3}, {{}, kLlama}});
  const std::string text = importers::import_yaml(parts, parts.tree, "");
  EXPECT_EQ(core::to_yaml(core::parse_yaml(text, "out")), core::to_yaml(parts.tree));
  EXPECT_NE(text.find("zero_stage: 3  # zero_optimization.stage"), std::string::npos) << text;
  EXPECT_NE(text.find("#   workload.global_batch: train_batch_size is \"auto\""),
            std::string::npos);
}

// The published example was written by hand after the same JSON.
TEST(Import, GivesTheTimeOfTheScenarioWrittenByHand) {
  const std::string base = RAILWRIGHT_SOURCE_DIR "/examples/mi300x-fine-tuning.yaml";
  const auto parts = importers::import_files({{{}, kZero3}, {{}, kLlama}});
  EXPECT_TRUE(importers::import_problems(parts, core::load_yaml(base), catalogue()).empty());
  const core::Node by_hand = core::load_yaml(base);
  const auto seconds = [](const core::Node& tree) {
    return simulation::simulate(simulation::read_scenario(tree, catalogue()),
                                {.method = simulation::Method::kEstimate})
        .step_time.base();
  };
  EXPECT_EQ(seconds(core::overlay(by_hand, parts.tree)), seconds(by_hand));
}

TEST(Import, SaysWhereFilesDisagree) {
  const auto parts =
      importers::import_files({{{}, kLlama}, {{}, sample("hugging_face/llama-2-7b.json")}});
  std::string all;
  for (const std::string& conflict : parts.conflicts) all += conflict + "\n";
  EXPECT_NE(all.find("workload.model.vocabulary_size: 128256 and, in "), std::string::npos) << all;
  EXPECT_EQ(all.find("description"), std::string::npos);
}

TEST(Import, NamesEveryBadFile) {
  const std::string empty = testing::TempDir() + "empty.json";
  std::ofstream(empty).close();
  try {
    importers::import_files({{{}, "no-such-file"},
                             {{}, empty},
                             {importers::ImportKind("deepspeed"), kLlama},
                             {{}, RAILWRIGHT_SOURCE_DIR "/LICENSE"}});
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(error.diagnostics().size(), 4U) << error.what();
  }
}

}  // namespace
}  // namespace railwright::test
