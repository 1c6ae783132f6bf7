// SPDX-License-Identifier: Apache-2.0
#include "output_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "railwright/core/error.hpp"
#include "railwright/core/stop.hpp"
#include "stop_on_signal.hpp"

namespace railwright::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const std::string& option, const std::string& path,
                                std::string message, std::string hint = {}) {
  throw core::ConfigError({{{option + " " + path}, "", std::move(message), std::move(hint)}});
}

/// A temporary folder beside the wanted one, so that renaming is atomic.
class TemporaryFolder {
 public:
  TemporaryFolder(std::string option, const std::string& path)
      : option_(std::move(option)), path_(path) {
    fs::path wanted(path);
    if (!wanted.has_filename()) wanted = wanted.parent_path();  // "folder/"
    folder_ = wanted;
    folder_ += fmt::format(".{}.part", getpid());
    std::error_code error;
    if (!fs::create_directory(folder_, error)) {
      refuse_folder(option_, path_,
                    fmt::format("cannot be written: {}",
                                error ? error.message() : folder_.string() + " is there already"));
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void write(const std::string& name, const std::string& text) const {
    if (StopOnSignal::flag()) throw core::Interrupted();
    errno = 0;
    std::ofstream file(folder_ / name, std::ios::binary);
    file << text;
    file.close();
    if (!file)
      refuse_folder(option_, path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  }

  void become_wanted() const {
    if (StopOnSignal::flag()) throw core::Interrupted();
    std::error_code error;
    fs::rename(folder_, path_, error);  // replaces an empty folder
    if (error) refuse_folder(option_, path_, fmt::format("cannot be written: {}", error.message()));
  }

 private:
  std::string option_;
  std::string path_;
  fs::path folder_;
  StopOnSignal signals_;
};

}  // namespace

void check_free(const std::string& option, const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status)) {
    if (!fs::is_directory(status)) refuse_folder(option, path, "a file, not a folder");
    if (!fs::is_empty(path, error) || error) {
      refuse_folder(option, path, "is there already and not empty",
                    "name a folder that is not there yet, or take away what is in it");
    }
  }
  const TemporaryFolder trial(option, path);
}

void write_folder(const std::string& option, const std::string& path,
                  const std::function<void(const WriteIntoFolder&)>& fill) {
  const TemporaryFolder folder(option, path);
  fill([&](const std::string& name, const std::string& text) { folder.write(name, text); });
  folder.become_wanted();
}

}  // namespace railwright::cli
