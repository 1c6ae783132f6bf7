// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/html/html_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "railwright/output/html/page_files.hpp"

namespace railwright::output {
namespace {

using Json = nlohmann::json;

std::string page_of(const std::string& name) {
  return html_report({.verb = "simulate", .version = "0.1.0"}, Json{{"name", name}}.dump());
}

/// What stands between the tags of the document.
std::string inside(const std::string& page) {
  const std::string open = R"(<script type="application/json" id="document">)";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

class HtmlReport : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(has_chart_library()) << kChartLibraryHint; }
};

TEST_F(HtmlReport, CarriesTheDocumentWithoutAnyTagInIt) {
  const std::string name = "</script><img src=x onerror=alert(1)> <!-- & \"quoted\"";
  const std::string text = inside(page_of(name));
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json content = Json::parse(text);
  EXPECT_EQ(content["document"]["name"], name);
  EXPECT_EQ(content["verb"], "simulate");
  EXPECT_EQ(content["version"], "0.1.0");
}

TEST_F(HtmlReport, LooksForNoMarksInWhatUsersWrote) {
  const std::string name = "{{scripts}} {{document}} {{style}} {{policy}}";
  EXPECT_EQ(Json::parse(inside(page_of(name)))["document"]["name"], name);
}

TEST_F(HtmlReport, LetsOnlyItsOwnScriptsRunAndNothingBeLoaded) {
  const std::string page = page_of("a");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("unsafe-inline"), std::string::npos);
  for (const char* name : {"chart.js", "page.js", "report.js", "style.css"}) {
    const PageFile& file = find_page_file(name);
    EXPECT_NE(page.find("'sha256-" + std::string(file.sha256) + "'"), std::string::npos) << name;
    EXPECT_NE(page.find(file.text), std::string::npos) << name;
  }
}

TEST_F(HtmlReport, CarriesTheLicenceOfTheChartLibrary) {
  const std::string licence = Json::parse(inside(page_of("a")))["chart_licence"];
  EXPECT_NE(licence.find("Chart.js Contributors"), std::string::npos);
  EXPECT_NE(licence.find("Permission is hereby granted"), std::string::npos);
}

TEST(WebFiles, AreFoundByName) {
  EXPECT_FALSE(page_file("page.js").empty());
  EXPECT_THROW(find_page_file("no.js"), std::out_of_range);
}

/// RFC 4648 of the digits that `sha256sum output/pages/chart_licence.txt` prints.
TEST(WebFiles, CarryTheirHashesInBase64) {
  EXPECT_EQ(find_page_file("chart_licence.txt").sha256,
            "Wgh3rW2BhSm+TzMAnQlCzffi7XZWFW9KunMIRZpUYDA=");
}

}  // namespace
}  // namespace railwright::output
