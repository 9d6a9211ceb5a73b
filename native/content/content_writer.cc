#include "native/content/content_writer.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "native/base/platform/error.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

constexpr size_t kErrorTailBytes = 2000;
/** A command that refuses its input may take so long to end, so that its exit code can be reported. */
constexpr auto kEndingPatience = std::chrono::milliseconds(500);

std::string namesOfAll() {
  std::string list;
  for (const std::string_view name : generatorNames()) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

}  // namespace

ContentWriter::ContentWriter(const ContentWriterOptions& options) : shape_(options.shape) {
  const auto names = generatorNames();
  if (std::find(names.begin(), names.end(), options.generator) == names.end()) {
    throw Error("INVALID_ARGUMENT",
                "Expected one of " + namesOfAll() + " for generator but received " + options.generator);
  }
  try {
    process_ = std::make_unique<ChildProcess>(options.command, ChildProcess::Traffic::WriteInput);
  } catch (const Error& error) {
    settle(ContentWriterState::Failed, error.what());
    return;
  }
  thread_ = std::thread([this, name = options.generator] { run(name); });
}

ContentWriter::~ContentWriter() {
  close();
}

ContentWriterStatus ContentWriter::status() const {
  const std::lock_guard lock(mutex_);
  return {state_, framesWritten_, message_};
}

void ContentWriter::close() {
  if (process_ == nullptr) return;
  process_->interrupt();
  if (thread_.joinable()) thread_.join();
  process_->end(std::chrono::milliseconds(0));
}

void ContentWriter::run(const std::string& generatorName) {
  nameThread("wl-content");
  adoptThreadPolicy(ThreadRole::Background);
  try {
    generator_ = makeGenerator(generatorName, shape_);
    pixels_.resize(pictureBytes(shape_.width, shape_.height, PixelFormat::Bgra));
    writeClip();
  } catch (const std::exception& error) {
    // No memory for a picture, or no thread to be had.
    process_->end(std::chrono::milliseconds(0));
    settle(ContentWriterState::Failed, std::string("The pictures cannot be painted: ") + error.what());
  }
}

void ContentWriter::writeClip() {
  const int stride = packedStride(shape_.width, PixelFormat::Bgra);
  const Picture picture{pixels_.data(), stride, shape_.width, shape_.height, PixelFormat::Bgra};
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  for (uint32_t frame = 0; frame < shape_.frames; ++frame) {
    paintFrame(*generator_, frame, picture, threads);
    if (!writePicture()) return;
    ++framesWritten_;
  }
  finish();
}

bool ContentWriter::writePicture() {
  std::string errorText;
  for (size_t written = 0; written < pixels_.size();) {
    size_t count = 0;
    switch (process_->write(pixels_.data() + written, pixels_.size() - written, count, errorText)) {
      case ChildProcess::Event::InputTaken:
        written += count;
        break;
      case ChildProcess::Event::ErrorText:
        keepErrorText(errorText);
        break;
      case ChildProcess::Event::Interrupted:
        settle(ContentWriterState::Failed, "Stopped");
        return false;
      default:
        failWith("took no more pictures", process_->end(kEndingPatience));
        return false;
    }
  }
  return true;
}

void ContentWriter::finish() {
  std::string errorText;
  while (true) {
    switch (process_->waitForEnd(errorText)) {
      case ChildProcess::Event::ErrorText:
        keepErrorText(errorText);
        break;
      case ChildProcess::Event::Interrupted:
        settle(ContentWriterState::Failed, "Stopped");
        return;
      default: {
        const ChildProcess::Ending ending = process_->end(std::chrono::milliseconds(0));
        if (ending.succeeded) {
          settle(ContentWriterState::Done, "");
        } else {
          failWith("did not finish the clip", ending);
        }
        return;
      }
    }
  }
}

void ContentWriter::failWith(const std::string& what, const ChildProcess::Ending& ending) {
  keepErrorText(ending.errorText);
  const std::string counts = std::to_string(framesWritten_) + " of " + std::to_string(shape_.frames);
  settle(ContentWriterState::Failed,
         "The command " + what + " after " + counts + " and ended with " + ending.how +
             (errorTail_.empty() ? "; it wrote nothing to standard error" : ":\n" + errorTail_));
}

void ContentWriter::settle(ContentWriterState state, const std::string& message) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  message_ = message;
}

void ContentWriter::keepErrorText(const std::string& text) {
  errorTail_ += text;
  if (errorTail_.size() > kErrorTailBytes) errorTail_.erase(0, errorTail_.size() - kErrorTailBytes);
}

}  // namespace whiteline
