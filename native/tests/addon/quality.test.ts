import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { KeepPictures, QualityCheckOptions, QualityCheckStatus } from '../../../app/protocol/records';
import {
  addon,
  codeOf,
  contentAddon,
  currentSlot,
  keep,
  ndiFolder,
  receive,
  smallFormat,
  uniqueName,
  waitFor,
  waitForPictures,
} from './addon_fixture';

const { width, height, rateNumerator, rateDenominator } = smallFormat;
const folder = mkdtempSync(join(tmpdir(), 'whiteline-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function settled(options: QualityCheckOptions): Promise<QualityCheckStatus> {
  const check = keep(new contentAddon.QualityCheck(options));
  return waitFor('the end of comparing', () => {
    const status = check.status();
    return status.state === 'running' ? undefined : status;
  });
}

const pairsOf = (frames: number[]) => ({ folder, width, height, rateNumerator, rateDenominator, frames });

/** What ffmpeg's filters say of a pair without the rows and columns that are masked, which it cannot do by itself. */
function ffmpegPsnr(frame: number, crop: string): number[] {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'uyvy422', '-video_size', `${width}x${height}`];
  const filter = `[0]format=yuv422p,crop=${crop}[r];[1]format=yuv422p,crop=${crop}[s];[r][s]psnr=stats_file=-`;
  const files = ['received', 'sent'].flatMap((end) => [...input, '-i', join(folder, `${end}-${frame}.uyvy`)]);
  const said = execFileSync('ffmpeg', ['-v', 'error', ...files, '-lavfi', filter, '-f', 'null', '-'], {
    encoding: 'utf8',
  });
  return [...said.matchAll(/psnr_[yuv]:([\d.]+)/g)].map(([, decibels]) => Number(decibels));
}

test('both ends of a stream over real NDI keep the same frames, and they are compared as ffmpeg would', {
  tags: 'machine',
}, async () => {
  addon.loadNdi([ndiFolder]);
  const finder = keep(new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] }));
  const source = keep(new addon.Source({ kind: 'noise', ...smallFormat }));
  const sender = keep(new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 1 }));
  const receiver = keep(await receive(finder, sender));
  await waitForPictures(receiver, 10);
  expect(sender.keptPictures()).toBeNull();
  const first = currentSlot(source, rateNumerator) + 10;
  // A busy machine may skip those of a whole second.
  const asked = Array.from({ length: 80 }, (_, index) => first + 3 * index);
  const { sourceId } = source.status();
  const options: KeepPictures = { folder, width, height, frames: asked, sourceId };
  receiver.keepPictures(options);
  sender.keepPictures(options);
  const frames = await waitFor('kept pictures', () => {
    const [sent = [], received = []] = [sender, receiver].map((end) => end.keptPictures()?.written);
    for (const frame of [...sent, ...received]) expect(asked).toContain(frame);
    const common = sent.filter((frame) => received.includes(frame));
    return common.length >= 3 ? common.slice(0, 3) : undefined;
  });
  const [sideBySidePath, differencePath] = ['both.png', 'map.png'].map((name) => join(folder, name));
  const status = await settled({ program: 'ffmpeg', sideBySidePath, differencePath, pairs: pairsOf(frames) });
  expect(status).toMatchObject({ state: 'done', problem: null, pictureProblem: '' });
  expect(status.compared.map(({ frame }) => frame)).toEqual(frames);
  for (const path of [sideBySidePath, differencePath])
    expect(
      readFileSync(path ?? '')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  // Noise is alike everywhere: a quarter of the picture has nearly the same ratio, wherever the line stands.
  const [compared] = status.compared;
  const sums = ['320:300:0:30', '320:300:320:30'].map((crop) => ffmpegPsnr(frames[0] as number, crop));
  for (const plane of [0, 1, 2]) {
    const psnrDb = 10 * Math.log10(65025 / (compared?.meanSquaredErrors[plane] ?? Number.NaN));
    expect(psnrDb).toBeGreaterThan(10);
    expect(psnrDb).toBeLessThan(30);
    expect(Math.min(...sums.map((sum) => Math.abs((sum[plane] ?? 0) - psnrDb)))).toBeLessThan(0.3);
    expect(compared?.structuralSimilarities[plane]).toBeGreaterThan(0.3);
    expect(compared?.structuralSimilarities[plane]).toBeLessThan(1);
  }
  sender.keepPictures(null);
  expect(readdirSync(folder).filter((name) => name.startsWith('sent-'))).toEqual([]);
  expect(sender.keptPictures()).toBeNull();
  // Closing an end removes its files too.
  receiver.close();
  await waitFor('an empty folder', () =>
    readdirSync(folder).some((name) => name.endsWith('.uyvy')) ? undefined : true,
  );
});

test('a picture that is not there fails the check by its name', async () => {
  expect(await settled({ program: 'ffmpeg', pairs: pairsOf([77]) })).toMatchObject({
    ...{ state: 'failed', compared: [], problem: { code: 'FILE_UNREADABLE' } },
  });
});

test('alike is reported as no error, and nothing to compare as null', async () => {
  const picture = Buffer.alloc(2 * width * height, 100);
  for (const end of ['sent', 'received']) writeFileSync(join(folder, `${end}-5.uyvy`), picture);
  const { compared } = await settled({ program: 'ffmpeg', pairs: pairsOf([5]) });
  expect(compared).toEqual([{ frame: 5, meanSquaredErrors: [0, 0, 0], structuralSimilarities: [1, 1, 1] }]);
});

test('each plane has its figures, and each picture its file', async () => {
  const sent = Buffer.alloc(2 * width * height, 100);
  // U, Y, V, Y: by 3 more in U, by 2 in luma, by 1 in V.
  const received = Buffer.from([103, 102, 101, 102]);
  writeFileSync(join(folder, 'sent-6.uyvy'), sent);
  writeFileSync(join(folder, 'received-6.uyvy'), Buffer.alloc(2 * width * height, received));
  const [sideBySidePath, differencePath] = ['two.png', 'one.png'].map((name) => join(folder, name));
  const status = await settled({ program: 'ffmpeg', sideBySidePath, differencePath, pairs: pairsOf([6]) });
  expect(status.pictureProblem).toBe('');
  expect(status.compared.map(({ meanSquaredErrors }) => meanSquaredErrors)).toEqual([[4, 9, 1]]);
  const widthOf = (path = '') => readFileSync(path).readUInt32BE(16);
  expect(widthOf(sideBySidePath)).toBeGreaterThan(widthOf(differencePath));
});

test('a picture that cannot be written leaves the figures, and says why', async () => {
  const picture = Buffer.alloc(2 * width * height, 100);
  for (const end of ['sent', 'received']) writeFileSync(join(folder, `${end}-7.uyvy`), picture);
  const sideBySidePath = join(folder, 'both.png');
  const status = await settled({ program: 'no-such-program', sideBySidePath, pairs: pairsOf([7]) });
  expect(status.compared).toHaveLength(1);
  expect(status.pictureProblem).toContain('no-such-program');
});

test('each end of a stream keeps what was asked for under its own name', async () => {
  addon.loadNdi([ndiFolder]);
  const finder = keep(new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] }));
  const source = keep(new addon.Source({ kind: 'white-line', ...smallFormat }));
  const sender = keep(new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 1 }));
  const receiver = keep(await receive(finder, sender));
  const frames = Array.from({ length: 10_000 }, (_, index) => index);
  const options: KeepPictures = { folder, width, height, frames, sourceId: source.status().sourceId };
  for (const [end, name] of [
    [sender, 'sent'],
    [receiver, 'received'],
  ] as const) {
    end.keepPictures(options);
    const [frame] = await waitFor('a kept picture', () => {
      const written = end.keptPictures()?.written ?? [];
      return written.length > 0 ? written : undefined;
    });
    expect(statSync(join(folder, `${name}-${frame}.uyvy`)).size).toBe(2 * width * height);
    end.keepPictures({ ...options, width: 320 });
    const [skipped] = await waitFor('a picture that is not kept', () => {
      const all = end.keptPictures()?.skipped ?? [];
      return all.length > 0 ? all : undefined;
    });
    expect(skipped?.why).toBe('it is of another size or format');
    end.keepPictures(null);
    expect(end.keptPictures()).toBeNull();
  }
});

const pairs = pairsOf([1]);
test.each([
  ['no options', undefined, /an object for options/],
  ['nothing to compare', { program: 'ffmpeg' }, /an object for pairs/],
  ['no program', { pairs }, /a text for program/],
  [
    'an odd width',
    { program: 'x', pairs: { ...pairs, width: 641 } },
    /an even width for pairs\.width but received 641/,
  ],
  [
    'a small height',
    { program: 'x', pairs: { ...pairs, height: 100 } },
    /from 180 to 16384 for pairs\.height/,
  ],
  [
    'frames that are no list',
    { program: 'x', pairs: { ...pairs, frames: 5 } },
    /a list of frame numbers for pairs\.frames/,
  ],
  [
    'half a frame',
    { program: 'x', pairs: { ...pairs, frames: [1, 2.5] } },
    /for pairs\.frames\[1\] but received 2\.5/,
  ],
  [
    'a negative frame',
    { program: 'x', pairs: { ...pairs, frames: [-1] } },
    /for pairs\.frames\[0\] but received -1/,
  ],
  [
    'an unknown generator',
    { program: 'x', clip: { path: 'a.mov', generator: 'snow', frames: [0] } },
    /the name of a generator for generator but received snow/,
  ],
])('a quality check refuses %s', (_, options, message) => {
  const thrown = codeOf(() => new contentAddon.QualityCheck(options as QualityCheckOptions));
  expect(thrown.code).toBe('INVALID_ARGUMENT');
  expect(thrown.message).toMatch(message);
});

test('a sender refuses to keep what cannot be kept', () => {
  addon.loadNdi([ndiFolder]);
  const source = keep(new addon.Source({ kind: 'white-line', ...smallFormat }));
  const sender = keep(new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 1 }));
  const good: KeepPictures = { folder, width, height, frames: [1], sourceId: 5 };
  for (const [wrong, message] of [
    [{ ...good, width: 3 }, /an even width/],
    [{ ...good, sourceId: 0 }, /from 1 to 65535 for sourceId/],
    [{ ...good, folder: 5 }, /a text for folder/],
    [undefined, /an object/],
  ] as const) {
    const thrown = codeOf(() => sender.keepPictures(wrong as unknown as KeepPictures));
    expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) });
  }
  sender.close();
  expect(codeOf(() => sender.keepPictures(good)).code).toBe('CLOSED');
});
