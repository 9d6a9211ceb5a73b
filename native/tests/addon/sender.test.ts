// @module-tag machine

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  audioRecords,
  captureRecords,
  missRecords,
  sourceRecords,
  submitRecords,
} from '../../../app/protocol/record-block';
import { type Fault, MissCause, PictureClass, PictureStatus, SlotState } from '../../../app/protocol/records';
import type { Finder } from '../../addon/index';
import {
  addon,
  currentSlot,
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

let finder: Finder;
let folder: string;

beforeAll(() => {
  addon.loadNdi([ndiFolder]);
  finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
  folder = mkdtempSync(join(tmpdir(), 'whiteline-sender-'));
});

afterAll(() => {
  finder.close();
  rmSync(folder, { recursive: true });
});

test('each verb does to real NDI what it says, and the sound goes on', async () => {
  const source = keep(new addon.Source({ kind: 'noise', ...smallFormat }));
  const sender = keep(
    new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 4, audio: true }),
  );
  const log = join(folder, `${uniqueName()}.log`);
  const receiver = keep(await receive(finder, sender, log));
  await waitForPictures(receiver, 5);

  const begin = currentSlot(source, smallFormat.rateNumerator) + 15;
  const delayMs = 150;
  const faults: Fault[] = [
    { verb: 'skip', first: begin, last: begin + 1 },
    { verb: 'repeat', first: begin + 5, last: begin + 5 },
    { verb: 'swap', first: begin + 10, last: begin + 12 },
    { verb: 'tear', first: begin + 15, last: begin + 16 },
    { verb: 'damage-top', first: begin + 20, last: begin + 20 },
    { verb: 'damage-bottom', first: begin + 22, last: begin + 22 },
    { verb: 'black', first: begin + 25, last: begin + 27 },
    { verb: 'miss', first: begin + 30, last: begin + 30 },
    { verb: 'delay', first: begin + 35, last: begin + 35, delayMs },
  ];
  sender.setFaults(faults);
  await waitFor('what follows the faults', () => newestLogged(log) > begin + 60 || undefined);
  receiver.close();
  source.close();
  sender.close();

  const submits = sender.drain();
  const misses = sender.drainMisses();
  const captures = receiver.drain();
  const sound = receiver.drainAudio();
  // As they lie in memory they go to the engine.
  expect(sourceRecords.isOnePiece(source.drain())).toBe(true);
  expect(submitRecords.isOnePiece(submits)).toBe(true);
  expect(missRecords.isOnePiece(misses)).toBe(true);
  expect(captureRecords.isOnePiece(captures)).toBe(true);
  expect(audioRecords.isOnePiece(sound)).toBe(true);
  const submitted = [...submits.frameNumber];
  const captured = [...captures.frameNumber];
  const byStatus = (status: number) => captured.filter((_, index) => captures.status[index] === status);
  // A slot that a busy machine misses by itself is no fault's any more.
  const inTime = (...offsets: number[]) =>
    offsets.map((offset) => begin + offset).filter((number) => submitted.includes(number));
  expect(inTime(0, 1, 5, 10, 15, 16, 20, 22, 25, 26, 27, 35).length).toBeGreaterThan(0);

  expect(byStatus(PictureStatus.Torn)).toEqual(inTime(15, 16));
  expect(byStatus(PictureStatus.Damaged)).toEqual(inTime(20, 22));
  const classes = [...captures.pictureClass].filter(
    (_, index) => captures.status[index] === PictureStatus.Undecodable,
  );
  const black = inTime(25, 26, 27);
  expect(classes).toEqual(black.map(() => PictureClass.Black));

  // In the order in which they came: what was put in, and nothing else.
  const good = captured.filter((_, index) => captures.status[index] !== PictureStatus.Undecodable);
  const goodOnce = submitted.filter(
    (number) => number >= (good[0] as number) && number <= (good.at(-1) as number),
  );
  const skipped = inTime(0, 1);
  const [heldBack] = inTime(10);
  const handedOver = goodOnce.filter((number) => !skipped.includes(number) && number !== heldBack);
  const releasing = handedOver.find((number) => number >= begin + 12);
  const expected = handedOver
    .flatMap((number) => {
      if (number === begin + 5) return [number, number];
      return number === releasing && heldBack !== undefined ? [number, heldBack] : [number];
    })
    .filter((number) => !black.includes(number));
  expect(good).toEqual(expected);

  const cause = (number: number) => misses.cause[[...misses.frameNumber].indexOf(number)];
  const { frameNumber, state } = source.drain();
  const passedOver = new Set([...frameNumber].filter((_, index) => state[index] === SlotState.Skipped));
  const causeUnlessPassedOver = (number: number, usual: number) =>
    passedOver.has(number) ? MissCause.SourceSkipped : usual;
  expect(cause(begin + 30)).toBe(causeUnlessPassedOver(begin + 30, MissCause.Injected));
  for (const delayed of inTime(35)) {
    const delayedAt = submitted.indexOf(delayed);
    expect(submits.previousCallNs[delayedAt + 1]).toBeGreaterThanOrEqual(delayMs * 1e6);
    expect(submitted[delayedAt + 1]).toBeGreaterThan(begin + 38);
    // Their deadlines passed within the call.
    for (const number of [begin + 36, begin + 37, begin + 38])
      expect(cause(number)).toBe(causeUnlessPassedOver(number, MissCause.SendBlocked));
    const delayedCapture = captured.indexOf(delayed);
    const latencyUs =
      (captures.captureNs[delayedCapture] as number) / 1000 +
      wallOffsetUs -
      (captures.timecodeUs[delayedCapture] as number);
    expect(latencyUs).toBeGreaterThan(delayMs * 1000);
  }

  // One block for each submitted frame, in order, whatever became of the picture.
  const heard = [...sound.frameNumber];
  const [first = Number.NaN, newest = Number.NaN] = [heard[0], heard.at(-1)];
  expect(heard).toEqual(submitted.filter((number) => number >= first && number <= newest));
  expect(first).toBeLessThan(begin);
  expect(newest).toBeGreaterThan(begin + 27);
  expect(new Set(sound.sampleRate)).toEqual(new Set([48_000]));
  expect(new Set(sound.samples)).toEqual(new Set([1600]));
  const bursts = heard.filter((_, index) => Number.isFinite(sound.burstNs[index]));
  expect(bursts).toEqual(heard.slice(1).filter((number) => number % smallFormat.rateNumerator === 0));
});

test('a sender that is not to answer for the time keeps quiet', async () => {
  const source = keep(new addon.Source({ kind: 'white-line', ...smallFormat }));
  const sender = keep(new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 2 }));
  const receiver = keep(await receive(finder, sender));
  receiver.askTime({ rateHz: 20 });
  await waitForPictures(receiver, 30);
  for (const handle of [receiver, sender, source]) handle.close();
  expect(receiver.drainTime().askedUs.length).toBe(0);
  expect(receiver.drainMetadata().filter((text) => text.includes('whiteline_time'))).toEqual([]);
});
