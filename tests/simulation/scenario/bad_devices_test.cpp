// SPDX-License-Identifier: Apache-2.0
// Keys that the accelerator gives no effect, and rates that it cannot reach.
#include "bad_input.hpp"

namespace railwright::test {
namespace {

const BadInput kBadDevices[] = {
    {"PowerOfAnAccelerator",
     {},
     {"cluster.node.accelerator.power=500 W"},
     {"--set cluster.node.accelerator.power=500 W: cluster.node.accelerator.power: is a fact of "
      "the data sheet: use power.accelerator_cap for a limit that the driver sets, or "
      "power.node_cap "
      "to cap what nodes draw"}},
    {"KernelsOfAnAccelerator",
     {},
     {"cluster.node.accelerator.kernels=h100-sxm"},
     {"--set cluster.node.accelerator.kernels=h100-sxm: cluster.node.accelerator.kernels: no "
      "kernel "
      "'h100-sxm' in the catalogue; did you mean 'h100-sxm-kernels'? (known: h100-sxm-kernels)"}},
    {"NativeAttentionOfADeviceWithout",
     {},
     {"cluster.node.accelerator.native_attention_efficiency=null",
      "software.attention=fused_native"},
     {"--set software.attention=fused_native: software.attention: fused_native needs "
      "cluster.node.accelerator.native_attention_efficiency, which h100-sxm does not give: use "
      "fused, or give that number"}},
    {"AFlashKernelWithoutItsEfficiency",
     {},
     {"cluster.node.accelerator.kernels={model: h100-sxm-kernels, attention: {flash_2_efficiency: "
      "null}}"},
     {"--set cluster.node.accelerator.kernels={model: h100-sxm-kernels, attention: {flash_2_e...: "
      "cluster.node.accelerator.kernels.attention: flash_2 and flash_2_efficiency go together, got "
      "flash_2 alone"}},
    {"NarrowActivationsWithoutAGate",
     {},
     {"workload.model.gated_ffn=false", "software.fp8_activation_input=true"},
     {"--set software.fp8_activation_input=true: software.fp8_activation_input: is known for gated "
      "feed-forward blocks alone: leave it out"}},
    {"AnAlgorithmOfOneNodeForGroupsOverNodes",
     {{"tp: 2", "tp: 16"}},
     {"software.collectives.all_reduce_algorithm=nvls"},
     {"--set software.collectives.all_reduce_algorithm=nvls: "
      "software.collectives.all_reduce_algorithm: nvls runs within a node, and every group of this "
      "layout spans nodes of 8 accelerators: name another, or leave the choice to the library"}},
    {"ASiteBeyondThePeak",
     {{"neutral", "{compute_efficiency: 1.9}"}},
     {"software.compute_efficiency=0.8"},
     {"s.yaml:19:36: installation.compute_efficiency: products would run at 1.2 times the peak of "
      "h100-sxm: at most 1.581"}},
    {"AStackBeyondThePeak",
     {},
     {"software.compute_efficiency=1.9"},
     {"--set software.compute_efficiency=1.9: software.compute_efficiency: products would run at "
      "1.5 times the peak of h100-sxm: at most 1.265"}}};

INSTANTIATE_TEST_SUITE_P(Devices, BadInputTest, testing::ValuesIn(kBadDevices), name_of);

/// Tensor-parallel groups in a node take it; those over nodes, of data parallelism, do not.
TEST(Devices, AnAlgorithmOfOneNodeNeedsAGroupInANode) {
  EXPECT_EQ(problems_of(
                {"", {{"tp: 2", "tp: 8"}}, {"software.collectives.all_reduce_algorithm=nvls"}, {}}),
            Lines{});
}

/// Sites are faster than those that a device profile was fitted to; a profile's own choice of
/// kernels is the best that the device has.
TEST(Devices, AreTakenWhereTheyCan) {
  EXPECT_EQ(problems_of({"", {{"neutral", "{compute_efficiency: 1.1}"}}, {}, {}}), Lines{});
  EXPECT_EQ(problems_of({"", {}, {"software.attention=fused_native"}, {}}), Lines{});
}

}  // namespace
}  // namespace railwright::test
