// SPDX-License-Identifier: Apache-2.0
// Standard output and error as other programs leave them: closed, full, or without a reader.
#pragma once

#include <exception>
#include <string_view>

namespace railwright::cli {

/// Writing to a pipe whose reader has gone.
class ReaderGone : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the reader has gone"; }
};

/// Keeps files that are opened later from taking the numbers of standard streams that the caller
/// closed, and has failed writes return errors in place of signals.
void guard_standard_streams();

/// Writes and flushes. Throws ReaderGone, or WriteError where the disk fails.
void write_standard_output(std::string_view text);

/// Ends the program as SIGPIPE ends others: without a word.
[[noreturn]] void end_by_sigpipe();

}  // namespace railwright::cli
