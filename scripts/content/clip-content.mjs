import {
  encodeBc4Alpha,
  encodeBc6h,
  encodeBc7,
  randomBc6hBlocks,
  randomBc7Blocks,
  randomBlocks,
} from './block-codes.mjs';
import { variants } from './clip-list.mjs';
import { encodeTextures } from './ffmpeg.mjs';
import { padToBlocks, testPicture } from './test-picture.mjs';

const everyBlockIn = (encode) => (pictures) => pictures.map(encode);

// `typeNibble`: the lower half of a Hap section's type.
const imageKinds = {
  bc1: {
    typeNibble: 0xb,
    bytesPerBlock: 8,
    random: randomBlocks,
    encode: (pictures) => encodeTextures(pictures, 'hap'),
  },
  bc3: {
    typeNibble: 0xe,
    bytesPerBlock: 16,
    random: randomBlocks,
    encode: (pictures) => encodeTextures(pictures, 'hap_alpha'),
  },
  ycocg: {
    typeNibble: 0xf,
    bytesPerBlock: 16,
    random: randomBlocks,
    encode: (pictures) => encodeTextures(pictures, 'hap_q'),
  },
  bc4: {
    typeNibble: 0x1,
    bytesPerBlock: 8,
    random: randomBlocks,
    encode: everyBlockIn(encodeBc4Alpha),
  },
  bc7: {
    typeNibble: 0xc,
    random: (count, _bytes, seed) => randomBc7Blocks(count, seed),
    encode: everyBlockIn(encodeBc7),
  },
  bc6u: {
    typeNibble: 0x2,
    random: (count, _bytes, seed) => randomBc6hBlocks(count, seed),
    encode: everyBlockIn((picture) => encodeBc6h(picture, false)),
  },
  bc6s: {
    typeNibble: 0x3,
    random: (count, _bytes, seed) => randomBc6hBlocks(count, seed),
    encode: everyBlockIn((picture) => encodeBc6h(picture, true)),
  },
};

/** Pictures of a clip, padded to whole blocks: one for every frame. */
export function clipPictures({ variant, size, timing }) {
  const { label = variant } = variants[variant];
  return timing.durations.map((_, frame) =>
    padToBlocks(testPicture({ ...size, label, frame }), size.width, size.height),
  );
}

/** For every frame the textures of its images: `{typeNibble, bytes}`. */
export function clipTextures(clip) {
  const kinds = variants[clip.variant].images.map((image) => imageKinds[image]);
  const makeTextures = clip.content === 'picture' ? encodedTextures : randomTextures;
  const texturesByImage = kinds.map((kind, image) => makeTextures(clip, kind, image));
  return clip.timing.durations.map((_, frame) =>
    kinds.map(({ typeNibble }, image) => ({ typeNibble, bytes: texturesByImage[image][frame] })),
  );
}

function encodedTextures(clip, { encode }) {
  return encode(clipPictures(clip));
}

function randomTextures({ size, timing }, { random, bytesPerBlock }, image) {
  const blocks = (size.width / 4) * (size.height / 4);
  return timing.durations.map((_, frame) => random(blocks, bytesPerBlock, 1000 * (image + 1) + frame));
}
