import { reasonOf } from '../../../facts/reason-words';
import type { ClosedRow, Row } from '../../../facts/row';

/** Rows of a run of several machines: each says of which it is, in its step and at the beginning of its label. */

export function rowOn(machine: string, host: string, row: ClosedRow): ClosedRow {
  // It is of one machine by itself, whatever that is called there.
  const [roles = {}] = Object.values(row.load);
  return {
    ...row,
    step: { machine, ...row.step },
    label: [machine, row.label].filter((text) => text !== '').join(': '),
    load: { [host]: roles },
  };
}

/** The row that stands for what is missing of a machine. `why`: as it follows the colon of a sentence. */
export function missingRow(machine: string, host: string, at: string, why: string): ClosedRow {
  return {
    ...{ index: 0, step: { machine }, label: `${machine}: not measured to its end`, from: at, to: at },
    ...{ figures: { measuredSeconds: 0 }, subjects: [], load: { [host]: {} }, notMeasured: {} },
    ...{ verdict: 'INVALID', reason: [reasonOf('machine-ended', { machine, why })] },
  };
}

export function isMissing({ reason }: Pick<Row, 'reason'>): boolean {
  return reason.some(({ code }) => code === 'machine-ended');
}

/** As the experiment made it. */
export function withoutMachine(row: ClosedRow): ClosedRow {
  const { machine, ...step } = row.step;
  const before = `${machine}: `;
  return { ...row, step, label: row.label.startsWith(before) ? row.label.slice(before.length) : row.label };
}
