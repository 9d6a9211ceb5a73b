// @module-tag machine

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockRecords } from '../../../app/protocol/record-block';
import type { AudioRecords, ClockRecords } from '../../../app/protocol/records';
import type { Finder, Receiver, Sender, SenderStatus, Source } from '../../addon/index';
import {
  addon,
  currentSlot,
  findSource,
  keep,
  ndiFolder,
  newestLogged,
  smallFormat,
  uniqueName,
  waitFor,
  waitForPictures,
  wallOffsetUs,
} from './addon_fixture';

const framesPerSecond = smallFormat.rateNumerator;
const samplesPerFrame = 48_000 / framesPerSecond;

let finder: Finder;
let folder: string;

function openPair(options: { audio?: boolean; answerTime?: boolean }): { source: Source; sender: Sender } {
  const source = keep(new addon.Source({ kind: 'white-line', ...smallFormat }));
  return {
    source,
    sender: keep(new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 4, ...options })),
  };
}

async function openReceiver(sender: Sender, captureLogPath?: string): Promise<Receiver> {
  const found = await findSource(finder, sender.status().sourceName);
  return keep(
    new addon.Receiver({
      transport: 'ndi',
      ...found,
      receiverName: 'whiteline test',
      captureLogPath,
      wallOffsetUs,
    }),
  );
}

beforeAll(() => {
  addon.loadNdi([ndiFolder]);
  finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
  folder = mkdtempSync(join(tmpdir(), 'whiteline-receiver-'));
});

afterAll(() => {
  finder.close();
  rmSync(folder, { recursive: true });
});

/** One block for every frame that was submitted since the first block, in order, up to the newest block. */
function expectSounds(sound: AudioRecords, submitted: Uint32Array): void {
  expect(sound.overflowed).toBe(0);
  expect(new Set(sound.sampleRate)).toEqual(new Set([48_000]));
  expect(new Set(sound.samples)).toEqual(new Set([samplesPerFrame]));
  const from = submitted.indexOf(sound.frameNumber[0] as number);
  expect([...sound.frameNumber]).toEqual([...submitted.subarray(from, from + sound.frameNumber.length)]);
}

test('sound comes with the number of each frame, and its bursts with their pictures', async () => {
  const { sender } = openPair({ audio: true });
  const receiver = await openReceiver(sender);
  await waitForPictures(receiver, 4 * framesPerSecond);
  // While the sender lives: when a connection ends, libndi sometimes gives blocks of the last second again.
  const sound = receiver.drainAudio();
  const pictures = receiver.drain();
  sender.close();
  receiver.close();
  expect(sound.frameNumber.length).toBeGreaterThanOrEqual(3 * framesPerSecond);
  expectSounds(sound, sender.drain().frameNumber);

  const bursts = [...sound.burstNs.entries()].filter(([, burstNs]) => !Number.isNaN(burstNs));
  const inBursts = bursts.map(([index]) => sound.frameNumber[index] as number);
  // A burst counts after 20 ms of silence, which the first block cannot prove.
  const burstFrames = [...sound.frameNumber].slice(1).filter((number) => number % framesPerSecond === 0);
  expect(inBursts).toEqual(burstFrames);
  expect(inBursts.length).toBeGreaterThanOrEqual(2);
  const pairedOffsetsMs = bursts.flatMap(([index, burstNs]) => {
    const at = pictures.frameNumber.indexOf(sound.frameNumber[index] as number);
    return at < 0 ? [] : [(burstNs - (pictures.captureNs[at] as number)) / 1e6];
  });
  expect(pairedOffsetsMs.length).toBeGreaterThanOrEqual(2);
  // The picture of a slot takes longer than its sound, and a busy machine adds to either.
  for (const offsetMs of pairedOffsetsMs) expect(Math.abs(offsetMs)).toBeLessThan(100);
});

test('a sender without sound gives none, and nothing is asked unless asked to', async () => {
  const { sender } = openPair({ answerTime: true });
  const receiver = await openReceiver(sender);
  await waitForPictures(receiver, framesPerSecond);
  expect(receiver.drainAudio().frameNumber.length).toBe(0);
  expect(receiver.drainTime().askedUs.length).toBe(0);
});

/** Sender's clock minus ours, and how long question and answer took on their way; µs. */
function offsetsAndDelays(time: ClockRecords): { offsetUs: number; delayUs: number }[] {
  return Array.from(time.askedUs, (askedUs, index) => {
    const heardUs = time.heardUs[index] as number;
    const repliedUs = time.repliedUs[index] as number;
    const answeredUs = time.answeredUs[index] as number;
    expect(heardUs).toBeGreaterThanOrEqual(askedUs);
    expect(repliedUs).toBeGreaterThanOrEqual(heardUs);
    expect(answeredUs).toBeGreaterThanOrEqual(repliedUs);
    return {
      offsetUs: (heardUs - askedUs + (repliedUs - answeredUs)) / 2,
      delayUs: answeredUs - askedUs - (repliedUs - heardUs),
    };
  });
}

/** What was drained in pieces. */
function joined(drains: readonly ClockRecords[]): ClockRecords {
  const all = (column: Exclude<keyof ClockRecords, 'overflowed'>): Float64Array =>
    Float64Array.from(drains.flatMap((time) => [...time[column]]));
  return {
    askedUs: all('askedUs'),
    heardUs: all('heardUs'),
    repliedUs: all('repliedUs'),
    answeredUs: all('answeredUs'),
    overflowed: drains.reduce((sum, { overflowed }) => sum + overflowed, 0),
  };
}

/** The count of a sender that has heard of so many more receivers: libndi reports some of them twice. */
function arrivalsAfter(sender: Sender, before: number, more: number): Promise<number> {
  return waitFor(`${more} arrivals behind ${before}`, () => {
    const arrivals = sender.status().arrivals ?? 0;
    return arrivals >= before + more ? arrivals : undefined;
  });
}

function connected(sender: Sender, count: number): Promise<true> {
  return waitFor(`${count} connections`, () => sender.status().connections === count || undefined);
}

test('a sender hears of each receiver of ours that comes, also where one takes the place of another', async () => {
  const { sender } = openPair({ answerTime: true });
  const first = await openReceiver(sender);
  await arrivalsAfter(sender, 0, 1);
  await connected(sender, 1);
  const settled = sender.status().arrivals ?? 0;
  await openReceiver(sender);
  await arrivalsAfter(sender, settled, 1);
  await connected(sender, 2);
  const before = sender.status().arrivals ?? 0;
  first.close();
  await openReceiver(sender);
  await arrivalsAfter(sender, before, 1);
  await connected(sender, 2);
  const { sender: silent } = openPair({});
  expect(silent.status().arrivals).toBeNull();
});

test('a receiver that comes back from another sender is reported again', async () => {
  const { sender } = openPair({ answerTime: true });
  const { sender: other } = openPair({ answerTime: true });
  const receiver = await openReceiver(sender);
  await arrivalsAfter(sender, 0, 1);
  expect(other.status().arrivals).toBe(0);
  receiver.connect(await findSource(finder, other.status().sourceName));
  await arrivalsAfter(other, 0, 1);
  const before = sender.status().arrivals ?? 0;
  receiver.connect(await findSource(finder, sender.status().sourceName));
  await arrivalsAfter(sender, before, 1);
});

test('a sender reports its name on each connection to it, whatever characters it has', async () => {
  const { source, sender } = openPair({});
  const odd = keep(
    new addon.Sender({ transport: 'ndi', source, name: `${uniqueName()} "é" <&>`, senderId: 4 }),
  );
  const receiver = await openReceiver(sender);
  const heardFrom = ({ sourceName }: SenderStatus) => {
    const element = `<whiteline_sender name="${Buffer.from(sourceName).toString('hex')}"/>`;
    return waitFor(element, () => receiver.drainMetadata().includes(element) || undefined);
  };
  await heardFrom(sender.status());
  receiver.connect(await findSource(finder, odd.status().sourceName));
  await heardFrom(odd.status());
  receiver.connect(await findSource(finder, sender.status().sourceName));
  await expect(heardFrom(sender.status())).resolves.toBe(true);
});

test('two receivers ask one sender for its time, and each gets its own answers', async () => {
  const { sender } = openPair({ answerTime: true });
  const receivers = [await openReceiver(sender), await openReceiver(sender)];
  await Promise.all(receivers.map((receiver) => waitForPictures(receiver, 1)));
  const startedUs = addon.monotonicNs() / 1000 + wallOffsetUs;
  receivers[0]?.askTime({ rateHz: 20 });
  receivers[1]?.askTime({ rateHz: 5 });
  const drains: ClockRecords[][] = receivers.map(() => []);
  const answers = (index: number): ClockRecords => joined(drains[index] ?? []);
  await waitFor('answers to both', () => {
    for (const [index, receiver] of receivers.entries()) drains[index]?.push(receiver.drainTime());
    return (answers(0).askedUs.length > 20 && answers(1).askedUs.length > 5) || undefined;
  });
  for (const receiver of receivers) receiver.askTime({ rateHz: 0 });
  expect(drains.flat().every((records) => clockRecords.isOnePiece(records))).toBe(true);
  const askedForSeconds = (addon.monotonicNs() / 1000 + wallOffsetUs - startedUs) / 1e6;
  for (const [index, rateHz] of [20, 5].entries()) {
    const time = answers(index);
    expect(time.askedUs.length).toBeLessThanOrEqual(Math.floor(askedForSeconds * rateHz) + 1);
    // A question may be late, and one that is held up for long says nothing of the others: the usual interval counts.
    const intervalsUs = Array.from(time.askedUs, (us, at) => us - (time.askedUs[at - 1] ?? us)).slice(1);
    const usualUs = intervalsUs.sort((one, other) => one - other)[Math.floor(intervalsUs.length / 2)];
    expect(usualUs).toBeLessThan(2e6 / rateHz);
    expect(time.overflowed).toBe(0);
    expect(time.askedUs[0]).toBeGreaterThanOrEqual(Math.floor(startedUs));
    const exchanges = offsetsAndDelays(time);
    const best = exchanges.reduce((least, next) => (next.delayUs < least.delayUs ? next : least));
    // One clock: the error is at most half the way there and back.
    for (const { offsetUs, delayUs } of exchanges)
      expect(Math.abs(offsetUs)).toBeLessThanOrEqual(delayUs / 2);
    expect(best.delayUs).toBeLessThan(20_000);
  }
  for (const receiver of receivers) {
    expect(receiver.drainMetadata().filter((text) => text.includes('whiteline_time'))).toEqual([]);
  }
});

test('a stall makes the SDK throw pictures away, and they are the ones that were not captured', async () => {
  const { source, sender } = openPair({});
  const logPath = join(folder, `${uniqueName()}.log`);
  const receiver = await openReceiver(sender, logPath);
  await waitForPictures(receiver, 20);
  const first = currentSlot(source, framesPerSecond) + 10;
  const last = first + 2 * framesPerSecond;
  receiver.setStalls([{ first, last }]);
  await waitFor('what follows the stall', () => newestLogged(logPath) > last + 10 || undefined);
  receiver.close();
  const pictures = receiver.drain();
  const numbers = [...pictures.frameNumber];
  const logged = readFileSync(logPath, 'utf8').trim().split('\n');
  expect(logged.map((line) => Number(line.split(' ')[2]))).toEqual(numbers);

  sender.close();
  const captured = new Set(numbers);
  const span = { begin: numbers[0] as number, end: numbers[numbers.length - 1] as number };
  const due = [...sender.drain().frameNumber].filter((number) => number >= span.begin && number <= span.end);
  const absent = due.filter((number) => !captured.has(number));
  const dropped =
    (pictures.transportDropped[numbers.length - 1] as number) - (pictures.transportDropped[0] as number);
  expect(absent.length).toBeGreaterThan(framesPerSecond);
  expect(dropped).toBe(absent.length);
  expect(Math.min(...absent)).toBeGreaterThan(first);
  expect(Math.max(...absent)).toBeLessThanOrEqual(last + 10);

  const gapsNs = Array.from(pictures.captureNs, (ns, index) => ns - (pictures.captureNs[index - 1] ?? ns));
  const stallMs = Math.max(...gapsNs) / 1e6;
  const stalledAt = numbers[gapsNs.indexOf(Math.max(...gapsNs)) - 1] as number;
  expect(stalledAt).toBe(numbers.find((number) => number >= first));
  const plannedMs = ((last - stalledAt + 1) * 1000) / framesPerSecond;
  expect(stallMs).toBeGreaterThanOrEqual(plannedMs - 1);
  expect(stallMs).toBeLessThan(plannedMs + 200);
});

test('a stall ends at once when the receiver is closed', async () => {
  const { source, sender } = openPair({});
  const receiver = await openReceiver(sender);
  await waitForPictures(receiver, 5);
  const first = currentSlot(source, framesPerSecond) + framesPerSecond;
  receiver.setStalls([{ first, last: 1_000_000 }]);
  let captured = 0;
  await waitFor('the picture that begins the stall', () => {
    const { frameNumber } = receiver.drain();
    captured += frameNumber.length;
    return frameNumber.some((number) => number >= first) || undefined;
  });
  await sleep(200);
  expect(receiver.status().picturesCaptured).toBe(captured);
  const startNs = addon.monotonicNs();
  receiver.close();
  expect((addon.monotonicNs() - startNs) / 1e6).toBeLessThan(500);
});
