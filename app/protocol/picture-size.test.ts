import { expect, test } from 'vitest';
import { examplePictures } from '../testing/example-pictures';
import { pictureKindOf } from './picture-kinds';

const sizeOf = (bytes: Buffer) => pictureKindOf(bytes)?.sizeOf(bytes);

test.each(Object.entries(examplePictures))(
  'a whole %s has its size, one cut anywhere has none',
  (_, picture) => {
    expect(sizeOf(picture)).toEqual({ width: 32, height: 16 });
    for (let length = 12; length < picture.length; length++)
      expect(sizeOf(picture.subarray(0, length)), `${length} bytes`).toBeNull();
  },
);

test('a picture without pixels has no size', () => {
  const png = Buffer.from(examplePictures.png);
  png.writeUInt32BE(0, 16);
  expect(sizeOf(png)).toBeNull();
});
