import type { Column } from './declaration';
import { declarations } from './registry';
import { streamTable } from './stream-fields';

/** What is shown of a run whose experiment may be none of these: of a live one, or of one that a newer version knows. */

/** Its title; that of a run that none of these made is its id. */
export function titleOfExperiment(id: string): string {
  return declarations.find((declaration) => declaration.id === id)?.title ?? id;
}

/** Of an experiment's rows; a run that none of these made has rows of streams. */
export function columnsOfExperiment(id: string): readonly Column[] {
  return (declarations.find((declaration) => declaration.id === id) ?? streamTable).columns;
}
