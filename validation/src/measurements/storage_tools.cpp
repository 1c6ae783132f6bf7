// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/storage_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "../suites/csv.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"
#include "railwright/validation/measurements/fio.hpp"

namespace railwright::validation {

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string_view>;

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kMost = 1e12;  ///< of any number in a result

[[noreturn]] void refuse(const std::string& file, std::string message, int line = 0) {
  core::Location where{file};
  where.line = line;
  where.column = line > 0 ? 1 : 0;
  throw core::ConfigError({{where, "", std::move(message), ""}});
}

bool has(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

/// Reads a number that a result must have.
double needed(std::string_view word, const char* what, const std::string& file, int line) {
  const double value = core::number_of(word);
  if (value >= 0.0 && value <= kMost) return value;
  refuse(file, fmt::format("{}: no number of at least 0", what), line);
}

int count_of(double value) { return static_cast<int>(std::clamp(value, 1.0, 1e9)); }

core::Bandwidth mebibytes(double rate) { return core::Bandwidth::from_base(rate * kMiB); }

/// Numbers of a line of a result.
struct Measured {
  std::string name;
  double rate = 0.0;        ///< MiB/s
  double operations = 0.0;  ///< a second
  int streams = 1;
  int clients = 1;
};

void add_job(StorageReport& report, bool is_write, Measured measured) {
  StorageJob job{.name = std::move(measured.name),
                 .num_streams = measured.streams,
                 .num_clients = measured.clients,
                 .read = {},
                 .write = {}};
  StorageDirection& direction = is_write ? job.write : job.read;
  direction.rate = mebibytes(measured.rate);
  direction.operations_per_s = measured.operations;
  report.jobs.push_back(std::move(job));
}

/// The table under "Summary of all tests": names of columns without blanks, a line a test.
StorageReport read_ior(std::string_view text, const std::string& file) {
  StorageReport report{.tool = "IOR", .jobs = {}, .notes = {}};
  Words names;
  int number = 0;
  for (const std::string_view line : core::lines_of(text)) {
    ++number;
    const Words words = core::words_of(line);
    if (!words.empty() && words[0] == "Operation" && has(line, "Mean(MiB)")) names = words;
    if (names.empty() || words.empty() || (words[0] != "write" && words[0] != "read")) continue;
    const auto column = [&](std::string_view name) {
      const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      return place < words.size() ? words[place] : std::string_view();
    };
    const double tasks = needed(column("#Tasks"), "#Tasks", file, number);
    const double per_node = needed(column("tPN"), "tPN", file, number);
    if (tasks < 1.0 || per_node < 1.0) refuse(file, "no tasks", number);
    const double operations = core::number_of(column("Mean(OPs)"));
    add_job(report, words[0] == "write",
            {.name = std::string(words[0]),
             .rate = needed(column("Mean(MiB)"), "Mean(MiB)", file, number),
             .operations = std::isfinite(operations) ? operations : 0.0,
             .streams = count_of(tasks),
             .clients = count_of(std::ceil(tasks / per_node))});
  }
  if (report.jobs.empty()) refuse(file, "no 'Summary of all tests' of IOR with a write or a read");
  return report;
}

/// "mdtest-4.1.0 was launched with 30 total task(s) on 2 node(s)".
std::pair<double, double> tasks_of_mdtest(std::string_view line) {
  const Words words = core::words_of(line);
  std::pair<double, double> counts{std::nan(""), std::nan("")};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "total") counts.first = core::number_of(words[i - 1]);
    if (words[i].starts_with("node(s)") || words[i] == "nodes") {
      counts.second = core::number_of(words[i - 1]);
    }
  }
  return counts;
}

/// Lines such as "File creation : max min mean deviation" under "SUMMARY rate".
StorageReport read_mdtest(std::string_view text, const std::string& file) {
  StorageReport report{.tool = "mdtest", .jobs = {}, .notes = {}};
  std::pair<double, double> counts{std::nan(""), std::nan("")};
  bool is_rate = false;
  int number = 0;
  for (const std::string_view line : core::lines_of(text)) {
    ++number;
    if (has(line, "was launched with")) counts = tasks_of_mdtest(line);
    if (has(line, "SUMMARY")) is_rate = !has(line, "time");
    Words words = core::words_of(line);
    std::erase(words, ":");
    const bool is_row =
        words.size() >= 6 && (words[0] == "File" || words[0] == "Directory" || words[0] == "Tree");
    if (!is_rate || !is_row) continue;
    const double rate = needed(words[4], "Mean", file, number);
    if (rate == 0.0) continue;
    if (!(counts.first >= 1.0 && counts.second >= 1.0)) {
      refuse(file, "no line 'was launched with N total task(s) on N node(s)'");
    }
    const bool is_write = words[1] == "creation" || words[1] == "removal" || words[1] == "rename";
    add_job(report, is_write,
            {.name = fmt::format("{} {}", words[0], words[1]),
             .rate = 0.0,
             .operations = rate,
             .streams = count_of(counts.first),
             .clients = count_of(counts.second)});
    StorageJob& job = report.jobs.back();
    (is_write ? job.write : job.read).latency = core::Duration::from_base(counts.first / rate);
  }
  if (report.jobs.empty()) refuse(file, "no 'SUMMARY rate' of mdtest");
  report.notes.emplace_back("a scenario has no limit for operations on names and sizes of files");
  return report;
}

/// Returns the value behind an option of elbencho's command line.
std::optional<double> option_of(std::string_view command, std::string_view brief,
                                std::string_view full) {
  const Words words = core::words_of(command);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto plain = [](std::string_view word) {
      if (word.size() >= 2 && word.front() == '"' && word.back() == '"') {
        return word.substr(1, word.size() - 2);
      }
      return word;
    };
    if (plain(words[i]) != brief && plain(words[i]) != full) continue;
    const double value = core::number_of(plain(words[i + 1]));
    if (value >= 1.0 && value <= 1e6) return value;
  }
  return std::nullopt;
}

/// Blocks such as "WRITE  Elapsed time : ..." with "Throughput MiB/s : first last" below.
StorageReport read_elbencho(std::string_view text, const std::string& file) {
  StorageReport report{.tool = "elbencho", .jobs = {}, .notes = {}};
  std::string operation;
  double threads = 1.0;
  bool is_one_client = true;
  double operations = 0.0;
  int number = 0;
  for (const std::string_view line : core::lines_of(text)) {
    ++number;
    if (has(line, "COMMAND LINE") || has(line, "elbencho ")) {
      threads = option_of(line, "-t", "--threads").value_or(1.0) *
                option_of(line, "", "--iodepth").value_or(1.0);
      is_one_client = !has(line, "--hosts");
    }
    const Words words = core::words_of(line);
    if (words.size() < 2) continue;
    if (has(line, "Elapsed time")) {
      operation = words[0];
      operations = 0.0;
    }
    if (words[0] == "IOPS") operations = needed(words.back(), "IOPS", file, number);
    if (!line.starts_with(' ') || words[0] != "Throughput" || !has(line, "MiB/s")) continue;
    if (operation != "WRITE" && operation != "READ") continue;
    add_job(report, operation == "WRITE",
            {.name = operation,
             .rate = needed(words.back(), "Throughput", file, number),
             .operations = operations,
             .streams = count_of(threads),
             .clients = is_one_client ? 1 : 0});
  }
  if (report.jobs.empty()) refuse(file, "no throughput of elbencho's WRITE or READ");
  if (!is_one_client) {
    report.notes.emplace_back(
        "how many hosts took part is not told here; elbencho's --csvfile tells it");
  }
  return report;
}

StorageReport read_elbencho_csv(std::string_view text, const std::string& file) {
  StorageReport report{.tool = "elbencho", .jobs = {}, .notes = {}};
  const auto rows = parse_csv(text, file);
  std::map<std::string, std::size_t, std::less<>> places;
  for (const auto& row : rows) {
    if (places.empty()) {
      for (std::size_t i = 0; i < row.size(); ++i) places.try_emplace(row[i].text, i);
      continue;
    }
    const int line = row.front().where.line;
    const auto cell = [&](const char* name) {
      const auto place = places.find(name);
      return place != places.end() && place->second < row.size()
                 ? std::string_view(row[place->second].text)
                 : std::string_view();
    };
    const std::string_view operation = cell("operation");
    if (operation != "WRITE" && operation != "READ") continue;
    if (cell("MiB/s [last]").empty()) continue;
    const double hosts = needed(cell("hosts"), "hosts", file, line);
    const double threads = needed(cell("threads"), "threads", file, line);
    const double depth = core::number_of(cell("IO depth"));
    const double operations = core::number_of(cell("IOPS [last]"));
    add_job(report, operation == "WRITE",
            {.name = std::string(operation),
             .rate = needed(cell("MiB/s [last]"), "MiB/s [last]", file, line),
             .operations = std::isfinite(operations) ? operations : 0.0,
             .streams = count_of(threads * std::max(1.0, std::isfinite(depth) ? depth : 1.0)),
             .clients = count_of(hosts)});
  }
  if (report.jobs.empty()) refuse(file, "no throughput of elbencho's WRITE or READ");
  return report;
}

Json parse_result(std::string_view text, const std::string& file) {
  const std::size_t start = std::min(text.find('{'), text.size());
  try {
    return Json::parse(text.substr(start));
  } catch (const Json::exception&) {
    refuse(file, "no JSON");
  }
}

std::optional<double> number_in(const Json& node, const char* key, const std::string& file) {
  const auto found = node.find(key);
  if (found == node.end() || found->is_null()) return std::nullopt;
  if (found->is_number()) {
    const auto value = found->get<double>();
    if (value >= 0.0 && value <= kMost) return value;
  }
  refuse(file, fmt::format("{}: no number of at least 0", key));
}

StorageReport read_ior_json(std::string_view text, const std::string& file) {
  StorageReport report{.tool = "IOR", .jobs = {}, .notes = {}};
  const Json result = parse_result(text, file);
  const auto summary = result.find("summary");
  if (summary == result.end() || !summary->is_array()) refuse(file, "no summary of IOR");
  for (const Json& row : *summary) {
    if (!row.is_object()) refuse(file, "summary: expected a test");
    const std::string operation = row.value("operation", "");
    if (operation != "write" && operation != "read") continue;
    const auto rate = number_in(row, "bwMeanMIB", file);
    const auto tasks = number_in(row, "numTasks", file);
    const auto per_node = number_in(row, "tasksPerNode", file);
    if (!rate || !tasks || !per_node || *tasks < 1.0 || *per_node < 1.0) {
      refuse(file, "summary: no bwMeanMIB, numTasks or tasksPerNode");
    }
    add_job(report, operation == "write",
            {.name = operation,
             .rate = *rate,
             .operations = number_in(row, "OPsMean", file).value_or(0.0),
             .streams = count_of(*tasks),
             .clients = count_of(std::ceil(*tasks / *per_node))});
  }
  if (report.jobs.empty()) refuse(file, "no write and no read in the summary of IOR");
  return report;
}

/// DLIO asks as its emulated accelerators need, so that its rate says at least what storage gives.
StorageReport read_dlio(std::string_view text, const std::string& file) {
  StorageReport report{.tool = "DLIO", .jobs = {}, .notes = {}};
  const Json result = parse_result(text, file);
  const auto metric = result.find("metric");
  if (metric == result.end() || !metric->is_object()) refuse(file, "no metric of DLIO");
  const int clients = count_of(number_in(result, "num_hosts", file).value_or(1.0));
  const int streams = count_of(number_in(result, "num_accelerators", file).value_or(1.0));
  if (const auto rate = number_in(*metric, "train_io_mean_MB_per_second", file)) {
    add_job(report, false,
            {.name = "training",
             .rate = *rate,
             .operations = 0.0,
             .streams = streams,
             .clients = clients});
    const auto busy = number_in(*metric, "train_au_mean_percentage", file);
    report.notes.push_back(fmt::format(
        "DLIO reads as fast as its emulated accelerators ask{}: storage may give more",
        busy ? fmt::format(", which were busy {:.0f} % of the time", *busy) : std::string()));
  }
  // DLIO's MB and GB are binary: mlcommons/storage, statscounter.py. [@dlio]
  const auto checkpoint = [&](const char* key, bool is_write, const char* name) {
    if (const auto rate = number_in(*metric, key, file)) {
      add_job(report, is_write,
              {.name = name,
               .rate = *rate * 1024.0,
               .operations = 0.0,
               .streams = streams,
               .clients = clients});
    }
  };
  checkpoint("save_checkpoint_io_mean_GB_per_second", true, "checkpoint save");
  checkpoint("load_checkpoint_io_mean_GB_per_second", false, "checkpoint load");
  if (report.jobs.empty()) refuse(file, "no rate of training or checkpoints of DLIO");
  return report;
}

/// A tool, and words that no other tool writes.
struct StorageTool {
  std::string_view mark;
  std::string_view second;  ///< "" for none
  StorageReport (*read)(std::string_view text, const std::string& file);
};
constexpr auto kStorageTools = std::to_array<StorageTool>({
    {"\"fio version\"", "", read_fio},
    {"\"summary\"", "\"bwMeanMIB\"", read_ior_json},
    {"Summary of all tests", "Mean(MiB)", read_ior},
    {"mdtest-", "SUMMARY", read_mdtest},
    {"OPERATION   RESULT TYPE", "", read_elbencho},
    {"operation", "MiB/s [last]", read_elbencho_csv},
    {"\"metric\"", "_per_second\"", read_dlio},
});

const StorageTool* tool_of(std::string_view text) {
  const auto* const found = std::ranges::find_if(kStorageTools, [&](const StorageTool& tool) {
    return has(text, tool.mark) && has(text, tool.second);
  });
  return found == kStorageTools.end() ? nullptr : &*found;
}

}  // namespace

bool is_storage_result(std::string_view text) { return tool_of(text) != nullptr; }

StorageReport read_storage_result(std::string_view text, const std::string& file) {
  const StorageTool* tool = tool_of(text);
  if (tool == nullptr) return read_fio(text, file);
  StorageReport report = tool->read(text, file);
  const auto most = std::ranges::max_element(report.jobs, {}, &StorageJob::num_clients);
  if (most != report.jobs.end() && most->num_clients > 1) {
    report.notes.push_back(fmt::format(
        "of {} clients together: what one of them alone reaches may be more, and what the storage "
        "gave is {} times as much",
        most->num_clients, most->num_clients));
  }
  return report;
}

}  // namespace railwright::validation
