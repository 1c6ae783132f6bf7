// SPDX-License-Identifier: Apache-2.0
#include "answer.hpp"

namespace railwright::cli {

bool shows_tables(const Options& options, const std::string& verdict, const std::string& tables) {
  constexpr int kScreen = 30;
  const bool asks_for_list = options.has("--front") || options.has("--top");  // of a search
  return wants_tables(options) || asks_for_list ||
         std::ranges::count(verdict, '\n') + std::ranges::count(tables, '\n') < kScreen;
}

}  // namespace railwright::cli
