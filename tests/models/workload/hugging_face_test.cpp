// SPDX-License-Identifier: Apache-2.0
// The published config.json of models, as their repositories have them, beside the catalogue.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "../../support/active_parameters.hpp"
#include "../../support/scenario.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {
namespace {

std::string config(const std::string& name) {
  return RAILWRIGHT_SOURCE_DIR "/tests/models/workload/configs/" + name + ".json";
}

Transformer model(const std::string& name) {
  return transformer_of(
      test::scenario({"workload.model=" + name, "parallelism.tp=1"}).scenario.workload);
}

TEST(HuggingFace, ReadsTheModelsOfTheCatalogue) {
  for (const char* name :
       {"llama-2-70b", "mixtral-8x7b", "deepseek-v3", "dbrx", "bloom-176b", "t5-11b"}) {
    const Transformer read = model(config(name));
    const Transformer known = model(name);
    EXPECT_EQ(num_parameters(read), num_parameters(known)) << name;
    EXPECT_EQ(num_active_parameters(read), num_active_parameters(known)) << name;
    EXPECT_EQ(training_work_per_token(read, 4096).base(),
              training_work_per_token(known, 4096).base())
        << name;
    EXPECT_EQ(read.source, config(name));
  }
}

TEST(HuggingFace, FillsInWhatTheCodeOfTheArchitectureComputes) {
  const Transformer gpt2 = model(config("gpt2-xl"));
  EXPECT_EQ(gpt2.ffn_size, 6400);
  EXPECT_EQ(num_parameters(gpt2), 1'557'611'200);  // tensors of the published checkpoint
}

TEST(HuggingFace, LetsKeysBeLaidOverTheFile) {
  const Transformer shallow = transformer_of(
      test::scenario({"workload.model={model: " + config("llama-2-70b") + ", num_layers: 8}"})
          .scenario.workload);
  EXPECT_EQ(shallow.num_layers, 8);
  EXPECT_EQ(shallow.hidden_size, 8192);
}

TEST(HuggingFace, ReadsWhichLayersOfQwenHaveExperts) {
  const std::string path = testing::TempDir() + "sparse_step.json";
  std::ofstream(path) << R"({"model_type": "qwen3_moe", "num_hidden_layers": 6, "hidden_size": 512,
      "num_attention_heads": 8, "intermediate_size": 2048, "moe_intermediate_size": 256,
      "num_experts": 16, "num_experts_per_tok": 2, "decoder_sparse_step": 2, "vocab_size": 1000})";
  EXPECT_EQ(layers_with_experts(model(path)), 3);
}

std::string refusal(const std::string& text) {
  const std::string path = testing::TempDir() + "config.json";
  std::ofstream(path) << text;
  try {
    model(path);
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(HuggingFace, SaysWhatItCannotRead) {
  EXPECT_NE(refusal(R"({"model_type": "mamba"})").find("no model type 'mamba' is known"),
            std::string::npos);
  EXPECT_NE(refusal("{}").find("missing key 'model_type'"), std::string::npos);
  EXPECT_NE(refusal(R"({"model_type": "llama"})").find("missing key 'num_layers'"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"model_type": "llama", "num_hidden_layers": "many"})").find("num_layers"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"model_type": )").find("config.json"), std::string::npos);
  EXPECT_NE(refusal("").find("config.json"), std::string::npos);
}

}  // namespace
}  // namespace railwright::models
