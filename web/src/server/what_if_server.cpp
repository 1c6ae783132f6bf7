// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/server/what_if_server.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include "railwright/core/error.hpp"
#include "timed_server.hpp"
#include "what_if_token.hpp"

namespace railwright::web {

namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr std::size_t kMaxBytes = 1U << 20U;
/// More threads than requests: browsers hold idle connections open.
constexpr std::size_t kNumThreads = 32;

constexpr int kMaxWaiting = 128;

using Handled = httplib::Server::HandlerResponse;

httplib::Headers safe_headers() {
  return {{"Cache-Control", "no-store"},
          {"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
           "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Referrer-Policy", "no-referrer"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"}};
}

Handled refuse(httplib::Response& response, int status, const char* why) {
  response.status = status;
  response.set_content(std::string(why) + "\n", "text/plain");
  return Handled::Handled;
}

/// Returns the only value of a header; "" if there is none, null if there are several.
const char* single(const httplib::Request& request, const char* name, std::string& value) {
  if (request.get_header_value_count(name) > 1) return nullptr;
  value = request.get_header_value(name);
  return value.c_str();
}

/// Returns the status that refuses the body of a request; 0 if the body is accepted.
int refused_body(const httplib::Request& request) {
  // Either encoding could let in more bytes than Content-Length states.
  if (request.has_header("Transfer-Encoding")) return 411;
  if (request.has_header("Content-Encoding")) return 415;
  if (request.get_header_value("Content-Type") != "application/json") return 415;
  std::string text;
  if (single(request, "Content-Length", text) == nullptr || text.empty()) return 411;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (end != text.data() + text.size()) return 400;
  return error != std::errc{} || length > kMaxBytes ? 413 : 0;
}

}  // namespace

class WhatIfServer::Impl {
 public:
  Impl(int port, WhatIfRoutes routes) : routes_(std::move(routes)), token_(random_token()) {
    server_.set_socket_options([this](socket_t socket) {
      // Like the library's options, but without SO_REUSEPORT, which would share another program's
      // port.
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
      socket_ = socket;
    });
    const bool is_bound = port == 0 ? (port = server_.bind_to_any_port(kHost)) > 0
                                    : server_.bind_to_port(kHost, port);
    if (!is_bound) {
      throw core::ConfigError({{{fmt::format("--port {}", port)},
                                "",
                                fmt::format("cannot be listened on: {}", std::strerror(errno)),
                                "without --port any free one is taken"}});
    }
    listen(socket_, kMaxWaiting);  // the library's queue has only 5 places
    hosts_ = {fmt::format("{}:{}", kHost, port), fmt::format("localhost:{}", port)};
    address_ = fmt::format("http://{}/{}/", hosts_.front(), token_);
    server_.new_task_queue = [] { return new httplib::ThreadPool(kNumThreads); };
    server_.set_tcp_nodelay(true);
    server_.set_payload_max_length(kMaxBytes);
    server_.set_default_headers(safe_headers());
    server_.set_pre_routing_handler(
        [this](const auto& request, auto& response) { return guard(request, response); });
    for (const auto& [name, answer] : routes_.questions) {
      server_.Post(fmt::format("/{}/{}", token_, name),
                   [&answer = answer](const auto& request, auto& response) {
                     Reply reply = answer(request.body);
                     response.status = reply.status;
                     response.set_content(std::move(reply.json), "application/json");
                   });
    }
  }

  [[nodiscard]] const std::string& address() const { return address_; }
  void serve() { server_.listen_after_bind(); }
  [[nodiscard]] bool is_listening() const { return server_.is_running(); }
  void stop() { server_.stop(); }

 private:
  /// Runs before a body is read. Answers requests for documents and lets questions through.
  Handled guard(const httplib::Request& request, httplib::Response& response) const {
    const std::string_view path(request.path);
    const std::size_t slash = std::min(path.find('/', 1), path.size());
    if (path.empty() || !is_same_token(path.substr(1, slash - 1), token_)) {
      return refuse(response, 403, "The address of this page has a token, which this one lacks.");
    }
    if (!is_for_us(request)) return refuse(response, 403, "This page answers itself alone.");
    const std::string name(path.substr(std::min(slash + 1, path.size())));
    if (request.method == "POST" && routes_.questions.contains(name)) {
      const int status = refused_body(request);
      if (status == 0) return Handled::Unhandled;
      return refuse(response, status, "A question is JSON of known length, one MiB at most.");
    }
    const auto document = routes_.documents.find(name);
    const bool is_read = request.method == "GET" || request.method == "HEAD";
    if (document == routes_.documents.end() || slash == path.size()) {
      return refuse(response, 404, "There is no such thing here.");
    }
    if (!is_read) return refuse(response, 405, "This is there to be read.");
    response.status = 200;
    response.set_content(document->second.text, document->second.type);
    return Handled::Handled;
  }

  /// Whether the request names this server itself (not a DNS name for it) and comes from its page.
  bool is_for_us(const httplib::Request& request) const {
    std::string host;
    if (single(request, "Host", host) == nullptr ||
        std::ranges::find(hosts_, host) == hosts_.end()) {
      return false;
    }
    if (request.has_header("Origin")) {
      std::string origin;
      if (single(request, "Origin", origin) == nullptr || origin != "http://" + host) return false;
    }
    std::string site;
    if (single(request, "Sec-Fetch-Site", site) == nullptr) return false;
    // A click on the address is accepted from anywhere; other requests only from the page itself.
    const bool is_elsewhere = site == "cross-site" || site == "same-site";
    return !is_elsewhere || request.get_header_value("Sec-Fetch-Mode") == "navigate";
  }

  WhatIfRoutes routes_;
  std::string token_;
  std::string address_;
  std::vector<std::string> hosts_;
  socket_t socket_ = INVALID_SOCKET;
  TimedServer server_;
};

WhatIfServer::WhatIfServer(int port, WhatIfRoutes routes)
    : impl_(std::make_unique<Impl>(port, std::move(routes))) {}
WhatIfServer::~WhatIfServer() = default;

const std::string& WhatIfServer::address() const { return impl_->address(); }
void WhatIfServer::serve() { impl_->serve(); }
bool WhatIfServer::is_listening() const { return impl_->is_listening(); }
void WhatIfServer::stop() { impl_->stop(); }

}  // namespace railwright::web
