import type { Row } from './row';

/** Of a row that was INVALID and does not count: the next one is measured in its place. */
export function replacedLabel(byIndex: number): string {
  return `replaced by row ${byIndex}`;
}

/** Runs of an older version say "to be replaced". */
export function isReplaced(label: string): boolean {
  return /^(?:to be )?replaced by row /.test(label);
}

/** The last row of a run that is over: if it was to be replaced, the run was stopped before. */
export function asLastRow<Kind extends Pick<Row, 'label'>>(row: Kind): Kind {
  return isReplaced(row.label) ? { ...row, label: 'stopped before it was measured again' } : row;
}

/** The rows that count in charts, verdicts and comparisons; tables have the others too. */
export function countedRows<Kind extends Pick<Row, 'label'>>(rows: readonly Kind[]): Kind[] {
  return rows.filter(({ label }) => !isReplaced(label));
}
