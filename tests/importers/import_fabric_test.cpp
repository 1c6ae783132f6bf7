// SPDX-License-Identifier: Apache-2.0
// Fabrics out of ibnetdiscover's walk and Slurm's topology.conf.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kIb("ibnetdiscover");
const importers::ImportKind kSlurm("slurm-topology");

TEST(ImportIbNetDiscover, RecognisesRails) {
  const auto imported = import_sample(kIb, "ibnetdiscover/rails.txt");
  EXPECT_EQ(value(imported, "cluster.nodes"), "8");
  EXPECT_EQ(value(imported, "cluster.node.nics.count"), "4");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic"), "connectx-7");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic.line_rate"), "400 Gb/s");
  EXPECT_EQ(value(imported, "cluster.fabric.topology"), "rail_optimized");
  EXPECT_EQ(value(imported, "cluster.fabric.nodes_per_group"), "4");
  EXPECT_EQ(value(imported, "cluster.fabric.num_spines"), "2");
  EXPECT_EQ(value(imported, "cluster.fabric.oversubscription"), "1");  // 4 down, 2 * 2 up
  EXPECT_EQ(value(imported, "cluster.fabric.switch"), "~qm9700");
  EXPECT_EQ(not_expressed(imported), "");
}

TEST(ImportIbNetDiscover, NamesTheHostWhoseCablesAreCrossed) {
  const std::string text = text_of(sample("ibnetdiscover/rails.txt"));
  const auto with_crossed = [&](const std::vector<std::string>& hosts) {
    std::string crossed = text;
    const auto rename = [&](const std::string& from, const std::string& to) {
      for (std::size_t at = 0; (at = crossed.find(from, at)) != std::string::npos;) {
        crossed.replace(at, from.size(), to);
      }
    };
    for (const std::string& host : hosts) {
      rename(host + " HCA-2\"", host + " HCA-x\"");
      rename(host + " HCA-3\"", host + " HCA-2\"");
      rename(host + " HCA-x\"", host + " HCA-3\"");
    }
    return importers::import_text(kIb, crossed, "x");
  };
  const auto one = with_crossed({"node06"});
  EXPECT_EQ(value(one, "cluster.fabric.topology"), "rail_optimized");
  EXPECT_EQ(value(one, "cluster.fabric.nodes_per_group"), "4");
  EXPECT_EQ(not_expressed(one), "1 of 8 hosts has cables crossed: node06; taken as the others\n");
  const auto many = with_crossed({"node02", "node03", "node06", "node07"});
  EXPECT_EQ(value(many, "cluster.fabric.topology"), "leaf_spine");
}

TEST(ImportIbNetDiscover, RecognisesTwoSwitchesAndLeavesOthersOut) {
  const auto imported = import_sample(kIb, "ibnetdiscover/two-switches.txt");
  EXPECT_EQ(value(imported, "cluster.nodes"), "4");
  EXPECT_EQ(value(imported, "cluster.fabric.topology"), "dual_switch");
  EXPECT_EQ(value(imported, "cluster.fabric.inter_switch_links"), "4");
  EXPECT_EQ(value(imported, "cluster.fabric.switch"), "~qm8700");
  EXPECT_EQ(value(imported, "cluster.node.nics.nic.line_rate"), "200 Gb/s");
  EXPECT_NE(not_expressed(imported).find("1 hosts with other numbers of ports than 2"),
            std::string::npos);
}

TEST(ImportIbNetDiscover, RecognisesLeavesOfWholeNodes) {
  const auto imported = import_sample(kIb, "ibnetdiscover/three-to-one.txt");
  EXPECT_EQ(value(imported, "cluster.nodes"), "9");
  EXPECT_EQ(value(imported, "cluster.fabric.topology"), "leaf_spine");
  EXPECT_EQ(value(imported, "cluster.fabric.nics"), "one_leaf");
  EXPECT_EQ(value(imported, "cluster.fabric.num_leaves"), "3");
  EXPECT_EQ(value(imported, "cluster.fabric.num_spines"), "1");
  EXPECT_EQ(value(imported, "cluster.fabric.oversubscription"), "3");  // 6 down, 2 up
}

TEST(ImportIbNetDiscover, RefusesWithTheLine) {
  const std::string whole = text_of(sample("ibnetdiscover/two-switches.txt"));
  const std::string cut = refusal(kIb, whole.substr(0, whole.find('\n', whole.size() / 2) + 1));
  EXPECT_NE(cut.find("is not in the file; the file is cut off"), std::string::npos) << cut;
  EXPECT_NE(refusal(kIb, whole + whole).find("is there twice, first on line 11"),
            std::string::npos);
  std::string wrong = whole;
  wrong.replace(wrong.find("\"[30]"), 5, "\"[29]");
  EXPECT_NE(refusal(kIb, wrong).find("does not lead back"), std::string::npos);
  EXPECT_NE(refusal(kIb, "Switch\t99999999999 \"S-1\"\n").find("file:1:1: expected the number"),
            std::string::npos);
  EXPECT_NE(refusal(kIb, "Switch\t1 \"S-1\"\n[7]\t\"S-2\"[1]\n").find("port 7 of a device with 1"),
            std::string::npos);
  EXPECT_NE(refusal(kIb, "nothing").find("no line"), std::string::npos);
}

TEST(ImportSlurm, ReadsTheTreeOfTheManual) {
  const auto imported = import_sample(kSlurm, "slurm/tree.conf");
  EXPECT_EQ(value(imported, "cluster.nodes"), "~16");
  EXPECT_EQ(value(imported, "cluster.fabric.topology"), "~leaf_spine");
  EXPECT_EQ(value(imported, "cluster.fabric.num_leaves"), "4");
  EXPECT_TRUE(is_unknown(imported, "cluster.fabric.switch"));
  EXPECT_TRUE(is_unknown(imported, "cluster.fabric.oversubscription"));
}

TEST(ImportSlurm, ReadsTiersAndBlocks) {
  const auto tiers = import_sample(kSlurm, "slurm/three-tiers.conf");
  EXPECT_EQ(value(tiers, "cluster.nodes"), "~50");  // 16 + 18 + 2 * 8
  EXPECT_EQ(value(tiers, "cluster.fabric.topology"), "~fat_tree");
  EXPECT_EQ(value(tiers, "cluster.fabric.tiers"), "3");
  EXPECT_NE(not_expressed(tiers).find("leaves of 16 to 18 nodes"), std::string::npos);
  const auto blocks = import_sample(kSlurm, "slurm/blocks.conf");
  EXPECT_EQ(value(blocks, "cluster.nodes"), "~36");
  EXPECT_TRUE(is_unknown(blocks, "cluster.fabric"));
}

TEST(ImportSlurm, RefusesWithTheLine) {
  EXPECT_NE(refusal(kSlurm, "SwitchName=a Switches=b\nSwitchName=b Switches=a\n")
                .find("file:1:1: switch a leads in a circle"),
            std::string::npos);
  const std::string all = refusal(kSlurm,
                                  "SwitchName=a Nodes=n[1-\nSwitchName=a Nodes=x\n"
                                  "SwitchName=c Nodes=n[0-99999999999]\nFoo=1 Bar\n");
  EXPECT_NE(all.find("file:1:1: nodes=n[1-: a bracket that never closes"), std::string::npos)
      << all;
  EXPECT_NE(all.find("file:2:1: a is there twice, first on line 1"), std::string::npos) << all;
  EXPECT_NE(all.find("too many names"), std::string::npos);
  EXPECT_NE(all.find("file:4:1: expected Key=Value, got 'Bar'"), std::string::npos);
  EXPECT_NE(refusal(kSlurm, "SwitchName=a Switches=z\n").find("no switch z"), std::string::npos);
  // The last of all numbers has none behind it.
  const std::string last = "n[18446744073709551614-18446744073709551615]";
  EXPECT_EQ(refusal(kSlurm, "SwitchName=s0 Nodes=" + last + "\n").find("too many"),
            std::string::npos);
  EXPECT_NE(refusal(kSlurm, "SwitchName=s0 Nodes=n[" + std::string(300, '0') + "1-9]\n")
                .find("too long a number"),
            std::string::npos);
  EXPECT_NE(refusal(kSlurm, "# nothing\n").find("no SwitchName="), std::string::npos);
}

TEST(ImportSlurm, ReadsTopologyYaml) {
  const std::string text =
      "- topology: other\n  flat: true\n"
      "- topology: tree\n  cluster_default: true\n  tree:\n    switches:\n"
      "      - switch: top\n        children: l[0-2]\n"
      "      - switch: l0\n        nodes: a[1-4]\n"
      "      - switch: l1\n        nodes: b[1-4]\n"
      "      - switch: l2\n        nodes: c[1-4]\n";
  EXPECT_EQ(importers::detect_import_kind(text), kSlurm);
  const auto imported = importers::import_text(kSlurm, text, "x");
  EXPECT_EQ(value(imported, "cluster.nodes"), "~12");
  EXPECT_EQ(value(imported, "cluster.fabric.num_leaves"), "3");
  EXPECT_TRUE(is_unknown(imported, "cluster.fabric.num_spines"));
  const auto blocks = importers::import_text(
      kSlurm,
      "- topology: b\n  block:\n    block_sizes: [4, 8]\n    blocks:\n"
      "      - {block: b1, nodes: 'n[1-4]'}\n      - {block: b2, nodes: 'n[5-8]'}\n",
      "x");
  EXPECT_EQ(value(blocks, "cluster.nodes"), "~8");
  EXPECT_NE(refusal(kSlurm, "- topology: t\n  tree: {switches: [{switch: s, nods: a}]}\n")
                .find("unknown key 'nods'"),
            std::string::npos);
}

TEST(ImportSlurm, ReadsWhatScontrolPrints) {
  const auto imported = importers::import_text(
      kSlurm,
      "SwitchName=core Level=1 LinkSpeed=1 Nodes=h[1-6] Switches=e[1-3]\n"
      "SwitchName=e1 Level=0 LinkSpeed=1 Nodes=h[1-2]\nSwitchName=e2 Level=0 LinkSpeed=1 "
      "Nodes=h[3-4]\nSwitchName=e3 Level=0 LinkSpeed=1 Nodes=h[5-6]\n",
      "x");
  EXPECT_EQ(value(imported, "cluster.nodes"), "~6");
  EXPECT_EQ(value(imported, "cluster.fabric.num_leaves"), "3");
  EXPECT_EQ(not_expressed(imported).find("nodes on several"), std::string::npos);
}

TEST(ImportSlurm, CountsSpinesOverTheSameLeaves) {
  const std::string leaves = "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\n";
  const auto three = importers::import_text(
      kSlurm,
      leaves +
          "SwitchName=s0 Switches=a,b\nSwitchName=s1 Switches=a,b\nSwitchName=s2 "
          "Switches=a,b\n",
      "x");
  EXPECT_EQ(value(three, "cluster.fabric.num_spines"), "3");
  EXPECT_EQ(not_expressed(three).find("trees"), std::string::npos);
  const auto apart = importers::import_text(
      kSlurm, leaves + "SwitchName=s0 Switches=a\nSwitchName=s1 Switches=b\n", "x");
  EXPECT_TRUE(is_unknown(apart, "cluster.fabric.num_spines"));
  EXPECT_NE(not_expressed(apart).find("2 trees that nothing joins"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
