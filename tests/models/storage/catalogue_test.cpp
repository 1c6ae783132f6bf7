// SPDX-License-Identifier: Apache-2.0
// Storage nodes and mounts of the catalogue.
#include "railwright/core/config/catalogue.hpp"

#include <gtest/gtest.h>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/hardware/mount.hpp"
#include "railwright/core/hardware/mount_fields.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/models/storage/protection.hpp"

namespace railwright::models {
namespace {

core::Catalogue catalogue() { return core::Catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"}); }

template <class T>
T entry(const std::string& name) {
  T value;
  const core::Catalogue known = catalogue();
  core::Reader reader(&known);
  reader.read(core::text_node(name), "", value);
  reader.throw_if_any();
  return value;
}

TEST(StorageCatalogue, EveryNodeHoldsItsProtectionWhereItWasRatedAndAtItsSmallest) {
  const auto names = catalogue().names(core::StorageNode::kKind);
  ASSERT_GE(names.size(), 12U);
  for (const std::string& name : names) {
    const auto node = entry<core::StorageNode>(name);
    EXPECT_GE(node.min_nodes.value, min_nodes(node.protection.value)) << name;
    EXPECT_LE(node.min_nodes.value, node.max_nodes.value) << name;
    EXPECT_TRUE(stripe(rated_protection(node), node.rated_nodes.value)) << name;
    EXPECT_GE(node.burst_write_rate.value, node.write_rate.value) << name;
    EXPECT_LE(node.read_rate.value, node.front_end_port_rate.value * node.num_front_end_ports.value)
        << name << " reads more than its ports carry";
    EXPECT_LT(processor_load(node, node.read_rate.value, {}), 1.0) << name;
    EXPECT_LT(processor_load(node, {}, node.write_rate.value), 1.0) << name;
  }
}

// 16 accelerators x 5370 and 5366 images/s x 115 KB over 4 and 8 nodes.
TEST(StorageCatalogue, TheF600PrimeHasTheProcessorLoadOfH20044) {
  const auto node = entry<core::StorageNode>("powerscale-f600p");
  const auto load = [&](double images_per_s, int nodes) {
    return processor_load(node, core::Bandwidth::from_base(16 * images_per_s * 115e3 / nodes), {});
  };
  EXPECT_NEAR(load(5370, 4), 0.136, 5e-4);
  EXPECT_NEAR(load(5366, 8), 0.081, 5e-4);
}

TEST(StorageCatalogue, MountsGoAsFarAsTheirConnections) {
  const auto one = entry<core::Mount>("nfs-tcp");
  const auto sixteen = entry<core::Mount>("nfs-nconnect");
  EXPECT_DOUBLE_EQ(one.largest_write_rate().base(), 1.2e9);
  EXPECT_DOUBLE_EQ(sixteen.largest_write_rate() / one.largest_write_rate(), 16.0);
  EXPECT_FALSE(one.all_nodes.value);
  EXPECT_FALSE(sixteen.all_nodes.value);
  EXPECT_TRUE(entry<core::Mount>("nfs-multipath").all_nodes.value);
  EXPECT_NEAR(entry<core::Mount>("nfs-rdma").largest_read_rate().base() / (1024. * 1024 * 1024),
              43.4, 0.05);
}

}  // namespace
}  // namespace railwright::models
