// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "railwright/core/error.hpp"

namespace railwright::cli {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& path, std::string message,
                         std::string hint = {}) {
  throw core::ConfigError({{{option + " " + path}, "", std::move(message), std::move(hint)}});
}

/// A name in the same folder, so that renaming is one step.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path)
      : name_(fmt::format("{}.{}.part", path, getpid())) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(name_.c_str()); }

  [[nodiscard]] const std::string& name() const { return name_; }
  void become(const std::string& option, const std::string& path) const {
    if (std::rename(name_.c_str(), path.c_str()) != 0) {
      refuse(option, path, fmt::format("cannot be written: {}", std::strerror(errno)));
    }
  }

 private:
  std::string name_;
};

void fill(const std::string& option, const std::string& path, const std::string& name,
          const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  const bool is_open = file.is_open();
  if (is_open) write(file);
  file.close();
  if (file) return;
  const std::string why = fmt::format("cannot be written: {}", std::strerror(errno));
  if (!is_open) refuse(option, path, why);
  throw WriteError(fmt::format("{} {}: {}", option, path, why));
}

/// Renaming would put a file in the place of a device, a pipe or the standard output.
bool is_written_in_place(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  using Type = std::filesystem::file_type;
  return path.starts_with("/dev/std") || path.starts_with("/dev/fd/") || type == Type::fifo ||
         type == Type::character || type == Type::block || type == Type::socket;
}

/// The file that a link leads to.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

/// Runs a program found on the path; its exit status, or -1 where there is none of that name.
int run_program(std::array<const char*, 6> words) {
  std::array<char*, 6> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = const_cast<char*>(words[i]);
  pid_t child = 0;
  if (posix_spawnp(&child, words[0], nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

}  // namespace

void write_file(const std::string& option, const std::string& path,
                const std::function<void(std::ostream&)>& write) {
  if (is_written_in_place(path)) return fill(option, path, path, write);
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
  if (status < 0) {
    refuse(option, path, "Graphviz's program `dot` is not here to draw it",
           "install graphviz, or write the drawing's source with --dot");
  }
  if (status != 0) refuse(option, path, fmt::format("`dot` failed with exit code {}", status));
  picture.become(option, real);
}

}  // namespace railwright::cli
