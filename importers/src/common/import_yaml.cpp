// SPDX-License-Identifier: Apache-2.0
// Writes imported parts as a scenario file, as notes and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "railwright/core/config/block_yaml.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Returns where each value comes from, by its path.
std::map<std::string, std::string> origins_of(const ImportedParts& parts) {
  std::map<std::string, std::string> origins;
  for (const Imported& part : parts.parts) {
    for (const ImportedValue& value : part.values) {
      origins[value.path] = fmt::format("{}{}", value.is_assumed ? "assumed: " : "", value.origin);
    }
  }
  return origins;
}

struct Note {
  std::string_view title;
  std::vector<std::string> lines;
};

/// Whether a value stands at `path` or above it, or a value of another file below it. Nothing below
/// says that the job is another one than what was read.
bool is_said(const ImportedParts& parts, const Imported& by, const std::string& path) {
  const bool is_job = path == "workload" || path == "inference";
  return std::ranges::any_of(parts.parts, [&](const Imported& other) {
    return std::ranges::any_of(other.values, [&](const ImportedValue& value) {
      return value.path == path || path.starts_with(fmt::format("{}.", value.path)) ||
             (!is_job && &other != &by && value.path.starts_with(fmt::format("{}.", path)));
    });
  });
}

/// Lists unknown paths, each with the reason that the last file gives.
std::vector<std::string> lines_of_unknown(const ImportedParts& parts) {
  std::vector<const NotKnown*> kept;
  for (const Imported& part : parts.parts) {
    for (const NotKnown& one : part.not_known) {
      if (is_said(parts, part, one.path)) continue;
      const auto same = std::ranges::find(kept, one.path, [](const auto* k) { return k->path; });
      if (same == kept.end()) {
        kept.push_back(&one);
      } else {
        *same = &one;
      }
    }
  }
  std::vector<std::string> lines;
  for (const NotKnown* one : kept) lines.push_back(fmt::format("{}: {}", one->path, one->reason));
  return lines;
}

/// Whether a path that a file asks the outside for has no value from another file either.
bool is_missing(const ImportedParts& parts, const Imported& by, const NotKnown& one) {
  return one.is_outside && !is_said(parts, by, one.path);
}

std::string assumption(const ImportedValue& value) {
  if (value.value.is_mapping()) return fmt::format("{}: {}", value.path, value.origin);
  return fmt::format("{} = {}: {}", value.path, core::to_yaml(value.value), value.origin);
}

std::vector<Note> notes_of(const ImportedParts& parts) {
  Note assumed{"assumed", {}};
  Note not_expressed{"in the files but not in the scenario", {}};
  for (const Imported& part : parts.parts) {
    for (const ImportedValue& value : part.values) {
      if (value.is_assumed) assumed.lines.push_back(assumption(value));
    }
    std::ranges::copy(part.not_expressed, std::back_inserter(not_expressed.lines));
  }
  std::vector<Note> notes{{"said twice", parts.conflicts},
                          std::move(assumed),
                          {"not known, so left to the scenario beneath", lines_of_unknown(parts)},
                          std::move(not_expressed)};
  std::erase_if(notes, [](const Note& note) { return note.lines.empty(); });
  return notes;
}

}  // namespace

bool asks_outside(const ImportedParts& parts) {
  return std::ranges::any_of(parts.parts, [&](const Imported& part) {
    return std::ranges::any_of(part.not_known,
                               [&](const NotKnown& one) { return is_missing(parts, part, one); });
  });
}

std::string import_notes(const ImportedParts& parts) {
  std::string text;
  for (const Note& note : notes_of(parts)) {
    text += fmt::format("{}:\n", note.title);
    for (const std::string& line : note.lines)
      text += fmt::format("  {}\n", core::comment_text(line));
  }
  return text;
}

std::string import_yaml(const ImportedParts& parts, const core::Node& tree,
                        const std::string& include) {
  std::string text = "# Written by railwright import from:\n";
  for (const Imported& part : parts.parts) {
    text += fmt::format("#   {} {}\n", core::to_string(part.kind), core::comment_text(part.file));
  }
  const std::string notes = import_notes(parts);
  for (std::size_t at = 0; at < notes.size();) {
    const std::size_t end = notes.find('\n', at);
    text += fmt::format("# {}\n", notes.substr(at, end - at));
    at = end + 1;
  }
  if (!include.empty()) {
    text += fmt::format("include: {}\n", core::to_yaml(core::text_node(include)));
  }
  return text + core::to_block_yaml(tree, origins_of(parts));
}

std::string import_json(const ImportedParts& parts) {
  OrderedJson json;
  json["files"] = OrderedJson::array();
  json["values"] = OrderedJson::array();
  json["not_known"] = OrderedJson::array();
  json["not_expressed"] = OrderedJson::array();
  for (const Imported& part : parts.parts) {
    json["files"].push_back({{"kind", core::to_string(part.kind)}, {"file", part.file}});
    for (const ImportedValue& value : part.values) {
      json["values"].push_back({{"path", value.path},
                                {"value", core::to_yaml(value.value)},
                                {"origin", value.origin},
                                {"assumed", value.is_assumed},
                                {"file", part.file}});
    }
    for (const NotKnown& one : part.not_known) {
      json["not_known"].push_back({{"path", one.path}, {"reason", one.reason}});
    }
    for (const std::string& one : part.not_expressed) json["not_expressed"].push_back(one);
  }
  json["conflicts"] = parts.conflicts;
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace railwright::importers
