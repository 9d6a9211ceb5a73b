#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/media/pattern/picture.h"

namespace whiteline {

/** Which end of a stream a kept picture is of. */
enum class StreamEnd : uint8_t { Sent, Received };

/** Where a kept picture lies: "sent-123.uyvy". Its bytes are the rows, packed, and nothing else. */
std::string pictureFile(const std::string& folder, StreamEnd end, uint32_t frameNumber);

/** @throws Error FILE_UNWRITABLE naming the file and the reason; nothing of it is left then */
void writePictureFile(const std::string& path, const std::vector<uint8_t>& bytes);

/** @throws Error FILE_UNREADABLE naming the file; also when it is shorter or longer than `bytes` */
void readPictureFile(const std::string& path, std::vector<uint8_t>& bytes);

}  // namespace whiteline
