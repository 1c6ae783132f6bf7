// SPDX-License-Identifier: Apache-2.0
#include "serve_until_signal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/web/html/page_files.hpp"
#include "railwright/web/server/what_if_browser.hpp"
#include "railwright/web/server/what_if_server.hpp"
#include "standard_streams.hpp"

namespace railwright::cli {

namespace {

constexpr auto kSignals = std::to_array({SIGINT, SIGTERM});

/// Blocks SIGINT and SIGTERM in this thread and in threads it starts; came() polls for them.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&set_);
    for (const int signal : kSignals) {
      sigaddset(&set_, signal);
      std::signal(signal, SIG_DFL);  // a shell's & makes SIGINT ignored
    }
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  /// Unblocks the signals: from here on one ends the program.
  ~HeldSignals() { pthread_sigmask(SIG_UNBLOCK, &set_, nullptr); }

  /// Whether a signal came within 0.2 s.
  [[nodiscard]] bool came() const {
    constexpr timespec kMoment{.tv_sec = 0, .tv_nsec = 200'000'000};
    return sigtimedwait(&set_, nullptr, &kMoment) > 0;
  }

 private:
  sigset_t set_{};
};

std::string what_if_file(std::string_view name) {
  return std::string(output::find_file(web::page_files(), name).text);
}

web::WhatIfRoutes routes_of(web::WhatIfService& service) {
  web::WhatIfRoutes routes;
  const auto add = [&](std::span<const output::PageFile> files) {
    for (const output::PageFile& file : files) {
      const std::string name(file.name);
      const std::string text(file.text);
      if (name.ends_with(".js")) {
        routes.documents[name] = {"text/javascript; charset=utf-8", text};
      }
      if (name.ends_with(".css")) routes.documents[name] = {"text/css; charset=utf-8", text};
    }
  };
  add(output::page_files());
  add(web::page_files());
  routes.documents[""] = {"text/html; charset=utf-8", what_if_file("what_if.html")};
  routes.documents["goal"] = {"text/html; charset=utf-8", what_if_file("goal.html")};
  routes.documents["form.json"] = {"application/json", service.form()};
  for (const web::ShippedExample& example : service.examples()) {
    routes.documents["examples/" + example.name] = {"text/plain; charset=utf-8", example.text};
  }
  routes.questions["answer"] = [&](const std::string& body) { return service.answer(body); };
  routes.questions["variants"] = [&](const std::string& body) { return service.variants(body); };
  routes.questions["size"] = [&](const std::string& body) { return service.size(body); };
  routes.questions["report"] = [&](const std::string& body) { return service.report(body); };
  routes.questions["file"] = [&](const std::string& body) { return service.file(body); };
  return routes;
}

/// Says who can open the page, and how from another machine.
std::string reach_text(const std::string& address) {
  const std::size_t begin = address.rfind(':') + 1;
  const std::string port = address.substr(begin, address.find('/', begin) - begin);
  return fmt::format(
      "for this machine alone; from yours: ssh -L {0}:127.0.0.1:{0} HOST, then the same address. "
      "Ctrl-C ends it\n",
      port);
}

}  // namespace

core::Node what_if_start(const Options& options, const core::Catalogue& catalogue) {
  core::Node tree;
  if (options.text("scenario").empty()) {
    tree = core::parse_yaml(what_if_file("what_if.yaml"), "the page's own scenario");
    for (const std::string& setting : options.list("--set")) core::set_path(tree, setting);
  } else {
    tree = load_tree(options);
  }
  return planner::in_one_piece(std::move(tree), catalogue);
}

int serve_until_signal(const core::Node& scenario, core::Catalogue catalogue,
                       const ServeOptions& options, Streams& streams) {
  // Must precede any thread: a signal to a thread that does not block it would end the program.
  std::optional<HeldSignals> signals(std::in_place);
  web::WhatIfService service(scenario, std::move(catalogue), program_version());
  web::WhatIfServer server(options.port, routes_of(service));
  const std::string address = server.address() + options.at;
  std::atomic<bool> has_ended = false;
  std::jthread listener([&] {
    server.serve();
    has_ended = true;
  });
  while (!server.is_listening() && !has_ended) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  try {
    // Written at once, since people wait for it; other results are held until the command ends.
    write_standard_output(address + "\n");
  } catch (...) {
    service.stop();
    server.stop();
    throw;
  }
  {
    web::BrowserPage browser;
    if (options.open && isatty(STDOUT_FILENO) == 1) browser.open(address, streams.err);
    if (isatty(STDERR_FILENO) == 1) streams.err << reach_text(server.address());
    while (!has_ended && !signals->came()) {
    }
  }
  signals.reset();
  const bool was_asked = !has_ended;
  service.stop();
  server.stop();
  listener.join();
  if (was_asked) return kOk;
  streams.err << "the server cannot listen any more\n";
  return kInternal;
}

}  // namespace railwright::cli
