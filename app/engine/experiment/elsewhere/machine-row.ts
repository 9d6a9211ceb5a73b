import type { Fact } from '../../../facts/fact';
import { reasonOf } from '../../../facts/reason-words';
import type { ClosedRow, Row, Subject } from '../../../facts/row';

/** Rows of a run of several machines. Each names its machine, in its step and at the beginning of its label. */

export function rowOn(machine: string, host: string, row: ClosedRow): ClosedRow {
  // The row's load is from one machine. The name in it is ignored, because a hostile agent could write another machine's name.
  const [roles = {}] = Object.values(row.load);
  return {
    ...row,
    step: { ...{ machine }, ...row.step, machine },
    label: [machine, row.label].filter((text) => text !== '').join(': '),
    subjects: row.subjects.map((subject) => subjectOn(machine, host, subject)),
    load: { [host]: roles },
    reason: row.reason.map((fact) => factOn(machine, fact)),
    ...(row.found && { found: factOn(machine, row.found) }),
  };
}

function subjectOn(machine: string, host: string, subject: Subject): Subject {
  const { hosts, reason } = subject;
  return {
    ...subject,
    hosts: Object.fromEntries(Object.keys(hosts).map((role) => [role, host])),
    ...(reason && { reason: reason.map((fact) => factOn(machine, fact)) }),
  };
}

function factOn(machine: string, fact: Fact): Fact {
  const named = <Kind extends Pick<Fact, 'data'>>(one: Kind): Kind =>
    'machine' in one.data ? { ...one, data: { ...one.data, machine } } : one;
  return { ...named(fact), ...(fact.seen && { seen: fact.seen.map(named) }) };
}

/** The row that stands for what is missing of a machine. `why`: as it follows the colon of a sentence. */
export function missingRow(machine: string, host: string, at: string, why: string): ClosedRow {
  return {
    ...{ index: 0, step: { machine }, label: `${machine}: measurement not finished`, from: at, to: at },
    ...{ figures: { measuredSeconds: 0 }, subjects: [], load: { [host]: {} }, notMeasured: {} },
    ...{ verdict: 'INVALID', reason: [reasonOf('machine-ended', { machine, why })] },
  };
}

export function isMissing({ reason = [] }: Partial<Pick<Row, 'reason'>>): boolean {
  return reason.some(({ code }) => code === 'machine-ended');
}

/** As the experiment made it. */
export function withoutMachine(row: ClosedRow): ClosedRow {
  const { machine, ...step } = row.step;
  const before = `${machine}: `;
  return { ...row, step, label: row.label.startsWith(before) ? row.label.slice(before.length) : row.label };
}
