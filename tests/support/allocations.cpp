// SPDX-License-Identifier: Apache-2.0
// A file of its own: g++ takes an inlined operator new and free for a mismatch.
#include "allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> counted = 0;  // NOLINT: operator new has no other way to tell

}  // namespace

void* operator new(std::size_t size) {
  ++counted;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
// The sanitizers' own one would not pair with the operator delete below.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++counted;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace railwright::test {

std::size_t num_allocations() { return counted; }

}  // namespace railwright::test
