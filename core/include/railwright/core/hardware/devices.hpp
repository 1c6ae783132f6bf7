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

  // Defined in one source: to make, copy and destroy all its members is long code.
  Accelerator();
  Accelerator(const Accelerator&);
  Accelerator(Accelerator&&) noexcept;
  Accelerator& operator=(const Accelerator&);
  Accelerator& operator=(Accelerator&&) noexcept;
  ~Accelerator();

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

  static constexpr auto fields();
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

  static constexpr auto fields();
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
  int split_ways = 2;

  static constexpr auto fields();
};

}  // namespace railwright::core
