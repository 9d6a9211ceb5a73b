// What each Hap variant is made of. `ffmpegFormat`: FFmpeg's encoder makes its colour blocks.
export const variants = {
  hap1: { fourCC: 'Hap1', depth: 24, images: ['bc1'] },
  hap5: { fourCC: 'Hap5', depth: 32, images: ['bc3'] },
  hapy: { fourCC: 'HapY', depth: 24, images: ['ycocg'] },
  hapm: { fourCC: 'HapM', depth: 32, images: ['ycocg', 'bc4'] },
  hapa: { fourCC: 'HapA', depth: 32, images: ['bc4'] },
  hap7: { fourCC: 'Hap7', depth: 32, images: ['bc7'] },
  haph: { fourCC: 'HapH', depth: 24, images: ['bc6u'] },
  'haph-signed': { fourCC: 'HapH', depth: 24, images: ['bc6s'], label: 'haph' },
};

const small = { width: 80, height: 48 };
const odd = { width: 127, height: 71 };
// 720 lines: the UYVY of such a picture is BT.709.
const tall = { width: 16, height: 720 };
const randomSize = { width: 64, height: 64 };

const sixFrames = { timeScale: 600, durations: Array(6).fill(20) };
const twoFrames = { timeScale: 600, durations: [20, 20] };
const thirty = { timeScale: 600, durations: [20, 20, 20] };
const plainLayout = {
  brand: 'qt  ',
  movieTimeScale: 600,
  moov: 'end',
  offsets: 'stco',
  mdat: 'normal',
  samplesPerChunk: [1],
};
const frontLayout = { ...plainLayout, moov: 'front', hasFreeBoxes: true };

const single = { compressor: 'snappy', headerBytes: 4 };
const uncompressed = { compressor: 'none', headerBytes: 4 };
const chunked = { compressor: 'chunks', headerBytes: 4, chunks: 3, compressors: ['snappy'] };
const withOffsets = { ...chunked, chunks: 4, hasOffsets: true };
const mixed = { ...chunked, chunks: 5, compressors: ['snappy', 'none'], isUneven: true };
const wide = (structure) => ({ ...structure, headerBytes: 8 });

// One structure for every frame, or one a frame.
const structures = {
  none: { words: 'no compressor', frames: [uncompressed] },
  snappy: { words: 'one Snappy block', frames: [single] },
  'chunks-sizes': { words: '3 chunks with sizes alone', frames: [chunked] },
  'chunks-offsets': { words: '4 chunks in reverse order, with offsets', frames: [withOffsets] },
  'chunks-mixed': { words: '5 uneven chunks, Snappy and none in turn', frames: [mixed] },
  'wide-headers': {
    words: 'section headers of 8 bytes; no compressor, one Snappy block, 4 chunks with offsets, 5 mixed',
    frames: [wide(uncompressed), wide(single), wide(withOffsets), wide(mixed)],
  },
};

/** Every clip, in the order of the list: `{name, variant, size, content, structures, words, timing, layout}`. */
export function clipList() {
  const kinds = Object.keys(variants);
  return [
    ...kinds.filter((variant) => variant !== 'haph-signed').flatMap(structureClips),
    assembled('haph-signed', 'none', uncompressed, 'no compressor'),
    assembled(
      'hap1',
      'unknown-table',
      { ...chunked, hasUnknownTable: true },
      '3 chunks and an unknown table',
    ),
    assembled('hapm', 'alpha-first', { ...single, isAlphaFirst: true }, 'the image of the alpha first'),
    ...kinds.map(randomClip),
    ...kinds.map((variant) => ({ ...assembled(variant, 'odd-127x71', single, 'odd size'), size: odd })),
    ...['hap1', 'hapy', 'hapm', 'hap7', 'haph'].map(tallClip),
    ...containerClips(),
    ...encoderClips(),
  ];
}

function structureClips(variant) {
  return Object.entries(structures).map(([name, { words, frames }]) => ({
    ...assembled(variant, name, frames[0], words),
    structures: frames,
    timing: { timeScale: 600, durations: Array(Math.max(3, frames.length)).fill(20) },
  }));
}

function assembled(variant, name, structure, words = 'one Snappy block') {
  return {
    name: `${variant}-${name}`,
    variant,
    size: small,
    content: 'picture',
    structures: [structure],
    words,
    timing: thirty,
    layout: plainLayout,
  };
}

function randomClip(variant) {
  return {
    ...assembled(variant, 'all-modes', uncompressed, 'random blocks of every mode; no compressor'),
    size: randomSize,
    content: 'random blocks',
    timing: twoFrames,
  };
}

function tallClip(variant) {
  return {
    ...assembled(variant, 'tall-16x720', single, 'BT.709; one Snappy block'),
    size: tall,
    timing: twoFrames,
  };
}

/** What stands around the frames. All are Hap (BC1) in single Snappy blocks. */
function containerClips() {
  const frameTicks = 1001;
  const ntsc = (frames, timeScale) => ({ timeScale, durations: Array(frames).fill(frameTicks) });
  const container = (name, words, timing, layout = plainLayout) => ({
    ...assembled('hap1', name, single, words),
    timing,
    layout,
  });
  const edited = (...edits) => ({ ...plainLayout, edits });
  return [
    container('moov-front', 'moov in front, free boxes', thirty, frontLayout),
    container('co64', '64-bit offsets and media length', thirty, {
      ...frontLayout,
      offsets: 'co64',
      mdat: 'long',
    }),
    container('open-mdat', 'media up to the end of the file, MP4 brand', thirty, {
      ...frontLayout,
      brand: 'mp42',
      mdat: 'open',
    }),
    container(
      'edit-skip',
      'edit list: the first 2 of 6 frames and the last are left out',
      sixFrames,
      edited({ mediaTicks: 40, ticks: 60 }),
    ),
    container(
      'edit-half-frame',
      'edit list: starts in the middle of the second frame',
      sixFrames,
      edited({ mediaTicks: 30, ticks: 90 }),
    ),
    container(
      'edit-pause',
      'edit list: a pause of half a second, then all frames',
      thirty,
      edited({ mediaTicks: -1, ticks: 300 }, { mediaTicks: 0, ticks: 60 }),
    ),
    container(
      'edit-rounded',
      'edit list: 2 of 6 frames of 29.97 a second, rounded up to 67 ms',
      ntsc(6, 30_000),
      {
        ...edited({ mediaTicks: 0, ticks: 2 * frameTicks }),
        movieTimeScale: 1000,
      },
    ),
    container('sound', '59.94 frames a second, sound between the frames', ntsc(6, 60_000), {
      ...frontLayout,
      samplesPerChunk: [2, 1, 3],
      hasSound: true,
    }),
    container('variable', 'frames of different length', { timeScale: 1000, durations: [40, 40, 100, 1, 20] }),
  ];
}

/** Files that are FFmpeg's as a whole: its encoder, its chunks and its file. */
function encoderClips() {
  const formats = { hap1: 'hap', hap5: 'hap_alpha', hapy: 'hap_q' };
  const ntsc = { timeScale: 30_000, durations: Array(3).fill(1001) };
  return Object.entries(formats).flatMap(([variant, format]) => [
    encoderClip({ name: 'ffmpeg', variant, format, chunks: 1, timing: thirty, moov: 'end' }),
    encoderClip({ name: 'ffmpeg-chunks', variant, format, chunks: 4, timing: ntsc, moov: 'front' }),
  ]);
}

function encoderClip({ name, variant, format, chunks, timing, moov }) {
  return {
    ...assembled(variant, name, chunks === 1 ? single : chunked, `FFmpeg's own file, ${chunks} chunks`),
    encoder: { format, chunks, moov },
    timing,
  };
}
