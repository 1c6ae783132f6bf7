// SPDX-License-Identifier: Apache-2.0
#include "serving_values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "../common/looks_like.hpp"
#include "../common/tree_values.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::importers {

namespace {

/// Keys of `vllmConfig` that are no options.
constexpr auto kNoOptions = std::to_array<std::string_view>({"v0", "v1", "extraArgs", "runner"});

/// Writes "tensorParallelSize" as "--tensor-parallel-size".
std::string as_option(std::string_view key) {
  std::string option = "--";
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') option += '-';
    option += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return option;
}

std::string scalar_at(const core::Node& node, std::string_view path) {
  const core::Node* found = find_given(node, path);
  return found != nullptr && found->is_scalar() ? found->text : std::string();
}

std::optional<std::int64_t> count_at(const core::Node& node, std::string_view path) {
  constexpr double kMax = 1e6;
  const double value = core::number_of(scalar_at(node, path));
  if (!(value >= 1.0 && value <= kMax)) return {};
  return static_cast<std::int64_t>(value);
}

/// Returns the checkpoint of "hf://Qwen/Qwen3-8B" and of "Qwen/Qwen3-8B".
std::string checkpoint_of(std::string uri) {
  const std::size_t scheme = uri.find("://");
  if (scheme != std::string::npos) uri.erase(0, scheme + 3);
  return uri;
}

void add_words(const core::Node* words, std::string& command) {
  if (words == nullptr) return;
  if (words->is_scalar()) command += " " + words->text;
  for (const core::Node& word : words->items) {
    const bool is_quoted = word.text.find_first_of(" {}\"") != std::string::npos &&
                           word.text.find("--") == std::string::npos;
    command += is_quoted ? " '" + word.text + "'" : " " + word.text;
  }
}

/// Adds an option as the value of its key says: none for false, a flag for true, a mapping in
/// quotes.
void add_option(const std::string& option, const core::Node& value, std::string& command) {
  if (value.kind == core::Node::Kind::kNull) return;
  const std::string word = value.is_scalar() ? core::lower_case(value.text) : std::string();
  if (word == "false") return;
  command += " " + option;
  if (value.is_scalar()) {
    if (word != "true") command += " " + value.text;
    return;
  }
  command += " '";
  for (const char c : core::to_yaml(value)) {
    command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  command += "'";
}

class ServingValues {
 public:
  explicit ServingValues(Manifest& made) : made_(made) {}

  void read(const core::Node& document) {
    const core::Node* specs = find_given(document, "servingEngineSpec.modelSpec");
    if (specs != nullptr) {
      for (const core::Node& one : specs->items) stack(one, "modelURL", "replicaCount", one);
    }
    const core::Node* spec = find_given(document, "spec");
    const std::string kind = scalar_at(document, "kind");
    if (kind == "VLLMRuntime" && spec != nullptr) {
      stack(*spec, "model.modelURL", "deploymentConfig.replicas", *spec);
    }
    if (kind == "LLMInferenceService" && spec != nullptr) {
      pools(scalar_at(*spec, "model.uri"), *spec, find_given(*spec, "prefill"), "template.");
    }
    if (find_given(document, "modelArtifacts") != nullptr) {
      const core::Node* decode = find_given(document, "decode");
      if (decode != nullptr) {
        pools(scalar_at(document, "modelArtifacts.uri"), *decode, find_given(document, "prefill"),
              "");
      }
    }
    if (find_given(document, "model.model_id") != nullptr) recipe(document);
    if (kind == "Model" && spec != nullptr) kubeai(scalar_at(document, "metadata.name"), *spec);
    if (const core::Node* config = find_given(document, "spec.serveConfigV2")) {
      if (config->is_scalar()) ray(parse_foreign_yaml(config->text, made_.file));
    } else if (find_given(document, "applications") != nullptr) {
      ray(document);
    }
  }

 private:
  /// The chart of vLLM's production stack, and its operator.
  void stack(const core::Node& spec, std::string_view model, std::string_view replicas,
             const core::Node& holder) {
    std::string command = "vllm serve " + checkpoint_of(scalar_at(spec, model));
    const core::Node* config = find_given(holder, "vllmConfig");
    if (config != nullptr) {
      for (const core::Entry& entry : config->entries) {
        if (std::ranges::count(kNoOptions, entry.key) > 0) continue;
        add_option(as_option(entry.key), entry.value, command);
      }
      add_words(find_given(*config, "extraArgs"), command);
    }
    if (const auto gpus = count_at(spec, "requestGPU")) made_.accelerators = gpus;
    made_.containers.push_back({scalar_at(spec, "name"), command + "\n", count_at(spec, replicas)});
  }

  /// A model of KubeAI: the engine, the checkpoint and the engine's arguments.
  void kubeai(const std::string& name, const core::Node& spec) {
    const std::string engine = scalar_at(spec, "engine");
    if (engine != "VLLM") return;
    std::string command = "vllm serve " + checkpoint_of(scalar_at(spec, "url"));
    add_words(find_given(spec, "args"), command);
    // "nvidia-gpu-l4:2" is two of the profile.
    const std::string profile = scalar_at(spec, "resourceProfile");
    const double gpus = core::number_of(profile.substr(profile.rfind(':') + 1));
    if (gpus >= 1.0 && gpus <= 1024.0) made_.accelerators = static_cast<std::int64_t>(gpus);
    made_.containers.push_back({name, command + "\n", count_at(spec, "replicas")});
  }

  /// An application of Ray Serve LLM: each of `llm_configs` starts vLLM.
  void ray(const core::Node& config) {
    const core::Node* applications = find_given(config, "applications");
    if (applications == nullptr) return;
    for (const core::Node& one : applications->items) {
      const core::Node* models = find_given(one, "args.llm_configs");
      if (models == nullptr) continue;
      for (const core::Node& model : models->items) {
        if (model.is_mapping()) ray_model(model);
      }
    }
  }

  void ray_model(const core::Node& model) {
    const std::string name = scalar_at(model, "model_loading_config.model_id");
    const std::string source = scalar_at(model, "model_loading_config.model_source");
    std::string command = "vllm serve " + checkpoint_of(source.empty() ? name : source);
    if (const core::Node* options = find_given(model, "engine_kwargs")) {
      for (const core::Entry& entry : options->entries) {
        add_option("--" + entry.key, entry.value, command);
      }
    }
    made_.containers.push_back(
        {name, command + "\n", count_at(model, "deployment_config.num_replicas")});
  }

  /// A service of KServe or of llm-d: one pool, or one for prompts beside that for answers.
  void pools(const std::string& uri, const core::Node& answers, const core::Node* prompts,
             const std::string& below) {
    made_.containers.push_back(pool(uri, answers, below));
    const bool has_prompts =
        prompts != nullptr && prompts->is_mapping() && scalar_at(*prompts, "create") != "false";
    if (!has_prompts) return;
    Container one = pool(uri, *prompts, below);
    one.command.insert(one.command.size() - 1, " --is-prefill-worker");
    made_.containers.push_back(std::move(one));
  }

  Container pool(const std::string& uri, const core::Node& node, const std::string& below) {
    std::string command = "vllm serve " + checkpoint_of(uri);
    const auto degree = [&](const char* path, const char* option) {
      const std::string value = scalar_at(node, path);
      if (!value.empty()) command.append(" ").append(option).append(" ").append(value);
      return !value.empty();
    };
    const bool is_told = degree("parallelism.tensor", "--tensor-parallel-size");
    degree("parallelism.data", "--data-parallel-size");
    degree("parallelism.pipeline", "--pipeline-parallel-size");
    if (scalar_at(node, "parallelism.expert") == "true") command += " --enable-expert-parallel";
    // The base resources may set it.
    if (!is_told && find_given(node, "baseRefs") != nullptr) {
      command += " --tensor-parallel-size $baseRefs";
    }
    const core::Node* containers = find_given(node, below + "containers");
    if (containers != nullptr && !containers->items.empty()) {
      const core::Node& first = containers->items.front();
      add_words(find_given(first, "args"), command);
      if (const core::Node* variables = find_given(first, "env")) {
        for (const core::Node& one : variables->items) {
          if (scalar_at(one, "name") == "VLLM_ADDITIONAL_ARGS") {
            command += " " + scalar_at(one, "value");
          }
        }
      }
      for (const char* key : {"nvidia.com/gpu", "amd.com/gpu"}) {
        const core::Node* limits = find_given(first, "resources.limits");
        const core::Node* gpus = limits == nullptr ? nullptr : limits->find(key);
        const double value = gpus == nullptr ? 0.0 : core::number_of(gpus->text);
        if (value >= 1.0 && value <= 1024.0) made_.accelerators = static_cast<std::int64_t>(value);
      }
    }
    return {"", command + "\n", count_at(node, "replicas")};
  }

  /// A recipe of vLLM: the strategy and the hardware, which a person chooses, give the division.
  void recipe(const core::Node& document) {
    std::string command = "vllm serve " + scalar_at(document, "model.model_id") +
                          " --tensor-parallel-size $STRATEGY --data-parallel-size $STRATEGY";
    add_words(find_given(document, "model.base_args"), command);
    const std::string precision = scalar_at(document, "variants.default.precision");
    if (precision == "fp8" || precision == "nvfp4" || precision == "mxfp4") {
      command += " --quantization " + precision;
    }
    made_.containers.push_back({"", command + "\n", {}});
  }

  Manifest& made_;
};

}  // namespace

bool is_serving_values(std::string_view text) {
  return has_line(text, "servingEngineSpec:") || contains(text, "kind: LLMInferenceService\n") ||
         has_line(text, "kind: VLLMRuntime") || has_line(text, "llm_configs:") ||
         (has_line(text, "apiVersion: kubeai.org/") && has_line(text, "kind: Model")) ||
         has_line(text, "modelArtifacts:") ||
         (has_line(text, "model_id:") && has_line(text, "compatible_strategies:"));
}

Manifest read_serving_values(std::string_view text, const std::string& file) {
  Manifest made{.file = file};
  each_document(text, file, [&](const core::Node& node) { ServingValues(made).read(node); });
  return made;
}

}  // namespace railwright::importers
