// SPDX-License-Identifier: Apache-2.0
// describe(), and the generated test that breaks each described field in turn.
#include "railwright/core/config/describe.hpp"

#include <cmath>

#include "sample.hpp"

namespace railwright::core {
namespace {

using Kind = Description::Kind;

TEST(Describe, TellsEverythingAboutAField) {
  const Description plain = describe<sample::Plain>();
  EXPECT_EQ(plain.kind, Kind::kStruct);
  ASSERT_EQ(plain.children.size(), 14U);

  const Description& factor = *plain.find("factor");
  EXPECT_EQ(factor.kind, Kind::kNumber);
  EXPECT_EQ(factor.doc, "Factor.");
  EXPECT_EQ(factor.default_text, "0.5");
  EXPECT_FALSE(factor.required);
  EXPECT_EQ(range_text(factor.range, factor.exponents), "greater than 0 and at most 1");

  const Description& delay = *plain.find("delay");
  EXPECT_EQ(delay.kind, Kind::kQuantity);
  EXPECT_EQ(delay.default_text, "10 us");
  EXPECT_EQ(type_text(delay), "time (such as s)");
  EXPECT_EQ(range_text(delay.range, delay.exponents), "between 1 us and 1 ms");

  EXPECT_EQ(plain.find("shape")->choices, (sample::Lines{"ring", "tree", "star"}));
  EXPECT_TRUE(plain.find("maybe")->nullable);
  EXPECT_FALSE(plain.find("maybe")->required);
  EXPECT_EQ(type_text(*plain.find("sizes")), "list of a whole number");
  EXPECT_EQ(type_text(*plain.find("volumes")), "mapping of names to data (such as GB)");
  EXPECT_EQ(plain.find("volumes")->children[0].range.min, 0.0);
  EXPECT_EQ(plain.find("rate")->default_text, "unlimited");
  EXPECT_EQ(plain.find("nothing"), nullptr);
}

TEST(Describe, FollowsStructsAndCatalogueEntries) {
  const Description cluster = describe<sample::Cluster>();
  const Description& node = *cluster.find("node");
  EXPECT_TRUE(node.required);
  EXPECT_EQ(node.catalogue, "nodes");
  EXPECT_EQ(type_text(node), "a catalogue node");
  const Description& capacity = *node.find("accelerator")->find("memory")->find("capacity");
  EXPECT_TRUE(capacity.sourced);
  EXPECT_EQ(capacity.kind, Kind::kQuantity);
  EXPECT_TRUE(capacity.range.open_min);
}

TEST(Describe, WordsForRanges) {
  EXPECT_EQ(range_text({}, {}), "");
  EXPECT_EQ(range_text({.max = 3.0}, {}), "at most 3");
  EXPECT_EQ(range_text(at_least(2), {}), "at least 2");
  EXPECT_EQ(range_text(positive, {}), "greater than 0");
  EXPECT_EQ(range_text(at_least(1e9), {0, 1, 0, 0, 0}), "at least 1 GB");
}

/// Texts that no field of this kind accepts.
std::vector<std::string> bad_texts(const Description& field) {
  std::vector<std::string> texts;
  const Range& range = field.range;
  const auto add_outside = [&](const auto& text) {
    if (std::isfinite(range.min)) texts.push_back(text(range.min - 1.0));
    if (std::isfinite(range.min) && range.open_min) texts.push_back(text(range.min));
    if (std::isfinite(range.max)) texts.push_back(text(range.max + 1.0));
  };
  switch (field.kind) {
    case Kind::kTruth:
      return {"yes", "1", "'true'", "[true]", "{a: true}"};
    case Kind::kInteger:
      add_outside([](double value) { return std::to_string(static_cast<long long>(value)); });
      texts.insert(texts.end(), {"1.5", "x", "1 GB", "'1'", "nan", "1e30", "[1]", "{a: 1}", ""});
      return texts;
    case Kind::kNumber:
      add_outside([](double value) { return std::to_string(value); });
      texts.insert(texts.end(), {"x", "1 GB", "'1'", "nan", "-.inf", "1e999", "[1]", "{a: 1}"});
      return texts;
    case Kind::kQuantity:
      add_outside([&](double value) { return format_exact(value, field.exponents); });
      texts.insert(texts.end(), {"1", "x", "1 quux", "1 USD*B", "nan s", "[1 s]", "{a: 1 s}"});
      return texts;
    case Kind::kText:
      return {"", "[a]", "{a: b}"};
    case Kind::kChoice:
      return {"", "no_such_choice", "[a]", "{a: b}"};
    case Kind::kList:
      for (const std::string& text : bad_texts(field.children[0]))
        texts.push_back("[" + text + "]");
      texts.insert(texts.end(), {"", "a", "{a: b}"});
      std::erase(texts, "[]");
      return texts;
    case Kind::kMap:
      for (const std::string& text : bad_texts(field.children[0])) {
        texts.push_back("{a: " + text + "}");
      }
      texts.insert(texts.end(), {"", "a", "[a]"});
      return texts;
    case Kind::kStruct:
      return {"", "no-such-name", "[a]", "{no_such_key: 1}"};
    case Kind::kAny:
      return {};
  }
  return {};
}

void break_each(const Description& description, const std::string& path, const Node& good,
                int& num_broken) {
  for (const Description& field : description.children) {
    const std::string here = join_path(path, field.name);
    for (const std::string& text : bad_texts(field)) {
      if (text.empty() && field.nullable) continue;
      Node bad = good;
      set_path(bad, here + "=" + (text.empty() ? "null" : text));
      Reader reader;
      sample::Cluster out;
      reader.read(bad, "", out);
      ++num_broken;
      ASSERT_FALSE(reader.diagnostics().empty()) << here << " accepts " << text;
      EXPECT_TRUE(reader.diagnostics()[0].path.starts_with(here)) << reader.diagnostics()[0].path;
      EXPECT_EQ(reader.diagnostics()[0].where.file.substr(0, 6), "--set ");
    }
    if (field.kind == Kind::kStruct) break_each(field, here, good, num_broken);
  }
}

class GeneratedBadInput : public sample::CatalogueTest {};

TEST_F(GeneratedBadInput, EveryFieldRefusesWhatItIsNot) {
  const auto cluster = read_here<sample::Cluster>("node: xe9680\noptions: {rate: 1 GB/s}\n");
  int num_broken = 0;
  break_each(describe<sample::Cluster>(), "", to_node(cluster), num_broken);
  EXPECT_GT(num_broken, 120);
}

TEST_F(GeneratedBadInput, EveryMisspeltOrMissingKeyIsNoticed) {
  const Node good = to_node(read_here<sample::Cluster>("node: xe9680"));
  const Description accelerator = *describe<sample::Cluster>().find("node")->find("accelerator");
  for (const Description& field : accelerator.children) {
    Node bad = good;
    Node& place = *bad.find("node")->find("accelerator");
    for (Entry& entry : place.entries) {
      if (entry.key == field.name) entry.key += "x";
    }
    Reader reader;
    sample::Cluster out;
    reader.read(bad, "", out);
    ASSERT_EQ(reader.diagnostics().size(), 1U) << field.name;
    EXPECT_EQ(
        to_string(reader.diagnostics()[0]),
        "node.accelerator." + field.name + "x: unknown key; did you mean '" + field.name + "'?");
  }
}

}  // namespace
}  // namespace railwright::core
