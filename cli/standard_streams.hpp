// SPDX-License-Identifier: Apache-2.0
// Standard streams that may be closed, full, or without a reader.
#pragma once

#include <exception>
#include <string_view>

namespace railwright::cli {

/// Thrown on writing to a pipe whose reader has gone.
class ReaderGone : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the reader has gone"; }
};

/// Keeps files that are opened later from taking the numbers of standard streams that the caller
/// closed, and makes failed writes return errors instead of raising signals.
void guard_standard_streams();

/// Writes and flushes. Throws ReaderGone, or WriteError if the disk fails.
void write_standard_output(std::string_view text);

/// Ends the program silently by SIGPIPE, as other programs do.
[[noreturn]] void end_by_sigpipe();

}  // namespace railwright::cli
