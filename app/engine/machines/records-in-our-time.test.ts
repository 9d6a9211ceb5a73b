import { expect, test } from 'vitest';
import type { RecordsMessage } from '../../protocol/host';
import {
  audioRecords,
  captureRecords,
  clockRecords,
  missRecords,
  sourceRecords,
  submitRecords,
} from '../../protocol/record-block';
import { MachineClock } from './machine-clock';
import { inOurTime } from './records-in-our-time';

const aheadNs = 3600e9;

function clockAhead(): MachineClock {
  const clock = new MachineClock();
  for (let askedNs = 1e9; askedNs < 20e9; askedNs += 0.25e9) {
    const heardNs = askedNs + aheadNs + 1000;
    clock.add({ askedNs, heardNs, repliedNs: heardNs, answeredNs: askedNs + 2000 });
  }
  return clock;
}

test('every moment of a message is on our clock; what stands for none, and lengths, stay', () => {
  const theirs = (ns: number): Float64Array => Float64Array.of(aheadNs + ns);
  const message = {
    ...{ type: 'records', atNs: aheadNs + 20e9, processIds: [77], traffic: { atNs: aheadNs, sockets: null } },
    standstills: [{ kind: 'stopped', fromNs: aheadNs + 11e9, toNs: aheadNs + 12e9 }],
    sources: [
      {
        sourceId: 1,
        status: { startNs: aheadNs + 5e9 },
        records: { ...sourceRecords.empty(), slotNs: theirs(13e9), releaseNs: Float64Array.of(0) },
      },
    ],
    senders: [
      {
        submits: { ...submitRecords.empty(), beginNs: theirs(14e9), previousCallNs: Float64Array.of(1e6) },
        misses: { ...missRecords.empty(), atNs: theirs(15e9) },
      },
    ],
    receivers: [
      {
        openedNs: 0,
        captures: { ...captureRecords.empty(), captureNs: theirs(16e9), releaseTimeUs: Float64Array.of(123) },
        audio: { ...audioRecords.empty(), captureNs: theirs(17e9), burstNs: Float64Array.of(Number.NaN) },
        time: clockRecords.empty(),
        status: { lastCaptureNs: aheadNs + 18e9 },
      },
    ],
  } as unknown as RecordsMessage;
  const ours = inOurTime(message, clockAhead());
  const near = (ns: number) => expect.closeTo(ns, -4);
  expect(ours).toMatchObject({ atNs: near(20e9), processIds: [], traffic: null });
  expect(ours.standstills).toEqual([{ kind: 'stopped', fromNs: near(11e9), toNs: near(12e9) }]);
  const [source, sender, receiver] = [ours.sources[0], ours.senders[0], ours.receivers[0]];
  expect([source?.status.startNs, source?.records.slotNs[0], source?.records.releaseNs[0]]).toEqual([
    ...[near(5e9), near(13e9), 0],
  ]);
  expect([sender?.submits.beginNs[0], sender?.submits.previousCallNs[0], sender?.misses.atNs[0]]).toEqual([
    ...[near(14e9), 1e6, near(15e9)],
  ]);
  expect(receiver).toMatchObject({ openedNs: 0, status: { lastCaptureNs: near(18e9) } });
  expect([receiver?.captures.captureNs[0], receiver?.captures.releaseTimeUs[0]]).toEqual([near(16e9), 123]);
  expect([receiver?.audio.captureNs[0], receiver?.audio.burstNs[0]]).toEqual([near(17e9), Number.NaN]);
});
