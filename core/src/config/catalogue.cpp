// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/catalogue.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "config/wording.hpp"

namespace railwright::core {

namespace {

namespace fs = std::filesystem;

/// Limit of files of one kind in one root. The largest kind of the built-in catalogue has 50 files
/// of 4 KB.
constexpr int kMaxFiles = 10'000;
constexpr std::uintmax_t kMaxCatalogueBytes = std::uintmax_t{64} << 20U;

/// Counts the files and bytes of a folder, and refuses more than the limits.
class Budget {
 public:
  explicit Budget(const fs::path& folder) : folder_(folder) {}

  void take(std::uintmax_t bytes) {
    bytes_ += bytes;
    if (++files_ > kMaxFiles) refuse("more than 10000 files");
    if (bytes_ > kMaxCatalogueBytes) refuse("files of more than 64 MiB together");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw ConfigError(
        {{{folder_.string()}, "", what + " in a folder of the catalogue", "is it the right one?"}});
  }

  const fs::path& folder_;
  int files_ = 0;
  std::uintmax_t bytes_ = 0;
};

/// Accepts lower-case names without a leading dot, which cannot leave the catalogue's folder.
bool is_name(std::string_view name) {
  if (name.empty() || name.size() > 100 || name.front() == '.') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

/// Finds the entry's file in the first root that has it; an empty path if none.
fs::path find_file(const std::vector<std::string>& roots, std::string_view kind,
                   std::string_view name) {
  if (!is_name(kind) || !is_name(name)) return {};
  for (const std::string& root : roots) {
    fs::path path = fs::path(root) / kind / (std::string(name) + ".yaml");
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return path;
  }
  return {};
}

/// Names the folders searched: if a kind has no entries at all, the place is wrong, not the name.
std::string looked_at(const std::vector<std::string>& roots) {
  if (roots.empty()) {
    return "there is no catalogue beside the program; name one with --catalogue or "
           "RAILWRIGHT_CATALOGUE_PATH";
  }
  std::string text = "it was looked for in ";
  for (const std::string& root : roots) {
    std::error_code error;
    const fs::directory_iterator readable(root, error);
    if (&root != &roots.front()) text += ", ";
    text += root;
    if (error) text += " (" + error.message() + ")";
  }
  return text;
}

/// Refuses a folder named as a kind was in an earlier version.
void refuse_former_kinds(const std::vector<std::string>& roots) {
  for (const std::string& root : roots) {
    std::error_code ignored;
    const fs::path former = fs::path(root) / "servers";
    if (!fs::is_directory(former, ignored)) continue;
    throw ConfigError({{{former.string()},
                        "",
                        "this folder of the catalogue is now 'nodes'",
                        "rename the folder"}});
  }
}

}  // namespace

Catalogue::Catalogue(std::vector<std::string> roots) : roots_(std::move(roots)) {
  refuse_former_kinds(roots_);
}

namespace {

/// The trees and decoded values of entries' files in this process, with the state of each file.
struct KnownFiles {
  struct State {
    fs::file_time_type written;
    std::uintmax_t bytes = 0;
    bool operator==(const State&) const = default;
  };
  struct Known {
    State state;
    std::shared_ptr<const Node> tree;
    std::shared_ptr<const void> decoded;
  };
  std::mutex mutex;
  std::map<std::string, Known> files;

  static State state_of(const fs::path& file) {
    std::error_code ignored;
    return {fs::last_write_time(file, ignored), fs::file_size(file, ignored)};
  }
  /// Requires the lock. Returns the record of this state of the file, empty if another state was
  /// known.
  Known& of(const fs::path& file, const State& state) {
    Known& known = files[file.string()];
    if (known.state != state) known = {.state = state, .tree = {}, .decoded = {}};
    return known;
  }
};

KnownFiles& known_files() {
  static KnownFiles known;
  return known;
}

/// Returns the file's tree, read again only if the file has changed.
std::shared_ptr<const Node> tree_of(const fs::path& file) {
  KnownFiles& known = known_files();
  const auto state = KnownFiles::state_of(file);
  {
    const std::scoped_lock lock(known.mutex);
    if (const auto& tree = known.of(file, state).tree) return tree;
  }
  auto tree = std::make_shared<const Node>(load_yaml(file.string()));
  const std::scoped_lock lock(known.mutex);
  known.of(file, state).tree = tree;
  return tree;
}

}  // namespace

/// Entries by kind and name.
struct Catalogue::Kept {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, Node> entries;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const void>> decoded;
};

std::shared_ptr<const void> Catalogue::decoded(std::string_view kind, std::string_view name) const {
  if (kept_) {
    const std::scoped_lock lock(kept_->mutex);
    const auto found = kept_->decoded.find({std::string(kind), std::string(name)});
    return found == kept_->decoded.end() ? nullptr : found->second;
  }
  const fs::path file = find_file(roots_, kind, name);
  if (file.empty()) return nullptr;
  const auto state = KnownFiles::state_of(file);
  KnownFiles& known = known_files();
  const std::scoped_lock lock(known.mutex);
  return known.of(file, state).decoded;
}

void Catalogue::keep_decoded(std::string_view kind, std::string_view name,
                             std::shared_ptr<const void> value) const {
  if (kept_) {
    const std::scoped_lock lock(kept_->mutex);
    kept_->decoded.insert_or_assign({std::string(kind), std::string(name)}, std::move(value));
    return;
  }
  const fs::path file = find_file(roots_, kind, name);
  const auto state = KnownFiles::state_of(file);
  if (tree_of(file)->find("model") != nullptr) return;
  KnownFiles& known = known_files();
  const std::scoped_lock lock(known.mutex);
  known.of(file, state).decoded = std::move(value);
}

Catalogue Catalogue::keeping() const {
  Catalogue same = *this;
  same.kept_ = std::make_shared<Kept>();
  return same;
}

bool Catalogue::contains(std::string_view kind, std::string_view name) const {
  if (kept_) {
    const std::scoped_lock lock(kept_->mutex);
    if (kept_->entries.contains({std::string(kind), std::string(name)})) return true;
  }
  return !find_file(roots_, kind, name).empty();
}

Node Catalogue::load(std::string_view kind, std::string_view name) const {
  const auto read = [&] {
    const fs::path path = find_file(roots_, kind, name);
    if (path.empty()) throw ConfigError({not_found(kind, name)});
    return *tree_of(path);
  };
  if (!kept_) return read();
  const std::pair key{std::string(kind), std::string(name)};
  const std::scoped_lock lock(kept_->mutex);
  const auto found = kept_->entries.find(key);
  if (found != kept_->entries.end()) return found->second;
  return kept_->entries.emplace(key, read()).first->second;
}

Diagnostic Catalogue::not_found(std::string_view kind, std::string_view name) const {
  Diagnostic problem;
  problem.message = "no " + singular(kind) + ' ' + in_quotes(name) + " in the catalogue";
  const std::vector<std::string> known = names(kind);
  problem.hint = known.empty() ? looked_at(roots_) : known_names_hint(name, known);
  return problem;
}

std::vector<std::string> Catalogue::names(std::string_view kind) const {
  std::set<std::string> found;
  if (!is_name(kind)) return {};
  for (const std::string& root : roots_) {
    std::error_code error;
    const fs::path folder = fs::path(root) / kind;
    Budget budget(folder);
    for (const auto& file : fs::directory_iterator(folder, error)) {
      const bool is_entry = file.path().extension() == ".yaml" && file.is_regular_file(error);
      budget.take(is_entry ? file.file_size(error) : 0);
      const std::string name = file.path().stem().string();
      if (is_entry && is_name(name)) found.insert(name);
    }
  }
  return {found.begin(), found.end()};
}

std::vector<std::string> Catalogue::kinds() const {
  std::set<std::string> found;
  for (const std::string& root : roots_) {
    std::error_code error;
    const fs::path all = root;
    Budget budget(all);
    for (const auto& folder : fs::directory_iterator(all, error)) {
      budget.take(0);
      const std::string name = folder.path().filename().string();
      if (folder.is_directory(error) && is_name(name)) found.insert(name);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace railwright::core
