// SPDX-License-Identifier: Apache-2.0
// An entry of the catalogue of any kind, by the input's first byte.
#include <array>
#include <cstddef>
#include <cstdint>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/hardware/cable.hpp"
#include "railwright/core/hardware/cable_fields.hpp"
#include "railwright/core/hardware/cpu_node.hpp"
#include "railwright/core/hardware/cpu_node_fields.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/mount.hpp"
#include "railwright/core/hardware/mount_fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/core/hardware/transport_fields.hpp"
#include "railwright/models/data_loading/data_reader_fields.hpp"
#include "railwright/models/money/prices.hpp"
#include "railwright/models/money/prices_fields.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/offload/tier_fields.hpp"
#include "railwright/models/reliability/reliability.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"
#include "railwright/models/software/collectives_fields.hpp"
#include "railwright/models/software/installation.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"

using namespace railwright;

namespace {

template <class Entry>
void read(const core::Node& tree) {
  static const core::Catalogue built_in({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  core::Reader reader(&built_in);
  Entry entry{};
  reader.read(tree, "", entry);
  reader.throw_if_any();
}

using Read = void (*)(const core::Node&);
constexpr auto kReads = std::to_array<Read>(
    {read<core::Accelerator>, read<core::Cable>, read<core::CpuNode>, read<core::Mount>,
     read<models::DataReader>, read<core::Nic>, read<core::ComputeNode>, read<core::StorageNode>,
     read<core::Switch>, read<core::Transport>, read<models::CollectiveTuning>,
     read<models::Installation>, read<models::Model>, read<models::OffloadTier>,
     read<models::Prices>, read<models::Reliability>, read<models::SoftwareProfile>});

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    kReads[data[0] % kReads.size()](
        core::parse_yaml({reinterpret_cast<const char*>(data) + 1, size - 1}, "fuzz.yaml"));
  } catch (const core::ConfigError&) {
    return 0;
  }
  return 0;
}
