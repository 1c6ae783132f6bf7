// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "imported.hpp"
#include "railwright/workloads/serving/launch.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kLaunch("serving-launch");

TEST(ImportServingLaunch, ReadsVllm) {
  const auto imported = import_sample(kLaunch, "serving_launch/vllm-llama-3.3-70b.txt");
  EXPECT_EQ(value(imported, "inference.engine.model"), "vllm");
  EXPECT_EQ(value(imported, "inference.model"), "~llama-3.3-70b");
  EXPECT_EQ(value(imported, "inference.tp"), "4");
  EXPECT_EQ(value(imported, "inference.weights"), "~fp8");  // of the checkpoint's name
  EXPECT_EQ(value(imported, "inference.kv_cache"), "fp8");
  EXPECT_EQ(value(imported, "inference.engine.max_batch"), "256");
  EXPECT_EQ(value(imported, "inference.engine.max_tokens"), "16384");
  EXPECT_EQ(value(imported, "inference.engine.overlaps_host"), "false");
  EXPECT_EQ(value(imported, "inference.memory_share"), "0.92");
  EXPECT_TRUE(is_unknown(imported, "inference.prompt_tokens"));
  EXPECT_EQ(not_expressed(imported), "enable_prefix_caching: passed over\n");
}

TEST(ImportServingLaunch, ReadsDataParallelAttentionOfSglang) {
  const auto imported = import_sample(kLaunch, "serving_launch/sglang-deepseek-r1.txt");
  EXPECT_EQ(value(imported, "inference.model"), "~deepseek-r1");
  EXPECT_EQ(value(imported, "inference.tp"), "8");
  EXPECT_EQ(value(imported, "inference.attention_dp"), "true");
  EXPECT_EQ(value(imported, "inference.ep"), "8");
  EXPECT_EQ(value(imported, "inference.max_batch"), "1024");  // of the eight together
  EXPECT_EQ(value(imported, "inference.engine.max_graph_batch"), "256");
  EXPECT_EQ(value(imported, "inference.engine.receive_interval"), "30");
  EXPECT_EQ(value(imported, "inference.engine.mixes_prompts"), "true");
  EXPECT_EQ(value(imported, "inference.weights"), "fp8");
  EXPECT_NE(not_expressed(imported).find("mem_fraction_static 0.88"), std::string::npos);
}

TEST(ImportServingLaunch, ReadsTensorRtLlmBehindDocker) {
  const auto imported = import_sample(kLaunch, "serving_launch/trtllm-qwen3.txt");
  EXPECT_EQ(value(imported, "inference.engine.model"), "tensorrt-llm");
  EXPECT_EQ(value(imported, "inference.model"), "~qwen3-235b-a22b");
  EXPECT_EQ(value(imported, "inference.weights"), "~fp4");
  EXPECT_EQ(value(imported, "inference.tp"), "8");
  EXPECT_EQ(value(imported, "inference.ep"), "8");
  EXPECT_EQ(value(imported, "inference.engine.max_batch"), "64");
  EXPECT_EQ(value(imported, "inference.engine.max_tokens"), "4096");
  EXPECT_NE(not_expressed(imported).find("extra_llm_api_options"), std::string::npos);
}

TEST(ImportServingLaunch, ReadsTheCommandThatStartsTheEngineAlone) {
  const auto imported = importers::import_text(kLaunch,
                                               "TP=8\nARGS=(\n  --kv-cache-dtype fp8\n)\n"
                                               "pip install -q datasets\n"
                                               "if [ -n \"$X\" ]; then EXTRA=\"--x 1\"; fi\n"
                                               "python3 -m sglang.launch_server \\\n"
                                               "  --model-path org/Llama-3.1-70B --tp $TP \\\n"
                                               "  ${ARGS[@]} > log 2>&1 &\n"
                                               "run_client --model other/Model --tp 2 \\\n"
                                               "  --kv-cache-dtype bf16\n",
                                               "file");
  EXPECT_EQ(value(imported, "inference.model"), "~llama-3.1-70b");
  EXPECT_EQ(value(imported, "inference.tp"), "8");
  EXPECT_EQ(value(imported, "inference.kv_cache"), "fp8");
}

TEST(ImportServingLaunch, PassesOverRequestsOfSeveralLines) {
  const auto imported = importers::import_text(kLaunch,
                                               "vllm serve Qwen/Qwen3-8B -tp 2 &\n"
                                               "curl localhost:8000/v1/completions -d '{\n"
                                               "  \"prompt\": \"Who?\"\n}' # it's x\n"
                                               "curl localhost:8000 -H \"a: {\n--tp 4\n}\"\n",
                                               "file");
  EXPECT_EQ(value(imported, "inference.tp"), "2");
  EXPECT_FALSE(is_unknown(imported, "inference.tp"));
}

TEST(ImportServingLaunch, SaysThatAScriptTrainsToo) {
  const std::string engine = "vllm serve Qwen/Qwen3-8B -tp 2 &\n";
  const auto both = importers::import_text(kLaunch, engine + "python train.py --lr 1\n", "file");
  EXPECT_EQ(value(both, "inference.tp"), "2");
  EXPECT_TRUE(is_unknown(both, "inference"));
  EXPECT_FALSE(is_unknown(importers::import_text(kLaunch, engine, "file"), "inference"));
}

TEST(ImportServingLaunch, ReadsDrafts) {
  const std::string path = "inference.speculative.draft_tokens";
  const auto sglang = [](const std::string& options) {
    return importers::import_text(
        kLaunch, "python3 -m sglang.launch_server --model-path org/M --tp 8 " + options, "file");
  };
  EXPECT_EQ(value(sglang("--speculative-algorithm EAGLE --speculative-num-steps 3 "
                         "--speculative-eagle-topk 1 --speculative-num-draft-tokens 4"),
                  path),
            "3");
  EXPECT_TRUE(is_unknown(sglang("--speculative-algorithm EAGLE --speculative-num-steps 3 "
                                "--speculative-eagle-topk 4"),
                         path));
  EXPECT_EQ(value(sglang(""), path), "absent");
  const auto vllm = [](const std::string& config) {
    return importers::import_text(
        kLaunch, "vllm serve org/M --tensor-parallel-size 8 --speculative-config " + config,
        "file");
  };
  EXPECT_EQ(value(vllm(R"('{"method": "mtp", "num_speculative_tokens": 2}')"), path), "2");
  EXPECT_TRUE(is_unknown(vllm(R"('{"method": "mtp", "num_speculative_tokens": $N}')"),
                         "--speculative-config"));
  EXPECT_EQ(value(vllm(R"('{"method": "mtp", "num_speculative_tokens": 2}' --quantization awq)"),
                  "inference.weights"),
            "~int4");
}

TEST(ImportServingLaunch, FindsTheModelBehindOptionsOfAContainer) {
  const auto imported = importers::import_text(
      kLaunch, "docker run --shm-size 16g image trtllm-serve nvidia/Llama-3.1-8B-FP8 --tp_size 2",
      "file");
  EXPECT_EQ(value(imported, "inference.model"), "~llama-3.1-8b");
  const auto named = importers::import_text(
      kLaunch, "docker run vllm/vllm-openai:latest --model Qwen/Qwen3-8B -tp=2", "file");
  EXPECT_EQ(value(named, "inference.model"), "~qwen3-8b");
  EXPECT_EQ(value(named, "inference.tp"), "2");
}

TEST(ImportServingLaunch, VllmCountsDataParallelRanksBesideTensorParallelOnes) {
  const auto spread = importers::import_text(
      kLaunch, "vllm serve q --data-parallel-size 8 --enable-expert-parallel", "file");
  EXPECT_EQ(value(spread, "inference.tp"), "8");
  EXPECT_EQ(value(spread, "inference.attention_dp"), "true");
  EXPECT_EQ(value(spread, "inference.ep"), "8");
  const auto replicas = importers::import_text(kLaunch, "vllm serve q -tp 2 -dp 4", "file");
  EXPECT_EQ(value(replicas, "inference.tp"), "2");
  EXPECT_NE(not_expressed(replicas).find("whole replicas"), std::string::npos);
  const auto both =
      importers::import_text(kLaunch, "vllm serve q -tp 2 -dp 4 --enable-expert-parallel", "file");
  EXPECT_TRUE(is_unknown(both, "inference.tp"));
}

TEST(ImportServingLaunch, GivesWayToTheConfigOfTheCheckpoint) {
  const auto parts =
      importers::import_files({{{}, sample("hugging_face/llama-3-70b.json")},
                               {{}, sample("serving_launch/vllm-llama-3.3-70b.txt")}});
  EXPECT_TRUE(parts.conflicts.empty());
  const core::Node* model = parts.tree.find("inference")->find("model");
  ASSERT_TRUE(model->is_mapping());
  EXPECT_EQ(core::to_yaml(*model->find("num_layers")), "80");
  EXPECT_EQ(parts.tree.find("workload"), nullptr);
}

TEST(ImportServingLaunch, SaysEveryMistakeWithItsPlace) {
  const std::string all =
      refusal(kLaunch, "vllm serve x --tensor-parallel-size two\n  --max-num-seqs 0");
  EXPECT_NE(all.find("file:1:37: tp_size: expected a whole number"), std::string::npos) << all;
  EXPECT_NE(refusal(kLaunch, "vllm serve x; python -m sglang.launch_server").find("both"),
            std::string::npos);
  EXPECT_NE(refusal(kLaunch, "echo nothing").find("no serving engine"), std::string::npos);
}

/// A service of a mixture on eight accelerators.
models::Inference service(std::string_view engine, core::Precision weights) {
  models::Inference inference;
  inference.model.experts.emplace();
  inference.engine.name = engine;
  inference.engine.max_tokens.value = 4096;
  inference.engine.receive_interval.value = 10;
  inference.weights = weights;
  inference.kv_cache = core::Precision::kFp8;
  return inference;
}

class LaunchLine : public testing::TestWithParam<simulation::LaunchArguments> {};

TEST_P(LaunchLine, IsReadBackAsItWasWritten) {
  const auto& engine = GetParam();
  for (const bool attention_dp : {false, true}) {
    const models::ReplicaLayout layout{.size = 8, .attention_dp = attention_dp, .ep = 8};
    const std::string line =
        simulation::launch_line(service(engine.engine, core::Precision::kFp8), layout, 96);
    const auto imported = importers::import_text(kLaunch, line, "file");
    EXPECT_EQ(value(imported, "inference.engine.model"), engine.engine) << line;
    EXPECT_EQ(value(imported, "inference.engine.max_tokens"), "4096") << line;
    EXPECT_EQ(value(imported, "inference.tp"), "8") << line;
    EXPECT_EQ(value(imported, "inference.ep"), "8") << line;
    if (!engine.receive_interval.empty()) {
      EXPECT_EQ(value(imported, "inference.engine.receive_interval"), "10") << line;
      EXPECT_EQ(value(imported, "inference.engine.mixes_prompts"), "true") << line;
    }
    const char* batch =
        engine.batch_of_replica ? "inference.max_batch" : "inference.engine.max_batch";
    EXPECT_EQ(value(imported, batch), attention_dp && !engine.batch_of_replica ? "12" : "96")
        << line;
    if (engine.kv_cache.empty()) {
      EXPECT_EQ(line.find("enable_attention_dp") != std::string::npos, attention_dp) << line;
    } else {
      EXPECT_EQ(value(imported, "inference.attention_dp"), attention_dp ? "true" : "~false");
      EXPECT_EQ(value(imported, "inference.kv_cache"), "fp8") << line;
      EXPECT_EQ(value(imported, "inference.weights"), "fp8") << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, LaunchLine,
                         testing::ValuesIn(simulation::launch_arguments().begin(),
                                           simulation::launch_arguments().end()),
                         [](const auto& one) {
                           std::string name(one.param.engine);
                           std::erase(name, '-');
                           return name;
                         });

TEST(LaunchLine, IsEmptyWhereTheEngineCannotSayIt) {
  const models::ReplicaLayout half{.size = 8, .ep = 4};
  EXPECT_EQ(simulation::launch_line(service("vllm", core::Precision::kBf16), half, 8), "");
  EXPECT_NE(simulation::launch_line(service("sglang", core::Precision::kBf16), half, 8), "");
  EXPECT_EQ(simulation::launch_line(service("my own", core::Precision::kBf16), half, 8), "");
}

/// The option stands there, and its value comes from whoever starts the script.
TEST(ImportServingLaunch, AValueFromOutsideIsNoDefault) {
  const auto imported = importers::import_text(
      kLaunch, "python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp $RANKS", "file");
  EXPECT_EQ(value(imported, "inference.tp"), "absent");
  EXPECT_TRUE(is_unknown(imported, "--tp"));
  EXPECT_TRUE(std::ranges::any_of(imported.not_known, &importers::NotKnown::is_outside));
  const auto inside = importers::import_text(
      kLaunch, "vllm serve Qwen/Qwen3-8B --tensor-parallel-size ${RANKS:-2}", "file");
  EXPECT_EQ(value(inside, "inference.tp"), "2");
  EXPECT_FALSE(std::ranges::any_of(inside.not_known, &importers::NotKnown::is_outside));
}

TEST(ImportServingLaunch, RedirectionsAreNoValues) {
  const auto imported = importers::import_text(
      kLaunch, "vllm serve Qwen/Qwen3-8B -tp 2 --max-num-seqs 64 > /tmp/out.log 2>&1 &\n", "file");
  EXPECT_EQ(value(imported, "inference.tp"), "2");
  EXPECT_EQ(value(imported, "inference.engine.max_batch"), "64");
}

constexpr const char* kManifest = R"(apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 2
  template:
    spec:
      containers:
      - image: vllm/vllm-openai:latest
        args: ["--model", "Qwen/Qwen3-32B",
               "--tensor-parallel-size=4", "--max-num-seqs", "96"]
        resources:
          limits: {nvidia.com/gpu: 4}
---
apiVersion: v1
kind: Service
spec: {ports: [{port: 80}]}
)";

TEST(ImportServingLaunch, ReadsTheContainerOfAManifest) {
  const auto imported = importers::import_text(kLaunch, kManifest, "file");
  EXPECT_EQ(value(imported, "inference.model"), "~qwen3-32b");
  EXPECT_EQ(value(imported, "inference.tp"), "4");
  EXPECT_EQ(value(imported, "inference.engine.max_batch"), "96");
  EXPECT_NE(not_expressed(imported).find("replicas 2"), std::string::npos);
  EXPECT_NE(not_expressed(imported).find("4 accelerators a container"), std::string::npos);
}

TEST(ImportServingLaunch, ReadsTheScriptOfAManifest) {
  const auto imported = importers::import_text(kLaunch, R"(apiVersion: v1
kind: Pod
spec:
  containers:
  - image: lmsysorg/sglang:latest
    command: [bash, -c]
    args:
    - |
      export RANKS=8
      python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --tp $RANKS
)",
                                               "file");
  EXPECT_EQ(value(imported, "inference.tp"), "8");
  EXPECT_EQ(value(imported, "inference.model"), "~deepseek-r1");
}

TEST(ImportServingLaunch, RefusesWhatSaysNothing) {
  for (const char* text :
       {"apiVersion: v1\nkind: Pod\nimage: vllm/vllm-openai\nargs: [\"--port\", \"80\"]\n",
        "docker run vllm/vllm-openai --port 8000",
        "apiVersion: v1\nkind: Pod\nargs: [vllm serve, \"{{ .Values.model }}\"]\n"}) {
    EXPECT_THROW(importers::import_text(kLaunch, text, "file"), core::ConfigError) << text;
  }
}

TEST(ImportServingLaunch, ReadsDynamosTwoPools) {
  const auto imported = import_sample(kLaunch, "serving_launch/dynamo-disaggregated.yaml");
  EXPECT_EQ(value(imported, "inference.model"), "~llama-3.3-70b");
  EXPECT_EQ(value(imported, "inference.tp"), "4");
  EXPECT_EQ(value(imported, "inference.disaggregated.prefill_tp"), "2");
  EXPECT_EQ(value(imported, "inference.disaggregated.prefill_replicas"), "2");
  EXPECT_EQ(value(imported, "inference.disaggregated.decode_replicas"), "3");
}

TEST(ImportServingLaunch, ReadsTheWordsOfAListAndTheVariablesOfItsContainer) {
  const std::string text =
      "# a comment: with a colon\n---\napiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: "
      "3\n"
      "  template:\n    spec:\n      containers:\n      - name: server\n        image: site/own:1\n"
      "        command:\n        - vllm\n        - serve\n        args:\n"
      "        - $(MODEL_ID)\n        - --tensor-parallel-size=$(TP)\n        env:\n"
      "        - name: MODEL_ID\n          value: meta-llama/Llama-3.1-70B-Instruct\n"
      "        - name: TP\n          value: \"4\"\n"
      "---\nkind: Secret\ndata: {{ TOKEN }}\n";
  EXPECT_EQ(importers::detect_import_kind(text), kLaunch);
  const auto imported = importers::import_text(kLaunch, text, "file");
  EXPECT_EQ(value(imported, "inference.model"), "~llama-3.1-70b");
  EXPECT_EQ(value(imported, "inference.tp"), "4");
}

TEST(ImportServingLaunch, ReadsRayServe) {
  const std::string applications =
      "applications:\n- import_path: ray.serve.llm:build_openai_app\n  args:\n    llm_configs:\n"
      "    - model_loading_config: {model_id: r1, model_source: deepseek-ai/DeepSeek-R1}\n"
      "      engine_kwargs: {tensor_parallel_size: 8, pipeline_parallel_size: 2, max_num_seqs: 40,"
      " enforce_eager: true, enable_prefix_caching: false}\n";
  std::string service = "apiVersion: ray.io/v1\nkind: RayService\nspec:\n  serveConfigV2: |\n";
  std::istringstream lines(applications);
  for (std::string line; std::getline(lines, line);) service += "    " + line + "\n";
  for (const std::string& text : {applications, service}) {
    EXPECT_EQ(importers::detect_import_kind(text), kLaunch);
    const auto imported = importers::import_text(kLaunch, text, "file");
    EXPECT_EQ(value(imported, "inference.model"), "~deepseek-r1");
    EXPECT_EQ(value(imported, "inference.tp"), "8");
    EXPECT_EQ(value(imported, "inference.pp"), "2");
    EXPECT_EQ(value(imported, "inference.engine.max_batch"), "40");
    EXPECT_EQ(value(imported, "inference.engine.max_graph_batch"), "0");
  }
}

TEST(ImportServingLaunch, ReadsMappingsAndTruthsOfRayServe) {
  const auto imported = importers::import_text(
      kLaunch,
      "applications:\n- args:\n    llm_configs:\n"
      "    - model_loading_config: {model_id: deepseek-ai/DeepSeek-R1}\n"
      "      engine_kwargs: {enforce_eager: True, enable_prefix_caching: False,\n"
      "        speculative_config: {method: \"d'mtp\", num_speculative_tokens: 3},\n"
      "        tensor_parallel_size: 8}\n",
      "file");
  EXPECT_EQ(value(imported, "inference.engine.max_graph_batch"), "0");
  EXPECT_EQ(value(imported, "inference.speculative.draft_tokens"), "3");
  EXPECT_EQ(value(imported, "inference.tp"), "8");
}

TEST(ImportServingLaunch, RefusesAChoiceThatIsNoNameAndValue) {
  const std::string text =
      "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - {image: vllm/vllm-openai, args: "
      "[serve, "
      "Qwen/Qwen3-8B, --tensor-parallel-size, '${TP}']}\n";
  EXPECT_TRUE(kLaunch->choose(text, "f", {.variables = {"TP=2"}, .recipe = ""}));
  for (const char* choice : {"TP", "=2", "TP=2\n3"}) {
    EXPECT_THROW(kLaunch->choose(text, "f", {.variables = {choice}, .recipe = ""}),
                 core::ConfigError)
        << choice;
  }
}

TEST(ImportServingLaunch, ReadsAModelOfKubeAi) {
  const std::string text =
      "apiVersion: kubeai.org/v1\nkind: Model\nmetadata: {name: llama}\nspec:\n"
      "  url: hf://meta-llama/Llama-3.1-70B-Instruct\n  engine: VLLM\n"
      "  args: [--tensor-parallel-size=2]\n  resourceProfile: nvidia-gpu-h100:2\n";
  const auto imported = importers::import_text(kLaunch, text, "file");
  EXPECT_EQ(value(imported, "inference.tp"), "2");
  EXPECT_NE(not_expressed(imported).find("2 accelerators a container"), std::string::npos);
  EXPECT_NE(refusal(kLaunch, "apiVersion: kubeai.org/v1\nkind: Model\nspec: {engine: OLlama}\n")
                .find("no serving engine"),
            std::string::npos);
}

TEST(ImportServingLaunch, MergesWhatAServiceOfComposeShares) {
  const auto imported = importers::import_text(
      kLaunch,
      "x-engine: &engine\n  image: vllm/vllm-openai:v1\n  command: --model a/b -tp 2\nservices:\n"
      "  one:\n    <<: *engine\n    command: --model a/b -tp 4\n  web: {image: site/web}\n",
      "file");
  EXPECT_EQ(value(imported, "inference.tp"), "4");
}

TEST(ImportServingLaunch, AnImageWithAnotherCommandStartsNoEngine) {
  const std::string text =
      "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai\n    command: "
      "[vllm, serve, a/b, -tp, '8']\n  - image: vllm/vllm-openai\n    command: [ray, start]\n";
  EXPECT_EQ(value(importers::import_text(kLaunch, text, "file"), "inference.tp"), "8");
}

TEST(ImportServingLaunch, FillsTheTemplateOfAManifestWithWhatIsChosen) {
  const std::string text =
      "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai\n    args: "
      "[--model, a/b, -tp, {{ .Values.tp }}, --max-num-seqs, \"${SEQUENCES}\"]\n";
  const std::string message = refusal(kLaunch, text);
  EXPECT_NE(message.find("file:6:31: a template, whose values are filled in elsewhere: "
                         "{{ .Values.tp }}"),
            std::string::npos)
      << message;
  const auto chosen =
      kLaunch->choose(text, "file", {.variables = {"tp=8", "SEQUENCES=64"}, .recipe = ""});
  ASSERT_TRUE(chosen.has_value());
  const auto imported = importers::import_text(kLaunch, *chosen, "file");
  EXPECT_EQ(value(imported, "inference.tp"), "8");
  EXPECT_EQ(value(imported, "inference.engine.max_batch"), "64");
  EXPECT_FALSE(kLaunch->choose(text, "file", {.variables = {"OTHER=8"}, .recipe = ""}).has_value());
}

TEST(ImportServingLaunch, RefusesContainersThatStartEnginesEachInItsOwnWay) {
  const auto container = [](const char* tp) {
    return std::string("      - image: vllm/vllm-openai\n        args: [--model, a/b, -tp, ") + tp +
           "]\n";
  };
  const std::string head =
      "apiVersion: v1\nkind: Deployment\nspec:\n  replicas: 2\n  template:\n    spec:\n      "
      "containers:\n";
  EXPECT_NE(
      refusal(kLaunch, head + container("2") + container("4")).find("2 containers start engines"),
      std::string::npos);
  const auto alike =
      importers::import_text(kLaunch, head + container("2") + container("2"), "file");
  EXPECT_EQ(value(alike, "inference.tp"), "2");
}

TEST(ImportServingLaunch, AFileOfOptionsMayTellTheDivision) {
  const auto imported = importers::import_text(
      kLaunch, "trtllm-serve nvidia/Qwen3-8B --extra_llm_api_options options.yaml\n", "file");
  EXPECT_EQ(value(imported, "inference.tp"), "absent");
  EXPECT_TRUE(is_unknown(imported, "inference.tp"));
  EXPECT_EQ(
      value(importers::import_text(kLaunch, "vllm serve a/b --config options.yaml -tp 4\n", "file"),
            "inference.tp"),
      "4");
}

}  // namespace
}  // namespace railwright::test
