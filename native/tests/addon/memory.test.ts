import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Finder, findAddon } from '../../addon/index';
import {
  addon,
  ndiFolder,
  receive,
  smallFormat,
  uniqueName,
  waitFor,
  waitForPictures,
} from './addon_fixture';

const clip = `${process.cwd()}/test-content/bars-640x360-30-hap.mov`;

let finder: Finder;

beforeAll(() => {
  addon.loadNdi([ndiFolder]);
  finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
});

afterAll(() => finder.close());

test('closing gives all pictures back, though JavaScript holds the handles still', async () => {
  expect(addon.pictureBytes()).toBe(0);
  const hap = { path: clip, startFrame: 0, preload: false, reads: 'cached' } as const;
  const sources = [
    new addon.Source({ kind: 'noise', ...smallFormat }),
    new addon.Source({ kind: 'hap', ...smallFormat, hap }),
    new addon.Source({ kind: 'hap', ...smallFormat, hap: { ...hap, preload: true } }),
  ];
  const senders = sources.map(
    (source, index) =>
      new addon.Sender({
        transport: 'ndi',
        source,
        name: uniqueName(),
        senderId: index + 1,
        audio: true,
        answerTime: true,
      }),
  );
  const receivers = await Promise.all(senders.map((sender) => receive(finder, sender)));
  for (const receiver of receivers) {
    receiver.setPreview({ rateHz: 30, maxWidth: 320 });
    receiver.setView({ mostWidth: 640, mostHeight: 360, mostPicturesPerSecond: 30 });
  }
  const { rateNumerator, rateDenominator } = smallFormat;
  const textures = new addon.TextureReader({
    ...{ path: clip, startFrame: 0, rateNumerator, rateDenominator },
    startNs: addon.monotonicNs(),
  });
  await Promise.all(receivers.map((receiver) => waitForPictures(receiver, 10)));
  await waitFor('a texture', () => {
    textures.request();
    return textures.texture(0) ?? undefined;
  });
  const pictureBytes = smallFormat.width * smallFormat.height * 2;
  expect(addon.pictureBytes()).toBeGreaterThan(9 * pictureBytes);

  for (const handle of [...receivers, textures, ...senders, ...sources]) handle.close();
  await waitFor('all pictures to go', () => (addon.pictureBytes() === 0 ? true : undefined));
  // What was recorded stays.
  for (const receiver of receivers) expect(receiver.drain().captureNs.length).toBeGreaterThanOrEqual(10);
  for (const sender of senders) expect(sender.drain().frameNumber.length).toBeGreaterThanOrEqual(10);
  for (const source of sources) expect(source.drain().frameNumber.length).toBeGreaterThanOrEqual(10);
});

/** One picture is 4.1 MB, and each source has some. */
const mostBytes = 12e6;

/** Opens and closes sources of full HD; prints how much larger that leaves the process, in bytes. */
const openAndClose = `
  const { readFileSync } = require('node:fs');
  const addon = { exports: {} };
  process.dlopen(addon, ${JSON.stringify(findAddon())});
  const { Source } = addon.exports;
  const format = ${JSON.stringify({ ...smallFormat, width: 1920, height: 1080 })};
  const heldBytes = () => 1024 * /^RssAnon:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))[1];
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const plays = async (source) => {
    for (let slots = 0; slots < 3; slots += source.drain().frameNumber.length) await pause(10);
  };
  (async () => {
    const before = heldBytes();
    for (let cycle = 0; cycle < 12; cycle += 1) {
      const sources = [new Source({ kind: 'noise', ...format }), new Source({ kind: 'noise', ...format })];
      await Promise.all(sources.map(plays));
      for (const source of sources) source.close();
    }
    // Closing ends on threads of its own.
    for (let turns = 0; turns < 1200 && heldBytes() - before >= ${mostBytes}; turns += 1) await pause(50);
    console.log(heldBytes() - before);
  })();
`;

test('a process that opens and closes sources again and again gets no larger', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', openAndClose]);
  expect(Number(stdout)).toBeLessThan(mostBytes);
});
