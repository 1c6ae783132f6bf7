// SPDX-License-Identifier: Apache-2.0
// The keys of expert_exchange_constants.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/expert_exchange_constants.hpp"

namespace railwright::core {

constexpr auto ExpertExchangeStage::fields() {
  using S = ExpertExchangeStage;
  return field_list(
      field("start", &S::start, "Start of a call.", non_negative),
      field("fill", &S::fill, "More of a call for each KiB of a token, until the first arrived.",
            non_negative),
      field("token", &S::token, "Time of a multiprocessor for each token that it looks at.",
            non_negative),
      field("copy", &S::copy, "Time of a multiprocessor for each copy of a token.", non_negative),
      field("copy_kib", &S::copy_kib, "Time of a multiprocessor for each KiB of a copy.",
            non_negative),
      field("sum_kib", &S::sum_kib,
            "Time of a multiprocessor for each KiB of a token that it writes, or sums from its "
            "copies, while others send.",
            non_negative),
      field("node", &S::node,
            "Time of a multiprocessor for each node that a token goes to, between nodes.",
            non_negative),
      field("between_nodes", &S::between_nodes, "Factor on copies between nodes.", positive));
}

constexpr auto LowLatencyExchangeStage::fields() {
  using S = LowLatencyExchangeStage;
  return field_list(
      field("start", &S::start, "Start of a call.", non_negative),
      field("expert", &S::expert, "More of a call for each expert.", non_negative),
      field("token", &S::token, "Time of a multiprocessor for each token; there is one an expert.",
            non_negative),
      field("scale_up_share", &S::scale_up_share,
            "Share of the scale-up bandwidth that copies reach.", fraction));
}

constexpr auto ScaleUpExchangeStage::fields() {
  using S = ScaleUpExchangeStage;
  return field_list(field("start", &S::start, "Start of a call.", non_negative),
                    field("rank", &S::rank, "More of a call for each member.", non_negative),
                    field("token", &S::token, "Least time of a token.", non_negative),
                    field("scale_up_share", &S::scale_up_share,
                          "Share of the scale-up bandwidth that copies reach.", fraction));
}

constexpr auto ExpertExchangeConstants::fields() {
  using C = ExpertExchangeConstants;
  return field_list(
      field("dispatch", &C::dispatch, "Tokens to their experts."),
      field("combine", &C::combine, "What the experts made of them, back and summed."),
      field("network_start", &C::network_start,
            "More of a call for each doubling of the nodes: they tell each other what comes.",
            non_negative),
      field("crowding", &C::crowding,
            "What multiprocessors hold each other up: share of a lone one's time, for each.",
            non_negative),
      field("scale_up_share", &C::scale_up_share,
            "Share of the scale-up bandwidth that copies reach.", fraction),
      field("network_share", &C::network_share,
            "Share of the adapters' bandwidth that copies reach where the router chooses among "
            "up to four nodes.",
            fraction),
      field("wide_network_share", &C::wide_network_share, "The same among eight nodes or more.",
            fraction),
      field("low_latency_dispatch", &C::low_latency_dispatch, "Dispatch of few tokens."),
      field("low_latency_combine", &C::low_latency_combine, "Combine of few tokens."),
      field("low_latency_network_start", &C::low_latency_network_start,
            "More of a call of few tokens where it leaves the node.", non_negative),
      field("low_latency_network_share", &C::low_latency_network_share,
            "Share of the adapters' bandwidth that copies of few tokens reach.", fraction),
      field("scale_up_dispatch", &C::scale_up_dispatch,
            "Dispatch by kernels of the scale-up domain alone."),
      field("scale_up_combine", &C::scale_up_combine, "Combine by such kernels."));
}

constexpr auto DirectAllReduceConstants::fields() {
  using C = DirectAllReduceConstants;
  return field_list(
      field("start", &C::start, "Start of a call.", non_negative),
      field("rank", &C::rank, "More of a call for each member.", non_negative),
      field("spread", &C::spread, "More of a call of more than some 16 KiB.", non_negative),
      field("share", &C::share,
            "Share of the scale-up bandwidth that a member reads all buffers with.", fraction),
      field("two_shot_start", &C::two_shot_start,
            "More of a call that scatters and gathers, for its second barrier.", non_negative),
      field("two_shot_share", &C::two_shot_share, "As share, of those calls.", fraction),
      field("largest", &C::largest, "Largest buffer; the library takes what is larger.", positive));
}

}  // namespace railwright::core
