import { writeFileSync } from 'node:fs';
import { clipPictures, clipTextures } from './clip-content.mjs';
import { clipFacts, delayTicks } from './clip-facts.mjs';
import { variants } from './clip-list.mjs';
import { decodeAll, encodeFile, probe } from './ffmpeg.mjs';
import { hapFrame } from './hap-frame.mjs';
import { movFile } from './mov-file.mjs';

// FFmpeg has no decoder for these.
const unknownToFfmpeg = ['Hap7', 'HapH'];

/**
 * Writes a clip and gives its facts; `sameInFfmpeg`: FFmpeg decodes it and shows the same frames. Throws where
 * FFmpeg unexpectedly reads something else out of the file.
 */
export function makeClip(clip, file) {
  const sampleBytes = clip.encoder ? encodeClip(clip, file) : writeAssembledClip(clip, file);
  const facts = clipFacts(clip, sampleBytes);
  expectSameAsFfmpeg(facts, delayTicks(clip), file);
  const isDecoded = isDecodedByFfmpeg(clip);
  if (isDecoded) decodeAll(file);
  return { ...facts, sameInFfmpeg: isDecoded };
}

/**
 * FFmpeg takes the images of Hap Q Alpha by their order, looks for them in the wrong place after a header of 8
 * bytes, and does not skip the bytes of an unknown table.
 */
function isDecodedByFfmpeg({ variant, structures }) {
  const hasTwoImages = variants[variant].images.length > 1;
  const isMisread = ({ headerBytes, hasUnknownTable, isAlphaFirst }) =>
    (hasTwoImages && headerBytes === 8) || hasUnknownTable || isAlphaFirst;
  return !unknownToFfmpeg.includes(variants[variant].fourCC) && !structures.some(isMisread);
}

function encodeClip(clip, file) {
  encodeFile(clipPictures(clip), clip.encoder, clip.timing, file);
  return probe(file).packets.map(({ size }) => size);
}

function writeAssembledClip(clip, file) {
  const { bytes, sampleBytes } = assembleClip(clip);
  writeFileSync(file, bytes);
  return sampleBytes;
}

/** The bytes of a clip whose file is not FFmpeg's, and those of each frame. */
export function assembleClip(clip) {
  const { fourCC, depth } = variants[clip.variant];
  const frames = clipTextures(clip).map((textures, frame) =>
    hapFrame(textures, clip.structures[frame % clip.structures.length]),
  );
  const bytes = movFile({ fourCC, depth, ...clip.size, ...clip.timing, frames }, clip.layout);
  return { bytes, sampleBytes: frames.map((frame) => frame.length) };
}

function expectSameAsFfmpeg({ fourCC, width, height, startTicks, frameBytes }, delay, file) {
  const found = probe(file);
  const ours = {
    codec_tag_string: fourCC,
    width,
    height,
    packets: startTicks.map((ticks, frame) => ({ pts: delay + ticks, size: frameBytes[frame] })),
  };
  const [expected, received] = [ours, found].map((facts) => JSON.stringify(sorted(facts)));
  if (expected !== received) {
    throw new Error(`Expected ${expected} in ${file} but FFmpeg reads ${received}`);
  }
}

function sorted(facts) {
  return Object.fromEntries(Object.entries(facts).sort(([first], [second]) => (first < second ? -1 : 1)));
}
