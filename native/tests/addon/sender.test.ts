// @module-tag timing

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fault, MissCause, PictureClass, PictureStatus } from '../../../app/protocol/records';
import type { Finder } from '../../addon/index';
import {
  addon,
  currentSlot,
  keep,
  ndiFolder,
  receive,
  smallFormat,
  uniqueName,
  waitFor,
  waitForPictures,
  wallOffsetUs,
} from './addon_fixture';

let finder: Finder;

beforeAll(() => {
  addon.loadNdi([ndiFolder]);
  finder = new addon.Finder({ extraAddresses: ['127.0.0.1'] });
});

afterAll(() => finder.close());

test('each verb does to real NDI what it says, and the sound goes on', async () => {
  const source = keep(new addon.Source({ kind: 'noise', ...smallFormat }));
  const sender = keep(new addon.Sender({ source, name: uniqueName(), senderId: 4, audio: true }));
  const receiver = keep(await receive(finder, sender));
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
  await waitFor('the end of the faults', () =>
    currentSlot(source, smallFormat.rateNumerator) > begin + 60 ? true : undefined,
  );
  source.close();
  await sleep(500);
  receiver.close();
  sender.close();

  const submits = sender.drain();
  const misses = sender.drainMisses();
  const captures = receiver.drain();
  const sound = receiver.drainAudio();
  const submitted = [...submits.frameNumber];
  const captured = [...captures.frameNumber];
  const byStatus = (status: number) => captured.filter((_, index) => captures.status[index] === status);

  expect(byStatus(PictureStatus.Torn)).toEqual([begin + 15, begin + 16]);
  expect(byStatus(PictureStatus.Damaged)).toEqual([begin + 20, begin + 22]);
  const classes = [...captures.pictureClass].filter(
    (_, index) => captures.status[index] === PictureStatus.Undecodable,
  );
  expect(classes).toEqual([PictureClass.Black, PictureClass.Black, PictureClass.Black]);

  // In the order in which they came: what was put in, and nothing else.
  const black = new Set([begin + 25, begin + 26, begin + 27]);
  const good = captured.filter((_, index) => captures.status[index] !== PictureStatus.Undecodable);
  const expected = submitted
    .filter((number) => number >= (good[0] as number) && number !== begin && number !== begin + 1)
    .filter((number) => number !== begin + 10 && !black.has(number))
    .flatMap((number) => {
      if (number === begin + 5) return [number, number];
      return number === begin + 12 ? [number, begin + 10] : [number];
    });
  expect(good).toEqual(expected);

  const cause = (number: number) => misses.cause[[...misses.frameNumber].indexOf(number)];
  expect(cause(begin + 30)).toBe(MissCause.Injected);
  const delayedAt = submitted.indexOf(begin + 35);
  expect(submits.previousCallNs[delayedAt + 1]).toBeGreaterThanOrEqual(delayMs * 1e6);
  const behind = submitted[delayedAt + 1] as number;
  expect(behind).toBeGreaterThanOrEqual(begin + 38);
  for (let number = begin + 36; number < behind; number += 1)
    expect(cause(number)).toBe(MissCause.SendBlocked);
  const delayedCapture = captured.indexOf(begin + 35);
  const latencyUs =
    (captures.captureNs[delayedCapture] as number) / 1000 +
    wallOffsetUs -
    (captures.timecodeUs[delayedCapture] as number);
  expect(latencyUs).toBeGreaterThan(delayMs * 1000);

  // One block for each submitted frame, in order, whatever became of the picture.
  const heard = [...sound.frameNumber];
  expect(heard).toEqual(submitted.filter((number) => number >= (heard[0] as number)));
  expect(heard).toContain(begin);
  expect(heard).toContain(begin + 26);
  expect(new Set(sound.sampleRate)).toEqual(new Set([48_000]));
  expect(new Set(sound.samples)).toEqual(new Set([1600]));
  const bursts = heard.filter((_, index) => Number.isFinite(sound.burstNs[index]));
  expect(bursts).toEqual(heard.slice(1).filter((number) => number % smallFormat.rateNumerator === 0));
});

test('a sender that is not to answer for the time keeps quiet', async () => {
  const source = keep(new addon.Source({ kind: 'white-line', ...smallFormat }));
  const sender = keep(new addon.Sender({ source, name: uniqueName(), senderId: 2 }));
  const receiver = keep(await receive(finder, sender));
  receiver.askTime({ rateHz: 20 });
  await waitForPictures(receiver, 30);
  for (const handle of [receiver, sender, source]) handle.close();
  expect(receiver.drainTime().askedUs.length).toBe(0);
  expect(receiver.drainMetadata().filter((text) => text.includes('whiteline_time'))).toEqual([]);
});
