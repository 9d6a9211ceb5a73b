#include "native/media/quality/picture_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "native/base/platform/error.h"
#include "native/base/platform/system_path.h"

namespace whiteline {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

std::string pictureFile(const std::string& folder, StreamEnd end, uint32_t frameNumber) {
  const char* name = end == StreamEnd::Sent ? "sent" : "received";
  return folder + "/" + name + "-" + std::to_string(frameNumber) + ".uyvy";
}

void writePictureFile(const std::string& path, const std::vector<uint8_t>& bytes) {
  File file(openFile(path, "wb"));
  bool isWritten = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  // What is still buffered may find the disk full.
  if (isWritten) isWritten = std::fflush(file.get()) == 0;
  if (isWritten) return;
  const std::string why = std::strerror(errno);
  file.reset();
  std::error_code ignored;
  std::filesystem::remove(systemPath(path), ignored);
  throw Error("FILE_UNWRITABLE", path + " cannot be written: " + why);
}

void readPictureFile(const std::string& path, std::vector<uint8_t>& bytes) {
  const File file(openFile(path, "rb"));
  if (!file) throw Error("FILE_UNREADABLE", path + " cannot be read: " + std::strerror(errno));
  const size_t count = std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (count == bytes.size() && std::fgetc(file.get()) == EOF) return;
  throw Error("FILE_UNREADABLE", path + " is not a picture of " + std::to_string(bytes.size()) + " bytes");
}

}  // namespace whiteline
