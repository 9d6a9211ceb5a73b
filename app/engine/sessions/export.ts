import { readFileSync, writeFileSync } from 'node:fs';
import type { StreamMark } from '../../protocol/console';
import { WhitelineError } from '../../protocol/errors';
import { headingWithUnit, metrics, metricValue } from '../../protocol/metrics/registry';
import { writeProblem } from './append-file';
import { readEvents, readRun, readSamples } from './read-run';

const placeholder = '<script type="application/json" id="whiteline-run">{}</script>';

export type ExportKind = 'html' | 'json' | 'csv';

/** Writes a run's folder as one file. Every figure comes from the run's own rows. */
export function exportRun(
  folder: string,
  kind: ExportKind,
  path: string,
  reportTemplate: string,
  running: boolean,
): void {
  const text = exportText(folder, kind, reportTemplate, running);
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw writeProblem(error, path);
  }
}

export function exportText(
  folder: string,
  kind: ExportKind,
  reportTemplate: string,
  running: boolean,
): string {
  const run = readRun(folder, { running });
  if (kind === 'json') return `${JSON.stringify(run, null, 2)}\n`;
  if (kind === 'csv') return csvOf(run.rows);
  const samples = readSamples(folder);
  const losses = samples.flatMap(({ wallMs, lostPerSecond }) =>
    lostPerSecond === null ? [] : [{ wallMs, lostPerSecond }],
  );
  const data = { run, samples, marks: streamMarks(folder), losses };
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  return fillTemplate(
    reportTemplate,
    placeholder.replace('{}', () => json),
  );
}

function fillTemplate(templatePath: string, script: string): string {
  let template: string;
  try {
    template = readFileSync(templatePath, 'utf8');
  } catch {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The report's template ${templatePath} is absent`,
      remedy: 'Build the app first: npm run build',
    });
  }
  if (!template.includes(placeholder)) throw new Error(`${templatePath} has no place for a run`);
  return template.replace(placeholder, () => script);
}

/** Marks of added and removed streams, from the events of the run. */
function streamMarks(folder: string): StreamMark[] {
  const marks: StreamMark[] = [];
  for (const event of readEvents(folder)) {
    if (event.kind !== 'stream-added' && event.kind !== 'stream-removed') continue;
    const streams = Number(event.details?.streams ?? 0);
    marks.push({ wallMs: Date.parse(event.at), streams, label: event.text });
  }
  return marks;
}

/** One line per row; heads and order come from the registry of metrics; empty where not measured. */
export function csvOf(rows: object[]): string {
  const quote = (text: string): string => `"${text.replace(/"/g, '""')}"`;
  const heads = [
    'row',
    'streams',
    'verdict',
    ...metrics.map((metric) => `${metric.id} (${headingWithUnit(metric)})`),
    'reason',
  ];
  const lines = rows.map((row) => {
    const {
      row: index,
      streams,
      verdict,
      reason,
    } = row as { row: number; streams: number; verdict: string; reason: string };
    const values = metrics.map((metric) => metricValue(row, metric.id) ?? '');
    return [index, streams, verdict, ...values, quote(reason)].join(',');
  });
  return `${[heads.map(quote).join(','), ...lines].join('\n')}\n`;
}
