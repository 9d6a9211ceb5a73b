import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PictureStatus } from '../../../app/protocol/records';
import { buildPlainSender } from '../../../app/testing/plain-sender';
import type { Finder, Receiver } from '../../addon/index';
import { addon, ndiFolder, uniqueName, waitFor } from './addon_fixture';

/** What the SDK of another machine may send: native/tests/tools/odd_sender.cc sends it by order. */

let folder: string;
let sender: ChildProcess;
let answers: Interface;
let finder: Finder;
let receiver: Receiver;

beforeAll(async () => {
  addon.loadNdi([ndiFolder]);
  folder = mkdtempSync(join(tmpdir(), 'whiteline-odd-'));
  const name = uniqueName();
  const flags = ['--library', join(ndiFolder, 'libndi.so.6'), '--name', name];
  sender = spawn(buildPlainSender(folder, 'odd_sender'), flags, { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!sender.stdout) throw new Error('No output of the sender');
  answers = createInterface({ input: sender.stdout });
  await once(answers, 'line');
  finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
  const source = await waitFor('the odd sender', () =>
    finder.sources().find((found) => found.name.includes(`(${name})`)),
  );
  receiver = new addon.Receiver({ transport: 'ndi', ...source, receiverName: 'whiteline test' });
  receiver.setPreview({ rateHz: 60, maxWidth: 200 });
  receiver.setView({ mostWidth: 640, mostHeight: 360, mostPicturesPerSecond: 60 });
  await waitFor('a connection', () => receiver.status().connections === 1 || undefined);
}, 60_000);

afterAll(() => {
  receiver.close();
  finder.close();
  sender.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(order: string): Promise<void> {
  sender.stdin?.write(`${order}\n`);
  await once(answers, 'line');
}

let pictureOrders = 0;

async function askForPictures(order: string): Promise<void> {
  pictureOrders += 1;
  await ask(`picture ${order}`);
}

function isOfThisOrder(timecodeUs = Number.NaN): boolean {
  return Math.floor(timecodeUs / 1e6) === pictureOrders;
}

/** Some of what comes of the picture of an order, which the sender sends until the next one. */
async function captured(order: string) {
  await askForPictures(order);
  const statuses: number[] = [];
  await waitFor('its pictures', () => {
    const { status, timecodeUs } = receiver.drain();
    // Those of an order before may still be coming.
    statuses.push(...status.filter((_, index) => isOfThisOrder(timecodeUs[index])));
    return statuses.length >= 5 || undefined;
  });
  const { fourCC, width, height } = receiver.status();
  receiver.takeView();
  return { format: `${fourCC} ${width}×${height}`, statuses: new Set(statuses) };
}

/** The receiver asks for the SDK's fastest format, so that planes and 16 bits come as 8 bits and even. */
test.each([
  ['an odd width and height', 'UYVY 641 361 1282', 'UYVY 640×360'],
  ['an odd stride', 'UYVY 640 360 1285', 'UYVY 640×360'],
  ['a stride shorter than a row', 'UYVY 640 360 640', 'UYVY 640×360'],
  ['16 bits', 'P216 640 360 1280', 'UYVY 640×360'],
  ['three planes', 'I420 640 360 640', 'UYVY 640×360'],
  ['two planes', 'NV12 640 360 640', 'UYVY 640×360'],
  ['red first', 'RGBA 640 360 2560', 'UYVA 640×360'],
  ['two pixels', 'UYVY 2 2 4', 'UYVY 2×2'],
  ['the widest', 'UYVY 16384 64 32768', 'UYVY 16384×64'],
  ['the highest', 'UYVY 64 16384 128', 'UYVY 64×16384'],
])('a foreign picture of %s is undecodable, and its format is named', async (_, order, format) => {
  expect(await captured(order)).toEqual({ format, statuses: new Set([PictureStatus.Undecodable]) });
});

test('what the SDK does not deliver changes nothing', async () => {
  for (const order of ['UYVY 0 0 0', 'UYVY 640 0 1280', 'UYVY 1 1 4', 'BGRA 1 1 4']) {
    await askForPictures(order);
  }
  expect((await captured('UYVY 320 180 640')).format).toBe('UYVY 320×180');
});

test('of foreign metadata the newest texts are kept, and the beginning of a long one', async () => {
  receiver.drainMetadata();
  await ask('metadata 1000000 <a>bc</a>');
  const texts = await waitFor('the long text', () => {
    const drained = receiver.drainMetadata();
    return drained.length > 0 ? drained : undefined;
  });
  expect(texts).toEqual(['<a>bc</a>'.repeat(8000).slice(0, 65_536)]);
  // The SDK sends no text that is not XML.
  await ask('metadata 100 \\xC3\\x28\\xFF');
  await ask('metadata 100 <open');
  await ask('flood 1000');
  let floods = 0;
  // On a busy machine a text may be lost on its way, so one more is sent until it comes.
  await vi.waitFor(
    async () => {
      await ask('metadata 1 <last/>');
      const drained = receiver.drainMetadata();
      floods += drained.filter((text) => text.startsWith('<flood')).length;
      expect(drained.at(-1)).toBe('<last/>');
    },
    { timeout: 60_000, interval: 20 },
  );
  expect(floods).toBeLessThanOrEqual(1000);
  expect((await captured('UYVY 320 180 640')).format).toBe('UYVY 320×180');
});

test('foreign sound has no frame, and its burst is where it sounds', async () => {
  receiver.drainAudio();
  await ask('sound 2000 1200');
  const burstNs: number[] = [];
  await waitFor('three blocks', () => {
    const sound = receiver.drainAudio();
    for (const [index, captureNs] of sound.captureNs.entries()) {
      expect(sound.frameNumber[index]).toBeNaN();
      expect([sound.samples[index], sound.sampleRate[index]]).toEqual([2000, 48_000]);
      burstNs.push((sound.burstNs[index] ?? 0) - captureNs);
    }
    return burstNs.length === 3 || undefined;
  });
  expect(burstNs[0]).toBeNaN();
  expect(((burstNs[1] ?? 0) * 48_000) / 1e9).toBeCloseTo(1200, 0);
  expect(burstNs[2]).toBeNaN();
});
