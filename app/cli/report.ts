import { join } from 'node:path';
import type { Command } from 'commander';
import { runFolderOf } from '../engine/history/history';
import { exportRun } from '../engine/reports/export';
import { readRun } from '../engine/sessions/read-run';
import { exitCodes } from '../protocol/errors';
import { missingText } from '../protocol/missing';
import { type ExportKind, exportKindSchema } from '../protocol/shell';
import { finish } from './finish';
import { nodeApplication } from './folders';
import { existingOf, forceOption } from './force';
import { runsFlag } from './runs';
import { print, printError } from './terminal';

const help: Record<ExportKind, string> = {
  html: 'the report as one HTML file; without any flag: report.html in the run’s folder',
  pdf: 'the report as PDF, printed by Electron',
  json: 'the whole run (docs/schema/run.schema.json)',
  csv: 'one line per row',
  junit: 'one JUnit test case per row, as XML',
  parquet: 'rows, their streams, samples and events as Parquet files in this folder',
};

/** Adds `whiteline report`. */
export function addReportCommand(program: Command): void {
  const command = program
    .command('report <run>')
    .description('Writes a recorded run as a report, or for other programs; a run that is cut short too')
    .option(...runsFlag());
  for (const kind of exportKindSchema.options)
    command.option(`--${kind} <${kind === 'parquet' ? 'folder' : 'file'}>`, help[kind]);
  command.option(...forceOption).action(finish(reportCommand));
}

type ReportFlags = Partial<Record<ExportKind, string>> & { runs: string; force?: boolean };

async function reportCommand(reference: string, flags: ReportFlags): Promise<number> {
  const folder = runFolderOf(flags.runs, reference);
  const asked = exportKindSchema.options.flatMap((kind) => {
    const path = flags[kind];
    return path === undefined ? [] : [{ kind, path }];
  });
  if (asked.length === 0) asked.push({ kind: 'html', path: join(folder, 'report.html') });
  for (const { kind, path } of asked) {
    await exportRun(folder, kind, path, nodeApplication(), { existing: existingOf(flags.force) });
    print(`Written: ${path}`);
  }
  const { missing, rows } = readRun(folder);
  if (missing) printError(`whiteline: ${folder}: ${missingText(missing, rows.length)}`);
  return exitCodes.pass;
}
