// SPDX-License-Identifier: Apache-2.0
// The what-if page over HTTP, only for this machine and for users who know its address.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "railwright/web/server/what_if_service.hpp"

namespace railwright::web {

/// A document of the page.
struct WebDocument {
  std::string type;
  std::string text;
};

struct WhatIfRoutes {
  std::map<std::string, WebDocument> documents;  ///< keyed by name; the page itself is ""
  std::map<std::string, std::function<Reply(const std::string&)>> questions;  ///< keyed by name
};

/// Listens on 127.0.0.1. Answers a request only if its path starts with the token, its host is this
/// server, and it comes from the server's own page or from no page. Reads and writes no file.
class WhatIfServer {
 public:
  /// Port 0 picks a free one. Throws ConfigError if the port is not available.
  WhatIfServer(int port, WhatIfRoutes routes);
  WhatIfServer(const WhatIfServer&) = delete;
  WhatIfServer& operator=(const WhatIfServer&) = delete;
  ~WhatIfServer();

  /// Returns "http://127.0.0.1:8471/<token>/".
  [[nodiscard]] const std::string& address() const;
  /// Serves until another thread calls stop(), which must wait for is_listening() first.
  void serve();
  [[nodiscard]] bool is_listening() const;
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace railwright::web
