// SPDX-License-Identifier: Apache-2.0
// What is refused, and in which words.
#include <gtest/gtest.h>

#include "../../support/inference.hpp"
#include "railwright/core/error.hpp"

namespace railwright::simulation {
namespace {

using Lines = std::vector<std::string>;

Lines problems(const std::string& from, const std::string& to) {
  std::string text = test::inference_text();
  text.replace(text.find(from), from.size(), to);
  try {
    read_inference(core::parse_yaml(text, "i.yaml"),
                   core::Catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"}));
  } catch (const core::ConfigError& error) {
    Lines lines;
    for (const auto& problem : error.diagnostics()) lines.push_back(core::to_string(problem));
    return lines;
  }
  return {};
}

TEST(BadInference, LengthsBeyondTheContextAreRefused) {
  EXPECT_EQ(problems("prompt_tokens: 1000", "prompt_tokens: 3996"),
            Lines{"i.yaml:4:18: inference.prompt_tokens: 3996 tokens of a prompt and 101 of its "
                  "answer are 1 more than the 4096 of llama-2-7b's context; model.context sets a "
                  "longer one"});
  EXPECT_EQ(problems("prompt_tokens: 1000", "prompt_tokens: 3995"), Lines{});
  EXPECT_EQ(problems("llama-2-7b\n  prompt_tokens: 1000",
                     "{model: llama-2-7b, context: 8192}\n  prompt_tokens: 8000"),
            Lines{});
  // Learned positions end as well.
  EXPECT_EQ(problems("llama-2-7b\n  prompt_tokens: 1000", "gpt-7.5b\n  prompt_tokens: 2000").size(),
            1U);
  EXPECT_EQ(problems("library:",
                     "load: {trace: \"arrival_s,prompt_tokens,output_tokens\\n0,9,9\\n"
                     "1,5000,9\"}\n  library:"),
            Lines{"i.yaml:6:17: inference.load.trace: 5000 tokens of a prompt and 9 of its answer "
                  "are 913 more than the 4096 of llama-2-7b's context; model.context sets a longer "
                  "one"});
}

TEST(BadInference, ASwingNeedsAWholePeriod) {
  EXPECT_EQ(problems("library:",
                     "requests_per_s: 2\n  load: {requests: 7199, swing: 0.5, period: "
                     "1 h}\n  library:"),
            Lines{"i.yaml:7:20: inference.load.requests: 7199 requests come in a part of the "
                  "swing's period of 60.0 min: 7200 cover it"});
  EXPECT_EQ(problems("library:",
                     "requests_per_s: 2\n  load: {requests: 7200, swing: 0.5, period: "
                     "1 h}\n  library:"),
            Lines{});
}

TEST(BadInference, IsAnsweredWithItsPlace) {
  EXPECT_EQ(problems("test", "test"), Lines{});
  EXPECT_EQ(problems("llama-2-7b", "t5-11b"),
            Lines{"i.yaml:3:10: inference.model: t5-11b has an encoder: only decoders are sized, "
                  "which write token by token"});
  EXPECT_EQ(problems("llama-2-7b", "nemotron-h-8b"), Lines{});
  EXPECT_EQ(
      problems("llama-2-7b", "{model: mixtral-8x7b, experts: {top_k: 20, every: 40}}"),
      (Lines{"i.yaml:3:49: inference.model.experts.top_k: a token cannot pass 20 of 8 experts",
             "i.yaml:3:60: inference.model.experts.every: no layer of 32 would have "
             "experts"}));
  EXPECT_EQ(
      problems("llama-2-7b", "{model: mixtral-8x7b, experts: {groups: 3, top_groups: 4}}"),
      (Lines{"i.yaml:3:50: inference.model.experts.groups: 8 experts are not divisible by 3 groups",
             "i.yaml:3:65: inference.model.experts.top_groups: a token cannot choose 4 of 3 "
             "groups"}));
  EXPECT_EQ(problems("llama-2-7b", "{model: mixtral-8x7b, experts: {groups: 8, top_groups: 1}}"),
            Lines{"i.yaml:3:65: inference.model.experts.top_groups: 1 of 8 groups have 1 experts, "
                  "fewer than the 2 that a token passes"});
  EXPECT_EQ(problems("output_tokens", "outptu_tokens"),
            Lines{"i.yaml:5:3: inference.outptu_tokens: unknown key; did you mean "
                  "'output_tokens'?"});
  EXPECT_EQ(problems("output_tokens: 101", "output_tokens: 0"),
            Lines{"i.yaml:5:18: inference.output_tokens: must be between 1 and 100000000, got 0"});
  EXPECT_EQ(
      problems("library:", "tp: 32\n  library:"),
      Lines{"i.yaml:6:7: inference.tp: 32 accelerators of a replica of the 16 in the cluster"});
  EXPECT_EQ(
      problems("library:", "tp: 3\n  library:"),
      Lines{"i.yaml:6:7: inference.tp: 32 attention heads of llama-2-7b are not divisible by 3"});
  EXPECT_EQ(problems("library:", "requests_per_s: 1\n  tokens_per_s: 1\n  library:"),
            Lines{"i.yaml:7:17: inference.tokens_per_s: conflicts with requests_per_s: set one of "
                  "them"});
  EXPECT_EQ(problems("library:", "prefix_on_storage: true\n  library:"),
            (Lines{"i.yaml:6:22: inference.prefix_on_storage: needs cluster.storage, which is "
                   "missing",
                   "i.yaml:6:22: inference.prefix_on_storage: has no effect without "
                   "prefix_hit_rate"}));
  EXPECT_EQ(
      problems("library:",
               "prefix_cache: {sizes: [2e6, 1e6], hit_rates: [0.2, 0.1], on_storage: true}\n"
               "  library:"),
      (Lines{"i.yaml:6:25: inference.prefix_cache.sizes: must ascend, the smallest first",
             "i.yaml:6:48: inference.prefix_cache.hit_rates: must not fall: a larger cache "
             "finds no less",
             "i.yaml:6:72: inference.prefix_cache.on_storage: needs cluster.storage, which is "
             "missing"}));
  EXPECT_EQ(
      problems("library:",
               "prefix_hit_rate: 0.1\n  prefix_cache: {sizes: [1e6], hit_rates: []}\n  library:"),
      (Lines{"i.yaml:7:17: inference.prefix_cache: says what prompts find and where: leave out "
             "prefix_hit_rate, prefix_on_storage and prefix_on_host",
             "i.yaml:7:43: inference.prefix_cache.hit_rates: has 0 rates for 1 sizes: give one "
             "for each"}));
  const std::string tier = "{model: dgx-h100-memory, capacity: 1 TB, name: ";
  EXPECT_EQ(
      problems("library:", "prefix_cache: {sizes: [1e6], hit_rates: [0.1], tiers: [" + tier +
                               "near}, " + tier + "storage}, " + tier + "near}]}\n  library:"),
      (Lines{"i.yaml:6:57: inference.prefix_cache.tiers[1].name: 'storage' names another "
             "place of the cache: give each its own",
             "i.yaml:6:57: inference.prefix_cache.tiers[2].name: 'near' names another place "
             "of the cache: give each its own"}));
  EXPECT_EQ(problems("nodes: 4",
                     "nodes: 4\n  storage: {node: powerscale-f600p, count: 2, switch: s5232f-on}"),
            Lines{"i.yaml:9:44: cluster.storage.count: a cluster of powerscale-f600p has 3 to 252 "
                  "nodes, got 2"});
  EXPECT_EQ(problems("library:", "time_to_first_token: 1 GB\n  library:"),
            Lines{"i.yaml:6:24: inference.time_to_first_token: expected time (such as s), got '1 "
                  "GB' (data)"});
}

}  // namespace
}  // namespace railwright::simulation
