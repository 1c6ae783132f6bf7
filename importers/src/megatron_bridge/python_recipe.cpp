// SPDX-License-Identifier: Apache-2.0
#include "python_recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxBrackets = 64;

struct Token {
  enum class Kind { kWord, kString, kSign };
  Kind kind = Kind::kSign;
  std::string text;  ///< of a string without its quotes
};

/// A logical line: a statement, whatever lines it goes over.
struct Statement {
  int indent = 0;
  int line = 0;
  std::vector<Token> tokens;
};

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80U;
}

/// Splits a text into statements.
class PythonTokens {
 public:
  PythonTokens(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<Statement> all() {
    while (at_ < text_.size()) step();
    if (depth_ > 0) refuse("a bracket that never ends");
    close();
    return std::move(statements_);
  }

 private:
  [[noreturn]] void refuse(std::string message) const {
    throw core::ConfigError({{{file_, line_, 1}, "", std::move(message), ""}});
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
      if (depth_ == 0) close();
    } else if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
      at_ += 2;
      ++line_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '"' || c == '\'') {
      take_string("");
    } else if (is_word_letter(c)) {
      take_word();
    } else {
      take_sign(c);
    }
  }

  void begin() {
    if (!current_.tokens.empty()) return;
    const std::size_t start = text_.rfind('\n', at_);
    current_.indent = static_cast<int>(at_ - (start == std::string_view::npos ? 0 : start + 1));
    current_.line = line_;
  }

  void close() {
    if (!current_.tokens.empty()) statements_.push_back(std::move(current_));
    current_ = {};
  }

  void take_word() {
    begin();
    std::size_t end = at_;
    // The sign of an exponent is of the number.
    const bool is_number = text_[at_] >= '0' && text_[at_] <= '9';
    while (end < text_.size() &&
           (is_word_letter(text_[end]) || (is_number && (text_[end] == '-' || text_[end] == '+') &&
                                           (text_[end - 1] == 'e' || text_[end - 1] == 'E')))) {
      ++end;
    }
    const std::string word(text_.substr(at_, end - at_));
    at_ = end;
    const bool is_prefix =
        word.size() <= 2 && end < text_.size() && (text_[end] == '"' || text_[end] == '\'');
    if (is_prefix) {
      take_string(word);
    } else {
      current_.tokens.push_back({Token::Kind::kWord, word});
    }
  }

  /// A string with what is between its quotes; one with a prefix such as f is no literal here.
  void take_string(const std::string& prefix) {
    begin();
    const char quote = text_[at_];
    const std::string three(3, quote);
    const std::string mark = text_.substr(at_, 3) == three ? three : std::string(1, quote);
    at_ += mark.size();
    std::string content;
    while (text_.substr(at_, mark.size()) != mark) {
      if (at_ >= text_.size() || (mark.size() == 1 && text_[at_] == '\n')) {
        refuse("a string that never ends");
      }
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) content += text_[at_++];
      if (at_ < text_.size()) content += text_[at_++];
    }
    at_ += mark.size();
    const bool is_plain = prefix.empty() || prefix == "r" || prefix == "u";
    current_.tokens.push_back(
        {is_plain ? Token::Kind::kString : Token::Kind::kSign, std::move(content)});
  }

  void take_sign(char c) {
    begin();
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (depth_ > kMaxBrackets) refuse("brackets are nested too deep");
    if (c == ')' || c == ']' || c == '}') {
      if (depth_ == 0) refuse("a bracket that was never opened");
      --depth_;
    }
    current_.tokens.push_back({Token::Kind::kSign, std::string(1, c)});
    ++at_;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t depth_ = 0;
  Statement current_;
  std::vector<Statement> statements_;
};

using Tokens = std::span<const Token>;

bool is_sign(const Token& token, std::string_view sign) {
  return token.kind == Token::Kind::kSign && token.text == sign;
}
bool is_word(const Token& token, std::string_view word) {
  return token.kind == Token::Kind::kWord && token.text == word;
}

std::string in_words(Tokens tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text;
  return shown(text);
}

/// Whether these are a call of a name, all of them.
bool is_call(Tokens tokens) {
  return tokens.size() >= 3 && tokens[0].kind == Token::Kind::kWord && is_sign(tokens[1], "(") &&
         is_sign(tokens.back(), ")");
}

/// Splits arguments at the commas between them.
std::vector<Tokens> arguments_of(Tokens inside) {
  std::vector<Tokens> parts;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    const bool is_end = i == inside.size();
    if (is_end || (depth == 0 && is_sign(inside[i], ","))) {
      if (i > start) parts.push_back(inside.subspan(start, i - start));
      start = i + 1;
      continue;
    }
    const std::string& text = inside[i].text;
    if (inside[i].kind != Token::Kind::kSign) continue;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
  }
  return parts;
}

/// Reads the functions of a module from its statements.
class PythonModule {
 public:
  PythonModule(std::vector<Statement> statements, const std::string& file)
      : statements_(std::move(statements)), file_(file) {}

  std::vector<PythonRecipe> recipes() {
    for (const Statement& one : statements_) {
      const Tokens tokens(one.tokens);
      if (one.indent == 0) take_outside(one, tokens);
      if (one.indent > 0 && !recipes_.empty() && is_inside_) take_inside(one, tokens);
    }
    std::vector<PythonRecipe> made;
    for (const PythonRecipe& one : recipes_) {
      if (!one.name.starts_with('_')) made.push_back(with_base(one, 0));
    }
    std::erase_if(
        made, [](const PythonRecipe& one) { return one.keys.entries.empty() && one.open.empty(); });
    return made;
  }

 private:
  /// Returns a recipe with what it takes from another of the module: `cfg = other_config()`.
  [[nodiscard]] PythonRecipe with_base(const PythonRecipe& recipe, int depth) const {
    constexpr int kMaxDepth = 8;
    const auto found = std::ranges::find_if(recipes_, [&](const PythonRecipe& one) {
      return !recipe.base.empty() && &one != &recipe &&
             (one.name == recipe.base || one.name == "_" + recipe.base);
    });
    if (found == recipes_.end() || depth >= kMaxDepth) return recipe;
    PythonRecipe whole = with_base(*found, depth + 1);
    whole.name = recipe.name;
    whole.line = recipe.line;
    whole.keys = core::overlay(std::move(whole.keys), recipe.keys);
    std::erase_if(whole.open, [&](const OpenKey& key) {
      return core::find_path(recipe.keys, key.path) != nullptr;
    });
    for (const OpenKey& key : recipe.open) {
      std::erase_if(whole.open, [&](const OpenKey& old) { return old.path == key.path; });
      drop(whole.keys, key.path);
      whole.open.push_back(key);
    }
    for (const std::string& call : recipe.calls) {
      if (std::ranges::count(whole.calls, call) == 0) whole.calls.push_back(call);
    }
    return whole;
  }

  static void drop(core::Node& node, std::string_view path) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    if (dot == std::string_view::npos) {
      std::erase_if(node.entries, [&](const core::Entry& entry) { return entry.key == key; });
    } else if (core::Node* below = node.find(key)) {
      drop(*below, path.substr(dot + 1));
    }
  }

  /// `def NAME(`, and constants such as `LENGTH: int = 16384`.
  void take_outside(const Statement& one, Tokens tokens) {
    is_inside_ =
        tokens.size() > 2 && is_word(tokens[0], "def") && tokens[1].text.ends_with("_config");
    if (is_inside_) {
      PythonRecipe& made = recipes_.emplace_back();
      made.name = tokens[1].text;
      made.line = one.line;
      made.keys.kind = core::Node::Kind::kMapping;
      made.keys.where = {file_, one.line, 1};
      body_indent_ = 0;
      return;
    }
    const auto equals =
        std::ranges::find_if(tokens, [](const Token& token) { return is_sign(token, "="); });
    if (equals == tokens.end() || tokens[0].kind != Token::Kind::kWord) return;
    const auto behind = tokens.subspan(static_cast<std::size_t>(equals - tokens.begin()) + 1);
    if (const auto value = literal(behind)) constants_[tokens[0].text] = *value;
  }

  void take_inside(const Statement& one, Tokens tokens) {
    if (body_indent_ == 0) body_indent_ = one.indent;
    const bool is_sure = one.indent == body_indent_;
    line_ = one.line;
    PythonRecipe& recipe = recipes_.back();
    if (is_call(tokens) && std::ranges::any_of(tokens.subspan(2), [](const Token& token) {
          return is_word(token, "cfg") || is_word(token, "config");
        })) {
      recipe.calls.push_back(tokens[0].text);
      return;
    }
    if (tokens.size() < 3 || tokens[0].kind != Token::Kind::kWord || !is_sign(tokens[1], "=")) {
      return;
    }
    const std::string& target = tokens[0].text;
    const Tokens value = tokens.subspan(2);
    if (target == "cfg" || target == "config") {
      if (is_call(value)) recipe.base = value[0].text;
      return;
    }
    const std::size_t dot = target.find('.');
    if (dot == std::string::npos) return;
    const std::string_view holder = std::string_view(target).substr(0, dot);
    if (holder != "cfg" && holder != "config") return;
    set(target.substr(dot + 1), value, is_sure, recipe);
  }

  void set(const std::string& path, Tokens value, bool is_sure, PythonRecipe& recipe) {
    if (const auto known = literal(value); known && is_sure) {
      put(recipe.keys, path, *known);
      std::erase_if(recipe.open, [&](const OpenKey& key) { return key.path == path; });
      return;
    }
    if (is_sure && is_call(value) && set_by_call(path, value, recipe)) return;
    recipe.open.push_back({path, in_words(value), line_});
  }

  /// `CommOverlapConfig(tp_comm_overlap=False)`, `bf16_mixed()`, `get_mixed_precision_config("x")`
  /// and `AutoBridge.from_hf_pretrained("name").to_megatron_provider()`.
  bool set_by_call(const std::string& path, Tokens value, PythonRecipe& recipe) {
    const std::string& function = value[0].text;
    const auto arguments = arguments_of(value.subspan(2, value.size() - 3));
    if (path == "mixed_precision") {
      const bool is_named = arguments.size() == 1 && arguments[0].size() == 1 &&
                            arguments[0][0].kind == Token::Kind::kString;
      if (!is_named && !arguments.empty()) return false;
      std::string word = is_named ? arguments[0][0].text : function;
      if (word.starts_with("fp8") || word.starts_with("nvfp4")) word.insert(0, "bf16_with_");
      if (!word.starts_with("bf16") && !word.starts_with("fp16")) return false;
      put(recipe.keys, path, text(word));
      return true;
    }
    if (path == "model" && function == "AutoBridge.from_hf_pretrained" && value.size() > 2 &&
        value[2].kind == Token::Kind::kString) {
      put(recipe.keys, "hf_checkpoint", text(value[2].text));
      return true;
    }
    if (!function.ends_with("Config")) return false;
    for (const Tokens argument : arguments) {
      const bool is_keyword = argument.size() >= 3 && argument[0].kind == Token::Kind::kWord &&
                              is_sign(argument[1], "=");
      if (!is_keyword) return false;
      set(path + "." + argument[0].text, argument.subspan(2), true, recipe);
    }
    return true;
  }

  [[nodiscard]] core::Node text(const std::string& word) const {
    core::Node node;
    node.kind = core::Node::Kind::kScalar;
    node.text = word;
    node.where = {file_, line_, 1};
    return node;
  }

  /// A number, a string, True, False, None, or a constant of the module.
  [[nodiscard]] std::optional<core::Node> literal(Tokens tokens) const {
    if (tokens.size() == 2 && is_sign(tokens[0], "-") && tokens[1].kind == Token::Kind::kWord) {
      auto node = literal(tokens.subspan(1));
      if (!node || !(core::number_of(node->text) >= 0.0)) return std::nullopt;
      node->text.insert(0, "-");
      return node;
    }
    if (tokens.size() != 1) return std::nullopt;
    const Token& token = tokens[0];
    if (token.kind == Token::Kind::kString) return text(token.text);
    if (token.kind != Token::Kind::kWord) return std::nullopt;
    if (token.text == "True") return text("true");
    if (token.text == "False") return text("false");
    if (token.text == "None") return text("null");
    if (const auto constant = constants_.find(token.text); constant != constants_.end()) {
      core::Node node = constant->second;
      node.where.line = line_;
      return node;
    }
    std::string digits = token.text;
    std::erase(digits, '_');
    const bool is_number = digits[0] >= '0' && digits[0] <= '9';
    if (!is_number || !(core::number_of(digits) >= 0.0)) return std::nullopt;
    return text(digits);
  }

  static void put(core::Node& node, std::string_view path, const core::Node& value) {
    const std::size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    core::Node* below = node.find(key);
    if (below == nullptr) {
      node.entries.push_back({key, value.where, {}});
      below = &node.entries.back().value;
    }
    if (dot == std::string_view::npos) {
      *below = value;
      return;
    }
    if (!below->is_mapping()) {
      *below = {};
      below->kind = core::Node::Kind::kMapping;
      below->where = value.where;
    }
    put(*below, path.substr(dot + 1), value);
  }

  std::vector<Statement> statements_;
  const std::string& file_;
  std::vector<PythonRecipe> recipes_;
  std::map<std::string, core::Node> constants_;
  bool is_inside_ = false;
  int body_indent_ = 0;  ///< of the function that is read; 0 before its first statement
  int line_ = 0;
};

}  // namespace

std::vector<PythonRecipe> read_python_recipes(std::string_view text, const std::string& file) {
  return PythonModule(PythonTokens(text, file).all(), file).recipes();
}

}  // namespace railwright::importers
