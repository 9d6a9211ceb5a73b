import { streamVerdictWords, type VerdictWords } from '../../app/protocol/experiments/declaration';
import { declarations } from '../../app/protocol/experiments/registry';

/** What a verdict says of a run; one of no experiment, such as a live run, is of streams. */
export function verdictWordsOf(experiment: string): VerdictWords {
  return declarations.find(({ id }) => id === experiment)?.verdictWords ?? streamVerdictWords;
}
