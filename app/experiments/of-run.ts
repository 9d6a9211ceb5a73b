import type { Column } from '../facts/column';
import type { VerdictWords } from './declaration';
import { declarations } from './declarations';
import { sentTable, sentVerdictWords, streamTable, streamVerdictWords } from './stream-table';

/** What is shown of a run whose experiment may be none of these: of a live one, or of one that a newer version knows. */

/** Its title; that of a run that none of these made is its id. */
export function titleOfExperiment(id: string): string {
  return declarations.find((declaration) => declaration.id === id)?.title ?? id;
}

/** Of an experiment's rows; a run that none of these made has rows of streams. */
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
