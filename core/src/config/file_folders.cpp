// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/wording.hpp"
#include "railwright/core/config/include.hpp"
#include "railwright/core/config/reader.hpp"

namespace railwright::core {

namespace {

namespace fs = std::filesystem;

bool names_file(std::string_view text) {
  return text.ends_with(".yaml") || text.ends_with(".json");
}

/// Matches `prices=other.yaml` and `prices={model: other.yaml}`.
bool may_set_file(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("=") && (has(".yaml") || has(".json"));
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

/// Returns the folder with links followed and without a separator at its end.
fs::path real_folder(const fs::path& folder) {
  const fs::path real = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder);
  return real.has_filename() ? real : real.parent_path();
}

/// Gathers the problems of a document.
class Check {
 public:
  explicit Check(const FileFolders& folders) : folders_(folders) {}

  void document(const Node& node, const std::string& path, const fs::path& folder) {
    if (node.is_scalar()) scalar(node, path, folder);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      document(node.items[i], join_path(path, std::to_string(i)), folder);
    }
    for (const Entry& entry : node.entries) {
      if (entry.key == "name" || entry.key == "description" || entry.key == "source") continue;
      // Values that vary are merged into a scenario as settings are: relative to the working
      // directory.
      const bool varies = entry.key == "values";
      document(entry.value, join_path(path, entry.key), varies ? fs::path() : folder);
    }
  }

  void throw_if_any() && {
    if (!problems_.empty()) throw ConfigError(std::move(problems_));
  }

 private:
  void scalar(const Node& node, const std::string& path, const fs::path& folder) {
    if (names_file(node.text) && node.text.find('=') == std::string::npos) {
      take(folders_.problem(node, path, folder / node.text));
    } else if (may_set_file(node.text)) {
      setting(node, path);
    }
  }

  void setting(const Node& node, const std::string& path) {
    Node value;
    try {
      set_path(value, node.text);
    } catch (const ConfigError&) {
      return;  // reported where it is used
    }
    values(value, node, path);
  }

  void values(const Node& value, const Node& setting, const std::string& path) {
    if (value.is_scalar() && names_file(value.text)) {
      Node name = value;
      name.where = setting.where;
      take(folders_.problem(name, path, value.text));
    }
    for (const Node& item : value.items) values(item, setting, path);
    for (const Entry& entry : value.entries) values(entry.value, setting, path);
  }

  void take(std::optional<Diagnostic> problem) {
    if (problem) problems_.push_back(std::move(*problem));
  }

  const FileFolders& folders_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

FileFolders::FileFolders(const std::string& document, const std::vector<std::string>& allowed) {
  folders_.push_back(real_folder(fs::path(document).parent_path()));
  for (const std::string& folder : allowed) folders_.push_back(real_folder(folder));
}

std::optional<Diagnostic> FileFolders::problem(const Node& name, const std::string& path,
                                               const fs::path& file) const {
  if (name.where.line == 0) return {};
  std::error_code error;
  const fs::path real =
      fs::weakly_canonical(file.is_absolute() ? file : fs::path(".") / file, error);
  const auto holds = [&](const fs::path& folder) { return is_within(real, folder); };
  if (!error && std::ranges::any_of(folders_, holds)) return {};
  return Diagnostic{name.where, path,
                    fmt::format("{} lies outside {}, the folder of what was asked for",
                                in_quotes(name.text), folders_.front().string()),
                    "--allow-include FOLDER (allow_include in Python) allows another one"};
}

void FileFolders::check(const Node& document, const fs::path& folder) const {
  Check check(*this);
  check.document(document, "", folder);
  std::move(check).throw_if_any();
}

}  // namespace railwright::core
