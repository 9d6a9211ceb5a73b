#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "native/transports/ndi/receiver_metadata.h"
#include "native/transports/ndi/time_metadata.h"

namespace whiteline::test {
namespace {

constexpr int64_t kNowUs = 1'760'000'000'000'000;

TEST(TimeQuestion, isReadAsItWasWritten) {
  EXPECT_EQ(formatTimeQuestion({0x4D2, kNowUs}), "<whiteline_time id=\"4d2\" asked=\"1760000000000000\"/>");
  EXPECT_EQ(formatTimeAnswer({UINT64_MAX, 1, -2, 3}),
            "<whiteline_time id=\"ffffffffffffffff\" asked=\"1\" heard=\"-2\" replied=\"3\"/>");
  for (const uint64_t id : {uint64_t{0}, uint64_t{1}, uint64_t{0x123456789ABCDEF0}, UINT64_MAX}) {
    for (const int64_t timeUs : {int64_t{0}, kNowUs, kMostTimeUs, -kMostTimeUs}) {
      const TimeQuestion question{id, timeUs};
      EXPECT_EQ(parseTimeQuestion(formatTimeQuestion(question)), question);
      const TimeAnswer answer{id, timeUs, kNowUs, -timeUs};
      EXPECT_EQ(parseTimeAnswer(formatTimeAnswer(answer)), answer);
    }
  }
}

TEST(TimeQuestion, mayHaveSpaceAround) {
  const std::string text = formatTimeQuestion({7, kNowUs});
  EXPECT_EQ(parseTimeQuestion("\r\n " + text + "\t\n" + std::string(1, '\0')), (TimeQuestion{7, kNowUs}));
}

TEST(TimeQuestion, questionsAndAnswersAreToldApart) {
  EXPECT_FALSE(parseTimeAnswer(formatTimeQuestion({7, kNowUs})));
  EXPECT_FALSE(parseTimeQuestion(formatTimeAnswer({7, kNowUs, kNowUs, kNowUs})));
}

TEST(TimeQuestion, whatIsNotOfTheFormIsNothing) {
  for (const char* text : {"",
                           " ",
                           "<",
                           "<whiteline_time",
                           "<whiteline_time/>",
                           "<whiteline_time id=\"\" asked=\"1\"/>",
                           "<whiteline_time id=\"x\" asked=\"1\"/>",
                           "<whiteline_time id=\"0x1\" asked=\"1\"/>",
                           "<whiteline_time id=\"A\" asked=\"1\"/>",
                           "<whiteline_time id=\"01\" asked=\"1\"/>",
                           "<whiteline_time id=\"-1\" asked=\"1\"/>",
                           "<whiteline_time id=\"10000000000000000\" asked=\"1\"/>",
                           "<whiteline_time id=\"1\" asked=\"\"/>",
                           "<whiteline_time id=\"1\" asked=\"+1\"/>",
                           "<whiteline_time id=\"1\" asked=\"01\"/>",
                           "<whiteline_time id=\"1\" asked=\"-0\"/>",
                           "<whiteline_time id=\"1\" asked=\"1.5\"/>",
                           "<whiteline_time id=\"1\" asked=\"9007199254740993\"/>",
                           "<whiteline_time id=\"1\" asked=\"-9007199254740993\"/>",
                           "<whiteline_time id=\"1\" asked=\"99999999999999999999\"/>",
                           "<whiteline_time id=\"1\" asked=\"1\"",
                           "<whiteline_time id=\"1\" asked=\"1\"/",
                           "<whiteline_time id=\"1\" asked=\"1\"/>x",
                           "x<whiteline_time id=\"1\" asked=\"1\"/>",
                           "<whiteline_time id='1' asked='1'/>",
                           "<whiteline_time asked=\"1\" id=\"1\"/>",
                           "<whiteline_time  id=\"1\" asked=\"1\"/>"}) {
    EXPECT_FALSE(parseTimeQuestion(text)) << text;
    EXPECT_FALSE(parseTimeAnswer(text)) << text;
  }
  EXPECT_FALSE(parseTimeAnswer("<whiteline_time id=\"1\" asked=\"1\" heard=\"2\" replied=\"\"/>"));
  EXPECT_FALSE(parseTimeAnswer("<whiteline_time id=\"1\" asked=\"1\" heard=\"2\"/>"));
  EXPECT_FALSE(parseTimeAnswer("<whiteline_time id=\"1\" asked=\"1\" replied=\"2\" heard=\"2\"/>"));
}

TEST(ReceiverArrival, isTheElementAndNothingElse) {
  EXPECT_TRUE(isReceiverArrival("<whiteline_receiver/>"));
  EXPECT_TRUE(isReceiverArrival(std::string("\r\n<whiteline_receiver/>\t") + '\0'));
  for (const char* text :
       {"", " ", "<whiteline_receiver>", "<whiteline_receiver />", "<whiteline_receiver/>x",
        "<whiteline_receiver name=\"x\"/>", "<whiteline_time id=\"1\" asked=\"1\"/>"}) {
    EXPECT_FALSE(isReceiverArrival(text)) << text;
  }
}

/** Whatever is read is exactly what would be written, but for the space around. */
TEST(TimeQuestion, anyMutationIsSafeToRead) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string good = formatTimeAnswer({0xABC, kNowUs, kNowUs + 20, kNowUs + 30});
  constexpr std::string_view kLikely = "0123456789abcdef-\"<>/ =";
  int readAgain = 0;
  for (int turn = 0; turn < 50'000; ++turn) {
    std::string text = turn % 2 == 0 ? good : good.substr(0, random() % (good.size() + 1));
    if (!text.empty()) text[random() % text.size()] = kLikely[random() % kLikely.size()];
    // A copy of exactly this size lets the sanitizer see a read beyond it.
    const std::vector<char> exact(text.begin(), text.end());
    parseTimeQuestion({exact.data(), exact.size()});
    const auto answer = parseTimeAnswer({exact.data(), exact.size()});
    if (!answer) continue;
    ASSERT_EQ(formatTimeAnswer(*answer), text);
    ++readAgain;
  }
  EXPECT_GT(readAgain, 1000);
  EXPECT_LT(readAgain, 40'000);
}

}  // namespace
}  // namespace whiteline::test
