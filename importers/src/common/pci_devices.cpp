// SPDX-License-Identifier: Apache-2.0
#include "pci_devices.hpp"

#include <array>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

struct Known {
  PciId id;
  std::string_view name;
};

constexpr auto kAccelerators = std::to_array<Known>({
    {{0x10de, 0x1db1}, "v100-sxm2-16gb"}, {{0x10de, 0x1db5}, "v100-sxm2"},
    {{0x10de, 0x1db8}, "v100-sxm2"},  // SXM3 of the DGX-2; the catalogue has both as one entry
    {{0x10de, 0x20b0}, "a100-sxm-40gb"},  {{0x10de, 0x20b2}, "a100-sxm-80gb"},
    {{0x10de, 0x20b5}, "a100-pcie-80gb"}, {{0x10de, 0x20f3}, "a800-sxm-80gb"},
    {{0x10de, 0x2324}, "h800-sxm"},       {{0x10de, 0x2329}, "h20-sxm"},
    {{0x10de, 0x2330}, "h100-sxm"},       {{0x10de, 0x2331}, "h100-pcie"},
    {{0x10de, 0x2335}, "h200-sxm"},       {{0x10de, 0x2901}, "b200-sxm"},
    {{0x10de, 0x2941}, "gb200"},          {{0x10de, 0x26b5}, "l40"},
    {{0x10de, 0x26b9}, "l40s"},           {{0x10de, 0x27b8}, "l4"},
    {{0x1002, 0x7408}, "mi250x-gcd"},     {{0x1002, 0x74a1}, "mi300x"},
    {{0x1002, 0x74a5}, "mi325x"},         {{0x1002, 0x75a3}, "mi355x"},
});

constexpr auto kNics = std::to_array<Known>({
    {{0x15b3, 0x101b}, "connectx-6-hdr"},
    {{0x15b3, 0x101d}, "connectx-6-dx"},
    {{0x15b3, 0x1021}, "connectx-7"},
    {{0x15b3, 0xa2dc}, "bluefield-3"},
    {{0x14e4, 0x1760}, "bcm57608"},
});

template <std::size_t N>
std::string_view name_of(const std::array<Known, N>& all, const PciId& id) {
  for (const Known& known : all) {
    if (known.id.vendor == id.vendor && known.id.device == id.device) return known.name;
  }
  return {};
}

}  // namespace

std::string_view accelerator_of(const PciId& id) { return name_of(kAccelerators, id); }
std::string_view nic_of(const PciId& id) { return name_of(kNics, id); }

double pcie_rate(std::string_view speed, double lanes) {
  const std::vector<std::string_view> words = core::words_of(speed);
  if (words.size() < 2 || words[1] != "GT/s" || !(lanes >= 1.0 && lanes <= 32.0)) return 0.0;
  const double transfers = core::number_of(words.front());
  if (!(transfers >= 2.5 && transfers <= 128.0)) return 0.0;
  const double code = transfers < 8.0 ? 8.0 / 10.0 : 128.0 / 130.0;
  return transfers * 1e9 / 8.0 * lanes * code;
}

}  // namespace railwright::importers
