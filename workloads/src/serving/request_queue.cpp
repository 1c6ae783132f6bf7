// SPDX-License-Identifier: Apache-2.0
#include "request_queue.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/stop.hpp"
#include "railwright/models/inference/footprint.hpp"

namespace railwright::simulation {

namespace {

/// Events between two looks whether the run is to stop.
constexpr std::int64_t kBetweenLooks = 1024;

/// Tokens of a request in its first step behind the one that gave its first token.
double context_of_first_step(std::int64_t prompt) { return static_cast<double>(prompt) + 1.0; }

}  // namespace

RequestQueue::RequestQueue(std::span<const models::Request> requests, const QueueLimits& limits,
                           IterationTimes& times, std::span<Answer> answers, const Window& window)
    : requests_(requests),
      limits_(limits),
      room_(static_cast<std::size_t>(limits.num_shares)),
      times_(times),
      inference_(times.inference()),
      step_tokens_(inference_.step_tokens()),
      tokens_per_step_(inference_.tokens_per_step()),
      answers_(answers),
      window_(window) {}

/// Tokens that a request keeps: of layers with local attention those in reach, which come evenly
/// over its steps here.
RequestQueue::Kept RequestQueue::kept_of(const Work& work) const {
  const auto prompt = static_cast<double>(work.prompt);
  const double all =
      models::kept_tokens(inference_.model, prompt + static_cast<double>(work.output));
  if (!limits_.preempts) return {.prompt = all};
  const double passed = models::kept_tokens(inference_.model, prompt + 1.0);
  const auto steps = static_cast<double>(std::max<std::int64_t>(work.steps, 1));
  return {.prompt = passed, .of_step = (all - passed) / steps};
}

RequestQueue::Work RequestQueue::work_of(std::size_t request, std::int64_t prompt,
                                         std::int64_t output) const {
  Work work{.request = request,
            .prompt = prompt,
            .output = output,
            .steps = steps_of(output),
            .kept = {}};
  work.kept = kept_of(work);
  return work;
}

/// Decode steps behind the first token, each with the mean number of tokens.
std::int64_t RequestQueue::steps_of(std::int64_t output) const {
  return std::llround(std::ceil((static_cast<double>(output) - 1.0) / tokens_per_step_ - 1e-9));
}

void RequestQueue::push(std::size_t request) {
  const models::Request& arriving = requests_[request];
  if (!is_iterating_ && num_requests() == 0) now_ = std::max(now_, arriving.arrival);
  coming_.push_back(work_of(request, arriving.prompt_tokens, arriving.output_tokens));
}

void RequestQueue::run_until(double time) {
  while (step(time)) {
    if (++since_look_ % kBetweenLooks == 0) core::check_stop();
    run_steps(time);
  }
}

/// Runs iterations of steps alone, while nothing comes, ends or lacks room, as step() does: most
/// iterations are such.
void RequestQueue::run_steps(double before) {
  const bool is_alone =
      !is_iterating_ && decodes_ > 0 && coming_.empty() && passing_.empty() && leaving_.empty();
  if (!is_alone) return;
  const auto decodes = static_cast<double>(decodes_);
  num_pieces_ = 0;
  models::TokenPass pass{.decodes = decodes, .decode_tokens = step_tokens_};
  while (now_ < before && iterations_ < ends_.front().iteration &&
         (kept_ + of_next_step_ <= limits_.cache_tokens || decodes_ == 1)) {
    if (limits_.is_cached || since_receive_ >= limits_.receive_interval) since_receive_ = 0;
    totals_.steps += decodes;
    pass.context = context_ / decodes;
    start_iteration(times_(pass));
    if (iteration_end_ >= before) return;
    end_steps();
  }
}

double RequestQueue::next_event() const {
  if (is_iterating_) return iteration_end_;
  return num_requests() > 0 ? now_ : std::numeric_limits<double>::infinity();
}

/// Ends an iteration, or starts the next one; returns false if idle until `before`.
bool RequestQueue::step(double before) {
  if (is_iterating_) {
    if (iteration_end_ >= before) return false;
    complete();
    return true;
  }
  if (num_requests() == 0 || now_ >= before) return false;
  receive();
  admit();
  if (num_running() > 0) {
    begin();
    return true;
  }
  // The head of the queue waits until a cache is freed.
  if (leaving_.front().first >= before) return false;
  now_ = leaving_.front().first;
  return true;
}

void RequestQueue::receive() {
  num_waiting_ += std::exchange(num_seen_, 0);
  const bool looks = num_running() == 0 || since_receive_ == 0 ||
                     since_receive_ >= limits_.receive_interval || limits_.is_cached;
  if (!looks) return;
  since_receive_ = 0;
  const bool is_prepared = limits_.looks_ahead && !limits_.is_cached && num_running() > 0;
  (is_prepared ? num_seen_ : num_waiting_) += coming_.size() - num_waiting_;
}

/// A request that the empty cache does not hold is admitted alone; runs take such requests out
/// before.
void RequestQueue::admit() {
  while (!leaving_.empty() && leaving_.front().first <= now_) {
    kept_ -= leaving_.front().second;
    leaving_.pop_front();
  }
  while (num_waiting_ > 0 && num_running() < limits_.max_batch) {
    const Work work = coming_.front();
    const Kept wanted = work.kept;
    const bool is_empty = num_running() == 0 && leaving_.empty();
    const double with_it = kept_ + of_next_step_ + wanted.prompt + wanted.of_step;
    if (with_it > limits_.cache_tokens && !is_empty) return;
    coming_.pop_front();
    --num_waiting_;
    kept_ += wanted.prompt;
    const models::Request& request = requests_[work.request];
    if (limits_.is_cached && work.prompt == request.prompt_tokens) {
      start_answer(work, admitted_++, iterations_ - 1);
    } else {
      const auto cached = std::llround(inference_.cached_prompt(request.prompt_tokens));
      passing_.push_back({work, cached, admitted_++});
    }
  }
}

/// Takes the cache of the requests admitted last until the next step has room.
void RequestQueue::make_room() {
  while (kept_ + of_next_step_ > limits_.cache_tokens && num_running() > 1) {
    const std::size_t place = last_admitted();
    const bool is_passing = !passing_.empty() && (decodes_ == 0 || passing_.back().admitted >
                                                                       answering_[place].admitted);
    if (window_.contains(now_)) ++totals_.preemptions;
    if (is_passing) {
      kept_ -= passing_.back().work.kept.prompt;
      put_first(passing_.back().work);
      passing_.pop_back();
    } else {
      put_back(place);
    }
  }
}

/// Lets work wait before all other.
void RequestQueue::put_first(const Work& work) {
  coming_.push_front(work);
  ++num_waiting_;
}

/// Returns the place of the request admitted last among those that are being answered.
std::size_t RequestQueue::last_admitted() const {
  std::size_t last = 0;
  std::int64_t admitted = -1;
  for (std::size_t place = 0; place < answering_.size(); ++place) {
    if (answering_[place].is_free || answering_[place].admitted < admitted) continue;
    last = place;
    admitted = answering_[place].admitted;
  }
  return last;
}

/// Puts a request that is being answered before all that wait: its prompt and the tokens it has
/// been given pass again.
void RequestQueue::put_back(std::size_t place) {
  const Answering& put = answering_[place];
  const Work& work = put.work;
  std::erase_if(ends_, [&](const Ending& one) { return one.place == place; });
  std::ranges::make_heap(ends_, std::greater{});
  const auto steps = static_cast<double>(iterations_ - 1 - put.first_token);
  kept_ -= work.kept.prompt + steps * work.kept.of_step;
  of_next_step_ -= work.kept.of_step;
  context_ -= context_of_first_step(work.prompt) + steps * tokens_per_step_;
  --decodes_;
  const auto given = static_cast<std::int64_t>(1.0 + steps * tokens_per_step_);
  put_first(work_of(work.request, work.prompt + given, work.output - given));
  answering_[place].is_free = true;
  free_places_.push_back(place);
}

/// Takes pieces of prompts in the order they came, each on the share with most room, up to the
/// iteration's tokens of that share. Without `splits_prompts` one that does not fit whole waits for
/// an iteration in which it is the first.
models::TokenPass RequestQueue::take_pieces() {
  const bool is_alone = !limits_.mixes_prompts && !passing_.empty();
  const std::int64_t decodes = is_alone ? 0 : decodes_;
  const std::int64_t decoded = decodes * std::llround(step_tokens_);
  const std::int64_t whole =
      std::max<std::int64_t>(limits_.max_tokens - core::ceil_div(decoded, limits_.num_shares), 1);
  std::ranges::fill(room_, whole);
  double tokens = 0.0;
  double keys = 0.0;
  num_pieces_ = 0;
  for (Passing& one : passing_) {
    std::int64_t& room = *std::ranges::max_element(room_);
    const std::int64_t rest = one.work.prompt - one.passed;
    if (room == 0 || (!limits_.splits_prompts && rest > room && room < whole)) break;
    const std::int64_t piece = std::min(rest, room);
    room -= piece;
    one.passed += piece;
    ++num_pieces_;
    tokens += static_cast<double>(piece);
    keys += static_cast<double>(piece) * static_cast<double>(one.passed);
  }
  totals_.prompt_tokens += tokens;
  totals_.steps += static_cast<double>(decodes);
  models::TokenPass pass{.decodes = static_cast<double>(decodes), .decode_tokens = step_tokens_};
  if (decodes > 0) pass.context = context_ / static_cast<double>(decodes);
  if (num_pieces_ > 0) {
    pass.prompts = static_cast<double>(num_pieces_);
    pass.prompt_tokens = tokens / pass.prompts;
    pass.prompt_keys = keys / tokens;
  }
  return pass;
}

void RequestQueue::begin() {
  make_room();
  start_iteration(times_(take_pieces()));
}

void RequestQueue::start_iteration(double time) {
  is_iterating_ = true;
  iteration_begin_ = now_;
  iteration_end_ = now_ + time;
  if (has_steps()) kept_ += of_next_step_;
  totals_.most_cached = std::max(totals_.most_cached, kept_);
  totals_.busy += window_.overlap(now_, iteration_end_);
  if (!window_.contains(now_)) return;
  ++totals_.iterations;
  totals_.running += static_cast<double>(num_running());
}

void RequestQueue::complete() {
  end_steps();
  if (has_steps() || limits_.mixes_prompts) end_answers(iterations_ - 1);
  end_prompts(iterations_ - 1);
}

/// Ends an iteration, but for the answers and prompts that end with it.
void RequestQueue::end_steps() {
  is_iterating_ = false;
  now_ = iteration_end_;
  totals_.end = now_;
  since_receive_ = num_pieces_ == 0 ? since_receive_ + 1 : 0;
  if (!has_steps() && !limits_.mixes_prompts) return;
  ++iterations_;
  context_ += static_cast<double>(decodes_) * tokens_per_step_;
}

void RequestQueue::end_answers(std::int64_t iteration) {
  while (!ends_.empty() && ends_.front().iteration == iteration) {
    const std::size_t place = ends_.front().place;
    std::ranges::pop_heap(ends_, std::greater{});
    ends_.pop_back();
    const Work& work = answering_[place].work;
    const auto steps = static_cast<double>(work.steps);
    context_ -= context_of_first_step(work.prompt) + steps * tokens_per_step_;
    of_next_step_ -= work.kept.of_step;
    kept_ -= steps * work.kept.of_step;
    --decodes_;
    finish(work);
    answering_[place].is_free = true;
    free_places_.push_back(place);
  }
}

/// Gives the first token of prompts that are done.
void RequestQueue::end_prompts(std::int64_t iteration) {
  for (std::size_t i = 0; i < num_pieces_; ++i) {
    const Passing& one = passing_.front();
    if (one.passed < one.work.prompt) break;
    if (one.work.prompt == requests_[one.work.request].prompt_tokens) {
      answers_[one.work.request].first_token = now_;
    }
    if (one.work.output <= 1) {
      finish(one.work);
    } else {
      start_answer(one.work, one.admitted, iteration);
    }
    passing_.pop_front();
  }
}

/// Decodes a request from the iteration behind the one of its first token on.
void RequestQueue::start_answer(const Work& work, std::int64_t admitted, std::int64_t first_token) {
  if (free_places_.empty()) {
    free_places_.push_back(answering_.size());
    answering_.emplace_back();
  }
  const std::size_t place = free_places_.back();
  free_places_.pop_back();
  answering_[place] = {
      .work = work, .admitted = admitted, .first_token = first_token, .is_free = false};
  ++decodes_;
  context_ += context_of_first_step(work.prompt);
  of_next_step_ += work.kept.of_step;
  ends_.push_back({first_token + work.steps, num_ends_++, place});
  std::ranges::push_heap(ends_, std::greater{});
}

void RequestQueue::finish(const Work& work) {
  const double tokens = work.kept.prompt;
  answers_[work.request].end = now_;
  if (ended_ != nullptr) ended_->push_back(work.request);
  if (!limits_.send_times.empty() && limits_.send_times[work.request] > 0.0) {
    const double time = limits_.send_times[work.request];
    const double begin = limits_.num_sends > 1.0 ? iteration_begin_ : now_;
    sent_ = std::max(std::max(sent_, begin) + time, now_ + time / limits_.num_sends);
    answers_[work.request].end = sent_;
    leaving_.emplace_back(sent_, tokens);
  } else {
    kept_ -= tokens;
  }
}

QueueLimits queue_limits(const Replica& replica, std::int64_t batch) {
  const models::Inference& inference = replica.inference();
  const std::int64_t groups = std::min<std::int64_t>(replica.layout().pp, batch);
  return {.max_batch = core::ceil_div(batch, groups),
          .max_tokens = inference.engine.max_tokens.value,
          .num_shares = replica.layout().dp(),
          .cache_tokens = replica.cache_tokens(batch) / static_cast<double>(groups),
          .preempts = inference.engine.preempts.value,
          .mixes_prompts = inference.engine.mixes_prompts.value,
          .splits_prompts = inference.engine.splits_prompts.value,
          .looks_ahead = replica.looks_ahead(),
          .receive_interval = inference.engine.receive_interval.value};
}

}  // namespace railwright::simulation
