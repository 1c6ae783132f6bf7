// SPDX-License-Identifier: Apache-2.0
// Models of 2025 and 2026 in the catalogue, by the parameters that their cards or their tensors
// give.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <variant>

#include "../../support/active_parameters.hpp"
#include "entries.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"

namespace railwright::models {
namespace {

struct OfCard {
  const char* name;
  double total;   ///< billions
  double active;  ///< billions; 0: not published, or rounded to one digit
};
void PrintTo(const OfCard& card, std::ostream* out) { *out << card.name; }

// Where a card counts what predicts further tokens, or images encoded in a way that is not
// described, the number of the language model's tensors stands here.
constexpr OfCard kCards[] = {
    {"qwen3-next-80b-a3b", 80.0, 0.0},
    {"qwen3.5-27b", 27.0, 0.0},
    {"qwen3.6-35b-a3b", 34.66, 0.0},
    {"qwen3.5-122b-a10b", 122.0, 10.0},
    {"qwen3.5-397b-a17b", 397.0, 17.0},
    {"qwen3-coder-480b-a35b", 480.0, 35.0},
    {"deepseek-v3.2", 671.9, 37.0},
    {"deepseek-v4-flash", 284.0, 13.0},
    {"deepseek-v4-pro", 1573.0, 49.0},
    {"glm-5", 744.0, 40.0},
    {"glm-5.2", 744.0, 40.0},
    {"glm-4.7-flash", 29.94, 0.0},
    {"kimi-k3", 2780.0, 104.0},
    {"kimi-linear-48b-a3b", 49.1, 0.0},
    {"minimax-m2.5", 229.0, 10.0},
    {"minimax-m3", 428.0, 23.0},
    {"minimax-text-01", 456.0, 45.9},
    {"gemma-4-26b-a4b", 25.2, 3.8},
    {"gemma-4-31b", 30.7, 0.0},
    {"mimo-v2-flash", 309.0, 15.0},
    {"step-3.5-flash", 196.5, 11.0},
    {"nemotron-3-super-120b-a12b", 120.6, 12.7},
    {"nemotron-3-ultra-550b-a55b", 550.0, 55.0},
    {"granite-4.0-h-small", 32.2, 9.0},
    {"falcon-h1-7b", 7.59, 0.0},
    {"falcon-h1-34b", 33.6, 0.0},
    {"ernie-4.5-21b-a3b", 21.8, 0.0},
    {"hunyuan-a13b", 80.4, 13.0},
    {"olmo-3-7b", 7.3, 0.0},
    {"olmo-3-32b", 32.2, 0.0},
    {"qwen3-vl-8b", 8.77, 0.0},
    {"qwen3-vl-32b", 33.36, 0.0},
    {"qwen3-vl-235b-a22b", 235.67, 22.0},
    {"kimi-k2.5", 1026.9, 32.6},
    {"mistral-large-3", 673.0, 39.0},
    {"mistral-small-3.2", 23.57, 0.0},
    {"seed-oss-36b", 36.15, 0.0},
};

class CatalogueParameters : public testing::TestWithParam<OfCard> {};

/// Cards count the vocabulary's matrices among the active parameters or leave one or both out.
TEST_P(CatalogueParameters, AreThoseOfTheCard) {
  const OfCard& card = GetParam();
  const Transformer model = std::get<Transformer>(test::entry<Model>(test::catalogue(), card.name));
  EXPECT_TRUE(find_problems(model).empty());
  EXPECT_NEAR(1e-9 * static_cast<double>(num_parameters(model)) / card.total, 1.0, 0.005);
  if (card.active == 0.0) return;
  const double active = 1e-9 * static_cast<double>(num_active_parameters(model));
  const double tables =
      1e-9 * static_cast<double>(embedding_parameters(model)) * (model.tied_embeddings ? 1 : 2);
  EXPECT_GE(active * 1.03, card.active);
  EXPECT_LE((active - tables) * 0.97, card.active);
}

INSTANTIATE_TEST_SUITE_P(All, CatalogueParameters, testing::ValuesIn(kCards),
                         [](const auto& card) { return test::test_name(card.param.name); });

}  // namespace
}  // namespace railwright::models
