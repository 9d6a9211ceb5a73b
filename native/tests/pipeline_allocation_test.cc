#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "native/tests/pipeline_fake_movie.h"
#include "native/tests/pipeline_fakes.h"

// Counts what this whole program allocates, from whatever thread.
namespace {

std::atomic<uint64_t> allocations{0};

void* counted(void* memory) {
  ++allocations;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* alignedMemory(size_t size, std::align_val_t alignment) {
  void* memory = nullptr;
  // Exactly as large as asked for, so that AddressSanitizer sees what lies behind it.
  return posix_memalign(&memory, static_cast<size_t>(alignment), size) == 0 ? memory : nullptr;
}

}  // namespace

// Not inlined: the compiler would take their insides for a mismatch of new and free.
#define REPLACED [[gnu::noinline]]

REPLACED void* operator new(size_t size) {
  return counted(std::malloc(size == 0 ? 1 : size));
}
REPLACED void* operator new[](size_t size) {
  return operator new(size);
}
REPLACED void* operator new(size_t size, std::align_val_t alignment) {
  return counted(alignedMemory(size, alignment));
}
REPLACED void* operator new[](size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
REPLACED void operator delete(void* memory) noexcept {
  std::free(memory);
}
REPLACED void operator delete[](void* memory) noexcept {
  std::free(memory);
}
REPLACED void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
REPLACED void operator delete[](void* memory, size_t) noexcept {
  std::free(memory);
}
REPLACED void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
REPLACED void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
REPLACED void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}
REPLACED void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace whiteline::test {
namespace {

/** What is allocated while a source plays a hundred slots, from the fiftieth on. */
uint64_t allocationsWhilePlaying(Source& source) {
  EXPECT_TRUE(eventually([&] { return source.records().size() >= 50; })) << source.status().message;
  const uint64_t before = allocations;
  EXPECT_TRUE(eventually([&] { return source.records().size() >= 150; }));
  return allocations - before;
}

TEST(Allocation, isCountedHere) {
  const uint64_t before = allocations;
  AlignedBytes bytes;
  EXPECT_EQ(allocations, before);
  bytes.atLeast(10);
  EXPECT_EQ(allocations, before + 1);
  ::operator delete(::operator new(1));
  EXPECT_EQ(allocations, before + 2);
}

TEST(Allocation, aHapSourceAllocatesNothingForItsPictures) {
  SourceOptions options = smallSource(SourceKind::Hap, 200);
  options.width = 640;
  options.height = 360;
  options.hap.path = std::string(WHITELINE_TEST_DATA) + "/../../../test-content/bars-640x360-30-hap.mov";
  Source source(options);
  auto mailbox = std::make_shared<Mailbox>(8192);
  source.attach(mailbox);
  EXPECT_EQ(allocationsWhilePlaying(source), 0u);
  size_t released = 0;
  for (const SourceRecord& record : drained(source.records()))
    released += record.state == SlotState::Released;
  EXPECT_GT(released, 30u);
  source.detach(mailbox);
}

TEST(Allocation, neitherDoesOneWhosePicturesAreLate) {
  MovieScript script;
  script.index = evenIndex(12, 200, 1);
  script.onRead = [](size_t frame) {
    if (frame % 12 == 3) sleepUntilNs(monotonicNs() + 40'000'000);
  };
  Source source(smallSource(SourceKind::Hap, 200), [&](const FramePool& pool, MovieHealth& health) {
    return std::make_unique<HapPictures>(pool, std::make_unique<FakeMovie>(script), Rate{200, 1}, 0,
                                         std::make_shared<DecodePool>(2), health);
  });
  EXPECT_EQ(allocationsWhilePlaying(source), 0u);
  size_t late = 0;
  for (const SourceRecord& record : drained(source.records())) late += record.state == SlotState::LateSource;
  EXPECT_GT(late, 10u);
}

TEST(Allocation, aPoolsReferencesAreReusedWithTheirFrames) {
  FramePool pool(320, 180, PixelFormat::Uyvy, 3);
  { const std::shared_ptr<Frame> one = pool.acquire(), other = pool.acquire(); }
  const uint64_t before = allocations;
  for (int round = 0; round < 100; ++round) {
    const std::shared_ptr<Frame> one = pool.acquire(), other = pool.acquire();
    const FrameRef shared = one;
  }
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace whiteline::test
