// SPDX-License-Identifier: Apache-2.0
// The what-if page in the user's browser.
#pragma once

#include <ostream>
#include <string>

namespace railwright::web {

/// A file that leads to an address. The address stands in it, not among the arguments of a program,
/// which every user of the machine can see; others cannot read the file. It goes when this does.
class BrowserPage {
 public:
  BrowserPage() = default;
  BrowserPage(const BrowserPage&) = delete;
  BrowserPage& operator=(const BrowserPage&) = delete;
  ~BrowserPage();

  /// Hands it to xdg-open, and says so where that cannot be.
  void open(const std::string& address, std::ostream& err);

 private:
  std::string path_;
};

}  // namespace railwright::web
