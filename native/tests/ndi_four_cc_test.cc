#include <gtest/gtest.h>

#include "native/transports/ndi/four_cc.h"

namespace whiteline::test {
namespace {

TEST(FourCc, namesWhatComesAndHowItIsRead) {
  EXPECT_EQ(formatOf(fourCc('U', 'Y', 'V', 'Y')).pixels, PixelFormat::Uyvy);
  EXPECT_EQ(formatOf(fourCc('U', 'Y', 'V', 'A')).pixels, PixelFormat::Uyvy);
  EXPECT_EQ(formatOf(fourCc('B', 'G', 'R', 'A')).pixels, PixelFormat::Bgra);
  EXPECT_EQ(formatOf(fourCc('B', 'G', 'R', 'X')).pixels, PixelFormat::Bgra);
  EXPECT_EQ(formatOf(fourCc('U', 'Y', 'V', 'A')).name.view(), "UYVA");
  EXPECT_EQ(formatOf(fourCc('P', '2', '1', '6')).pixels, std::nullopt);
  EXPECT_EQ(formatOf(fourCc('P', '2', '1', '6')).name.view(), "P216");
  EXPECT_EQ(formatOf(0xFFFFFFFF).name.view(), "????");
  EXPECT_EQ(formatOf(0).name.view(), "????");
}

}  // namespace
}  // namespace whiteline::test
