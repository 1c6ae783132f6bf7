// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/compute/context_elements.hpp"

#include <algorithm>
#include <cstdint>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

namespace {

/// Returns how often heads of keys and values are sent: PyTorch repeats them for every head of
/// queries before it gathers them [@pytorch_context_parallel]; ranks that swap have one each.
double repetition(const Mixer& mixer, const Layout& layout, const SoftwareProfile& software) {
  const std::int64_t heads = core::ceil_div(mixer.num_heads, layout.tp);
  const std::int64_t kv_heads =
      std::max<std::int64_t>(1, core::ceil_div(mixer.num_kv_heads, layout.tp));
  const auto kv = static_cast<double>(kv_heads);
  if (software.context_exchange.value == ContextExchange::kGatheredRing) {
    return static_cast<double>(heads) / kv;
  }
  const int swapping = software.context_ranks(layout.cp).heads;
  return static_cast<double>(core::ceil_div(kv_heads, std::int64_t{swapping}) * swapping) / kv;
}

}  // namespace

ContextElements context_elements(const Mixer& mixer, const Layout& layout,
                                 const SoftwareProfile& software) {
  const MixerKept kept = mixer.kind->kept(mixer, layout.tp);
  return {.queries = kept.queries,
          .keys_and_values = (kept.keys + kept.values) * repetition(mixer, layout, software),
          .outputs = kept.output};
}

double sent_number_bytes(const SoftwareProfile& software) {
  constexpr double kLeast = 2.0;  // fp8 and fp4 are casts within products
  return std::max(core::bytes_of(software.precision.value), kLeast);
}

}  // namespace railwright::models
