// SPDX-License-Identifier: Apache-2.0
// Descriptions of the devices of the catalogue. All values come from the catalogue's files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/shared.hpp"
#include "railwright/core/hardware/cable.hpp"
#include "railwright/core/hardware/generation.hpp"
#include "railwright/core/hardware/kernel_constants.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/hardware/transport.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// A GPU.
struct Accelerator {
  static constexpr std::string_view kKind = "accelerators";

  std::string name;
  std::string description;
  Sourced<Generation> generation;
  Sourced<DataSize> memory;
  Sourced<Bandwidth> memory_bandwidth;
  Sourced<double> memory_efficiency;
  std::optional<Sourced<double>> elementwise_efficiency;
  Sourced<ComputeRate> bf16_rate;
  Sourced<bool> has_bf16{.value = true,
                         .source = "what training accelerators have; those without say so"};
  std::optional<Sourced<ComputeRate>> fp32_rate;
  std::optional<Sourced<ComputeRate>> tf32_rate;
  std::optional<Sourced<ComputeRate>> fp16_rate;
  std::optional<Sourced<ComputeRate>> fp8_rate;
  std::optional<Sourced<ComputeRate>> fp4_rate;
  Sourced<double> gemm_efficiency;
  std::optional<Sourced<double>> fp8_gemm_efficiency;
  Sourced<double> attention_efficiency;
  std::optional<Sourced<double>> native_attention_efficiency;
  Sourced<int> num_multiprocessors;
  Sourced<Bandwidth> scale_up_bandwidth;
  Sourced<double> scale_up_efficiency;
  Sourced<Bandwidth> pcie_bandwidth;
  Sourced<Duration> kernel_overhead;
  Sourced<bool> fp8_any_layout{.value = false, .source = "the rule before Blackwell"};
  Sourced<Power> power;
  std::optional<Sourced<Power>> power_idle;
  Shared<KernelConstants> kernels;

  /// Peak dense rate; nullopt if the device lacks this precision.
  [[nodiscard]] std::optional<ComputeRate> peak_rate(Precision precision) const {
    const auto value = [](const auto& rate) {
      return rate ? std::optional(rate->value) : std::nullopt;
    };
    switch (precision) {
      case Precision::kFp32:
        return value(fp32_rate);
      case Precision::kTf32:
        return value(tf32_rate);
      case Precision::kFp16:
        return fp16_rate ? fp16_rate->value : bf16_rate.value;
      case Precision::kBf16:
        return has_bf16.value ? std::optional(bf16_rate.value) : std::nullopt;
      case Precision::kFp8:
        return value(fp8_rate);
      case Precision::kFp4:
        return value(fp4_rate);
      case Precision::kInt4:
        break;
    }
    return {};
  }

  /// Peak dense rate of a format's operands; zero if the device lacks it.
  [[nodiscard]] ComputeRate peak_rate(ProductFormat format) const {
    switch (format) {
      case ProductFormat::kFp8:
      case ProductFormat::kFp8Block:
        return peak_rate(Precision::kFp8).value_or(ComputeRate{});
      case ProductFormat::kFp4:
        return peak_rate(Precision::kFp4).value_or(ComputeRate{});
      case ProductFormat::kWide:
        break;
    }
    return bf16_rate.value;
  }

  /// Memory bandwidth that kernels reach which compute little: activations, casts, norms,
  /// optimizers.
  [[nodiscard]] Bandwidth elementwise_bandwidth() const {
    const Sourced<double>& share =
        elementwise_efficiency ? *elementwise_efficiency : memory_efficiency;
    return memory_bandwidth.value * share.value;
  }

  /// Peak of 16-bit products: bf16, or fp16 where it has no bf16.
  [[nodiscard]] ComputeRate wide_rate() const { return bf16_rate.value; }
  /// Largest share of the peak rate that products in this precision reach.
  [[nodiscard]] double product_efficiency(Precision precision) const {
    const bool narrow = precision == Precision::kFp8 || precision == Precision::kFp4;
    return narrow && fp8_gemm_efficiency ? fp8_gemm_efficiency->value : gemm_efficiency.value;
  }

  // NOLINTNEXTLINE(readability-function-size): a row a key
  static constexpr auto fields() {
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
              "Peak dense rate of 16-bit products: bf16, or fp16 where has_bf16 is false.",
              positive),
        field("has_bf16", &Accelerator::has_bf16, "Whether it multiplies bf16.", optional),
        field("fp32_rate", &Accelerator::fp32_rate, "Peak fp32 rate.", positive),
        field("tf32_rate", &Accelerator::tf32_rate, "Peak dense tf32 rate.", positive),
        field("fp16_rate", &Accelerator::fp16_rate,
              "Peak dense fp16 rate with fp32 sums; bf16_rate where absent.", positive),
        field("fp8_rate", &Accelerator::fp8_rate, "Peak dense fp8 rate.", positive),
        field("fp4_rate", &Accelerator::fp4_rate, "Peak dense fp4 rate.", positive),
        field("gemm_efficiency", &Accelerator::gemm_efficiency,
              "Largest share of the peak rate that a matrix product of any shape reaches.",
              fraction),
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
};

/// Whether packets of a flow may go several ways, as far as an adapter is concerned.
enum class PacketSpraying : std::uint8_t {
  kNone,      ///< takes them in order alone, so that they must go one way
  kReceives,  ///< takes them in any order
  kSends,     ///< also spreads them over all ways by itself
};

constexpr auto enum_words(PacketSpraying) {
  using enum PacketSpraying;
  return words<PacketSpraying>({{"none", kNone}, {"receives", kReceives}, {"sends", kSends}});
}

/// A network adapter. Its transport says what share of the line rate arrives.
struct Nic {
  static constexpr std::string_view kKind = "nics";

  std::string name;
  std::string description;
  Sourced<Bandwidth> line_rate;
  int num_ports = 1;
  std::vector<LinkProtocol> link_protocols;
  Sourced<Bandwidth> pcie_bandwidth;
  Sourced<Duration> latency;
  Sourced<Power> power;
  Sourced<PacketSpraying> packet_spraying{.value = PacketSpraying::kNone,
                                          .source = "packets in order, as RoCE takes them"};

  static constexpr auto fields() {
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
        field(
            "packet_spraying", &Nic::packet_spraying,
            "Whether it takes the packets of a flow in any order (receives), or spreads them over "
            "all ways by itself too (sends).",
            optional));
  }
};

/// A fixed switch.
struct Switch {
  static constexpr std::string_view kKind = "switches";

  std::string name;
  std::string description;
  std::optional<Sourced<LinkProtocol>> link_protocol;
  Sourced<int> num_ports;
  Sourced<Bandwidth> port_rate;
  Sourced<Duration> latency;
  Sourced<int> rack_units;
  Sourced<Power> power;
  Sourced<bool> in_network_reduction{.value = false, .source = {}};
  Sourced<bool> packet_spraying{.value = false, .source = "hashing, as of any Ethernet switch"};
  std::vector<Cable> cables;
  std::string split;

  static constexpr auto fields() {
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
              optional));
  }
};

}  // namespace railwright::core
