#include "native/media/quality/png_writer.h"

#include <chrono>
#include <cstdio>

#include "native/base/platform/error.h"

namespace whiteline {
namespace {

constexpr auto kEndingPatience = std::chrono::milliseconds(500);

Command commandFor(const std::string& program, const RawPicture& picture, const std::string& path) {
  const bool isUyvy = picture.format == RawPicture::Format::Uyvy;
  const std::string size = std::to_string(picture.width) + "x" + std::to_string(picture.height);
  // The matrix by which this house reads UYVY: see colour.h.
  const std::string matrix = picture.height >= 720 ? "bt709" : "smpte170m";
  const std::string filter = isUyvy ? "scale=in_color_matrix=" + matrix : "null";
  return {program, {"-v",
                    "error",
                    "-nostdin",
                    "-f",
                    "rawvideo",
                    "-pix_fmt",
                    isUyvy ? "uyvy422" : "rgb24",
                    "-video_size",
                    size,
                    "-i",
                    "pipe:0",
                    "-vf",
                    filter,
                    "-pix_fmt",
                    "rgb24",
                    "-frames:v",
                    "1",
                    "-f",
                    "image2",
                    "-update",
                    "1",
                    "-y",
                    "file:" + path}};
}

}  // namespace

void PngWriter::write(const RawPicture& picture, const std::string& path) {
  ChildProcess process(commandFor(program_, picture, path), ChildProcess::Traffic::WriteInput);
  {
    const std::lock_guard lock(mutex_);
    process_ = &process;
    if (interrupted_) process.interrupt();
  }
  try {
    pipe(process, picture);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    process_ = nullptr;
    std::remove(path.c_str());
    throw;
  }
  const std::lock_guard lock(mutex_);
  process_ = nullptr;
}

void PngWriter::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  if (process_ != nullptr) process_->interrupt();
}

void PngWriter::pipe(ChildProcess& process, const RawPicture& picture) {
  std::string said;
  std::string errorText;
  size_t written = 0;
  ChildProcess::Event event = ChildProcess::Event::InputTaken;
  while (written < picture.bytes.size() && event != ChildProcess::Event::InputRefused) {
    size_t count = 0;
    event = process.write(picture.bytes.data() + written, picture.bytes.size() - written, count, errorText);
    if (event == ChildProcess::Event::InputTaken) written += count;
    if (event == ChildProcess::Event::ErrorText) said += errorText;
    if (event == ChildProcess::Event::Interrupted) break;
  }
  while (event != ChildProcess::Event::Interrupted) {
    event = process.waitForEnd(errorText);
    if (event != ChildProcess::Event::ErrorText) break;
    said += errorText;
  }
  const bool isInterrupted = event == ChildProcess::Event::Interrupted;
  const ChildProcess::Ending ending =
      process.end(isInterrupted ? std::chrono::milliseconds(0) : kEndingPatience);
  if (ending.succeeded && !isInterrupted) return;
  said += ending.errorText;
  throw Error("FILE_UNWRITABLE",
              program_ + " made no picture and ended with " + ending.how + (said.empty() ? "" : ": " + said));
}

}  // namespace whiteline
