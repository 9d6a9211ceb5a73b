import type { Row } from './row';

/**
 * Rows of machines that were measured side by side, machine by machine: as each was named, since its first row is recorded in that order,
 * and then as it was measured. Other rows stay as they are.
 */
export function inOrderOfMachines<Kind extends Pick<Row, 'step'>>(rows: readonly Kind[]): readonly Kind[] {
  const machines = [...new Set(rows.map(({ step }) => step.machine))];
  if (machines.length < 2) return rows;
  return machines.flatMap((machine) => rows.filter(({ step }) => step.machine === machine));
}
