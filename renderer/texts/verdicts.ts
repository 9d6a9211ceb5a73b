import type { VerdictWords } from '../../app/protocol/experiments/declaration';
import { declarations } from '../../app/protocol/experiments/registry';
import { streamVerdictWords } from '../../app/protocol/experiments/stream-fields';

/** What a verdict says of a run; one of no experiment, such as a live run, is of streams. */
export function verdictWordsOf(experiment: string): VerdictWords {
  return declarations.find(({ id }) => id === experiment)?.verdictWords ?? streamVerdictWords;
}
