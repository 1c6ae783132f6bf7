// SPDX-License-Identifier: Apache-2.0
// A replica that keeps a batch of requests under way and takes a new one as soon as one ends.
// [@yu2022orca]
#pragma once

#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// While `batch` requests are answered, each with `output_tokens`, a replica runs `batch` prefills,
/// which give the first tokens, and `output_tokens - 1` decode steps of the whole batch.
struct BatchCycle {
  double batch = 1.0;
  double output_tokens = 1.0;
  core::Duration prefill;  ///< of one request
  core::Duration decode;   ///< one step of the batch

  /// batch * prefill + (output_tokens - 1) * decode.
  [[nodiscard]] core::Duration total() const {
    return prefill * batch + decode * (output_tokens - 1.0);
  }
  [[nodiscard]] double requests_per_s() const { return batch / total().base(); }
  /// A request waits for the step under way, then for its own prefill. Without a queue.
  [[nodiscard]] core::Duration time_to_first_token() const {
    return batch > 1.0 ? prefill + decode : prefill;
  }
  /// The mean between its tokens: its own decode steps with the prefills of the others between.
  [[nodiscard]] core::Duration time_per_output_token() const {
    if (output_tokens <= 1.0) return {};
    return decode + prefill * ((batch - 1.0) / (output_tokens - 1.0));
  }
};

}  // namespace railwright::models
