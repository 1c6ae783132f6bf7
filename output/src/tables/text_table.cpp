// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "row_text.hpp"
#include "table_schema.hpp"
#include "tables.hpp"

namespace railwright::output {

namespace {

/// Describes the error of the last system call.
std::string system_words() {
  if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT) return "the disk is full";
  return fmt::format("it cannot be written: {}", std::strerror(errno));
}

class File {
 public:
  explicit File(const std::string& path)
      : number_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (number_ < 0) throw planner::TableError(system_words());
    if (flock(number_, LOCK_EX | LOCK_NB) != 0) {
      throw planner::TableError("another process has it open");
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(number_); }

  [[nodiscard]] std::int64_t size() const { return lseek(number_, 0, SEEK_END); }
  void cut(std::int64_t size) const {
    if (ftruncate(number_, size) != 0 || lseek(number_, size, SEEK_SET) < 0) {
      throw planner::TableError(system_words());
    }
  }
  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(number_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw planner::TableError(system_words());
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  /// Pipes and devices have nothing to sync.
  void sync() const {
    if (fdatasync(number_) != 0 && errno != EINVAL && errno != EROFS) {
      throw planner::TableError(system_words());
    }
  }

 private:
  int number_;
};

void write_question(const std::string& path, const planner::SweepQuestion& question) {
  nlohmann::ordered_json json = {{"fingerprint", question.fingerprint}};
  for (const auto& [key, value] : question.facts) json[key] = value;
  const std::string part = path + ".part";
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    file.close();
    if (!file) {
      const std::string why = system_words();
      std::remove(part.c_str());
      throw planner::TableError(why);
    }
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) throw planner::TableError(system_words());
}

planner::SweepQuestion load_question(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto json = nlohmann::ordered_json::parse(file, nullptr, false);
  if (!file || !json.is_object() || !json.contains("fingerprint")) {
    throw planner::TableError(
        "a file is there that is no table of a sweep: no question stands in " + path);
  }
  planner::SweepQuestion question;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) continue;
    if (key == "fingerprint") {
      question.fingerprint = value.get<std::string>();
    } else {
      question.facts.emplace_back(key, value.get<std::string>());
    }
  }
  return question;
}

class TextTable final : public planner::SweepTable {
 public:
  TextTable(const std::string& path, TextFormat format, const planner::SweepQuestion& question)
      : path_(path), file_(path), text_(format, question) {
    const std::string of_question = path + ".question.json";
    if (file_.size() > 0) {
      const std::string other = difference(load_question(of_question), question);
      if (!other.empty()) {
        refuse_table(path, other, "give another --out, or remove the file to begin anew");
      }
      return;
    }
    write_question(of_question, question);
  }

  [[nodiscard]] bool needs_order() const override { return true; }

  void visit(const std::function<void(const planner::StoredPoint&)>& see) override {
    std::ifstream in(path_, std::ios::binary);
    std::string line;
    std::int64_t good = 0;  // bytes
    std::int64_t number = 0;
    // A last line without a line end was cut by a kill and is dropped.
    while (std::getline(in, line) && !in.eof()) {
      ++number;
      if (number > 1 || text_.header().empty()) {
        const auto row = text_.read(line);
        if (!row || row->point <= last_) {
          throw planner::TableError(fmt::format("line {} is damaged", number));
        }
        last_ = row->point;
        see(*row);
      } else if (line + "\n" != text_.header()) {
        throw planner::TableError("its first line does not have the columns of this sweep");
      }
      good += static_cast<std::int64_t>(line.size()) + 1;
    }
    file_.cut(good);
    if (good == 0) buffer_ = text_.header();
  }

  void append(std::int64_t point, std::span<const planner::SweepValue> cells) override {
    if (point <= last_) {
      throw planner::TableError(fmt::format(
          "point {} comes before point {} of its last line: each shard needs a file of its own",
          point, last_));
    }
    last_ = point;
    text_.append(point, cells, buffer_);
    constexpr std::size_t kEnough = 1U << 20U;
    if (buffer_.size() > kEnough) flush();
  }

  void commit() override {
    flush();
    file_.sync();
  }

 private:
  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

  std::string path_;
  File file_;
  RowText text_;
  std::string buffer_;
  std::int64_t last_ = -1;
};

}  // namespace

std::unique_ptr<planner::SweepTable> open_text_table(const std::string& path, TextFormat format,
                                                     const planner::SweepQuestion& question) {
  try {
    return std::make_unique<TextTable>(path, format, question);
  } catch (const planner::TableError& error) {
    refuse_table(path, error.what());
  }
}

}  // namespace railwright::output
