// SPDX-License-Identifier: Apache-2.0
// A sound scenario, ways to spoil it, and what the reader then says.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "railwright/core/config/catalogue.hpp"

namespace railwright::test {

using Lines = std::vector<std::string>;

/// One spoilt scenario and every problem it must be answered with, in order.
struct BadInput {
  std::string name;
  std::vector<std::pair<std::string, std::string>> edits;  ///< text in the file -> what replaces it
  Lines settings;                                          ///< of --set
  Lines expected;
};

void PrintTo(const BadInput& input, std::ostream* out);

/// The file that the edits are made to: 19 lines, two nodes of eight accelerators.
std::string sound_scenario();

/// What the scenario is refused with; nothing when it is accepted. The file is called "s.yaml".
Lines problems_of(const BadInput& input);

/// Entries that the scenario names, and a few beside them, so that hints do not change whenever the
/// built-in catalogue grows.
const core::Catalogue& small_catalogue();

class BadInputTest : public testing::TestWithParam<BadInput> {};

inline std::string name_of(const testing::TestParamInfo<BadInput>& info) { return info.param.name; }

}  // namespace railwright::test
