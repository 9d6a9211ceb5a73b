import { expect, test } from 'vitest';
import { type MoviePlay, playOf } from './movie-play';
import { probedOf } from './movie-probe';
import { playTexts } from './play-words';

const film = {
  ...{ index: 0, codec_type: 'video', codec_name: 'h264', width: 640, height: 360, pix_fmt: 'yuv420p' },
  ...{ r_frame_rate: '25/1', avg_frame_rate: '25/1', start_time: '0.000000', duration: '2.000000' },
  nb_frames: '50',
  disposition: { default: 1, attached_pic: 0 },
};
const container = { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', start_time: '0.000000', duration: '2.000000' };

function played(changes: object, streams: object[] = [], format: object = {}): MoviePlay {
  const play = notPlayed(changes, streams, format);
  if (typeof play === 'string') throw new Error(play);
  return play;
}

function notPlayed(changes: object, streams: object[] = [], format: object = {}) {
  const answer = { streams: [...streams, { ...film, ...changes }], format: { ...container, ...format } };
  return playOf(probedOf(JSON.stringify(answer)));
}

function said(play: MoviePlay, isConverted = false): string[] {
  return playTexts({ ...play, isConverted });
}

test('a plain movie has nothing particular', () => {
  const play = played({});
  expect(play).toEqual({
    ...{
      container: container.format_name,
      isBroadcast: false,
      streamIndex: 0,
      codec: 'h264',
      format: { width: 640, height: 360, rate: { numerator: 25, denominator: 1 } },
    },
    ...{
      isUnsteady: false,
      isCounted: true,
      turn: { degrees: 0, isMirrored: false },
      aspect: null,
      hasAlpha: false,
      decoder: null,
    },
    colour: { matrix: 'bt601', isFullRange: false, isWide: false, hdr: null },
    ...{ startSeconds: 0, durationSeconds: 2, lateSeconds: 0, hiddenSeconds: 0, lacksTimes: false },
  });
  expect(said(play)).toEqual([]);
});

test.each([
  // A clock of 600 ticks a second, frames that jitter on it.
  ['600/1', '120000/1793', { numerator: 66927, denominator: 1000 }, true],
  // A few frames were left out.
  ['30000/1001', '29930/1000', { numerator: 30000, denominator: 1001 }, true],
  // A stream of fields.
  ['50/1', '25/1', { numerator: 25, denominator: 1 }, true],
  // A clock of milliseconds.
  ['30000/1001', '19001/634', { numerator: 30000, denominator: 1001 }, false],
  ['10/1', '0/0', { numerator: 10, denominator: 1 }, false],
  ['0/0', '24/1', { numerator: 24, denominator: 1 }, true],
])('of %s at finest and %s on average is sent at %j', (finest, average, rate, isUnsteady) => {
  const play = played({ r_frame_rate: finest, avg_frame_rate: average });
  expect([play.format.rate, play.isUnsteady]).toEqual([rate, isUnsteady]);
});

test('what is played at another rate says so', () => {
  const play = played({ r_frame_rate: '600/1', avg_frame_rate: '2997/100' });
  expect(said(play)).toEqual(['variable frame rate: sent at 29.97 frames/s']);
});

const turnedTo = (...numbers: number[]) => {
  const rows = [0, 1, 2].map((row) => numbers.slice(3 * row, 3 * row + 3).join('        '));
  const displaymatrix = `\n${rows.map((row, index) => `0000000${index}:        ${row}`).join('\n')}\n`;
  return { side_data_list: [{ side_data_type: 'Display Matrix', displaymatrix }] };
};
const one = 65536;
const w = 1073741824;

test.each([
  [[0, one, 0, -one, 0, 0, 0, 0, w], 90, false, [360, 640], ['turned 90° clockwise']],
  [[-one, 0, 0, 0, -one, 0, 0, 0, w], 180, false, [640, 360], ['turned 180°']],
  [[0, -one, 0, one, 0, 0, 0, 0, w], 270, false, [360, 640], ['turned 90° anticlockwise']],
  [[-one, 0, 0, 0, one, 0, 0, 0, w], 0, true, [640, 360], ['mirrored']],
  [[one, 0, 0, 0, -one, 0, 0, 0, w], 180, true, [640, 360], ['mirrored', 'turned 180°']],
])('a display matrix %j', (numbers, degrees, isMirrored, size, texts) => {
  const play = played(turnedTo(...numbers));
  expect(play.turn).toEqual({ degrees, isMirrored });
  expect([play.format.width, play.format.height]).toEqual(size);
  expect(said(play)).toEqual(texts);
});

test('pixels that are not square have the aspect announced, turned too', () => {
  const pal = { width: 720, height: 576, sample_aspect_ratio: '64:45' };
  expect(played(pal).aspect).toBeCloseTo(16 / 9, 9);
  expect(played({ ...pal, ...turnedTo(0, one, 0, -one, 0, 0, 0, 0, w) }).aspect).toBeCloseTo(9 / 16, 9);
  expect(said(played(pal))).toEqual(['pixels are not square: shown at 1.78:1']);
  expect(played({ sample_aspect_ratio: '1:1' }).aspect).toBeNull();
  expect(played({ sample_aspect_ratio: '0:1' }).aspect).toBeNull();
});

test.each([
  [{ height: 718 }, 'bt601', false],
  [{ height: 720 }, 'bt709', false],
  [{ height: 720, color_space: 'smpte170m' }, 'bt601', false],
  [{ height: 576, color_space: 'bt709', color_range: 'pc' }, 'bt709', true],
  [{ pix_fmt: 'yuvj420p' }, 'bt601', true],
  [{ pix_fmt: 'gbrap', height: 1080, color_space: 'gbr' }, null, false],
  [{ pix_fmt: 'rgb24', height: 1080 }, null, false],
])('the matrix of %j is %s', (changes, matrix, isFullRange) => {
  expect(played(changes).colour).toMatchObject({ matrix, isFullRange });
});

test('what is converted is said, and what is not', () => {
  const play = played({ color_space: 'bt2020nc', color_primaries: 'bt2020', color_transfer: 'smpte2084' });
  expect(said(play, true)).toEqual([
    'HDR (PQ) is tone-mapped to SDR',
    'BT.2020 colours are converted to BT.709',
  ]);
  expect(said(play, false)).toEqual([
    'HDR (PQ) is sent without tone mapping',
    'BT.2020 colours are sent as BT.709',
  ]);
});

test.each([
  [{ color_primaries: 'bt2020', color_transfer: 'bt2020-10', color_space: 'bt709' }, true, null],
  [{ color_space: 'bt2020nc' }, true, null],
  [{ color_transfer: 'arib-std-b67' }, true, 'HLG'],
  [{ color_transfer: 'smpte2084', color_primaries: 'bt709', color_space: 'bt2020nc' }, false, 'PQ'],
  [{ color_primaries: 'smpte432' }, false, null],
  [{}, false, null],
])('the primaries and brightness of %j', (changes, isWide, hdr) => {
  expect(played(changes).colour).toMatchObject({ isWide, hdr });
});

test('the film is played, not its cover', () => {
  const cover = { ...film, index: 0, codec_name: 'mjpeg', disposition: { default: 1, attached_pic: 1 } };
  expect(played({ index: 1 }, [cover])).toMatchObject({ streamIndex: 1, codec: 'h264' });
  const other = { ...film, index: 0, codec_name: 'vp9', disposition: { default: 0, attached_pic: 0 } };
  expect(played({ index: 1 }, [other])).toMatchObject({ streamIndex: 1 });
  const sound = { index: 0, codec_type: 'audio', codec_name: 'aac' };
  const late = played({ index: 1, start_time: '2.000000' }, [sound]);
  expect(said(late)).toEqual(['its picture begins 2.0 s after its sound: played from there']);
});

test('Matroska tells the duration of the film among its tags', () => {
  const tags = { DURATION: '01:00:02.500000000' };
  expect(played({ duration: undefined, tags }).durationSeconds).toBe(3602.5);
  expect(played({ duration: undefined, tags, start_time: '0.500000' }).durationSeconds).toBe(3602);
  expect(played({ duration: undefined, tags: { DURATION: 'unknown' } }).durationSeconds).toBeNull();
  expect(played({ duration: undefined }).durationSeconds).toBeNull();
});

test('what is not played says why', () => {
  expect(notPlayed({ disposition: { attached_pic: 1 } })).toBe('no-picture');
  expect(notPlayed({ codec_type: 'audio' })).toBe('no-picture');
  expect(notPlayed({ r_frame_rate: '0/0', avg_frame_rate: '0/0' })).toBe('no-rate');
  expect(notPlayed({ codec_name: undefined })).toBe('no-decoder');
  expect(notPlayed({}, [], { format_name: 'h264', start_time: undefined, duration: undefined })).toBe(
    'no-times',
  );
});

test('a movie whose pictures have no size, as with an animated WebP, says so', () => {
  const stream = { index: 0, codec_type: 'video', codec_name: 'webp', width: 0, height: 0 };
  const probed = probedOf(JSON.stringify({ packets: [], streams: [stream] }));
  expect(playOf(probed)).toBe('no-size');
});
