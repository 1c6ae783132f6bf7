// SPDX-License-Identifier: Apache-2.0
// Devices of the tests of attention kernels.
#pragma once

#include "railwright/core/hardware/devices.hpp"

namespace railwright::models::test {

inline core::Accelerator attention_device(double rate, double bandwidth, int multiprocessors) {
  core::Accelerator device;
  device.bf16_rate.value = core::ComputeRate::from_base(rate);
  device.fp8_rate = core::Sourced<core::ComputeRate>{
      .value = core::ComputeRate::from_base(2.0 * rate), .source = "test"};
  device.memory_bandwidth.value = core::Bandwidth::from_base(bandwidth);
  device.num_multiprocessors.value = multiprocessors;
  return device;
}

/// Data sheet of an H100 SXM5; its fp8 peak as printed there.
inline core::Accelerator attention_h100() {
  core::Accelerator device = attention_device(989.4e12, 3.35e12, 132);
  device.fp8_rate->value = core::ComputeRate::from_base(1979e12);
  return device;
}

}  // namespace railwright::models::test
