import { compareRuns } from '../engine/history/compare';
import { letter, notComparable, notJudgedOf, regressionsOf, unjudgedOf } from '../engine/history/regressions';
import { marksOf, reportData } from '../engine/reports/html';
import { loadColumnsOf, ownSamplesOf } from '../engine/reports/load-columns';
import {
  chosenGroup,
  GroupReader,
  type RunGroup,
  requireEachOnce,
  sessionGroup,
} from '../engine/reports/run-group';
import { isBeingWritten, readEvents, readRun, readSamples } from '../engine/sessions/read-run';
import type { ComparedRuns, EventList, OpenedRun, OpenedSession, ReportedGroup } from '../protocol/archive';
import { archivedRunOf, namedRun, namedSession, readArchivedRun } from './named-run';

/** @throws WhitelineError BAD_INPUT for what is no run of ours */
export function openRun(root: string, name: string): OpenedRun {
  const { folder, path } = namedRun(root, name);
  const data = reportData(path, isBeingWritten(path));
  return { ...data, summary: archivedRunOf(root, folder, data.run) };
}

/** @throws WhitelineError BAD_INPUT for what is no session of ours, or has no run that can be read */
export function openSession(root: string, name: string): OpenedSession {
  const reader = new GroupReader(sessionGroup(namedSession(root, name)));
  const runs: OpenedSession['runs'] = [];
  for (const { entry, run } of reader.runs())
    runs.push(run && readArchivedRun(root, `${name}/${entry.folder}`));
  return { session: reader.session(), runs };
}

/** @throws WhitelineError BAD_INPUT for what is no session or no run of ours */
export function reportedGroup(root: string, group: ReportedGroup): RunGroup {
  return 'session' in group
    ? sessionGroup(namedSession(root, group.session))
    : chosenGroup(group.runs.map((run) => namedRun(root, run).path));
}

/** @throws WhitelineError BAD_INPUT for what is no run of ours */
export function openEvents(root: string, name: string, offset: number, limit: number): EventList {
  const events = readEvents(namedRun(root, name).path);
  return { events: events.slice(offset, offset + limit), total: events.length };
}

/** @throws WhitelineError BAD_INPUT for what is no run of ours, one that is given twice, or runs of different experiments */
export function openComparison(root: string, names: readonly string[]): ComparedRuns {
  const named = names.map((name) => namedRun(root, name));
  requireEachOnce(named.map(({ path }) => path));
  const runs = named.map((one) => ({
    ...one,
    run: readRun(one.path, { running: isBeingWritten(one.path) }),
  }));
  const comparison = compareRuns(runs.map(({ run }) => run));
  return {
    comparison,
    runs: runs.map(({ folder, path, run }) => ({
      summary: archivedRunOf(root, folder, run),
      load: loadColumnsOf(ownSamplesOf(readSamples(path)), run.rows),
      marks: marksOf(run, readEvents(path)),
    })),
    regressions: regressionsOf(comparison),
    unjudged: unjudgedOf(comparison),
    notJudged: notJudgedOf(comparison),
    notComparable: notComparable(comparison, letter),
  };
}
