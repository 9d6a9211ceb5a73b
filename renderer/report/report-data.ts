import { metricFor } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import type { Run } from '../../app/facts/run';
import { noStreamReason } from '../../app/facts/stream-row';
import type { PageData, PageHeader, ReportData, SessionReportData } from '../../app/protocol/report';
import { LoadHistory, type OutageSpan } from '../engine/load-history';
import { texts } from '../texts';
import { reportedFigures } from './run-columns';

/** The data of a page, null for a page that was never filled. */
export function parseReport(json: string): PageData | null {
  const data = JSON.parse(json) as Partial<ReportData & SessionReportData> & { header: PageHeader };
  if (data.session) return data as SessionReportData & { header: PageHeader };
  return data.run ? (data as ReportData & { header: PageHeader }) : null;
}

/** The load of the run as the charts of the window draw it. */
export function historyOf({ load, marks, run }: Pick<ReportData, 'load' | 'marks' | 'run'>): LoadHistory {
  const points = load.wallMs.length;
  const history = new LoadHistory({ load: points, loss: points }, load.samplesPerPoint);
  history.addColumns(load);
  history.setMarks(marks);
  history.outages = outageSpans(run.rows);
  return history;
}

/** An outage that went on is over for its row where that ended. */
function outageSpans(rows: readonly Row[]): OutageSpan[] {
  return rows.flatMap(({ subjects, to }) =>
    subjects.flatMap(({ outages = [] }) =>
      outages.map(({ startedAt, endedAt }) => ({
        fromMs: Date.parse(startedAt),
        toMs: Date.parse(endedAt ?? to ?? startedAt),
      })),
    ),
  );
}

/** Parameters that stand in no flag of the run's command: `holdSeconds` is --hold there. A switch has a flag where it is not as usual. */
export function parametersBeside({ command, parameters }: Run): Record<string, unknown> {
  const isSaid = (name: string): boolean => {
    const flag = name.replace(/Seconds$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return new RegExp(` --(no-)?${flag}( |$)`).test(command);
  };
  // Senders of a watch follow its name, and stand in no flag.
  const isTyped = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((text) => command.includes(String(text)));
  return Object.fromEntries(
    Object.entries(parameters).filter(
      ([name, value]) => typeof value !== 'boolean' && !isSaid(name) && !isTyped(value),
    ),
  );
}

export interface MissingFigures {
  reason: string;
  rows: number[];
  /** Paths of the figures in a row. */
  figures: string[];
}

/**
 * Why figures are missing that the report has a place for: a reason with the figures that it stands for in each of the rows.
 * @param isSaidElsewhere of a reason: the report has these figures in another run
 */
export function missingFigures(
  { experiment, rows }: Pick<Run, 'experiment' | 'rows'>,
  isSaidElsewhere: (reason: string) => boolean = () => false,
): MissingFigures[] {
  const shown = reportedFigures({ experiment, rows });
  const rowsOf = new Map<string, Map<string, number[]>>();
  for (const { index, notMeasured } of rows)
    for (const [figure, reason] of Object.entries(notMeasured)) {
      if (!shown.has(figure) || isSaidElsewhere(reason)) continue;
      const ofReason = rowsOf.get(reason) ?? new Map<string, number[]>();
      rowsOf.set(reason, ofReason.set(figure, [...(ofReason.get(figure) ?? []), index]));
    }
  return [...rowsOf].flatMap(([reason, ofReason]) => alike(reason, ofReason));
}

/** By their headings, as the tables have them. */
export function missingText({ reason, rows, figures }: MissingFigures): string {
  if (reason === noStreamReason && figures.length > mostNamed)
    return texts.report.ofStreams(rows, figures.length);
  return texts.report.missing(
    rows,
    figures.map((id) => metricFor(id).heading),
  );
}

/** More names than this would be a paragraph. */
const mostNamed = 8;

/** Figures that the same rows lack stand together: a row is never named with a figure that it has, or lacks for another reason. */
function alike(reason: string, rowsOf: ReadonlyMap<string, number[]>): MissingFigures[] {
  const together = new Map<string, MissingFigures>();
  for (const [figure, rows] of rowsOf) {
    const before = together.get(rows.join()) ?? { reason, rows, figures: [] };
    together.set(rows.join(), { ...before, figures: [...before.figures, figure] });
  }
  return [...together.values()];
}
