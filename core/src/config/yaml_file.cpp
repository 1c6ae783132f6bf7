// SPDX-License-Identifier: Apache-2.0
// load_yaml: reads regular files and resolves `include`.
#include "config/yaml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "config/wording.hpp"
#include "railwright/core/config/include.hpp"

namespace railwright::core {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIncludedFiles = 256;

/// Throws a failure of the machine, which says nothing about the input and may pass.
void throw_if_machine_failed(const fs::path& path, const std::error_code& error) {
  for (const std::errc one :
       {std::errc::io_error, std::errc::not_enough_memory, std::errc::too_many_files_open,
        std::errc::too_many_files_open_in_system, std::errc::interrupted, std::errc::timed_out}) {
    if (error == one) throw fs::filesystem_error("cannot be read", path, error);
  }
}

/// Reads up to `most` bytes. Room for all of them would take longer to clear than to read a file of
/// the catalogue.
std::string read_at_most(std::istream& file, std::size_t most) {
  constexpr std::size_t kFirst = 16384;
  std::string text;
  for (std::size_t room = std::min(kFirst, most); text.size() < room;
       room = std::min(2 * room, most)) {
    const std::size_t before = text.size();
    text.resize(room);
    file.read(text.data() + before, static_cast<std::streamsize>(room - before));
    const auto num_read = static_cast<std::size_t>(file.gcount());
    text.resize(before + num_read);
    if (before + num_read < room) break;
  }
  return text;
}

std::string read_file(const fs::path& path, const Location& from, const YamlLimits& limits) {
  const bool included = from.line > 0;  // the message must name an included file
  const auto refuse = [&](const std::string& message) {
    throw ConfigError({{from, included ? "include" : "",
                        included ? in_quotes(path.string()) + ": " + message : message, ""}});
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) refuse("no such file");
  throw_if_machine_failed(path, error);
  if (error) refuse("cannot be read: " + error.message());
  if (fs::is_directory(status)) refuse("a directory, not a file");
  if (!fs::is_regular_file(status)) refuse("not a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw_if_machine_failed(path, {errno, std::generic_category()});
    refuse("cannot be opened");
  }
  std::string text = read_at_most(file, limits.max_bytes + 1);
  if (file.bad()) {
    throw_if_machine_failed(path, {errno, std::generic_category()});
    refuse("cannot be read");
  }
  return text;
}

class Loader {
 public:
  Loader(const std::string& first, const std::vector<std::string>& include_folders,
         const YamlLimits& limits, bool is_ours = true)
      : limits_(limits), folders_(first, include_folders), is_ours_(is_ours) {}

  Node load(const fs::path& path, const Location& from) {
    if (++num_files_ > kMaxIncludedFiles) {
      refuse(from, fmt::format("more than {} files are included", kMaxIncludedFiles));
    }
    const std::string text = read_file(path, from, limits_);
    num_bytes_ += text.size();
    if (num_files_ > 1 && num_bytes_ > limits_.max_bytes) {
      refuse(from, fmt::format("the included files are larger than {} bytes", limits_.max_bytes));
    }
    const fs::path real = fs::weakly_canonical(path);
    if (std::find(chain_.begin(), chain_.end(), real) != chain_.end()) {
      std::string way;
      for (const fs::path& file : chain_) way += file.filename().string() + " -> ";
      refuse(from, fmt::format("it leads in a circle: {}{}", way, real.filename().string()));
    }
    chain_.push_back(real);
    Node node = parse_yaml(text, path.string(), limits_);
    if (is_ours_) check_names(node, path.parent_path());
    if (node.find("include") != nullptr) node = with_includes(std::move(node), path.parent_path());
    chain_.pop_back();
    return node;
  }

 private:
  [[noreturn]] static void refuse(const Location& where, std::string message) {
    throw ConfigError({{where, where.line > 0 ? "include" : "", std::move(message), ""}});
  }

  /// Checks the names of all files except included ones.
  void check_names(const Node& document, const fs::path& folder) const {
    if (document.find("include") == nullptr) return folders_.check(document, folder);
    Node others = document;
    std::erase_if(others.entries, [](const Entry& entry) { return entry.key == "include"; });
    folders_.check(others, folder);
  }

  Node with_includes(Node node, const fs::path& folder) {
    const Node include = *node.find("include");
    std::erase_if(node.entries, [](const Entry& entry) { return entry.key == "include"; });
    const bool list = include.kind == Node::Kind::kSequence;
    Node base;
    base.kind = Node::Kind::kMapping;
    base.where = node.where;
    for (const Node& name : list ? include.items : std::vector<Node>{include}) {
      if (!name.is_scalar() || name.text.empty()) {
        refuse(name.where, fmt::format("expected a file name, got {}", got(name)));
      }
      const fs::path path = (folder / name.text).lexically_normal();
      if (auto problem = folders_.problem(name, "include", path)) throw ConfigError({*problem});
      const Node other = load(path, name.where);
      if (!other.is_mapping()) {
        refuse(name.where,
               fmt::format("{} holds {}, not a mapping", in_quotes(name.text), got(other)));
      }
      base = overlay(std::move(base), other);
    }
    return overlay(std::move(base), node);
  }

  YamlLimits limits_;
  FileFolders folders_;
  bool is_ours_;
  std::vector<fs::path> chain_;
  std::size_t num_files_ = 0;
  std::size_t num_bytes_ = 0;
};

}  // namespace

Node load_yaml(const std::string& path, const YamlLimits& limits) {
  return load_yaml_with({}, path, limits);
}

Node load_foreign(const std::string& path) {
  return Loader(path, {}, {}, false).load(path, Location{path});
}

Node load_yaml_with(const std::vector<std::string>& include_folders, const std::string& path,
                    const YamlLimits& limits) {
  return Loader(path, include_folders, limits).load(path, Location{path});
}

}  // namespace railwright::core
