import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WhitelineError } from '../../../protocol/errors';
import { framesPerSecond } from '../../../protocol/format';
import { picturesOfCommand } from '../../../testing/command-pictures';
import { checked, movieFacts, notHap } from '../../../testing/movie-facts';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { type ChosenSource, chooseSource } from './source-choice';

const folder = temporaryFolder();

function ffmpeg(line: string, ...files: string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...line.split(' '), ...files], { cwd: folder });
}

function choose(file: string, settings: { scale?: string; rate?: string } = {}): Promise<ChosenSource> {
  const source = join(folder, file);
  return chooseSource(
    { source, format: '', pixelFormat: 'uyvy', ...settings },
    { request: async () => notHap },
  );
}

/** Y, U and V in the middle of a picture, or at a share of its width and height. */
function colourIn(
  { options }: ChosenSource,
  picture: Buffer | undefined,
  across = 0.5,
  down = 0.5,
): number[] {
  const { width, height } = options;
  const row = Math.floor(down * height) * width * 2;
  const [u = 0, y = 0, v = 0] = picture?.subarray(row + 4 * Math.floor((across * width) / 2)) ?? [];
  return [y, u, v];
}

/** Blue, green, red and alpha in the middle row of the first picture, at shares of its width. */
function bgraAt({ options }: ChosenSource, across: number[]): number[][] {
  const [picture] = picturesOfCommand(options, 1);
  const row = options.height / 2;
  return across.map((share) => {
    const at = 4 * (row * options.width + Math.floor(share * options.width));
    return [...(picture?.subarray(at, at + 4) ?? [])];
  });
}

/** Lengths of loops in seconds, of a movie whose luma rises with time. */
async function loopsOf(file: string, seconds: number, rate?: string): Promise<number[]> {
  const chosen = await choose(file, { scale: '320x180', rate });
  const perSecond = framesPerSecond(chosen.format.rate);
  const lumas = picturesOfCommand(chosen.options, Math.ceil(seconds * perSecond)).map(
    (picture) => colourIn(chosen, picture)[0] ?? 0,
  );
  const begins = lumas.flatMap((luma, index) =>
    index > 0 && luma < (lumas[index - 1] ?? 0) - 5 ? index : [],
  );
  return begins.slice(1).map((begin, index) => (begin - (begins[index] ?? 0)) / perSecond);
}

/** As what records live writes it, which does not know how long it will be. */
function forgetLength(file: string): void {
  const path = join(folder, file);
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(2 ** 32 - 1, bytes.indexOf('mdhd') + 20);
  writeFileSync(path, bytes);
}

const ramp = "geq=lum='16+T*60':cb=128:cr=128";

describe('a loop lasts as long as the movie', () => {
  beforeAll(() => {
    const unsteady = "select='eq(n,0)+gte(n-prev_selected_n,8+mod(selected_n*selected_n*3+selected_n*2,5))'";
    const from = (rate: number) => [
      '-f',
      'lavfi',
      '-i',
      `color=black:s=320x180:r=${rate}:d=3,format=yuv420p`,
    ];
    const coded = '-c:v libx264 -preset ultrafast -bf 0'.split(' ');
    const made = (args: string[]): void => ffmpeg('-nostdin', ...args);
    made([
      ...from(600),
      '-vf',
      `${ramp},${unsteady}`,
      '-vsync',
      'vfr',
      '-video_track_timescale',
      '600',
      ...coded,
      'jitter.mp4',
    ]);
    made([...from(25), '-vf', ramp, ...coded, 'steady.mp4']);
    ffmpeg('-i steady.mp4 -c copy steady.mkv');
    ffmpeg('-i steady.mp4 -c copy steady.ts');
    ffmpeg('-i steady.mp4 -c copy -bsf:v h264_mp4toannexb steady.h264');
    ffmpeg('-f lavfi -i sine=d=5 -i steady.mp4 -map 0:a -map 1:v -c:v copy -c:a aac sound-longer.mp4');
    ffmpeg('-i sound-longer.mp4 -c copy sound-longer.mkv');
    ffmpeg(
      '-itsoffset 2 -i steady.mp4 -f lavfi -i sine=d=5 -map 0 -map 1 -c:v copy -c:a aac sound-first.mp4',
    );
    ffmpeg('-i sound-first.mp4 -c copy sound-first.mkv');
    // Empty frames stand for those that were left out.
    ffmpeg(
      "-i steady.mp4 -vf select='mod(n,3)' -vsync vfr -enc_time_base 1/25 -r 25 -c:v mpeg4 -q 2 repeats.avi",
    );
    ffmpeg('-i steady.mp4 -c:v libx264 -preset ultrafast -bf 2 without-times.avi');
    ffmpeg('-ss 1 -i steady.mp4 -c copy trimmed.mp4');
    ffmpeg('-ss 1 -i jitter.mp4 -c copy trimmed-jitter.mp4');
    ffmpeg('-i steady.mp4 -c copy -bsf:v setts=duration=if(eq(N\\,74)\\,1.24/TB\\,DURATION) long-end.mp4');
    ffmpeg('-i steady.mp4 -c copy -movflags frag_keyframe+empty_moov unknown-length.mp4');
    forgetLength('unknown-length.mp4');
  });

  test.each([
    ['jitter.mp4', 3],
    ['steady.mp4', 3],
    ['steady.mkv', 3],
    ['steady.ts', 3],
    ['sound-longer.mp4', 3],
    ['sound-longer.mkv', 3],
    ['sound-first.mp4', 3],
    ['sound-first.mkv', 3],
    ['repeats.avi', 3],
    ['without-times.avi', 3],
    ['trimmed.mp4', 2],
    ['trimmed-jitter.mp4', 2],
    ['unknown-length.mp4', 3],
  ] as const)('%s', async (file, wholeSeconds) => {
    const loops = await loopsOf(file, 10);
    expect(loops.length).toBeGreaterThanOrEqual(2);
    for (const seconds of loops) expect(Math.abs(seconds - wholeSeconds)).toBeLessThanOrEqual(0.041);
  });

  test('one without times at another rate', async () => {
    for (const seconds of await loopsOf('without-times.avi', 10, '30'))
      expect(Math.abs(seconds - 3)).toBeLessThanOrEqual(0.041);
  });

  test('one whose last picture is shown for long is whole, and loops without that', async () => {
    const loops = await loopsOf('long-end.mp4', 14);
    expect(loops.length).toBeGreaterThanOrEqual(2);
    for (const seconds of loops) expect(Math.abs(seconds - 3)).toBeLessThanOrEqual(0.06);
  });

  test('one without times is refused, with a remedy that works', async () => {
    const refused = await choose('steady.h264').then(
      () => expect.fail('was taken'),
      (error: WhitelineError) => error,
    );
    expect(refused.message).toContain('a stream without timestamps');
    const command = refused.remedy?.replace(/^Wrap it: /, '') ?? '';
    execFileSync('sh', ['-c', command.replace('ffmpeg', 'ffmpeg -v error')]);
    expect(await loopsOf('steady.h264.mkv', 10)).toEqual([3, 3]);
  });
});

describe('a colour arrives as it was made', () => {
  const hd = [63, 102, 240];
  const sd = [81, 90, 240];
  test.each([
    [
      'red709.mp4',
      '1280x720',
      '-vf scale=out_color_matrix=bt709 -colorspace bt709 -c:v libx264 -pix_fmt yuv420p',
      hd,
      {},
    ],
    ['untagged.mp4', '1280x720', '-vf scale=out_color_matrix=bt709 -c:v libx264 -pix_fmt yuv420p', hd, {}],
    [
      'full.mp4',
      '1280x720',
      '-vf scale=out_color_matrix=bt709:out_range=full -colorspace bt709 -color_range pc -c:v libx264 -pix_fmt yuv420p',
      hd,
      {},
    ],
    [
      'smaller.mp4',
      '1280x720',
      '-vf scale=out_color_matrix=bt709 -colorspace bt709 -c:v libx264 -pix_fmt yuv420p',
      sd,
      { scale: '640x360' },
    ],
    ['sd.mp4', '640x360', '-vf scale=out_color_matrix=bt601 -c:v libx264 -pix_fmt yuv420p', sd, {}],
    [
      'larger.mp4',
      '640x360',
      '-vf scale=out_color_matrix=bt601 -c:v libx264 -pix_fmt yuv420p',
      hd,
      { scale: '1280x720' },
    ],
    ['rgb.mkv', '1280x720', '-c:v libx264rgb', hd, {}],
    ['hap.avi', '1280x720', '-c:v hap', hd, {}],
    ['hap.mkv', '1280x720', '-c:v hap', sd, { scale: '640x360' }],
  ])('%s', async (file, size, coded, expected, settings) => {
    ffmpeg(`-f lavfi -i color=red:s=${size}:r=25:d=0.2 ${coded}`, file);
    const chosen = await choose(file, settings);
    const [picture] = picturesOfCommand(chosen.options, 1);
    for (const [index, value] of colourIn(chosen, picture).entries())
      expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThanOrEqual(2);
  });
});

describe('a movie stands upright', () => {
  beforeAll(() => {
    // Red over blue.
    const halves = 'color=red:s=640x180:r=25:d=0.4[a];color=blue:s=640x180:r=25:d=0.4[b];[a][b]vstack';
    ffmpeg('-f lavfi -i', halves, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', 'upright.mp4');
    for (const degrees of [90, 180, 270])
      ffmpeg(`-i upright.mp4 -c copy -metadata:s:v rotate=${degrees} turned${degrees}.mp4`);
  });

  test.each([
    ['upright.mp4', 640, 360, [0.5, 0.1]],
    ['turned90.mp4', 360, 640, [0.1, 0.5]],
    ['turned180.mp4', 640, 360, [0.5, 0.9]],
    ['turned270.mp4', 360, 640, [0.9, 0.5]],
  ])('%s', async (file, width, height, [across = 0, down = 0]) => {
    const chosen = await choose(file);
    expect([chosen.format.width, chosen.format.height]).toEqual([width, height]);
    const [picture] = picturesOfCommand(chosen.options, 1);
    // Where red is; blue has less of it.
    expect(colourIn(chosen, picture, across, down)[2]).toBeGreaterThan(200);
    expect(colourIn(chosen, picture, 1 - across, 1 - down)[2]).toBeLessThan(128);
  });
});

describe('a movie is taken', () => {
  test.each([
    ['open-gop.ts', '-c:v libx264 -preset veryfast -g 25 -bf 3 -x264-params open-gop=1:scenecut=0'],
    ['open-gop-hevc.ts', '-c:v libx265 -preset veryfast -x265-params log-level=none:open-gop=1:keyint=25'],
  ])('though ffmpeg warns of its seams: %s', async (file, coded) => {
    ffmpeg(`-f lavfi -i testsrc2=s=320x180:r=25:d=3 ${coded}`, file);
    expect(picturesOfCommand((await choose(file)).options, 90)).toHaveLength(90);
    ffmpeg(`-i ${file} -ss 0.5 -c copy cut-${file}`);
    expect(picturesOfCommand((await choose(`cut-${file}`)).options, 90)).toHaveLength(90);
  });

  test.each(['take:1.mp4', 'still%d.mp4', '-dash.mp4', 'file:x.mp4', "it's 1.mp4"])(
    'by any name: %s',
    async (name) => {
      ffmpeg('-f lavfi -i testsrc2=s=320x180:r=25:d=0.2 -c:v libx264', `file:${name}`);
      expect(picturesOfCommand((await choose(name)).options, 3)).toHaveLength(3);
    },
  );

  test('for its film, not for its cover', async () => {
    ffmpeg('-f lavfi -i color=red:s=320x180:r=25:d=0.2 -c:v libx264 film.mp4');
    ffmpeg('-f lavfi -i color=blue:s=480x480 -frames:v 1 cover.png');
    ffmpeg('-i cover.png -i film.mp4 -map 0 -map 1 -c copy -disposition:0 attached_pic covered.mp4');
    const chosen = await choose('covered.mp4');
    expect(chosen.format).toMatchObject({ width: 320, height: 180 });
    expect(colourIn(chosen, picturesOfCommand(chosen.options, 1)[0])[2]).toBeGreaterThan(200);
  });

  test('with its aspect', async () => {
    ffmpeg('-f lavfi -i testsrc2=s=720x576:r=25:d=0.2 -vf setsar=64/45 -c:v libx264 pal.mp4');
    expect((await choose('pal.mp4')).options.aspect).toBeCloseTo(16 / 9, 6);
  });
});

describe('what is transparent stays so', () => {
  // Red behind nothing on the left, green that is seen on the right.
  const halves =
    'color=red@0.0:s=320x360:r=25:d=0.2,format=rgba[a];color=lime:s=320x360:r=25:d=0.2,format=rgba[b];[a][b]hstack';
  test.each([
    ['clear.png', '-frames:v 1'],
    ['clear_prores.mov', '-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le'],
    ['clear_qtrle.mov', '-c:v qtrle'],
    ['clear_vp9.webm', '-c:v libvpx-vp9 -pix_fmt yuva420p'],
  ])('%s', async (file, coded) => {
    ffmpeg('-f lavfi -i', halves, ...coded.split(' '), file);
    for (const scale of ['640x360', '320x180']) {
      const chosen = await choose(file, { scale });
      expect(chosen.options.command?.hasAlpha).toBe(true);
      const { width, height } = chosen.options;
      const [left, right] = bgraAt(chosen, [0.25, 0.75]);
      expect([width, height].join('x')).toBe(scale);
      expect(left?.[3]).toBe(0);
      expect(right?.[3]).toBe(255);
      expect(Math.abs((right?.[1] ?? 0) - 255)).toBeLessThanOrEqual(6);
    }
  });
});

test('one that was cut short is refused, and says where it ends', async () => {
  ffmpeg('-f lavfi -i testsrc2=s=640x360:r=25:d=4 -c:v libx264 -movflags +faststart whole.mp4');
  const whole = execFileSync('cat', [join(folder, 'whole.mp4')], { maxBuffer: 1e9 });
  writeFileSync(join(folder, 'half.mp4'), whole.subarray(0, whole.length / 2));
  await expect(choose('half.mp4')).rejects.toThrow(/its end cannot be decoded|cut short/);
  await expect(choose('whole.mp4')).resolves.toBeDefined();
});

describe('Hap R, which ffmpeg cannot decode', () => {
  function refused(file: string, isTurned: boolean, scale?: string): Promise<WhitelineError> {
    const facts = movieFacts({ width: 320, height: 180, variant: 'Hap R', isTurned });
    const settings = { source: join(folder, file), format: '', pixelFormat: 'uyvy' as const };
    return chooseSource(
      { ...settings, ...(scale && { scale }) },
      { request: async () => checked({ facts }) },
    ).then(
      () => expect.fail('was taken'),
      (error: WhitelineError) => error,
    );
  }

  function streamOf(file: string): string {
    const asked = ['-v', 'error', '-show_streams', '-show_packets', '-show_entries'];
    const entries = 'stream=codec_tag_string:stream_side_data:packet=size,data_hash';
    return execFileSync(
      'ffprobe',
      [...asked, entries, '-show_data_hash', 'md5', '-of', 'compact', join(folder, file)],
      { encoding: 'utf8' },
    );
  }

  beforeAll(() => {
    ffmpeg('-f lavfi -i testsrc2=s=320x180:r=25:d=0.2 -c:v hap hap.mov');
    ffmpeg('-i hap.mov -c copy -metadata:s:v rotate=90 turned-hap.mov');
    for (const [made, file] of [
      ['hap.mov', 'hap-r.mov'],
      ['turned-hap.mov', 'turned-hap-r.mov'],
    ] as const) {
      const movie = readFileSync(join(folder, made));
      movie.write('Hap7', movie.indexOf('Hap1'), 'latin1');
      writeFileSync(join(folder, file), movie);
    }
  });

  test('is not resized', async () => {
    const { message, remedy } = await refused('hap-r.mov', false, '640x360');
    expect(message).toContain('hap-r.mov cannot be played: ffmpeg cannot decode Hap R');
    expect(remedy).toBe('Leave out scale: Whiteline plays it at its own size');
  });

  test.each([undefined, '640x360'])('is not turned, with a remedy that works, scale %s', async (scale) => {
    const { message, remedy = '' } = await refused('turned-hap-r.mov', true, scale);
    expect(message).toContain(
      'its display matrix rotates it, which needs ffmpeg, and ffmpeg cannot decode Hap R',
    );
    expect(remedy).toMatch(/^Make a copy without the matrix, and play it without scale: ffmpeg -i /);
    const command = remedy.slice(remedy.indexOf('ffmpeg -i'));
    execFileSync('sh', ['-c', command.replace('ffmpeg', 'ffmpeg -v error -y')]);
    expect(streamOf('turned-hap-r.mov')).toContain('displaymatrix');
    expect(streamOf('turned-hap-r.mov.mov')).toBe(streamOf('hap-r.mov'));
    expect(streamOf('hap-r.mov')).toContain('Hap7');
    expect(streamOf('hap-r.mov')).not.toContain('displaymatrix');
  });
});
