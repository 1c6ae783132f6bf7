// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kRequests("request-trace");

TEST(ImportRequestTrace, MakesATrace) {
  const auto imported = import_sample(kRequests, "requests/azure.csv");
  ASSERT_NE(find(imported, "inference.load.trace"), nullptr);
  EXPECT_EQ(find(imported, "inference.load.trace")->value.text,
            "arrival_s,prompt_tokens,output_tokens\n"
            "0.000,4808,10\n0.052,3180,8\n1.120,34,12\n1.520,110,27\n");
  EXPECT_EQ(value(imported, "inference.prompt_tokens"), "2033");
  EXPECT_EQ(value(imported, "inference.output_tokens"), "14");
  EXPECT_NE(not_expressed(imported).find("1 requests without an answer"), std::string::npos);
  EXPECT_EQ(importers::detect_import_kind(text_of(sample("requests/azure.csv"))), kRequests);
}

TEST(ImportRequestTrace, IsAScenarioOverAService) {
  const auto parts = importers::import_files({{{}, sample("requests/azure.csv")}});
  const core::Node base =
      core::load_yaml(RAILWRIGHT_SOURCE_DIR "/examples/serving-llama-3.3-70b.yaml");
  const core::Catalogue catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  EXPECT_TRUE(importers::import_problems(parts, base, catalogue).empty());
}

TEST(ImportRequestTrace, ReadsSecondsToo) {
  const auto imported = importers::import_text(
      kRequests,
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "5,ChatGPT,472,18,490,Conversation log\n"
      "45.5,GPT-4,1087,230,1317,API log\n",
      "file");
  EXPECT_EQ(find(imported, "inference.load.trace")->value.text,
            "arrival_s,prompt_tokens,output_tokens\n0.000,472,18\n40.500,1087,230\n");
}

TEST(ImportRequestTrace, SaysEveryMistakeWithItsPlace) {
  EXPECT_NE(refusal(kRequests, "a,b\n1,2\n").find("no columns TIMESTAMP"), std::string::npos);
  const std::string head = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  const std::string all = refusal(kRequests, head + "inf,1,1\n2,1\n3,-1,4\n");
  EXPECT_NE(all.find("file:2"), std::string::npos) << all;
  EXPECT_NE(all.find("file:3"), std::string::npos);
  EXPECT_NE(all.find("file:4"), std::string::npos);
  EXPECT_NE(refusal(kRequests, head).find("no request"), std::string::npos);
}

TEST(ImportRequestTrace, RefusesTimesThatThereAreNot) {
  const std::string head = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  for (const std::string time :
       {"2024-05-10 25:17:00", "2024-05-10 24:00:00", "2024-05-10 05:60:00", "2024-05-10 05:17:61",
        "2023-02-29 05:17:00"}) {
    const std::string said = refusal(kRequests, head + time + ",1,1\n");
    EXPECT_NE(said.find("file:2:1: no time: '" + time + "'"), std::string::npos) << said;
  }
  EXPECT_EQ(refusal(kRequests, head + "2016-12-31 23:59:60,1,1\n"), "") << "a leap second";
}

TEST(ImportRequestTrace, RefusesAColumnTwice) {
  const std::string said =
      refusal(kRequests, "TIMESTAMP,ContextTokens,GeneratedTokens,ContextTokens\n1,2,3,4\n");
  EXPECT_NE(said.find("file:1:1: column ContextTokens is given twice"), std::string::npos) << said;
}

TEST(ImportRequestTrace, ReadsTimeZones) {
  const auto trace_of = [](const std::string& second) {
    return value(importers::import_text(kRequests,
                                        "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                        "2025-03-01 12:00:00.250+00:00,100,10\n" +
                                            second + ",300,30\n",
                                        "x"),
                 "inference.load.trace");
  };
  EXPECT_NE(trace_of("2025-03-01 12:00:01.750+00:00").find("1.500,300,30"), std::string::npos);
  EXPECT_NE(trace_of("2025-03-01 12:00:01.750Z").find("1.500,300,30"), std::string::npos);
  EXPECT_NE(trace_of("2025-03-01 13:30:01+0130").find("0.750,300,30"), std::string::npos);
  EXPECT_NE(
      refusal(kRequests, "TIMESTAMP,ContextTokens,GeneratedTokens\n2025-03-01 12:00:00+1,5,5\n"),
      "");
}

}  // namespace
}  // namespace railwright::test
