#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "native/helpers/shared/json.h"
#include "native/helpers/shared/line_reader.h"

namespace whiteline::helpers {
namespace {

TEST(HelperCommand, TellsItsFields) {
  const Command command =
      Command::parse(R"( { "type" : "start", "rate":-1.5e3,"count": 3, "loop":true, "name":"" } )");
  EXPECT_EQ(command.type(), "start");
  EXPECT_EQ(command.number("rate"), -1500);
  EXPECT_EQ(command.number("count"), 3);
  EXPECT_TRUE(command.flag("loop"));
  EXPECT_EQ(command.text("name"), "");
}

TEST(HelperCommand, UnderstandsEveryEscape) {
  const Command command = Command::parse(R"({"type":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00é"})");
  EXPECT_EQ(command.type(), "\"\\/\b\f\n\r\tAé€😀é");
}

TEST(HelperCommand, NamesAFieldThatIsMissingOrOfAnotherType) {
  const Command command = Command::parse(R"({"type":"start","rate":"fast","gone":null})");
  for (const char* const field : {"rate", "gone", "absent"}) {
    try {
      command.number(field);
      ADD_FAILURE() << field;
    } catch (const MessageError& error) {
      EXPECT_EQ(error.what(), std::string("Expected a number for ") + field);
    }
  }
}

TEST(HelperCommand, RefusesWhatIsNoFlatObjectOfKnownValues) {
  for (const std::string line : {"",
                                 " ",
                                 "null",
                                 "[]",
                                 "{",
                                 "}",
                                 "{}",
                                 R"({"type"})",
                                 R"({"type":})",
                                 R"({"type":"a")",
                                 R"({"type":"a",})",
                                 R"({"type":"a"} x)",
                                 R"({"type":"a"}{})",
                                 R"({'type':"a"})",
                                 R"({type:"a"})",
                                 R"({"type":1})",
                                 R"({"type":"a","type":"b"})",
                                 R"({"type":"a","b":{}})",
                                 R"({"type":"a","b":[1]})",
                                 R"({"type":"a","b":nul})",
                                 R"({"type":"a","b":tru})",
                                 R"({"type":"a","b":-})",
                                 R"({"type":"a","b":1.})",
                                 R"({"type":"a","b":1e999})",
                                 R"({"type":"a","b":-inf})",
                                 R"({"type":"a","b":nan})",
                                 R"({"type":"a\x"})",
                                 R"({"type":"a\u12"})",
                                 R"({"type":"\u12g4"})",
                                 R"({"type":"\ud83d"})",
                                 R"({"type":"\ud83dx"})",
                                 R"({"type":"\ud83dA"})",
                                 R"({"type":"\ude00"})",
                                 R"({"type":"a)",
                                 "{\"type\":\"a\tb\"}",
                                 "{\"type\":\"a\nb\"}"}) {
    EXPECT_THROW(Command::parse(line), MessageError) << line;
  }
  EXPECT_THROW(Command::parse(std::string("{\"type\":\"a\"}\0", 13)), MessageError);
}

TEST(HelperMessage, IsOneLineWhateverIsInIt) {
  const Message message = Message("packet")
                              .text("said", "a \"quote\"\\\n\x01 é")
                              .number("rate", 0.1)
                              .number("count", uint64_t{18446744073709551615U})
                              .number("unknown", std::numeric_limits<double>::quiet_NaN())
                              .numbers("places", std::vector<int64_t>{-1, 9007199254740993})
                              .numbers("none", {})
                              .flag("last", false);
  EXPECT_EQ(message.line(),
            "{\"type\":\"packet\",\"said\":\"a \\\"quote\\\"\\\\\\u000a\\u0001 é\",\"rate\":0.1,"
            "\"count\":18446744073709551615,\"unknown\":null,\"places\":[-1,9007199254740993],\"none\":[],"
            "\"last\":false}\n");
}

TEST(HelperMessage, IsReadAsItWasWritten) {
  const std::string all = "\"\\/\b\f\n\r\t\x01é€😀";
  std::string line = Message("echo").text("text", all).number("rate", 1e-300).line();
  line.pop_back();
  const Command read = Command::parse(line);
  EXPECT_EQ(read.text("text"), all);
  EXPECT_EQ(read.number("rate"), 1e-300);
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File fileOf(const std::string& text) {
  File file(std::tmpfile(), std::fclose);
  std::fwrite(text.data(), 1, text.size(), file.get());
  std::rewind(file.get());
  return file;
}

TEST(HelperLines, ComeOneByOneAndOnlyWhole) {
  const File file = fileOf("one\n\ntwo\ncut of");
  std::string line;
  for (const char* const expected : {"one", "", "two"}) {
    ASSERT_TRUE(readLine(file.get(), line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(readLine(file.get(), line));
}

TEST(HelperLines, AreOfALimitedLength) {
  std::string line;
  EXPECT_TRUE(readLine(fileOf(std::string(kMostLineBytes, 'x') + "\n").get(), line));
  EXPECT_THROW(readLine(fileOf(std::string(kMostLineBytes + 1, 'x') + "\n").get(), line), MessageError);
}

}  // namespace
}  // namespace whiteline::helpers
