// SPDX-License-Identifier: Apache-2.0
// Parameters of published checkpoints, as their model cards and indexes of tensors give them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "../support/scenario.hpp"
#include "imported.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kHuggingFace("hugging-face");

models::Transformer model_of(const importers::Imported& imported) {
  core::Reader reader;
  models::Transformer model;
  reader.read(find(imported, "workload.model")->value, "workload.model", model);
  reader.throw_if_any();
  return model;
}

struct Published {
  const char* name;
  std::int64_t parameters;
  std::int64_t short_by;  ///< of these, what the description has no place for
};

void PrintTo(const Published& published, std::ostream* out) { *out << published.name; }

class Parameters : public testing::TestWithParam<Published> {};

TEST_P(Parameters, AreThoseOfTheCheckpoint) {
  const auto imported =
      import_sample(kHuggingFace, std::string("hugging_face/") + GetParam().name + ".json");
  EXPECT_EQ(models::num_parameters(model_of(imported)),
            GetParam().parameters - GetParam().short_by);
  const std::string said = not_expressed(imported);
  const std::string gap = std::to_string(GetParam().short_by) + " of " +
                          std::to_string(GetParam().parameters) + " parameters";
  EXPECT_EQ(said.find(gap) != std::string::npos, GetParam().short_by != 0) << said;
}

INSTANTIATE_TEST_SUITE_P(
    HuggingFace, Parameters,
    testing::Values(Published{"llama-2-7b", 6'738'415'616, 0},
                    Published{"llama-3-8b", 8'030'261'248, 0},
                    Published{"llama-3-70b", 70'553'706'496, 0},
                    Published{"mistral-7b-v0.1", 7'241'732'096, 0},
                    Published{"mixtral-8x7b-v0.1", 46'702'792'704, 0},
                    Published{"gpt2", 124'439'808, 0}, Published{"gpt-neox-20b", 20'554'567'680, 0},
                    // the bias of the last norm
                    Published{"falcon-7b", 6'921'720'704, 4544},
                    // biases of queries, keys and values: 28 layers of 3584 + 2 * 512
                    Published{"qwen2-7b", 7'615'616'512, 129'024},
                    Published{"gemma-2-9b", 9'241'705'984, 301'056},
                    Published{"gemma-3-12b", 11'766'034'176, 393'216},  // the text model
                    Published{"gpt-oss-120b", 116'829'156'672, -207'936},
                    Published{"kimi-k2", 1'026'408'232'448, 23'040}));

TEST(ImportHuggingFace, LeavesNothingOfAModelBeneath) {
  const auto imported = import_sample(kHuggingFace, "hugging_face/llama-2-7b.json");
  const core::Node base = core::parse_yaml("{workload: {model: deepseek-v3}}", "base");
  core::Node patch = core::parse_yaml("{workload: {model: null}}", "patch");
  patch.find("workload")->find("model")->operator=(find(imported, "workload.model")->value);
  const core::Node both = core::overlay(base, patch);
  const core::Node* model = both.find("workload")->find("model");
  EXPECT_EQ(model->find("experts")->kind, core::Node::Kind::kNull);
  EXPECT_EQ(model->find("latent_attention")->kind, core::Node::Kind::kNull);
  EXPECT_EQ(model->find("num_heads")->text, "32");
}

/// The models that the catalogue has too, by its entry.
TEST(ImportHuggingFace, ReadsTheModelsOfTheCatalogue) {
  for (const char* name :
       {"gemma-2-9b", "gemma-3-12b", "glm-4.5", "gpt-oss-120b", "kimi-k2", "llama-4-maverick"}) {
    const auto read =
        model_of(import_sample(kHuggingFace, fmt::format("hugging_face/{}.json", name)));
    const auto known = models::transformer_of(
        scenario({fmt::format("workload.model={}", name), "parallelism.tp=1"}).scenario.workload);
    EXPECT_EQ(models::num_parameters(read), models::num_parameters(known)) << name;
    EXPECT_EQ(models::layers_by_kind(read), models::layers_by_kind(known)) << name;
    EXPECT_EQ(models::forward_work_per_token(read, 32768).attention.base(),
              models::forward_work_per_token(known, 32768).attention.base())
        << name;
  }
}

TEST(ImportHuggingFace, ReadsTheTextModelBesideAnImageEncoder) {
  const auto imported = import_sample(kHuggingFace, "hugging_face/llama-4-maverick.json");
  EXPECT_EQ(models::layers_with_experts(model_of(imported)), 24);
  EXPECT_NE(not_expressed(imported).find("vision_config"), std::string::npos);
}

TEST(ImportHuggingFace, SaysWhatItDoesNotTell) {
  const auto imported = import_sample(kHuggingFace, "hugging_face/mistral-7b-v0.1.json");
  EXPECT_TRUE(is_unknown(imported, "workload.sequence_length"));
  EXPECT_TRUE(is_unknown(imported, "workload.global_batch"));
  EXPECT_EQ(not_expressed(imported).find("sliding_window"), std::string::npos);
  EXPECT_EQ(find(imported, "workload.model")->value.find("local_attention")->find("window")->text,
            "4096");
  const auto qwen = import_sample(kHuggingFace, "hugging_face/qwen2-7b.json");
  EXPECT_EQ(not_expressed(qwen).find("sliding_window"), std::string::npos);  // switched off
}

TEST(ImportHuggingFace, RefusesWhatItCannotRead) {
  EXPECT_NE(
      refusal(kHuggingFace, R"({"model_type": "mamba"})").find("no model type 'mamba' is known"),
      std::string::npos);
  const std::string all = refusal(kHuggingFace, R"({"model_type": "llama",
  "num_hidden_layers": 1e30, "hidden_size": -1})");
  EXPECT_NE(all.find("file:2:24: workload.model.num_layers"), std::string::npos) << all;
  EXPECT_NE(all.find("file:2:45: workload.model.hidden_size"), std::string::npos) << all;
  EXPECT_NE(all.find("missing key 'ffn_size'"), std::string::npos) << all;
  EXPECT_NE(refusal(kHuggingFace, R"({"model_type": "llama",)"), "");
  EXPECT_NE(refusal(kHuggingFace, "[1, 2]"), "");
  EXPECT_NE(refusal(kHuggingFace, std::string_view("\x7f\x45LF\0\0", 6)), "");
  EXPECT_NE(
      refusal(kHuggingFace, R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 100,
      "num_attention_heads": 3, "intermediate_size": 4, "vocab_size": 5})")
          .find("3 heads do not divide a width of 100"),
      std::string::npos);
}

}  // namespace
}  // namespace railwright::test
