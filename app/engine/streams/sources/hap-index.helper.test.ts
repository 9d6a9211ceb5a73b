import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { mutatedMovie } from '../../../testing/hap-mutations';
import {
  type FfmpegReading,
  type OwnReading,
  readByFfmpeg,
  readByWhiteline,
} from '../../../testing/hap-readings';
import { cases, Random, seeds } from '../../../testing/random';
import { temporaryFolder } from '../../../testing/temporary-folder';

const folder = temporaryFolder();
const sound = ['-f', 'lavfi', '-i', 'sine=r=48000'];
const makings = [
  { name: 'plain', inputs: [], flags: ['-format', 'hap'] },
  {
    name: 'alpha',
    inputs: sound,
    flags: ['-format', 'hap_alpha', '-chunks', '4', '-movflags', '+faststart'],
  },
  { name: 'q', inputs: sound, flags: ['-format', 'hap_q', '-movie_timescale', '600'] },
  {
    name: 'late',
    inputs: [],
    flags: ['-chunks', '2', '-output_ts_offset', '0.3', '-movflags', '+faststart'],
  },
];

beforeAll(() => {
  for (const { name, inputs, flags } of makings) {
    const video = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=30000/1001'];
    const coding = ['-t', '0.4', '-c:v', 'hap', ...flags, '-c:a', 'pcm_s16le'];
    execFileSync('ffmpeg', ['-v', 'error', ...video, ...inputs, ...coding, join(folder, `${name}.mov`)]);
  }
});

test.each(seeds)(
  'a Hap movie is read as ffmpeg reads it, whatever its index says (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const mutants = Array.from({ length: cases(20, 400) }, (_, index) => {
      const { name } = random.pick(makings);
      const { bytes, changes } = mutatedMovie(readFileSync(join(folder, `${name}.mov`)), random);
      const path = join(folder, `${index}-${name}.mov`);
      writeFileSync(path, bytes);
      return { path, bytes, said: `${index} ${name}: ${changes.join('; ')}` };
    });
    const readings = await readByWhiteline(mutants.map(({ path }) => path));
    const differences: string[] = [];
    let compared = 0;
    const queue = mutants.entries();
    const compareNext = async (): Promise<void> => {
      for (const [index, { path, bytes, said }] of queue) {
        const [own, ffmpeg] = [readings[index], await readByFfmpeg(path)];
        if (!own) throw new Error('fewer readings than movies');
        if (ffmpeg?.isWhole && !('refusal' in own)) compared++;
        const difference = differenceOf(own, ffmpeg, movieTickOf(bytes));
        if (difference) differences.push(`${said}: ${difference}`);
      }
    };
    await Promise.all([compareNext(), compareNext()]);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(mutants.length / 3);
  },
);

/** Why a movie is refused that ffmpeg plays (docs/hap.md). */
const listed = [
  /durations of 1 frame or more/,
  /frames that last longer than 0/,
  /edits at normal speed/,
  /without a pause between/,
  /an edit from tick 0 or later/,
  /sample description/,
  /rising runs|chunk 1 first|in the chunks of box stsc/,
  /entries in box|more bytes in box/,
  /Expected a box \w+ in box/,
  /time scale above 0/,
  /refers to another file/,
  /the file ends at byte|bytes in all, the size of the file/,
  // Not refused: ffmpeg plays it.
  /^MOVIE_NOT_HAP: .*Expected a video track/,
];

/** What Whiteline does with a movie that ffmpeg does not do, if ffmpeg plays the movie whole. */
function differenceOf(
  own: OwnReading | { refusal: string },
  ffmpeg: FfmpegReading | null,
  movieTickSeconds: number,
): string | null {
  if ('refusal' in own) {
    const isListed = listed.some((reason) => reason.test(own.refusal));
    return ffmpeg?.isWhole && !isListed ? `refused: ${own.refusal}` : null;
  }
  if (!ffmpeg?.isWhole) {
    const isDecoded = own.damaged.length === 0 && /hap @/.test(ffmpeg?.complaints ?? '');
    return isDecoded ? `decoded: ${ffmpeg?.complaints}` : null;
  }
  const { timeScale, samples, damaged } = own;
  const both = JSON.stringify({ own: samples, ffmpeg: ffmpeg.frames });
  if (damaged.length > 0) return `frames ${damaged} cannot be decoded`;
  if (timeScale !== ffmpeg.timeScale) return `ticks of ${timeScale} and ${ffmpeg.timeScale}`;
  if (samples.length !== ffmpeg.frames.length) return `other frames: ${both}`;
  const toleranceTicks = isInOrder(ffmpeg) ? 1 + movieTickSeconds * timeScale : Number.POSITIVE_INFINITY;
  const isSame = samples.every(([offset, bytes, startTicks], index) => {
    const [otherOffset, otherBytes, otherTicks] = ffmpeg.frames[index] ?? [];
    const isSamePlace = offset === otherOffset && bytes === otherBytes;
    return (
      isSamePlace && (Math.abs(startTicks - (otherTicks ?? 0)) <= toleranceTicks || isInTail(ffmpeg, index))
    );
  });
  return isSame ? null : `other places or times: ${both}`;
}

/** Where first frames have no duration, ffmpeg makes up times for them, and then goes back. */
function isInOrder({ frames }: FfmpegReading): boolean {
  return frames.every(([, , startTicks], index) => startTicks >= (frames[index - 1]?.[2] ?? 0));
}

/** Last frames without a duration: ffmpeg shows them all at once, Whiteline each as long as the one before. */
function isInTail({ frames }: FfmpegReading, index: number): boolean {
  return index > 0 && frames.slice(index - 1).every(([, , startTicks]) => startTicks === frames.at(-1)?.[2]);
}

/** Of a movie with several edits, whose borders are as coarse; 0 of others. */
function movieTickOf(movie: Buffer): number {
  const [elst, mvhd] = [movie.indexOf('elst'), movie.indexOf('mvhd')];
  if (elst < 0 || mvhd < 0 || movie.readUInt32BE(elst - 4) < 32) return 0;
  return 1 / Math.max(1, movie.readUInt32BE(mvhd + 16));
}
