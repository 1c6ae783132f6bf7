// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kTorchtitan("torchtitan");

TEST(ImportTorchtitan, ReadsTheJobWithItsRecipe) {
  const auto imported = import_sample(kTorchtitan, "torchtitan/llama3-70b.toml");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-3.1-70b");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "8192");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "~1");
  EXPECT_EQ(value(imported, "workload.global_batch"), "~128");  // 16 on each of 2 * 4 ranks
  EXPECT_EQ(value(imported, "workload.steps"), "1000");
  EXPECT_EQ(value(imported, "parallelism.tp"), "8");
  EXPECT_EQ(value(imported, "parallelism.pp"), "4");
  EXPECT_EQ(value(imported, "parallelism.virtual_stages"), "~2");
  // 80 layers, embedding and loss over 8 chunks
  EXPECT_EQ(value(imported, "parallelism.layers_per_chunk"), "~[11, 11, 10, 10, 10, 10, 10, 10]");
  EXPECT_EQ(value(imported, "parallelism.embedding_as_layer"), "~true");
  EXPECT_EQ(value(imported, "parallelism.zero_group"), "4");
  EXPECT_EQ(value(imported, "software.model"), "~torchtitan");
  EXPECT_EQ(value(imported, "software.precision"), "fp8");
  EXPECT_EQ(value(imported, "software.parameter_gather_bytes"), "1");
  EXPECT_EQ(value(imported, "software.reshard_after_forward"), "~false");
  EXPECT_EQ(value(imported, "software.recompute"), "alternate_products");
  EXPECT_EQ(value(imported, "software.elementwise"), "fused");
  EXPECT_EQ(value(imported, "software.overlap_tensor_parallel"), "true");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "500");
  EXPECT_EQ(value(imported, "software.fp8_scaling"), "row");
  const std::string rest = not_expressed(imported);
  EXPECT_NE(rest.find("made_up.key: passed over"), std::string::npos);
}

TEST(ImportTorchtitan, ReadsHowRanksThatShareASequenceExchange) {
  const auto kind = [](const std::string& more) {
    return value(importers::import_text(
                     kTorchtitan, "[training]\nseq_len = 8192\n[parallelism]\n" + more, "file"),
                 "software.context_exchange");
  };
  const std::string cp = "context_parallel_degree = 8\n";
  EXPECT_EQ(kind(cp), "absent");
  EXPECT_EQ(kind(cp + "context_parallel_rotate_method = \"alltoall\"\n"), "ring");
  EXPECT_EQ(kind(cp + "context_parallel_rotate_method = \"allgather\"\n"), "gathered_ring");
  EXPECT_EQ(kind("context_parallel_rotate_method = \"alltoall\"\n"), "absent");
}

TEST(ImportTorchtitan, ReadsTheNamesOf2024) {
  const auto imported = import_sample(kTorchtitan, "torchtitan/llama3-8b-2024.toml");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");
  EXPECT_EQ(value(imported, "parallelism.pp"), "2");
  EXPECT_EQ(value(imported, "parallelism.layers_per_chunk"), "~[17, 17]");
  EXPECT_EQ(value(imported, "software.precision"), "~bf16");
  EXPECT_EQ(value(imported, "software.recompute"), "full");
  EXPECT_EQ(value(imported, "software.recompute_layers"), "~8");
  EXPECT_EQ(value(imported, "software.elementwise"), "eager");
  EXPECT_TRUE(is_unknown(imported, "workload.global_batch"));
}

TEST(ImportTorchtitan, TakesNoDefaultWhereAScriptNamesAFile) {
  const auto imported = import_sample(kTorchtitan, "torchtitan/launch.sh");
  EXPECT_EQ(value(imported, "cluster.nodes"), "8");
  EXPECT_EQ(value(imported, "parallelism.pp"), "4");
  EXPECT_EQ(value(imported, "parallelism.tp"), "absent");
  EXPECT_EQ(value(imported, "parallelism.virtual_stages"), "absent");
  EXPECT_EQ(value(imported, "workload.steps"), "50");
  EXPECT_TRUE(is_unknown(imported, "workload.model"));
  EXPECT_TRUE(is_unknown(imported, "--parallelism.expert_parallel_degree"));
}

TEST(ImportTorchtitan, RefusesWhatItCannotRead) {
  EXPECT_NE(refusal(kTorchtitan, "[training]\nsteps = 5\n[model]\nname = 'x'\n")
                .find("no configuration of torchtitan"),
            std::string::npos);
  EXPECT_NE(refusal(kTorchtitan, "[training]\nseq_len = 2k\n").find("file:2:"), std::string::npos);
  EXPECT_NE(refusal(kTorchtitan, "[model]\nname = 'flux'\nflavor = 'flux-dev'\n[training]\n")
                .find("diffusion"),
            std::string::npos);
  EXPECT_NE(refusal(kTorchtitan, "[training]\nseq_len = -1\n[model]\nflavor = '8B'\n")
                .find("expected a whole number"),
            std::string::npos);
}

TEST(ImportTorchtitan, LeavesAFlavorOfNoCatalogueToTheOutside) {
  const auto imported = importers::import_text(
      kTorchtitan, "[model]\nname = 'llama3'\nflavor = 'debugmodel'\n[training]\nseq_len = 64\n",
      "x");
  EXPECT_TRUE(is_unknown(imported, "workload.model"));
  EXPECT_EQ(value(imported, "workload.model"), "absent");
}

// A parser with assertions stopped the program here; a fuzzer found it.
TEST(ImportTorchtitan, RefusesATableWithoutAName) {
  const std::string text = "[training]\nsteps = 10\n[=parallelism]\ntensor_parallel_degree = 2\n";
  EXPECT_NE(refusal(importers::ImportKind("torchtitan"), text).find(":3:2: "), std::string::npos)
      << refusal(importers::ImportKind("torchtitan"), text);
}

}  // namespace
}  // namespace railwright::test
