import { randomBytes } from './random-bytes.mjs';

// 3×5 dots a letter, one row a number, the left dot is the highest bit.
const font = {
  H: [5, 5, 7, 5, 5],
  A: [2, 5, 7, 5, 5],
  P: [6, 5, 6, 4, 4],
  Y: [5, 5, 2, 2, 2],
  M: [5, 7, 7, 5, 5],
  0: [7, 5, 5, 5, 7],
  1: [2, 6, 2, 2, 7],
  2: [7, 1, 7, 4, 7],
  3: [7, 1, 7, 1, 7],
  4: [5, 5, 7, 1, 1],
  5: [7, 4, 7, 1, 7],
  7: [7, 1, 2, 2, 2],
  ' ': [0, 0, 0, 0, 0],
};
const letterDots = 4;
const barColours = [
  [255, 255, 255],
  [255, 255, 0],
  [0, 255, 255],
  [0, 255, 0],
  [255, 0, 255],
  [255, 0, 0],
  [0, 0, 255],
  [0, 0, 0],
];

/**
 * A frame of the moving test picture, packed RGBA with straight alpha: its name and number, a gradient with a
 * ball that moves over it, hard edges, noise, full colours, and an alpha with ramps and edges. Whole numbers only,
 * so that every machine draws the same.
 */
export function testPicture({ width, height, label, frame }) {
  const scene = { width, height, frame, noise: randomBytes(width * height, frame + 1) };
  const picture = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      picture.set([...colourAt(scene, x, y), alphaAt(scene, x, y)], (y * width + x) * 4);
    }
  }
  drawText(picture, scene, `${label} ${frame}`.toUpperCase());
  return picture;
}

/** The same picture with its last column and row repeated, up to whole blocks of 4×4. */
export function padToBlocks(picture, width, height) {
  const padded = { width: roundUpTo4(width), height: roundUpTo4(height) };
  const pixels = new Uint8Array(padded.width * padded.height * 4);
  for (let y = 0; y < padded.height; y++) {
    for (let x = 0; x < padded.width; x++) {
      const from = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 4;
      pixels.set(picture.subarray(from, from + 4), (y * padded.width + x) * 4);
    }
  }
  return { ...padded, pixels };
}

function roundUpTo4(size) {
  return Math.ceil(size / 4) * 4;
}

function colourAt(scene, x, y) {
  const { width, height, frame } = scene;
  if (y >= height - Math.floor(height / 6)) return barColours[Math.floor((x * 8) / width)];
  if (x >= width - Math.floor(width / 5)) return texturedAt(scene, x, y);
  const ballX = Math.floor(width / 4) + frame * 7;
  const distance = (x - ballX) ** 2 + (y - Math.floor(height / 2)) ** 2;
  const radius = Math.floor(Math.min(width, height) / 5);
  const glow = Math.max(0, 255 - Math.floor((distance * 255) / (radius * radius)));
  const gradient = [
    Math.floor((x * 255) / width),
    Math.floor((y * 255) / height),
    255 - Math.floor((x * 255) / width),
  ];
  return gradient.map((level) => level + Math.floor(((255 - level) * glow) / 255));
}

/** The right-hand strip: grey noise above, edges of one pixel below. */
function texturedAt({ width, height, frame, noise }, x, y) {
  if (y < height / 2) {
    const level = noise[y * width + x];
    return [level, level, level];
  }
  const isLight = ((x + y + frame) & 1) === 0;
  return isLight ? [255, 255, 255] : [0, 0, 0];
}

/** A ramp across the upper two thirds, below it stripes of nothing and all. */
function alphaAt({ width, height, frame }, x, y) {
  if (y < Math.floor((height * 2) / 3)) return Math.floor((x * 255) / (width - 1));
  return ((x + frame) >> 3) & 1 ? 255 : 0;
}

function drawText(picture, { width, height }, text) {
  const dot = Math.max(1, Math.floor(Math.min(width / (text.length * letterDots), height / 24)));
  [...text].forEach((letter, position) => {
    font[letter].forEach((row, dotY) => {
      for (let dotX = 0; dotX < 3; dotX++) {
        if ((row >> (2 - dotX)) & 1) {
          fillSquare(picture, width, (position * letterDots + dotX + 1) * dot, (dotY + 1) * dot, dot);
        }
      }
    });
  });
}

function fillSquare(picture, width, left, top, size) {
  for (let y = top; y < top + size; y++) {
    for (let x = left; x < left + size; x++) picture.set([255, 255, 255, 255], (y * width + x) * 4);
  }
}
