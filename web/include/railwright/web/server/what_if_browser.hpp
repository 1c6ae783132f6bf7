// SPDX-License-Identifier: Apache-2.0
// The what-if page in the user's browser.
#pragma once

#include <ostream>
#include <string>

namespace railwright::web {

/// A temporary file that redirects to an address. It keeps the address out of a program's
/// arguments, which every user of the machine can see; only its owner can read the file. The
/// destructor deletes it.
class BrowserPage {
 public:
  BrowserPage() = default;
  BrowserPage(const BrowserPage&) = delete;
  BrowserPage& operator=(const BrowserPage&) = delete;
  ~BrowserPage();

  /// Opens the file with xdg-open; writes a message to `err` if that fails.
  void open(const std::string& address, std::ostream& err);

 private:
  std::string path_;
};

}  // namespace railwright::web
