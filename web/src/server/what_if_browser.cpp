// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/server/what_if_browser.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

extern char** environ;

namespace railwright::web {

namespace {

/// Writes a new file that only its owner can read; returns its path, or "" on failure.
std::string write_private(const std::string& text) {
  const char* own = std::getenv("XDG_RUNTIME_DIR");
  std::error_code none;
  const std::filesystem::path folder =
      own != nullptr ? own : std::filesystem::temp_directory_path(none);
  if (folder.empty()) return {};
  std::string path = (folder / "railwright-XXXXXX.html").string();
  const int file = mkostemps(path.data(), 5, O_CLOEXEC);  // mode 0600
  if (file < 0) return {};
  const bool is_written =
      write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool is_closed = close(file) == 0;
  if (is_written && is_closed) return path;
  unlink(path.c_str());
  return {};
}

/// Starts xdg-open and returns whether that worked; a detached thread waits for its end.
bool start_browser(std::string path) {
  std::string program = "xdg-open";
  const std::array<char*, 3> arguments{program.data(), path.data(), nullptr};
  posix_spawn_file_actions_t quiet{};
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  sigset_t none{};
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);  // Ctrl-C ends the page, not the browser
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &quiet, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&quiet);
  if (error != 0) return false;
  std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  return true;
}

}  // namespace

BrowserPage::~BrowserPage() {
  if (!path_.empty()) unlink(path_.c_str());
}

void BrowserPage::open(const std::string& address, std::ostream& err) {
  path_ = write_private(
      fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={}\">\n", address));
  if (path_.empty() || !start_browser(path_)) {
    err << "--open: no browser could be started; the address is above\n";
  }
}

}  // namespace railwright::web
