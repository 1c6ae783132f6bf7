// SPDX-License-Identifier: Apache-2.0
// Builds a Node from yaml-cpp's events and enforces the limits on the way.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string file, std::string_view text, const YamlLimits& limits)
      : file_(std::move(file)), text_(text), limits_(limits) {}

  /// Returns the document; throws all problems found.
  Node take();
  [[nodiscard]] bool has_document() const { return num_documents_ > 0; }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  struct Size {
    std::size_t nodes = 0;
    std::size_t bytes = 0;
    int depth = 0;
  };
  struct Anchored {
    Node node;
    Size size;
  };
  /// A collection that is still open. In a mapping, `key` is the key that waits for its value.
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    Size size;
    bool expects_key = false;
    bool keep = true;  ///< false: its key was refused; the value is only checked
    Entry key;
    std::unordered_map<std::string, int> lines;  ///< line of each key's first use
  };

  [[nodiscard]] Location location(const YAML::Mark& mark) const;
  [[nodiscard]] std::string path() const;
  void problem(Location where, std::string message, std::string hint = {});
  void count(const Size& size, const Location& where);
  /// yaml-cpp takes an unclosed quote for closed when a line break ends the file.
  void check_closed(const YAML::Mark& mark, const Location& where);
  void check_tag(const std::string& tag, const Location& where);
  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor);
  void close();
  /// Adds a finished value: a key, a value of a key, an item, or the document itself.
  void add(Node node, const Size& size, bool alias = false);
  void add_key(Frame& frame, const Node& node, bool alias);

  std::string file_;
  std::string_view text_;
  YamlLimits limits_;
  std::vector<Diagnostic> problems_;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  Size total_;
  int num_documents_ = 0;
  Node root_;
};

}  // namespace railwright::core
