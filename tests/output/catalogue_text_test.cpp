// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/catalogue/catalogue_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../support/source_tree.hpp"

namespace railwright::output {
namespace {

TEST(CatalogueText, EveryEntryHasValuesToShow) {
  const core::Catalogue catalogue = test::source_catalogue();
  const CatalogueListing listing = list_catalogue(catalogue);
  EXPECT_GT(listing.items.size(), 250U);
  for (const CatalogueItem& item : listing.items) {
    SCOPED_TRACE(item.kind + "/" + item.name);
    const CatalogueEntry shown = show_entry(catalogue, item.kind + "/" + item.name);
    EXPECT_FALSE(shown.values.empty());
    EXPECT_NE(to_text(shown).find(item.name), std::string::npos);
    EXPECT_NE(to_json(shown).find(item.name), std::string::npos);
  }
}

/// Each stack's names are of keys that profiles have, and of profiles that there are.
TEST(CatalogueText, EveryFlagIsOfAKeyOfItsStacks) {
  const core::Catalogue catalogue = test::source_catalogue();
  int num_stacks = 0;
  for (const std::string& name : catalogue.names("software")) {
    const CatalogueEntry shown = show_entry(catalogue, "software/" + name);
    const auto has_flag = [](const CatalogueValue& value) { return !value.flag.empty(); };
    num_stacks += std::ranges::any_of(shown.values, has_flag) ? 1 : 0;
  }
  EXPECT_GE(num_stacks, 18);
  for (const std::string& name : catalogue.names("recipe_flags")) {
    const core::Node node = catalogue.load("recipe_flags", name);
    for (const core::Node& stack : node.find("stacks")->items) {
      const CatalogueEntry shown = show_entry(catalogue, "software/" + stack.text);
      for (const core::Node& one : node.find("flags")->items) {
        const auto value =
            std::ranges::find(shown.values, one.find("key")->text, &CatalogueValue::key);
        // Optional keys are listed only where a profile has them.
        if (value == shown.values.end()) continue;
        EXPECT_EQ(value->flag, one.find("flag")->text);
      }
    }
  }
}

TEST(CatalogueText, SaysWhatAProfileLeavesToTheUser) {
  const CatalogueEntry shown = show_entry(test::source_catalogue(), "software/nanotron-0.5");
  const std::vector<std::string> left = shown.left_to_user();
  EXPECT_NE(std::ranges::find(left, "precision"), left.end());
  EXPECT_EQ(std::ranges::find(left, "bucket"), left.end());
  EXPECT_EQ(std::ranges::find(left, "jitter"), left.end());
  EXPECT_NE(to_text(shown).find("general.ddp_bucket_cap_mb"), std::string::npos);
  EXPECT_NE(to_json(shown).find("\"flag\": \"general.ddp_bucket_cap_mb\""), std::string::npos);
}

}  // namespace
}  // namespace railwright::output
