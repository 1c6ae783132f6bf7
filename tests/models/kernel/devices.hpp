// SPDX-License-Identifier: Apache-2.0
// Devices with the facts that kernels look at, apart from the catalogue.
#pragma once

#include "railwright/core/hardware/devices.hpp"

namespace railwright::models::test {

constexpr core::Duration us(double value) { return core::Duration::from_base(value * 1e-6); }
constexpr double in_us(core::Duration duration) { return duration.base() * 1e6; }

inline core::Accelerator kernel_device(double bf16, double fp8, double fp4, double bandwidth,
                                       int multiprocessors) {
  core::Accelerator device;
  device.bf16_rate.value = core::ComputeRate::from_base(bf16);
  device.fp8_rate = {.value = core::ComputeRate::from_base(fp8), .source = "test"};
  device.fp4_rate = {.value = core::ComputeRate::from_base(fp4), .source = "test"};
  device.memory_bandwidth.value = core::Bandwidth::from_base(bandwidth);
  device.memory_efficiency.value = 0.9;
  device.num_multiprocessors.value = multiprocessors;
  return device;
}

/// As kernel_device, fp8 at twice the rate of bf16.
inline core::Accelerator attention_device(double rate, double bandwidth, int multiprocessors) {
  return kernel_device(rate, 2.0 * rate, 1e12, bandwidth, multiprocessors);
}

inline core::Accelerator h100() { return kernel_device(989.4e12, 1979e12, 1e12, 3.35e12, 132); }
inline core::Accelerator b200() { return kernel_device(2250e12, 4500e12, 9000e12, 8e12, 148); }

}  // namespace railwright::models::test
