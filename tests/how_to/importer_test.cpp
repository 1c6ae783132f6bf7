// SPDX-License-Identifier: Apache-2.0
// An importer with two files of its own and two lines in the table of importers: its files are
// recognized, read, merged with others and named like those of the rest.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "../importers/imported.hpp"
#include "../support/source_tree.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {
namespace {

const std::string kTwoNodes =
    "r1n01\n     state = free\n     resources_available.ngpus = 8\n"
    "r1n02\n     state = job-busy\n     resources_available.ngpus = 8\n"
    "login\n     state = free\n";

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

TEST(HowToImporter, IsFoundByWhatItsFileHolds) {
  const auto kind = detect_import_kind(kTwoNodes);
  ASSERT_TRUE(kind);
  EXPECT_EQ(core::to_string(*kind), "pbs-nodes");
  EXPECT_EQ(detect_import_kind("SwitchName=s1 Nodes=n[1-4]"), ImportKind("slurm-topology"));
}

TEST(HowToImporter, IsMergedWithOtherFiles) {
  const auto parts = import_files(
      {{{}, written("pbs.txt", kTwoNodes)}, {{}, test::sample("hugging_face/llama-3-8b.json")}});
  const core::Node* cluster = parts.tree.find("cluster");
  ASSERT_NE(cluster, nullptr);
  EXPECT_EQ(cluster->find("nodes")->text, "2");
  EXPECT_EQ(cluster->find("node")->find("num_accelerators")->text, "8");
  EXPECT_NE(parts.tree.find("workload"), nullptr) << "the model's";
  const std::string yaml = import_yaml(parts, parts.tree, "");
  EXPECT_NE(yaml.find("#   pbs-nodes "), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("nodes: 2  # nodes with accelerators"), std::string::npos) << yaml;
  EXPECT_NE(import_json(parts).find("\"kind\": \"pbs-nodes\""), std::string::npos);
  EXPECT_NE(import_notes(parts).find("cluster.fabric: PBS knows nodes alone"), std::string::npos);
}

TEST(HowToImporter, IsAskedForByName) {
  const ImportKind kind("pbs-nodes");
  EXPECT_EQ(test::value(import_text(kind, kTwoNodes, "file"), "cluster.nodes"), "2");
  EXPECT_NE(test::refusal(kind, "login\n").find("no node with accelerators"), std::string::npos);
  try {
    import_files({{{}, test::kSource + "/LICENSE"}});
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find(", pbs-nodes"), std::string::npos);
  }
}

}  // namespace
}  // namespace railwright::importers
