// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "railwright/core/error.hpp"
#include "railwright/core/stop.hpp"
#include "standard_streams.hpp"
#include "stop_on_signal.hpp"

namespace railwright::cli {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& path, std::string message,
                         std::string hint = {}) {
  throw core::ConfigError({{{option + " " + path}, "", std::move(message), std::move(hint)}});
}

/// A file under a temporary name in the same folder, so that renaming is atomic. A signal during
/// its lifetime stops the writing before the file gets its name.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path)
      : name_(fmt::format("{}.{}.part", path, getpid())) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(name_.c_str()); }

  [[nodiscard]] const std::string& name() const { return name_; }
  void become(const std::string& option, const std::string& path) const {
    if (StopOnSignal::flag()) throw core::Interrupted();
    if (std::rename(name_.c_str(), path.c_str()) != 0) {
      refuse(option, path, fmt::format("cannot be written: {}", std::strerror(errno)));
    }
  }

 private:
  std::string name_;
  StopOnSignal signals_;
};

/// Waits at most ten seconds for the reader of a pipe; opening it for writing would wait forever.
/// It keeps the pipe open, so that the reader sees no end before the file is written.
class ReadPipe {
 public:
  ReadPipe(const std::string& option, const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_fifo(path, error)) return;
    constexpr std::chrono::milliseconds kBetweenTries{20};
    constexpr int kMaxTries = 500;
    for (int i = 0; i < kMaxTries; ++i) {
      number_ = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      if (number_ >= 0 || errno != ENXIO) return;  // the writer reports other failures
      std::this_thread::sleep_for(kBetweenTries);
    }
    refuse(option, path, "nothing reads this pipe", "start its reader first");
  }
  ReadPipe(const ReadPipe&) = delete;
  ReadPipe& operator=(const ReadPipe&) = delete;
  ~ReadPipe() {
    if (number_ >= 0) close(number_);
  }

 private:
  int number_ = -1;
};

void fill(const std::string& option, const std::string& path, const std::string& name,
          const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  const bool is_open = file.is_open();
  if (is_open) write(file);
  file.close();
  if (file) return;
  if (errno == EPIPE) throw ReaderGone();
  const std::string why = fmt::format("cannot be written: {}", std::strerror(errno));
  if (!is_open) refuse(option, path, why);
  throw WriteError(fmt::format("{} {}: {}", option, path, why));
}

/// Whether a path is a device, a pipe or standard output, which renaming would replace by a file.
bool is_written_in_place(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  using Type = std::filesystem::file_type;
  return path.starts_with("/dev/std") || path.starts_with("/dev/fd/") || type == Type::fifo ||
         type == Type::character || type == Type::block || type == Type::socket;
}

/// Returns the file that a link leads to.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

/// Runs a program found on the path. Returns its exit status, or -1 if there is none of that name.
int run_program(std::array<const char*, 6> words) {
  std::array<char*, 6> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = const_cast<char*>(words[i]);
  pid_t child = 0;
  if (posix_spawnp(&child, words[0], nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  // Polls, since a signal that comes before a blocking `waitpid` sleeps would not wake it.
  constexpr std::chrono::milliseconds kBetweenLooks{5};
  while (true) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return -1;
    if (StopOnSignal::flag()) kill(child, SIGTERM);
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

}  // namespace

void write_file(const std::string& option, const std::string& path,
                const std::function<void(std::ostream&)>& write) {
  if (is_written_in_place(path)) {
    const ReadPipe pipe(option, path);
    return fill(option, path, path, write);
  }
  const std::string real = behind_links(path);
  const TemporaryFile part(real);
  fill(option, path, part.name(), write);
  part.become(option, real);
}

void write_svg(const std::string& option, const std::string& path, const std::string& dot) {
  if (is_written_in_place(path)) refuse(option, path, "a picture needs a file");
  const TemporaryFile source(path + ".dot");
  const std::string real = behind_links(path);
  const TemporaryFile picture(real);
  fill(option, path, source.name(), [&](std::ostream& out) { out << dot; });
  const int status =
      run_program({"dot", "-Tsvg", "-o", picture.name().c_str(), source.name().c_str(), nullptr});
  if (StopOnSignal::flag()) throw core::Interrupted();
  if (status < 0) {
    refuse(option, path, "Graphviz's program `dot` is not here to draw it",
           "install graphviz, or write the drawing's source with --dot");
  }
  if (status != 0) refuse(option, path, fmt::format("`dot` failed with exit code {}", status));
  picture.become(option, real);
}

}  // namespace railwright::cli
