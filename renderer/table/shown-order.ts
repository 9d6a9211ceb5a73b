import { declarations } from '../../app/experiments/declarations';
import { inOrderOfMachines } from '../../app/facts/machine-order';
import type { Row } from '../../app/facts/row';
import { worstFirst } from '../../app/facts/worst-first';

/** The rows of a run as tables and charts show them: of pairs the worst first, of machines side by side machine by machine. */
export function inShownOrder<Kind extends Row>(experiment: string, rows: readonly Kind[]): readonly Kind[] {
  const map = declarations.find(({ id }) => id === experiment)?.heatMap;
  return map ? worstFirst(rows, map) : inOrderOfMachines(rows);
}
