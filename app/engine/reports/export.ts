import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportKind } from '../../protocol/shell';
import { exportParquet } from '../history/parquet';
import type { HostApplication } from '../host-application';
import { writeProblem } from '../sessions/append-file';
import { readRun } from '../sessions/read-run';
import { csvOf } from './csv';
import { reportPage } from './html';
import { junitOf } from './junit';

/** What a report needs beside its run folder. */
export type ReportTools = Pick<HostApplication, 'reportTemplate' | 'printPage'>;

/**
 * Writes a run's folder as one file; as Parquet, a folder of them. Every figure comes from the run's own rows. `running`: the process that records it
 * is alive.
 * @throws WhitelineError NOT_FOUND without a run or a template, OUTPUT_UNWRITABLE or DISK_FULL, and what `printPage` throws
 */
export async function exportRun(
  folder: string,
  kind: ExportKind,
  path: string,
  tools: ReportTools,
  running = false,
): Promise<void> {
  if (kind === 'pdf') return exportPdf(reportPage(folder, tools.reportTemplate, running), path, tools);
  if (kind === 'parquet') {
    await exportParquet([folder], path);
    return;
  }
  const text = exportText(folder, kind, tools.reportTemplate, running);
  write(path, (file) => writeFileSync(file, text));
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
async function exportPdf(page: string, path: string, tools: ReportTools): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'whiteline-report-'));
  const [htmlFile, pdfFile] = [join(scratch, 'report.html'), join(scratch, 'report.pdf')];
  try {
    write(htmlFile, (file) => writeFileSync(file, page));
    await tools.printPage(htmlFile, pdfFile);
    // Not by copyFile, which on a failure removes what stood in the target's place.
    const pdf = readFileSync(pdfFile);
    write(path, (file) => writeFileSync(file, pdf));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function write(path: string, action: (path: string) => void): void {
  try {
    action(path);
  } catch (error) {
    throw writeProblem(error, path);
  }
}
