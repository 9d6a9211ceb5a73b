import type { LossSample, StreamMark } from '../../app/protocol/console';
import type { LoadSample } from '../../app/protocol/load';
import type { Run } from '../../app/protocol/run';
import { LoadHistory } from '../engine/load-history';

/** What the engine writes into the report's page in the place of `{}`. */
export interface ReportData {
  run: Run;
  samples: LoadSample[];
  marks: StreamMark[];
  losses: LossSample[];
}

/** The data of a page, null for a page that was never filled. */
export function parseReport(json: string): ReportData | null {
  const data = JSON.parse(json) as Partial<ReportData>;
  if (!data.run) return null;
  const { run, samples = [], marks = [], losses = [] } = data;
  return { run, samples, marks, losses };
}

export function historyOf({ samples, marks, losses }: ReportData): LoadHistory {
  const history = new LoadHistory({ load: samples.length, loss: losses.length });
  history.addSamples(samples, losses);
  history.addMarks(marks);
  return history;
}

/** A tree of values as lines of a path and a text: `cpu.model`, `AMD …`. */
export function flatten(tree: Record<string, unknown>, prefix = ''): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] => {
    const path = prefix + key;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return flatten(value as Record<string, unknown>, `${path}.`);
    }
    return [[path, valueText(value)]];
  });
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Each thing that was not measured once, with its reason, over all rows. */
export function missingFigures({ rows }: Run): [path: string, reason: string][] {
  const reasons = new Map<string, string>();
  for (const row of rows) {
    for (const [path, reason] of Object.entries(row.notMeasured)) reasons.set(path, reason);
  }
  return [...reasons];
}
