#include "native/media/hap/mov_box.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "native/media/hap/movie_error.h"

namespace whiteline::test {
namespace {

/** Bytes lie behind the box, so that only its own end can stop a reader. */
struct ShortBox {
  std::array<uint8_t, 64> bytes{};

  MovBox of(size_t contentBytes) const {
    return {0x73747473, 100, 108, std::span(bytes).first(contentBytes)};
  }
};

TEST(MovFields, readUpToTheLastByteOfTheirBoxAndNoFurther) {
  const ShortBox box;
  const std::vector<std::pair<size_t, std::function<void(MovFields&)>>> reads{
      {1, [](MovFields& fields) { fields.number8(); }},  {2, [](MovFields& fields) { fields.number16(); }},
      {4, [](MovFields& fields) { fields.number32(); }}, {8, [](MovFields& fields) { fields.number64(); }},
      {13, [](MovFields& fields) { fields.skip(13); }},
  };
  for (const auto& [bytes, read] : reads) {
    MovFields whole(box.of(bytes));
    EXPECT_NO_THROW(read(whole)) << bytes;
    EXPECT_EQ(whole.remaining(), 0u);
    MovFields cut(box.of(bytes - 1));
    EXPECT_THROW(read(cut), MovieError) << bytes;
    EXPECT_EQ(cut.remaining(), bytes - 1);
  }
}

TEST(MovTable, holdsNoMoreEntriesThanItsBox) {
  const ShortBox box;
  MovFields two(box.of(23));
  EXPECT_EQ(MovTable(two, 2, 8).count(), 2u);
  MovFields three(box.of(23));
  EXPECT_THROW(MovTable(three, 3, 8), MovieError);
}

}  // namespace
}  // namespace whiteline::test
