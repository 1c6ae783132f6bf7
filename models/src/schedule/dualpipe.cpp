// SPDX-License-Identifier: Apache-2.0
#include "dualpipe.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace railwright::models {

namespace {

/// The direction of a micro-batch, seen from a stage: it enters at the end of the pipeline that is
/// nearer to the stage, or at the other end.
enum Way : std::size_t { kNear, kFar };

class Order {
 public:
  /// Builds the order of a stage. Chunk 0 serves micro-batches that enter at stage 0.
  explicit Order(bool in_second_half) : chunk_of_{in_second_half ? 1 : 0, in_second_half ? 0 : 1} {}

  void forward(Way way) { add(PassKind::kForward, way, forward_[way]++); }
  void backward(Way way) { add(PassKind::kBackward, way, backward_[way]++); }
  void input_gradient(Way way) {
    put_off_.push_back(
        {.kind = PassKind::kWeightGradient, .microbatch = backward_[way], .chunk = chunk_of_[way]});
    add(PassKind::kInputGradient, way, backward_[way]++);
  }
  void weight_gradient() { passes_.push_back(put_off_[weight_gradients_++]); }
  void together(Way forward_way, Way backward_way) {
    forward(forward_way);
    passes_.back().beside_next = true;
    backward(backward_way);
  }
  std::vector<Pass> finish() { return std::move(passes_); }

 private:
  void add(PassKind kind, Way way, int microbatch) {
    passes_.push_back({.kind = kind, .microbatch = microbatch, .chunk = chunk_of_[way]});
  }

  std::array<int, 2> chunk_of_;
  std::array<int, 2> forward_{};
  std::array<int, 2> backward_{};
  std::vector<Pass> put_off_;
  std::size_t weight_gradients_ = 0;
  std::vector<Pass> passes_;
};

}  // namespace

/// Follows the eight steps of DeepSeek's own implementation. [@deepseek_dualpipe]
std::vector<Pass> dualpipe_order(const Layout& layout, int stage) {
  const int half = layout.pp / 2;
  const int from_end = std::min(stage, layout.pp - 1 - stage);
  const int to_middle = half - from_end - 1;
  const int near_end = from_end + 1;
  Order order(stage >= half);
  for (int i = 0; i < 2 * to_middle; ++i) order.forward(kNear);
  for (int i = 0; i < near_end; ++i) {
    order.forward(kNear);
    order.forward(kFar);
  }
  for (int i = 0; i < to_middle; ++i) {
    order.input_gradient(kFar);
    order.weight_gradient();
    order.forward(kFar);
  }
  const int steady = layout.num_microbatches / 2 - layout.pp + near_end;
  for (int i = 0; i < steady; ++i) {
    if (i == 0 && to_middle == 0) {
      order.forward(kNear);
      order.backward(kFar);
    } else {
      order.together(kNear, kFar);
    }
    order.together(kFar, kNear);
  }
  for (int i = 0; i < to_middle; ++i) {
    order.backward(kFar);
    order.together(kFar, kNear);
  }
  for (int i = 0; i < 2 * near_end; ++i) {
    const Way way = i % 2 == 0 ? kFar : kNear;
    if (i < near_end) {
      order.backward(way);
    } else {
      order.input_gradient(way);
    }
  }
  for (int i = 0; i < to_middle; ++i) {
    order.weight_gradient();
    order.input_gradient(kNear);
  }
  for (int i = 0; i < near_end; ++i) order.weight_gradient();
  return order.finish();
}

double dualpipe_bubble(const Layout& layout) {
  const double fill = layout.pp - 2;
  return fill / (3.0 * layout.num_microbatches + fill);
}

}  // namespace railwright::models
