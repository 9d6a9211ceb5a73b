import type { Run } from '../../app/facts/run';
import type { ReportData, SessionReportData } from '../../app/protocol/report';
import { LoadHistory } from '../engine/load-history';

/** The data of a page, null for a page that was never filled. */
export function parseReport(json: string): ReportData | SessionReportData | null {
  const data = JSON.parse(json) as Partial<ReportData & SessionReportData>;
  if (data.session) return data as SessionReportData;
  return data.run ? (data as ReportData) : null;
}

/** The load of the run as the charts of the window draw it. */
export function historyOf({ load, marks }: Pick<ReportData, 'load' | 'marks'>): LoadHistory {
  const points = load.wallMs.length;
  const history = new LoadHistory({ load: points, loss: points }, load.samplesPerPoint);
  history.addColumns(load);
  history.setMarks(marks);
  return history;
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
  for (const { index, notMeasured } of rows) {
    for (const [path, reason] of Object.entries(notMeasured)) {
      const missing = reasons.get(reason) ?? { rows: new Set(), figures: new Set() };
      missing.rows.add(index);
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
