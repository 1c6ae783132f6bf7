// SPDX-License-Identifier: Apache-2.0
// The two complementary binary trees, as lists of children.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace railwright::test {

using Children = std::vector<std::vector<std::size_t>>;

/// In-order binary tree over 0..n-1 rooted at 0: below r with lowest bit b stand r - b/2 and the
/// first of r + b/2, r + b/4, ... that exists, as ncclGetBtree() lists them.
inline Children binary_tree(std::size_t n) {
  Children children(n);
  if (n > 1) children[0].push_back(std::bit_ceil(n) / 2);
  for (std::size_t r = 1; r < n; ++r) {
    const std::size_t low = r & (~r + 1);
    if (low == 1) continue;
    children[r].push_back(r - low / 2);
    for (std::size_t step = low / 2; step > 0; step /= 2) {
      if (r + step < n) {
        children[r].push_back(r + step);
        break;
      }
    }
  }
  return children;
}

/// The complementary tree: mirrored for an even number of nodes, shifted by one for an odd one.
inline Children second_tree(std::size_t n) {
  const auto place = [n](std::size_t r) { return n % 2 == 0 ? n - 1 - r : (r + 1) % n; };
  const Children first = binary_tree(n);
  Children second(n);
  for (std::size_t r = 0; r < n; ++r) {
    for (const std::size_t child : first[r]) second[place(r)].push_back(place(child));
  }
  return second;
}

inline std::size_t root_of(const Children& children) {
  std::vector<bool> is_child(children.size());
  for (const auto& list : children) {
    for (const std::size_t child : list) is_child[child] = true;
  }
  return static_cast<std::size_t>(std::ranges::find(is_child, false) - is_child.begin());
}

}  // namespace railwright::test
