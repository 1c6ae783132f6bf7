// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/known_steps.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <memory>
#include <utility>

#include "railwright/simulation/step/fold.hpp"
#include "unfolded.hpp"

namespace railwright::simulation {

namespace {

/// Lists numbers. Structures are taken apart by all their members, so that a new one does not
/// compile before it is listed.
class Content {
 public:
  void add(const StepCosts& costs) {
    const auto& [layout, num_replicas, stages, calls, speeds, send_forward, send_backward,
                 send_bytes, has_replicas, gathers_parameters, gathers_every_pass,
                 reduces_every_microbatch, is_forward_alone, overlap_gradient_reduce,
                 overlap_parameter_gather, overlap_pipeline, overlap_slowdown, capacity, overhead] =
        costs;
    add_all(layout, num_replicas, stages, calls, speeds, send_forward, send_backward, send_bytes,
            has_replicas, gathers_parameters, gathers_every_pass, reduces_every_microbatch,
            is_forward_alone, overlap_gradient_reduce, overlap_parameter_gather, overlap_pipeline,
            overlap_slowdown, capacity, overhead);
  }
  [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(numbers_); }

 private:
  template <class... T>
  void add_all(const T&... all) {
    (add(all), ...);
  }
  template <std::integral T>
  void add(T number) {
    numbers_.push_back(static_cast<std::uint64_t>(number));
  }
  void add(double number) { numbers_.push_back(std::bit_cast<std::uint64_t>(number)); }
  void add(core::Duration time) { add(time.base()); }
  template <class T>
  void add(const std::vector<T>& list) {
    add(list.size());
    for (const T& one : list) add(one);
  }
  template <class T, std::size_t kCount>
  void add(const std::array<T, kCount>& list) {
    for (const T& one : list) add(one);
  }
  void add(const models::Strides& strides) {
    const auto& [tp, cp, dp, pp] = strides;
    add_all(tp, cp, dp, pp);
  }
  void add(const models::ExpertStrides& strides) {
    const auto& [etp, ep] = strides;
    add_all(etp, ep);
  }
  void add(const models::Layout& layout) {
    const auto& [tp, cp, ep, etp, pp, dp, virtual_stages, schedule, zero_group, sequence_parallel,
                 num_microbatches, layers_per_chunk, chunk_starts, embedding_as_layer,
                 loss_as_layer, strides, strides_in_stage, expert_strides] = layout;
    add_all(tp, cp, ep, etp, pp, dp, virtual_stages, schedule.row(), zero_group, sequence_parallel,
            num_microbatches, layers_per_chunk, chunk_starts, embedding_as_layer, loss_as_layer,
            strides, strides_in_stage, expert_strides);
  }
  void add(const core::LinkUse& use) {
    const auto& [link, coefficient] = use;
    add_all(link, coefficient);
  }
  void add(const models::CollectiveFlow& flow) {
    const auto& [route, latency, ceiling] = flow;
    add_all(route, latency, ceiling);
  }
  void add(const GroupCalls& calls) {
    const auto& [flows, bytes, is_swap, circles] = calls;
    add_all(flows, bytes, is_swap, circles);
  }
  void add(const models::ComputeCost& cost) {
    const auto& [matrix, attention, elementwise, gaps, host_wait] = cost;
    add_all(matrix, attention, elementwise, gaps, host_wait);
  }
  void add(const LayerPass& pass) {
    const auto& [compute, calls, waiting_calls, beside] = pass;
    add_all(compute, calls, waiting_calls, beside);
  }
  void add(const Bucket& bucket) {
    const auto& [gradient_bytes, parameter_bytes, first_layer, last_layer, num_calls] = bucket;
    add_all(gradient_bytes, parameter_bytes, first_layer, last_layer, num_calls);
  }
  void add(const ParameterSync& sync) {
    const auto& [buckets, gradient_sync, parameter_gather, of_experts, bucket_bytes] = sync;
    add_all(buckets, gradient_sync, parameter_gather, of_experts, bucket_bytes);
  }
  void add(const StageCosts& stage) {
    const auto& [forward, backward, weight, together, syncs, optimizer] = stage;
    add_all(forward, backward, weight, together, syncs, optimizer);
  }

  std::vector<std::uint64_t> numbers_;
};

/// FNV-1a over whole numbers. Unequal contents of equal keys are told apart by comparing them.
std::uint64_t key_of(const std::vector<std::uint64_t>& content) {
  std::uint64_t key = 0xcbf29ce484222325U;
  for (const std::uint64_t number : content) {
    key = (key ^ number) * 0x100000001b3U;
    key ^= key >> 29U;
  }
  return std::max<std::uint64_t>(key, 1);
}

}  // namespace

std::vector<std::uint64_t> content_of(const StepCosts& costs) {
  Content content;
  content.add(costs);
  return content.take();
}

StepResult KnownSteps::simulate(const StepCosts& costs) {
  const FoldedCosts folded = fold(costs);
  StepResult result = of_classes(folded.costs);
  result.link_bytes = unfolded(result.link_bytes, folded.link_class);
  return result;
}

StepResult KnownSteps::of_classes(const StepCosts& folded) {
  constexpr std::size_t kMaxKept = std::size_t{1} << 23U;  // 64 MiB
  std::vector<std::uint64_t> content = content_of(folded);
  const std::uint64_t key = key_of(content);
  if (const Known* known = known_.find(key); known != nullptr && known->content == content) {
    ++num_reused_;
    return known->result;
  }
  StepResult result = simulate_step(folded, Symmetry::kUnfolded);
  const std::size_t size = content.size();
  if (num_kept_.fetch_add(size) + size <= kMaxKept) {
    known_.put_unless_claimed(key, [&] {
      return std::make_unique<Known>(Known{.content = std::move(content), .result = result});
    });
  } else {
    num_kept_ -= size;
  }
  return result;
}

}  // namespace railwright::simulation
