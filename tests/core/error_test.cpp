// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/error.hpp"

#include <gtest/gtest.h>

namespace railwright::core {
namespace {

TEST(Error, DiagnosticNamesPlacePathMessageAndHint) {
  EXPECT_EQ(to_string(Diagnostic{{"a.yaml", 3, 7}, "x.y", "unknown key", "did you mean 'z'?"}),
            "a.yaml:3:7: x.y: unknown key; did you mean 'z'?");
}

TEST(Error, DiagnosticLeavesOutWhatIsEmpty) {
  EXPECT_EQ(to_string(Diagnostic{{"a.yaml"}, "", "no such file", ""}), "a.yaml: no such file");
  EXPECT_EQ(to_string(Diagnostic{{}, "", "bad", ""}), "bad");
}

TEST(Error, ConfigErrorHoldsEveryProblemOnALineOfItsOwn) {
  const ConfigError error({{{"a.yaml", 1, 2}, "x", "one", ""}, {{"b.yaml"}, "", "two", ""}});
  EXPECT_STREQ(error.what(), "a.yaml:1:2: x: one\nb.yaml: two");
  EXPECT_EQ(error.diagnostics().size(), 2U);
}

TEST(Error, ModelErrorNamesModelParameterAndWhatIsValid) {
  EXPECT_STREQ(ModelError("ring", "num_ranks", "at least 2").what(),
               "ring: num_ranks must be at least 2");
}

}  // namespace
}  // namespace railwright::core
