// SPDX-License-Identifier: Apache-2.0
// Finding entries, and reading what refers to them.
#include "railwright/core/config/catalogue.hpp"

#include "railwright/core/config/writer.hpp"
#include "sample.hpp"

namespace railwright::core {
namespace {

using sample::Cluster;
using sample::ComputeNode;
using sample::Lines;

class CatalogueFiles : public sample::CatalogueTest {
 protected:
  [[nodiscard]] Lines refused(std::string_view yaml) const {
    return problems_here([&] { read_here<ComputeNode>(yaml); });
  }
};

TEST_F(CatalogueFiles, ListsKindsAndNamesSorted) {
  write("accelerators/notes.txt", "no entry");
  write("accelerators/Upper.yaml", "no entry");
  const Catalogue known({path("nothing"), path("")});
  EXPECT_EQ(known.kinds(), (Lines{"accelerators", "nodes"}));
  EXPECT_EQ(known.names("accelerators"), (Lines{"h100-sxm", "h200-sxm"}));
  EXPECT_EQ(known.names("switches"), Lines{});
  EXPECT_TRUE(known.contains("nodes", "xe9680"));
  EXPECT_FALSE(known.contains("nodes", "h100-sxm"));
}

TEST_F(CatalogueFiles, TheFirstRootWins) {
  write("own/nodes/xe9680.yaml", "name: Mine\n");
  const Catalogue known({path("own"), path("")});
  EXPECT_EQ(known.load("nodes", "xe9680").find("name")->text, "Mine");
}

TEST_F(CatalogueFiles, OneThatKeepsReadsEachEntryOnce) {
  write("own/nodes/xe9680.yaml", "name: First\n");
  const Catalogue afresh({path("own")});
  const Catalogue keeping = afresh.keeping();
  const auto name_in = [](const Catalogue& catalogue) {
    return catalogue.load("nodes", "xe9680").find("name")->text;
  };
  EXPECT_EQ(name_in(keeping), "First");
  write("own/nodes/xe9680.yaml", "name: Second\n");
  EXPECT_EQ(name_in(keeping), "First");
  EXPECT_EQ(name_in(Catalogue(keeping)), "First");
  EXPECT_EQ(name_in(afresh), "Second");
  EXPECT_EQ(name_in(afresh.keeping()), "Second");
}

struct Rack {
  Shared<sample::Accelerator> accelerator;

  static constexpr auto fields() {
    return field_list(field("accelerator", &Rack::accelerator, "What it holds."));
  }
};

TEST_F(CatalogueFiles, ASharedEntryIsDecodedOnceForEachStateOfItsFile) {
  const std::string rest =
      "bf16_rate: 1 TFLOP/s\nmemory: {capacity: {value: 1 GB, source: s}, "
      "bandwidth: {value: 1 GB/s, source: s}}\n";
  write("own/accelerators/a.yaml", "name: First\n" + rest);
  const Catalogue own({path("own")});
  const auto rack = [&own](const std::string& accelerator) {
    Reader reader(&own);
    Rack out;
    reader.read(parse_yaml("{accelerator: " + accelerator + "}", "rack"), "", out);
    reader.throw_if_any();
    return out;
  };
  Rack first = rack("a");
  EXPECT_EQ(first.accelerator->name, "First");
  EXPECT_EQ(rack("a").accelerator.pointer(), first.accelerator.pointer());
  EXPECT_EQ(to_yaml(to_node(first)), to_yaml(parse_yaml("{accelerator: a}", "rack")));
  // A change is one's own, and so is an entry with a key laid over it.
  first.accelerator.own().name = "Changed";
  EXPECT_EQ(rack("a").accelerator->name, "First");
  EXPECT_EQ(rack("{model: a, name: Other}").accelerator->name, "Other");
  EXPECT_EQ(rack("a").accelerator->name, "First");
  write("own/accelerators/a.yaml", "name: Second one\n" + rest);
  EXPECT_EQ(rack("a").accelerator->name, "Second one");
}

TEST_F(CatalogueFiles, AFolderIsNoLargerThanACatalogueIs) {
  for (int i = 0; i < 10'000; ++i) write("own/nics/n" + std::to_string(i) + ".yaml", "");
  const Catalogue own({path("own")});
  EXPECT_EQ(own.names("nics").size(), 10'000U);
  write("own/nics/one-more.txt", "");
  const Lines many = problems_here([&] { (void)own.names("nics"); });
  ASSERT_EQ(many.size(), 1U);
  EXPECT_NE(many[0].find("own/nics: more than 10000 files in a folder of the catalogue"),
            std::string::npos)
      << many[0];
  EXPECT_TRUE(own.contains("nics", "n17"));

  write("large/nics/a.yaml", "");
  std::filesystem::resize_file(path("large/nics/a.yaml"), std::uintmax_t{64} << 20U);
  const Catalogue large({path("large")});
  EXPECT_EQ(large.names("nics"), Lines{"a"});
  write("large/nics/b.yaml", "#");
  const Lines heavy = problems_here([&] { (void)large.names("nics"); });
  ASSERT_EQ(heavy.size(), 1U);
  EXPECT_NE(heavy[0].find("files of more than 64 MiB together"), std::string::npos) << heavy[0];
}

TEST_F(CatalogueFiles, NamesCannotLeaveTheCatalogue) {
  write("secret.yaml", "a: 1\n");
  for (const char* name : {"../secret", "..", ".", "", "/etc/passwd", "a/b", "a\\b", "H100-SXM"}) {
    EXPECT_FALSE(catalogue().contains("nodes", name)) << name;
    EXPECT_FALSE(catalogue().contains(name, "xe9680")) << name;
    EXPECT_THROW((void)catalogue().load("nodes", name), ConfigError) << name;
  }
}

TEST_F(CatalogueFiles, LoadingAnUnknownEntryNamesTheNearest) {
  EXPECT_EQ(problems_here([&] { (void)catalogue().load("accelerators", "h100"); }),
            Lines{"no accelerator 'h100' in the catalogue; did you mean 'h100-sxm'? (known: "
                  "h100-sxm, h200-sxm)"});
  const Lines none = problems_here([&] { (void)catalogue().load("switches", "sn5600"); });
  ASSERT_EQ(none.size(), 1U);
  EXPECT_TRUE(none[0].starts_with("no switch 'sn5600' in the catalogue; it was looked for in "))
      << none[0];
}

TEST_F(CatalogueFiles, AnEntryIsReadByName) {
  const auto compute_node = read_here<ComputeNode>("xe9680");
  EXPECT_EQ(compute_node.name, "XE9680");
  EXPECT_EQ(compute_node.accelerator.name, "H100 SXM");
  EXPECT_EQ(compute_node.accelerator.memory.capacity.value.base(), 80e9);
  EXPECT_EQ(compute_node.accelerator.memory.capacity.source, "data sheet");
  EXPECT_TRUE(compute_node.accelerator.memory.bandwidth.estimate);
}

TEST_F(CatalogueFiles, AnEntryMayStartFromAnother) {
  const auto accelerator = read_here<sample::Accelerator>("h200-sxm");
  EXPECT_EQ(accelerator.name, "H200 SXM");
  EXPECT_EQ(accelerator.bf16_rate.base(), 989.4e12);
  EXPECT_EQ(accelerator.memory.capacity.value.base(), 141e9);
  EXPECT_EQ(accelerator.memory.bandwidth.value.base(), 3.35e12);
}

TEST_F(CatalogueFiles, KeysBesideTheModelOverrideIt) {
  const auto compute_node = read_here<ComputeNode>(
      "model: xe9680\nnum_accelerators: 4\naccelerator: {memory: {capacity: 96 GB}}\n");
  EXPECT_EQ(compute_node.name, "XE9680");
  EXPECT_EQ(compute_node.num_accelerators, 4);
  EXPECT_EQ(compute_node.accelerator.name, "H100 SXM");
  EXPECT_EQ(compute_node.accelerator.memory.capacity.value.base(), 96e9);
  EXPECT_EQ(compute_node.accelerator.memory.capacity.source, "x.yaml:3");
}

TEST_F(CatalogueFiles, AnotherNameReplacesANestedEntry) {
  EXPECT_EQ(read_here<ComputeNode>("{model: xe9680, accelerator: h200-sxm}").accelerator.name,
            "H200 SXM");
  EXPECT_EQ(read_here<ComputeNode>("{model: xe9680, accelerator: {model: h200-sxm, power: 1 kW}}")
                .accelerator.power.base(),
            1000.0);
}

TEST_F(CatalogueFiles, SettingsReachThroughNames) {
  Node root = parse_yaml("node: xe9680\n", "x.yaml");
  set_path(root, "node.accelerator.memory.capacity=120 GB");
  const Catalogue known = catalogue();
  Reader reader(&known);
  Cluster cluster;
  reader.read(root, "", cluster);
  reader.throw_if_any();
  EXPECT_EQ(cluster.node.accelerator.memory.capacity.value.base(), 120e9);
  EXPECT_EQ(cluster.node.accelerator.memory.capacity.source,
            "--set node.accelerator.memory.capacity=120 GB");
}

TEST_F(CatalogueFiles, AMappingWithoutModelIsTheWholeDefinition) {
  EXPECT_EQ(refused("name: Own\nnum_accelerators: 2\n"),
            Lines{"x.yaml:1:1: missing key 'accelerator'; it gives: What it holds."});
  EXPECT_EQ(read_here<ComputeNode>("{name: Own, accelerator: h100-sxm}").name, "Own");
}

TEST_F(CatalogueFiles, BadReferencesAreReportedWhereTheyStand) {
  EXPECT_EQ(refused("{model: xe9860}"),
            Lines{"x.yaml:1:9: model: no node 'xe9860' in the catalogue; did you mean 'xe9680'? "
                  "(known: xe9680)"});
  EXPECT_EQ(refused("{model: xe9680, accelerator: h100}"),
            Lines{"x.yaml:1:30: accelerator: no accelerator 'h100' in the catalogue; did you mean "
                  "'h100-sxm'? (known: h100-sxm, h200-sxm)"});
  EXPECT_EQ(refused("{model: [a]}"),
            Lines{"x.yaml:1:9: model: expected the name of a catalogue node, got a list"});
  EXPECT_EQ(refused("[a]"),
            Lines{"x.yaml:1:1: expected the name of a catalogue node or a mapping, got a list"});
  EXPECT_EQ(refused("{model: xe9680, acelerator: h100}"),
            Lines{"x.yaml:1:17: acelerator: unknown key; did you mean 'accelerator'?"});
}

TEST_F(CatalogueFiles, ProblemsInsideAnEntryNameItsFile) {
  write("accelerators/odd.yaml", "name: Odd\nbf16_rate: 3 TFLOP\nmemory: {capacity: 1 GB}\n");
  EXPECT_EQ(refused("{name: Own, accelerator: odd}"),
            (Lines{"accelerators/odd.yaml:2:12: accelerator.bf16_rate: expected work/time (such as "
                   "TFLOP/s), got '3 TFLOP' (work)",
                   "accelerators/odd.yaml:3:9: accelerator.memory: missing key 'bandwidth'; it "
                   "gives: Peak rate."}));
  EXPECT_EQ(
      refused("{name: Own, accelerator: {model: odd, bf16_rate: 1 PFLOP/s}}"),
      Lines{"accelerators/odd.yaml:3:9: accelerator.memory: missing key 'bandwidth'; it gives: "
            "Peak rate."});
  write("accelerators/broken.yaml", "name: [\n");
  EXPECT_EQ(refused("{name: Own, accelerator: broken}"),
            Lines{"accelerators/broken.yaml:2:1: not valid YAML: end of sequence flow not found"});
}

TEST_F(CatalogueFiles, EntriesThatStartFromEachOtherAreRefused) {
  write("accelerators/one.yaml", "model: two\n");
  write("accelerators/two.yaml", "model: one\n");
  EXPECT_EQ(
      refused("{name: Own, accelerator: one}"),
      Lines{"accelerators/two.yaml:1:8: accelerator: 'model' leads in a circle: one -> two -> "
            "one"});
}

TEST(Catalogue, AReaderWithoutOneKnowsNoNames) {
  EXPECT_EQ(sample::problems_of<ComputeNode>("xe9680"),
            Lines{"x.yaml:1:1: no node 'xe9680' in the catalogue; there is no catalogue beside the "
                  "program; name one with --catalogue or RAILWRIGHT_CATALOGUE_PATH"});
}

}  // namespace
}  // namespace railwright::core
