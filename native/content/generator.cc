#include "native/content/generator.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "native/content/generators.h"

namespace whiteline {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Generator> (*make)(const ClipShape& shape);
};

constexpr Entry kEntries[] = {
    {"black", content::makeBlack},
    {"cuts", content::makeCuts},
    {"flares", content::makeFlares},
    {"gradients", content::makeGradients},
    {"live-action-like", content::makeLiveActionLike},
    {"noise", content::makeNoise},
    {"particles", content::makeParticles},
    {"shader", content::makeShader},
    {"text-crawl", content::makeTextCrawl},
    {"zone-plate", content::makeZonePlate},
};

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kEntries)> names;
  std::transform(std::begin(kEntries), std::end(kEntries), names.begin(),
                 [](const Entry& entry) { return entry.name; });
  return names;
}();

/** Rows that a thread takes at a time: few enough to share the work out, enough to be worth a start. */
constexpr int kRowsAtATime = 32;

}  // namespace

std::span<const std::string_view> generatorNames() {
  return kNames;
}

std::unique_ptr<Generator> makeGenerator(std::string_view name, const ClipShape& shape) {
  const auto* entry = std::find_if(std::begin(kEntries), std::end(kEntries),
                                   [name](const Entry& candidate) { return candidate.name == name; });
  return entry == std::end(kEntries) ? nullptr : entry->make(shape);
}

void paintFrame(Generator& generator, uint32_t frame, const Picture& picture, unsigned threads) {
  generator.begin(frame);
  std::atomic<int> nextRow{0};
  const auto paint = [&] {
    for (int top; (top = nextRow.fetch_add(kRowsAtATime)) < picture.height;) {
      generator.paintRows(picture, top, std::min(top + kRowsAtATime, picture.height));
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned helper = 1; helper < threads; ++helper) helpers.emplace_back(paint);
  paint();
}

}  // namespace whiteline
