// SPDX-License-Identifier: Apache-2.0
// Reads and checks scenarios of inference.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/report.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/scenario/power_checks.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/serving/serving_fields.hpp"

namespace railwright::simulation {

namespace {

using core::Report;

/// Returns what of a model cannot be served, by the model's keys.
std::vector<core::Problem> model_problems(const models::Transformer& model) {
  std::vector<core::Problem> problems = models::find_problems(model);
  if (model.encoder_layers > 0 || !model.causal) {
    problems.insert(problems.begin(),
                    {"", fmt::format("{} has an encoder: only decoders are sized, "
                                     "which write token by token",
                                     model.name)});
  }
  return problems;
}

/// Checks the users of a closed loop: what else would say when requests come.
void check_users(const models::RequestLoad& load, bool has_rate, const Report& report) {
  if (load.shortest < 1.0 && (load.prompt_spread > 0.0 || load.output_spread > 0.0)) {
    report("load.shortest", "conflicts with prompt_spread and output_spread: leave one out");
  }
  if (load.think_time.base() > 0.0 && !load.users) {
    report("load.think_time", "has no effect without load.users");
  }
  if (!load.has_users()) return;
  if (load.concurrency && load.users) {
    report("load.users", "conflicts with concurrency: set one of them");
  }
  const char* key = load.users ? "load.users" : "load.concurrency";
  if (has_rate) report(key, "conflicts with requests_per_s and tokens_per_s: set one of them");
  if (!load.trace.empty()) report(key, "conflicts with load.trace: set one of them");
  if (load.autoscaling) report(key, "is not supported with load.autoscaling: leave one out");
  if (load.swing > 0.0) report("load.swing", "has no effect on users, who wait for their answers");
}

void check_load(const models::Inference& inference, const Report& report) {
  if (inference.requests_per_s && inference.tokens_per_s) {
    report("tokens_per_s", "conflicts with requests_per_s: set one of them");
  }
  const bool has_rate = inference.requests_per_s || inference.tokens_per_s;
  if (inference.load && inference.load->keeps_coming() && !has_rate) {
    report("load",
           "requests that arrive need requests_per_s or tokens_per_s; or give load.concurrency");
  }
  if (inference.load) check_users(*inference.load, has_rate, report);
  // The engine's own limit gives way to tokens that are drafted, a wanted one does not.
  const double step_tokens = inference.max_batch ? inference.step_tokens() : 1.0;
  const std::int64_t max_batch = inference.max_batch.value_or(inference.engine.max_batch.value);
  // With data-parallel attention a wanted batch is of all accelerators of a replica.
  if (inference.attention_dp && inference.max_batch && !inference.tp) return;
  const double shares = inference.attention_dp && inference.max_batch ? *inference.tp : 1.0;
  const double of_share = static_cast<double>(max_batch) / shares * step_tokens;
  if (inference.engine.max_tokens.value > of_share) return;
  const std::string of_each =
      step_tokens > 1.0 ? fmt::format(" with {:.0f} tokens a step", step_tokens) : "";
  report("engine",
         fmt::format("max_tokens {} leaves no room for prompts while {} requests decode{}: "
                     "raise engine.max_tokens or lower max_batch",
                     inference.engine.max_tokens.value, max_batch, of_each));
}

/// Checks the lengths that the scenario gives, of means and of a trace, against the model's
/// context.
void check_context(const models::Inference& inference, const Report& report) {
  const std::int64_t context = models::longest_context(inference.model);
  const auto check = [&](const char* key, std::int64_t prompt, std::int64_t output) {
    const std::int64_t tokens = prompt + output;
    if (context == 0 || tokens <= context) return;
    report(key, fmt::format("{} tokens of a prompt and {} of its answer are {} more than the {} of "
                            "{}'s context; model.context sets a longer one",
                            prompt, output, tokens - context, context, inference.model.name));
  };
  check("prompt_tokens", inference.prompt_tokens, inference.output_tokens);
  if (inference.traced.empty()) return;
  const models::Request& longest =
      *std::ranges::max_element(inference.traced, {}, [](const models::Request& one) {
        return std::int64_t{one.prompt_tokens} + one.output_tokens;
      });
  check("load.trace", longest.prompt_tokens, longest.output_tokens);
}

/// Checks that the model can encode images, and that a prompt has room for their tokens.
void check_images(const models::Inference& inference, const Report& report) {
  if (!inference.images) return;
  if (!inference.model.image_encoder) {
    report("images", fmt::format("{} has no image_encoder", inference.model.name));
    return;
  }
  const double tokens = models::num_image_tokens(*inference.model.image_encoder, *inference.images);
  if (tokens <= inference.prompt_tokens) return;
  report("images", fmt::format("give {:.0f} tokens, more than the {} of a prompt", tokens,
                               inference.prompt_tokens));
}

/// Checks that the requests cover a period of their swing: the means would be those of a part.
void check_swing(const models::Inference& inference, const Report& report) {
  const double wanted = inference.wanted_requests_per_s();
  if (!inference.load || !inference.load->keeps_coming() || wanted == 0.0) return;
  const models::RequestLoad& load = *inference.load;
  const double of_period = std::ceil(load.period.base() * wanted * (1.0 - 1e-9));
  if (load.swing == 0.0 || load.requests >= of_period) return;
  report("load.requests",
         fmt::format("{} requests come in a part of the swing's period of {}: {:.0f} cover it",
                     load.requests, core::to_text(load.period), of_period));
}

void check_autoscaling(const models::Inference& inference, const Report& report) {
  if (!inference.load || !inference.load->autoscaling) return;
  const models::Autoscaling& rule = *inference.load->autoscaling;
  if (rule.max_replicas < rule.min_replicas) {
    report("load.autoscaling", fmt::format("max_replicas {} is less than min_replicas {}",
                                           rule.max_replicas, rule.min_replicas));
  }
  if (inference.load->replicas) {
    report("load.autoscaling", "sets the number of replicas: leave load.replicas out");
  }
  if (inference.disaggregated) {
    report("load.autoscaling",
           "sets the number of replicas that answer whole requests: leave disaggregated out");
  }
}

void check_speculation(const models::Inference& inference, const Report& report) {
  if (!inference.speculative) return;
  if (!inference.offload.empty()) {
    report("speculative", "is not supported with offload: leave one of them out");
  }
  if (!inference.speculative->draft) return;
  const models::Transformer& draft = *inference.speculative->draft;
  if (draft.vocabulary_size > inference.model.vocabulary_size) {
    report("speculative.draft",
           fmt::format("{} has {} tokens in its vocabulary, {} has {}: a draft must be of the same",
                       draft.name, draft.vocabulary_size, inference.model.name,
                       inference.model.vocabulary_size));
  }
  report.under("speculative.draft")(model_problems(draft));
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
  for (core::Problem& problem : library_problems("inference.library", node, inference.library)) {
    report("library", std::move(problem.message));
  }
}

/// Checks the accelerators of a replica against those of nodes, of which it takes a part or several
/// whole ones.
void check_size(const char* key, const models::ReplicaSize& size,
                const topologies::Cluster& cluster, const Report& report) {
  const int in_node = cluster.node.num_accelerators.value;
  const int of_replica = size.num_accelerators();
  if (of_replica <= in_node) return;
  if (of_replica > std::int64_t{in_node} * cluster.num_nodes) {
    report(key, fmt::format("{} accelerators of a replica of the {} in the cluster", of_replica,
                            std::int64_t{in_node} * cluster.num_nodes));
  } else if (size.tp % in_node != 0 && in_node % size.tp != 0) {
    report(key, fmt::format("{} accelerators neither divide a node of {} nor fill nodes", size.tp,
                            in_node));
  }
}

/// Checks the accelerators of a layer; `key` gives their number.
void check_tensor_parallelism(const char* key, int tp, const core::ComputeNode& node,
                              const models::Inference& inference, const Report& report) {
  if (tp > 1 && !node.peer_access) {
    report(key, fmt::format("accelerators of {} do not reach one another", node.name));
  }
  if (inference.ep && tp % *inference.ep != 0) {
    report("ep",
           fmt::format("{} accelerators of a replica are not divisible by {}", tp, *inference.ep));
  }
  if (!inference.attention_dp && !inference.heads_divide(tp)) {
    const models::Transformer& uneven =
        inference.model.num_heads % tp != 0 ? inference.model : *inference.speculative->draft;
    report(key, fmt::format("{} attention heads of {} are not divisible by {}", uneven.num_heads,
                            uneven.name, tp));
  }
}

/// Checks prompts on replicas of their own.
void check_disaggregation(const topologies::Cluster& cluster, const models::Inference& inference,
                          const Report& report) {
  const models::Disaggregation& apart = *inference.disaggregated;
  if (!inference.offload.empty()) {
    report("disaggregated",
           "weights that are offloaded pass whole replicas only: leave offload or "
           "disaggregated out");
  }
  if (inference.output_tokens < 2) {
    report("disaggregated",
           "an answer of one token comes from the replica of its prompt: leave "
           "disaggregated out");
  }
  if (cluster.num_nodes == 1 && !cluster.node.peer_access && !apart.kv_rate) {
    report("disaggregated", fmt::format("accelerators of {} do not reach one another, and there is "
                                        "one node",
                                        cluster.node.name));
  }
  if (inference.load && inference.load->replicas) {
    report("load.replicas",
           "there are two kinds of replicas: give disaggregated.prefill_replicas "
           "and disaggregated.decode_replicas");
  }
  if (inference.load && (inference.load->comes_at_once() || inference.load->has_users()) &&
      !(apart.prefill_replicas && apart.decode_replicas)) {
    report("disaggregated",
           fmt::format("requests that come all at once{} need prefill_replicas and "
                       "decode_replicas",
                       inference.load->has_users() ? " or from a number of users" : ""));
  }
  if (inference.pp > 1) {
    report("pp", "stages pass whole requests only: leave pp or disaggregated out");
  }
  if (apart.prefill_tp) {
    check_size("disaggregated.prefill_tp", {.tp = *apart.prefill_tp}, cluster, report);
    check_tensor_parallelism("disaggregated.prefill_tp", *apart.prefill_tp, cluster.node, inference,
                             report);
  }
}

/// Checks stages of the layers.
void check_stages(const models::Inference& inference, const Report& report) {
  if (inference.pp == 1) return;
  if (inference.pp > models::total_layers(inference.model)) {
    report("pp", fmt::format("{} stages of {} layers", inference.pp,
                             models::total_layers(inference.model)));
  }
  if (inference.speculative)
    report("pp",
           "drafts are not passed on between stages: leave "
           "speculative or pp out");
  if (inference.load && inference.load->autoscaling) {
    report("pp", "load.autoscaling is not supported with pp > 1: leave one of them out");
  }
}

/// Checks that offloaded weights stream through one node.
void check_offload(const models::Inference& inference, int in_node, const Report& report) {
  if (inference.offload.empty()) return;
  if (inference.pp > 1 || inference.tp.value_or(1) > in_node) {
    report("offload",
           "weights that are offloaded pass through one node: leave offload out or make "
           "the replica smaller");
  }
}

/// Checks that what `search` says of prompts apart is tried.
void check_search(const core::Node& tree, const InferenceScenario& scenario, core::Reader& reader) {
  const ServingSearchSpace& space = *scenario.search;
  const core::Node& node = *tree.find("search");
  if (space.disaggregated.value_or(true)) return;
  if (scenario.inference.disaggregated) {
    reader.report(node.find("disaggregated")->where, "search.disaggregated",
                  "is false, and inference.disaggregated is there: leave one of them out");
  } else if (!space.prefill_tp.empty()) {
    reader.report(node.find("prefill_tp")->where, "search.prefill_tp",
                  "has no effect where search.disaggregated is false");
  }
}

/// Checks that the sizes of a prefix cache ascend, and that nothing says the same in another way.
void check_prefix_cache(const InferenceScenario& scenario, const Report& report) {
  const models::Inference& inference = scenario.inference;
  const models::PrefixCache& cache = *inference.prefix_cache;
  if (cache.sizes.empty() || cache.sizes.size() != cache.hit_rates.size()) {
    report("prefix_cache.hit_rates", fmt::format("has {} rates for {} sizes: give one for each",
                                                 cache.hit_rates.size(), cache.sizes.size()));
  }
  if (std::ranges::adjacent_find(cache.sizes, std::ranges::greater_equal{}) != cache.sizes.end()) {
    report("prefix_cache.sizes", "must ascend, the smallest first");
  }
  if (!std::ranges::is_sorted(cache.hit_rates)) {
    report("prefix_cache.hit_rates", "must not fall: a larger cache finds no less");
  }
  if (inference.prefix_hit_rate > 0.0 || inference.prefix_on_storage || inference.prefix_on_host) {
    report("prefix_cache",
           "says what prompts find and where: leave out prefix_hit_rate, prefix_on_storage and "
           "prefix_on_host");
  }
  if (cache.on_storage && !scenario.cluster.storage) {
    report("prefix_cache.on_storage", "needs cluster.storage, which is missing");
  }
  std::set<std::string_view> names{PrefixPlace::kAccelerators, PrefixPlace::kStorage};
  for (std::size_t i = 0; i < cache.tiers.size(); ++i) {
    const models::OffloadTier& tier = cache.tiers[i];
    if (!(tier.capacity.value < core::DataSize::infinity())) {
      report("prefix_cache.tiers",
             fmt::format("{} has no capacity: say what the cache may take", tier.name));
    }
    if (!names.insert(tier.name).second) {
      report.item(
          "prefix_cache.tiers", i, "name",
          fmt::format("'{}' names another place of the cache: give each its own", tier.name));
    }
  }
}

void check(const core::Node& tree, const InferenceScenario& scenario, core::Reader& reader) {
  const models::Inference& inference = scenario.inference;
  const core::ComputeNode& node = scenario.cluster.node;
  const Report report(tree, reader, "inference");
  report.under("model")(model_problems(inference.model));
  check_load(inference, report);
  check_context(inference, report);
  check_images(inference, report);
  check_swing(inference, report);
  check_autoscaling(inference, report);
  check_experts(inference, report);
  check_speculation(inference, report);
  check_node(node, inference, report);
  if (inference.prefix_cache) check_prefix_cache(scenario, report);
  if (inference.prefix_on_storage && !scenario.cluster.storage) {
    report("prefix_on_storage", "needs cluster.storage, which is missing");
  }
  if (inference.prefix_on_storage && inference.prefix_hit_rate == 0.0) {
    report("prefix_on_storage", "has no effect without prefix_hit_rate");
  }
  if (inference.block_scales && inference.weights != core::Precision::kFp8) {
    report("block_scales",
           fmt::format("requires fp8 weights; weights are {}", core::to_string(inference.weights)));
  }
  if (inference.prefix_on_host && inference.prefix_hit_rate == 0.0) {
    report("prefix_on_host", "has no effect without prefix_hit_rate");
  }
  if (inference.prefix_on_host && inference.prefix_on_storage) {
    report("prefix_on_host", "keys and values lie on storage already: leave one of both out");
  }
  if (!scenario.cluster.storage &&
      inference.others_read.base() + inference.others_write.base() > 0) {
    report("others_read", "needs cluster.storage, which is missing");
  }
  if (inference.tp) check_tensor_parallelism("tp", *inference.tp, node, inference, report);
  check_size(inference.tp ? "tp" : "pp", {inference.tp.value_or(1), inference.pp}, scenario.cluster,
             report);
  check_stages(inference, report);
  check_offload(inference, node.num_accelerators.value, report);
  if (inference.disaggregated) check_disaggregation(scenario.cluster, inference, report);
  if (scenario.search) check_search(tree, scenario, reader);
}

/// Reads the requests of a trace.
void read_trace(const core::Node& tree, models::Inference& inference, core::Reader& reader) {
  if (!inference.load || inference.load->trace.empty()) return;
  std::vector<core::Diagnostic> problems;
  inference.traced = models::read_requests(inference.load->trace,
                                           core::place_of(tree, "inference.load.trace"), problems);
  for (core::Diagnostic& one : problems) {
    reader.report(one.where, one.path, std::move(one.message), std::move(one.hint));
  }
}

/// Returns the requests a second of a trace; nothing if they come all at once.
std::optional<double> traced_rate(std::span<const models::Request> requests) {
  if (requests.size() < 2 || !(requests.back().arrival > 0.0)) return {};
  return static_cast<double>(requests.size() - 1) / requests.back().arrival;
}

/// Drafts whose acceptance is not stated are accepted as published of the model.
void add_acceptance(const core::Node& tree, models::Inference& inference) {
  const core::Node* drafts = core::find_path(tree, "inference.speculative");
  if (!inference.speculative || inference.speculative->draft || drafts == nullptr ||
      drafts->find("acceptance") != nullptr) {
    return;
  }
  models::SpeculativeDecoding& speculative = *inference.speculative;
  if (const auto known = models::published_acceptance(inference.model, speculative.draft_tokens)) {
    speculative.acceptance = *known;
  }
}

/// Reads the engine that is meant where none is named: the catalogue's, with the keys that are
/// asked.
void add_engine(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader,
                models::ServingEngine& engine) {
  const core::Node* asked = tree.find("inference");
  if (asked == nullptr || !reader.diagnostics().empty() ||
      !catalogue.contains(models::ServingEngine::kKind, engine.name)) {
    return;
  }
  const core::Node* keys = asked->find("engine");
  if (keys == nullptr) {
    reader.read(core::text_node(engine.name), "inference.engine", engine);
    return;
  }
  const bool is_named = keys->find("model") != nullptr || keys->find("name") != nullptr;
  if (!keys->is_mapping() || is_named) return;
  core::Node named = *keys;
  named.entries.insert(
      named.entries.begin(),
      {.key = "model", .where = keys->where, .value = core::text_node(engine.name)});
  reader.read(named, "inference.engine", engine);
}

InferenceScenario read_fields(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  InferenceScenario scenario;
  reader.read(tree, "", scenario);
  add_engine(tree, catalogue, reader, scenario.inference.engine);
  tell_accelerator(scenario.cluster.node.accelerator, scenario.inference.library);
  add_acceptance(tree, scenario.inference);
  if (reader.diagnostics().empty()) {
    read_trace(tree, scenario.inference, reader);
    check(tree, scenario, reader);
    check_power(scenario.cluster.node, scenario.power, {tree, reader});
    if (scenario.prices) check_prices(tree, catalogue, reader);
  }
  reader.throw_if_any();
  return scenario;
}

}  // namespace

CheckedInference read_inference(const core::Node& tree, const core::Catalogue& catalogue) {
  InferenceScenario scenario = read_fields(tree, catalogue);
  CheckedInference checked{.inference = std::move(scenario.inference),
                           .cluster = read_cluster(tree, catalogue),
                           .power = scenario.power,
                           .prices = std::move(scenario.prices),
                           .search = scenario.search.value_or(ServingSearchSpace{})};
  models::Inference& inference = checked.inference;
  if (!inference.requests_per_s && !inference.tokens_per_s) {
    inference.requests_per_s = traced_rate(inference.traced);
  }
  core::ComputeNode& node = checked.cluster.cluster.node;
  node.accelerator =
      models::at_clock(node.accelerator, models::node_power(node, checked.power).clock);
  return checked;
}

core::Node complete_inference(const core::Node& tree, const core::Catalogue& catalogue) {
  return core::to_node(read_fields(tree, catalogue));
}

}  // namespace railwright::simulation
