#pragma once

#include <cstdint>

namespace whiteline::content {

constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;

/** Whether a cell of a letter is inked. Capital letters and digits are known, all else is blank. */
bool glyphCell(char letter, int column, int row);

}  // namespace whiteline::content
