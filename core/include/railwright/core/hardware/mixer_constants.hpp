// SPDX-License-Identifier: Apache-2.0
// Constants of kernels that mix tokens otherwise than by dense attention.
#pragma once

#include <map>
#include <string>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// A kernel, or several in one call:
///   launch + (bytes^p + work^p + steps^p)^(1/p)   with p = overlap
/// of the times of its bytes, of its operations, and of the steps that follow one another.
struct MixerConstants {
  Duration launch{};
  double memory_share = 0.6;
  double rate_share = 0.2;
  Duration step{};
  double overlap = 2.0;

  static constexpr auto fields();
};

/// Constants by the kernel's name.
using MixerKernels = std::map<std::string, MixerConstants>;

}  // namespace railwright::core
