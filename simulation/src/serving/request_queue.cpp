// SPDX-License-Identifier: Apache-2.0
#include "request_queue.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <utility>

#include "railwright/models/inference/footprint.hpp"

namespace railwright::simulation {

namespace {

/// A positive number rounded to 32 steps per octave; whole numbers up to 64 stay exact.
struct Rounded {
  static constexpr double kSteps = 64.0;

  explicit Rounded(double exact) {
    int exponent = 0;
    const double steps = std::round(std::frexp(exact, &exponent) * kSteps);
    value = std::ldexp(steps / kSteps, exponent);
    code = static_cast<std::uint64_t>(exponent) * 128U + static_cast<std::uint64_t>(steps);
  }

  double value = 0.0;
  std::uint64_t code = 0;  ///< below 2^14 for numbers from 1 to 2^127
};

std::uint64_t key(const Rounded& a, const Rounded& b) { return a.code << 16U | b.code; }

template <class Table, class Make>
double remembered(Table& table, std::uint64_t key, const Make& make) {
  const auto [place, is_new] = table.try_emplace(key, 0.0);
  if (is_new) place->second = make();
  return place->second;
}

/// A request whose prompt is being processed.
struct Passing {
  std::size_t request = 0;
  std::int64_t passed = 0;  ///< tokens of its prompt that are done
};

class Queue {
 public:
  Queue(std::span<const models::Request> requests, std::size_t first, std::size_t stride,
        const QueueLimits& limits, IterationTimes& times, std::span<Answer> answers)
      : requests_(requests),
        next_(first),
        stride_(stride),
        limits_(limits),
        room_(static_cast<std::size_t>(limits.num_shares)),
        times_(times),
        inference_(times.inference()),
        step_tokens_(inference_.step_tokens()),
        tokens_per_step_(inference_.tokens_per_step()),
        answers_(answers) {}

  QueueTotals run() {
    while (admit() || num_running() > 0) {
      if (num_running() == 0) {
        const double arrival = requests_[next_].arrival;
        now_ = arrival > now_ ? arrival : leaving_.front().first;
        continue;
      }
      iterate();
    }
    totals_.end = now_;
    return totals_;
  }

 private:
  [[nodiscard]] std::int64_t num_running() const {
    return decodes_ + static_cast<std::int64_t>(passing_.size());
  }
  /// Room in the cache that a request may need.
  [[nodiscard]] double reserved_of(const models::Request& request) const {
    return models::kept_tokens(inference_.model,
                               static_cast<double>(request.prompt_tokens) + request.output_tokens);
  }
  /// Decode steps of a request behind its first token, each with the mean number of tokens.
  [[nodiscard]] std::int64_t steps_of(const models::Request& request) const {
    return std::llround(std::ceil((request.output_tokens - 1.0) / tokens_per_step_ - 1e-9));
  }

  /// Admits requests; returns whether any are left. A request that the empty cache does not hold is
  /// admitted alone: the caller has checked that the mean one fits.
  bool admit() {
    while (!leaving_.empty() && leaving_.front().first <= now_) {
      reserved_ -= leaving_.front().second;
      leaving_.pop_front();
    }
    while (next_ < requests_.size()) {
      const models::Request& request = requests_[next_];
      if (request.arrival > now_ || num_running() >= limits_.max_batch) return true;
      const double wanted = reserved_of(request);
      const bool is_empty = num_running() == 0 && leaving_.empty();
      if (reserved_ + wanted > limits_.cache_tokens && !is_empty) return true;
      reserved_ += wanted;
      totals_.most_cached = std::max(totals_.most_cached, reserved_);
      if (limits_.is_cached) {
        start_answer(next_, totals_.iterations - 1);
      } else {
        passing_.push_back({next_, std::llround(inference_.cached_prompt(request.prompt_tokens))});
      }
      next_ += stride_;
    }
    return false;
  }

  /// Takes pieces of prompts in the order they came, each on the share with most room, up to the
  /// iteration's tokens of that share.
  models::TokenPass take_pieces() {
    const std::int64_t decoded = decodes_ * std::llround(step_tokens_);
    std::ranges::fill(
        room_,
        std::max<std::int64_t>(
            limits_.max_tokens - (decoded + limits_.num_shares - 1) / limits_.num_shares, 1));
    double tokens = 0.0;
    double keys = 0.0;
    num_pieces_ = 0;
    for (Passing& one : passing_) {
      std::int64_t& room = *std::ranges::max_element(room_);
      if (room == 0) break;
      const std::int64_t left = requests_[one.request].prompt_tokens - one.passed;
      const std::int64_t piece = std::min(left, room);
      room -= piece;
      one.passed += piece;
      ++num_pieces_;
      tokens += static_cast<double>(piece);
      keys += static_cast<double>(piece) * static_cast<double>(one.passed);
    }
    models::TokenPass pass{.decodes = static_cast<double>(decodes_), .decode_tokens = step_tokens_};
    if (decodes_ > 0) pass.context = context_ / static_cast<double>(decodes_);
    if (num_pieces_ > 0) {
      pass.prompts = static_cast<double>(num_pieces_);
      pass.prompt_tokens = tokens / pass.prompts;
      pass.prompt_keys = keys / tokens;
    }
    return pass;
  }

  void iterate() {
    const models::TokenPass pass = take_pieces();
    const double time = times_(pass);
    now_ += time;
    totals_.busy += time;
    totals_.running += static_cast<double>(num_running());
    const std::int64_t iteration = totals_.iterations++;
    context_ += static_cast<double>(decodes_) * tokens_per_step_;
    end_answers(iteration);
    end_prompts(iteration);
  }

  void end_answers(std::int64_t iteration) {
    const auto ending = ends_.find(iteration);
    if (ending == ends_.end()) return;
    for (const std::size_t request : ending->second) {
      const models::Request& ended = requests_[request];
      context_ -=
          context_of_first_step(ended) + static_cast<double>(steps_of(ended)) * tokens_per_step_;
      --decodes_;
      finish(request);
    }
    ends_.erase(ending);
  }

  /// Gives the first token of prompts that are done.
  void end_prompts(std::int64_t iteration) {
    for (std::size_t i = 0; i < num_pieces_; ++i) {
      const Passing& one = passing_.front();
      const models::Request& request = requests_[one.request];
      if (one.passed < request.prompt_tokens) break;
      answers_[one.request].first_token = now_;
      if (request.output_tokens <= 1) {
        finish(one.request);
      } else {
        start_answer(one.request, iteration);
      }
      passing_.pop_front();
    }
  }

  /// Decodes a request from the iteration behind the one of its first token on.
  void start_answer(std::size_t request, std::int64_t first_token) {
    const models::Request& started = requests_[request];
    ++decodes_;
    context_ += context_of_first_step(started);
    ends_[first_token + steps_of(started)].push_back(request);
  }

  [[nodiscard]] static double context_of_first_step(const models::Request& request) {
    return request.prompt_tokens + 1.0;
  }

  void finish(std::size_t request) {
    const double tokens = reserved_of(requests_[request]);
    answers_[request].end = now_;
    if (!limits_.send_times.empty() && limits_.send_times[request] > 0.0) {
      sent_ = std::max(sent_, now_) + limits_.send_times[request];
      answers_[request].end = sent_;
      leaving_.emplace_back(sent_, tokens);
    } else {
      reserved_ -= tokens;
    }
  }

  std::span<const models::Request> requests_;
  std::size_t next_;
  std::size_t stride_;
  const QueueLimits& limits_;
  std::vector<std::int64_t> room_;  ///< tokens of an iteration that each share has left
  IterationTimes& times_;
  const models::Inference& inference_;
  double step_tokens_;
  double tokens_per_step_;
  std::span<Answer> answers_;

  double now_ = 0.0;
  double reserved_ = 0.0;                          ///< maximum tokens of admitted requests
  double sent_ = 0.0;                              ///< end of the last transfer of a cache
  std::deque<std::pair<double, double>> leaving_;  ///< end of each transfer, and its tokens
  std::deque<Passing> passing_;
  std::size_t num_pieces_ = 0;
  std::int64_t decodes_ = 0;
  double context_ = 0.0;  ///< tokens of requests that are being answered
  std::map<std::int64_t, std::vector<std::size_t>> ends_;  ///< requests that end, by iteration
  QueueTotals totals_;
};

}  // namespace

double IterationTimes::operator()(const models::TokenPass& pass) {
  const models::Inference& inference = replica_.inference();
  const models::ReplicaLayout& layout = replica_.layout();
  const core::Accelerator& device = replica_.device();
  const models::TokenPass run = replica_.padded(pass);
  const Rounded tokens(run.tokens());
  const Rounded own_tokens(run.tokens_of_rank(layout.dp()));
  const Rounded outputs(run.outputs());
  double time = remembered(tokens_, key(tokens, own_tokens), [&] {
    return (models::layers_time(device, inference, layout, tokens.value, own_tokens.value).total() +
            replica_.communication(tokens.value))
        .base();
  });
  time += remembered(head_, outputs.code, [&] {
    return (models::head_time(device, inference, layout, outputs.value).total() +
            replica_.logits_gather(outputs.value))
        .base();
  });
  if (pass.prompts > 0.0) {
    const Rounded prompts(pass.prompts);
    const Rounded piece(pass.prompt_tokens);
    const Rounded keys(pass.prompt_keys);
    time += remembered(prompts_, key(prompts, piece) << 16U | keys.code, [&] {
      const models::TokenPass of_prompts{
          .prompts = prompts.value, .prompt_tokens = piece.value, .prompt_keys = keys.value};
      return models::prompt_attention_time(device, inference, layout, of_prompts).total().base();
    });
  }
  if (pass.decodes > 0.0) {
    const Rounded decodes(pass.decodes);
    const Rounded context(pass.context);
    time += remembered(decodes_, key(decodes, context), [&] {
      const models::TokenPass of_decodes =
          models::decode_pass(decodes.value, context.value, pass.decode_tokens);
      return models::decode_attention_time(device, inference, layout, of_decodes).total().base();
    });
    time += remembered(drafts_, key(decodes, context), [&] {
      return replica_.draft_time(decodes.value, context.value).total().base();
    });
  }
  models::PassTime parts{.compute = core::Duration::from_base(time)};
  replica_.add_waits(pass, parts);
  return parts.total().base();
}

QueueLimits queue_limits(const Replica& replica, std::int64_t batch) {
  return {.max_batch = batch,
          .max_tokens = replica.inference().engine.max_tokens.value,
          .num_shares = replica.layout().dp(),
          .cache_tokens = replica.cache_tokens(batch)};
}

QueueTotals run_queue(std::span<const models::Request> requests, std::size_t first,
                      std::size_t stride, const QueueLimits& limits, IterationTimes& times,
                      std::span<Answer> answers) {
  return Queue(requests, first, stride, limits, times, answers).run();
}

}  // namespace railwright::simulation
