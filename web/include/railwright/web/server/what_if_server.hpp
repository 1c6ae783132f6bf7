// SPDX-License-Identifier: Apache-2.0
// The what-if page over HTTP, for this machine and for those who know its address alone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "railwright/web/server/what_if_service.hpp"

namespace railwright::web {

/// A document that the page is made of.
struct WebDocument {
  std::string type;
  std::string text;
};

struct WhatIfRoutes {
  std::map<std::string, WebDocument> documents;  ///< by name; the page itself is ""
  std::map<std::string, std::function<Reply(const std::string&)>> questions;  ///< by name
};

/// Listens on 127.0.0.1. Answers only requests whose path starts with the token, which name this
/// server as their host, and which come from its own page or from none. Reads and writes no file.
class WhatIfServer {
 public:
  /// Port 0: any that is free. Throws ConfigError where the port cannot be had.
  WhatIfServer(int port, WhatIfRoutes routes);
  WhatIfServer(const WhatIfServer&) = delete;
  WhatIfServer& operator=(const WhatIfServer&) = delete;
  ~WhatIfServer();

  /// "http://127.0.0.1:8471/<token>/"
  [[nodiscard]] const std::string& address() const;
  /// Until stop() is called by another thread, which must wait for is_listening() first.
  void serve();
  [[nodiscard]] bool is_listening() const;
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace railwright::web
