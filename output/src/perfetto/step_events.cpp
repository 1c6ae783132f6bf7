// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "events.hpp"
#include "railwright/core/fabric/tier.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(simulation::OpKind kind) {
  return simulation::kOpNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(simulation::OpPass pass) {
  return simulation::kPassNames[static_cast<std::size_t>(pass)];
}

/// Returns "forward" for computation of a pass, "tensor parallel" for a transfer.
std::string_view name_of(const simulation::Span& span) {
  const bool is_of_pass =
      span.kind == simulation::OpKind::kCompute && span.mark.pass != simulation::OpPass::kNone;
  return is_of_pass ? name_of(span.mark.pass) : name_of(span.kind);
}

/// Returns microseconds, exact to the picosecond.
std::string microseconds(core::StepTime time) {
  return fmt::format("{}.{:06d}", time.count / 1'000'000, time.count % 1'000'000);
}

class StepEvents {
 public:
  StepEvents(const simulation::StepTrace& trace, TraceEvents& events)
      : trace_(trace), events_(events) {}

  void write(std::size_t num_spans) {
    write_names(num_spans);
    for (std::size_t i = 0; i < num_spans; ++i) write_span(trace_.spans[i]);
    write_counters();
  }

 private:
  void write_names(std::size_t num_spans) {
    events_.add_name("process_name", 0, 0, "busiest links");
    int last_class = -1;
    int last_stream = -1;
    for (std::size_t i = 0; i < num_spans; ++i) {
      const simulation::Span& span = trace_.spans[i];
      const int stream = static_cast<int>(span.stream);
      if (span.rank_class != last_class) {
        const simulation::RankClass& ranks =
            trace_.rank_classes[static_cast<std::size_t>(span.rank_class)];
        events_.add_name("process_name", span.rank_class + 1, 0,
                         fmt::format("stage {} \u00d7{}", ranks.stage, ranks.num_ranks));
        last_stream = -1;
      }
      if (stream != last_stream) {
        events_.add_name("thread_name", span.rank_class + 1, stream + 1,
                         std::string(simulation::kStreamNames[static_cast<std::size_t>(stream)]));
      }
      last_class = span.rank_class;
      last_stream = stream;
    }
  }

  void write_span(const simulation::Span& span) {
    events_.add(fmt::format(
        R"({{"name":"{}","cat":"{}","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},"args":{}}})",
        name_of(span), span.flow < 0 ? "compute" : "transfer", microseconds(span.start),
        microseconds(span.end - span.start), span.rank_class + 1, static_cast<int>(span.stream) + 1,
        args_of(span).dump()));
  }

  [[nodiscard]] Json args_of(const simulation::Span& span) const {
    Json args = span.flow < 0 ? compute(span) : transfer(span);
    if (span.mark.pass == simulation::OpPass::kNone) return args;
    args["pass"] = name_of(span.mark.pass);
    args["microbatch"] = span.mark.microbatch;
    args["chunk"] = span.mark.chunk;
    return args;
  }

  static Json compute(const simulation::Span& span) {
    if (span.kind != simulation::OpKind::kCompute) return Json::object();
    return {{"matrix_products_s", span.compute.matrix.base()},
            {"attention_s", span.compute.attention.base()},
            {"elementwise_s", span.compute.elementwise.base()},
            {"kernel_gaps_s", span.compute.gaps.base()}};
  }

  [[nodiscard]] Json transfer(const simulation::Span& span) const {
    Json args = {{"flow", name_of(span.kind)},
                 {"bytes", span.bytes},
                 {"latency_s", span.delay.duration().base()}};
    const double seconds = (span.end - span.start - span.delay).duration().base();
    if (seconds > 0.0) {
      args["achieved_bytes_per_s"] = static_cast<double>(span.bytes) / seconds;
    }
    const auto& link_bytes = trace_.link_bytes[static_cast<std::size_t>(span.flow)];
    for (std::size_t tier = 0; tier < link_bytes.size(); ++tier) {
      if (link_bytes[tier] == 0.0) continue;
      args["link_bytes"][std::string(core::to_string(static_cast<core::Tier>(tier)))] =
          link_bytes[tier] * static_cast<double>(span.bytes);
    }
    return args;
  }

  void write_counters() {
    const std::size_t num_links = trace_.watched.size();
    for (std::size_t w = 0; w < num_links; ++w) {
      const simulation::WatchedLink& link = trace_.watched[w];
      const std::string name =
          Json(fmt::format("{}: {}", core::to_string(link.tier), link.name)).dump();
      double last = -1.0;
      for (std::size_t i = 0; i < trace_.at.size(); ++i) {
        double load = 0.0;  // after the last reading
        if (i + 1 < trace_.at.size()) {
          const double bytes =
              trace_.carried[(i + 1) * num_links + w] - trace_.carried[i * num_links + w];
          load = bytes / link.capacity / (trace_.at[i + 1] - trace_.at[i]).duration().base();
        }
        const double percent = 0.01 * std::round(1e4 * load);
        if (percent == last) continue;
        last = percent;
        events_.add(
            fmt::format(R"({{"name":{},"ph":"C","ts":{},"pid":0,"args":{{"percent":{:.2f}}}}})",
                        name, microseconds(trace_.at[i]), percent));
      }
    }
  }

  const simulation::StepTrace& trace_;
  TraceEvents& events_;
};

}  // namespace

std::size_t num_spans_that_fit(const simulation::StepTrace& trace, std::size_t most) {
  std::size_t fit = 0;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    const bool ends_class =
        i + 1 == trace.spans.size() || trace.spans[i + 1].rank_class != trace.spans[i].rank_class;
    if (!ends_class) continue;
    if (fit > 0 && i + 1 > most) break;
    fit = i + 1;
  }
  return fit;
}

void add_step_events(const simulation::StepTrace& trace, std::size_t num_spans,
                     TraceEvents& events) {
  StepEvents(trace, events).write(num_spans);
}

}  // namespace railwright::output
