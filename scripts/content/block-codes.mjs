import { randomBytes } from './random-bytes.mjs';

// Encoders for the block codes that FFmpeg does not make. Plain rather than good: the two pixels that lie
// furthest apart are the ends of each block's line of colours.

const pixelsPerBlock = 16;
const weightsOf4Bits = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

// The numbers that a BC6H block starts with: two of 2 bits, then those of 5 bits; the last four are reserved.
const bc6hModes = [0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31];
// BC7 modes 0 to 7 start with that many zero bits and a one; a block that starts with eight zeros is reserved.
const bc7Modes = 9;

/** The alpha of a picture as BC4. `picture`: RGBA in whole blocks. */
export function encodeBc4Alpha(picture) {
  return encodeBlocks(picture, 8, (pixels) => bc4Block(pixels.map((pixel) => pixel[3])));
}

/** BC7, mode 6 alone: one line of RGBA colours, sixteen steps. */
export function encodeBc7(picture) {
  return encodeBlocks(picture, 16, bc7Block);
}

/** BC6H, mode 11 alone: one line of RGB colours, sixteen steps; a full level is the half float 1. */
export function encodeBc6h(picture, isSigned) {
  return encodeBlocks(picture, 16, (pixels) => bc6hBlock(pixels, isSigned));
}

/** `count` blocks of random bytes: for BC1, BC3 and BC4 these are all their modes. */
export function randomBlocks(count, bytesPerBlock, seed) {
  return randomBytes(count * bytesPerBlock, seed);
}

/** BC7 blocks of every mode in turn, the reserved one too, with random contents. */
export function randomBc7Blocks(count, seed) {
  const blocks = randomBlocks(count, 16, seed);
  for (let block = 0; block < count; block++) {
    const mode = block % bc7Modes;
    blocks[block * 16] = ((blocks[block * 16] << (mode + 1)) | (1 << mode)) & 255;
  }
  return blocks;
}

/** BC6H blocks of every mode in turn, the reserved ones too, with random contents. */
export function randomBc6hBlocks(count, seed) {
  const blocks = randomBlocks(count, 16, seed);
  for (let block = 0; block < count; block++) {
    const mode = bc6hModes[block % bc6hModes.length];
    const modeBits = mode < 2 ? 2 : 5;
    blocks[block * 16] = ((blocks[block * 16] << modeBits) | mode) & 255;
  }
  return blocks;
}

function encodeBlocks({ width, height, pixels }, bytesPerBlock, encodeBlock) {
  const blocks = new Uint8Array((width / 4) * (height / 4) * bytesPerBlock);
  let offset = 0;
  for (let top = 0; top < height; top += 4) {
    for (let left = 0; left < width; left += 4) {
      blocks.set(encodeBlock(blockPixels(pixels, width, left, top)), offset);
      offset += bytesPerBlock;
    }
  }
  return blocks;
}

function blockPixels(pixels, width, left, top) {
  return Array.from({ length: pixelsPerBlock }, (_, index) => {
    const from = ((top + (index >> 2)) * width + left + (index & 3)) * 4;
    return [...pixels.subarray(from, from + 4)];
  });
}

/** Six steps with 0 and 255 of their own where the block has one of these and others, otherwise eight steps. */
function bc4Block(levels) {
  const inner = levels.filter((level) => level !== 0 && level !== 255);
  const hasEnds = inner.length < levels.length && inner.length > 0;
  const [low, high] = [Math.min(...(hasEnds ? inner : levels)), Math.max(...(hasEnds ? inner : levels))];
  const ends = hasEnds ? [low, high] : [high, low];
  const palette = bc4Palette(...ends);
  const writer = new BitWriter(8);
  for (const end of ends) writer.push(end, 8);
  for (const level of levels)
    writer.push(
      nearest(palette, (step) => Math.abs(step - level)),
      3,
    );
  return writer.bytes;
}

function bc4Palette(first, second) {
  const steps = first > second ? 7 : 5;
  const inner = Array.from({ length: steps - 1 }, (_, index) =>
    Math.round(((steps - 1 - index) * first + (index + 1) * second) / steps),
  );
  return first > second ? [first, second, ...inner] : [first, second, ...inner, 0, 255];
}

function bc7Block(pixels) {
  // Seven bits and one shared lowest bit an end: 1 makes 255 exact, 0 makes 0 exact.
  const toEnd = (pixel) => {
    const lowestBit = pixel[3] >= 128 ? 1 : 0;
    return { lowestBit, upperBits: pixel.map((level) => Math.min(127, (level + 1 - lowestBit) >> 1)) };
  };
  const levelsOf = (end) => end.upperBits.map((bits) => (bits << 1) | end.lowestBit);
  const { ends, indices } = fitLine(pixels, furthestPair(pixels).map(toEnd), levelsOf);
  const writer = new BitWriter(16);
  writer.push(1 << 6, 7);
  for (let channel = 0; channel < 4; channel++) {
    for (const end of ends) writer.push(end.upperBits[channel], 7);
  }
  for (const end of ends) writer.push(end.lowestBit, 1);
  pushIndices(writer, indices);
  return writer.bytes;
}

function bc6hBlock(pixels, isSigned) {
  // A step of the ten-bit ends is 31 steps of the half float's bits, and 62 where one bit is the sign.
  const halfBitsPerStep = isSigned ? 62 : 31;
  const toEnd = (halfBits) => halfBits.map((bits) => Math.round(bits / halfBitsPerStep));
  const levelsOf = (end) => end.map((step) => step * halfBitsPerStep);
  const colours = pixels.map((pixel) => pixel.slice(0, 3).map(halfFloatBits));
  const { ends, indices } = fitLine(colours, furthestPair(colours).map(toEnd), levelsOf);
  const writer = new BitWriter(16);
  writer.push(3, 5);
  for (const end of ends) {
    for (const step of end) writer.push(step, 10);
  }
  pushIndices(writer, indices);
  return writer.bytes;
}

/** Bits of the half float nearest to level / 255, for a level that is not negative. */
function halfFloatBits(level) {
  if (level === 0) return 0;
  const value = level / 255;
  const exponent = Math.floor(Math.log2(value));
  return (exponent + 15) * 1024 + Math.round((value / 2 ** exponent - 1) * 1024);
}

/** The nearest of sixteen steps for every colour; ends are swapped where the first index would need its top bit. */
function fitLine(colours, ends, levelsOf) {
  const [first, second] = ends.map(levelsOf);
  const palette = weightsOf4Bits.map((weight) =>
    first.map((level, channel) => ((64 - weight) * level + weight * second[channel] + 32) >> 6),
  );
  const indices = colours.map((colour) => nearest(palette, (step) => squaredDistance(step, colour)));
  return indices[0] < 8
    ? { ends, indices }
    : { ends: [ends[1], ends[0]], indices: indices.map((index) => 15 - index) };
}

/** The first index has no top bit: it is always 0. */
function pushIndices(writer, indices) {
  for (const [pixel, index] of indices.entries()) writer.push(index, pixel === 0 ? 3 : 4);
}

function furthestPair(colours) {
  let best = { distance: -1, pair: [] };
  for (const [index, first] of colours.entries()) {
    for (const second of colours.slice(index)) {
      const distance = squaredDistance(first, second);
      if (distance > best.distance) best = { distance, pair: [first, second] };
    }
  }
  return best.pair;
}

function squaredDistance(first, second) {
  return first.reduce((sum, level, channel) => sum + (level - second[channel]) ** 2, 0);
}

function nearest(palette, distanceOf) {
  let best = 0;
  for (let index = 1; index < palette.length; index++) {
    if (distanceOf(palette[index]) < distanceOf(palette[best])) best = index;
  }
  return best;
}

/** Lowest bit first. */
class BitWriter {
  constructor(size) {
    this.bytes = new Uint8Array(size);
    this.position = 0;
  }

  push(value, bits) {
    for (let bit = 0; bit < bits; bit++, this.position++) {
      this.bytes[this.position >> 3] |= ((value >> bit) & 1) << (this.position & 7);
    }
  }
}
