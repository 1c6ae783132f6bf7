// SPDX-License-Identifier: Apache-2.0
#include "config/tree_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/wording.hpp"
#include "railwright/core/config/reader.hpp"

namespace railwright::core {

namespace {

bool is_default_tag(const std::string& tag) { return tag.empty() || tag == "?" || tag == "!"; }

}  // namespace

Node TreeBuilder::take() {
  if (!problems_.empty()) throw ConfigError(std::move(problems_));
  return std::move(root_);
}

Location TreeBuilder::location(const YAML::Mark& mark) const {
  return {file_, mark.line + 1, mark.column + 1};
}

std::string TreeBuilder::path() const {
  std::string text;
  for (const Frame& frame : open_) {
    if (frame.node.is_mapping()) {
      if (!frame.expects_key) text = join_path(text, frame.key.key);
    } else {
      text = join_path(text, std::to_string(frame.node.items.size()));
    }
  }
  return text;
}

void TreeBuilder::problem(Location where, std::string message, std::string hint) {
  problems_.push_back({std::move(where), path(), std::move(message), std::move(hint)});
}

void TreeBuilder::count(const Size& size, const Location& where) {
  total_.nodes += size.nodes;
  total_.bytes += size.bytes;
  const auto stop = [&](std::string message) {
    problems_.push_back({where, "", std::move(message), ""});
    throw ConfigError(std::move(problems_));
  };
  if (total_.nodes > limits_.max_nodes) {
    stop(fmt::format("more than {} values (aliases expanded)", limits_.max_nodes));
  }
  if (total_.bytes > limits_.max_bytes) {
    stop(fmt::format("more than {} bytes of text (aliases expanded)", limits_.max_bytes));
  }
  if (static_cast<int>(open_.size()) + size.depth > limits_.max_depth) {
    stop(fmt::format("nested deeper than {} levels", limits_.max_depth));
  }
}

void TreeBuilder::check_tag(const std::string& tag, const Location& where) {
  if (!is_default_tag(tag)) problem(where, fmt::format("tag {} is not allowed", in_quotes(tag)));
}

void TreeBuilder::check_closed(const YAML::Mark& mark, const Location& where) {
  auto at = static_cast<std::size_t>(std::max(mark.pos, 0));
  // Anchors and tags precede the quote.
  while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
    at = std::min(text_.find_first_of(" \t\r\n", at), text_.size());
    at = std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
  }
  if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return;
  const char quote = text_[at];
  while (++at < text_.size()) {
    const bool escaped = quote == '"' ? text_[at] == '\\' : text_.substr(at, 2) == "''";
    if (escaped) {
      ++at;
    } else if (text_[at] == quote) {
      return;
    }
  }
  throw ConfigError({{where, "", "not valid YAML: the quote is never closed", ""}});
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (++num_documents_ == 1) return;
  const auto at = static_cast<std::size_t>(std::max(mark.pos, 0));
  const bool marked = at < text_.size() && text_.substr(at, 3) == "---";
  const std::string message = marked ? "a second document starts here; a file holds one"
                                     : "the text from here on belongs to nothing before it";
  throw ConfigError({{location(mark), "", message, ""}});
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Node node;
  node.where = location(mark);
  // If nothing was written at all, yaml-cpp points at whatever comes next.
  const std::string_view written = text_.substr(
      std::min<std::size_t>(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size()));
  const bool explicit_null = written.starts_with('~') || written.starts_with("null") ||
                             written.starts_with("Null") || written.starts_with("NULL");
  if (!explicit_null && !open_.empty() && open_.back().node.is_mapping() &&
      !open_.back().expects_key) {
    node.where = open_.back().key.where;
  }
  const Size size{1, 0, 0};
  count(size, node.where);
  if (anchor != 0) anchors_[anchor] = {node, size};
  add(std::move(node), size);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.text = value;
  node.quoted = tag == "!";
  node.where = location(mark);
  const Size size{1, value.size(), 0};
  count(size, node.where);
  check_tag(tag, node.where);
  if (node.quoted) check_closed(mark, node.where);
  if (value.find('\0') != std::string::npos) problem(node.where, "a NUL character is not allowed");
  if (anchor != 0) anchors_[anchor] = {node, size};
  add(std::move(node), size);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const Location where = location(mark);
  const auto found = anchors_.find(anchor);
  Node node;
  Size size{1, 0, 0};
  if (found == anchors_.end()) {
    problem(where, "an alias stands inside its own anchor");
  } else {
    size = found->second.size;
    count(size, where);
    node = found->second.node;
  }
  node.where = where;
  add(std::move(node), size, true);
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value /*style*/) {
  open(Node::Kind::kSequence, mark, tag, anchor);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value /*style*/) {
  open(Node::Kind::kMapping, mark, tag, anchor);
}

void TreeBuilder::open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor) {
  Frame frame;
  frame.node.kind = kind;
  frame.node.where = location(mark);
  frame.anchor = anchor;
  frame.size = {1, 0, 1};
  frame.expects_key = kind == Node::Kind::kMapping;
  count(frame.size, frame.node.where);
  check_tag(tag, frame.node.where);
  open_.push_back(std::move(frame));
}

void TreeBuilder::close() {
  Frame frame = std::move(open_.back());
  open_.pop_back();
  if (frame.anchor != 0) {
    count(frame.size, frame.node.where);  // the kept copy costs as much as an alias
    anchors_[frame.anchor] = {frame.node, frame.size};
  }
  add(std::move(frame.node), frame.size);
}

void TreeBuilder::add(Node node, const Size& size, bool alias) {
  if (open_.empty()) {
    root_ = std::move(node);
    return;
  }
  Frame& frame = open_.back();
  frame.size.nodes += size.nodes;
  frame.size.bytes += size.bytes;
  frame.size.depth = std::max(frame.size.depth, size.depth + 1);
  if (!frame.node.is_mapping()) {
    frame.node.items.push_back(std::move(node));
  } else if (frame.expects_key) {
    add_key(frame, node, alias);
    frame.expects_key = false;
  } else {
    frame.key.value = std::move(node);
    if (frame.keep) frame.node.entries.push_back(std::move(frame.key));
    frame.key = {};
    frame.expects_key = true;
  }
}

void TreeBuilder::add_key(Frame& frame, const Node& node, bool alias) {
  frame.key.key = node.is_scalar() ? node.text : "?";
  frame.key.where = node.where;
  frame.keep = false;
  if (!node.is_scalar() || alias) {
    problem(node.where,
            fmt::format("a key must be plain text, got {}", alias ? "an alias" : got(node)));
  } else if (node.text == "<<" && !node.quoted) {
    problem(node.where, "merge keys ('<<') are not allowed", "repeat the keys, or use include");
  } else {
    const auto [first, added] = frame.lines.emplace(node.text, node.where.line);
    frame.keep = added;
    if (!added) {
      problem(node.where, fmt::format("duplicate key {}, first on line {}", in_quotes(node.text),
                                      first->second));
    }
  }
}

}  // namespace railwright::core
