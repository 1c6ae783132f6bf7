// SPDX-License-Identifier: Apache-2.0
#include "ranges_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "number_text.hpp"
#include "phrases.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::output {

namespace {

using planner::HangsOn;
using planner::RangedAnswer;

std::string nodes_text(const HangsOn& one, std::string_view kind) {
  const auto least = std::llround(one.least());
  if (std::isinf(one.most())) return fmt::format("{} {}s, or no number suffices", least, kind);
  return fmt::format("{} to {}", least, plural(std::llround(one.most()), kind));
}

/// Whether a rate of the storage nodes decides, which fio measures.
bool is_rate_of_storage(const HangsOn& one) {
  return one.number.path == "cluster.storage.node.write_rate" ||
         one.number.path == "cluster.storage.node.read_rate";
}

std::string storage_nodes_text(const HangsOn& one) {
  std::string text = nodes_text(one, "storage node");
  if (is_rate_of_storage(one)) {
    text += fmt::format(", by the {} that you measure", words(one.number.key()));
  }
  return text;
}

std::string time_text(const HangsOn& one, std::string_view what) {
  const auto text = [](double seconds) { return to_text(core::Duration::from_base(seconds)); };
  const std::string most = std::isinf(one.most()) ? "never ends" : "to " + text(one.most());
  const char* joint = std::isinf(one.most()) ? ", or" : "";
  return fmt::format("{} {}{} {}", what, text(one.least()), joint, most);
}

std::string answer_text(const HangsOn& one) {
  switch (one.answer) {
    case RangedAnswer::kStorageNodes:
      return storage_nodes_text(one);
    case RangedAnswer::kSpares:
      return nodes_text(one, "spare node");
    case RangedAnswer::kTrainingTime:
      return time_text(one, "training takes");
    case RangedAnswer::kStepTime:
      return time_text(one, "a step takes");
    case RangedAnswer::kTokensPerAccelerator:
      return fmt::format("{} to {} tokens/s an accelerator", grouped_value(one.least()),
                         grouped_value(one.most()));
  }
  return {};
}

}  // namespace

std::string hangs_on_words(const HangsOn& one) {
  const std::string of = one.number.entry.empty() ? "" : " of " + one.number.entry;
  return fmt::format("{}{}, {} to {}: {}", one.number.key(), of, one.number.low.text,
                     one.number.high.text, answer_text(one));
}

std::string measured_by(const HangsOn& one) {
  if (!is_rate_of_storage(one)) return {};
  const std::string_view what = one.number.key() == "write_rate" ? "write" : "read";
  return fmt::format(
      "fio --name={0} --directory=/mnt/storage --rw={0} --bs=1M --direct=1 --numjobs=16 "
      "--size=32G --time_based --runtime=600",
      what);
}

std::string measured_by_text(const HangsOn& one) {
  const std::string command = measured_by(one);
  if (command.empty()) return {};
  return fact(
      "measure it by",
      fmt::format("{0}\n{1:<16}on enough clients at once: all their rates together over the "
                  "storage nodes",
                  command, ""));
}

std::string hangs_on_text(std::span<const HangsOn> answers) {
  std::string text;
  for (const HangsOn& one : answers) {
    text += fact(&one == answers.data() ? "hangs on" : "", hangs_on_words(one));
  }
  if (!answers.empty()) text += measured_by_text(answers.front());
  return text;
}

}  // namespace railwright::output
