// Feeds pictures of arbitrary format, stride, size, rate, metadata and bytes through all that a receiver does
// with one: the reader with its witnesses, the preview, and the copy for a display window.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "native/fuzz/fuzz_input.h"
#include "native/media/framecode/code_stamper.h"
#include "native/media/framecode/white_line.h"
#include "native/media/pattern/preview.h"
#include "native/media/pattern/reduced_copy.h"
#include "native/media/pipeline/picture_reader.h"
#include "native/transports/ndi/four_cc.h"
#include "native/transports/ndi/frame_metadata.h"

namespace {

using namespace whiteline;
using fuzz::Input;
using fuzz::require;

constexpr std::array<uint32_t, 9> kFormats{
    fourCc('U', 'Y', 'V', 'Y'), fourCc('U', 'Y', 'V', 'A'), fourCc('B', 'G', 'R', 'A'),
    fourCc('B', 'G', 'R', 'X'), fourCc('P', '2', '1', '6'), fourCc('P', 'A', '1', '6'),
    fourCc('Y', 'V', '1', '2'), fourCc('N', 'V', '1', '2'), 0xFFFFFFFF};

/** The bytes that an SDK would hand over for such a picture: rows of this stride, and nothing after the
 * last. */
size_t bytesOf(int width, int height, int strideBytes, uint32_t format) {
  const bool isBgra = format == fourCc('B', 'G', 'R', 'A') || format == fourCc('B', 'G', 'R', 'X');
  const int rowBytes = std::max(0, width) * (isBgra ? 4 : 2);
  if (height < 1 || strideBytes < 0) return 0;
  return static_cast<size_t>(strideBytes) * static_cast<size_t>(height - 1) +
         static_cast<size_t>(std::min(rowBytes, strideBytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input({data, size});
  const int width = static_cast<int>(input.number(2) % 700) - 2;
  const int height = static_cast<int>(input.number(2) % 400) - 2;
  const uint32_t format = kFormats[input.number(1) % kFormats.size()];
  const int strideBytes = width * 4 + static_cast<int>(static_cast<int16_t>(input.number(2)) % 4096);
  const auto frameNumber = static_cast<uint32_t>(input.number(4));
  const uint64_t options = input.number(1);
  const Rate rate{static_cast<uint32_t>(input.number(4)), static_cast<uint32_t>(input.number(2))};
  const std::span<const uint8_t> rest = input.rest();

  const size_t byteCount = bytesOf(width, height, strideBytes, format);
  const auto bytes = std::make_unique<uint8_t[]>(byteCount);
  for (size_t filled = 0; filled < byteCount && !rest.empty(); filled += rest.size())
    std::memcpy(bytes.get() + filled, rest.data(), std::min(rest.size(), byteCount - filled));
  std::string text(rest.begin(), rest.end());
  if ((options & 1) == 0) {
    text.clear();
    appendFrameLabel(text, {3, frameNumber});
    appendPictureAnnouncement(text, {std::max(1, width), std::max(1, height), true, 128, 128});
  }
  const std::string_view metadata = boundedMetadata(text.c_str());
  const IncomingPicture incoming{
      .format = formatOf(format),
      .planes = {{{byteCount > 0 ? bytes.get() : nullptr, strideBytes}}},
      .width = width,
      .height = height,
      .rate = rate,
      .frameFormat = static_cast<FrameFormat>((options >> 1 & 3) % 3),
      .sentNs = std::nullopt,
      .mediaTimeNs = static_cast<int64_t>(input.number(8)),
      .integrity = (options & 32) != 0 ? std::optional(Integrity{byteCount, options}) : std::nullopt,
      .label = parseFrameLabel(metadata),
      .announcement = parsePictureAnnouncement(metadata)};
  const std::optional<PictureView> view = viewOf(incoming);
  if (view && StripGeometry::fits(width, height) && (options & 8) != 0) {
    const Picture picture{bytes.get(), strideBytes, width, height, view->format};
    if ((options & 16) != 0 && rate.numerator > 0)
      drawWhiteLine(picture, whiteLineAt(frameNumber, width, rate));
    CodeStamper(width, height, view->format).stamp(picture, {7, frameNumber, 1});
  }

  PictureReader reader;
  const CaptureRecord record = reader.read(incoming, view, 1);
  require(view || record.status == PictureStatus::Undecodable);
  require(record.firstSpoiltRow <= record.lastSpoiltRow && record.lineWitnesses <= record.linePlaces);
  require(record.lastSpoiltRow < std::max(1, height));
  if (!view) return 0;
  const int frameHeight = incoming.frameFormat == FrameFormat::Fields ? 2 * height : height;
  const PreviewSize small = previewSize(width, frameHeight, static_cast<int>(options % 200) + 1);
  const auto rgba =
      std::make_unique<uint8_t[]>(static_cast<size_t>(small.width) * static_cast<size_t>(small.height) * 4);
  reduceToRgba(*view, frameHeight, small, rgba.get());
  const ReducedSize reduced =
      reducedSize(width, height, static_cast<int>(options) + 2, static_cast<int>(options) + 1);
  const auto copy = std::make_unique<uint8_t[]>(pictureBytes(reduced.width, reduced.height, view->format));
  copyReduced(*view, reduced, copy.get());
  return 0;
}
