import { join } from 'node:path';
import type { Command } from 'commander';
import { runFolderOf } from '../engine/history/history';
import { exportGroup, exportRun } from '../engine/reports/export';
import { chosenGroup, type RunGroup, sessionGroup } from '../engine/reports/run-group';
import { isSession } from '../engine/sessions/read-session';
import { badInput, exitCodes, WhitelineError } from '../protocol/errors';
import { type ExportKind, exportKindSchema } from '../protocol/shell';
import { finish } from './finish';
import { existingOf, forceOption } from './force';
import { addReportFlags, type ReportFlags as HeadFlags, reportTools } from './report-flags';
import { runsFlag } from './runs';
import { print, printError } from './terminal';

const help: Record<ExportKind, string> = {
  html: 'the report as one HTML file; without any flag: report.html in the folder of the run or session',
  pdf: 'the report as PDF, printed by Electron',
  json: 'all that was recorded (docs/schema/run.schema.json, docs/schema/session.schema.json)',
  csv: 'one line per row',
  junit: 'one JUnit test case per row, as XML',
  parquet: 'rows, their streams, samples and events as Parquet files in this folder',
};

/** Adds `whiteline report`. */
export function addReportCommand(program: Command): void {
  const command = program
    .command('report <runs...>')
    .description(
      'Writes a recorded run, a session or several runs as one report, or as data for other programs; interrupted runs too',
    )
    .option(...runsFlag());
  for (const kind of exportKindSchema.options)
    command.option(`--${kind} <${kind === 'parquet' ? 'folder' : 'file'}>`, help[kind]);
  addReportFlags(command)
    .option(...forceOption)
    .action(finish(reportCommand));
}

type ReportFlags = Partial<Record<ExportKind, string>> & HeadFlags & { runs: string; force?: boolean };

interface Asked {
  kind: ExportKind;
  path: string;
}

async function reportCommand(references: string[], flags: ReportFlags): Promise<number> {
  const [only = '', ...others] = references;
  if (others.length > 0) {
    const session = references.find((reference) => sessionOf(flags.runs, reference) !== undefined);
    if (session !== undefined)
      throw badInput('runs', 'runs, or one session alone', session, 'Give the folders of its runs');
    const folders = references.map((reference) => runFolderOf(flags.runs, reference));
    return reportGroup(chosenGroup(folders), askedIn(flags), flags);
  }
  const session = sessionOf(flags.runs, only);
  if (session === undefined) return reportRun(runFolderOf(flags.runs, only), flags);
  return reportGroup(sessionGroup(session), askedIn(flags, session), flags);
}

/** The folder that is meant, where it is one of a session. */
function sessionOf(root: string, reference: string): string | undefined {
  return [reference, join(root, reference)].find(isSession);
}

async function reportRun(folder: string, flags: ReportFlags): Promise<number> {
  let missing: string | null = null;
  for (const { kind, path } of askedIn(flags, folder)) {
    missing = await exportRun(folder, kind, path, reportTools(flags), { existing: existingOf(flags.force) });
    print(`Written: ${path}`);
  }
  if (missing !== null) printError(`whiteline: ${folder}: ${missing}`);
  return exitCodes.pass;
}

/** Names each run that is not whole once. */
async function reportGroup(group: RunGroup, asked: readonly Asked[], flags: ReportFlags): Promise<number> {
  const reported = new Set<string>();
  for (const { kind, path } of asked) {
    const problems = await exportGroup(group, kind, path, reportTools(flags), existingOf(flags.force));
    print(`Written: ${path}`);
    for (const problem of problems) reported.add(problem);
  }
  for (const problem of reported) printError(`whiteline: ${problem}`);
  return exitCodes.pass;
}

/** @param folder where a report belongs for which no other file was named */
function askedIn(flags: ReportFlags, folder?: string): Asked[] {
  // Only the PDF needs a program that may be missing: what comes before it is written.
  const kinds = [...exportKindSchema.options.filter((kind) => kind !== 'pdf'), 'pdf' as const];
  const asked = kinds.flatMap((kind) => {
    const path = flags[kind];
    return path === undefined ? [] : [{ kind, path }];
  });
  if (asked.length > 0) return asked;
  if (folder !== undefined) return [{ kind: 'html', path: join(folder, 'report.html') }];
  throw new WhitelineError({
    code: 'BAD_INPUT',
    message: 'Several runs have no common folder for their report',
    field: 'html',
    remedy: 'Name a file, for example --html report.html',
  });
}
