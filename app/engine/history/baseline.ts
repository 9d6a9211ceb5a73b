import { join } from 'node:path';
import { z } from 'zod';
import type { Verdict } from '../../facts/verdict';
import { badInput, type Problem, toProblem } from '../../protocol/errors';
import { safeParse } from '../../protocol/safe-parse';
import { parsed } from '../sessions/json-lines';
import { readRun } from '../sessions/read-run';
import { readRecorded } from '../sessions/recorded-file';
import { replaceFile } from '../sessions/replace-file';
import { nameBelow } from './history';
import { keyOf } from './run-folders';

/** Beside the runs: by experiment, the folder of the run that later ones are held against. */
export const baselineFile = 'baselines.json';

const longestFile = 1e6;

const baselinesSchema = z.record(z.string(), z.string());
export type Baselines = z.infer<typeof baselinesSchema>;

/** @throws WhitelineError BAD_INPUT for a spoilt file */
export function readBaselines(root: string): Baselines {
  const path = join(root, baselineFile);
  const bytes = readRecorded(path, longestFile);
  if (bytes === 'absent') return {};
  const read =
    typeof bytes === 'string' ? null : safeParse(baselinesSchema, parsed(bytes.toString('utf8'))).data;
  if (read) return read;
  const remedy = 'Repair it, or remove it and pin again';
  throw badInput('baselines', 'names of run folders by experiment', path, remedy);
}

/** What is pinned, for who shows runs: those of a spoilt file count as none, and what is wrong with it is told. */
export function baselinesShown(root: string): { baselines: Baselines; problem: Problem | null } {
  try {
    return { baselines: readBaselines(root), problem: null };
  } catch (error) {
    return { baselines: {}, problem: toProblem(error) };
  }
}

/**
 * Pins a run as the baseline of its experiment.
 * @returns the experiment
 * @throws WhitelineError BAD_INPUT for a run that lies elsewhere, that did not come to its end, or that is INVALID; NOT_FOUND
 */
export function pinBaseline(root: string, folder: string): string {
  const { experiment, state, verdict } = readRun(folder);
  const name = nameBelow(root, folder);
  if (name === null) throw badInput('run', `a run below ${root}`, folder, 'Copy its folder there first');
  if (state !== 'finished') throw badInput('run', 'a run that came to its end', `${folder} (${state})`);
  requireValid('run', folder, verdict);
  replaceFile(join(root, baselineFile), { ...readBaselines(root), [experiment]: name });
  return experiment;
}

/** @throws WhitelineError BAD_INPUT if the experiment has none */
export function unpinBaseline(root: string, experiment: string): void {
  const { [experiment]: _, ...others } = readBaselines(root);
  if (pinnedIn(root, experiment) === undefined)
    throw badInput('baseline', 'an experiment with a baseline', experiment);
  replaceFile(join(root, baselineFile), others);
}

/** Ids come from files: "constructor" is one like any other. */
function pinnedIn(root: string, experiment: string): string | undefined {
  const baselines = readBaselines(root);
  return Object.hasOwn(baselines, experiment) ? baselines[experiment] : undefined;
}

/** @throws WhitelineError BAD_INPUT if no run is pinned, or its folder is gone, or it proves nothing */
export function baselineOf(root: string, experiment: string): string {
  const name = pinnedIn(root, experiment);
  if (name === undefined) {
    throw badInput('baseline', `a pinned run of ${experiment}`, '', 'Pin one: whiteline baseline RUN');
  }
  const folder = join(root, name);
  if (keyOf(folder) === null)
    throw badInput(
      'baseline',
      `a pinned run of ${experiment}`,
      `${folder}, which is gone`,
      'Pin another one',
    );
  // It may have been put there as a file, or pinned before this was asked.
  requireValid('baseline', folder, readRun(folder).verdict);
  return folder;
}

/** Nothing is worse or better than figures that our own instrument could not stand by. */
function requireValid(field: string, folder: string, verdict: Verdict | null): void {
  if (verdict !== 'INVALID') return;
  throw badInput(
    field,
    'a run that is PASS, WARN or FAIL',
    `${folder} (INVALID)`,
    'Open it to see what its instrument could not keep up with, fix that, measure again, and pin that run',
  );
}
