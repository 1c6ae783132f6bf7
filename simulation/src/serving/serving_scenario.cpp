// SPDX-License-Identifier: Apache-2.0
// Reads and checks scenarios of inference.
#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <utility>

#include "../scenario/power_checks.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/serving/serving.hpp"

namespace railwright::simulation {

namespace {

core::Location place_of(const core::Node& tree, const char* key) {
  const core::Node* section = tree.find("inference");
  const core::Node* node = section == nullptr ? nullptr : section->find(key);
  return node == nullptr ? tree.where : node->where;
}

using Report = std::function<void(const char* key, std::string message)>;

void check_model(const models::Transformer& model, const Report& report) {
  if (model.encoder_layers > 0 || !model.causal) {
    report("model", fmt::format("{} has an encoder: only decoders are sized, which write token by "
                                "token",
                                model.name));
  }
  if (models::head_size(model).query < 1 || models::head_size(model).value < 1) {
    report("model", fmt::format("{} heads in a width of {}: a head has no width", model.num_heads,
                                model.hidden_size));
  }
}

void check_load(const models::Inference& inference, const Report& report) {
  if (inference.requests_per_s && inference.tokens_per_s) {
    report("tokens_per_s", "the same is said by requests_per_s: give one of them");
  }
  const bool has_rate = inference.requests_per_s || inference.tokens_per_s;
  if (inference.load && inference.load->arrivals != models::Arrivals::kAtOnce && !has_rate) {
    report("load", "requests that arrive need requests_per_s or tokens_per_s");
  }
  const std::int64_t max_batch = inference.max_batch.value_or(inference.engine.max_batch.value);
  if (inference.engine.max_tokens.value <= max_batch) {
    report("engine", fmt::format("an iteration of {} tokens has no room for the prompts beside {} "
                                 "requests that are being answered",
                                 inference.engine.max_tokens.value, max_batch));
  }
}

void check_experts(const models::Inference& inference, const Report& report) {
  const models::Transformer& model = inference.model;
  if (inference.attention_dp && !model.experts) {
    report("attention_dp", fmt::format("{} has no experts to share: leave tp at 1, each "
                                       "accelerator is a replica then",
                                       model.name));
  }
  if (inference.ep && (!model.experts || model.experts->count % *inference.ep != 0)) {
    report("ep", model.experts ? fmt::format("{} experts are not divisible by {}",
                                             model.experts->count, *inference.ep)
                               : fmt::format("{} has no experts", model.name));
  }
}

/// Checks what the node must be able to do.
void check_node(const core::ComputeNode& node, const models::Inference& inference,
                const Report& report) {
  const core::Precision weights = inference.weights;
  if (core::bytes_of(weights) >= 2.0 && !node.accelerator.peak_rate(weights)) {
    report("weights",
           fmt::format("{} does not multiply {}", node.accelerator.name, core::to_string(weights)));
  }
  for (models::LayoutProblem& problem :
       library_problems("inference.library", node, inference.library)) {
    report("library", std::move(problem.message));
  }
}

void check_tensor_parallelism(int tp, const core::ComputeNode& node,
                              const models::Inference& inference, const Report& report) {
  if (tp > node.num_accelerators.value) {
    report("tp",
           fmt::format("{} accelerators of the {} in a node", tp, node.num_accelerators.value));
  }
  if (tp > 1 && !node.peer_access) {
    report("tp", fmt::format("accelerators of {} do not reach one another", node.name));
  }
  if (inference.ep && tp % *inference.ep != 0) {
    report("ep",
           fmt::format("{} accelerators of a replica are not divisible by {}", tp, *inference.ep));
  }
  const int num_heads = inference.model.num_heads;
  if (!inference.attention_dp && num_heads % tp != 0) {
    report("tp", fmt::format("{} attention heads are not divisible by {}", num_heads, tp));
  }
}

void check(const core::Node& tree, const InferenceScenario& scenario, core::Reader& reader) {
  const models::Inference& inference = scenario.inference;
  const core::ComputeNode& node = scenario.cluster.node;
  const Report report = [&](const char* key, std::string message) {
    reader.report(place_of(tree, key), std::string("inference.") + key, std::move(message));
  };
  check_model(inference.model, report);
  check_load(inference, report);
  check_experts(inference, report);
  check_node(node, inference, report);
  if (scenario.cluster.storage) {
    const core::Node* storage = tree.find("cluster")->find("storage");
    reader.report(
        storage == nullptr ? tree.where : storage->where, "cluster.storage",
        "has no effect: inference reads weights before the first request and no file after",
        "leave storage out, or size it with the training job that writes to it");
  }
  if (inference.tp) check_tensor_parallelism(*inference.tp, node, inference, report);
}

InferenceScenario read_fields(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  InferenceScenario scenario;
  reader.read(tree, "", scenario);
  tell_accelerator(scenario.cluster.node.accelerator, scenario.inference.library);
  if (reader.diagnostics().empty()) {
    check(tree, scenario, reader);
    check_power(tree, scenario.cluster.node, scenario.power, reader);
    if (scenario.prices) check_prices(tree, catalogue, reader);
  }
  reader.throw_if_any();
  return scenario;
}

}  // namespace

bool is_inference(const core::Node& tree) { return tree.find("inference") != nullptr; }

CheckedInference read_inference(const core::Node& tree, const core::Catalogue& catalogue) {
  InferenceScenario scenario = read_fields(tree, catalogue);
  CheckedInference checked{.inference = std::move(scenario.inference),
                           .cluster = read_cluster(tree, catalogue),
                           .power = scenario.power,
                           .prices = std::move(scenario.prices),
                           .search = scenario.search.value_or(ServingSearchSpace{})};
  core::ComputeNode& node = checked.cluster.cluster.node;
  node.accelerator =
      models::at_clock(node.accelerator, models::node_power(node, checked.power).clock);
  return checked;
}

core::Node complete_inference(const core::Node& tree, const core::Catalogue& catalogue) {
  return core::to_node(read_fields(tree, catalogue));
}

}  // namespace railwright::simulation
