#include "native/media/pipeline/picture_reader.h"

#include <cmath>

#include "native/media/framecode/chroma_witness.h"
#include "native/media/framecode/white_line.h"
#include "native/media/pattern/grey.h"

namespace whiteline {
namespace {

/** The formats that can be read; the alpha plane of UYVA follows the rest and is left alone. */
std::optional<PixelFormat> readableFormat(uint32_t code) {
  switch (code) {
    case fourCc('U', 'Y', 'V', 'Y'):
    case fourCc('U', 'Y', 'V', 'A'):
      return PixelFormat::Uyvy;
    case fourCc('B', 'G', 'R', 'A'):
    case fourCc('B', 'G', 'R', 'X'):
      return PixelFormat::Bgra;
    default:
      return std::nullopt;
  }
}

/** A codec's noise moves the means of strips and grid by less. */
constexpr float kMostStripColour = 12;
constexpr float kMostMeanColour = 12;
/** Below this share of the contrast that is stamped a picture is dimmed. */
constexpr float kLeastContrastShare = 0.6F;
constexpr uint64_t kReleaseTimeMask = (uint64_t{1} << 48) - 1;
constexpr int64_t k100NsOfUs = 10;
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

/** A sender's timecode is its release time. */
bool isTimeOf(int64_t timecode100Ns, uint64_t releaseTimeUs) {
  return (static_cast<uint64_t>(timecode100Ns / k100NsOfUs) & kReleaseTimeMask) == releaseTimeUs;
}

}  // namespace

std::optional<PictureView> viewOf(const IncomingPicture& picture) {
  const std::optional<PixelFormat> format = readableFormat(picture.fourCc);
  if (!format || picture.data == nullptr || picture.width < 2 || picture.width % 2 != 0 ||
      picture.height < 1 || picture.strideBytes < packedStride(picture.width, *format)) {
    return std::nullopt;
  }
  return PictureView(picture.data, picture.strideBytes, picture.width, picture.height, *format);
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
  record.timestamp100Ns = picture.timestamp100Ns;
  record.timecode100Ns = picture.timecode100Ns;
  const std::string_view metadata = boundedMetadata(picture.metadata);
  const Accompaniment accompaniment{parseFrameMetadata(metadata), parsePictureAnnouncement(metadata)};
  record.senderId = accompaniment.label ? accompaniment.label->senderId : 0;
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
  record.status = statusOf(picture, *view, code, accompaniment, record);
  return record;
}

PictureReader::SizedReader& PictureReader::readerFor(const PictureView& view) {
  if (!reader_ || !reader_->fits(view)) reader_.emplace(view.width, view.height, view.format);
  return *reader_;
}

PictureStatus PictureReader::statusOf(const IncomingPicture& picture, const PictureView& view,
                                      const CodeReading& code, const Accompaniment& accompaniment,
                                      CaptureRecord& record) {
  const std::optional<PictureAnnouncement>& announced = accompaniment.announcement;
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
  if (code.status == PictureStatus::Damaged || line == PictureStatus::Damaged) return PictureStatus::Damaged;
  if (line == PictureStatus::Discoloured || !isNeutral(stripChroma(view)) ||
      (announced && !isNear(meanChroma(view), *announced))) {
    return PictureStatus::Discoloured;
  }
  if (code.levels.contrast() < kLeastContrastShare * stampedContrast(view.format)) {
    return PictureStatus::Dimmed;
  }
  const bool hasOtherSlot = accompaniment.label && accompaniment.label->slot != code.code.frameNumber;
  const bool hasOtherTime = announced && !isTimeOf(picture.timecode100Ns, code.code.releaseTimeUs);
  return hasOtherSlot || hasOtherTime ? PictureStatus::Mislabelled : PictureStatus::Good;
}

void PictureReader::noteLine(const LineReading& line, CaptureRecord& record) {
  record.firstSpoiltRow = static_cast<uint16_t>(line.firstRow);
  record.lastSpoiltRow = static_cast<uint16_t>(line.lastRow);
  record.linePlaces = static_cast<uint16_t>(line.places);
  record.lineWitnesses = static_cast<uint16_t>(line.witnesses);
}

}  // namespace whiteline
