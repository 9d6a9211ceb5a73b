import type { Command } from 'commander';
import { baselineOf } from '../engine/history/baseline';
import { compareRuns } from '../engine/history/compare';
import { runFolderOf } from '../engine/history/history';
import {
  defaultTolerancePercent,
  isComparable,
  notJudgedAgain,
  regressionsOf,
} from '../engine/history/regressions';
import { isBeingWritten, readRun } from '../engine/sessions/read-run';
import { badInput, exitCodes } from '../protocol/errors';
import { comparisonText } from './comparison-text';
import { finish } from './finish';
import { runsFlag } from './runs';
import { print, printJson } from './terminal';

interface CompareFlags {
  runs: string;
  baseline?: boolean;
  tolerance: string;
  json?: boolean;
}

/** Adds `whiteline compare`. */
export function addCompareCommand(program: Command): void {
  program
    .command('compare <runs...>')
    .description(
      'Compares runs of one experiment step by step, each with the first; exit code 1 where one is worse, 5 where a step or a loss was not judged again',
    )
    .option(...runsFlag())
    .option('--baseline', 'compares them with the pinned run of their experiment')
    .option(
      '--tolerance <percent>',
      'largest change for the worse that is no regression, beyond the noise of repeats',
      `${defaultTolerancePercent}%`,
    )
    .option('--json', 'the comparison and its regressions as one JSON object')
    .action(finish(compareCommand));
}

async function compareCommand(references: string[], flags: CompareFlags): Promise<number> {
  const tolerancePercent = percentOf(flags.tolerance);
  const folders = references.map((reference) => runFolderOf(flags.runs, reference));
  const runs = folders.map((folder) => readRun(folder, { running: isBeingWritten(folder) }));
  const [first] = runs;
  if (flags.baseline && first) {
    const pinned = baselineOf(flags.runs, first.experiment);
    folders.unshift(pinned);
    runs.unshift(readRun(pinned));
  }
  const comparison = compareRuns(runs);
  const regressions = regressionsOf(comparison, tolerancePercent);
  // What was not measured again, or is INVALID, is no regression, and no pass either.
  const notJudged = notJudgedAgain(comparison);
  if (flags.json) printJson({ ...comparison, folders, tolerancePercent, regressions, notJudged });
  else {
    const first = flags.baseline ? 'the baseline' : 'A';
    print(...comparisonText(comparison, folders), '');
    print(...regressionText(regressions, { first, folders, tolerancePercent }));
    if (notJudged.length > 0) print(`Measured in ${first} and not judged again: ${notJudged.join('; ')}`);
  }
  if (regressions.length > 0) return exitCodes.fail;
  return isComparable(comparison) && notJudged.length === 0 ? exitCodes.pass : exitCodes.invalid;
}

interface Judged {
  /** What the runs are held against, in words. */
  first: string;
  folders: readonly string[];
  tolerancePercent: number;
}

function regressionText(
  regressions: ReturnType<typeof regressionsOf>,
  { first, folders, tolerancePercent }: Judged,
): string[] {
  const rule = `beyond the noise of repeats and ${tolerancePercent} %`;
  if (regressions.length === 0) return [`Nothing is worse than ${first} ${rule}.`];
  const lines = regressions.map(({ run, label, text }) => `  ${folders[run]}, ${label}: ${text}`);
  return [`Worse than ${first} ${rule}:`, ...lines];
}

function percentOf(text: string): number {
  const percent = /^(\d{1,3}(?:\.\d{1,6})?) ?%?$/.exec(text)?.[1];
  if (percent === undefined) throw badInput('tolerance', 'a percentage', text, 'Use for example 10%');
  return Number(percent);
}
