// SPDX-License-Identifier: Apache-2.0
// Clusters as their own tools print them.
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kNodes("slurm-nodes");
const importers::ImportKind kNcclLines("nccl-log");
const importers::ImportKind kGraph("nccl-graph");
const importers::ImportKind kLinks("iblinkinfo");
const importers::ImportKind kRocm("rocm-smi-topo");
const importers::ImportKind kMatrix("nvidia-smi-topo");

TEST(ImportSlurmNodes, ReadsSlurmConf) {
  const auto imported = import_sample(kNodes, "slurm_nodes/slurm.conf");
  EXPECT_EQ(value(imported, "cluster.nodes"), "~16");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "8");
  EXPECT_EQ(value(imported, "cluster.node.accelerator"), "~b200-sxm");
  EXPECT_NE(not_expressed(imported).find("4 nodes without accelerators: left out"),
            std::string::npos);
}

TEST(ImportSlurmNodes, ReadsScontrol) {
  const auto imported = import_sample(kNodes, "slurm_nodes/scontrol.txt");
  EXPECT_EQ(value(imported, "cluster.nodes"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "8");
  // A module or a card.
  EXPECT_TRUE(is_unknown(imported, "cluster.node.accelerator"));
  EXPECT_NE(not_expressed(imported).find("1 nodes are down or drained"), std::string::npos);
}

TEST(ImportSlurmNodes, ReadsSinfo) {
  const auto imported = import_sample(kNodes, "slurm_nodes/sinfo.txt");
  EXPECT_EQ(value(imported, "cluster.nodes"), "8");
  EXPECT_EQ(value(imported, "cluster.node.accelerator"), "~mi300x");
  const auto plain = importers::import_text(
      kNodes, "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\nall up infinite 4 idle n[1-4]\n",
      "file");
  EXPECT_EQ(value(plain, "cluster.nodes"), "~4");
  EXPECT_TRUE(is_unknown(plain, "cluster.node.num_accelerators"));
}

TEST(ImportSlurmNodes, DefaultsAndSumsOfTypes) {
  const auto imported = importers::import_text(kNodes,
                                               "NodeName=DEFAULT Gres=gpu:4\n"
                                               "NodeName=a[1-3] State=UNKNOWN\n"
                                               "NodeName=b1 Gres=gpu:a100:2,gpu:h100:2,shard:8\n",
                                               "file");
  EXPECT_EQ(value(imported, "cluster.nodes"), "~3");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "4");
  EXPECT_NE(not_expressed(imported).find("1 nodes of 4 a100+h100"), std::string::npos)
      << not_expressed(imported);
}

TEST(ImportSlurmNodes, SaysEveryMistakeWithItsPlace) {
  EXPECT_NE(refusal(kNodes, "NodeName=a Gres=gpu:h100:8x\n").find("file:1:1: Gres"),
            std::string::npos);
  EXPECT_NE(refusal(kNodes, "NodeName=a[1- Gres=gpu:8\n").find("file:1:1"), std::string::npos);
  EXPECT_NE(refusal(kNodes, "NodeName=a CPUs=8\n").find("no node with Gres=gpu"),
            std::string::npos);
  EXPECT_NE(refusal(kNodes, "NODELIST GRES STATE\nn1 gpu:8\n").find("file:2:1: 2 words"),
            std::string::npos);
  EXPECT_NE(refusal(kNodes, "NodeName=a Gres=gpu:4\nNodeName=a Gres=gpu:8\n").find("twice"),
            std::string::npos);
}

TEST(ImportNcclLog, KnowsTheJobsNodesAndAdapters) {
  const auto imported = import_sample(kNcclLines, "nccl_log/two_nodes.log");
  EXPECT_EQ(value(imported, "cluster.nodes"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "4");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "4");
  EXPECT_EQ(value(imported, "cluster.node.nics.transport"), "infiniband");
  EXPECT_EQ(value(imported, "cluster.node.nics.gpudirect"), "true");
  const std::string beside = not_expressed(imported);
  EXPECT_NE(beside.find("NCCL 2.26.2+cuda12.4"), std::string::npos) << beside;
  EXPECT_NE(beside.find("0 3 2 1 4 7 6 5"), std::string::npos);
  EXPECT_NE(beside.find("NCCL_ALGO set by environment to Ring"), std::string::npos);
  EXPECT_NE(beside.find("4 coll channels"), std::string::npos);
}

TEST(ImportNcclLog, CountsHostsOfOldLogs) {
  std::string text;
  for (const std::string host : {"a", "b"}) {
    for (const std::string device : {"1000", "2000"}) {
      text += "2024-01-01 10:00:00 " + host +
              ":1:2 [0] NCCL INFO comm 0x1 rank 0 nranks 4 cudaDev 0 busId " + device +
              " - Init COMPLETE\n";
    }
  }
  const auto imported = importers::import_text(kNcclLines, text, "file");
  EXPECT_EQ(value(imported, "cluster.nodes"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "2");
  // Without the second host the ranks are known, where they are is not.
  const auto half = importers::import_text(kNcclLines, text.substr(0, text.find(" b:")), "file");
  EXPECT_EQ(value(half, "cluster.nodes"), "absent");
  EXPECT_TRUE(is_unknown(half, "cluster.nodes"));
  EXPECT_EQ(value(half, "cluster.node.num_accelerators"), "absent");
}

TEST(ImportNcclLog, KnowsSocketsAndRoce) {
  const auto sockets = importers::import_text(kNcclLines,
                                              "a:1:2 [0] NCCL INFO NET/IB : No device found.\n"
                                              "a:1:2 [0] NCCL INFO Using network Socket\n",
                                              "file");
  EXPECT_EQ(value(sockets, "cluster.node.nics.transport"), "tcp");
  EXPECT_EQ(value(sockets, "cluster.nodes"), "absent");
  const auto roce = importers::import_text(
      kNcclLines, "a:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE\n", "file");
  EXPECT_EQ(value(roce, "cluster.node.nics.transport"), "roce");
  EXPECT_EQ(value(roce, "cluster.node.nics.count"), "2");
  EXPECT_NE(
      refusal(kNcclLines, "a:1:2 [0] NCCL INFO cudaDriverVersion 12040\n").find("no communicator"),
      std::string::npos);
}

TEST(ImportNcclGraph, CountsDevicesOfChannels) {
  const auto imported = import_sample(kGraph, "nccl_graph/ring.xml");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "4");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "2");
  EXPECT_NE(not_expressed(imported).find("ring: 2 channels, 40 GB/s each within a node (NVL)"),
            std::string::npos);
  EXPECT_NE(refusal(kGraph, "<graphs><graph><channel><gpu dev=\"9x\"/></channel></graph></graphs>")
                .find("no <gpu dev>"),
            std::string::npos);
  EXPECT_NE(refusal(kGraph, "<graphs><graph>").find("no XML"), std::string::npos);
}

TEST(ImportIbLinkInfo, FindsRails) {
  const auto imported = import_sample(kLinks, "iblinkinfo/rails.txt");
  EXPECT_EQ(value(imported, "cluster.fabric.topology"), "rail_optimized");
  EXPECT_EQ(value(imported, "cluster.fabric.switch"), "~qm9700");
  EXPECT_EQ(value(imported, "cluster.fabric.num_spines"), "1");
  EXPECT_EQ(value(imported, "cluster.nodes"), "4");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "2");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic.line_rate"), "400 Gb/s");
}

TEST(ImportIbLinkInfo, SwitchesAloneAreEnough) {
  const std::string text = text_of(sample("iblinkinfo/rails.txt"));
  const auto imported = importers::import_text(kLinks, text.substr(text.find("Switch:")), "file");
  EXPECT_EQ(value(imported, "cluster.fabric.topology"), "rail_optimized");
  EXPECT_EQ(value(imported, "cluster.nodes"), "4");
}

TEST(ImportIbLinkInfo, RefusesAFileThatIsCutOff) {
  const std::string text = text_of(sample("iblinkinfo/rails.txt"));
  const std::string cut = text.substr(0, text.rfind("           3"));
  EXPECT_NE(refusal(kLinks, cut).find("does not lead back"), std::string::npos);
  std::string slow = text;
  const std::size_t last = slow.rfind("106.25");
  slow.replace(last, 6, "306.25");
  EXPECT_NE(refusal(kLinks, slow).find("no width and speed"), std::string::npos);
  EXPECT_NE(refusal(kLinks, text.substr(0, text.find("Switch:"))).find("no block 'Switch"),
            std::string::npos);
}

TEST(ImportIbDiagnet, FindsRails) {
  const auto imported = import_sample(importers::ImportKind("ibdiagnet"), "ibdiagnet/rails.lst");
  EXPECT_EQ(value(imported, "cluster.fabric.topology"), "rail_optimized");
  EXPECT_EQ(value(imported, "cluster.fabric.switch"), "~qm9700");
  EXPECT_EQ(value(imported, "cluster.nodes"), "4");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "2");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic.model"), "absent");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic"), "connectx-7");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic.line_rate"), "400 Gb/s");
}

TEST(ImportIbDiagnet, SaysEveryMistakeWithItsLine) {
  const importers::ImportKind kind("ibdiagnet");
  const std::string text = text_of(sample("ibdiagnet/rails.lst"));
  std::string wrong = text;
  wrong.replace(wrong.find("SPD=100"), 7, "SPD=101");
  EXPECT_NE(refusal(kind, wrong).find("file:1:1: no width and speed"), std::string::npos);
  EXPECT_NE(
      refusal(kind, text.substr(0, text.find(" PHY=") - 9)).find("file:1:1: expected the two"),
      std::string::npos);
  std::string twice = text;
  const std::size_t last = twice.rfind("PN:23");
  twice.replace(last, 5, "PN:22");
  EXPECT_NE(refusal(kind, twice).find("is there twice"), std::string::npos);
  EXPECT_NE(refusal(kind, "x\n").find("no cable"), std::string::npos);
}

TEST(ImportRocmSmi, ReadsTablesOfBothPrograms) {
  const auto mesh = import_sample(kRocm, "rocm_smi/showtopo.txt");
  EXPECT_EQ(value(mesh, "cluster.node.num_accelerators"), "4");
  EXPECT_EQ(value(mesh, "cluster.node.scale_up"), "mesh");
  EXPECT_EQ(value(mesh, "cluster.node.num_hosts"), "2");
  const auto cards = import_sample(kRocm, "rocm_smi/amd_smi.txt");
  EXPECT_EQ(value(cards, "cluster.node.num_accelerators"), "2");
  EXPECT_EQ(value(cards, "cluster.node.scale_up"), "none");
  EXPECT_TRUE(is_unknown(cards, "cluster.node.num_hosts"));
}

TEST(ImportRocmSmi, HopsTellWhoIsNextToEachOther) {
  const std::string links =
      "=== Link Type between two GPUs ===\n"
      "     GPU0 GPU1 GPU2 GPU3\n"
      "GPU0 0 XGMI XGMI XGMI\nGPU1 XGMI 0 XGMI XGMI\nGPU2 XGMI XGMI 0 XGMI\nGPU3 XGMI XGMI XGMI "
      "0\n";
  const auto pairs =
      importers::import_text(kRocm,
                             "=== Hops between two GPUs ===\n     GPU0 GPU1 GPU2 GPU3\n"
                             "GPU0 0 1 2 2\nGPU1 1 0 2 2\nGPU2 2 2 0 1\nGPU3 2 2 1 0\n" +
                                 links,
                             "file");
  EXPECT_EQ(value(pairs, "cluster.node.scale_up"), "pairs");
  EXPECT_EQ(value(importers::import_text(kRocm, links, "file"), "cluster.node.scale_up"), "mesh");
}

TEST(ImportRocmSmi, RefusesWhatDoesNotAgree) {
  const std::string head = "=== Link Type between two GPUs ===\n     GPU0 GPU1\n";
  EXPECT_NE(refusal(kRocm, head + "GPU0 0 XGMI\nGPU1 PCIE 0\n").find("and back"),
            std::string::npos);
  EXPECT_NE(refusal(kRocm, head + "GPU0 0 XGMI\n").find("1 lines for 2"), std::string::npos);
  EXPECT_NE(refusal(kRocm, head + "GPU0 0 XGMI\nGPU1 XGMI\n").find("file:4:1"), std::string::npos);
  EXPECT_NE(refusal(kRocm, head + "GPU0 0 SLOW\nGPU1 SLOW 0\n").find("no link type"),
            std::string::npos);
}

TEST(ImportNvidiaSmi, PeerAccessTellsNoLinks) {
  const auto imported = import_sample(kMatrix, "nvidia_smi/peer_access.txt");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "4");
  EXPECT_TRUE(is_unknown(imported, "cluster.node.scale_up"));
  EXPECT_EQ(value(importers::import_text(kMatrix, "GPU0 GPU1\nGPU0 X CNS\nGPU1 CNS X\n", "file"),
                  "cluster.node.scale_up"),
            "none");
  EXPECT_NE(refusal(kMatrix, "GPU0 GPU1 GPU2\nGPU0 X OK SYS\nGPU1 OK X OK\nGPU2 SYS OK X\n")
                .find("topo -p2p in one matrix"),
            std::string::npos);
}

TEST(ImportLinkList, FindsRailsOfNetqAndUfm) {
  const importers::ImportKind cables("link-list");
  for (const char* name : {"link_list/netq.json", "link_list/ufm.json"}) {
    SCOPED_TRACE(name);
    const auto imported = import_sample(cables, name);
    EXPECT_EQ(value(imported, "cluster.fabric.topology"), "rail_optimized");
    EXPECT_EQ(value(imported, "cluster.nodes"), "4");
    EXPECT_EQ(value(imported, "cluster.node.nics.count"), "~2");
    EXPECT_EQ(value(imported, "cluster.fabric.num_spines"), "1");
  }
  EXPECT_NE(not_expressed(import_sample(cables, "link_list/netq.json"))
                .find("6 cables of the management network"),
            std::string::npos);
  EXPECT_EQ(value(import_sample(cables, "link_list/ufm.json"), "cluster.node.nics.transport"),
            "infiniband");
}

TEST(ImportLinkList, RefusesWhatTellsNoCable) {
  const importers::ImportKind cables("link-list");
  EXPECT_NE(refusal(cables, R"({"lldp": [{"hostname": "a", "ifname": "eth1"}]})")
                .find("0: expected the names and ports"),
            std::string::npos);
  EXPECT_NE(refusal(cables, R"({"lldp": []})").find("no cable from a host"), std::string::npos);
  EXPECT_NE(refusal(cables, R"({"lldp": 3})").find("no list of cables"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
