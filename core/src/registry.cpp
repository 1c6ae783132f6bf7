// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/registry.hpp"

#include <fmt/format.h>

#include "config/wording.hpp"

namespace railwright::core {

bool read_model_choice(const Node& node, const std::string& path, std::string_view what,
                       Reader& reader, ModelChoice& out) {
  const Node* name = &node;
  out.path = path;
  out.config = {};
  out.config.kind = Node::Kind::kMapping;
  out.config.where = node.where;
  if (node.is_mapping()) {
    name = node.find("model");
    out.path = join_path(path, "model");
    if (name == nullptr) {
      reader.report(node.where, path, "missing key 'model'", fmt::format("it names the {}", what));
      return false;
    }
    out.config.entries = node.entries;
    std::erase_if(out.config.entries, [](const Entry& entry) { return entry.key == "model"; });
  }
  if (!name->is_scalar()) {
    reader.report(name->where, out.path,
                  fmt::format("expected the name of {}, got {}", with_article(what), got(*name)));
    return false;
  }
  out.name = name->text;
  out.where = name->where;
  return true;
}

void report_unknown_model(std::string_view what, std::string_view name,
                          const std::vector<std::string>& known, const Location& where,
                          const std::string& path, Reader& reader) {
  reader.report(where, path, fmt::format("no {} {}", what, in_quotes(name)),
                known_names_hint(name, known));
}

}  // namespace railwright::core
