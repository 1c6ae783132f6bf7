// SPDX-License-Identifier: Apache-2.0
// The keys of serving_engine.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/serving_engine.hpp"

namespace railwright::models {

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto ServingEngine::fields() {
  using core::between;
  using core::field;
  using core::non_negative;
  using core::optional;
  using E = ServingEngine;
  return core::field_list(
      field("name", &E::name, "Name in the catalogue.", optional),
      field("description", &E::description, "The engine in words.", optional),
      field("max_batch", &E::max_batch, "Most requests that are answered at a time.",
            between(1, 1 << 20), optional),
      field("max_tokens", &E::max_tokens,
            "Most tokens of an iteration: longer prompts pass in pieces.", between(1, 1 << 24),
            optional),
      field("max_graph_batch", &E::max_graph_batch,
            "Largest number of requests whose iteration is captured in a CUDA graph, so that the "
            "host launches no kernel of it; 0: none is.",
            between(0, 1 << 20), optional),
      field("graph_batches", &E::graph_batches,
            "Numbers of requests up to max_graph_batch that have a graph, beside that one itself: "
            "others are padded to the next. None: each number has one.",
            between(1, 1 << 20), optional),
      field("kernels_per_layer", &E::kernels_per_layer,
            "Kernels of a layer that the host launches where no graph does.", between(1, 10'000),
            optional),
      field("host_launch", &E::host_launch, "Time of the host to launch one of them.", non_negative,
            optional),
      field("host_iteration", &E::host_iteration,
            "Time of the host for an iteration: schedule, inputs, answers.", non_negative,
            optional),
      field("host_request", &E::host_request,
            "Time of the host for each request in it: sampling and detokenization.", non_negative,
            optional),
      field("overlaps_host", &E::overlaps_host,
            "Whether the host prepares an iteration while the device computes the one before.",
            optional),
      field("preempts", &E::preempts,
            "Whether a request is admitted as soon as the cache holds its prompt; when answers "
            "need the room, the one admitted last loses its cache and passes again. Else it "
            "waits until all its tokens have room.",
            optional),
      field("overlaps_exchange", &E::overlaps_exchange,
            "Whether two halves of the requests alternate, so that the exchange of one's experts "
            "is "
            "hidden behind the layers of the other (attention_dp).",
            optional),
      field("mixes_prompts", &E::mixes_prompts,
            "Whether prompts pass in the same iterations as steps of requests that are being "
            "answered; else in iterations of their own, which come first.",
            optional),
      field("splits_prompts", &E::splits_prompts,
            "Whether a prompt passes in pieces that fill iterations; else whole, in the next "
            "iteration that has room for it, and in pieces only if none has.",
            optional),
      field("receive_interval", &E::receive_interval,
            "Iterations of steps alone from one look for new requests to the next.",
            between(1, 1 << 20), optional),
      field("attention_kernels", &E::attention_kernels,
            "Kernels of a layer beside attention that the measured operator has not: rotary "
            "embedding, the write to the cache.",
            between(0, 100), optional),
      field("fuses_all_reduce", &E::fuses_all_reduce,
            "Generations of accelerators on which an all-reduce inside a node and the norm behind "
            "it are one kernel, whose data say that they are there; on others two, with a barrier "
            "before and behind the all-reduce.",
            optional),
      field("prompt_graph_tokens", &E::prompt_graph_tokens,
            "Most tokens of an iteration with prompts that runs as a graph a layer, between which "
            "the host launches attention; 0: none does.",
            between(0, 1 << 24), optional),
      field("token_overhead", &E::token_overhead,
            "Time of a prompt's token in front of the engine: its text is read and cut into "
            "tokens.",
            non_negative, optional),
      field("request_overhead", &E::request_overhead,
            "Time of a request in front of the engine and behind it: the server, its tokens, the "
            "first answer.",
            non_negative, optional),
      field("throughput_low", &E::throughput_low,
            "The low end of the 80 % interval of a throughput, over the predicted one.",
            core::positive),
      field("throughput_high", &E::throughput_high,
            "The high end of the 80 % interval of a throughput, over the predicted one.",
            core::positive),
      field("first_token_low", &E::first_token_low,
            "The low end of the 80 % interval of the mean time to the first token, over the "
            "predicted one of a run.",
            core::positive),
      field("first_token_high", &E::first_token_high, "Its high end.", core::positive),
      field("output_token_low", &E::output_token_low,
            "The low end of the 80 % interval of the mean time of a further token, over the "
            "predicted one.",
            core::positive),
      field("output_token_high", &E::output_token_high, "Its high end.", core::positive));
}

}  // namespace railwright::models
