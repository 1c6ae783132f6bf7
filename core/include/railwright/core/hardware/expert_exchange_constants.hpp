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

  static constexpr auto fields();
};

/// One direction of DeepEP's kernels for few tokens, which send a copy to each expert.
struct LowLatencyExchangeStage {
  Duration start{};
  Duration expert{};  ///< for each expert of the layer
  Duration token{};   ///< multiprocessor time per token that it sends
  double scale_up_share = 1.0;

  static constexpr auto fields();
};

/// One direction of an exchange inside a scale-up domain in which each member writes to all others.
struct ScaleUpExchangeStage {
  Duration start{};
  Duration rank{};   ///< for each member
  Duration token{};  ///< for each token
  double scale_up_share = 1.0;

  static constexpr auto fields();
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

  static constexpr auto fields();
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

  static constexpr auto fields();
};

}  // namespace railwright::core
