import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import type { PacingReadings } from './measure';
import type { PacerMessageOf } from './pacer-program';
import { curvePercents, pacedRow, type RowReadings, unmeasuredRow } from './pacing-rows';
import type { RowPlan } from './stream-plan';

/** Rows of `pacing` as the experiment builds them, of measurements that are made up. */

export function madeUpIntervals(
  of: PacerMessageOf<'intervals'>['of'],
  spreadNs: number,
): PacerMessageOf<'intervals'> {
  const at = (deviations: number): number => 125_000 + Math.round(deviations * spreadNs);
  return {
    ...{ type: 'intervals', of, count: 79_999, meanNs: 125_000.25, sdNs: 3 * spreadNs },
    ...{ minNs: at(-40), maxNs: at(60), p001Ns: at(-20), p25Ns: at(-0.5), p50Ns: at(0), p75Ns: at(0.5) },
    ...{ p99Ns: at(5), p999Ns: at(20), p9999Ns: at(50) },
    curveNs: curvePercents.map((percent) => at((percent - 50) / 50)),
    ...{ firstBin: 103, binCounts: [1200, 77_000, 1799] },
  };
}

/** Of 10 s, all well, but for what was received. */
export function madeUpPacing(
  spreadNs: number,
  received: Partial<PacingReadings['received']> = {},
): RowReadings {
  const { received: packets = 80_000, duplicated = 0 } = received;
  const second = (index: number) => {
    const extremes = { minNs: 125_000 - 40 * spreadNs, maxNs: 125_000 + (50 + index) * spreadNs };
    return {
      type: 'second' as const,
      second: index,
      intervals: 8000,
      ...extremes,
      lost: 0,
      received: 8000 * index,
    };
  };
  return {
    policy: {
      ...{
        type: 'prepared',
        address: '127.0.0.1',
        port: 0,
        realTimePriority: 1,
        timerSlackNs: 0,
        lockedMemory: true,
        cores: [1],
        refused: '',
      },
    },
    listening: { type: 'listening', stamps: 'software', port: 0, bufferBytes: 67_108_864 },
    sent: {
      ...{ type: 'sent', slots: 80_000, sent: 80_000, refused: 0, wakeUps: 80_000, launchesMissed: 0 },
      ...{ launchesRefused: 0, heldDropped: 0, processorNs: 1.5e9, stoppedNs: 0, starvedNs: 0 },
    },
    received: {
      ...{ type: 'received', received: 80_000, lost: 0, reordered: 0, duplicated: 0 },
      ...{ lostRanges: [], latecomers: [], duplicates: [], latest: [] },
      ...{
        foreign: 0,
        otherAudio: 0,
        damaged: 0,
        unstamped: 0,
        excluded: Math.round(packets / 100),
        undecided: 0,
      },
      ...{ early: 0, late: 0, longestLateRun: 0, tooLateToPresent: 0, earliestNs: 900, latestNs: 90_000 },
      ...{
        timeIntervalErrorNs: 89_100,
        streamId: '148937866265034753',
        rateHz: 48_000,
        channels: 2,
        bits: 16,
      },
      ...{ overflowed: 0, clockSteps: 0, clockUncertaintyNs: 40, slewPpm: -0.25, processorNs: 2.5e8 },
      ...{ stoppedNs: 0, starvedNs: 0 },
      ...received,
    },
    intervals: {
      received: { ...madeUpIntervals('received', spreadNs), count: Math.max(0, packets + duplicated - 1) },
      undisturbed: madeUpIntervals('undisturbed', spreadNs / 2),
      submitted: madeUpIntervals('submitted', spreadNs),
    },
    seconds: [0, 1, 2].map(second),
    ...{
      holds: 12,
      heldNs: 3.5e6,
      stolenWindows: 2,
      stolenNs: 4e7,
      measuredSeconds: 10,
      startNs: '0',
      rawLog: null,
    },
    beside: null,
  };
}

export function madeUpPlan(method: RowPlan['method'], packetsPerWakeUp = 1): RowPlan {
  return { method, packetsPerWakeUp, streams: null, repeat: null };
}

/** A run in which the timer was late, and launch times were not to be had. */
export function madeUpPacingRows(): ClosedRow[] {
  const late = { late: 3, longestLateRun: 2, latestNs: 190_000 };
  const why = 'interfaces in memory keep no launch times';
  const fact = reasonOf('launch-times-in-memory');
  return [
    pacedRow(frameOf(0), madeUpPlan('timer'), madeUpPacing(3200, late), 'own', defaultThresholds),
    pacedRow(frameOf(1), madeUpPlan('spin'), madeUpPacing(460), 'own', defaultThresholds),
    unmeasuredRow(frameOf(2), madeUpPlan('txtime'), fact, why),
    pacedRow(frameOf(3), madeUpPlan('timer', 8), madeUpPacing(90_000), 'own', defaultThresholds),
    ...[0, 1].map((streams) => besideRow(4 + streams, streams)),
  ];
}

/** A row with streams of 60 frames a second beside the packets. */
function besideRow(index: number, streams: number): ClosedRow {
  const frames = streams === 0 ? null : { received: 600 * streams, missing: 0 };
  const beside = { streams, ran: true, frames, pathMbps: 5.5 + 60 * streams };
  const measured = { ...madeUpPacing(3200 + 900 * streams), beside };
  return pacedRow(frameOf(index), { ...madeUpPlan('timer'), streams }, measured, 'own', defaultThresholds);
}
