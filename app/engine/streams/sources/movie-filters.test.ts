import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { picturesOfCommand } from '../../../testing/command-pictures';
import { fakeTool } from '../../../testing/fake-tool';
import { notHap } from '../../../testing/movie-facts';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { bt709Of, clipped } from '../../../testing/wide-colour';
import { type ChosenSource, chooseSource } from './source-choice';

const folder = temporaryFolder();

/** Red, green and blue, 0 to 255. */
type Rgb = readonly number[];

interface Made {
  columns: readonly Rgb[];
  size: string;
  transfer: string;
  range?: 'tv' | 'pc';
  hasAlpha?: boolean;
}

/** Makes a movie of colours side by side in BT.2020, without a scaler of ffmpeg's. */
function make(file: string, { columns, size, transfer, range = 'tv', hasAlpha = false }: Made): void {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const codes = columns.map((rgb) => codesOf(rgb, range));
  const planes = (hasAlpha ? [0, 1, 2, 3] : [0, 1, 2]).map((plane) => {
    const row = Array.from({ length: width }, (_, x) => {
      const column = Math.floor((x * columns.length) / width);
      return plane === 3 ? 1023 : (codes[column]?.[plane] ?? 0);
    });
    const bytes = Buffer.from(Uint16Array.from(row).buffer);
    return Buffer.concat(Array.from({ length: height }, () => bytes));
  });
  const raw = join(folder, `${file}.raw`);
  writeFileSync(raw, Buffer.concat(planes));
  const pixels = hasAlpha ? 'yuva444p10le' : 'yuv444p10le';
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-stream_loop', '1', '-f', 'rawvideo', '-pix_fmt', pixels, '-s', size],
    ...['-i', raw, '-c:v', 'ffv1', '-color_primaries', 'bt2020', '-color_trc', transfer],
    ...['-colorspace', 'bt2020nc', '-color_range', range, join(folder, file)],
  ]);
}

/** Y, U and V of BT.2020 in 10 bits. */
function codesOf(rgb: Rgb, range: 'tv' | 'pc'): number[] {
  const [y, u, v] = differencesOf(rgb, 0.2627, 0.0593);
  const codes =
    range === 'tv'
      ? [64 + 876 * y, 512 + 896 * u, 512 + 896 * v]
      : [1023 * y, 512 + 1023 * u, 512 + 1023 * v];
  return codes.map((code) => Math.min(1023, Math.round(code)));
}

function differencesOf(rgb: Rgb, kr: number, kb: number): [y: number, u: number, v: number] {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => value / 255);
  const y = kr * red + (1 - kr - kb) * green + kb * blue;
  return [y, (blue - y) / (2 * (1 - kb)), (red - y) / (2 * (1 - kr))];
}

/** Y, U and V as receivers take them of so many lines. */
function yuvOf(rgb: Rgb, lines: number): number[] {
  const [y, u, v] = lines >= 720 ? differencesOf(rgb, 0.2126, 0.0722) : differencesOf(rgb, 0.299, 0.114);
  return [16 + 219 * y, 128 + 224 * u, 128 + 224 * v];
}

function choose(file: string, settings: { scale?: string; pixelFormat?: 'bgra' } = {}) {
  return chooseSource(
    { source: join(folder, file), format: '', pixelFormat: 'uyvy', ...settings },
    { request: async () => notHap },
  );
}

/** In the middle of each of so many columns: Y, U and V, or red, green, blue and alpha. */
function shown({ options }: ChosenSource, count: number): number[][] {
  const { width, height, pixelFormat, command } = options;
  const [picture = Buffer.alloc(0)] = picturesOfCommand(options, 1);
  const isRgb = command?.hasAlpha || pixelFormat === 'bgra';
  const row = (isRgb ? 4 : 2) * width * (height / 2);
  return Array.from({ length: count }, (_, column) => {
    const x = Math.floor(((column + 0.5) * width) / count);
    if (isRgb) {
      const [blue = 0, green = 0, red = 0, alpha = 0] = picture.subarray(row + 4 * x);
      return [red, green, blue, alpha];
    }
    const [u = 0, y = 0, v = 0] = picture.subarray(row + 4 * Math.floor(x / 2));
    return [y, u, v];
  });
}

function expectNear(found: readonly number[][], wanted: readonly number[][], most: number): void {
  for (const [at, pixel] of wanted.entries())
    for (const [index, value] of pixel.entries())
      expect(
        Math.abs(value - (found[at]?.[index] ?? Number.NaN)),
        JSON.stringify(found[at]),
      ).toBeLessThanOrEqual(most);
}

const grey = (value: number): Rgb => [value, value, value];
const inside: readonly Rgb[] = [
  [170, 90, 60],
  [140, 170, 90],
  [70, 60, 170],
];
const pure: readonly Rgb[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
const greys = [0, 16, 40, 80, 128, 180, 235, 255].map(grey);

const ranges = ['tv', 'pc'] as const;
const sizes = ['320x180', '320x720'];
const ways = [
  { name: 'UYVY', settings: {}, hasAlpha: false },
  { name: 'BGRA', settings: { pixelFormat: 'bgra' as const }, hasAlpha: false },
  { name: 'BGRA with alpha', settings: {}, hasAlpha: true },
  { name: 'UYVY of another size', settings: { scale: '480x270' }, hasAlpha: false },
  { name: 'BGRA with alpha of another size', settings: { scale: '480x270' }, hasAlpha: true },
];
const cases = sizes.flatMap((size) => ways.map((way) => ({ size, ...way })));

/** As it is sent in this way. */
function sentAs(rgb: Rgb, { options }: ChosenSource): number[] {
  if (options.command?.hasAlpha) return [...rgb, 255];
  return options.pixelFormat === 'bgra' ? [...rgb] : yuvOf(rgb, options.height);
}

describe.each(cases)('$size as $name', ({ size, settings, hasAlpha, name }) => {
  const fileOf = (kind: string): string => `${kind}-${size}-${name}.mkv`;

  test.each(name === 'UYVY' ? ranges : ['tv' as const])(
    'colours of BT.2020 are those of BT.709, range %s',
    async (range) => {
      const columns = [...inside, ...pure, ...greys];
      const file = fileOf(`wide-${range}`);
      make(file, { columns, size, transfer: 'bt2020-10', range, hasAlpha });
      const chosen = await choose(file, settings);
      expect(chosen.remarks).toEqual(['BT.2020 colours are converted to BT.709']);
      for (const rgb of inside) expect(clipped(bt709Of(rgb))).toEqual(bt709Of(rgb));
      const wanted = columns.map((rgb) => sentAs(clipped(bt709Of(rgb)), chosen));
      expectNear(shown(chosen, columns.length), wanted, 3);
    },
  );

  test('dark colours of PQ keep their brightness against white', async () => {
    const most = 40;
    const columns = inside.map((rgb) =>
      rgb.map((value) => 255 * signalOf('smpte2084', most * (value / 255) ** 2.4)),
    );
    const file = fileOf('dark');
    make(file, { columns, size, transfer: 'smpte2084', hasAlpha });
    const chosen = await choose(file, settings);
    const share = (most / 203) ** (1 / 2.4);
    const wanted = inside.map((rgb) =>
      sentAs(
        bt709Of(rgb).map((value) => value * share),
        chosen,
      ),
    );
    expectNear(shown(chosen, columns.length), wanted, 4);
  });

  test.each(['smpte2084', 'arib-std-b67'] as const)('brightness of %s', async (transfer) => {
    const steps = Array.from({ length: 32 }, (_, step) => grey((255 * step) / 31));
    const columns = [...steps, grey(255 * signalOf(transfer, 203)), grey(255 * signalOf(transfer, 40))];
    const file = fileOf(transfer);
    make(file, { columns, size, transfer, hasAlpha });
    const chosen = await choose(file, settings);
    const hdr = transfer === 'smpte2084' ? 'PQ' : 'HLG';
    const [tone, colours] = chosen.remarks;
    expect([tone, colours]).toEqual([
      `HDR (${hdr}) is tone-mapped to SDR`,
      'BT.2020 colours are converted to BT.709',
    ]);
    const pixels = shown(chosen, columns.length);
    const isYuv = chosen.options.pixelFormat === 'uyvy' && !hasAlpha;
    for (const pixel of pixels) expectNeutral(pixel, isYuv);
    const greysFound = pixels.map(([first = 0]) => (isYuv ? (255 * (first - 16)) / 219 : first));
    const ramp = greysFound.slice(0, steps.length);
    for (const [at, value] of ramp.slice(1).entries()) expect(value).toBeGreaterThanOrEqual(ramp[at] ?? 0);
    expect(new Set(ramp).size).toBeGreaterThan(24);
    expect(ramp[0]).toBeLessThanOrEqual(1);
    expect(Math.abs((ramp.at(-1) ?? 0) - 255)).toBeLessThanOrEqual(2);
    const [white = 0, dark = 0] = greysFound.slice(steps.length);
    expect(white).toBeGreaterThan(0.78 * 255);
    expect(white).toBeLessThan(0.9 * 255);
    expect(Math.abs(dark - 255 * (40 / 203) ** (1 / 2.4))).toBeLessThanOrEqual(3);
  });
});

function expectNeutral([first = 0, second = 0, third = 0]: number[], isYuv: boolean): void {
  const [wantedSecond, wantedThird] = isYuv ? [128, 128] : [first, first];
  expect(Math.abs(second - wantedSecond)).toBeLessThanOrEqual(2);
  expect(Math.abs(third - wantedThird)).toBeLessThanOrEqual(2);
}

/** What stands for so many cd/m² of grey (ITU-R BT.2100), from 0 to 1; of HLG on a screen of 1000. */
function signalOf(transfer: 'smpte2084' | 'arib-std-b67', brightness: number): number {
  if (transfer === 'smpte2084') {
    const power = (brightness / 10_000) ** 0.1593017578125;
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375;
  }
  const light = (brightness / 1000) ** (1 / 1.2);
  return light <= 1 / 12 ? Math.sqrt(3 * light) : 0.17883277 * Math.log(12 * light - 0.28466892) + 0.55991073;
}

describe('an ffmpeg without the filters', () => {
  afterEach(() => vi.unstubAllEnvs());
  beforeAll(() => {
    make('wide.mkv', { columns: inside, size: '320x180', transfer: 'bt2020-10' });
    make('pq.mkv', { columns: inside, size: '320x180', transfer: 'smpte2084' });
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=red:s=320x180:r=25:d=0.2', '-c:v', 'ffv1'],
      join(folder, 'plain.mkv'),
    ]);
  });

  function withoutFilters(): () => string {
    const log = join(folder, 'calls');
    writeFileSync(log, '');
    const script = [
      `echo "$*" >> '${log}'`,
      'case "$*" in',
      '*-filters*) "$REAL" "$@" | grep -v zscale ;;',
      '*) exec "$REAL" "$@" ;;',
      'esac',
    ];
    vi.stubEnv('PATH', fakeTool(folder, 'ffmpeg', script.join('\n')).PATH);
    return () => readFileSync(log, 'utf8');
  }

  test.each([
    ['wide.mkv', ['BT.2020 colours are sent as BT.709']],
    ['pq.mkv', ['HDR (PQ) is sent without tone mapping', 'BT.2020 colours are sent as BT.709']],
  ])('sends %s as it is, and says so', async (file, remarks) => {
    const calls = withoutFilters();
    const chosen = await choose(file);
    expect(chosen.remarks).toEqual(remarks);
    expect(calls()).toBe('-v error -filters\n');
    expectNear(
      shown(chosen, inside.length),
      inside.map((rgb) => yuvOf(rgb, 180)),
      2,
    );
  });

  test('is not asked about another movie', async () => {
    const calls = withoutFilters();
    expect((await choose('plain.mkv')).remarks).toEqual([]);
    expect(calls()).toBe('');
  });
});
