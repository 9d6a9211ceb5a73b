#pragma once

#include <cstdint>
#include <optional>

#include "native/core/framecode/code_reader.h"
#include "native/core/pattern/picture_class.h"
#include "native/core/pipeline/video_input.h"
#include "native/core/statistics/records.h"

namespace whiteline {

/** The part of a captured picture that can be read; nothing where its format or its size are not
 * understood. */
std::optional<PictureView> viewOf(const IncomingPicture& picture);

/** Makes the record of each captured picture of one stream. Allocates only when size or format change. */
class PictureReader {
 public:
  /** `view` is that of `picture`. */
  CaptureRecord read(const IncomingPicture& picture, const std::optional<PictureView>& view,
                     int64_t captureNs);

 private:
  void readCode(const PictureView& view, CaptureRecord& record);

  struct SizedReader {
    int width;
    int height;
    PixelFormat format;
    CodeReader reader;
  };
  std::optional<SizedReader> reader_;
  PictureClassifier classifier_;
};

}  // namespace whiteline
