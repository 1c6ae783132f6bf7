// SPDX-License-Identifier: Apache-2.0
// A failure to write to a disk.
#pragma once

#include <stdexcept>

namespace railwright::cli {

/// Thrown if a disk is full or fails; the input is not at fault.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace railwright::cli
