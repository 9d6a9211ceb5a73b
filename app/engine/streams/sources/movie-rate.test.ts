import { expect, test } from 'vitest';
import { probedOf } from './movie-probe';
import { rateOf } from './movie-rate';

const film = {
  ...{ index: 1, codec_type: 'video', codec_name: 'vp9', width: 640, height: 360, time_base: '1/1000' },
  ...{ r_frame_rate: '1000/1', avg_frame_rate: '60/1' },
};

/** Of a file that does not count its pictures; a packet for each time of decoding and of showing. */
function rateOfTimes(showsMs: number[], changes: object = {}, decodesMs = showsMs) {
  const packets = showsMs.map((ms, index) => ({
    ...{ stream_index: 1, pts_time: (ms / 1000).toFixed(6), flags: ms < 0 ? '_D' : '__' },
    dts_time: ((decodesMs[index] ?? 0) / 1000).toFixed(6),
  }));
  const cover = { stream_index: 0, pts_time: '0.000000', dts_time: '0.000000' };
  const probed = probedOf(
    JSON.stringify({ packets: [cover, ...packets], streams: [{ ...film, ...changes }] }),
  );
  return probed.pictures.map((picture) => rateOf(picture, probed.packets))[0];
}

const at = (perSecond: number, count = 100, fromMs = 0): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + Math.round((1000 * index) / perSecond));

test.each([
  ['a steady movie', at(25), 25, 1],
  ['one of NTSC on a clock of 1 ms', at(30000 / 1001), 30000, 1001],
  ['one that begins late', at(24000 / 1001, 100, 517), 24000, 1001],
  ['one of 2 s', at(50, 100), 50, 1],
])('%s has its rate, whatever ffprobe guesses', (_what, times, numerator, denominator) => {
  expect(rateOfTimes(times)).toEqual({ rate: { numerator, denominator }, isUnsteady: false });
});

test('a rate that is not usual is that of the file', () => {
  expect(rateOfTimes(at(37), { avg_frame_rate: '37/1' })).toEqual({
    rate: { numerator: 37, denominator: 1 },
    isUnsteady: false,
  });
});

test('unsteady times have their average', () => {
  const slowThenFast = [...at(15, 12), ...at(60, 14, 800)];
  const rate = { numerator: Math.round((1000 * 25) / 1.017), denominator: 1000 };
  expect(rateOfTimes(slowThenFast)).toEqual({ rate, isUnsteady: true });
  const jitter = at(30).map((ms, index) => ms + ((7 * index) % 11));
  expect(rateOfTimes(jitter)).toEqual({ rate: { numerator: 30, denominator: 1 }, isUnsteady: true });
});

test('pictures that come later in the file than they are shown leave no gap at the end', () => {
  const shows = at(25, 200);
  // Each third picture comes first.
  const inFile = shows.map((_, index) => shows[index - (index % 3) + ((index + 2) % 3)] ?? 0);
  const decodes = shows.map((ms) => ms - 80);
  expect(rateOfTimes(inFile, {}, decodes)).toEqual({
    rate: { numerator: 25, denominator: 1 },
    isUnsteady: false,
  });
});

test('where its container counts the pictures, or has no times, ffprobe decides', () => {
  const unsteady = [...at(15, 12), ...at(60, 13, 800)];
  const books = { avg_frame_rate: '25/1', r_frame_rate: '25/1' };
  const expected = { rate: { numerator: 25, denominator: 1 }, isUnsteady: false };
  expect(rateOfTimes(unsteady, { ...books, nb_frames: '25' })).toEqual(expected);
  expect(rateOfTimes([], books)).toEqual(expected);
});

test('what VP8 and VP9 decode and never show is no picture', () => {
  const shows = at(24000 / 1001);
  const withHidden = shows.flatMap((ms, index) => (index % 15 === 1 ? [ms - 1, ms] : ms));
  expect(rateOfTimes(withHidden)).toEqual({
    rate: { numerator: 24000, denominator: 1001 },
    isUnsteady: false,
  });
  expect(rateOfTimes(withHidden, { codec_name: 'h264' })?.isUnsteady).toBe(true);
});

test('a last picture that is longer or shorter leaves a steady movie steady', () => {
  const rateAt = (pictures: number, average: string, duration: string) =>
    rateOfTimes(at(30, Math.min(pictures, 149)), {
      ...{ r_frame_rate: '30/1', avg_frame_rate: average, nb_frames: `${pictures}`, duration },
    });
  const steady = { rate: { numerator: 30, denominator: 1 }, isUnsteady: false };
  expect(rateAt(30, '3000/102', '1.020')).toEqual(steady);
  expect(rateAt(30, '3000/97', '0.970')).toEqual(steady);
  // More is known to come than was probed.
  expect(rateAt(300, '300000/10049', '10.049')).toEqual(steady);
  expect(rateAt(300, '30000/1010', '10.1')?.isUnsteady).toBe(true);
  expect(rateAt(30, '30/2', '2')).toEqual({
    rate: { numerator: 15000, denominator: 1000 },
    isUnsteady: true,
  });
});

test('what an edit list hides does not count', () => {
  const books = { avg_frame_rate: '28028/1000', r_frame_rate: '30/1', nb_frames: '86', duration: '2.5333' };
  const shown = at(30, 76);
  const hidden = at(30, 10).map((ms) => ms - 500);
  expect(rateOfTimes([...hidden, ...shown], books)).toEqual({
    rate: { numerator: 30, denominator: 1 },
    isUnsteady: false,
  });
});
