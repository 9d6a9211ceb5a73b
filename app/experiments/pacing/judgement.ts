import { placesText, rangesText } from '../../engine/experiment/place-words';
import { type StoodStill, standstillGuard, stoodStillOf, withinBound } from '../../engine/load/standstills';
import type { Fact } from '../../facts/fact';
import {
  type Finding,
  type Guard,
  isStolen,
  type JudgedRow,
  judgeRow,
  violatedBy,
} from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { Thresholds } from '../../protocol/thresholds';
import { pacingContradictions } from './contradictions';
import type { PacingReadings } from './measure';
import { pacerName } from './pacer-program';

type Judged = Pick<PacingReadings, 'policy' | 'received' | 'intervals' | 'sent' | 'listening'>;

/** What a row was measured beside. */
export interface Around {
  /** Of the row: stolen time, sleep, what other programs took. */
  guards: readonly Guard[];
  /** What should have run at the same time and did not. */
  absent: readonly Fact[];
  /** Of this whole machine, while streams of ours ran beside; null: none did, or it is not known. */
  cpuPercent: number | null;
  /** Of the ends, where they are on two machines: their clocks are two. */
  machines: EndNames | null;
  thresholds: Thresholds;
}

export interface EndNames {
  sender: string;
  receiver: string;
}

/** Of another sender: numbers repeat after 256, and the nearest one is taken. */
const mostLostInARow = 127;

export function judge(
  measured: Judged,
  { guards, absent, cpuPercent, machines, thresholds }: Around,
): JudgedRow {
  const { received, intervals, sent } = measured;
  const { overflowed, unstamped } = received;
  const { minNs = 0, maxNs = 0, p25Ns = 0, p75Ns = 0 } = intervals.received ?? {};
  const data = { packets: received.received, iqrNs: p75Ns - p25Ns, rangeNs: maxNs - minNs };
  return judgeRow({
    contradictions: [
      ...pacingContradictions(measured, machines),
      ...absent,
      ...(received.received > 0 && unstamped > 0
        ? [reasonOf('packets-unstamped', { packets: unstamped })]
        : []),
    ],
    absent: received.received === 0 ? [nothingReceived(received)] : [],
    findings: received.received > 0 ? findingsOf(measured, machines === null) : [],
    guards: [
      ...guards,
      ...stoodStill(measured, machines).map((one) => standstillGuard(one, thresholds)),
      violatedBy(overflowed > 0 ? [reasonOf('receiver-overflowed', { packets: overflowed })] : []),
    ],
    beside: withinBound(stoodStill(measured, machines), thresholds),
    isOwnLimit: (cpuPercent ?? 0) >= thresholds.saturatedPercent && !isStolen(guards),
    restsOnGuards: true,
    good: [reasonOf(sent && machines === null ? 'packets-in-time' : 'stream-measured', data)],
  });
}

/** An end that waited for a processor spoils a row only where packets come late by it. */
function stoodStill({ policy, sent, received }: Judged, machines: EndNames | null): StoodStill[] {
  const on = (end: keyof EndNames, times: Parameters<typeof stoodStillOf>[1]): StoodStill => ({
    ...stoodStillOf(pacerName(end), times),
    ...(machines && { who: { role: pacerName(end), machine: machines[end] } }),
  });
  const sender = sent && on('sender', sent);
  // A thread with real-time priority does not wait beside those that have none, as the one that watches.
  const isOrdinary = policy !== null && policy.realTimePriority === 0;
  return [
    ...(sender ? [isOrdinary ? sender : stoppedAlone(sender)] : []),
    // Stamps are the kernel’s, and packets wait in the socket.
    stoppedAlone(on('receiver', received)),
  ];
}

function stoppedAlone(one: StoodStill): StoodStill {
  return { ...one, seconds: one.stoppedSeconds };
}

function nothingReceived({ foreign, otherAudio, damaged }: Judged['received']): Fact {
  const others = foreign + otherAudio;
  return others + damaged > 0 ? reasonOf('only-other-packets', { others, damaged }) : reasonOf('no-packet');
}

function findingsOf({ received, intervals, sent, listening }: Judged, isOneClock: boolean): Finding[] {
  const findings: Finding[] = [];
  const find = (verdict: Finding['verdict'], fact: Fact, kind: Finding['kind'] = 'loss'): void => {
    findings.push({ verdict, fact, kind });
  };
  const { lost, reordered, duplicated, damaged } = received;
  const refused = sent?.refused ?? 0;
  if (lost > 0)
    find('FAIL', reasonOf('packets-lost', { lost, refused, places: rangesText(received.lostRanges) }));
  if (duplicated > 0)
    find('FAIL', reasonOf('packets-duplicated', { duplicated, places: numbersText(received.duplicates) }));
  if (reordered > 0)
    find('FAIL', reasonOf('packets-reordered', { reordered, places: numbersText(received.latecomers) }));
  if (damaged > 0) find('WARN', reasonOf('packets-damaged', { damaged }));
  const { p50Ns = 0, maxNs: gapNs = 0 } = intervals.received ?? {};
  if (!sent && gapNs > mostLostInARow * p50Ns)
    find('WARN', reasonOf('packets-perhaps-missing', { gapNs }), 'remark');
  const { clockSteps } = received;
  if (listening.stamps === 'hardware' && clockSteps > 0)
    find('WARN', reasonOf('card-clock-set', { times: clockSteps }), 'remark');
  // Only our own sender’s schedule is known, and only by the clock of this machine.
  if (!sent || !isOneClock || listening.stamps === 'hardware') return findings;
  const { received: packets, tooLateToPresent: missed = 0, late = 0, latestNs = 0 } = received;
  const { early = 0, earliestNs = 0 } = received;
  if (missed > 0) find('FAIL', reasonOf('presentation-missed', { missed, packets }));
  if (early > 0) find('WARN', reasonOf('packets-early', { early, packets, earliestByNs: -earliestNs }));
  if (late > 0)
    find(
      'WARN',
      reasonOf('packets-late', { late, packets, latestNs, longestRun: received.longestLateRun ?? 0 }),
    );
  return findings;
}

function numbersText(numbers: readonly number[]): string {
  return placesText(numbers.map(String));
}
