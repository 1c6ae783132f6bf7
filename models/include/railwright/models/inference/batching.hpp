// SPDX-License-Identifier: Apache-2.0
// The mean iteration of a replica that keeps a fixed number of active requests and takes a new one
// as soon as one ends. [@yu2022orca]
#pragma once

#include <algorithm>
#include <cmath>

#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// The size of requests, and the limits of an iteration.
struct BatchingLimits {
  double prompt_tokens = 1.0;
  double output_tokens = 1.0;
  double max_tokens = 8192.0;  ///< limit of an iteration, per accelerator with attention of its own
  double num_shares = 1.0;     ///< accelerators that share the requests
  double step_tokens = 1.0;    ///< tokens of a request that pass in a decode step
  double tokens_per_step = 1.0;  ///< tokens that it gives
  bool mixes_prompts = true;     ///< whether pieces of prompts pass beside decode steps

  /// Decode steps of a request; its prompt gives the first token.
  [[nodiscard]] double steps() const { return (output_tokens - 1.0) / tokens_per_step; }
};

/// The mean iteration of a replica that keeps `batch` active requests. Prompts pass in pieces of
/// `piece` tokens beside the decode steps of the others, in a share of the iterations or several at
/// a time. [@agrawal2024sarathi] The last piece gives the first token. Where prompts do not pass
/// beside steps, they pass before: `piece_share` is of iterations of prompts to each of steps.
struct BatchingMix {
  double batch = 1.0;
  double pieces = 1.0;          ///< pieces of a prompt
  double piece = 1.0;           ///< tokens of a piece
  double piece_share = 0.0;     ///< share of iterations that have pieces
  double pieces_at_once = 1.0;  ///< pieces in each of these
  double requests = 0.0;        ///< requests that end in an iteration, or in one of steps

  /// Computes the mix: a request takes `pieces` and its decode steps as iterations. If pieces and
  /// decode steps of so many requests exceed max_tokens, the excess waits. Requests of one output
  /// token have no decode steps that take room from the pieces.
  static BatchingMix of(double batch, const BatchingLimits& limits) {
    BatchingMix mix{.batch = batch};
    const double decodes = limits.steps();
    if (!limits.mixes_prompts && decodes > 0.0) return before_steps(batch, limits);
    const double max_tokens = limits.max_tokens * limits.num_shares;
    const double beside = decodes > 0.0 ? batch * limits.step_tokens / limits.num_shares : 0.0;
    mix.piece = std::clamp(limits.max_tokens - beside, 1.0, limits.prompt_tokens);
    mix.pieces = std::ceil(limits.prompt_tokens / mix.piece);
    mix.piece = limits.prompt_tokens / mix.pieces;
    const double iterations = mix.pieces + decodes;
    const double tokens =  // of a request in each
        (limits.prompt_tokens + decodes * limits.step_tokens) / iterations;
    mix.requests = std::min(batch, max_tokens / tokens) / iterations;
    const double at_once = mix.requests * mix.pieces;
    mix.piece_share = std::min(at_once, 1.0);
    mix.pieces_at_once = std::max(at_once, 1.0);
    return mix;
  }

  /// Computes the mix where prompts pass alone: those of the requests that take the places of the
  /// ones that end in an iteration of steps, as many at a time as max_tokens allows.
  static BatchingMix before_steps(double batch, const BatchingLimits& limits) {
    BatchingMix mix{.batch = batch};
    mix.pieces = std::ceil(limits.prompt_tokens / limits.max_tokens);
    mix.piece = limits.prompt_tokens / mix.pieces;
    mix.requests = batch / limits.steps();
    const double most =
        std::max(std::floor(limits.max_tokens / mix.piece), 1.0) * limits.num_shares;
    mix.pieces_at_once = std::clamp(mix.requests * mix.pieces, 1.0, most);
    mix.piece_share = mix.requests * mix.pieces / mix.pieces_at_once;
    return mix;
  }

  /// Returns the decode steps in an iteration with pieces; one without has a step of each request.
  [[nodiscard]] double decodes_beside(const BatchingLimits& limits) const {
    if (!limits.mixes_prompts) return 0.0;
    const double steady = requests * limits.steps();
    return piece_share < 1.0 ? batch - 1.0 : steady;
  }
};

/// The mean behaviour of a replica with `batch` active requests.
struct BatchCycle {
  double batch = 1.0;
  double groups = 1.0;  ///< groups of these requests, one in each stage of the layers
  double output_tokens = 1.0;
  double tokens_per_step = 1.0;   ///< tokens of a request that a decode step gives
  double pieces = 1.0;            ///< iterations that a prompt takes
  core::Duration before_prompt;   ///< until the cached part of a prompt is there
  double iterations_ahead = 1.0;  ///< under way or prepared as a request comes
  double requests = 1.0;          ///< requests that end in an iteration of each group
  core::Duration iteration;       ///< mean time of a group's way through all stages
  core::Duration with_piece;      ///< time of one with pieces of prompts

  [[nodiscard]] double requests_per_s() const { return requests / iteration.base(); }
  /// Whether a request is alone in its group.
  [[nodiscard]] bool is_alone() const { return batch <= groups; }
  /// Returns the time without a queue: a request waits for its cached part, for the
  /// iterations under way and prepared, then for those of its own prompt.
  [[nodiscard]] core::Duration time_to_first_token() const {
    return before_prompt + with_piece * pieces +
           (is_alone() ? core::Duration{} : iteration * iterations_ahead);
  }
  /// Returns the mean time between a request's tokens.
  [[nodiscard]] core::Duration time_per_output_token() const {
    if (output_tokens <= 1.0) return {};
    return is_alone()
               ? (iteration * groups / requests - with_piece * pieces) / (output_tokens - 1.0)
               : iteration / tokens_per_step;
  }
};

}  // namespace railwright::models
