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

/** Why figures are missing: a reason with the figures that it stands for in each of the rows. */
export function missingFigures({ rows }: Pick<Run, 'rows'>): MissingFigures[] {
  const rowsOf = new Map<string, Map<string, number[]>>();
  for (const { index, notMeasured } of rows)
    for (const [figure, reason] of Object.entries(notMeasured)) {
      const ofReason = rowsOf.get(reason) ?? new Map<string, number[]>();
      rowsOf.set(reason, ofReason.set(figure, [...(ofReason.get(figure) ?? []), index]));
    }
  return [...rowsOf].flatMap(([reason, ofReason]) => alike(reason, ofReason));
}

/** Figures that the same rows lack stand together: a row is never named with a figure that it has, or lacks for another reason. */
function alike(reason: string, rowsOf: ReadonlyMap<string, number[]>): MissingFigures[] {
  const together = new Map<string, MissingFigures>();
  for (const [figure, rows] of rowsOf) {
    const before = together.get(rows.join()) ?? { reason, rows, figures: [] };
    together.set(rows.join(), { ...before, figures: [...before.figures, figure] });
  }
  return [...together.values()];
}
