import { machineClock } from '../engine/clock';
import { deriveRunFile } from '../engine/sessions/derive-run';
import { Recorder, type RecorderOptions } from '../engine/sessions/recorder';
import { WallClock } from '../engine/wall-clock';
import type { WhitelineError } from '../protocol/errors';
import { exampleRun } from './example-run';

/** A recorder of an example run, and the problems that it reported. */
export function recorderIn(folder: string, more: Partial<RecorderOptions> = {}) {
  const { experiment, title, parameters, command, thresholds, environment } = exampleRun([]);
  const problems: WhitelineError[] = [];
  const recorder = new Recorder({
    folder,
    start: { experiment, title, parameters, command, thresholds, environment },
    derive: async (...derived) => deriveRunFile(...derived),
    wall: more.wall ?? new WallClock(machineClock),
    ...more,
    onProblem: (problem) => {
      problems.push(problem);
      more.onProblem?.(problem);
    },
  });
  return { recorder, problems };
}
