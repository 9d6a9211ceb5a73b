import { declarations } from '../../experiments/declarations';
import type { Run } from '../../facts/run';
import type { SetDifference } from '../../protocol/history';
import type { Repeats, ReportData, SessionReportData, SessionReportRun } from '../../protocol/report';
import { alignRows } from '../history/compare';
import { setDifferences } from '../history/set-differences';
import { type PageRoom, reportDataOf, roomOfRun } from './html';
import type { GroupReader } from './run-group';

/** All runs of a page share this: more is neither read nor printed. */
const mostLosses = 2000;
const mostPoints = 30_000;
/** A browser can draw this much data. Runs after that have only their verdict and settings on the page. */
const mostCharacters = 32e6;

/**
 * All that the page of a session, or of chosen runs, shows; every figure is read from the runs' folders, of which one at a
 * time is in memory.
 * @throws WhitelineError BAD_INPUT if none of the runs can be reported
 */
export function sessionReportData(reader: GroupReader, most = mostCharacters): SessionReportData {
  const runs: SessionReportData['runs'] = [];
  let room = shareOf(reader.size);
  let left = most;
  for (const { folder, run } of reader.runs()) {
    if (!run) {
      runs.push(null);
      continue;
    }
    const data = reportDataOf(folder, run, room);
    const characters = JSON.stringify(data).length;
    if (characters > left) {
      runs.push(shortOf(data));
      continue;
    }
    left -= characters;
    const pictures = data.pictures.reduce((sum, { dataUrl }) => sum + dataUrl.length, 0);
    room = { ...room, pictureBytes: Math.max(0, room.pictureBytes - pictures) };
    runs.push({ ...data, isShort: false });
  }
  const session = reader.session();
  const beginnings = runs.flatMap((data) => data?.run ?? []);
  return {
    session,
    runs,
    differences: setDifferences(beginnings, ['environment', 'thresholds']).filter((difference) =>
      isChange(difference, beginnings),
    ),
    repeats: repeatsOf(runs),
  };
}

/** Each experiment words its topology in its own way: only runs of one experiment show that it changed. */
function isChange({ path, values }: SetDifference, runs: readonly Run[]): boolean {
  if (path !== 'topology') return true;
  return runs.some(({ experiment }) => {
    const own = values.filter((_, run) => runs[run]?.experiment === experiment);
    return new Set(own).size > 1;
  });
}

function shareOf(runs: number): PageRoom {
  const share = (all: number, most: number): number => Math.min(most, Math.ceil(all / Math.max(1, runs)));
  return {
    ...roomOfRun,
    losses: share(mostLosses, roomOfRun.losses),
    points: share(mostPoints, roomOfRun.points),
  };
}

function shortOf({ run, load }: ReportData): SessionReportRun {
  return {
    run: { ...run, rows: [], notes: [] },
    load: { ...load, wallMs: [], columns: load.columns.map(() => []) },
    ...{ marks: [], causes: [], leftOut: [], notes: [], pictures: [], picturesLeftOut: [], isShort: true },
  };
}

/** A run that `watch` or the live view wrote repeats no experiment. */
function repeatsOf(runs: SessionReportData['runs']): Repeats[] {
  const whole = runs.flatMap((data, run) => (data && !data.isShort ? [{ run, recorded: data.run }] : []));
  return declarations.flatMap(({ id }) => {
    const own = whole.filter(({ recorded }) => recorded.experiment === id);
    if (own.length < 2) return [];
    const recorded = own.map((each) => each.recorded);
    const places = new Map(
      own.flatMap(({ run, recorded: { rows } }) =>
        rows.map((row, index) => [row, { run, row: index }] as const),
      ),
    );
    const steps = alignRows(recorded).map(({ label, rows }) => ({
      label,
      rows: rows.flat().flatMap((row) => places.get(row) ?? []),
    }));
    const differences = setDifferences(recorded, ['parameters']);
    return [{ experiment: id, runs: own.map(({ run }) => run), differences, steps }];
  });
}
