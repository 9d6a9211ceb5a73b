import type { Column } from '../facts/column';
import type { VerdictWords } from './declaration';
import { declarations } from './declarations';
import { sentTable, sentVerdictWords, streamTable, streamVerdictWords } from './stream-table';

/** What is shown of a run of another experiment: of a live run, or of one that only a newer version knows. */

/** Its title; for another run, its id. */
export function titleOfExperiment(id: string): string {
  return declarations.find((declaration) => declaration.id === id)?.title ?? id;
}

/** Columns of an experiment; another run has rows of streams. */
export function columnsOfExperiment(id: string): readonly Column[] {
  const other = id === sendRun ? sentTable : streamTable;
  return (declarations.find((declaration) => declaration.id === id) ?? other).columns;
}

/** What a verdict says of a run; one of no experiment is of streams. */
export function verdictWordsOf(id: string): VerdictWords {
  const other = id === sendRun ? sentVerdictWords : streamVerdictWords;
  return declarations.find((declaration) => declaration.id === id)?.verdictWords ?? other;
}

/** Of `whiteline send`, whose streams are received elsewhere. */
const sendRun = 'send';
