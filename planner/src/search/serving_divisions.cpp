// SPDX-License-Identifier: Apache-2.0
#include "serving_divisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "divisors.hpp"
#include "railwright/workloads/serving/replica_sizes.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedInference;

template <class T>
bool is_among(const std::vector<T>& wanted, T value) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

/// Lists the accelerators of a layer that are tried: all that divide a node, and wanted ones of
/// several nodes.
std::vector<int> sizes_of_layer(const CheckedInference& checked, const std::vector<int>& wanted) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const int in_node = cluster.node.num_accelerators.value;
  std::vector<int> all;
  for (const int tp : simulation::parts_of_node(cluster.node)) {
    if (is_among(wanted, tp)) all.push_back(tp);
  }
  if (!cluster.node.peer_access) return all;
  for (const int tp : wanted) {
    if (tp > in_node && tp % in_node == 0 && tp / in_node <= cluster.num_nodes) all.push_back(tp);
  }
  return all;
}

/// Whether stages of `tp` accelerators fill a part of a node, or whole ones that there are.
bool fills_nodes(const CheckedInference& checked, int tp, int pp) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const int in_node = cluster.node.num_accelerators.value;
  const std::int64_t size = std::int64_t{tp} * pp;
  return pp <= models::total_layers(checked.inference.model) &&
         (size <= in_node ? in_node % size == 0
                          : size % in_node == 0 && size / in_node <= cluster.num_nodes);
}

/// Lists the stages that go with `tp` accelerators of a layer: wanted ones, or all within a node.
std::vector<int> stages_of(const CheckedInference& checked, int tp, bool attention_dp) {
  if (!checked.search.pp.empty()) return checked.search.pp;
  const models::Inference& inference = checked.inference;
  const int in_node = checked.cluster.cluster.node.num_accelerators.value;
  const bool is_open = !attention_dp && !inference.speculative && inference.offload.empty() &&
                       !(inference.load && inference.load->autoscaling) &&
                       checked.cluster.cluster.node.peer_access;
  return is_open && tp < in_node ? divisors(in_node / tp) : std::vector{1};
}

/// Whether the model may be divided so over a layer.
bool may_divide(const CheckedInference& checked, int tp, bool attention_dp) {
  if (checked.search.attention_dp.value_or(attention_dp) != attention_dp) return false;
  return attention_dp ? checked.inference.model.experts && tp > 1
                      : checked.inference.heads_divide(tp);
}

/// Adds the ways to spread the experts over `tp` accelerators.
void add_expert_divisions(const CheckedInference& checked, ServingDivision one,
                          std::vector<ServingDivision>& all) {
  const auto& experts = checked.inference.model.experts;
  bool has_widest = false;
  for (const int ep : divisors(experts ? one.tp : 1)) {
    const bool divides = !experts || experts->count % ep == 0;
    if (!divides || !is_among(checked.search.ep, ep)) continue;
    one.ep = ep;
    one.states_ep = experts.has_value();
    all.push_back(one);
    has_widest = has_widest || ep == one.tp;
  }
  const bool is_open = one.attention_dp && !has_widest && !checked.inference.ep;
  if (!is_open || !is_among(checked.search.ep, one.tp)) return;
  one.ep = one.tp;
  one.states_ep = false;
  all.push_back(one);
}

}  // namespace

bool may_be_apart(const CheckedInference& checked) {
  const models::Inference& inference = checked.inference;
  const topologies::Cluster& cluster = checked.cluster.cluster;
  if (inference.disaggregated) return true;
  if (!checked.search.disaggregated.value_or(true)) return false;
  const bool is_fixed =
      inference.load && (inference.load->replicas || inference.load->autoscaling ||
                         inference.load->comes_at_once() || inference.load->has_users());
  return !is_fixed && inference.offload.empty() && inference.output_tokens > 1 &&
         (cluster.num_nodes > 1 || cluster.node.peer_access);
}

std::vector<ServingDivision> whole_divisions(const CheckedInference& checked) {
  std::vector<ServingDivision> all;
  for (const int tp : sizes_of_layer(checked, checked.search.tp)) {
    for (const bool attention_dp : {false, true}) {
      if (!may_divide(checked, tp, attention_dp)) continue;
      for (const int pp : stages_of(checked, tp, attention_dp)) {
        if (!fills_nodes(checked, tp, pp)) continue;
        add_expert_divisions(checked, {.tp = tp, .pp = pp, .attention_dp = attention_dp}, all);
      }
    }
  }
  return all;
}

std::vector<ServingDivision> apart_divisions(const CheckedInference& checked) {
  CheckedInference flat = checked;
  flat.search.pp = {1};
  std::vector<ServingDivision> all;
  for (ServingDivision one : whole_divisions(flat)) {
    for (const int prefill_tp : sizes_of_layer(checked, checked.search.prefill_tp)) {
      if (!one.attention_dp && !checked.inference.heads_divide(prefill_tp)) continue;
      one.prefill_tp = prefill_tp;
      // Experts on all accelerators of each replica need not be stated, and may differ then.
      const bool is_widest = one.attention_dp && one.ep == one.tp && !checked.inference.ep;
      ServingDivision made = one;
      if (prefill_tp % one.ep != 0) {
        if (!is_widest) continue;
        made.states_ep = false;
      } else if (!one.states_ep && checked.inference.model.experts && !is_widest) {
        continue;
      }
      all.push_back(made);
      if (is_widest && made.states_ep && prefill_tp != one.ep) {
        made.states_ep = false;
        all.push_back(made);
      }
    }
  }
  return all;
}

std::vector<ServingDivision> divisions_over_nodes(const CheckedInference& checked, int nodes) {
  const int in_node = checked.cluster.cluster.node.num_accelerators.value;
  CheckedInference wide = checked;
  wide.search.tp = {nodes * in_node};
  wide.search.attention_dp = true;
  std::vector<ServingDivision> all = whole_divisions(wide);
  CheckedInference deep = checked;
  deep.search.attention_dp = false;
  for (const int tp : divisors(in_node)) {
    deep.search.tp = {tp};
    deep.search.pp = {nodes * in_node / tp};
    std::ranges::move(whole_divisions(deep), std::back_inserter(all));
  }
  return all;
}

std::vector<int> tokens_of_iteration(const CheckedInference& checked) {
  if (!checked.search.max_tokens.empty()) return checked.search.max_tokens;
  const int own = checked.inference.engine.max_tokens.value;
  std::vector<int> all{own};
  if (own > 1) all.push_back(own / 2);
  if (own <= (1 << 23)) all.push_back(2 * own);
  return all;
}

CheckedInference with_division(const CheckedInference& checked, const ServingDivision& division) {
  CheckedInference made = checked;
  models::Inference& inference = made.inference;
  inference.tp = division.tp;
  inference.pp = division.pp;
  inference.attention_dp = division.attention_dp;
  inference.ep.reset();
  if (inference.model.experts && division.states_ep) inference.ep = division.ep;
  if (division.is_apart()) {
    if (!inference.disaggregated) inference.disaggregated.emplace();
    inference.disaggregated->prefill_tp = division.prefill_tp;
  } else {
    inference.disaggregated.reset();
  }
  if (division.max_tokens != inference.engine.max_tokens.value) {
    inference.engine.max_tokens.value = division.max_tokens;
  }
  inference.offload.clear();
  return made;
}

std::vector<std::string> settings_of(const CheckedInference& checked,
                                     const ServingDivision& division, std::int64_t batch) {
  const models::Inference& inference = checked.inference;
  std::vector<std::string> all{fmt::format("inference.tp={}", division.tp)};
  if (division.pp != inference.pp) all.push_back(fmt::format("inference.pp={}", division.pp));
  if (division.is_apart()) {
    all.push_back(fmt::format("inference.disaggregated.prefill_tp={}", division.prefill_tp));
  }
  if (inference.model.experts) {
    all.push_back(fmt::format("inference.attention_dp={}", division.attention_dp));
    if (division.states_ep) all.push_back(fmt::format("inference.ep={}", division.ep));
  }
  if (division.max_tokens != inference.engine.max_tokens.value) {
    all.push_back(fmt::format("inference.engine.max_tokens={}", division.max_tokens));
  }
  all.push_back(fmt::format("inference.max_batch={}", batch));
  return all;
}

}  // namespace railwright::planner
