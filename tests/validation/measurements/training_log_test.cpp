// SPDX-License-Identifier: Apache-2.0
// Lines are written after what Megatron-LM's training_log(), NeMo's progress bar and its console
// logger, and tqdm print, as their sources and documents show it.
#include "railwright/validation/measurements/training_log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "railwright/core/error.hpp"
#include "railwright/validation/measurements/training_timers.hpp"

namespace railwright::test {
namespace {

using validation::LoggedSteps;
using validation::read_training_log;

std::string megatron_line(int iteration, const char* milliseconds) {
  return fmt::format(
      " [2025-03-04 10:00:00] iteration {:8}/    5000 | consumed samples: {:12} | elapsed time per "
      "iteration (ms): {} | throughput per GPU (TFLOP/s/GPU): 401.2 | learning rate: 1.5E-05 | "
      "global batch size:   512 | lm loss: 7.123456E+00 | loss scale: 1.0 | grad norm: 1.234 | "
      "number of skipped iterations:   0 | number of nan iterations:   0 |\n",
      iteration, 512 * iteration, milliseconds);
}

TEST(TrainingLog, MegatronMedianWithoutTheFirstLine) {
  std::string text = "using world size: 64, data-parallel size: 8\n";
  int iteration = 0;
  // Warming up, then 4000, 4010, 4020, 4030 and a checkpoint of 9000 ms.
  for (const char* time : {"25311.7", "4000.0", "4020.0", "9000.0", "4010.0", "4030.0"}) {
    text += megatron_line(iteration += 100, time);
  }
  const LoggedSteps steps = read_training_log(text, "train.log");
  EXPECT_EQ(steps.format, "Megatron-LM");
  EXPECT_EQ(steps.num_lines, 6);
  EXPECT_EQ(steps.num_used, 5);
  EXPECT_NEAR(steps.step_time.base(), 4.020, 1e-12);
  // Distances from 4020: 20, 0, 4980, 10, 10, of which the middle one is 10.
  EXPECT_NEAR(steps.standard_error.base(), 1.2533141 * 1.4826 * 0.010 / std::sqrt(5.0), 1e-8);
}

TEST(TrainingLog, NemoBarCountsARedrawnStepOnce) {
  const std::string text =
      "Epoch 0: :   1%|          | 1/100 [00:31<51:00, v_num=x, reduced_train_loss=11.0, "
      "global_step=0.000, consumed_samples=512.0, train_step_timing in s=31.2]\r"
      "Epoch 0: :   2%|▏         | 2/100 [00:35<29:00, v_num=x, reduced_train_loss=10.9, "
      "global_step=1.000, consumed_samples=1024.0, train_step_timing in s=4.10]\r"
      "Epoch 0: :   2%|▏         | 2/100 [00:35<29:00, v_num=x, reduced_train_loss=10.9, "
      "global_step=1.000, consumed_samples=1024.0, train_step_timing in s=4.10]\r"
      "Epoch 0: :   3%|▎         | 3/100 [00:39<21:00, v_num=x, reduced_train_loss=10.7, "
      "global_step=2.000, consumed_samples=1536.0, train_step_timing in s=4.20]\r"
      "Epoch 0: :   4%|▍         | 4/100 [00:43<17:00, v_num=x, reduced_train_loss=10.5, "
      "global_step=3.000, consumed_samples=2048.0, train_step_timing in s=4.30]\n";
  const LoggedSteps steps = read_training_log(text, "nemo.log");
  EXPECT_EQ(steps.format, "NeMo");
  EXPECT_EQ(steps.num_lines, 4);
  EXPECT_NEAR(steps.step_time.base(), 4.2, 1e-12);
}

TEST(TrainingLog, NemoLinesOfTheLogger) {
  std::string text;
  for (const char* time : {"20.5", "5.011", "5.013", "5.012"}) {
    text += fmt::format(
        "Training epoch 0, iteration 9/99 | lr: 5.997e-06 | global_batch_size: 128 | "
        "reduced_train_loss: 11.03 | train_step_timing in s: {}\n",
        time);
  }
  EXPECT_NEAR(read_training_log(text, "nemo2.log").step_time.base(), 5.012, 1e-12);
}

TEST(TrainingLog, AProgressBarAloneWillDo) {
  const std::string text =
      "  1%|          | 1/100 [00:09<15:00,  9.10s/it]\r  2%|▏         | 2/100 [00:11<09:00,  "
      "2.50s/it]\r  3%|▎         | 3/100 [00:13<09:00,  2.40s/it]\r  4%|▍         | 4/100 "
      "[00:16<09:00,  2.45s/it]\n";
  const LoggedSteps steps = read_training_log(text, "bar.log");
  EXPECT_EQ(steps.format, "progress bar");
  EXPECT_NEAR(steps.step_time.base(), 2.45, 1e-12);
}

TEST(TrainingLog, NanotronTellsThreeDigits) {
  std::string text;
  int iteration = 0;
  for (const char* time : {"9.71K", "4.71K", "4.72K", "4.71K", "4.71K"}) {
    text += fmt::format(
        "08/31/2024 14:37:31 [INFO|DP=0|PP=0|TP=0]: iteration: {} / 15 | consumed_tokens: 512 | "
        "elapsed_time_per_iteration_ms: {} | tokens_per_sec: 109 | global_batch_size: 2\n",
        ++iteration, time);
  }
  const LoggedSteps steps = read_training_log(text, "nanotron.log");
  EXPECT_EQ(steps.format, "nanotron");
  EXPECT_NEAR(steps.step_time.base(), 4.71, 1e-12);
  // Half of the numbers are the median itself; the last of three digits is 0.01.
  EXPECT_NEAR(steps.standard_error.base(), 0.01 / std::sqrt(12.0), 1e-9);
}

std::string torchtitan_line(int step, const char* time, const char* rate) {
  return fmt::format(
      "[rank0]:[titan] 2025-11-25 19:45:{} - root - INFO - \x1b[31mstep: {:2}  \x1b[32mloss:  "
      "7.7  \x1b[36mmemory:  1.34GiB(0.96%)  \x1b[34mtps: {}  \x1b[35mmfu: 2.18%\x1b[39m\n",
      time, step, rate);
}

TEST(TrainingLog, TorchtitanTakesBatchAndMeshFromItsHead) {
  const std::string head =
      "[rank0]:[titan] 2025-11-25 19:44:58,800 - root - INFO - Building device mesh with "
      "parallelism: pp=2, dp_replicate=1, dp_shard=4, cp=1, tp=2, ep=4\n"
      "[rank0]:[titan] 2025-11-25 19:44:58,838 - root - INFO - Trainer is initialized with local "
      "batch size 8, global batch size 64, gradient accumulation steps 1, sequence length 2048, "
      "total steps 10 (warmup 2)\n";
  std::string text;
  for (const char* rate : {"512", "8,192", "4,096", "4,096", "4,096"}) {
    const int step = static_cast<int>(text.size());
    text += torchtitan_line(step, "01,000", rate) + torchtitan_line(step, "01,000", rate);
  }
  // 64 x 2048 tokens over 16 devices of 4,096 a second are 2 s; other ranks repeat each step.
  const LoggedSteps steps = read_training_log(head + text, "titan.log");
  EXPECT_EQ(steps.format, "torchtitan");
  EXPECT_EQ(steps.num_lines, 5);
  EXPECT_NEAR(steps.step_time.base(), 2.0, 1e-12);
  const std::string old =
      "Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]\n"
      "Training starts at step 1, with local batch size 16, global batch size 64, sequence length "
      "2048, total steps 10\n";
  EXPECT_NEAR(read_training_log(old + text, "titan.log").step_time.base(), 4.0, 1e-12);
}

TEST(TrainingLog, TorchtitanWithoutAHeadHasTimesOfDay) {
  std::string text;
  int step = 0;
  for (const char* time : {"01,000", "31,000", "36,000", "41,500", "46,500", "51,500"}) {
    text += torchtitan_line(step += 10, time, "4,096");
  }
  const LoggedSteps steps = read_training_log(text, "titan.log");
  EXPECT_EQ(steps.num_lines, 5);
  EXPECT_NEAR(steps.step_time.base(), 0.5, 1e-9);
}

std::string deepspeed_line(int step, const char* time, const char* rate) {
  return fmt::format(
      "[2023-11-07 01:55:{}] [INFO] [timer.py:260:stop] epoch=0/micro_step={}/global_step={}, "
      "RunningAvgSamplesPerSec=25.0, CurrSamplesPerSec={}, MemAllocated=4.32GB, "
      "MaxMemAllocated=38.49GB\n",
      time, 4 * step, step, rate);
}

TEST(TrainingLog, DeepSpeedTakesTheBatchFromItsHead) {
  std::string text;
  int step = 0;
  for (const char* time : {"00,000", "10,000", "20,000", "30,000", "40,000"}) {
    text += deepspeed_line(step += 10, time, "32.0");
  }
  EXPECT_NEAR(
      read_training_log("  train_batch_size ............. 64\n" + text, "ds.log").step_time.base(),
      2.0, 1e-12);
  const LoggedSteps steps = read_training_log(text, "ds.log");
  EXPECT_EQ(steps.format, "DeepSpeed");
  EXPECT_NEAR(steps.step_time.base(), 1.0, 1e-9);
}

TEST(TrainingLog, TooFewLinesAreRefused) {
  const std::string text = megatron_line(100, "4000.0") + megatron_line(200, "4001.0");
  try {
    read_training_log(text, "short.log");
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(core::to_string(error.diagnostics().at(0)),
              "short.log: 2 lines of Megatron-LM tell a step time, of which the first 1 warms up; "
              "at least 3 more are needed");
  }
}

TEST(TrainingLog, ATextWithoutTimesIsRefused) {
  EXPECT_THROW(read_training_log("loss 3.1\nloss 3.0\n", "x.log"), core::ConfigError);
}

/// As Megatron-LM's timers print the fastest and the slowest rank, or the slowest alone.
TEST(TrainingLog, MegatronTimersOfTheSlowestRankWithoutTheFirst) {
  std::string text;
  for (const char* forward : {"9000.00", "400.00", "420.00", "410.00"}) {
    text += fmt::format(
        "(min, max) time across ranks (ms):\n"
        "    forward-compute ................................: (390.10, {})\n"
        "    optimizer ......................................: 12.50\n",
        forward);
  }
  const auto timers = validation::read_training_timers(text + "loss ... : high\n");
  ASSERT_EQ(timers.size(), 2U);
  EXPECT_EQ(timers[0].name, "forward-compute");
  EXPECT_NEAR(timers[0].time.base(), 0.410, 1e-12);
  EXPECT_EQ(timers[1].name, "optimizer");
  EXPECT_NEAR(timers[1].time.base(), 0.0125, 1e-12);
  EXPECT_TRUE(validation::read_training_timers(megatron_line(1, "4000.0")).empty());
}

}  // namespace
}  // namespace railwright::test
