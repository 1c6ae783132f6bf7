// SPDX-License-Identifier: Apache-2.0
#include "fit_numbers.hpp"

#include <algorithm>

namespace railwright::validation {

std::string owner_of(const std::map<std::string, std::string>& same, const std::string& name) {
  const auto found = same.find(name);
  return found == same.end() ? name : found->second;
}

bool has_number(const FreeNumber& number, const std::string& owner) {
  return number.of.empty() || std::ranges::find(number.of, owner) != number.of.end();
}

int count_numbers(const std::vector<FreeNumber>& numbers,
                  const std::map<std::string, std::string>& same,
                  const std::set<std::string>& names) {
  std::set<std::string> owners;
  for (const std::string& name : names) owners.insert(owner_of(same, name));
  int count = 0;
  for (const std::string& owner : owners) {
    count += static_cast<int>(std::ranges::count_if(
        numbers, [&](const FreeNumber& number) { return has_number(number, owner); }));
  }
  return count;
}

}  // namespace railwright::validation
