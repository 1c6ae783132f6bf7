// SPDX-License-Identifier: Apache-2.0
// The keys of mixer_constants.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/mixer_constants.hpp"

namespace railwright::core {

constexpr auto MixerConstants::fields() {
  using M = MixerConstants;
  return field_list(
      field("launch", &M::launch, "Time of the call on a few tokens.", non_negative),
      field("memory_share", &M::memory_share,
            "Share of the memory bandwidth that the bytes of many tokens reach; above 1 where most "
            "of "
            "them never leave the chip.",
            between(0.0, 16.0)),
      field("rate_share", &M::rate_share,
            "Share of the rate of 16-bit products that its operations reach.", between(0.0, 16.0)),
      field("step", &M::step,
            "Time of one of the steps that follow one another: a chunk of tokens that a state "
            "passes, on one multiprocessor.",
            non_negative),
      field("overlap", &M::overlap,
            "Exponent by which the times of bytes, operations and steps are joined; 1: they add "
            "up.",
            between(1.0, 100.0)));
}

}  // namespace railwright::core
