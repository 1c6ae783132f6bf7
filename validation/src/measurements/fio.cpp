// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/fio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::validation {

namespace {

using Json = nlohmann::json;

class Reading {
 public:
  explicit Reading(const std::string& file) : file_(file) {}

  StorageReport report(const Json& document) {
    StorageReport report;
    const auto jobs = document.find("jobs");
    if (jobs == document.end() || !jobs->is_array() || jobs->empty()) {
      problem("jobs", "expected a list of jobs, as fio's JSON has it");
    } else {
      for (std::size_t i = 0; i < jobs->size(); ++i) {
        report.jobs.push_back(job((*jobs)[i], fmt::format("jobs.{}", i), document));
      }
    }
    if (!problems_.empty()) throw core::ConfigError(std::move(problems_));
    return report;
  }

 private:
  void problem(const std::string& path, std::string message) {
    problems_.push_back({{file_}, path, std::move(message), ""});
  }

  /// Reads an option of a job, or of all jobs; fio writes them as text.
  static int option(const Json& job, const Json& document, const char* name) {
    for (const auto& [holder, key] :
         {std::pair{&job, "job options"}, std::pair{&document, "global options"}}) {
      const auto options = holder->find(key);
      if (options == holder->end() || !options->is_object()) continue;
      const auto found = options->find(name);
      if (found == options->end() || !found->is_string()) continue;
      const double value = core::number_of(found->get_ref<const std::string&>());
      if (value >= 1.0 && value < 1e6) return static_cast<int>(value);
    }
    return 1;
  }

  StorageJob job(const Json& node, const std::string& path, const Json& document) {
    StorageJob job;
    if (!node.is_object()) {
      problem(path, "expected a job");
      return job;
    }
    const auto name = node.find("jobname");
    job.name = name != node.end() && name->is_string() ? name->get<std::string>() : path;
    // Without group_reporting the list has a job for each process.
    const bool is_group = document.at("jobs").size() == 1;
    job.num_streams =
        (is_group ? option(node, document, "numjobs") : 1) * option(node, document, "iodepth");
    job.read = direction(node, path, "read");
    job.write = direction(node, path, "write");
    return job;
  }

  StorageDirection direction(const Json& job, const std::string& path, const char* name) {
    StorageDirection direction;
    const auto node = job.find(name);
    if (node == job.end()) return direction;
    const std::string here = path + "." + name;
    direction.rate = core::Bandwidth::from_base(number(*node, here, "bw_bytes"));
    direction.operations_per_s = number(*node, here, "iops");
    const auto latency = node->find("lat_ns");
    if (latency != node->end()) {
      direction.latency =
          core::Duration::from_base(1e-9 * number(*latency, here + ".lat_ns", "mean"));
    }
    return direction;
  }

  double number(const Json& node, const std::string& path, const char* key) {
    const auto found = node.find(key);
    if (found != node.end() && found->is_number() && found->get<double>() >= 0.0) {
      return found->get<double>();
    }
    problem(path + "." + key, found == node.end() ? "missing" : "expected a number of at least 0");
    return 0.0;
  }

  std::string file_;
  std::vector<core::Diagnostic> problems_;
};

}  // namespace

StorageReport read_fio(std::string_view text, const std::string& file) {
  const std::size_t start = std::min(text.find('{'), text.size());
  try {
    return Reading(file).report(Json::parse(text.substr(start)));
  } catch (const Json::parse_error& error) {
    throw core::ConfigError(
        {{core::place_in(text, start + (error.byte > 0 ? error.byte - 1 : 0), file), "",
          "no JSON from here on", "fio writes it with --output-format=json"}});
  } catch (const Json::out_of_range&) {
    throw core::ConfigError({{{file}, "", "a number is larger than any that can be read", ""}});
  }
}

}  // namespace railwright::validation
