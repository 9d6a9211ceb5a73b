#pragma once

#include <memory>

#include "native/content/generator.h"

// One function for each file of the battery; generator.cc gives them their names.

namespace whiteline::content {

std::unique_ptr<Generator> makeBlack(const ClipShape& shape);
std::unique_ptr<Generator> makeCuts(const ClipShape& shape);
std::unique_ptr<Generator> makeFlares(const ClipShape& shape);
std::unique_ptr<Generator> makeGradients(const ClipShape& shape);
std::unique_ptr<Generator> makeLiveActionLike(const ClipShape& shape);
std::unique_ptr<Generator> makeNoise(const ClipShape& shape);
std::unique_ptr<Generator> makeParticles(const ClipShape& shape);
std::unique_ptr<Generator> makeShader(const ClipShape& shape);
std::unique_ptr<Generator> makeTextCrawl(const ClipShape& shape);
std::unique_ptr<Generator> makeZonePlate(const ClipShape& shape);

}  // namespace whiteline::content
