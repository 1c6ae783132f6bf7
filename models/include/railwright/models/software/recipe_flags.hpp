// SPDX-License-Identifier: Apache-2.0
// Names that stacks give the settings of a recipe, in their arguments and files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::models {

/// A setting of a software profile and its name in the stack.
struct RecipeFlag {
  std::string key;
  std::string flag;

  static constexpr auto fields();
};

struct RecipeFlags {
  static constexpr std::string_view kKind = "recipe_flags";

  std::string name;
  std::string description;
  std::string source;
  std::vector<std::string> stacks;  ///< software profiles, by catalogue name
  std::vector<RecipeFlag> flags;

  static constexpr auto fields();
};

constexpr auto RecipeFlag::fields() {
  using core::field;
  return core::field_list(
      field("key", &RecipeFlag::key, "Key of a software profile."),
      field("flag", &RecipeFlag::flag, "What a file or a command line of the stack calls it."));
}

constexpr auto RecipeFlags::fields() {
  using core::field;
  using core::optional;
  return core::field_list(
      field("name", &RecipeFlags::name, "Name in the catalogue.", optional),
      field("description", &RecipeFlags::description, "Whose names these are.", optional),
      field("source", &RecipeFlags::source, "Where the names stand."),
      field("stacks", &RecipeFlags::stacks, "Software profiles whose stacks use them."),
      field("flags", &RecipeFlags::flags, "Settings and their names."));
}

}  // namespace railwright::models
