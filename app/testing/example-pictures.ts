/** Whole pictures of 32×16 pixels, as an image program saves them. */
export const examplePictures = {
  png: decoded(
    'iVBORw0KGgoAAAANSUhEUgAAACAAAAAQCAIAAAD4YuoOAAAAIElEQVR4nGP8//8/Ay0BE01NH7Vg1IJRC0YtGLWASgAAf/QD',
    'Hdwlv2cAAAAASUVORK5CYII=',
  ),
  jpeg: decoded(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////',
    '////////////////////////wAALCAAQACABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAA',
    'AAD/2gAIAQEAAD8AAAD/2Q==',
  ),
  webp: decoded('UklGRjAAAABXRUJQVlA4ICQAAACwAgCdASogABAAP83W4mY/tK4nMAgD8DmJaQAAeyAA/ukQAAA='),
  losslessWebp: decoded('UklGRh4AAABXRUJQVlA4TBEAAAAvH8ADAAfQ//73v/+BiOh/AAA='),
  clearWebp: decoded(
    'UklGRloAAABXRUJQVlA4WAoAAAAQAAAAHwAADwAAQUxQSA8AAAABB0AgaYu3/RERR0T0PwAAVlA4ICQAAACwAgCdASogABAA',
    'P83W4mY/tK4nMAgD8DmJaQAAeyAA/uljKAA=',
  ),
} as const;

function decoded(...parts: string[]): Buffer {
  return Buffer.from(parts.join(''), 'base64');
}

/** A PNG that states another size in its head. */
export function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(examplePictures.png);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}
