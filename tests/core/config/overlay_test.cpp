// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {
namespace {

std::string laid_over(std::string_view base, std::string_view patch) {
  return to_yaml(overlay(parse_yaml(base, "base"), parse_yaml(patch, "patch")));
}

TEST(Overlay, MergesMappingByMapping) {
  EXPECT_EQ(laid_over("{a: 1, b: {c: 2, d: 3}}", "{b: {d: 4, e: 5}, f: 6}"),
            "{a: 1, b: {c: 2, d: 4, e: 5}, f: 6}");
}

TEST(Overlay, ReplacesListsAndScalarsWhole) {
  EXPECT_EQ(laid_over("{a: [1, 2, 3]}", "{a: [4]}"), "{a: [4]}");
  EXPECT_EQ(laid_over("{a: 1}", "{a: [2]}"), "{a: [2]}");
  EXPECT_EQ(laid_over("{a: {value: 80 GB, source: s}}", "{a: 96 GB}"), "{a: 96 GB}");
  EXPECT_EQ(laid_over("{a: 1}", "{a: null}"), "{a: null}");
  EXPECT_EQ(laid_over("{a: null}", "{a: {b: 1}}"), "{a: {b: 1}}");
  EXPECT_EQ(laid_over("[1]", "{b: 1}"), "{b: 1}");
}

TEST(Overlay, KeysOverAScalarOverrideTheNamedModel) {
  EXPECT_EQ(laid_over("{accelerator: h100-sxm}", "{accelerator: {memory: 96 GB}}"),
            "{accelerator: {model: h100-sxm, memory: 96 GB}}");
  EXPECT_EQ(laid_over("{accelerator: h100-sxm}", "{accelerator: {model: b200, power: 1 kW}}"),
            "{accelerator: {model: b200, power: 1 kW}}");
}

TEST(Overlay, ASourcedValueReplacesAPlainOne) {
  EXPECT_EQ(laid_over("{memory: 80 GB}", "{memory: {value: 96 GB, source: s}}"),
            "{memory: {value: 96 GB, source: s}}");
}

TEST(Overlay, AValueDoesNotInheritTheSourceOfAnother) {
  EXPECT_EQ(
      laid_over("{memory: {value: 80 GB, source: s, estimate: true}}", "{memory: {value: 96 GB}}"),
      "{memory: {value: 96 GB}}");
}

TEST(Overlay, KeepsThePlaceOfWhatWon) {
  const Node node = overlay(parse_yaml("{a: 1, b: 2}", "base"), parse_yaml("\n{b: 3}", "patch"));
  EXPECT_EQ(to_string(node.find("a")->where), "base:1:5");
  EXPECT_EQ(to_string(node.find("b")->where), "patch:2:5");
  EXPECT_EQ(to_string(node.entries[1].where), "patch:2:2");
}

/// What is left where the mapping is read as a catalogue entry.
std::string as_entry(std::string_view base, std::string_view patch) {
  Node node = overlay(parse_yaml(base, "base"), parse_yaml(patch, "patch"));
  forget_other_model(node);
  return to_yaml(node);
}

TEST(Overlay, AnotherModelTakesWhatWasLaidOverTheOldOneAlong) {
  EXPECT_EQ(as_entry("{model: a, memory: 96 GB}", "{model: b}"), "{model: b}");
  EXPECT_EQ(as_entry("{model: a, memory: 96 GB}", "{model: b, power: 1 kW}"),
            "{model: b, power: 1 kW}");
  EXPECT_EQ(as_entry("{model: a, memory: 96 GB}", "{model: b, memory: 80 GB}"),
            "{model: b, memory: 80 GB}");
  EXPECT_EQ(as_entry("{model: a, nics: {nic: x, count: 4}}", "{model: b, nics: {count: 8}}"),
            "{model: b, nics: {count: 8}}");
  EXPECT_EQ(as_entry("{model: a, memory: 96 GB}", "{model: a, power: 1 kW}"),
            "{model: a, memory: 96 GB, power: 1 kW}");
  EXPECT_EQ(as_entry("{memory: 96 GB}", "{model: b}"), "{memory: 96 GB, model: b}");
}

TEST(Overlay, AKeyThatIsOnlyCalledModelTakesNothingAlong) {
  // As a plain mapping it keeps all; an entry inside it has the model that it had.
  Node node = overlay(parse_yaml("{model: a, nic: {model: x, power: 1 W}, steps: 5}", "base"),
                      parse_yaml("{model: b}", "patch"));
  EXPECT_EQ(to_yaml(node), "{model: b, nic: {model: x, power: 1 W}, steps: 5}");
  Node* nic = node.find("nic");
  forget_other_model(*nic);
  EXPECT_EQ(to_yaml(*nic), "{model: x, power: 1 W}");
}

TEST(Overlay, ALaterSettingCountsForTheNewModel) {
  Node node = overlay(parse_yaml("{node: {model: a, nics: {count: 4, nic: x}}}", "base"),
                      parse_yaml("{node: {model: b}}", "patch"));
  set_path(node, "node.nics.count=2");
  forget_other_model(*node.find("node"));
  EXPECT_EQ(to_yaml(node), "{node: {model: b, nics: {count: 2}}}");
}

}  // namespace
}  // namespace railwright::core
