// SPDX-License-Identifier: Apache-2.0
// Of a track record of two rows.
#include "railwright/planner/scenario/basis.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"

namespace railwright::planner {
namespace {

constexpr const char* kRecord = R"(
name: training_steps
rows:
  - {accelerator: h100-sxm, software: nemo-24.09, precision: bf16, left_out: 7, fitted: 2, median_error: 0.031, num_accelerators: 512}
  - {accelerator: h100-sxm, software: nemo-24.09, precision: fp8, left_out: 0, fitted: 3, median_error: 0.014, num_accelerators: 512}
)";

class BasisOf : public testing::Test {
 protected:
  BasisOf() {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "basis_test" / "track_records";
    std::filesystem::create_directories(folder);
    record_file_ = folder / "training_steps.yaml";
    write(kRecord);
    catalogue_ = core::Catalogue(
        {folder.parent_path(), std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
    read("h100-sxm", accelerator_);
    read("nemo-24.09", software_);
    read("neutral", installation_);
    software_.precision.value = core::Precision::kBf16;
  }

  template <class T>
  void read(const std::string& name, T& entry) {
    core::Reader reader(&catalogue_);
    reader.read(core::text_node(name), "", entry);
    reader.throw_if_any();
  }

  void write(const std::string& record) const { std::ofstream(record_file_) << record; }

  [[nodiscard]] Basis basis(int num_accelerators) const {
    return basis_of(accelerator_, software_, installation_, num_accelerators, catalogue_).value();
  }

  std::filesystem::path record_file_;
  core::Catalogue catalogue_{std::vector<std::string>{}};
  core::Accelerator accelerator_;
  models::SoftwareProfile software_;
  models::Installation installation_;
};

TEST_F(BasisOf, StepsLeftOutIsValidated) {
  const Basis found = basis(64);
  EXPECT_EQ(found.kind, BasisKind::kValidated);
  EXPECT_EQ(found.left_out, 7);
  EXPECT_EQ(found.fitted, 2);
  EXPECT_EQ(found.median_error, 0.031);
  EXPECT_EQ(found.says,
            "7 published steps of h100-sxm with nemo-24.09 in bf16 that nothing was fitted to, "
            "half of them within 3.1 %");
  EXPECT_NE(basis(513).says.find("the largest on 512 accelerators"), std::string::npos);
}

TEST_F(BasisOf, FittedStepsAloneIsCalibrated) {
  software_.precision.value = core::Precision::kFp8;
  const Basis found = basis(64);
  EXPECT_EQ(found.kind, BasisKind::kCalibrated);
  EXPECT_EQ(found.fitted, 3);
}

TEST_F(BasisOf, OtherPairsIsEstimated) {
  read("mi300x", accelerator_);
  const Basis found = basis(64);
  EXPECT_EQ(found.kind, BasisKind::kEstimated);
  EXPECT_FALSE(found.median_error);
  EXPECT_NE(found.says.find("; with others 0 of mi300x and 12 of nemo-24.09"), std::string::npos);
}

TEST_F(BasisOf, ChangedConstantsIsEstimatedButMemoryIsNoneOfThem) {
  accelerator_.memory.value = core::DataSize::from_base(1e12);
  EXPECT_EQ(basis(64).kind, BasisKind::kValidated);
  accelerator_.gemm_efficiency.value = 0.99;
  EXPECT_EQ(basis(64).kind, BasisKind::kEstimated);
  EXPECT_NE(basis(64).says.find("the scenario changes gemm_efficiency"), std::string::npos);
}

TEST_F(BasisOf, ASiteFittedIsCalibrated) {
  read("h20003", installation_);
  EXPECT_EQ(basis(64).kind, BasisKind::kCalibrated);
  EXPECT_EQ(basis(64).says, "fitted to the site h20003");
}

TEST_F(BasisOf, ARecordThatIsWrittenAgainIsReadAgain) {
  EXPECT_EQ(basis(64).left_out, 7);
  const auto before = std::filesystem::last_write_time(record_file_);
  const std::string row = "{accelerator: h100-sxm, software: nemo-24.09, precision: bf16, ";
  write("rows:\n  - " + row + "left_out: 4, fitted: 0, median_error: 0.02, num_accelerators: 8}\n");
  EXPECT_EQ(basis(64).left_out, 4);
  // As long, and later.
  write("rows:\n  - " + row + "left_out: 5, fitted: 0, median_error: 0.02, num_accelerators: 8}\n");
  std::filesystem::last_write_time(record_file_, before + std::chrono::seconds(2));
  EXPECT_EQ(basis(64).left_out, 5);
}

TEST_F(BasisOf, EachCatalogueHasItsOwnRecord) {
  EXPECT_EQ(basis(64).left_out, 7);
  const core::Catalogue builtin({std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
  const auto shipped = basis_of(accelerator_, software_, installation_, 64, builtin);
  ASSERT_TRUE(shipped);
  EXPECT_NE(shipped->says, basis(64).says);
}

TEST_F(BasisOf, ThreadsMayAskAtOnce) {
  std::vector<std::future<Basis>> asked;
  for (int i = 0; i < 8; ++i) {
    asked.push_back(std::async(std::launch::async, [this] { return basis(64); }));
  }
  for (auto& one : asked) EXPECT_EQ(one.get().left_out, 7);
}

TEST_F(BasisOf, NoRecordIsNothing) {
  const core::Catalogue empty{std::vector<std::string>{}};
  EXPECT_FALSE(basis_of(accelerator_, software_, installation_, 64, empty));
}

}  // namespace
}  // namespace railwright::planner
