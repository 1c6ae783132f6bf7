// SPDX-License-Identifier: Apache-2.0
#include "what_if_token.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace railwright::web {

std::string random_token() {
  std::array<std::uint8_t, 32> bytes{};
  for (std::size_t filled = 0; filled < bytes.size();) {
    const ssize_t got = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw std::system_error(errno, std::generic_category(), "getrandom");
    filled += static_cast<std::size_t>(got);
  }
  std::string token;
  for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool is_same_token(std::string_view given, std::string_view token) {
  if (token.empty()) return false;
  // volatile: every byte is compared, independently of the bytes before it.
  volatile unsigned difference = given.size() == token.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto a = static_cast<unsigned char>(given[i]);
    const auto b = static_cast<unsigned char>(token[i % token.size()]);
    difference = difference | static_cast<unsigned>(a ^ b);
  }
  return difference == 0U;
}

}  // namespace railwright::web
