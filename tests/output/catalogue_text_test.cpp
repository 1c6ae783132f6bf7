// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/catalogue/catalogue_text.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace railwright::output
