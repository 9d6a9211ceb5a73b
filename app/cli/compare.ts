import type { Command } from 'commander';
import { baselineOf } from '../engine/history/baseline';
import { compareRuns } from '../engine/history/compare';
import { runFolderOf } from '../engine/history/history';
import { letter, notComparable, notJudgedOf, regressionsOf, unjudgedOf } from '../engine/history/regressions';
import { requireEachOnce } from '../engine/reports/run-group';
import { isBeingWritten, readRun } from '../engine/sessions/read-run';
import { badInput, exitCodes } from '../protocol/errors';
import { defaultTolerancePercent, type Regression } from '../protocol/history';
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
      'Compares runs of one experiment with the first run, step by step. Exit code 1: a run is worse; 5: none is worse, but a run, a step or a loss could not be compared',
    )
    .option(...runsFlag())
    .option('--baseline', 'compares them with the baseline of their experiment')
    .option(
      '--tolerance <percent>',
      'largest change, beyond the noise of repeats, that counts as neither better nor worse',
      `${defaultTolerancePercent}%`,
    )
    .option('--json', 'the comparison and its regressions as one JSON object')
    .action(finish(compareCommand));
}

async function compareCommand(references: string[], flags: CompareFlags): Promise<number> {
  const tolerancePercent = percentOf(flags.tolerance);
  const folders = references.map((reference) => runFolderOf(flags.runs, reference));
  requireEachOnce(folders);
  const runs = folders.map((folder) => readRun(folder, { running: isBeingWritten(folder) }));
  const [firstRun] = runs;
  if (flags.baseline && firstRun) {
    const pinned = baselineOf(flags.runs, firstRun.experiment);
    folders.unshift(pinned);
    runs.unshift(readRun(pinned));
  }
  const comparison = compareRuns(runs, tolerancePercent);
  const regressions = regressionsOf(comparison);
  const unjudged = unjudgedOf(comparison);
  // What was not measured again, or is INVALID, is no regression, and no pass either.
  const notJudged = notJudgedOf(comparison);
  const first = flags.baseline ? 'the baseline' : letter(0);
  const whyNot = notComparable(comparison, (run) => (run === 0 ? first : letter(run)));
  if (flags.json)
    printJson({ ...comparison, folders, regressions, unjudged, notJudged, notComparable: whyNot });
  else {
    const textOf = ({ run, label, text }: Regression): string => `  ${folders[run]}, ${label}: ${text}`;
    const rule = `beyond the noise of repeats and ${tolerancePercent} %`;
    print(...comparisonText(comparison, folders), '');
    if (whyNot !== null) print(`Nothing could be compared: ${whyNot}.`);
    else if (regressions.length === 0)
      print(
        `${notJudged.length > 0 ? 'Of what was compared, nothing' : 'Nothing'} is worse than ${first} ${rule}.`,
      );
    if (regressions.length > 0) print(`Worse than ${first} ${rule}:`, ...regressions.map(textOf));
    if (unjudged.length > 0)
      print(
        `The noise is not known (one repeat each). More than ${tolerancePercent} % worse than ${first}, listed and not judged:`,
        ...unjudged.map(textOf),
      );
    if (notJudged.length > 0) print(`Not compared with ${first}: ${notJudged.join('; ')}`);
  }
  if (regressions.length > 0) return exitCodes.fail;
  return whyNot === null && notJudged.length === 0 ? exitCodes.pass : exitCodes.invalid;
}

function percentOf(text: string): number {
  const percent = /^(\d{1,3}(?:\.\d{1,6})?) ?%?$/.exec(text)?.[1];
  if (percent === undefined) throw badInput('tolerance', 'a percentage', text, 'Use for example 10%');
  return Number(percent);
}
