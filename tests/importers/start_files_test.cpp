// SPDX-License-Identifier: Apache-2.0
// Files that start a service hold to their schemas, and are read back as what was sized.
#include "railwright/workloads/serving/start_files.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "imported.hpp"
#include "railwright/core/config/catalogue.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kStartCommand("serving-launch");

struct Sized {
  simulation::CheckedInference checked;
  simulation::InferenceResult result;

  [[nodiscard]] std::string file(std::string_view form) const {
    return simulation::start_file(form, checked, result);
  }
};

Sized sized(const std::vector<std::string>& settings) {
  core::Node tree = core::parse_yaml(
      "name: Chat (70B)\n"
      "inference: {model: llama-3.3-70b, weights: fp8, kv_cache: fp8, prompt_tokens: 1000,\n"
      "  output_tokens: 300, requests_per_s: 40, tp: 4, max_batch: 64, engine: vllm,\n"
      "  library: nccl-2.30, redundant_nodes: 0}\n"
      "cluster: {nodes: 8, node: dgx-h100, fabric: {topology: rail_optimized, switch: qm9700}}\n",
      "s.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  Sized made{simulation::read_inference(
                 tree, core::Catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"})),
             {}};
  made.result = simulation::simulate(made.checked);
  return made;
}

std::vector<core::Node> documents(const std::string& text) {
  std::vector<core::Node> list;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("---\n", begin), text.size());
    list.push_back(core::parse_yaml(text.substr(begin, end - begin), "file.yaml"));
    begin = end + 4;
  }
  return list;
}

const core::Node& at(const core::Node& node, const std::vector<std::string>& path) {
  const core::Node* found = &node;
  for (const std::string& key : path) {
    found = found->find(key);
    if (found == nullptr) throw std::runtime_error("no " + key);
  }
  return *found;
}

std::string text_at(const core::Node& node, const std::vector<std::string>& path) {
  return at(node, path).text;
}

/// Keys of a mapping that are none of `allowed`.
std::string strangers(const core::Node& node, const std::set<std::string>& allowed) {
  std::string names;
  for (const core::Entry& entry : node.entries) {
    if (!allowed.contains(entry.key)) names += entry.key + " ";
  }
  return names;
}

void expect_same(const Sized& service, const std::string& file) {
  const auto imported = importers::import_text(kStartCommand, file, "start.yaml");
  const models::Inference& inference = service.checked.inference;
  EXPECT_EQ(value(imported, "inference.engine.model"), inference.engine.name) << file;
  EXPECT_EQ(value(imported, "inference.model"), "~" + inference.model.name) << file;
  EXPECT_EQ(value(imported, "inference.tp"), std::to_string(service.result.tp)) << file;
  EXPECT_EQ(value(imported, "inference.engine.max_tokens"),
            std::to_string(inference.engine.max_tokens.value))
      << file;
  if (!service.result.disaggregated) {
    const std::string replicas = "replicas " + std::to_string(service.result.num_replicas) + ":";
    EXPECT_NE(not_expressed(imported).find(replicas), std::string::npos) << not_expressed(imported);
    return;
  }
  const auto& apart = *service.result.disaggregated;
  EXPECT_EQ(value(imported, "inference.disaggregated.prefill_tp"),
            std::to_string(apart.prefill_tp));
  EXPECT_EQ(value(imported, "inference.disaggregated.prefill_replicas"),
            std::to_string(apart.prefill_replicas));
  EXPECT_EQ(value(imported, "inference.disaggregated.decode_replicas"),
            std::to_string(apart.decode_replicas));
}

const std::vector<std::string> kApart{"inference.disaggregated={prefill_tp: 2}"};
const std::vector<std::string> kTwoNodes{"inference.model=deepseek-r1", "inference.tp=16",
                                         "inference.requests_per_s=4", "inference.engine=sglang"};

TEST(StartFiles, AreReadBackAsTheyWereWritten) {
  for (const char* engine : {"vllm", "sglang", "tensorrt-llm"}) {
    const Sized service = sized({std::string("inference.engine=") + engine});
    ASSERT_TRUE(service.result.feasible());
    ASSERT_GT(service.result.num_replicas, 1);
    expect_same(service, service.file("kubernetes"));
  }
  const Sized vllm = sized({});
  expect_same(vllm, vllm.file("llm-d"));
  expect_same(vllm, vllm.file("dynamo"));
  const Sized apart = sized(kApart);
  ASSERT_TRUE(apart.result.feasible());
  expect_same(apart, apart.file("llm-d"));
  expect_same(apart, apart.file("dynamo"));
  std::vector<std::string> settings = kApart;
  settings.emplace_back("inference.engine=sglang");
  const Sized sglang = sized(settings);
  expect_same(sglang, sglang.file("dynamo"));
}

// apps/v1 Deployment and v1 Service.
TEST(StartFiles, ADeploymentHasWhatKubernetesAsksFor) {
  const Sized service = sized({});
  const auto parts = documents(service.file("kubernetes"));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(text_at(parts[0], {"kind"}), "Deployment");
  EXPECT_EQ(text_at(parts[0], {"metadata", "name"}), "chat-70b");
  EXPECT_EQ(text_at(parts[0], {"spec", "replicas"}), std::to_string(service.result.num_replicas));
  EXPECT_EQ(text_at(parts[0], {"spec", "selector", "matchLabels", "app"}),
            text_at(parts[0], {"spec", "template", "metadata", "labels", "app"}));
  const core::Node& pod = at(parts[0], {"spec", "template", "spec"});
  EXPECT_EQ(strangers(pod, {"containers", "volumes"}), "");
  const core::Node& container = at(pod, {"containers"}).items.at(0);
  EXPECT_EQ(strangers(container, {"name", "image", "command", "args", "resources", "ports",
                                  "readinessProbe", "volumeMounts"}),
            "");
  EXPECT_EQ(text_at(container, {"resources", "limits", "nvidia.com/gpu"}), "4");
  EXPECT_EQ(text_at(parts[1], {"spec", "selector", "app"}), "chat-70b");
}

// The schema of leaderworkerset.x-k8s.io/v1 at kubernetes-sigs/lws 060ab4da.
TEST(StartFiles, AReplicaOverNodesIsALeaderWorkerSet) {
  const Sized service = sized(kTwoNodes);
  ASSERT_TRUE(service.result.feasible()) << service.result.infeasible.front();
  const std::string file = service.file("kubernetes");
  const auto parts = documents(file);
  EXPECT_EQ(text_at(parts[0], {"apiVersion"}), "leaderworkerset.x-k8s.io/v1");
  EXPECT_EQ(text_at(parts[0], {"kind"}), "LeaderWorkerSet");
  EXPECT_EQ(
      strangers(at(parts[0], {"spec"}), {"replicas", "leaderWorkerTemplate", "rolloutStrategy",
                                         "startupPolicy", "networkConfig"}),
      "");
  const core::Node& group = at(parts[0], {"spec", "leaderWorkerTemplate"});
  EXPECT_EQ(strangers(group, {"size", "restartPolicy", "leaderTemplate", "workerTemplate",
                              "subGroupPolicy", "volumeClaimTemplates"}),
            "");
  EXPECT_EQ(text_at(group, {"size"}), "2");
  EXPECT_EQ(text_at(group, {"restartPolicy"}), "RecreateGroupOnPodRestart");
  const core::Node& container = at(group, {"workerTemplate", "spec", "containers"}).items.at(0);
  EXPECT_EQ(text_at(container, {"resources", "limits", "nvidia.com/gpu"}), "8");
  EXPECT_EQ(container.find("readinessProbe"), nullptr);  // the leader answers
  EXPECT_NE(file.find("--nnodes 2 --node-rank \"$LWS_WORKER_INDEX\""), std::string::npos);
  expect_same(service, file);
}

// values.schema.json of llm-d-modelservice at 30519355: parallelism is closed.
TEST(StartFiles, ValuesOfLlmdKeepToItsSchema) {
  for (const Sized& service : {sized({}), sized(kApart)}) {
    const core::Node values = documents(service.file("llm-d")).at(0);
    EXPECT_EQ(
        strangers(values, {"accelerator", "common", "decode", "enabled", "extraObjects",
                           "fullnameOverride", "global", "modelArtifacts", "multinode", "prefill",
                           "requester", "routing", "serviceAccountOverride", "tracing"}),
        "");
    EXPECT_EQ(strangers(at(values, {"decode", "parallelism"}),
                        {"tensor", "data", "dataLocal", "workers"}),
              "");
    EXPECT_EQ(text_at(values, {"decode", "parallelism", "tensor"}), "4");
    EXPECT_EQ(text_at(values, {"multinode"}), "false");
    const core::Node& container = at(values, {"decode", "containers"}).items.at(0);
    EXPECT_EQ(text_at(container, {"modelCommand"}), "custom");
    EXPECT_NE(at(container, {"args"}).items.at(0).text.find("--port 8200"), std::string::npos);
    EXPECT_EQ(text_at(values, {"prefill", "create"}),
              service.result.disaggregated ? "true" : "false");
  }
}

// nvidia.com/v1alpha1 as the examples of ai-dynamo/dynamo 0044eb90 have it.
TEST(StartFiles, AGraphOfDynamoHasAFrontEndAndWorkers) {
  const core::Node graph = documents(sized(kApart).file("dynamo")).at(0);
  EXPECT_EQ(text_at(graph, {"apiVersion"}), "nvidia.com/v1alpha1");
  EXPECT_EQ(text_at(graph, {"kind"}), "DynamoGraphDeployment");
  EXPECT_EQ(text_at(graph, {"spec", "services", "Frontend", "componentType"}), "frontend");
  for (const char* worker : {"PrefillWorker", "DecodeWorker"}) {
    const core::Node& service = at(graph, {"spec", "services", worker});
    EXPECT_EQ(strangers(service, {"componentType", "subComponentType", "replicas", "multinode",
                                  "resources", "extraPodSpec"}),
              "");
    EXPECT_EQ(text_at(service, {"componentType"}), "worker");
    EXPECT_EQ(text_at(service, {"resources", "limits", "gpu"}),
              std::string(worker) == "PrefillWorker" ? "2" : "4");
  }
}

std::string start_refusal(const Sized& service, std::string_view form) {
  try {
    (void)service.file(form);
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(StartFiles, SayWhatTheyCannot) {
  EXPECT_NE(start_refusal(sized({}), "helm").find("no form of this name"), std::string::npos);
  EXPECT_NE(start_refusal(sized(kApart), "kubernetes").find("llm-d and dynamo"), std::string::npos);
  EXPECT_NE(start_refusal(sized({"inference.engine=sglang"}), "llm-d").find("vLLM"),
            std::string::npos);
  EXPECT_NE(start_refusal(sized({"inference.engine=tensorrt-llm"}), "dynamo").find("of its own"),
            std::string::npos);
  EXPECT_NE(start_refusal(sized({"inference.tp=1", "inference.weights=bf16"}), "kubernetes")
                .find("does not fit"),
            std::string::npos);
  std::vector<std::string> over_nodes = kTwoNodes;
  over_nodes.back() = "inference.engine=tensorrt-llm";
  EXPECT_NE(start_refusal(sized(over_nodes), "kubernetes").find("mpirun"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
