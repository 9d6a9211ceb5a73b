import { deriveRunFile } from '../engine/sessions/derive-run';
import { Recorder } from '../engine/sessions/recorder';
import type { WhitelineError } from '../protocol/errors';
import { exampleRun } from './example-run';

/** A recorder of an example run, and the problems that it told. */
export function recorderIn(folder: string, onProblem?: (problem: WhitelineError) => void) {
  const { experiment, title, parameters, command, thresholds, environment } = exampleRun([]);
  const problems: WhitelineError[] = [];
  const recorder = new Recorder({
    folder,
    start: { experiment, title, parameters, command, thresholds, environment },
    derive: async (...derived) => deriveRunFile(...derived),
    onProblem: (problem) => {
      problems.push(problem);
      onProblem?.(problem);
    },
  });
  return { recorder, problems };
}
