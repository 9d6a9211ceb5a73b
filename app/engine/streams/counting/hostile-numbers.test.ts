import { expect, test } from 'vitest';
import { audioRecords } from '../../../protocol/record-block';
import { captures, testSenderId, testSourceId } from '../../../testing/columns';
import { AudioOffset } from '../clocks/audio-offset';
import { SharedClock } from '../clocks/release-clock';
import { GapList } from './gap-list';
import { slotNs } from './schedule';
import { SlotFlags } from './slot-flags';
import { ScheduledTimes } from './slot-times';
import { SourceLedger } from './source-ledger';
import { StreamLedger } from './stream-ledger';

const schedule = { startNs: 1e9, rate: { numerator: 60, denominator: 1 } };
const wild = 2 ** 25;
/** Within the minute that pictures may be ahead. */
const ahead = 50 * 60;

function ledgerOf(isScheduled: boolean): StreamLedger {
  return new StreamLedger(new SourceLedger(schedule), {
    ...{ sourceId: testSourceId, senderId: testSenderId, firstSlot: 0, assumeSubmitted: false, isScheduled },
    clock: new SharedClock(0),
  });
}

test('a first picture that its schedule cannot have sent by then is none of the stream', () => {
  const captureNs = slotNs(schedule, 10);
  const seen = (isScheduled: boolean, frameNumber: number): [boolean, number] => {
    const ledger = ledgerOf(isScheduled);
    ledger.addCaptures(captures([{ captureNs, frameNumber }]));
    return [ledger.wasSeen(frameNumber), ledger.wrongSource];
  };
  expect(seen(true, wild)).toEqual([false, 1]);
  expect(seen(true, ahead)).toEqual([true, 0]);
  // A sender whose schedule is not known may have begun long ago.
  expect(seen(false, wild)).toEqual([true, 0]);
});

test('nor is a first block of sound', () => {
  const times = new ScheduledTimes(schedule);
  const unnumbered = (frameNumber: number): number => {
    const audio = new AudioOffset(times, 0, times);
    const one = {
      captureNs: Float64Array.of(slotNs(schedule, 10)),
      frameNumber: Float64Array.of(frameNumber),
    };
    const rest = { samples: Uint32Array.of(800), sampleRate: Uint32Array.of(48_000) };
    audio.addSound({ ...audioRecords.empty(), ...one, ...rest, burstNs: Float64Array.of(Number.NaN) });
    return audio.unnumbered;
  };
  expect([wild, ahead].map(unnumbered)).toEqual([1, 0]);
});

test('of gaps in which nothing is reported as sent, the newest ten thousand are kept', () => {
  const gaps = new GapList(new SlotFlags(0));
  expect(gaps.crowdedTo).toBe(Number.NEGATIVE_INFINITY);
  for (let slot = 0; slot < 25_000; slot += 2) {
    gaps.push({ after: slot, before: slot + 2, droppedRise: 0, undecodable: 0, behind: slot + 1 });
    gaps.settleBefore(gaps.crowdedTo, []);
  }
  expect(gaps.length).toBe(10_000);
});
