import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportKind } from '../../protocol/shell';
import { exportParquet } from '../history/parquet';
import type { HostApplication } from '../host-application';
import { checkNewFile, type Existing, writeNewFile } from '../sessions/new-file';
import { readRun } from '../sessions/read-run';
import { csvOf } from './csv';
import { reportPage } from './html';
import { junitOf } from './junit';

/** What a report needs beside its run folder. */
export type ReportTools = Pick<HostApplication, 'reportTemplate' | 'printPage'>;

export interface ExportOptions {
  /** The process that records the run is alive. */
  running?: boolean;
  existing?: Existing;
}

/**
 * Writes a run's folder as one file; as Parquet, a folder of them. Every figure comes from the run's own rows.
 * @throws WhitelineError NOT_FOUND without a run or a template, BAD_INPUT for a name that is taken, OUTPUT_UNWRITABLE or
 * DISK_FULL, and what `printPage` throws
 */
export async function exportRun(
  folder: string,
  kind: ExportKind,
  path: string,
  tools: ReportTools,
  { running = false, existing = 'keep' }: ExportOptions = {},
): Promise<void> {
  if (kind === 'parquet') {
    await exportParquet([folder], path, existing);
    return;
  }
  checkNewFile(path, existing);
  if (kind === 'pdf') {
    const page = reportPage(folder, tools.reportTemplate, running);
    writeNewFile(path, await printed(page, tools), existing);
  } else writeNewFile(path, exportText(folder, kind, tools.reportTemplate, running), existing);
}

export function exportText(
  folder: string,
  kind: 'html' | 'json' | 'csv' | 'junit',
  reportTemplate: string,
  running = false,
): string {
  if (kind === 'html') return reportPage(folder, reportTemplate, running);
  const run = readRun(folder, { running });
  if (kind === 'json') return `${JSON.stringify(run, null, 2)}\n`;
  return kind === 'csv' ? csvOf(run) : junitOf(run);
}

/** The printer writes into a folder of its own, so that a target that cannot be written is told as for any other kind. */
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
