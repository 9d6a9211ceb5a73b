import type { LossSample, StreamMark } from '../../app/protocol/console';
import type { LoadSample } from '../../app/protocol/load';
import type { Run } from '../../app/protocol/run';
import { LoadHistory } from '../engine/load-history';
import { notMeasuredSign } from '../format';

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

/** A tree of values as lines of a path and a text: `hosts.0.cpuModel`, `AMD …`. */
export function flatten(tree: object, prefix = ''): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] => {
    const path = prefix + key;
    return isTree(value) ? flatten(value, `${path}.`) : [[path, valueText(value)]];
  });
}

/** A list of plain values is one line, anything else that holds values is a tree. */
function isTree(value: unknown): value is object {
  if (Array.isArray(value)) return value.some((entry) => typeof entry === 'object');
  return typeof value === 'object' && value !== null;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return notMeasuredSign;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

export interface MissingFigures {
  reason: string;
  rows: number[];
  /** Paths of the figures in a row. */
  figures: string[];
}

/** Why figures are missing: each reason once, with the rows and the figures that it stands for. */
export function missingFigures({ rows }: Pick<Run, 'rows'>): MissingFigures[] {
  const reasons = new Map<string, { rows: Set<number>; figures: Set<string> }>();
  for (const { row, notMeasured } of rows) {
    for (const [path, reason] of Object.entries(notMeasured)) {
      const missing = reasons.get(reason) ?? { rows: new Set(), figures: new Set() };
      missing.rows.add(row);
      missing.figures.add(path);
      reasons.set(reason, missing);
    }
  }
  return [...reasons].map(([reason, missing]) => ({
    reason,
    rows: [...missing.rows],
    figures: [...missing.figures],
  }));
}
