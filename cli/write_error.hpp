// SPDX-License-Identifier: Apache-2.0
// A disk that does not take what is written.
#pragma once

#include <stdexcept>

namespace railwright::cli {

/// A disk that is full or fails, which is no mistake of the caller's.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace railwright::cli
