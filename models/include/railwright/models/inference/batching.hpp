// SPDX-License-Identifier: Apache-2.0
// A replica that keeps a number of requests under way and takes a new one as soon as one ends: what
// its iterations hold in the mean. [@yu2022orca]
#pragma once

#include <algorithm>
#include <cmath>

#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// What is asked, and what an iteration may hold.
struct BatchingLimits {
  double prompt_tokens = 1.0;
  double output_tokens = 1.0;
  double max_tokens = 8192.0;  ///< of an iteration, on each accelerator that attends by itself
  double num_shares = 1.0;     ///< accelerators that requests are shared out to
};

/// The mean iteration of a replica that keeps `batch` requests under way. Prompts pass in pieces of
/// `piece` tokens beside the decode steps of the others, in a share of the iterations or several at
/// a time. [@agrawal2024sarathi] The last piece gives the first token.
struct BatchingMix {
  double batch = 1.0;
  double pieces = 1.0;          ///< of a prompt
  double piece = 1.0;           ///< tokens of one
  double piece_share = 0.0;     ///< of the iterations, those with pieces
  double pieces_at_once = 1.0;  ///< in each of these
  double requests = 0.0;        ///< that end in an iteration

  /// A request takes `pieces` + output_tokens - 1 iterations. Where pieces and decode steps of so
  /// many requests exceed max_tokens, the rest of them wait.
  static BatchingMix of(double batch, const BatchingLimits& limits) {
    BatchingMix mix{.batch = batch};
    const double decodes = limits.output_tokens - 1.0;
    const double max_tokens = limits.max_tokens * limits.num_shares;
    mix.piece =
        std::clamp(limits.max_tokens - batch / limits.num_shares, 1.0, limits.prompt_tokens);
    mix.pieces = std::ceil(limits.prompt_tokens / mix.piece);
    mix.piece = limits.prompt_tokens / mix.pieces;
    const double iterations = mix.pieces + decodes;
    const double tokens = (limits.prompt_tokens + decodes) / iterations;  // of a request in one
    mix.requests = std::min(batch, max_tokens / tokens) / iterations;
    const double at_once = mix.requests * mix.pieces;
    mix.piece_share = std::min(at_once, 1.0);
    mix.pieces_at_once = std::max(at_once, 1.0);
    return mix;
  }

  /// Decode steps in an iteration with pieces; one without has a step of each request.
  [[nodiscard]] double decodes_beside(const BatchingLimits& limits) const {
    const double steady = requests * (limits.output_tokens - 1.0);
    return piece_share < 1.0 ? batch - 1.0 : steady;
  }
};

/// What a replica does with `batch` requests under way, in the mean.
struct BatchCycle {
  double batch = 1.0;
  double output_tokens = 1.0;
  double pieces = 1.0;        ///< iterations in which a prompt passes
  double requests = 1.0;      ///< that end in an iteration
  core::Duration iteration;   ///< in the mean
  core::Duration with_piece;  ///< one in which pieces of prompts pass

  [[nodiscard]] double requests_per_s() const { return requests / iteration.base(); }
  /// A request waits for the iteration under way, then for those of its own prompt. Without a
  /// queue.
  [[nodiscard]] core::Duration time_to_first_token() const {
    return with_piece * pieces + (batch > 1.0 ? iteration : core::Duration{});
  }
  /// The mean between its tokens.
  [[nodiscard]] core::Duration time_per_output_token() const {
    if (output_tokens <= 1.0) return {};
    return batch > 1.0 ? iteration
                       : (iteration / requests - with_piece * pieces) / (output_tokens - 1.0);
  }
};

}  // namespace railwright::models
