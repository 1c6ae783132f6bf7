// SPDX-License-Identifier: Apache-2.0
// The table of numbers of a service.
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;
using Service = InferenceResult;
using Each = EachNumber;

/// Returns `number` with a column, named like its path unless `column` is given.
Number<Service> with_column(Number<Service> number, std::string column = {}) {
  number.column = column.empty() ? number.path : std::move(column);
  return number;
}
/// Makes a whole number with a column, and a row in comparisons of designs.
Number<Service> count(std::string path, std::string_view beside,
                      std::function<NumberValue(const Service&)> read) {
  return with_column({.path = std::move(path),
                      .format = Format::kCount,
                      .is_whole = true,
                      .beside = {beside},
                      .read = std::move(read)});
}

Numbers<Service> service_numbers() {
  return {{.path = "num_parameters",
           .format = Format::kLarge,
           .read = [](const Service& of) { return of.num_parameters; }},
          {.path = "weights_bytes",
           .format = Format::kBytes,
           .read = [](const Service& of) { return of.weights; }},
          with_column({.path = "tp",
                       .format = Format::kCount,
                       .is_whole = true,
                       .beside = {"accelerators of a replica"},
                       .read = [](const Service& of) { return of.tp; }}),
          with_column({.path = "pp",
                       .format = Format::kCount,
                       .is_whole = true,
                       .read = [](const Service& of) { return of.pp; }}),
          {.path = "memory.*_bytes",
           .format = Format::kMemory,
           .read_each =
               [](const Service& of, const Each& each) {
                 for (const models::MemoryLine& line : of.memory.lines) {
                   each(line.name, line.size);
                 }
               }},
          with_column({.path = "memory_per_accelerator_bytes",
                       .format = Format::kMemory,
                       .beside = {"memory of an accelerator"},
                       .read = [](const Service& of) { return of.memory.total(); }}),
          with_column({.path = "memory_capacity_bytes",
                       .format = Format::kMemory,
                       .beside = {"memory there is"},
                       .read = [](const Service& of) { return of.memory_capacity; }}),
          {.path = "kv_cache_bytes_per_token",
           .format = Format::kBytes,
           .read = [](const Service& of) { return of.kv_cache_per_token; }},
          {.path = "memory_levels", .format = Format::kCount, .read = [](const Service& of) {
             return of.offload ? of.offload->level : 1;
           }}};
}

/// Makes a number of weights outside device memory.
template <class T>
Number<Service> of_offload(const std::string& path, Format format, T Offloaded::* number) {
  return {.path = path, .format = format, .read = [number](const Service& of) {
            const auto& offload = of.offload;
            return offload ? NumberValue((*offload).*number) : NumberValue();
          }};
}

Numbers<Service> offload_numbers() {
  return {of_offload("offload.bytes", Format::kBytes, &Offloaded::size),
          of_offload("offload.bytes_per_s", Format::kBytesPerSecond, &Offloaded::rate),
          of_offload("offload.time_s", Format::kTime, &Offloaded::time)};
}

/// Makes a number of the files of a service; nothing without storage, or without prefixes there.
template <class T>
Number<Service> of_files(const std::string& path, Format format, T ServiceFiles::* number,
                         bool is_of_prefixes) {
  return {.path = "files." + path, .format = format, .read = [=](const Service& of) {
            const auto& files = of.files;
            const bool has = files && (!is_of_prefixes || files->prefix.base() > 0.0);
            return has ? NumberValue((*files).*number) : NumberValue();
          }};
}

/// Makes a number of keys and values in host memory; nothing if none are there.
template <class Value>
Number<Service> of_host(const std::string& path, Format format, Value value_of) {
  return {.path = "host_cache." + path, .format = format, .read = [value_of](const Service& of) {
            const auto& cache = of.host_cache;
            return cache ? NumberValue(value_of(*cache)) : NumberValue();
          }};
}

Numbers<Service> host_numbers() {
  Number<Service> read = of_host("prefix_read_s", Format::kTime,
                                 [](const HostCache& cache) { return cache.prefix_read; });
  read.beside = {"read of a prefix"};
  return {
      of_host("prefix_bytes", Format::kBytes, [](const HostCache& cache) { return cache.prefix; }),
      std::move(read),
      of_host("busy_fraction", Format::kShare,
              [](const HostCache& cache) { return cache.busy_fraction; }),
      of_host("prompts_per_node", Format::kPlain,
              [](const HostCache& cache) { return cache.prompts_per_node.value_or(0.0); })};
}

Numbers<Service> file_numbers() {
  using F = ServiceFiles;
  Number<Service> one = of_files("start_of_one_replica_s", Format::kTime, &F::start_of_one, false);
  Number<Service> all = of_files("start_of_all_replicas_s", Format::kTime, &F::start_of_all, false);
  one.beside = {"start of a replica"};
  all.beside = {"start of all replicas"};
  return {with_column(std::move(one), "start_of_one_replica_s"),
          with_column(std::move(all), "start_of_all_replicas_s"),
          of_files("prefix_bytes", Format::kBytes, &F::prefix, true),
          of_files("prefix_read_s", Format::kTime, &F::prefix_read, true),
          of_files("read_bytes_per_s", Format::kBytesPerSecond, &F::read, true),
          of_files("written_bytes_per_s", Format::kBytesPerSecond, &F::written, true),
          of_files("storage_busy_fraction", Format::kShare, &F::busy_fraction, false)};
}

/// Makes a number of a prefix cache; nothing without one.
template <class Value>
Number<Service> of_prefixes(const std::string& path, Format format, Value value_of) {
  return {.path = "prefix_cache." + path, .format = format, .read = [value_of](const Service& of) {
            const auto& cache = of.prefix_cache;
            return cache ? NumberValue(value_of(*cache)) : NumberValue();
          }};
}

/// Makes a number of each place of a prefix cache.
template <class T>
Number<Service> of_places(const std::string& path, Format format, T PrefixPlace::* number) {
  return {.path = "prefix_cache.*." + path,
          .format = format,
          .read_each = [number](const Service& of, const Each& each) {
            if (!of.prefix_cache) return;
            for (const PrefixPlace& place : of.prefix_cache->places) {
              each(place.name, place.*number);
            }
          }};
}

Numbers<Service> prefix_numbers() {
  using U = PrefixCacheUse;
  using P = PrefixPlace;
  Number<Service> found =
      of_prefixes("hit_rate", Format::kShare, [](const U& use) { return use.hit_rate; });
  found.beside = {"prompts found in the cache"};
  Number<Service> nodes{.path = "prefix_cache.storage_nodes",
                        .format = Format::kCount,
                        .read = [](const Service& of) {
                          const bool has = of.prefix_cache && of.prefix_cache->storage_nodes > 0;
                          return has ? NumberValue(of.prefix_cache->storage_nodes) : NumberValue();
                        }};
  nodes.is_whole = true;
  const Number<Service> sized{.path = "prefix_cache.sized_hit_rate",
                              .format = Format::kShare,
                              .read = [](const Service& of) {
                                const bool has = of.prefix_cache && of.prefix_cache->sized_hit_rate;
                                return has ? NumberValue(*of.prefix_cache->sized_hit_rate)
                                           : NumberValue();
                              }};
  return {
      with_column(std::move(found), "prefix_hit_rate"),
      sized,
      of_prefixes("largest_hit_rate", Format::kShare,
                  [](const U& use) { return use.largest_hit_rate; }),
      of_prefixes("wanted_tokens", Format::kLarge, [](const U& use) { return use.wanted_tokens; }),
      of_prefixes("wanted_bytes", Format::kBytes, [](const U& use) { return use.wanted; }),
      with_column(std::move(nodes), "prefix_storage_nodes"),
      of_prefixes("read_s", Format::kTime, [](const U& use) { return use.read; }),
      of_places("tokens", Format::kLarge, &P::tokens),
      of_places("hit_rate", Format::kShare, &P::hit_rate),
      of_places("read_bytes_per_s", Format::kBytesPerSecond, &P::read),
      of_places("written_bytes_per_s", Format::kBytesPerSecond, &P::written),
      of_places("busy_fraction", Format::kShare, &P::busy_fraction)};
}

/// Adds the time of a pass and of its parts.
void add_pass(const std::string& name, std::string_view beside,
              models::PassTime InferenceResult::* pass, Numbers<Service>& all) {
  using P = models::PassTime;
  static constexpr std::array<std::pair<std::string_view, core::Duration P::*>, 6> kParts{
      {{"compute_s", &P::compute},
       {"bandwidth_s", &P::bandwidth},
       {"gaps_s", &P::gaps},
       {"communication_s", &P::communication},
       {"host_s", &P::host},
       {"stall_s", &P::stall}}};
  all.push_back(with_column({.path = name + "_s",
                             .format = Format::kTime,
                             .beside = {beside},
                             .read = [pass](const Service& of) { return (of.*pass).total(); }}));
  for (const auto& [part, time] : kParts) {
    all.push_back({.path = name + "_breakdown." + std::string(part),
                   .format = Format::kTime,
                   .read = [pass, kind = time](const Service& of) { return of.*pass.*kind; }});
  }
}

Numbers<Service> batch_numbers() {
  Numbers<Service> all{with_column({.path = "batch",
                                    .format = Format::kCount,
                                    .beside = {"requests at a time"},
                                    .read = [](const Service& of) { return of.cycle.batch; }}),
                       count("largest_batch", "requests that memory holds",
                             [](const Service& of) { return of.largest_batch; })};
  add_pass("prefill", "prefill", &InferenceResult::prefill, all);
  add_pass("decode", "decode step", &InferenceResult::decode, all);
  return all;
}

/// Makes an end of the 80 % interval of a mean latency of a run; nothing where the engine has none.
Number<Service> of_latency(const std::string& path, Percentiles ServingRun::* times,
                           std::optional<ServingSpread> Service::* spread,
                           double ServingSpread::* end) {
  return {.path = path, .format = Format::kTime, .read = [=](const Service& of) {
            const auto& own = of.*spread;
            return own ? NumberValue(((*of.run).*times).mean * ((*own).*end)) : NumberValue();
          }};
}

/// Makes an end of the 80 % interval of a node's tokens; nothing where the engine has none.
Number<Service> of_interval(const std::string& path, double ServingSpread::* end) {
  return {.path = path, .read = [end](const Service& of) {
            const auto& throughput = of.throughput;
            return throughput ? NumberValue(of.node_tokens_per_s * (*throughput).*end)
                              : NumberValue();
          }};
}

Numbers<Service> answer_numbers() {
  return {with_column({.path = "time_to_first_token_s",
                       .format = Format::kTime,
                       .beside = {"first token"},
                       .read = [](const Service& of) { return of.time_to_first_token(); }}),
          with_column({.path = "time_per_output_token_s",
                       .format = Format::kTime,
                       .beside = {"each further token"},
                       .read = [](const Service& of) { return of.time_per_output_token(); }}),
          {.path = "busy_fraction",
           .format = Format::kShare,
           .read = [](const Service& of) { return 1.0 - of.time.stall / of.time.total(); }},
          with_column({.path = "accelerator_tokens_per_s",
                       .beside = {"tokens/s an accelerator"},
                       .read = [](const Service& of) { return of.accelerator_tokens_per_s; }}),
          with_column({.path = "node_tokens_per_s",
                       .beside = {"tokens/s a node"},
                       .read = [](const Service& of) { return of.node_tokens_per_s; }}),
          of_interval("node_tokens_per_s_low", &ServingSpread::low),
          of_interval("node_tokens_per_s_high", &ServingSpread::high),
          with_column({.path = "node_requests_per_s",
                       .beside = {"requests/s a node"},
                       .read = [](const Service& of) { return of.node_requests_per_s; }}),
          count("num_replicas", "replicas", [](const Service& of) { return of.num_replicas; }),
          count("num_accelerators", "accelerators",
                [](const Service& of) { return of.num_accelerators; }),
          count("nodes_for_load", "nodes for the load",
                [](const Service& of) { return of.nodes_for_load; }),
          count("num_nodes", "nodes with the redundant",
                [](const Service& of) { return of.num_nodes; }),
          {.path = "num_nodes_high", .format = Format::kCount, .read = [](const Service& of) {
             const std::int64_t high = of.num_nodes_high;
             return high > 0 ? NumberValue(high) : NumberValue();
           }}};
}

/// Makes a number of replicas for prompts; nothing where each replica does both.
template <class Value>
Number<Service> of_apart(const std::string& name, Format format, std::string_view beside,
                         Value value_of) {
  return {.path = "disaggregated." + name,
          .format = format,
          .beside = {beside},
          .read = [value_of](const Service& of) {
            const auto& apart = of.disaggregated;
            return apart ? NumberValue(value_of(*apart)) : NumberValue();
          }};
}

Numbers<Service> disaggregated_numbers() {
  using D = Disaggregated;
  const auto whole = [](Number<Service> number, std::string column) {
    number.is_whole = true;
    return with_column(std::move(number), std::move(column));
  };
  return {whole(of_apart("prefill_tp", Format::kCount, "accelerators of a replica for prompts",
                         [](const D& apart) { return apart.prefill_tp; }),
                "prefill_tp"),
          whole(of_apart("prefill_replicas", Format::kCount, "replicas for prompts",
                         [](const D& apart) { return apart.prefill_replicas; }),
                "prefill_replicas"),
          whole(of_apart("decode_replicas", Format::kCount, "replicas for answers",
                         [](const D& apart) { return apart.decode_replicas; }),
                "decode_replicas"),
          of_apart("prefill_memory_bytes", Format::kMemory, "memory for prompts",
                   [](const D& apart) { return apart.prefill_memory.total(); }),
          of_apart("prefill_batch", Format::kCount, "",
                   [](const D& apart) { return apart.prefill.batch; }),
          of_apart("prefill_requests_per_s", Format::kPlain, "prompts/s of a replica",
                   [](const D& apart) { return apart.prefill.requests_per_s(); }),
          {.path = "disaggregated.decode_requests_per_s",
           .beside = {"answers/s of a replica"},
           .read =
               [](const Service& of) {
                 return of.disaggregated ? NumberValue(of.cycle.requests_per_s()) : NumberValue();
               }},
          of_apart("transfer_bytes", Format::kBytes, "cache of a prompt",
                   [](const D& apart) { return apart.transfer_size; }),
          of_apart("transfer_s", Format::kTime, "its transfer",
                   [](const D& apart) { return apart.transfer_time; }),
          of_apart("transfer_busy_fraction", Format::kShare, "",
                   [](const D& apart) { return apart.transfer_busy_fraction; })};
}

/// Makes a number of pools; nothing where each replica does both.
template <class Value>
Number<Service> of_pools(const std::string& name, Format format, Value value_of) {
  return {.path = "run." + name, .format = format, .read = [value_of](const Service& of) {
            const auto& pools = of.run->pools;
            return pools ? NumberValue(value_of(*pools)) : NumberValue();
          }};
}

Numbers<Service> pools_numbers() {
  using P = PoolsRun;
  return {
      of_pools("prefill_busy_fraction", Format::kShare,
               [](const P& pools) { return pools.prefill_busy_fraction; }),
      of_pools("decode_busy_fraction", Format::kShare,
               [](const P& pools) { return pools.decode_busy_fraction; }),
      of_pools("transfer_busy_fraction", Format::kShare,
               [](const P& pools) { return pools.transfer_busy_fraction; }),
      of_pools("transfer.mean_s", Format::kTime,
               [](const P& pools) { return pools.transfer.mean; }),
      of_pools("transfer.p50_s", Format::kTime, [](const P& pools) { return pools.transfer.p50; }),
      of_pools("transfer.p90_s", Format::kTime, [](const P& pools) { return pools.transfer.p90; }),
      of_pools("transfer.p99_s", Format::kTime, [](const P& pools) { return pools.transfer.p99; })};
}

template <class T>
Number<Service> of_run(std::string name, Format format, std::string column,
                       T ServingRun::* number) {
  return with_column({.path = "run." + std::move(name),
                      .format = format,
                      .read = [number](const Service& of) { return (*of.run).*number; }},
                     std::move(column));
}

/// Adds mean and percentiles; `beside` labels the last of them.
void add_percentiles(const std::string& name, std::string_view beside,
                     Percentiles ServingRun::* times, Numbers<Service>& all) {
  using P = Percentiles;
  static constexpr std::array<std::pair<std::string_view, core::Duration P::*>, 4> kParts{
      {{"mean_s", &P::mean}, {"p50_s", &P::p50}, {"p90_s", &P::p90}, {"p99_s", &P::p99}}};
  for (const auto& [part, time] : kParts) {
    Number<Service> number{
        .path = fmt::format("run.{}.{}", name, part),
        .format = Format::kTime,
        .read = [times, kind = time](const Service& of) { return (*of.run).*times.*kind; }};
    if (part == "p99_s") number.beside = {beside};
    all.push_back(with_column(std::move(number), fmt::format("run_{}_{}", name, part)));
  }
}

Numbers<Service> request_numbers() {
  using R = ServingRun;
  Numbers<Service> all{
      {.path = "run.num_requests",
       .format = Format::kCount,
       .read = [](const Service& of) { return of.run->num_requests; }},
      {.path = "run.num_replicas",
       .format = Format::kCount,
       .read = [](const Service& of) { return of.run->num_replicas; }},
      of_run("mean_replicas", Format::kPlain, "run_mean_replicas", &R::mean_replicas),
      {.path = "run.rejected",
       .format = Format::kCount,
       .read = [](const Service& of) { return of.run->rejected; }},
      of_run("duration_s", Format::kTime, "run_duration_s", &R::duration),
      of_run("requests_per_s", Format::kPlain, "run_requests_per_s", &R::requests_per_s),
      of_run("output_tokens_per_s", Format::kPlain, "run_output_tokens_per_s",
             &R::output_tokens_per_s)};
  all.back().beside = {"tokens/s, simulated"};
  add_percentiles("time_to_first_token", "first token, p99", &R::time_to_first_token, all);
  add_percentiles("time_per_output_token", "further tokens, p99", &R::time_per_output_token, all);
  add_percentiles("latency", "whole answer, p99", &R::latency, all);
  using S = ServingSpread;
  all.push_back(of_latency("run.time_to_first_token.mean_s_low", &R::time_to_first_token,
                           &Service::first_token, &S::low));
  all.push_back(of_latency("run.time_to_first_token.mean_s_high", &R::time_to_first_token,
                           &Service::first_token, &S::high));
  all.push_back(of_latency("run.time_per_output_token.mean_s_low", &R::time_per_output_token,
                           &Service::output_token, &S::low));
  all.push_back(of_latency("run.time_per_output_token.mean_s_high", &R::time_per_output_token,
                           &Service::output_token, &S::high));
  all.push_back(of_run("mean_batch", Format::kPlain, "run_mean_batch", &R::mean_batch));
  all.push_back(of_run("busy_fraction", Format::kShare, "run_busy_fraction", &R::busy_fraction));
  all.push_back(of_run("cache_fraction", Format::kShare, "run_cache_fraction", &R::cache_fraction));
  all.push_back(of_run("preemptions", Format::kPlain, "run_preemptions", &R::preemptions));
  all.push_back(
      of_run("within_latencies", Format::kShare, "run_within_latencies", &R::within_latencies));
  all.back().beside = {"within the latencies"};
  all.push_back(with_column({.path = "run.goodput_requests_per_s",
                             .format = Format::kPlain,
                             .read =
                                 [](const Service& of) {
                                   const ServingRun& run = *of.run;
                                   return run.requests_per_s * run.within_latencies;
                                 }},
                            "run_goodput_requests_per_s"));
  return all;
}

template <class Value>
Number<Service> of_power(const std::string& path, Format format, std::string_view beside,
                         Value value_of) {
  return {
      .path = path, .format = format, .beside = {beside}, .read = [value_of](const Service& of) {
        return of.power ? NumberValue(value_of(*of.power)) : NumberValue();
      }};
}

Numbers<Service> service_power_numbers() {
  using P = ServingPower;
  return {with_column(of_power("power.mean_power_w", Format::kPower, "mean power",
                               [](const P& power) { return power.mean_power(); }),
                      "mean_power_w"),
          of_power("power.peak_power_w", Format::kPower, "peak power",
                   [](const P& power) { return power.peak_power(); }),
          of_power("power.busy_fraction", Format::kShare, "",
                   [](const P& power) { return power.busy_fraction; }),
          with_column(of_power("energy.per_token_j", Format::kEnergy, "energy of a token",
                               [](const P& power) { return power.energy_per_token(); }),
                      "energy_per_token_j")};
}

template <class Value>
Number<Service> of_cost(const std::string& path, std::string_view beside, Value value_of) {
  return {.path = path,
          .format = Format::kMoney,
          .beside = {beside},
          .read = [value_of](const Service& of) {
            return of.cost ? NumberValue(value_of(*of.cost)) : NumberValue();
          }};
}

Numbers<Service> service_cost_numbers() {
  return {of_cost("cost.capital_usd", "bought",
                  [](const ServingCost& cost) { return cost.ownership.capital; }),
          of_cost("cost.ownership_usd", "cost of ownership",
                  [](const ServingCost& cost) { return cost.ownership.total(); }),
          with_column(of_cost("cost.usd_per_million_tokens", "a million output tokens",
                              [](const ServingCost& cost) { return cost.per_million_tokens; }),
                      "usd_per_million_tokens")};
}

constexpr PartOf<Service, Service> kAnyService{[](const Service& result) { return &result; }};
constexpr PartOf<Service, Service> kAnswers{
    [](const Service& result) { return result.num_nodes > 0 ? &result : nullptr; }};
constexpr PartOf<Service, Service> kRequests{
    [](const Service& result) { return result.run ? &result : nullptr; }, true};

}  // namespace

const Numbers<InferenceResult>& serving_numbers() {
  static const NumberGroup<Service> kGroups[] = {
      {kAnyService, service_numbers},    {kAnyService, offload_numbers},
      {kAnswers, batch_numbers},         {kAnswers, answer_numbers},
      {kAnswers, disaggregated_numbers}, {kAnswers, host_numbers},
      {kAnswers, prefix_numbers},        {kAnswers, file_numbers},
      {kRequests, request_numbers},      {kRequests, pools_numbers},
      {kAnswers, service_power_numbers}, {kAnswers, service_cost_numbers}};
  static const Numbers<Service> kNumbers = table_of<Service>(kGroups);
  return kNumbers;
}

std::vector<Output> outputs(const InferenceResult& result) {
  return outputs(serving_numbers(), result);
}

}  // namespace railwright::simulation
