// @module-tag machine

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CaptureRecords,
  MissCause,
  PictureStatus,
  SlotState,
  type SubmitRecords,
} from '../../../app/protocol/records';
import type { Finder, Receiver, Sender, Source } from '../../addon/index';
import {
  addon,
  currentSlot,
  findSource,
  keep,
  ndiFolder,
  newestLogged,
  receive,
  smallFormat,
  uniqueName,
  waitFor,
  waitForPictures,
  wallOffsetUs,
} from './addon_fixture';

const framesPerSecond = smallFormat.rateNumerator;
const releaseTimeSpanUs = 2 ** 48;

let finder: Finder;
let folder: string;

function openSource(options = {}): Source {
  return keep(new addon.Source({ kind: 'white-line', ...smallFormat, ...options }));
}

function openSender(source: Source, senderId: number, name = uniqueName()): Sender {
  return keep(new addon.Sender({ transport: 'ndi', source, name, senderId }));
}

async function openReceiver(sender: Sender, captureLogPath?: string): Promise<Receiver> {
  return keep(await receive(finder, sender, captureLogPath));
}

beforeAll(() => {
  addon.loadNdi([ndiFolder]);
  finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
  folder = mkdtempSync(join(tmpdir(), 'whiteline-addon-'));
});

afterAll(() => {
  finder.close();
  rmSync(folder, { recursive: true });
});

function numbersFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Frame numbers in the independent log, which the receiver's thread writes beside the records. */
function loggedNumbers(path: string, senderId: number): number[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, , frameNumber, status, sender] = line.split(' ').map(Number);
    expect(status).toBe(PictureStatus.Good);
    expect(sender).toBe(senderId);
    return frameNumber as number;
  });
}

function expectSane(captures: CaptureRecords, sourceId: number, senderId: number): void {
  for (const [index, releaseTimeUs] of captures.releaseTimeUs.entries()) {
    expect(captures.sourceId[index]).toBe(sourceId);
    expect(captures.senderId[index]).toBe(senderId);
    expect(captures.status[index]).toBe(PictureStatus.Good);
    expect(captures.codeHealth[index]).toBeGreaterThan(0.5);
    expect((captures.timecodeUs[index] as number) % releaseTimeSpanUs).toBe(releaseTimeUs);
    const capturedUs = ((captures.captureNs[index] as number) / 1000 + wallOffsetUs) % releaseTimeSpanUs;
    expect(capturedUs).toBeGreaterThan(releaseTimeUs);
    expect(capturedUs).toBeLessThan(releaseTimeUs + 2_000_000);
  }
}

test('two senders of one source: every frame is accounted for, and injected faults show exactly', async () => {
  const source = openSource();
  const senders = [openSender(source, 1), openSender(source, 2)];
  const logs = [1, 2].map(() => join(folder, `${uniqueName()}.log`));
  const receivers = await Promise.all(senders.map((sender, index) => openReceiver(sender, logs[index])));
  await Promise.all(receivers.map((receiver) => waitForPictures(receiver, 1)));

  const faultsBegin = currentSlot(source, framesPerSecond) + 30;
  const skipped = numbersFrom(faultsBegin, 5);
  const injected = numbersFrom(faultsBegin + 20, 5);
  senders[0]?.setFaults([
    { verb: 'skip', first: faultsBegin, last: faultsBegin + 4 },
    { verb: 'miss', first: faultsBegin + 20, last: faultsBegin + 24 },
  ]);
  await Promise.all(receivers.map((receiver) => waitForPictures(receiver, 150)));
  const { sourceId } = source.status();
  source.close();
  const { frameNumber, slotNs } = source.drain();
  const lastSlot = frameNumber.length - 1;
  // No sender takes the last frame any more.
  const overNs = (slotNs[lastSlot] as number) + 2e9 / framesPerSecond;
  await waitFor('the end of the last slot', () => addon.monotonicNs() > overNs || undefined);
  const submitted = senders.map((sender) => sender.drain());
  for (const [index, log] of logs.entries())
    await waitFor(
      'the last picture',
      () => newestLogged(log) === submitted[index]?.frameNumber.at(-1) || undefined,
    );

  for (const [index, sender] of senders.entries()) {
    const receiver = receivers[index] as Receiver;
    const { firstSlot } = sender.status();
    receiver.close();
    sender.close();
    expect(sender.drain().frameNumber).toHaveLength(0);
    const submits = submitted[index] as SubmitRecords;
    const misses = sender.drainMisses();
    const captures = receiver.drain();
    expect([submits.overflowed, misses.overflowed, captures.overflowed]).toEqual([0, 0, 0]);
    expectSane(captures, sourceId, index + 1);

    const settled = [...submits.frameNumber, ...misses.frameNumber].sort((a, b) => a - b);
    expect(settled).toEqual(numbersFrom(firstSlot, lastSlot - firstSlot + 1));
    const injectedMisses = [...misses.frameNumber].filter((_, at) => misses.cause[at] === MissCause.Injected);
    // A slot that a busy machine misses by itself is no fault's any more.
    const late = new Set([...misses.frameNumber].filter((_, at) => misses.cause[at] !== MissCause.Injected));
    const inTime = (slots: number[]): number[] => slots.filter((slot) => !late.has(slot));
    expect(inTime([...injected, ...skipped]).length).toBeGreaterThan(0);
    expect(injectedMisses).toEqual(index === 0 ? inTime(injected) : []);

    const captured = [...captures.frameNumber];
    expect(captured.length).toBeGreaterThanOrEqual(150);
    expect(new Set(captured).size).toBe(captured.length);
    expect(captured).toEqual(loggedNumbers(logs[index] as string, index + 1));
    const capturedSet = new Set(captured);
    const due = [...submits.frameNumber].filter((number) => number >= (captured[0] as number));
    const absent = due.filter((number) => !capturedSet.has(number));
    expect(absent).toEqual(index === 0 ? inTime(skipped) : []);
  }
});

test('a sender that comes back is received again through connect, and the records go on', async () => {
  const source = openSource();
  const name = uniqueName();
  const first = openSender(source, 1, name);
  const { address } = await findSource(finder, first.status().sourceName);
  const receiver = await openReceiver(first);
  await waitForPictures(receiver, 10);
  // The second sender is made while the first still holds its port, so that it has to take another one.
  const { sourceName } = first.status();
  const placeholder = openSender(source, 9);
  first.close();
  await waitFor('disconnection', () => (receiver.status().connections === 0 ? true : undefined));
  const before = receiver.drain();
  expect(new Set(before.senderId)).toEqual(new Set([1]));

  const second = openSender(source, 2, name);
  expect(second.status().sourceName).toBe(sourceName);
  expect(placeholder.status().sourceName).not.toBe(sourceName);
  let connected: string | undefined;
  const captures = await waitFor('pictures of the second sender', () => {
    // For a while, the sender may be listed at the address that it had.
    const listed = finder.sources().find((found) => found.name === sourceName);
    if (listed && listed.address !== connected) receiver.connect(listed);
    connected = listed?.address ?? connected;
    const drained = receiver.drain();
    return drained.senderId.includes(2) ? drained : undefined;
  });
  expect(captures.overflowed).toBe(0);
  expect(address).toMatch(/:\d+$/);
  expect(receiver.status().picturesCaptured).toBeGreaterThan(before.frameNumber.length);
});

test('BGRA goes through with its code', async () => {
  const source = openSource({ pixelFormat: 'bgra' });
  const receiver = await openReceiver(openSender(source, 7));
  await waitForPictures(receiver, 30);
  const captures = receiver.drain();
  expectSane(captures, source.status().sourceId, 7);
  expect(receiver.status()).toMatchObject({
    width: 640,
    height: 360,
    rateNumerator: 30,
    frameFormat: 'progressive',
  });
  expect(['UYVY', 'UYVA', 'BGRA', 'BGRX']).toContain(receiver.status().fourCC);
});

test('noise, the hardest picture to code, keeps its code readable', async () => {
  const source = openSource({ kind: 'noise' });
  const receiver = await openReceiver(openSender(source, 8));
  await waitForPictures(receiver, 30);
  expectSane(receiver.drain(), source.status().sourceId, 8);
});

test('metadata and previews arrive, and a preview moves', async () => {
  const source = openSource();
  const sender = openSender(source, 3);
  const receiver = await openReceiver(sender);
  expect(receiver.preview(0)).toBeNull();
  receiver.setPreview({ rateHz: 10, maxWidth: 160 });
  await waitFor('the connection', () => (sender.status().connections ? true : undefined));
  sender.sendMetadata('<hello from="test"/>');

  const first = await waitFor('a preview', () => receiver.preview(0) ?? undefined);
  const later = await waitFor('a later preview', () => receiver.preview(first.sequence + 3) ?? undefined);
  expect(later).toMatchObject({ width: 160, height: 90 });
  expect(later.pixels.length).toBe(160 * 90 * 4);
  expect(later.frameNumber).toBeGreaterThan(first.frameNumber);
  expect([...later.pixels]).not.toEqual([...first.pixels]);
  const texts = await waitFor('metadata', () =>
    receiver.drainMetadata().find((text) => text.includes('hello')),
  );
  expect(texts).toContain('from="test"');
});

test('the pixels of a preview go into the array of an earlier one that has their size', async () => {
  const receiver = await openReceiver(openSender(openSource(), 3));
  const next = (after: number, used?: Uint8ClampedArray) =>
    waitFor('a preview', () => receiver.preview(after, used) ?? undefined);
  receiver.setPreview({ rateHz: 10, maxWidth: 160 });
  const first = await next(0);
  const before = [...first.pixels];
  const second = await next(first.sequence + 3, first.pixels);
  expect(second.pixels).toBe(first.pixels);
  expect([...second.pixels]).not.toEqual(before);
  receiver.setPreview({ rateHz: 10, maxWidth: 80 });
  const smaller = await waitFor('a smaller preview', () => {
    const preview = receiver.preview(second.sequence, second.pixels);
    return preview?.width === 80 ? preview : undefined;
  });
  expect(smaller.pixels.length).toBe(80 * 45 * 4);
  expect(() => receiver.preview(0, new Uint8Array(80 * 45 * 4) as never)).toThrow(
    /Expected the Uint8ClampedArray of an earlier preview for used/,
  );
});

test('a display window gets every picture, whole and in its order, for as long as it asks', async () => {
  const source = openSource();
  const receiver = await openReceiver(openSender(source, 4));
  expect(receiver.takeView()).toBeNull();
  receiver.setView({ mostWidth: 1920, mostHeight: 1080, mostPicturesPerSecond: 60 });
  const numbers: number[] = [];
  const newest = await waitFor('pictures', () => {
    for (let picture = receiver.takeView(); picture; picture = receiver.takeView()) {
      numbers.push(picture.frameNumber ?? -1);
      if (numbers.length === 20) return picture;
    }
    return undefined;
  });
  const { streamWidth, streamHeight, pixelFormat, pixels } = newest;
  expect(newest).toMatchObject({ width: streamWidth, height: streamHeight, reducedBy: 1, everyNth: 1 });
  expect(newest.sourceId).toBe(source.status().sourceId);
  expect(pixels.length).toBe(streamWidth * streamHeight * (pixelFormat === 'uyvy' ? 2 : 4));
  const captured = [...receiver.drain().frameNumber];
  expect(captured.filter((frameNumber) => numbers.includes(frameNumber))).toEqual(numbers);

  receiver.setView({ mostWidth: 100, mostHeight: 1080, mostPicturesPerSecond: 60 });
  const reduced = await waitFor('a reduced picture', () => {
    const picture = receiver.takeView();
    return picture && picture.reducedBy > 1 ? picture : undefined;
  });
  expect(reduced.width).toBeLessThanOrEqual(100);
  receiver.setView(null);
  expect(receiver.takeView()).toBeNull();
});

test('a name that no one sends and a dead port give no picture and no harm', async () => {
  const unknown = keep(
    new addon.Receiver({ transport: 'ndi', name: 'NOBODY (nothing)', receiverName: 'unknown' }),
  );
  const dead = keep(
    new addon.Receiver({ transport: 'ndi', name: '', address: '127.0.0.1:5', receiverName: 'dead' }),
  );
  await sleep(1500);
  for (const receiver of [unknown, dead]) {
    expect(receiver.status()).toMatchObject({ connections: 0, picturesCaptured: 0, width: 0, fourCC: '' });
    expect(receiver.drain().frameNumber.length).toBe(0);
  }
});

test('a source records every slot once, with release after slot', async () => {
  const source = openSource();
  const drains = [source.drain()];
  const all = (column: 'frameNumber' | 'state' | 'releaseNs' | 'slotNs'): number[] =>
    drains.flatMap((records) => [...records[column]]);
  await waitFor('more than ten slots', () => {
    drains.push(source.drain());
    return all('frameNumber').length > 10 || undefined;
  });
  source.close();
  drains.push(source.drain());
  const [numbers, slotNs, releaseNs] = [all('frameNumber'), all('slotNs'), all('releaseNs')];
  expect(numbers).toEqual(numbersFrom(0, numbers.length));
  for (const [index, state] of all('state').entries()) {
    if (state === SlotState.Skipped) expect(releaseNs[index]).toBe(0);
    else expect(releaseNs[index]).toBeGreaterThanOrEqual(slotNs[index] as number);
  }
  const periodNs = (slotNs[10] as number) - (slotNs[7] as number);
  expect(Math.abs(periodNs - 100_000_000)).toBeLessThanOrEqual(1);
});
