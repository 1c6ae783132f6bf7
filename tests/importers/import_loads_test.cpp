// SPDX-License-Identifier: Apache-2.0
// Loads of services and queues as benchmarks and published traces have them.
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kBenchmark("serving-benchmark");
const importers::ImportKind kTraceOfJobs("job-trace");
const importers::ImportKind kConversations("share-gpt");
const importers::ImportKind kRequestList("request-trace");

std::string trace_of(const importers::Imported& imported, const char* path) {
  const auto* found = find(imported, path);
  return found == nullptr ? "absent" : found->value.text;
}

bool asks(const importers::Imported& imported, std::string_view path) {
  return std::ranges::any_of(imported.not_known, [&](const importers::NotKnown& one) {
    return one.path == path && one.is_outside;
  });
}

TEST(ImportMooncake, MakesATraceAndCountsBlocks) {
  const auto imported = import_sample(kRequestList, "requests/mooncake.jsonl");
  EXPECT_EQ(trace_of(imported, "inference.load.trace"),
            "arrival_s,prompt_tokens,output_tokens\n"
            "0.000,1300,40\n1.500,1800,120\n4.000,500,20\n");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "1200");
  EXPECT_NE(not_expressed(imported).find("1 requests without an answer"), std::string::npos);
  // A prompt's first block was used last. Blocks 0 and 1 of the second prompt have room for 1 and 2
  // to come back to, block 0 of the last for 3: itself and those of the prompt before. Of 4,300
  // tokens 512, 1,024 and 1,524 are found.
  EXPECT_EQ(value(imported, "inference.prefix_cache.sizes"), "[1000, 2000]");
  EXPECT_EQ(value(imported, "inference.prefix_cache.hit_rates"), "[0.1191, 0.3544]");
  EXPECT_EQ(value(imported, "inference.prefix_cache.requests_per_s"), "0.75");
}

/// Returns a trace of `num_users` conversations of `num_turns` turns, in turn, each turn one block
/// longer than the last.
std::string conversations(int num_users, int num_turns) {
  std::string text;
  for (int turn = 1; turn <= num_turns; ++turn) {
    for (int user = 0; user < num_users; ++user) {
      std::string blocks;
      for (int i = 0; i < turn; ++i) {
        blocks += (i == 0 ? "" : ", ") + std::to_string(1000 * user + i);
      }
      text += R"({"timestamp": )" + std::to_string(1000 * (turn * num_users + user)) +
              R"(, "input_length": )" + std::to_string(512 * turn) +
              R"(, "output_length": 1, "hash_ids": [)" + blocks + "]}\n";
    }
  }
  return text;
}

// Between two turns of a user come those of the other seven: a cache without room for a block of
// each finds nothing, and one for the 39 blocks before the last user's last turn finds all that
// comes again.
TEST(ImportMooncake, CountsWhatOtherUsersPushOut) {
  const auto imported = importers::import_text(kRequestList, conversations(8, 5), "file");
  const std::string sizes = value(imported, "inference.prefix_cache.sizes");
  // A twelfth of the 80 blocks that come again needs room for 14.
  EXPECT_TRUE(sizes.starts_with("[8000, ")) << sizes;
  EXPECT_TRUE(sizes.ends_with(", 20000]")) << sizes;
  // Of 15 blocks of a user 1 + 2 + 3 + 4 came before.
  const std::string rates = value(imported, "inference.prefix_cache.hit_rates");
  EXPECT_TRUE(rates.ends_with(", 0.6667]")) << rates;
}

TEST(ImportMooncake, SaysEveryMistakeWithItsLine) {
  const std::string good =
      R"({"timestamp": 0, "input_length": 5, "output_length": 4, "hash_ids": [0]})";
  const std::string said =
      refusal(kRequestList, good + "\n" +
                                R"({"timestamp": -1, "input_length": 5.5, "output_length": "4"})" +
                                "\n{\"timestamp\": 1, \"input\n");
  EXPECT_NE(said.find("file:2:1: timestamp"), std::string::npos) << said;
  EXPECT_NE(said.find("file:2:1: input_length"), std::string::npos) << said;
  EXPECT_NE(said.find("file:2:1: output_length"), std::string::npos) << said;
  EXPECT_NE(said.find("file:3:1: no JSON"), std::string::npos) << said;
}

TEST(ImportServingBenchmark, ReadsVllm) {
  const auto imported = import_sample(kBenchmark, "serving_benchmark/vllm.json");
  EXPECT_EQ(value(imported, "inference.model"), "~llama-3.3-70b");
  EXPECT_EQ(value(imported, "inference.engine.model"), "~vllm");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "1000");
  EXPECT_EQ(value(imported, "inference.output_tokens"), "200");
  EXPECT_EQ(value(imported, "inference.load.prompt_spread"), "0.2");
  EXPECT_EQ(value(imported, "inference.load.output_spread"), "0");
  EXPECT_EQ(value(imported, "inference.requests_per_s"), "2.5");
  EXPECT_EQ(value(imported, "inference.load.arrivals"), "gamma");
  EXPECT_EQ(value(imported, "inference.load.burstiness"), "0.5");
  EXPECT_EQ(value(imported, "inference.load.requests"), "4");
  EXPECT_NE(not_expressed(imported).find("mean_ttft_ms 51"), std::string::npos);
}

TEST(ImportServingBenchmark, IsAScenarioOverAService) {
  const core::Catalogue catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  for (const char* base : {"serving-llama-3.3-70b.yaml", "inference-llama-2-70b.yaml"}) {
    for (const char* name : {"vllm.json", "guidellm.json", "inference_perf.json"}) {
      const auto parts =
          importers::import_files({{{}, sample(std::string("serving_benchmark/") + name)}});
      const auto problems = importers::import_problems(
          parts, core::load_yaml(std::string(RAILWRIGHT_SOURCE_DIR "/examples/") + base),
          catalogue);
      EXPECT_TRUE(problems.empty()) << name << core::to_string(problems.front());
    }
  }
}

TEST(ImportServingBenchmark, UsersTakeTheRatesPlace) {
  const std::string text = R"({"backend": "vllm", "model_id": "a/b", "num_prompts": 640,
    "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 64, "completed": 640,
    "total_input_tokens": 655360, "total_output_tokens": 64000})";
  const auto imported = importers::import_text(kBenchmark, text, "file");
  EXPECT_EQ(value(imported, "inference.load.concurrency"), "64");
  EXPECT_EQ(value(imported, "inference.requests_per_s"), "null");
  EXPECT_EQ(value(imported, "inference.load.arrivals"), "absent");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "1024");
  EXPECT_TRUE(is_unknown(imported, "inference.load.prompt_spread"));
}

TEST(ImportServingBenchmark, AsksWhichOfSeveralRuns) {
  const auto imported = import_sample(kBenchmark, "serving_benchmark/sglang.jsonl");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "921");
  EXPECT_EQ(value(imported, "inference.output_tokens"), "461");
  EXPECT_EQ(value(imported, "inference.load.concurrency"), "absent");
  EXPECT_TRUE(asks(imported, "inference.load"));
}

TEST(ImportServingBenchmark, ReadsGuideLlm) {
  const auto imported = import_sample(kBenchmark, "serving_benchmark/guidellm.json");
  EXPECT_EQ(value(imported, "inference.model"), "~qwen2.5-72b");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "512");
  EXPECT_EQ(value(imported, "inference.load.prompt_spread"), "0.25");
  EXPECT_EQ(value(imported, "inference.requests_per_s"), "4");
  EXPECT_EQ(value(imported, "inference.load.arrivals"), "poisson");
  EXPECT_EQ(value(imported, "inference.load.requests"), "95");
}

TEST(ImportServingBenchmark, ReadsInferencePerf) {
  const auto imported = import_sample(kBenchmark, "serving_benchmark/inference_perf.json");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "207");
  EXPECT_EQ(value(imported, "inference.output_tokens"), "229");
  EXPECT_EQ(value(imported, "inference.requests_per_s"), "2");
  EXPECT_TRUE(is_unknown(imported, "inference.model"));
}

TEST(ImportServingBenchmark, RefusesWhatTellsNothing) {
  EXPECT_NE(
      refusal(kBenchmark, R"({"request_rate": 1, "total_input_tokens": 0})").find("no lengths"),
      std::string::npos);
  EXPECT_NE(refusal(kBenchmark, R"({"request_rate": -1, "total_input_tokens": "x"})")
                .find("total_input_tokens: expected a number"),
            std::string::npos);
  EXPECT_NE(refusal(kBenchmark, R"({"request_rate": 1, "request_rate": 2})").find("twice"),
            std::string::npos);
  std::string deep = "{\"a\": ";
  for (int i = 0; i < 100; ++i) deep += "[";
  EXPECT_NE(refusal(kBenchmark, deep).find("nested"), std::string::npos);
}

TEST(ImportShareGpt, KnowsLettersAndAsksForTokens) {
  const auto imported = import_sample(kConversations, "share_gpt/conversations.json");
  EXPECT_EQ(value(imported, "inference.load.requests"), "2");
  EXPECT_TRUE(asks(imported, "inference.prompt_tokens"));
  EXPECT_TRUE(asks(imported, "inference.output_tokens"));
  // Prompts of 25 and 6 letters: 9.5 over 15.5.
  EXPECT_EQ(value(imported, "inference.load.prompt_spread"), "~0.6129");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "absent");
  EXPECT_NE(refusal(kConversations, R"([{"conversations": [{"from": "a", "value": ""}]}])")
                .find("no conversation"),
            std::string::npos);
}

TEST(ImportJobTrace, ReadsHelios) {
  const auto imported = import_sample(kTraceOfJobs, "job_trace/helios.csv");
  EXPECT_EQ(trace_of(imported, "queue.trace"),
            "submit_s,accelerators,duration_s,limit_s\n0,1,300,\n26,16,3600,\n");
  EXPECT_NE(not_expressed(imported).find("2 jobs without accelerators or time"), std::string::npos);
}

TEST(ImportJobTrace, ReadsAlibaba) {
  const auto imported = import_sample(kTraceOfJobs, "job_trace/openb.csv");
  EXPECT_EQ(trace_of(imported, "queue.trace"),
            "submit_s,accelerators,duration_s,limit_s\n0,1,600,\n50,1,290,\n100,8,3600,\n");
  EXPECT_NE(not_expressed(imported).find("1 jobs with a share of an accelerator"),
            std::string::npos);
  const auto tasks = importers::import_text(
      kTraceOfJobs,
      "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n"
      "a,worker,4.0,Terminated,100.0,400.0,600.0,29.3,50.0,T4\n"
      "b,worker,1.0,Running,200.0,,600.0,29.3,100.0,T4\n",
      "file");
  EXPECT_EQ(trace_of(tasks, "queue.trace"), "submit_s,accelerators,duration_s,limit_s\n0,2,300,\n");
}

TEST(ImportJobTrace, ReadsPhilly) {
  const auto imported = import_sample(kTraceOfJobs, "job_trace/philly.json");
  EXPECT_EQ(trace_of(imported, "queue.trace"),
            "submit_s,accelerators,duration_s,limit_s\n0,2,3660,\n600,2,600,\n");
  EXPECT_NE(not_expressed(imported).find("1 jobs ran more than once"), std::string::npos);
}

TEST(ImportJobTrace, IsAScenarioOverAQueue) {
  const core::Catalogue catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  const auto parts = importers::import_files({{{}, sample("job_trace/helios.csv")}});
  EXPECT_TRUE(importers::import_problems(
                  parts,
                  core::load_yaml(RAILWRIGHT_SOURCE_DIR "/examples/queue-month-2000-gpus.yaml"),
                  catalogue)
                  .empty());
}

TEST(ImportJobTrace, SaysEveryMistakeWithItsPlace) {
  const std::string head = "submit_time,start_time,end_time,gpu_num\n";
  const std::string said = refusal(kTraceOfJobs, head +
                                                     "5,4,9,1\n"
                                                     "1,2,1,1\n"
                                                     "1,2,soon,1\n"
                                                     "1,2,3,-1\n");
  for (const char* place : {"file:2:1", "file:3:1", "file:4:1", "file:5:1"}) {
    EXPECT_NE(said.find(place), std::string::npos) << place << said;
  }
  EXPECT_NE(refusal(kTraceOfJobs, "submit_time,start_time,end_time,gpu_num,gpu_num\n")
                .find("given twice"),
            std::string::npos);
  EXPECT_NE(refusal(kTraceOfJobs, "a,b\n").find("no columns"), std::string::npos);
  EXPECT_NE(refusal(kTraceOfJobs, head).find("no job"), std::string::npos);
  EXPECT_NE(refusal(kTraceOfJobs,
                    R"([{"submitted_time": "soon", "attempts": []}, {"submitted_time": "x"}])")
                .find("0.submitted_time"),
            std::string::npos);
}

TEST(ImportJobTrace, RefusesMoreThanAScenarioHolds) {
  std::string text = "submit_time,start_time,end_time,gpu_num\n";
  for (int i = 0; i < 300'000; ++i) text += "1000000,2000000,3000000,8\n";
  EXPECT_NE(refusal(kTraceOfJobs, text).find("300000 jobs are more than a scenario of 4 MiB"),
            std::string::npos);
}

TEST(ImportQuantization, ReadsWhatKeepsItsBits) {
  const importers::ImportKind kind("quantization");
  const auto kept = import_sample(kind, "quantization/nvfp4.json");
  EXPECT_EQ(value(kept, "inference.weights"), "fp4");
  EXPECT_EQ(value(kept, "inference.kv_cache"), "fp8");
  EXPECT_EQ(value(kept, "inference.dense_weights"), "~bf16");
  const auto all = importers::import_text(
      kind,
      R"({"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": null, "exclude_modules": ["lm_head"]}})",
      "file");
  EXPECT_EQ(value(all, "inference.weights"), "fp8");
  EXPECT_EQ(value(all, "inference.dense_weights"), "fp8");
  EXPECT_TRUE(is_unknown(all, "inference.kv_cache"));
}

TEST(ImportQuantization, LinearAttentionIsAPartOfTheLayers) {
  const auto imported = importers::import_text(importers::ImportKind("quantization"),
                                               R"({"quantization": {"quant_algo": "NVFP4",
          "exclude_modules": ["lm_head", "model.layers.0.linear_attn*"]}})",
                                               "file");
  EXPECT_EQ(value(imported, "inference.dense_weights"), "absent");
  EXPECT_TRUE(is_unknown(imported, "inference.dense_weights"));
}

TEST(ImportQuantization, AsksWhereLayersDiffer) {
  const importers::ImportKind kind("quantization");
  const auto mixed = importers::import_text(
      kind, R"({"quantization": {"quant_algo": "MIXED_PRECISION", "quantized_layers": {
               "layers.0.attn": {"quant_algo": "FP8"}}}})",
      "file");
  EXPECT_TRUE(asks(mixed, "inference.weights"));
  const auto experts = importers::import_text(
      kind, R"({"quantization": {"quant_algo": "MIXED_PRECISION", "quantized_layers": {
               "layers.0.ffn.experts": {"quant_algo": "NVFP4"},
               "layers.0.attn": {"quant_algo": "FP8"}}}})",
      "file");
  EXPECT_EQ(value(experts, "inference.weights"), "fp4");
  EXPECT_TRUE(is_unknown(experts, "inference.dense_weights"));
  EXPECT_TRUE(asks(importers::import_text(kind, R"({"quantization": {"quant_algo": "X"}})", "file"),
                   "inference.weights"));
  EXPECT_NE(refusal(kind, R"({"quantization": {}})").find("quant_algo"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
