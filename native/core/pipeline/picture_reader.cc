#include "native/core/pipeline/picture_reader.h"

#include <cmath>

#include "native/core/pipeline/frame_metadata.h"

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

}  // namespace

std::optional<PictureView> viewOf(const IncomingPicture& picture) {
  const std::optional<PixelFormat> format = readableFormat(picture.fourCc);
  if (!format || picture.data == nullptr || picture.width < 2 || picture.width % 2 != 0 ||
      picture.height < 1 || picture.strideBytes < packedStride(picture.width, *format)) {
    return std::nullopt;
  }
  return PictureView(picture.data, picture.strideBytes, picture.width, picture.height, *format);
}

CaptureRecord PictureReader::read(const IncomingPicture& picture, const std::optional<PictureView>& view,
                                  int64_t captureNs) {
  CaptureRecord record{};
  record.captureNs = captureNs;
  record.timestamp100Ns = picture.timestamp100Ns;
  record.timecode100Ns = picture.timecode100Ns;
  const std::optional<FrameLabel> label = frameLabelOf(picture.metadata);
  record.senderId = label ? label->senderId : 0;
  record.status = CodeStatus::Undecodable;
  record.pictureClass = PictureClass::Other;
  record.codeHealth = NAN;
  if (view) readCode(*view, record);
  return record;
}

void PictureReader::readCode(const PictureView& view, CaptureRecord& record) {
  if (!reader_ || reader_->width != view.width || reader_->height != view.height ||
      reader_->format != view.format) {
    reader_.emplace(
        SizedReader{view.width, view.height, view.format, CodeReader(view.width, view.height, view.format)});
  }
  const CodeReading reading = reader_->reader.read(view);
  record.status = reading.status;
  record.sourceId = reading.code.sourceId;
  record.frameNumber = reading.code.frameNumber;
  record.releaseTimeUs = reading.code.releaseTimeUs;
  record.codeHealth = reading.health;
  record.pictureClass =
      reading.status == CodeStatus::Undecodable ? classifier_.classify(view) : PictureClass::Coded;
}

}  // namespace whiteline
