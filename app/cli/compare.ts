import type { Command } from 'commander';
import { baselineOf } from '../engine/history/baseline';
import {
  compareRuns,
  defaultTolerancePercent,
  isComparable,
  regressionsOf,
  uncoveredSteps,
} from '../engine/history/compare';
import { runFolderOf } from '../engine/history/history';
import { readRun } from '../engine/sessions/read-run';
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
    .description('Compares runs of one experiment step by step, each with the first')
    .option(...runsFlag())
    .option(
      '--baseline',
      'compares them with the pinned run of their experiment; exit code 1 where one is worse, 5 where a step of it is missing or INVALID',
    )
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
  const runs = folders.map((folder) => readRun(folder));
  const [first] = runs;
  if (flags.baseline && first) {
    const pinned = baselineOf(flags.runs, first.experiment);
    folders.unshift(pinned);
    runs.unshift(readRun(pinned));
  }
  const comparison = compareRuns(runs);
  const regressions = flags.baseline ? regressionsOf(comparison, tolerancePercent) : [];
  // A step of the baseline that was not measured again, or is INVALID, is no regression, and no pass either.
  const uncovered = uncoveredSteps(comparison);
  if (flags.json) {
    const result = { ...comparison, folders, ...(flags.baseline && { tolerancePercent, regressions }) };
    printJson(result);
  } else {
    print(...comparisonText(comparison, folders));
    if (flags.baseline) {
      print('', ...regressionText(regressions, folders, tolerancePercent));
      if (uncovered.length > 0)
        print(`Not judged again, though the baseline carried it: ${uncovered.join('; ')}`);
    }
  }
  if (!flags.baseline) return exitCodes.pass;
  if (regressions.length > 0) return exitCodes.fail;
  return isComparable(comparison) && uncovered.length === 0 ? exitCodes.pass : exitCodes.invalid;
}

function regressionText(
  regressions: ReturnType<typeof regressionsOf>,
  folders: readonly string[],
  tolerancePercent: number,
): string[] {
  const rule = `beyond the noise of repeats and ${tolerancePercent} %`;
  if (regressions.length === 0) return [`Nothing is worse than the baseline ${rule}.`];
  const lines = regressions.map(({ run, label, text }) => `  ${folders[run]}, ${label}: ${text}`);
  return [`Worse than the baseline ${rule}:`, ...lines];
}

function percentOf(text: string): number {
  const percent = /^(\d{1,3}(?:\.\d{1,6})?) ?%?$/.exec(text)?.[1];
  if (percent === undefined) throw badInput('tolerance', 'a percentage', text, 'Use for example 10%');
  return Number(percent);
}
