// SPDX-License-Identifier: Apache-2.0
// The keys of devices.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/cable_fields.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/kernel_constants_fields.hpp"

namespace railwright::core {

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto Accelerator::fields() {
  return field_list(
      field("name", &Accelerator::name, "Name in the catalogue."),
      field("description", &Accelerator::description, "The device in words."),
      field("generation", &Accelerator::generation,
            "Architecture, by which libraries tune their kernels and collectives."),
      field("memory", &Accelerator::memory, "Capacity of the device memory.", positive),
      field("memory_bandwidth", &Accelerator::memory_bandwidth,
            "Peak bandwidth of the device memory.", positive),
      field("memory_efficiency", &Accelerator::memory_efficiency,
            "Share of the memory bandwidth that streaming kernels reach.", fraction),
      field("elementwise_efficiency", &Accelerator::elementwise_efficiency,
            "As memory_efficiency, of kernels that also compute: activations, casts, norms, "
            "optimizers; memory_efficiency where absent.",
            fraction),
      field("bf16_rate", &Accelerator::bf16_rate,
            "Peak dense rate of 16-bit products: bf16, or fp16 where has_bf16 is false.", positive),
      field("has_bf16", &Accelerator::has_bf16, "Whether it multiplies bf16.", optional),
      field("fp32_rate", &Accelerator::fp32_rate, "Peak fp32 rate.", positive),
      field("tf32_rate", &Accelerator::tf32_rate, "Peak dense tf32 rate.", positive),
      field("fp16_rate", &Accelerator::fp16_rate,
            "Peak dense fp16 rate with fp32 sums; bf16_rate where absent.", positive),
      field("fp8_rate", &Accelerator::fp8_rate, "Peak dense fp8 rate.", positive),
      field("fp4_rate", &Accelerator::fp4_rate, "Peak dense fp4 rate.", positive),
      field("gemm_efficiency", &Accelerator::gemm_efficiency,
            "Largest share of the peak rate that a matrix product of any shape reaches.", fraction),
      field("fp8_gemm_efficiency", &Accelerator::fp8_gemm_efficiency,
            "As gemm_efficiency, of the fp8 and fp4 peaks; gemm_efficiency where absent.",
            fraction),
      field("attention_efficiency", &Accelerator::attention_efficiency,
            "Share of the peak rate that the forward pass of fused attention reaches, long "
            "sequences and heads of 128.",
            fraction),
      field("native_attention_efficiency", &Accelerator::native_attention_efficiency,
            "As attention_efficiency, in kernels written for this device; attention_efficiency "
            "where absent.",
            fraction),
      field("num_multiprocessors", &Accelerator::num_multiprocessors,
            "Streaming multiprocessors, which matrix tiles are dealt to in waves.", at_least(1)),
      field("scale_up_bandwidth", &Accelerator::scale_up_bandwidth,
            "Bandwidth into the scale-up domain, one direction.", positive),
      field("scale_up_efficiency", &Accelerator::scale_up_efficiency,
            "Share of the scale-up bandwidth that ring collectives reach.", fraction),
      field("pcie_bandwidth", &Accelerator::pcie_bandwidth,
            "PCIe bandwidth that transfers reach, one direction.", positive),
      field("kernel_overhead", &Accelerator::kernel_overhead,
            "Idle time between two dependent kernels.", non_negative),
      field("fp8_any_layout", &Accelerator::fp8_any_layout,
            "Whether fp8 products read operands along either dimension; where not, stacks keep "
            "each weight a second time, transposed.",
            optional),
      field("power", &Accelerator::power,
            "Thermal design power, a fact of the data sheet: power.accelerator_cap caps it.",
            positive),
      field("power_idle", &Accelerator::power_idle,
            "Power while nothing runs; a tenth of `power` where absent.", positive),
      field("kernels", &Accelerator::kernels,
            "Constants of its kernels, by the catalogue name of the measured device: its own, or "
            "one of its generation. Where absent, those of no device in particular.",
            optional));
}

constexpr auto Nic::fields() {
  return field_list(
      field("name", &Nic::name, "Name in the catalogue."),
      field("description", &Nic::description, "The device in words."),
      field("line_rate", &Nic::line_rate, "Line rate of one port, one direction.", positive),
      field("num_ports", &Nic::num_ports, "Ports.", between(1, 64), optional),
      field("link_protocols", &Nic::link_protocols,
            "Link protocols of its ports; those of the transport where absent.", optional),
      field("pcie_bandwidth", &Nic::pcie_bandwidth,
            "PCIe bandwidth that transfers reach, one direction.", positive),
      field("latency", &Nic::latency, "One way through the adapter.", non_negative),
      field("power", &Nic::power, "Typical power.", positive),
      field("packet_spraying", &Nic::packet_spraying,
            "Whether it takes the packets of a flow in any order (receives), or spreads them over "
            "all ways by itself too (sends).",
            optional));
}

constexpr auto Switch::fields() {
  return field_list(
      field("name", &Switch::name, "Name in the catalogue."),
      field("description", &Switch::description, "The device in words."),
      field("link_protocol", &Switch::link_protocol,
            "Link protocol of its ports; that of the adapters where absent."),
      field("num_ports", &Switch::num_ports, "Ports.", between(1, 65536)),
      field("port_rate", &Switch::port_rate, "Rate of a port, one direction.", positive),
      field("latency", &Switch::latency, "Port to port.", non_negative),
      field("rack_units", &Switch::rack_units, "Height.", at_least(1)),
      field("power", &Switch::power, "Typical power without optics.", positive),
      field("in_network_reduction", &Switch::in_network_reduction,
            "Whether it adds and multicasts what passes it (SHARP).", optional),
      field("packet_spraying", &Switch::packet_spraying,
            "Whether it sends each packet over the way that is least busy.", optional),
      field("cables", &Switch::cables,
            "Cables for its ports, by catalogue name: the shortest that reaches is taken, of "
            "those with the rate of the link.",
            optional),
      field("split", &Switch::split,
            "Catalogue entry of the same switch with its ports split, each for several slower "
            "devices.",
            optional),
      field("split_ways", &Switch::split_ways,
            "Ports that each of its ports is in the entry of `split`.", optional));
}

}  // namespace railwright::core
