import type { Fact } from '../../../protocol/fact';
import { type Finding, type Guard, type JudgedRow, judgeRow, violatedBy } from '../../../protocol/precedence';
import { reasonOf } from '../../../protocol/reason-words';
import { placesText, rangesText } from '../place-words';
import { pacingContradictions } from './contradictions';
import type { Measured } from './measure';

type Judged = Pick<Measured, 'received' | 'intervals' | 'sent' | 'listening'>;

/** Of another sender: numbers repeat after 256, and the nearest one is taken. */
const mostLostInARow = 127;

/**
 * @param guards of the row beside the pacer: stolen time, sleep, what other programs took
 * @param absent what should have run beside it and did not
 */
export function judge(measured: Judged, guards: readonly Guard[], absent: readonly Fact[]): JudgedRow {
  const { received, intervals, sent } = measured;
  const { overflowed, unstamped } = received;
  const { minNs = 0, maxNs = 0, p25Ns = 0, p75Ns = 0 } = intervals.received ?? {};
  const data = { packets: received.received, iqrNs: p75Ns - p25Ns, rangeNs: maxNs - minNs };
  return judgeRow({
    contradictions: [
      ...pacingContradictions(measured),
      ...absent,
      ...(received.received > 0 && unstamped > 0
        ? [reasonOf('packets-unstamped', { packets: unstamped })]
        : []),
    ],
    absent: received.received === 0 ? [nothingReceived(received)] : [],
    findings: received.received > 0 ? findingsOf(measured) : [],
    // A receiving thread that runs late violates none: stamps are the kernel’s.
    guards: [
      ...guards,
      violatedBy(overflowed > 0 ? [reasonOf('receiver-overflowed', { packets: overflowed })] : []),
    ],
    restsOnGuards: true,
    good: [reasonOf(sent ? 'packets-in-time' : 'stream-measured', data)],
  });
}

function nothingReceived({ foreign, otherAudio, damaged }: Judged['received']): Fact {
  const others = foreign + otherAudio;
  return others + damaged > 0 ? reasonOf('only-other-packets', { others, damaged }) : reasonOf('no-packet');
}

function findingsOf({ received, intervals, sent, listening }: Judged): Finding[] {
  const findings: Finding[] = [];
  const find = (
    verdict: Finding['verdict'],
    code: Parameters<typeof reasonOf>[0],
    data: Fact['data'],
    kind: Finding['kind'] = 'loss',
  ): void => {
    findings.push({ verdict, fact: reasonOf(code, data), kind });
  };
  const { lost, reordered, duplicated, damaged } = received;
  const refused = sent?.refused ?? 0;
  if (lost > 0) find('FAIL', 'packets-lost', { lost, refused, places: rangesText(received.lostRanges) });
  if (duplicated > 0)
    find('FAIL', 'packets-duplicated', { duplicated, places: numbersText(received.duplicates) });
  if (reordered > 0)
    find('FAIL', 'packets-reordered', { reordered, places: numbersText(received.latecomers) });
  if (damaged > 0) find('WARN', 'packets-damaged', { damaged });
  const { p50Ns = 0, maxNs: gapNs = 0 } = intervals.received ?? {};
  if (!sent && gapNs > mostLostInARow * p50Ns) find('WARN', 'packets-perhaps-missing', { gapNs }, 'remark');
  const { clockSteps } = received;
  if (listening.stamps === 'hardware' && clockSteps > 0)
    find('WARN', 'card-clock-set', { times: clockSteps }, 'remark');
  // Only our own sender’s schedule is known, and only by the clock of this machine.
  if (!sent || listening.stamps === 'hardware') return findings;
  const { received: packets, tooLateToPresent: missed = 0, late = 0, latestNs = 0 } = received;
  const { early = 0, earliestNs = 0 } = received;
  if (missed > 0) find('FAIL', 'presentation-missed', { missed, packets });
  if (early > 0) find('WARN', 'packets-early', { early, packets, earliestByNs: -earliestNs });
  if (late > 0)
    find('WARN', 'packets-late', { late, packets, latestNs, longestRun: received.longestLateRun ?? 0 });
  return findings;
}

function numbersText(numbers: readonly number[]): string {
  return placesText(numbers.map(String));
}
