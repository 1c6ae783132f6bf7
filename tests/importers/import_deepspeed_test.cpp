// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kDeepSpeed("deepspeed");

TEST(ImportDeepSpeed, ReadsThePublishedJsonOfLlama8B) {
  const auto imported = import_sample(kDeepSpeed, "deepspeed/metrum-8b.json");
  EXPECT_EQ(value(imported, "software.zero_stage"), "3");
  EXPECT_EQ(value(imported, "software.bucket"), "~400 MB");  // 2e8 elements of 16 bits
  EXPECT_EQ(value(imported, "software.overlap_gradient_reduce"), "true");
  EXPECT_EQ(value(imported, "software.overlap_parameter_gather"), "~true");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "~2");
  for (const char* path : {"software.precision", "workload.micro_batch", "workload.global_batch",
                           "software.recompute", "workload.sequence_length"}) {
    EXPECT_TRUE(is_unknown(imported, path)) << path;
  }
}

TEST(ImportDeepSpeed, AutoBucketsFollowTheModel) {
  const auto alone = import_sample(kDeepSpeed, "deepspeed/metrum-70b.json");
  EXPECT_EQ(value(alone, "software.bucket"), "absent");
  EXPECT_TRUE(is_unknown(alone, "software.bucket"));
  const core::Node known = core::parse_yaml("{workload: {model: {hidden_size: 8192}}}", "known");
  const auto with_model = import_sample(kDeepSpeed, "deepspeed/metrum-70b.json", known);
  EXPECT_EQ(value(with_model, "software.bucket"), "~134.217728 MB");  // 8192 * 8192 * 2 bytes
}

TEST(ImportDeepSpeed, ReadsBatchesOffloadAndTypes) {
  const auto imported = import_sample(kDeepSpeed, "deepspeed/zero-2-nvme.json");
  EXPECT_EQ(value(imported, "workload.global_batch"), "512");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "4");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "4");
  EXPECT_EQ(value(imported, "software.bucket"), "400 MB");  // 1e8 elements of 32 bits
  EXPECT_EQ(value(imported, "software.overlap_gradient_reduce"), "~false");
  EXPECT_EQ(value(imported, "software.optimizer"), "adam");
  EXPECT_EQ(value(imported, "software.offload.optimizer.medium"), "drives");
  EXPECT_EQ(value(imported, "software.offload.optimizer.num_requests"), "64");
  EXPECT_TRUE(is_unknown(imported, "software.offload.optimizer.read_rate"));
  EXPECT_NE(not_expressed(imported).find("sparse_attention"), std::string::npos);
  EXPECT_NE(not_expressed(imported).find("made_up_key"), std::string::npos);
}

TEST(ImportDeepSpeed, SaysWhatItPassesOver) {
  const auto imported = importers::import_text(
      kDeepSpeed,
      R"({"zero_optimization": {"stage": 2, "made_up": {"deep": 1}}, "steps_per_print": 1})", "ds");
  EXPECT_EQ(not_expressed(imported), "zero_optimization.made_up.deep: passed over\n");
}

TEST(ImportDeepSpeed, MultipliesRanksOfAKnownCluster) {
  const std::string text =
      R"({"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4,
    "zero_optimization": {"stage": 1}})";
  const core::Node known = core::parse_yaml(
      "{cluster: {nodes: 4, node: {num_accelerators: 8}}, parallelism: {tp: 2}}", "known");
  // 32 accelerators, two of which share a sequence
  EXPECT_EQ(value(importers::import_text(kDeepSpeed, text, "ds", known), "workload.global_batch"),
            "~128");
  EXPECT_TRUE(is_unknown(importers::import_text(kDeepSpeed, text, "ds"), "workload.global_batch"));
}

TEST(ImportDeepSpeed, SaysEveryMistakeWithItsPlace) {
  const std::string all = refusal(kDeepSpeed, R"({"zero_optimization": {"stage": 4},
  "train_batch_size": 7, "train_micro_batch_size_per_gpu": 2,
  "fp16": {"enabled": "yes"}})");
  EXPECT_NE(all.find("file:1:33: zero_optimization.stage: expected a whole number from 0 to 3"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("file:2:23: train_batch_size: 7 sequences are no multiple"),
            std::string::npos);
  EXPECT_NE(all.find("file:3:23: fp16.enabled: expected true or false, got 'yes'"),
            std::string::npos);
  for (const char* key : {"bf16", "bfloat16", "fp16", "optimizer"}) {
    const std::string text = std::string("{\"train_batch_size\": 8, \"") + key + "\": true}";
    EXPECT_NE(refusal(kDeepSpeed, text).find(std::string(key) + ": expected an object"),
              std::string::npos)
        << refusal(kDeepSpeed, text);
  }
  EXPECT_NE(refusal(kDeepSpeed, R"({"zero_optimization": true})").find("expected keys with values"),
            std::string::npos);
  EXPECT_NE(refusal(kDeepSpeed, "train_batch_size: 8").find("no JSON"), std::string::npos);
  EXPECT_NE(refusal(kDeepSpeed, R"({"a": 1})").find("no configuration of DeepSpeed"),
            std::string::npos);
  EXPECT_NE(refusal(kDeepSpeed, R"({"train_batch_size": 8, "train_batch_size": 9})"), "");
}

}  // namespace
}  // namespace railwright::test
