// SPDX-License-Identifier: Apache-2.0
// Counts what operator new gives out in a program that links allocations.cpp.
#pragma once

#include <cstddef>

namespace railwright::test {

std::size_t num_allocations();

}  // namespace railwright::test
