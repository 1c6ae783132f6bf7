// SPDX-License-Identifier: Apache-2.0
// Measured time constants of token exchanges between experts, and of all-reduces for inference, on
// one device. [@aiconfigurator]
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// One direction of DeepEP's kernels for many tokens.
struct ExpertExchangeStage {
  Duration start{};     ///< start of a call
  Duration fill{};      ///< for each KiB of a token
  Duration token{};     ///< multiprocessor time per token
  Duration copy{};      ///< multiprocessor time per copy of a token
  Duration copy_kib{};  ///< multiprocessor time per KiB of a copy
  Duration sum_kib{};   ///< multiprocessor time per KiB of a token
  Duration node{};      ///< multiprocessor time per node that a token is sent to
  double between_nodes = 1.0;

  static constexpr auto fields() {
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
};

/// One direction of DeepEP's kernels for few tokens, which send a copy to each expert.
struct LowLatencyExchangeStage {
  Duration start{};
  Duration expert{};  ///< for each expert of the layer
  Duration token{};   ///< multiprocessor time per token that it sends
  double scale_up_share = 1.0;

  static constexpr auto fields() {
    using S = LowLatencyExchangeStage;
    return field_list(
        field("start", &S::start, "Start of a call.", non_negative),
        field("expert", &S::expert, "More of a call for each expert.", non_negative),
        field("token", &S::token,
              "Time of a multiprocessor for each token; there is one an expert.", non_negative),
        field("scale_up_share", &S::scale_up_share,
              "Share of the scale-up bandwidth that copies reach.", fraction));
  }
};

/// One direction of an exchange inside a scale-up domain in which each member writes to all others.
struct ScaleUpExchangeStage {
  Duration start{};
  Duration rank{};   ///< for each member
  Duration token{};  ///< for each token
  double scale_up_share = 1.0;

  static constexpr auto fields() {
    using S = ScaleUpExchangeStage;
    return field_list(field("start", &S::start, "Start of a call.", non_negative),
                      field("rank", &S::rank, "More of a call for each member.", non_negative),
                      field("token", &S::token, "Least time of a token.", non_negative),
                      field("scale_up_share", &S::scale_up_share,
                            "Share of the scale-up bandwidth that copies reach.", fraction));
  }
};

/// Exchanges of tokens between experts.
struct ExpertExchangeConstants {
  ExpertExchangeStage dispatch;
  ExpertExchangeStage combine;
  Duration network_start{};  ///< for each doubling of the nodes
  double crowding = 0.0;     ///< for each multiprocessor
  double scale_up_share = 1.0;
  double network_share = 1.0;       ///< the router chooses among up to four nodes
  double wide_network_share = 1.0;  ///< among eight or more
  LowLatencyExchangeStage low_latency_dispatch;
  LowLatencyExchangeStage low_latency_combine;
  Duration low_latency_network_start{};
  double low_latency_network_share = 1.0;
  ScaleUpExchangeStage scale_up_dispatch;
  ScaleUpExchangeStage scale_up_combine;

  static constexpr auto fields() {
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
};

/// All-reduces in which each member reads the others' memory, as inference engines run them.
struct DirectAllReduceConstants {
  Duration start{};
  Duration rank{};    ///< for each member
  Duration spread{};  ///< once the bytes are spread over all multiprocessors
  double share = 1.0;
  Duration two_shot_start{};
  double two_shot_share = 1.0;
  DataSize largest{};

  static constexpr auto fields() {
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
        field("largest", &C::largest, "Largest buffer; the library takes what is larger.",
              positive));
  }
};

}  // namespace railwright::core
