#pragma once

#include <cstdint>
#include <optional>

#include "native/media/framecode/code_reader.h"
#include "native/media/framecode/line_witness.h"
#include "native/media/pattern/picture_class.h"
#include "native/media/pipeline/incoming.h"
#include "native/media/records/records.h"

namespace whiteline {

/** The part of a captured picture that can be read; nothing if its format or its size are not
 * understood. */
std::optional<PictureView> viewOf(const IncomingPicture& picture);

/**
 * Makes the record of each captured picture of one stream: reads its code, and judges by the code, by what
 * the sender announced and by the white line whether the picture is whole. Allocates only when size or format
 * change.
 */
class PictureReader {
 public:
  /** `view` is that of `picture`. */
  CaptureRecord read(const IncomingPicture& picture, const std::optional<PictureView>& view,
                     int64_t captureNs);

 private:
  struct SizedReader {
    SizedReader(int pixelWidth, int pixelHeight, PixelFormat pixelFormat);
    bool fits(const PictureView& view) const;

    int width;
    int height;
    PixelFormat format;
    CodeReader code;
    LineWitness line;
  };

  SizedReader& readerFor(const PictureView& view);
  /** What of the code, by the first of the faults that applies. */
  PictureStatus statusOf(const IncomingPicture& picture, const PictureView& view, const CodeReading& code,
                         CaptureRecord& record);
  static void noteLine(const LineReading& line, CaptureRecord& record);

  std::optional<SizedReader> reader_;
  PictureClassifier classifier_;
};

}  // namespace whiteline
