import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingText } from '../../facts/missing';
import type { Run } from '../../facts/run';
import type { PageHeader } from '../../protocol/report';
import { noReportHeader, type ReportHeader } from '../../protocol/report-header';
import type { ExportKind } from '../../protocol/shell';
import { exportParquet } from '../history/parquet';
import type { HostApplication } from '../host-application';
import { checkNewFile, type Existing, type FileContent, writeNewFile } from '../sessions/new-file';
import { isBeingWritten, readRun } from '../sessions/read-run';
import { csvOf } from './csv';
import { pageOf, reportDataOf, roomOfRun } from './html';
import { junitOf } from './junit';
import { type HeadedRun, pageHeader } from './page-header';
import { GroupReader, type RunGroup } from './run-group';
import { sessionReportData } from './session-page';
import { sessionTexts } from './session-texts';

/** What a report needs beside its run folder. */
export interface ReportTools extends Pick<HostApplication, 'reportTemplate' | 'printPage' | 'reportHeader'> {
  /** What was typed for the head of this report. */
  typedHeader?: Partial<ReportHeader>;
}

export interface ExportOptions {
  /** The process that records the run is alive; by itself found out from its files. */
  running?: boolean;
  existing?: Existing;
}

/**
 * Writes a run's folder as one file; as Parquet, a folder of them. Every figure comes from the run's own rows.
 * @returns what of the run is missing, in words; null: nothing is
 * @throws WhitelineError NOT_FOUND without a run or a template, BAD_INPUT for a name that is taken, OUTPUT_UNWRITABLE or
 * DISK_FULL, and what `printPage` throws
 */
export async function exportRun(
  folder: string,
  kind: ExportKind,
  path: string,
  tools: ReportTools,
  { running = isBeingWritten(folder), existing = 'keep' }: ExportOptions = {},
): Promise<string | null> {
  if (kind === 'parquet') {
    await exportParquet([folder], path, existing);
    return missingOf(readRun(folder, { running }));
  }
  checkNewFile(path, existing);
  const run = readRun(folder, { running });
  if (kind !== 'html' && kind !== 'pdf') writeNewFile(path, textOf(run, kind), existing);
  else {
    const header = await headerOf([{ folder, run }], tools);
    const page = pageOf(reportDataOf(folder, run, roomOfRun), header, tools.reportTemplate);
    writeNewFile(path, kind === 'pdf' ? await printed(page, tools) : page, existing);
  }
  return missingOf(run);
}

function missingOf({ missing, rows }: Run): string | null {
  return missing ? missingText(missing, rows.length) : null;
}

/**
 * Writes a session, or chosen runs, in the same way.
 * @returns which of its runs are not whole, in words
 * @throws WhitelineError as `exportRun`; BAD_INPUT if none of its runs can be reported
 */
export async function exportGroup(
  group: RunGroup,
  kind: ExportKind,
  path: string,
  tools: ReportTools,
  existing: Existing = 'keep',
): Promise<string[]> {
  const reader = new GroupReader(group);
  if (kind === 'parquet') await exportParquet(readableIn(reader), path, existing);
  else {
    checkNewFile(path, existing);
    writeNewFile(path, await groupContent(reader, kind, tools), existing);
  }
  return reader.problems();
}

function readableIn(reader: GroupReader): string[] {
  const folders: string[] = [];
  for (const { folder, run } of reader.runs()) if (run) folders.push(folder);
  reader.session();
  return folders;
}

async function groupContent(
  reader: GroupReader,
  kind: Exclude<ExportKind, 'parquet'>,
  tools: ReportTools,
): Promise<FileContent> {
  if (kind !== 'html' && kind !== 'pdf') return sessionTexts[kind](reader);
  const data = sessionReportData(reader);
  const runs = data.runs.flatMap((each, index) =>
    each ? [{ folder: reader.folders[index] ?? '', run: each.run }] : [],
  );
  const page = pageOf(data, await headerOf(runs, tools), tools.reportTemplate);
  return kind === 'pdf' ? printed(page, tools) : page;
}

async function headerOf(runs: readonly HeadedRun[], tools: ReportTools): Promise<PageHeader> {
  return pageHeader(await tools.reportHeader(), tools.typedHeader, runs);
}

/** Whom a report is for, as its page one has it: for the name of its file. */
export async function handedTo(
  runs: readonly HeadedRun[],
  tools: Pick<ReportTools, 'reportHeader'>,
): Promise<Pick<PageHeader, 'client' | 'project'>> {
  const { client, project } = pageHeader({ ...(await tools.reportHeader()), logo: null }, {}, runs);
  return { client, project };
}

type TextKind = Exclude<ExportKind, 'html' | 'pdf' | 'parquet'>;

export function exportText(
  folder: string,
  kind: TextKind | 'html',
  reportTemplate: string,
  running = false,
): string {
  const run = readRun(folder, { running });
  if (kind !== 'html') return textOf(run, kind);
  return pageOf(
    reportDataOf(folder, run, roomOfRun),
    pageHeader(noReportHeader, {}, [{ folder, run }]),
    reportTemplate,
  );
}

function textOf(run: Run, kind: TextKind): string {
  if (kind === 'json') return `${JSON.stringify(run, null, 2)}\n`;
  return kind === 'csv' ? csvOf(run) : junitOf(run);
}

/** The printer writes into a separate folder, so that an unwritable target is reported as for any other kind. */
async function printed(page: string, tools: ReportTools): Promise<Uint8Array> {
  const scratch = mkdtempSync(join(tmpdir(), 'whiteline-report-'));
  const [htmlFile, pdfFile] = [join(scratch, 'report.html'), join(scratch, 'report.pdf')];
  try {
    writeNewFile(htmlFile, page, 'keep');
    await tools.printPage(htmlFile, pdfFile);
    return readFileSync(pdfFile);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
