import { isWhole, processCpuOf } from '../../engine/experiment/held-row';
import { highestOf, type Receiving, receivedOn, receivingIn } from '../../engine/experiment/receiving-cost';
import { withFigures } from '../../engine/experiment/row-values';
import { slopeOf } from '../../engine/experiment/slope';
import { scalarOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { receiverFanOutDeclaration } from './declaration';

/** What is varied: receivers of one sender, or senders with one receiver each. */
export const arms = ['receivers', 'senders'] as const;
export type Arm = (typeof arms)[number];

/** What one more receiver costs; null: not known. */
export interface Costs {
  sendingCpuPercent: number | null;
  receivingCpuPercent: number | null;
  whyNoReceiving: string;
  mbps: number | null;
}

const reasons = {
  baseline: 'the source plays alone: there is nothing that could have been added',
  few: 'it takes two rows of this arm that lost and missed no frame, and are not INVALID',
  load: 'the CPU time of threads is not measured on this system',
};

/** Of rows of one arm: a straight line through those in which all of the load was carried. */
export function costsOf(rows: readonly StreamsRow[]): Costs {
  const slope = (load: (row: StreamsRow) => number | null, machine?: Receiving): number | null =>
    slopeOf(
      rows.filter(isWhole).flatMap((row) => {
        const value = load(row);
        return value === null ? [] : [{ streams: receivedOn(row, machine), load: value }];
      }),
    );
  const newest = rows.at(-1);
  const [receivingCpuPercent, whyNoReceiving] = highestOf(
    newest ? receivingIn(newest) : [],
    (machine) => [slope((row) => processCpuOf(row, 'receiver', machine), machine), reasons.few],
    reasons.few,
  );
  return {
    sendingCpuPercent: slope((row) => processCpuOf(row, 'sender')),
    receivingCpuPercent,
    whyNoReceiving,
    mbps: slope(({ figures }) => figures.bitrateMbps),
  };
}

/** A row with its label and figures. `earlier`: those of the same arm; `arm` null: the source alone, `baseline` otherwise. */
export function fanOutRow(row: StreamsRow, arm: Arm | null, earlier: readonly StreamsRow[]): StreamsRow {
  const costs = costsOf(arm ? [...earlier, row] : []);
  const { streams } = row.step;
  const senders = arm === 'receivers' ? 1 : streams;
  const why = arm ? reasons.few : reasons.baseline;
  return withFigures({ ...row, label: labelOf(arm, streams) }, receiverFanOutDeclaration, {
    'fanOut.arm': [arm, reasons.baseline],
    'fanOut.senders': [senders],
    'fanOut.receivers': [streams],
    'fanOut.sendingCpuPercent': [processCpuOf(row, 'sender'), reasons.load],
    'fanOut.receivingCpuPercent': [processCpuOf(row, 'receiver'), reasons.load],
    'fanOut.addedSendingCpuPercent': [costs.sendingCpuPercent, why],
    'fanOut.addedReceivingCpuPercent': [costs.receivingCpuPercent, arm ? costs.whyNoReceiving : why],
    'fanOut.addedMbps': [costs.mbps, why],
  });
}

function labelOf(arm: Arm | null, count: number): string {
  if (!arm) return 'no receiver, no sender';
  return arm === 'receivers' ? `receivers on one sender: ${count}` : `senders: ${count}`;
}

/** The arm of a row; null: the source alone. */
export function armOf(row: StreamsRow): Arm | null {
  return arms.find((arm) => arm === scalarOf(row, 'fanOut.arm')) ?? null;
}
