// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/serving/start_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/error.hpp"
#include "railwright/workloads/serving/launch.hpp"

namespace railwright::simulation {

namespace {

constexpr int kPort = 8000;
/// Port behind the proxy that llm-d puts before replicas for answers: its chart's targetPort.
constexpr int kBehindProxy = 8200;
/// Port over which the parts of a SGLang replica find one another.
constexpr int kMeeting = 20000;

/// Starts the containers of an engine.
struct EngineImage {
  std::string_view engine;
  std::string_view image;
  std::string_view over_nodes;  ///< arguments of a replica that fills several nodes; "": none
  std::string_view before;      ///< in front of such a command
  std::string_view dynamo;      ///< module of Dynamo; "": its arguments are others
  std::string_view dynamo_model;
  std::string_view dynamo_image;
};

// The controller of LeaderWorkerSets tells each pod its place and its leader. [@lws_crd]
constexpr auto kImages = std::to_array<EngineImage>(
    {{.engine = "vllm",
      .image = "vllm/vllm-openai",
      .over_nodes =
          R"( --node-rank "$LWS_WORKER_INDEX" --master-addr "$LWS_LEADER_ADDRESS" $QUIET)",
      .before = R"([ "$LWS_WORKER_INDEX" = 0 ] || QUIET=--headless)",
      .dynamo = "dynamo.vllm",
      .dynamo_model = "--model",
      .dynamo_image = "nvcr.io/nvidia/ai-dynamo/vllm-runtime"},
     {.engine = "sglang",
      .image = "lmsysorg/sglang",
      .over_nodes =
          R"( --node-rank "$LWS_WORKER_INDEX" --dist-init-addr "$LWS_LEADER_ADDRESS:20000")",
      .dynamo = "dynamo.sglang",
      .dynamo_model = "--model-path",
      .dynamo_image = "nvcr.io/nvidia/ai-dynamo/sglang-runtime"},
     {.engine = "tensorrt-llm", .image = "nvcr.io/nvidia/tensorrt-llm/release"}});
static_assert(kMeeting == 20000, "stands in the arguments above");

/// Replicas of one kind.
struct StartRole {
  std::string name;
  LaunchRole role = LaunchRole::kBoth;
  std::string line;
  std::int64_t replicas = 1;
  int pods = 1;    ///< nodes that a replica fills
  int of_pod = 1;  ///< accelerators of a pod
  int tp = 1;
};

/// Holds what the files say.
struct StartPlan {
  std::string name;
  std::string model;
  std::string accelerator;  ///< resource that a pod asks for
  const EngineImage& image;
  std::vector<StartRole> roles;
  std::int64_t redundant_nodes = 0;
};

[[noreturn]] void refuse(std::string_view form, std::string message, std::string hint) {
  throw core::ConfigError(
      {{{fmt::format("--start {}", form)}, "", std::move(message), std::move(hint)}});
}

/// Returns a name as Kubernetes allows it: small letters, digits and dashes.
std::string label_of(std::string_view name) {
  constexpr std::size_t kLongest = 40;
  std::string label;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      label += static_cast<char>(std::tolower(letter));
    } else if (!label.empty() && label.back() != '-') {
      label += '-';
    }
  }
  if (label.size() > kLongest) {  // whole words
    label.resize(kLongest + 1);
    label.resize(std::min(label.rfind('-'), kLongest));
  }
  while (!label.empty() && label.back() == '-') label.pop_back();
  const bool begins_well =
      !label.empty() && std::isalpha(static_cast<unsigned char>(label[0])) != 0;
  return begins_well ? label : "service" + (label.empty() ? "" : "-" + label);
}

std::string with_model(std::string line, std::string_view model) {
  constexpr std::string_view kPlace = " MODEL";
  const std::size_t place = line.find(kPlace);
  if (place != std::string::npos) line.replace(place + 1, kPlace.size() - 1, model);
  return line;
}

StartPlan plan_of(std::string_view form, const CheckedInference& checked,
                  const InferenceResult& result) {
  if (!result.feasible()) refuse(form, "the service does not fit", "simulate says what is missing");
  const models::Inference& inference = checked.inference;
  const auto image = std::ranges::find(kImages, inference.engine.name, &EngineImage::engine);
  const std::size_t num_kinds = result.disaggregated ? 2 : 1;
  if (image == kImages.end() || result.launch.size() != num_kinds) {
    refuse(form,
           fmt::format("no command line of '{}' can say this division", inference.engine.name),
           "vllm, sglang and tensorrt-llm are known");
  }
  const auto& node = checked.cluster.cluster.node;
  StartPlan plan{
      .name = label_of(result.name),
      .model = inference.model.name,
      .accelerator = node.accelerator.name.starts_with("mi") ? "amd.com/gpu" : "nvidia.com/gpu",
      .image = *image,
      .roles = {},
      .redundant_nodes = result.num_nodes - result.nodes_for_load};
  const auto put = [&](std::string_view name, LaunchRole role, std::int64_t replicas,
                       const models::ReplicaSize& size) {
    const int accelerators = size.num_accelerators();
    const int pods = core::ceil_div(accelerators, node.num_accelerators.value);
    plan.roles.push_back({.name = std::string(name),
                          .role = role,
                          .line = with_model(result.launch[plan.roles.size()], plan.model),
                          .replicas = std::max<std::int64_t>(replicas, 1),
                          .pods = pods,
                          .of_pod = accelerators / pods,
                          .tp = size.tp});
  };
  if (!result.disaggregated) {
    put("serve", LaunchRole::kBoth, result.num_replicas, result.replica_size());
    return plan;
  }
  put("prefill", LaunchRole::kPrompts, result.disaggregated->prefill_replicas,
      {.tp = result.disaggregated->prefill_tp});
  put("decode", LaunchRole::kAnswers, result.disaggregated->decode_replicas, result.replica_size());
  return plan;
}

/// Lines of a file, each with its depth.
class Page {
 public:
  Page& line(int depth, std::string_view text) {
    text_ += std::string(static_cast<std::size_t>(2 * depth), ' ');
    text_ += text;
    text_ += '\n';
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

Page opened(const StartPlan& plan) {
  Page page;
  page.line(0, fmt::format(
                   "# {}: the name or the folder of its checkpoint stands for it in the commands.",
                   plan.model));
  page.line(0, "# Name a version of the images.");
  if (plan.redundant_nodes > 0) {
    page.line(0, fmt::format("# Replicas are those for the load; {} redundant node{} stand{} by.",
                             plan.redundant_nodes, plan.redundant_nodes == 1 ? "" : "s",
                             plan.redundant_nodes == 1 ? "s" : ""));
  }
  return page;
}

/// Adds the command: a script, as some arguments are files that the shell makes.
void add_command(const StartRole& role, const EngineImage& image, int port, int depth, Page& page) {
  page.line(depth, "command: [bash, -c]").line(depth, "args:").line(depth + 1, "- |");
  const bool is_over_nodes = role.pods > 1;
  if (is_over_nodes && !image.before.empty()) page.line(depth + 2, image.before);
  std::string command = fmt::format("exec {} --host 0.0.0.0 --port {}", role.line, port);
  if (is_over_nodes) command += fmt::format(" --nnodes {}{}", role.pods, image.over_nodes);
  page.line(depth + 2, command);
}

void add_resources(const StartPlan& plan, const StartRole& role, int depth, Page& page) {
  page.line(depth, "resources:")
      .line(depth + 1, "limits:")
      .line(depth + 2, fmt::format("{}: \"{}\"", plan.accelerator, role.of_pod));
}

/// Adds a pod: one container of the engine, with shared memory for its processes.
void add_pod(const StartPlan& plan, const StartRole& role, bool answers_http, int depth,
             Page& page) {
  page.line(depth, "spec:")
      .line(depth + 1, "containers:")
      .line(depth + 2, fmt::format("- name: {}", plan.image.engine))
      .line(depth + 3, fmt::format("image: {}", plan.image.image));
  add_command(role, plan.image, kPort, depth + 3, page);
  add_resources(plan, role, depth + 3, page);
  if (answers_http) {
    page.line(depth + 3, "ports:")
        .line(depth + 4, fmt::format("- containerPort: {}", kPort))
        .line(depth + 3, "readinessProbe:")
        .line(depth + 4, "httpGet:")
        .line(depth + 5, "path: /health")
        .line(depth + 5, fmt::format("port: {}", kPort));
  }
  page.line(depth + 3, "volumeMounts:")
      .line(depth + 4, "- name: shm")
      .line(depth + 5, "mountPath: /dev/shm")
      .line(depth + 1, "volumes:")
      .line(depth + 2, "- name: shm")
      .line(depth + 3, "emptyDir:")
      .line(depth + 4, "medium: Memory");
}

void add_metadata(std::string_view name, int depth, Page& page) {
  page.line(depth, "metadata:").line(depth + 1, fmt::format("name: {}", name));
}

void add_labels(std::string_view name, std::string_view role, int depth, Page& page) {
  page.line(depth, "metadata:")
      .line(depth + 1, "labels:")
      .line(depth + 2, fmt::format("app: {}", name));
  if (!role.empty()) page.line(depth + 2, fmt::format("role: {}", role));
}

/// Replicas within a node are pods of a Deployment.
void add_deployment(const StartPlan& plan, const StartRole& role, Page& page) {
  page.line(0, "apiVersion: apps/v1").line(0, "kind: Deployment");
  add_metadata(plan.name, 0, page);
  page.line(0, "spec:")
      .line(1, fmt::format("replicas: {}", role.replicas))
      .line(1, "selector:")
      .line(2, "matchLabels:")
      .line(3, fmt::format("app: {}", plan.name))
      .line(1, "template:");
  add_labels(plan.name, "", 2, page);
  add_pod(plan, role, true, 2, page);
}

/// A replica over several nodes is a group of pods, of which the leader answers.
void add_leader_worker_set(const StartPlan& plan, const StartRole& role, Page& page) {
  page.line(0, "apiVersion: leaderworkerset.x-k8s.io/v1").line(0, "kind: LeaderWorkerSet");
  add_metadata(plan.name, 0, page);
  page.line(0, "spec:")
      .line(1, fmt::format("replicas: {}", role.replicas))
      .line(1, "leaderWorkerTemplate:")
      .line(2, fmt::format("size: {}", role.pods))
      .line(2, "restartPolicy: RecreateGroupOnPodRestart")
      .line(2, "leaderTemplate:");
  add_labels(plan.name, "leader", 3, page);
  add_pod(plan, role, true, 3, page);
  page.line(2, "workerTemplate:");
  add_pod(plan, role, false, 3, page);
}

void refuse_mpi(std::string_view form, const StartPlan& plan, const StartRole& role) {
  if (role.pods == 1 || !plan.image.over_nodes.empty()) return;
  refuse(form,
         fmt::format("a replica of {} fills {} nodes, which mpirun starts", plan.image.engine,
                     role.pods),
         "take vllm or sglang, or a division within a node");
}

std::string kubernetes(std::string_view form, const StartPlan& plan) {
  if (plan.roles.size() > 1) {
    refuse(form, "nothing here sends a prompt to one replica and its answer to another",
           "llm-d and dynamo do");
  }
  const StartRole& role = plan.roles.front();
  refuse_mpi(form, plan, role);
  Page page = opened(plan);
  role.pods > 1 ? add_leader_worker_set(plan, role, page) : add_deployment(plan, role, page);
  page.line(0, "---").line(0, "apiVersion: v1").line(0, "kind: Service");
  add_metadata(plan.name, 0, page);
  page.line(0, "spec:").line(1, "selector:").line(2, fmt::format("app: {}", plan.name));
  if (role.pods > 1) page.line(2, "role: leader");
  page.line(1, "ports:")
      .line(2, "- name: http")
      .line(3, fmt::format("port: {}", kPort))
      .line(3, fmt::format("targetPort: {}", kPort));
  return page.text();
}

/// Values of llm-d's chart, which makes Deployments, or with `multinode` LeaderWorkerSets.
std::string llm_d(std::string_view form, const StartPlan& plan) {
  if (plan.image.engine != "vllm") {
    refuse(form,
           fmt::format("its proxy hands prompts on between replicas of vLLM, not of {}",
                       plan.image.engine),
           "--set inference.engine.model=vllm");
  }
  Page page = opened(plan);
  const bool is_over_nodes =
      std::ranges::any_of(plan.roles, [](const StartRole& role) { return role.pods > 1; });
  page.line(0, fmt::format("fullnameOverride: {}", plan.name))
      .line(0, "modelArtifacts:")
      .line(1, fmt::format("name: {}", plan.model))
      .line(1, fmt::format("uri: hf://{}", plan.model))
      .line(0, fmt::format("multinode: {}", is_over_nodes))
      .line(0, "accelerator:")
      .line(1, fmt::format("type: {}", plan.accelerator.starts_with("amd") ? "amd" : "nvidia"));
  for (const StartRole& role : plan.roles) {
    const bool is_for_prompts = role.role == LaunchRole::kPrompts;
    page.line(0, is_for_prompts ? "prefill:" : "decode:")
        .line(1, "create: true")
        .line(1, fmt::format("replicas: {}", role.replicas))
        .line(1, "parallelism:")
        .line(2, fmt::format("tensor: {}", role.of_pod))
        .line(2, fmt::format("workers: {}", role.pods))
        .line(1, "containers:")
        .line(2, fmt::format("- name: {}", plan.image.engine))
        .line(3, fmt::format("image: {}", plan.image.image))
        .line(3, "modelCommand: custom");
    add_command(role, plan.image, is_for_prompts ? kPort : kBehindProxy, 3, page);
    add_resources(plan, role, 3, page);
  }
  if (plan.roles.size() == 1) page.line(0, "prefill:").line(1, "create: false");
  return page.text();
}

/// Returns the words of a command line; what stands in single quotes is one.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool is_quoted = false;
  bool is_open = false;
  for (const char c : line) {
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (c == ' ' && !is_quoted) {
      is_open = false;
    } else {
      if (!is_open) words.emplace_back();
      is_open = true;
      words.back() += c;
    }
  }
  return words;
}

/// A graph of Dynamo: a front end, and workers. [@dynamo_crd]
std::string dynamo(std::string_view form, const StartPlan& plan) {
  const EngineImage& image = plan.image;
  const LaunchArguments& engine = *launch_arguments(image.engine);
  if (image.dynamo.empty()) {
    refuse(form, fmt::format("its command for {} has arguments of its own", image.engine),
           "take vllm or sglang");
  }
  Page page = opened(plan);
  page.line(0, "apiVersion: nvidia.com/v1alpha1").line(0, "kind: DynamoGraphDeployment");
  add_metadata(plan.name, 0, page);
  page.line(0, "spec:")
      .line(1, "services:")
      .line(2, "Frontend:")
      .line(3, "componentType: frontend")
      .line(3, "replicas: 1")
      .line(3, "extraPodSpec:")
      .line(4, "mainContainer:")
      .line(5, fmt::format("image: {}", image.dynamo_image))
      .line(5, "command: [python3, -m, dynamo.frontend]");
  for (const StartRole& role : plan.roles) {
    const bool is_for_prompts = role.role == LaunchRole::kPrompts;
    std::string arguments = role.line.substr(engine.command.size());
    if (engine.role != "disaggregation_mode" && role.role != LaunchRole::kBoth) {
      arguments += fmt::format(" --disaggregation-mode {}", role.name);
    }
    page.line(2, is_for_prompts ? "PrefillWorker:" : "DecodeWorker:")
        .line(3, "componentType: worker");
    if (role.role != LaunchRole::kBoth)
      page.line(3, fmt::format("subComponentType: {}", role.name));
    page.line(3, fmt::format("replicas: {}", role.replicas));
    if (role.pods > 1) page.line(3, "multinode:").line(4, fmt::format("nodeCount: {}", role.pods));
    page.line(3, "resources:")
        .line(4, "limits:")
        .line(5, fmt::format("gpu: \"{}\"", role.of_pod))
        .line(3, "extraPodSpec:")
        .line(4, "mainContainer:")
        .line(5, fmt::format("image: {}", image.dynamo_image))
        .line(5, fmt::format("command: [python3, -m, {}]", image.dynamo))
        .line(5, "args:")
        .line(6, fmt::format("- {}", image.dynamo_model));
    for (const std::string& word : words_of(arguments)) page.line(6, fmt::format("- '{}'", word));
  }
  return page.text();
}

/// A form and its writer.
struct StartWriter {
  StartForm form;
  std::string (*write)(std::string_view form, const StartPlan& plan);
};
constexpr auto kWriters = std::to_array<StartWriter>(
    {{{"kubernetes",
       "a Deployment, or a LeaderWorkerSet where a replica fills several nodes, and a Service"},
      kubernetes},
     {{"llm-d", "values of the chart llm-d-modelservice"}, llm_d},
     {{"dynamo", "a DynamoGraphDeployment"}, dynamo}});
constexpr auto kForms = [] {
  std::array<StartForm, kWriters.size()> forms{};
  std::ranges::transform(kWriters, forms.begin(), &StartWriter::form);
  return forms;
}();

}  // namespace

std::span<const StartForm> start_forms() { return kForms; }

std::string start_file(std::string_view form, const CheckedInference& checked,
                       const InferenceResult& result) {
  const auto writer =
      std::ranges::find(kWriters, form, [](const StartWriter& one) { return one.form.name; });
  if (writer == kWriters.end()) refuse(form, "no form of this name", "kubernetes, llm-d or dynamo");
  return writer->write(form, plan_of(form, checked, result));
}

}  // namespace railwright::simulation
