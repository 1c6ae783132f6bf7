// SPDX-License-Identifier: Apache-2.0
// Nodes out of NCCL's XML and nvidia-smi's matrix.
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kNccl("nccl-topology");
const importers::ImportKind kSmi("nvidia-smi-topo");

TEST(ImportNccl, ReadsANodeWithASwitchForEachAccelerator) {
  const auto imported = import_sample(kNccl, "nccl/eight-h100.xml");
  const std::string node = "cluster.node.";
  EXPECT_EQ(value(imported, node + "num_accelerators"), "8");
  EXPECT_EQ(value(imported, node + "num_pcie_switches"), "8");
  EXPECT_EQ(value(imported, node + "num_hosts"), "2");
  EXPECT_EQ(value(imported, node + "accelerator"), "h100-sxm");
  EXPECT_EQ(value(imported, node + "scale_up"), "switch");
  EXPECT_EQ(value(imported, node + "accelerator.scale_up_bandwidth"), "450 GB/s");  // 18 of 25
  // 32 GT/s * 16 lanes * 128/130 / 8 = 63.0 GB/s, of which 55 of 63 arrive
  EXPECT_EQ(value(imported, node + "pcie_uplink_bandwidth"), "~55 GB/s");
  EXPECT_EQ(value(imported, node + "host_bandwidth"), "~22 GB/s");
  EXPECT_EQ(value(imported, node + "nics.count"), "8");
  EXPECT_EQ(value(imported, node + "nics.nic"), "connectx-7");
  EXPECT_EQ(value(imported, node + "nics.nic.line_rate"), "400 Gb/s");
  EXPECT_EQ(value(imported, node + "nics.transport"), "~infiniband");
  EXPECT_EQ(value(imported, node + "nics.gpudirect"), "true");
  EXPECT_TRUE(is_unknown(imported, "cluster.nodes"));
  EXPECT_TRUE(is_unknown(imported, node + "power"));
  EXPECT_EQ(not_expressed(imported), "");
}

TEST(ImportNccl, SaysWhatAnOldXmlLacks) {
  const auto imported = import_sample(kNccl, "nccl/eight-a100-without-ids.xml");
  EXPECT_EQ(value(imported, "cluster.node.num_pcie_switches"), "4");
  EXPECT_EQ(value(imported, "cluster.node.accelerator"), "absent");
  EXPECT_TRUE(is_unknown(imported, "cluster.node.accelerator"));
  EXPECT_TRUE(is_unknown(imported, "cluster.node.nics.nic"));
  EXPECT_EQ(value(imported, "cluster.node.accelerator.scale_up_bandwidth"), "300 GB/s");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "8");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic.line_rate"), "200 Gb/s");
  EXPECT_EQ(value(imported, "cluster.node.host_bandwidth"), "~16 GB/s");
  EXPECT_NE(not_expressed(imported).find("1 more NICs"), std::string::npos);
}

TEST(ImportNccl, CountsPortsOfAnAdapterAndTakesTheSlowestLink) {
  const auto imported = import_sample(kNccl, "nccl/four-l40s.xml");
  EXPECT_EQ(value(imported, "cluster.node.scale_up"), "none");
  EXPECT_EQ(value(imported, "cluster.node.num_pcie_switches"), "4");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "1");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic"), "connectx-6-dx");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic.num_ports"), "2");
  EXPECT_EQ(value(imported, "cluster.node.nics.transport"), "~roce");
  // the one with eight lanes: 15.75 * 55 / 63
  EXPECT_EQ(value(imported, "cluster.node.accelerator.pcie_bandwidth"), "~13.8 GB/s");
  EXPECT_TRUE(is_unknown(imported, "cluster.node.host_bandwidth"));
  EXPECT_NE(not_expressed(imported).find("share no PCIe switch"), std::string::npos);
}

TEST(ImportNccl, TellsMeshPairsAndNoPattern) {
  const auto with_links = [](const std::string& a, const std::string& b, const std::string& c) {
    return "<system><cpu numaid='0'>"
           "<pci busid='a' class='0x030200'><gpu dev='0' sm='90'>" +
           a +
           "</gpu></pci>"
           "<pci busid='b' class='0x030200'><gpu dev='1' sm='90'>" +
           b +
           "</gpu></pci>"
           "<pci busid='c' class='0x030200'><gpu dev='2' sm='90'>" +
           c +
           "</gpu></pci>"
           "</cpu></system>";
  };
  const auto link = [](const std::string& to) {
    return "<nvlink target='" + to + "' count='6' tclass='0x030200'/>";
  };
  const auto mesh = importers::import_text(
      kNccl, with_links(link("b") + link("c"), link("a") + link("c"), link("a") + link("b")), "x");
  EXPECT_EQ(value(mesh, "cluster.node.scale_up"), "mesh");
  EXPECT_EQ(value(mesh, "cluster.node.accelerator.scale_up_bandwidth"), "300 GB/s");
  const auto line =
      importers::import_text(kNccl, with_links(link("b"), link("a") + link("c"), link("b")), "x");
  EXPECT_EQ(value(line, "cluster.node.scale_up"), "absent");
  EXPECT_TRUE(is_unknown(line, "cluster.node.scale_up"));
}

TEST(ImportNccl, RefusesWithThePlace) {
  const std::string twice = refusal(kNccl, R"(<system><cpu>
<pci busid="a" class="0x030200"><gpu dev="0"/></pci>
<pci busid="a" class="0x030200"><gpu dev="0"/></pci>
<pci busid="b" class="0x030200"><gpu dev="99999999999999999999"/></pci>
</cpu></system>)");
  EXPECT_NE(twice.find("file:3:1: busid a is there twice"), std::string::npos) << twice;
  EXPECT_NE(twice.find("file:3:33: <gpu> dev 0 is there twice"), std::string::npos) << twice;
  EXPECT_NE(twice.find("file:4:33: <gpu> needs a dev from 0 to 1023"), std::string::npos) << twice;
  EXPECT_NE(refusal(kNccl, "<system><cpu>").find("no XML from here on"), std::string::npos);
  EXPECT_NE(refusal(kNccl, "<system/>").find("no <gpu>"), std::string::npos);
  EXPECT_NE(refusal(kNccl, "not at all"), "");
  EXPECT_NE(refusal(kNccl, std::string_view("\0\1\2", 3)), "");
  std::string deep = "<system><cpu>";
  for (int i = 0; i < 100'000; ++i) deep += "<pci busid='" + std::to_string(i) + "'>";
  for (int i = 0; i < 100'000; ++i) deep += "</pci>";
  EXPECT_NE(refusal(kNccl, deep + "</cpu></system>").find("more than 32 levels"),
            std::string::npos);
}

TEST(ImportNccl, ReadsNoOtherFile) {
  const std::string text = R"(<!DOCTYPE system [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<system><cpu vendor="&x;"><pci busid="a" class="0x030200"><gpu dev="0" sm="90"/></pci></cpu></system>)";
  const auto imported = importers::import_text(kNccl, text, "x");
  EXPECT_TRUE(is_unknown(imported, "cluster.node.host_bandwidth"));
}

TEST(ImportNvidiaSmi, ReadsANodeOfEight) {
  const auto imported = import_sample(kSmi, "nvidia_smi/eight-h100.txt");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "8");
  EXPECT_EQ(value(imported, "cluster.node.num_pcie_switches"), "8");
  EXPECT_EQ(value(imported, "cluster.node.num_hosts"), "2");
  EXPECT_EQ(value(imported, "cluster.node.scale_up"), "switch");  // 7 * 18 links
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "8");
  EXPECT_TRUE(is_unknown(imported, "cluster.node.accelerator"));
  EXPECT_TRUE(is_unknown(imported, "cluster.node.nics.nic.line_rate"));
  EXPECT_NE(not_expressed(imported).find("2 more NICs"), std::string::npos);
}

TEST(ImportNvidiaSmi, ReadsAMeshWithFewerNics) {
  const auto imported = import_sample(kSmi, "nvidia_smi/four-mesh.txt");
  EXPECT_EQ(value(imported, "cluster.node.scale_up"), "mesh");  // 3 * 6 links
  EXPECT_EQ(value(imported, "cluster.node.num_pcie_switches"), "4");
  EXPECT_EQ(value(imported, "cluster.node.num_hosts"), "2");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "2");
}

TEST(ImportNvidiaSmi, RefusesWithTheLine) {
  const std::string head = "\tGPU0\tGPU1\tCPU Affinity\n";
  EXPECT_NE(refusal(kSmi, head + "GPU0\t X \tNV4\n"
                                 "GPU1\tNV2\t X \n")
                .find("GPU1 to GPU0 is NV2, GPU0 to GPU1 is NV4"),
            std::string::npos);
  EXPECT_NE(refusal(kSmi, head + "GPU0\t X \n").find("file:2:1: 1 relations of 2"),
            std::string::npos);
  EXPECT_NE(refusal(kSmi, head + "GPU0\t X \tNV99999999\n").find("'NV99999999' is no relation"),
            std::string::npos);
  EXPECT_NE(refusal(kSmi, head + "GPU0\t X \tSYS\n").find("GPU1 has a column and no line"),
            std::string::npos);
  EXPECT_NE(refusal(kSmi, "nothing\n").find("no matrix"), std::string::npos);
}

TEST(ImportNccl, ReadsTheTemplateOfACloud) {
  const auto socket = [](const std::string& bus) {
    return R"(<cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">)"
           R"(<pci busid="ffff:0)" +
           bus +
           R"(:01.0" class="0x060400" link_speed="32.0 GT/s PCIe" )"
           R"(link_width="16"><pci busid="000)" +
           bus +
           R"(:00:00.0" class="0x030200" )"
           R"(vendor="0x10de" device="0x2330" link_speed="32.0 GT/s PCIe" link_width="16"/>)"
           R"(<pci busid="010)" +
           bus + R"(:00:00.0" class="0x020700"/></pci></cpu>)";
  };
  const auto imported = importers::import_text(
      kNccl, R"(<system version="1">)" + socket("1") + socket("2") + "</system>", "x");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_pcie_switches"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_hosts"), "2");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "2");
  EXPECT_EQ(value(imported, "cluster.node.nics.transport"), "~infiniband");
  EXPECT_NE(value(imported, "cluster.node.accelerator").find("h100"), std::string::npos);
  EXPECT_TRUE(is_unknown(imported, "cluster.node.scale_up"));  // NVLink is not in it
}

TEST(ImportNvidiaSmi, CountsSocketsWithAccelerators) {
  // A NIC behind neither socket.
  const auto odd = importers::import_text(kSmi,
                                          "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\n"
                                          "GPU0\t X \tSYS\tSYS\t0-15\t0\n"
                                          "GPU1\tSYS\t X \tSYS\t16-31\t1\n"
                                          "NIC0\tSYS\tSYS\t X \n",
                                          "x");
  EXPECT_EQ(value(odd, "cluster.node.num_hosts"), "2");
  // Sockets are told by the CPU affinity where no NUMA node is.
  const auto pair = [](const std::string& other) {
    return "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV4\t0-15\tN/A\n"
           "GPU1\tNV4\t X \t" +
           other + "\tN/A\n";
  };
  const auto hosts = [&](const std::string& other) {
    return value(importers::import_text(kSmi, pair(other), "x"), "cluster.node.num_hosts");
  };
  EXPECT_EQ(hosts("0-15"), "1");
  EXPECT_EQ(hosts("16-31"), "2");
}

}  // namespace
}  // namespace railwright::test
