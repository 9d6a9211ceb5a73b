import { join } from 'node:path';
import type { Command } from 'commander';
import { findInHistory } from '../engine/history/history';
import { exportParquet } from '../engine/history/parquet';
import { type Verdict, verdicts } from '../facts/verdict';
import { badInput, exitCodes } from '../protocol/errors';
import { type HistoryFilter, runSummarySchema } from '../protocol/history';
import { finish } from './finish';
import { existingOf, forceOption } from './force';
import { runsTable } from './runs-table';
import { runsFolder } from './settings';
import { print, printError, printJson } from './terminal';
import { wholeNumber } from './whole-number';

interface RunsFlags {
  runs: string;
  text?: string;
  experiment?: string;
  verdict?: string;
  state?: string;
  host?: string;
  since?: string;
  until?: string;
  limit?: string;
  json?: boolean;
  parquet?: string;
  force?: boolean;
}

const states = runSummarySchema.shape.state.options;
const dayMs = 86_400_000;

export function runsFlag(): readonly [flag: string, help: string, usual: string] {
  return ['--runs <folder>', 'folder of all runs', runsFolder()];
}

/** Adds `whiteline runs`. */
export function addRunsCommand(program: Command): void {
  program
    .command('runs')
    .description('Lists the recorded runs, newest first; filters combine with AND')
    .option(...runsFlag())
    .option(
      '--text <words>',
      'words that must all occur in the title, sentence, notes, command, hosts, sources, formats, stream names, session or folder',
    )
    .option('--experiment <id>', 'of this experiment')
    .option('--verdict <verdict>', verdicts.join(', '))
    .option('--state <state>', states.join(', '))
    .option('--host <name>', 'only runs in which this host took part')
    .option('--since <date>', 'began on this day or later, for example 2026-11-20 or 2026-11-20T14:00')
    .option('--until <date>', 'began on this day or before, or before this time')
    .option('--limit <n>', 'newest so many')
    .option('--json', 'one JSON object per run')
    .option('--parquet <folder>', 'writes rows, streams, samples and events of these runs as Parquet files')
    .option(...forceOption)
    .action(finish(runsCommand));
}

async function runsCommand(flags: RunsFlags): Promise<number> {
  const found = findInHistory(flags.runs, filterOf(flags));
  if (flags.json) for (const run of found) printJson(run);
  else print(...runsTable(found));
  if (flags.parquet !== undefined) {
    if (found.length === 0) throw badInput('parquet', 'runs to write', 'none that matches the filters');
    const files = await exportParquet(
      found.map(({ folder }) => join(flags.runs, folder)),
      flags.parquet,
      existingOf(flags.force),
    );
    for (const file of files) printError(`Written: ${file}`);
  }
  return exitCodes.pass;
}

function filterOf(flags: RunsFlags): HistoryFilter {
  const { text, experiment, host } = flags;
  return {
    ...{ text, experiment, host },
    verdict: oneOf<Verdict>('verdict', verdicts, flags.verdict?.toUpperCase()),
    state: oneOf('state', states, flags.state),
    from: flags.since === undefined ? undefined : momentOf('since', flags.since).toISOString(),
    before: flags.until === undefined ? undefined : endOf(flags.until).toISOString(),
    limit: flags.limit === undefined ? undefined : wholeNumber(flags.limit, 'limit'),
  };
}

function oneOf<Name extends string>(
  field: string,
  known: readonly Name[],
  given: string | undefined,
): Name | undefined {
  if (given === undefined) return undefined;
  const name = known.find((candidate) => candidate === given);
  if (name === undefined) throw badInput(field, `one of ${known.join(', ')}`, given);
  return name;
}

/** In this machine's time zone. */
function momentOf(field: string, text: string): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const moment = new Date(isDay ? `${text}T00:00` : text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw badInput(field, 'a date', text, 'Use for example 2026-11-20 or 2026-11-20T14:00');
}

/** A day counts to its end; it may have 23 or 25 hours. */
function endOf(text: string): Date {
  const moment = momentOf('until', text);
  if (text.length > 10) return moment;
  const next = new Date(moment.getTime() + 1.5 * dayMs);
  next.setHours(0, 0, 0, 0);
  return next;
}
