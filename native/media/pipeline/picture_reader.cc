#include "native/media/pipeline/picture_reader.h"

#include <cmath>

#include "native/base/pacing/time_units.h"
#include "native/media/framecode/chroma_witness.h"
#include "native/media/framecode/white_line.h"
#include "native/media/pattern/grey.h"

namespace whiteline {
namespace {

/** A codec's noise moves the means of strips and grid by less. */
constexpr float kMostStripColour = 12;
constexpr float kMostMeanColour = 12;
/** Below this share of the contrast that is stamped a picture is dimmed. */
constexpr float kLeastContrastShare = 0.6F;
constexpr uint64_t kReleaseTimeMask = (uint64_t{1} << 48) - 1;
/** The line's place is worked out with four times the numerator, and the records keep rows in 16 bits. */
constexpr int kHighestRead = 65535;

float stampedContrast(PixelFormat format) {
  return format == PixelFormat::Uyvy ? static_cast<float>(kWhiteLuma - kBlackLuma) : 255.F;
}

/** Fields show half of the line each, and at other times. */
bool hasRate(const IncomingPicture& picture) {
  return picture.rate.numerator > 0 && picture.rate.denominator > 0 &&
         picture.frameFormat == FrameFormat::Progressive && picture.height <= kHighestRead;
}

bool isNeutral(const Chroma& chroma) {
  return chromaDistance(chroma, {kNeutralChroma, kNeutralChroma}) <= kMostStripColour;
}

bool isNear(const Chroma& mean, const PictureAnnouncement& announced) {
  const Chroma expected{static_cast<float>(announced.u), static_cast<float>(announced.v)};
  return chromaDistance(mean, expected) <= kMostMeanColour;
}

/** The moment that a sender's picture shows is its release time. */
bool isTimeOf(const std::optional<int64_t>& mediaTimeNs, uint64_t releaseTimeUs) {
  return mediaTimeNs && (static_cast<uint64_t>(*mediaTimeNs / kNsPerUs) & kReleaseTimeMask) == releaseTimeUs;
}

bool lacksBytes(const IncomingPicture& picture) {
  return picture.integrity && picture.integrity->bytesMissing > 0;
}

}  // namespace

std::optional<PictureView> viewOf(const IncomingPicture& picture) {
  const std::optional<PixelFormat> format = picture.format.pixels;
  const auto& [data, strideBytes] = picture.planes.front();
  if (!format || data == nullptr || picture.width < 2 || picture.width % 2 != 0 || picture.height < 1 ||
      strideBytes < packedStride(picture.width, *format)) {
    return std::nullopt;
  }
  return PictureView(data, strideBytes, picture.width, picture.height, *format);
}

PictureReader::SizedReader::SizedReader(int pixelWidth, int pixelHeight, PixelFormat pixelFormat)
    : width(pixelWidth),
      height(pixelHeight),
      format(pixelFormat),
      code(pixelWidth, pixelHeight, pixelFormat),
      line(pixelWidth, pixelHeight, pixelFormat) {}

bool PictureReader::SizedReader::fits(const PictureView& view) const {
  return width == view.width && height == view.height && format == view.format;
}

CaptureRecord PictureReader::read(const IncomingPicture& picture, const std::optional<PictureView>& view,
                                  int64_t captureNs) {
  CaptureRecord record{};
  record.captureNs = captureNs;
  record.sentNs = picture.sentNs.value_or(kNoTime);
  record.mediaTimeNs = picture.mediaTimeNs.value_or(kNoTime);
  record.senderId = picture.label ? picture.label->senderId : 0;
  record.status = PictureStatus::Undecodable;
  record.pictureClass = PictureClass::Other;
  record.codeHealth = NAN;
  if (!view) return record;
  const CodeReading code = readerFor(*view).code.read(*view);
  record.sourceId = code.code.sourceId;
  record.frameNumber = code.code.frameNumber;
  record.releaseTimeUs = code.code.releaseTimeUs;
  record.codeHealth = code.health;
  if (code.status == PictureStatus::Undecodable) {
    record.pictureClass = classifier_.classify(*view);
    return record;
  }
  record.pictureClass = PictureClass::Coded;
  record.status = statusOf(picture, *view, code, record);
  return record;
}

PictureReader::SizedReader& PictureReader::readerFor(const PictureView& view) {
  if (!reader_ || !reader_->fits(view)) reader_.emplace(view.width, view.height, view.format);
  return *reader_;
}

PictureStatus PictureReader::statusOf(const IncomingPicture& picture, const PictureView& view,
                                      const CodeReading& code, CaptureRecord& record) {
  const std::optional<PictureAnnouncement>& announced = picture.announcement;
  if (announced && (announced->width != view.width || announced->height != view.height)) {
    return PictureStatus::WrongSize;
  }
  if (code.status == PictureStatus::Torn) return PictureStatus::Torn;
  PictureStatus line = PictureStatus::Good;
  if (announced && announced->hasLine && hasRate(picture) && StripGeometry::fits(view.width, view.height)) {
    const WhiteLine place = whiteLineAt(code.code.frameNumber, view.width, picture.rate);
    const LineReading reading = reader_->line.read(view, place, code.levels);
    noteLine(reading, record);
    line = reading.status;
  }
  if (line == PictureStatus::Torn || line == PictureStatus::Stale) return line;
  if (code.status == PictureStatus::Damaged || line == PictureStatus::Damaged || lacksBytes(picture)) {
    return PictureStatus::Damaged;
  }
  if (line == PictureStatus::Discoloured || !isNeutral(stripChroma(view)) ||
      (announced && !isNear(meanChroma(view), *announced))) {
    return PictureStatus::Discoloured;
  }
  if (code.levels.contrast() < kLeastContrastShare * stampedContrast(view.format)) {
    return PictureStatus::Dimmed;
  }
  const bool hasOtherSlot = picture.label && picture.label->slot != code.code.frameNumber;
  const bool hasOtherTime = announced && !isTimeOf(picture.mediaTimeNs, code.code.releaseTimeUs);
  return hasOtherSlot || hasOtherTime ? PictureStatus::Mislabelled : PictureStatus::Good;
}

void PictureReader::noteLine(const LineReading& line, CaptureRecord& record) {
  record.firstSpoiltRow = static_cast<uint16_t>(line.firstRow);
  record.lastSpoiltRow = static_cast<uint16_t>(line.lastRow);
  record.linePlaces = static_cast<uint16_t>(line.places);
  record.lineWitnesses = static_cast<uint16_t>(line.witnesses);
}

}  // namespace whiteline
