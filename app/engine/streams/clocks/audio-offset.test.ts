import { describe, expect, test } from 'vitest';
import { framesPerSecond, type Rate } from '../../../protocol/format';
import { type AudioRecords, PictureStatus } from '../../../protocol/records';
import { type Capture, captures, range, testSourceId } from '../../../testing/columns';
import { Random, seeds } from '../../../testing/random';
import { slotPeriodNs } from '../counting/schedule';
import { AudioOffset } from './audio-offset';
import { OpenSound } from './open-sound';

const rate: Rate = { numerator: 30, denominator: 1 };
const pace = { periodNs: slotPeriodNs(rate) };
const wrap = 2 ** 32;

interface Block {
  captureNs: number;
  frameNumber?: number;
  burstNs?: number;
}

function sound(blocks: Block[]): AudioRecords {
  return {
    captureNs: Float64Array.from(blocks, ({ captureNs }) => captureNs),
    frameNumber: Float64Array.from(blocks, ({ frameNumber }) => frameNumber ?? Number.NaN),
    samples: new Uint32Array(blocks.length).fill(1600),
    sampleRate: new Uint32Array(blocks.length).fill(48_000),
    burstNs: Float64Array.from(blocks, ({ burstNs }) => burstNs ?? Number.NaN),
    overflowed: 0,
  };
}

interface Sent {
  /** Sound minus picture, ms, by slot. */
  offsetMs?: (slot: number) => number;
  /** Blocks and pictures on their way that do not come. */
  loseBlock?: (slot: number) => boolean;
  losePicture?: (slot: number) => boolean;
  /** Blocks say which frame they belong to. */
  isNumbered?: boolean;
  rate?: Rate;
}

/** Sends slots with sound and picture, in batches of a tenth of a second as hosts drain them. */
function send(audio: AudioOffset, slots: number[], sent: Sent = {}): void {
  const { offsetMs = () => 0, loseBlock = () => false, losePicture = () => false, isNumbered = true } = sent;
  const period = 1e9 / framesPerSecond(sent.rate ?? rate);
  const framesInSecond = Math.round(framesPerSecond(sent.rate ?? rate));
  const batchSlots = Math.ceil(framesInSecond / 10);
  for (let at = 0; at < slots.length; at += batchSlots) {
    const batch = slots.slice(at, at + batchSlots);
    const blocks: Block[] = batch
      .filter((slot) => !loseBlock(slot))
      .map((slot) => {
        const captureNs = slot * period + offsetMs(slot) * 1e6;
        const frameNumber = slot % wrap;
        const burst = frameNumber % framesInSecond === 0 ? { burstNs: captureNs } : {};
        return { captureNs, ...(isNumbered ? { frameNumber } : {}), ...burst };
      });
    const pictures: Capture[] = batch
      .filter((slot) => !losePicture(slot))
      .map((slot) => ({ captureNs: slot * period, frameNumber: slot % wrap }));
    audio.addSound(sound(blocks));
    audio.addPictures(captures(pictures), testSourceId);
  }
}

const always = (): boolean => true;

test('the offset is the median of the bursts against the pictures of their number', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(0, 299), { offsetMs: (slot) => (slot === 60 ? 400 : 12.5) });
  expect(audio.over(0, 299, always)).toEqual({ offsetMs: 12.5, blocksMissing: 0 });
  expect(audio.driftMs(0, 299)).toBe(0);
  const early = new AudioOffset(pace, 0);
  send(early, range(0, 299), { offsetMs: () => -700 });
  expect(early.over(0, 299, always)?.offsetMs).toBe(-700);
});

test('a burst without a number goes to a picture by the rate that is measured, not by the declared one', () => {
  const declared = { periodNs: 1e9 / 15 };
  const audio = new AudioOffset(declared, 0);
  declared.periodNs = slotPeriodNs(rate);
  send(audio, range(0, 299), { offsetMs: () => 400, isNumbered: false });
  expect(audio.over(0, 299, always)?.offsetMs).toBeCloseTo(400, 3);
});

test('a burst that waited longer for its picture than a later one stands in its place', () => {
  const audio = new AudioOffset(pace, 0);
  const period = 1e9 / framesPerSecond(rate);
  const burst = (slot: number, offsetMs: number) => {
    const atNs = slot * period + offsetMs * 1e6;
    return { captureNs: atNs, frameNumber: slot, burstNs: atNs };
  };
  const pictures = (...slots: number[]) =>
    captures(slots.map((slot) => ({ captureNs: slot * period, frameNumber: slot })));
  audio.addSound(sound([burst(90, 30), burst(60, 20), burst(30, 10)]));
  audio.addPictures(pictures(30, 60, 90), testSourceId);
  expect(audio.over(30, 59, always)?.offsetMs).toBe(10);
  expect(audio.over(60, 89, always)?.offsetMs).toBe(20);
  expect(audio.over(60, 90, always)?.offsetMs).toBe(25);
  expect(audio.driftMs(30, 89)).toBeNull();
  expect(audio.driftMs(30, 90)).toBeCloseTo((10 * 61) / 30, 6);
});

test('bursts of frames outside the range do not count in it', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(0, 299), { offsetMs: (slot) => (slot < 150 ? 10 : 40) });
  expect(audio.over(0, 149, always)?.offsetMs).toBe(10);
  expect(audio.over(150, 299, always)?.offsetMs).toBe(40);
  expect(audio.over(1, 29, always)).toEqual({ offsetMs: null, blocksMissing: 0 });
});

test('drift is what the offset gained over the range, and needs three bursts', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(0, 1799), { offsetMs: (slot) => 5 + (slot / 1800) * 60 });
  expect(audio.driftMs(0, 1799)).toBeCloseTo(60, 6);
  expect(audio.driftMs(0, 899)).toBeCloseTo(30, 6);
  expect(audio.driftMs(0, 59)).toBeNull();
  expect(audio.driftMs(0, 60)).toBeCloseTo((60 * 61) / 1800, 6);
});

test('drift is not drawn on over a time without pictures, at either end', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(90, 209), { offsetMs: (slot) => slot / 30 });
  // Bursts at 90, 120, 150 and 180, of 30 frames a second.
  expect(audio.driftMs(15, 255)).toBeCloseTo(241 / 30, 6);
  expect(audio.driftMs(14, 255)).toBeNull();
  expect(audio.driftMs(15, 256)).toBeNull();
});

test('half an hour of bursts makes the same line', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(0, 53_999), { offsetMs: (slot) => (slot % 900 === 0 ? 300 : (slot / 54_000) * 90) });
  expect(audio.driftMs(0, 53_999)).toBeCloseTo(90, 3);
});

test('blocks that never came are counted where a frame was submitted', () => {
  const audio = new AudioOffset(pace, 0);
  const lost = new Set([7, 30, 31, 100]);
  send(audio, range(0, 299), { loseBlock: (slot) => lost.has(slot) });
  expect(audio.over(0, 299, always)?.blocksMissing).toBe(4);
  expect(audio.over(8, 99, always)?.blocksMissing).toBe(2);
  expect(audio.over(0, 299, (slot) => slot !== 31)?.blocksMissing).toBe(3);
  expect(audio.over(0, 309, always)?.blocksMissing).toBe(14);
});

test('numbers that wrap count on', () => {
  const audio = new AudioOffset(pace, wrap - 100);
  send(audio, range(wrap - 100, wrap + 199), {
    offsetMs: () => 3,
    loseBlock: (slot) => slot === wrap || slot === wrap + 1,
  });
  expect(audio.over(wrap - 100, wrap + 199, always)).toMatchObject({ blocksMissing: 2 });
  expect(audio.over(wrap - 100, wrap + 199, always)?.offsetMs).toBeCloseTo(3, 6);
  expect(audio.over(wrap + 2, wrap + 199, always)?.offsetMs).toBeCloseTo(3, 6);
});

test('without sound nothing is measured; before a burst only blocks are', () => {
  const audio = new AudioOffset(pace, 0);
  audio.addPictures(captures(range(0, 89).map((frameNumber) => ({ captureNs: 0, frameNumber }))), 4711);
  expect(audio.over(0, 89, always)).toBeNull();
  send(audio, range(90, 119), { loseBlock: (slot) => slot === 90 });
  expect(audio.over(90, 119, always)).toEqual({ offsetMs: null, blocksMissing: 1 });
});

test('sound without numbers is matched to the nearest picture of a burst, and its blocks are not counted', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(0, 329), { offsetMs: () => -45, isNumbered: false });
  expect(audio.over(0, 299, always)).toMatchObject({ offsetMs: -45, blocksMissing: null });
  const lossy = new AudioOffset(pace, 0);
  send(lossy, range(0, 329), {
    offsetMs: () => 45,
    isNumbered: false,
    losePicture: (slot) => slot % 30 === 0,
  });
  expect(lossy.over(0, 299, always)).toEqual({ offsetMs: null, blocksMissing: null });
});

test('a burst without a number waits for the picture that is nearest', () => {
  const audio = new AudioOffset(pace, 0);
  audio.addPictures(captures([{ captureNs: 1e9, frameNumber: 30 }]), testSourceId);
  audio.addSound(sound([{ captureNs: 1.45e9, burstNs: 1.45e9 }]));
  audio.addPictures(captures([{ captureNs: 1.6e9, frameNumber: 60 }]), testSourceId);
  audio.addPictures(captures([{ captureNs: 2.6e9, frameNumber: 90 }]), testSourceId);
  expect(audio.over(0, 99, always)?.offsetMs).toBeCloseTo(-150, 6);
});

test('a burst whose picture was lost goes to no other picture', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(0, 299), {
    offsetMs: (slot) => (slot === 90 ? 99 : 5),
    losePicture: (slot) => slot === 90,
  });
  expect(audio.over(61, 119, always)?.offsetMs).toBeNull();
  expect(audio.over(61, 120, always)?.offsetMs).toBe(5);
});

test('a picture that is shown again, unreadable, or another source’s is not the burst’s picture', () => {
  const audio = new AudioOffset(pace, 0);
  audio.addPictures(
    captures([
      { captureNs: 0.7e9, frameNumber: 30, sourceId: 9 },
      { captureNs: 0.8e9, frameNumber: 30, status: PictureStatus.Undecodable },
      { captureNs: 1e9, frameNumber: 30, status: PictureStatus.Damaged },
      { captureNs: 1.1e9, frameNumber: 31 },
      { captureNs: 1.2e9, frameNumber: 30 },
    ]),
    testSourceId,
  );
  audio.addSound(sound([{ captureNs: 1.02e9, frameNumber: 30, burstNs: 1.02e9 }]));
  expect(audio.over(0, 60, always)?.offsetMs).toBe(20);

  const unnumbered = new AudioOffset(pace, 0);
  const twice = [1e9, 1.1e9, 2e9].map((captureNs, index) => ({
    captureNs,
    frameNumber: [30, 30, 60][index] ?? 0,
  }));
  unnumbered.addPictures(captures(twice), testSourceId);
  unnumbered.addSound(sound([{ captureNs: 1.09e9, burstNs: 1.09e9 }]));
  expect(unnumbered.over(0, 60, always)?.offsetMs).toBeCloseTo(90, 6);
});

test('nonsense numbers are passed over', () => {
  const audio = new AudioOffset(pace, 0);
  send(audio, range(0, 89));
  const numbers = [Number.POSITIVE_INFINITY, 2 ** 31 - 1, -5, 0.5];
  audio.addSound(sound(numbers.map((frameNumber) => ({ captureNs: 3e9, frameNumber, burstNs: 3e9 }))));
  expect(audio.over(0, 89, always)).toMatchObject({ offsetMs: 0, blocksMissing: 0 });
  send(audio, range(90, 119));
  expect(audio.over(90, 119, always)).toMatchObject({ blocksMissing: 0 });
});

describe.each(seeds)('seed %i', (seed) => {
  test('a range that grows says at each look what all of it says', () => {
    const random = new Random(seed);
    const audio = new AudioOffset(pace, 0);
    const open = new OpenSound(audio, 30, 300);
    const lost = new Set(range(0, 3000).filter(() => random.chance(0.1)));
    for (let next = 0; next < 3000; next += 30) {
      const isLost = (slot: number): boolean => lost.has(slot);
      send(audio, range(next, next + 29), {
        offsetMs: () => random.whole(-40, 40),
        losePicture: isLost,
        loseBlock: isLost,
      });
      const figures = open.to(next + 29, always);
      const whole = audio.over(30, next + 29, always);
      expect(figures?.blocksMissing).toBe(whole?.blocksMissing);
      // Ten seconds late, by nearest rank.
      const settled = audio.offsetsMs(30, next + 29 - 300).sort((a, b) => a - b);
      if (settled.length > 0) expect(figures?.offsetMs).toBe(settled[Math.ceil(settled.length / 2) - 1]);
      else expect(figures?.offsetMs).toBe(whole?.offsetMs);
    }
  });

  test('random sound over random ways comes back', () => {
    const random = new Random(seed);
    for (let world = 0; world < 30; world++) {
      const ntsc = random.pick<Rate>([
        rate,
        { numerator: 60_000, denominator: 1001 },
        { numerator: 25, denominator: 1 },
      ]);
      const first = random.pick([0, wrap - random.whole(1, 2000), random.whole(0, wrap - 1)]);
      const last = first + random.whole(400, 4000);
      const lost = new Set(range(first, last).filter(() => random.chance(0.05)));
      const missed = new Set(range(first, last).filter(() => random.chance(0.05)));
      const offset = random.next() * 400 - 200;
      const jitterMs = random.next() * 4;
      const audio = new AudioOffset({ periodNs: slotPeriodNs(ntsc) }, first);
      send(audio, range(first, last), {
        rate: ntsc,
        offsetMs: () => offset + (random.next() - 0.5) * jitterMs,
        loseBlock: (slot) => lost.has(slot) || missed.has(slot),
        losePicture: (slot) => random.chance(0.02) || missed.has(slot),
        isNumbered: true,
      });
      const figures = audio.over(first, last, (slot) => !missed.has(slot));
      expect(figures?.blocksMissing).toBe([...lost].filter((slot) => !missed.has(slot)).length);
      expect(Math.abs((figures?.offsetMs ?? 1e9) - offset)).toBeLessThanOrEqual(jitterMs / 2 + 1e-3);
      const driftMs = audio.driftMs(first, last);
      if (driftMs !== null) expect(Math.abs(driftMs)).toBeLessThan(4 * jitterMs + 1e-3);
    }
  });
});
