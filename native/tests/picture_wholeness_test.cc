#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "native/content/generator.h"
#include "native/media/framecode/chroma_witness.h"
#include "native/media/framecode/code_stamper.h"
#include "native/media/framecode/white_line.h"
#include "native/media/hap/bgra_picture.h"
#include "native/media/pattern/background.h"
#include "native/media/pattern/grey.h"
#include "native/media/pipeline/picture_reader.h"
#include "native/tests/test_picture.h"

namespace whiteline::test {
namespace {

constexpr Rate kWholeRate{60, 1};
constexpr uint64_t kReleaseUs = 123'456'789;

struct Case {
  std::string content;
  int width;
  int height;
  PixelFormat format;
};

void PrintTo(const Case& of, std::ostream* out) {
  *out << of.content << ' ' << of.width << 'x' << of.height
       << (of.format == PixelFormat::Uyvy ? " UYVY" : " BGRA");
}

/** A composed picture as it would arrive, with what came beside it. */
struct Arrived {
  OwnedPicture picture;
  uint32_t frameNumber;
  FrameLabel label;
  std::optional<PictureAnnouncement> announcement;
  std::optional<int64_t> mediaTimeNs = static_cast<int64_t>(kReleaseUs) * 1000;
  std::optional<Integrity> integrity = std::nullopt;
  FrameFormat frameFormat = FrameFormat::Progressive;
  Rate rate = kWholeRate;
};

class Wholeness : public testing::TestWithParam<Case> {
 protected:
  Arrived composed(uint32_t frameNumber) const {
    const auto& [content, width, height, format] = GetParam();
    Arrived arrived{OwnedPicture(width, height, format), frameNumber, {3, frameNumber}, {}};
    const Picture picture = arrived.picture.picture();
    if (content == "grid") {
      paintNeutralGrid(picture);
    } else if (content == "white") {
      fillGrey(picture, {.left = 0, .top = 0, .right = width, .bottom = height}, kWhiteLuma);
    } else {
      const std::unique_ptr<Generator> generator = makeGenerator(content, {width, height, kWholeRate, 60});
      OwnedPicture bgra(width, height, PixelFormat::Bgra);
      paintFrame(*generator, frameNumber % 60, bgra.picture(), 1);
      if (format == PixelFormat::Bgra) {
        arrived.picture = bgra;
      } else {
        convertToUyvy(bgra.view(), picture);
      }
    }
    drawWhiteLine(arrived.picture.picture(), whiteLineAt(frameNumber, width, kWholeRate));
    CodeStamper(width, height, format).stamp(arrived.picture.picture(), {77, frameNumber, kReleaseUs});
    const Chroma chroma = meanChroma(arrived.picture.view());
    const auto level = [](float mean) { return static_cast<uint8_t>(mean + 0.5F); };
    arrived.announcement = {width, height, true, level(chroma.u), level(chroma.v)};
    return arrived;
  }

  CaptureRecord read(const Arrived& arrived) {
    const PictureView view = arrived.picture.view();
    const IncomingPicture incoming{.format = {"test", view.format},
                                   .planes = {{{view.data, view.strideBytes}}},
                                   .width = view.width,
                                   .height = view.height,
                                   .rate = arrived.rate,
                                   .frameFormat = arrived.frameFormat,
                                   .sentNs = std::nullopt,
                                   .mediaTimeNs = arrived.mediaTimeNs,
                                   .integrity = arrived.integrity,
                                   .label = arrived.label,
                                   .announcement = arrived.announcement};
    return reader_.read(incoming, viewOf(incoming), 1);
  }

  static void copyRows(const Arrived& from, Arrived& to, int top, int bottom) {
    const PictureView source = from.picture.view();
    for (int y = top; y < bottom; ++y) {
      std::copy_n(rowOf(source, y), packedStride(source.width, source.format),
                  rowOf(to.picture.picture(), y));
    }
  }

  PictureReader reader_;
};

TEST_P(Wholeness, aCleanPictureIsWhole) {
  for (const uint32_t number : {0U, 1U, 59U, 119U, 120U, 121U, 239U, 4'294'967'295U}) {
    const CaptureRecord record = read(composed(number));
    EXPECT_EQ(record.status, PictureStatus::Good) << number;
    EXPECT_GE(record.linePlaces, 64) << number;
    EXPECT_LE(record.lineWitnesses, record.linePlaces) << number;
    EXPECT_EQ(record.lastSpoiltRow, 0) << number;
  }
}

/** Bands at random places and of random heights that hold a place of the witness wholly. */
TEST_P(Wholeness, rowsOfAnotherFrameAreFoundWithTheirRows) {
  const StripGeometry geometry(GetParam().width, GetParam().height);
  const int begin = geometry.contentBegin();
  const int end = geometry.contentEnd();
  std::mt19937 random(7);
  const auto whole = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<uint32_t>(most - least + 1));
  };
  const int rounds = GetParam().width > 1000 ? 6 : 40;
  for (int round = 0; round < rounds; ++round) {
    const auto number = static_cast<uint32_t>(whole(3, 100));
    const Arrived other = composed(number - 3);
    Arrived torn = composed(number);
    const bool toTheStrip = round % 2 == 0;
    const int height = whole(8, (end - begin) / 3);
    const int top = toTheStrip ? end - height : whole(begin + 40, end - height - 40);
    copyRows(other, torn, top, top + height);
    const CaptureRecord record = read(torn);
    if (GetParam().content == "white") {
      EXPECT_EQ(record.status, PictureStatus::Good) << "the line has no contrast";
      EXPECT_EQ(record.lineWitnesses, 0);
      continue;
    }
    EXPECT_NE(record.status, PictureStatus::Good) << number << ' ' << top << ' ' << height;
    if (height >= 60) {
      EXPECT_EQ(record.status, toTheStrip ? PictureStatus::Torn : PictureStatus::Stale)
          << number << ' ' << top << ' ' << height;
    }
    EXPECT_GE(record.firstSpoiltRow + 1, top);
    EXPECT_LE(record.lastSpoiltRow - 1, top + height);
  }
}

TEST_P(Wholeness, aHoleWithoutAnyLineIsDamage) {
  Arrived arrived = composed(40);
  const int height = GetParam().height;
  fillGrey(arrived.picture.picture(),
           {.left = 0, .top = height / 3, .right = GetParam().width, .bottom = height / 2}, 60);
  const CaptureRecord record = read(arrived);
  EXPECT_EQ(record.status, PictureStatus::Damaged);
  EXPECT_NEAR(record.firstSpoiltRow, height / 3, 6);
  EXPECT_NEAR(record.lastSpoiltRow, height / 2, 6);
}

TEST_P(Wholeness, aHoleAtAnEndOfTheLineHasItsOuterRow) {
  const auto& [content, width, height, format] = GetParam();
  const StripGeometry geometry(width, height);
  const int begin = geometry.contentBegin();
  const int end = geometry.contentEnd();
  Arrived atTop = composed(40);
  fillGrey(atTop.picture.picture(), {.left = 0, .top = begin, .right = width, .bottom = height / 3}, 60);
  EXPECT_EQ(read(atTop).firstSpoiltRow, begin);
  Arrived atBottom = composed(40);
  fillGrey(atBottom.picture.picture(), {.left = 0, .top = height / 2, .right = width, .bottom = end}, 60);
  EXPECT_EQ(read(atBottom).lastSpoiltRow, end - 1);
}

/** What is bright in the picture is no other frame's line, be it a spot or as high as the picture. */
TEST_P(Wholeness, aHoleBesideWhatIsBrightIsDamage) {
  if (GetParam().content == "white") return;
  const StripGeometry geometry(GetParam().width, GetParam().height);
  const int begin = geometry.contentBegin();
  const int end = geometry.contentEnd();
  const WhiteLine line = whiteLineAt(40, GetParam().width, kWholeRate);
  const int middle = (begin + end) / 2;
  const int left = 2 * line.left;
  for (const auto& [top, height, barTop, barBottom] :
       {std::array{middle, 8, middle - 2, middle + 10}, std::array{middle, 90, begin, end}}) {
    Arrived arrived = composed(40);
    const Picture picture = arrived.picture.picture();
    fillGrey(picture,
             {.left = left - 40, .top = barTop, .right = left + 40 + line.width, .bottom = barBottom}, 60);
    fillGrey(picture, {.left = left, .top = barTop, .right = left + line.width, .bottom = barBottom},
             kWhiteLuma);
    fillGrey(
        picture,
        {.left = line.left - 10, .top = top, .right = line.left + line.width + 10, .bottom = top + height},
        60);
    const CaptureRecord record = read(arrived);
    EXPECT_EQ(record.status, PictureStatus::Damaged) << height;
  }
}

TEST_P(Wholeness, otherSizesLabelsAndTimesAreFound) {
  Arrived arrived = composed(40);
  arrived.announcement->width *= 2;
  EXPECT_EQ(read(arrived).status, PictureStatus::WrongSize);
  arrived = composed(40);
  arrived.label.slot = 41;
  EXPECT_EQ(read(arrived).status, PictureStatus::Mislabelled);
  arrived = composed(40);
  *arrived.mediaTimeNs += 1000;
  EXPECT_EQ(read(arrived).status, PictureStatus::Mislabelled);
  arrived.mediaTimeNs.reset();
  EXPECT_EQ(read(arrived).status, PictureStatus::Mislabelled);
}

TEST_P(Wholeness, whatLacksBytesIsDamagedAndWhatIsNotCountedIsNot) {
  Arrived arrived = composed(40);
  arrived.integrity = Integrity{.bytesExpected = 1000, .bytesMissing = 0};
  EXPECT_EQ(read(arrived).status, PictureStatus::Good);
  arrived.integrity->bytesMissing = 1;
  EXPECT_EQ(read(arrived).status, PictureStatus::Damaged);
}

TEST_P(Wholeness, greyTurnedGreenIsDiscoloured) {
  Arrived arrived = composed(40);
  const Picture picture = arrived.picture.picture();
  for (int y = 0; y < picture.height; ++y) {
    for (int byte = 0; byte < packedStride(picture.width, picture.format); byte += 4) {
      rowOf(picture, y)[byte] = rowOf(picture, y)[byte + 2] = 0;
    }
  }
  const CaptureRecord record = read(arrived);
  EXPECT_EQ(record.status, PictureStatus::Discoloured);
  EXPECT_LT(record.firstSpoiltRow, picture.height / 10);
  EXPECT_GT(record.lastSpoiltRow, picture.height * 4 / 5);
}

TEST_P(Wholeness, aSenderThatAnnouncesNothingIsJudgedByItsStrips) {
  Arrived arrived = composed(40);
  arrived.announcement.reset();
  arrived.mediaTimeNs = 0;
  fillGrey(
      arrived.picture.picture(),
      {.left = 0, .top = GetParam().height / 3, .right = GetParam().width, .bottom = GetParam().height / 2},
      60);
  const CaptureRecord record = read(arrived);
  EXPECT_EQ(record.status, PictureStatus::Good);
  EXPECT_EQ(record.linePlaces, 0);
}

TEST_P(Wholeness, fieldsAndSendersWithoutARateOrALineHaveNoWitness) {
  Arrived arrived = composed(40);
  arrived.frameFormat = FrameFormat::Fields;
  EXPECT_EQ(read(arrived).linePlaces, 0);
  arrived = composed(40);
  arrived.rate = {0, 1};
  EXPECT_EQ(read(arrived).linePlaces, 0);
  arrived = composed(40);
  arrived.announcement->hasLine = false;
  EXPECT_EQ(read(arrived).linePlaces, 0);
}

INSTANTIATE_TEST_SUITE_P(, Wholeness,
                         testing::Values(Case{"grid", 640, 360, PixelFormat::Uyvy},
                                         Case{"noise", 640, 360, PixelFormat::Uyvy},
                                         Case{"flares", 640, 360, PixelFormat::Bgra},
                                         Case{"white", 640, 360, PixelFormat::Uyvy},
                                         Case{"noise", 1920, 1080, PixelFormat::Uyvy}));

class WholenessOfTall : public Wholeness {};

TEST_P(WholenessOfTall, hasMorePlacesThanAByteCounts) {
  const CaptureRecord record = read(composed(40));
  EXPECT_EQ(record.status, PictureStatus::Good);
  EXPECT_GT(record.linePlaces, 255);
  EXPECT_GT(record.lineWitnesses, 255);
}

INSTANTIATE_TEST_SUITE_P(, WholenessOfTall, testing::Values(Case{"grid", 640, 2160, PixelFormat::Uyvy}));

}  // namespace
}  // namespace whiteline::test
