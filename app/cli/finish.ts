import { Command } from 'commander';
import { holdsRun } from '../engine/sessions/read-run';
import { isSession } from '../engine/sessions/read-session';
import type { RunEnd } from './end-lines';
import { exitCodeOfAction, finishing } from './finishing';
import { experimentFlags } from './flags';
import { CommandEnd } from './program';
import { printJson } from './terminal';

/** For commands whose parameters are flags, those of experiments among them. */
export const finish = finishing(experimentFlags);

/** What a command that makes a run, or runs, writes down of it for its last line. */
export interface MadeRun {
  /** Null until there is an end. */
  end: RunEnd | null;
  /** Where it is recorded, or will be; null: nowhere. */
  folder: string | null;
}

/**
 * The same for commands that make a run. With --json the last line of standard output says what it came to, whatever ended it:
 * `{"type": "end", "verdict", "reason", "exitCode", "folder"}`.
 */
export function finishRun<Arguments extends unknown[]>(
  action: (made: MadeRun, ...values: Arguments) => Promise<number>,
) {
  return async (...values: Arguments): Promise<never> => {
    const made: MadeRun = { end: null, folder: null };
    const act = (...given: Arguments): Promise<number> => action(made, ...given);
    let refusal = '';
    const exitCode = await exitCodeOfAction(experimentFlags, act, values, (problem) => {
      refusal = problem.message;
    });
    const command = values.at(-1);
    if (command instanceof Command && command.optsWithGlobals().json)
      printJson(lastLine(made, exitCode, refusal));
    throw new CommandEnd(exitCode);
  };
}

function lastLine({ end, folder }: MadeRun, exitCode: number, refusal: string): object {
  const isRecorded = folder !== null && (holdsRun(folder) || isSession(folder));
  return {
    type: 'end',
    verdict: end?.verdict ?? null,
    reason: end?.reason ?? refusal,
    exitCode,
    folder: isRecorded ? folder : null,
  };
}
