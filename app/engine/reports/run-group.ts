import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { titleOfExperiment } from '../../experiments/of-run';
import { missingText } from '../../facts/missing';
import type { Run } from '../../facts/run';
import { worseVerdict } from '../../facts/verdict';
import { badInput } from '../../protocol/errors';
import { reasonOfRuns, type Session, type SessionRun, verdictOfRuns } from '../../protocol/session';
import { holdsRun, isBeingWritten, readRun } from '../sessions/read-run';
import { readSession, sessionId } from '../sessions/read-session';
import { type SendingSide, sendingSideOf, withFaultsOfSenders } from './sent-faults';

/** What one report is made of: a session, or chosen runs. */
export interface RunGroup {
  /** As its own files record it. */
  session: Session;
  /** Of its runs, in their order. */
  folders: readonly string[];
}

/** One of them, as its folder records it. */
export interface GroupedRun {
  folder: string;
  entry: SessionRun;
  /** Null: it was not begun, or cannot be read. */
  run: Run | null;
}

/** @throws WhitelineError NOT_FOUND if the folder holds no session */
export function sessionGroup(folder: string): RunGroup {
  const session = readSession(folder);
  return { session, folders: session.runs.map((run) => join(folder, run.folder)) };
}

/**
 * Chosen runs, in the order in which they were chosen.
 * @throws WhitelineError BAD_INPUT for a folder that is given twice
 */
export function chosenGroup(folders: readonly string[]): RunGroup {
  requireEachOnce(folders);
  const listed = folders.map((folder): SessionRun => {
    const name = folder.split(/[\\/]/).filter(Boolean).pop() ?? folder;
    return { folder, experiment: 'unknown', name, state: 'finished', verdict: null, reason: '' };
  });
  const name = folders.length === 1 ? '1 chosen run' : `${folders.length} chosen runs`;
  const facts = { ...{ id: '', name, startedAt: '', endedAt: null, verdict: null, reason: '' } };
  return {
    session: { schema: 'whiteline-session/1', ...facts, state: 'finished', runs: listed },
    folders,
  };
}

/** @throws WhitelineError BAD_INPUT for a folder that is given twice */
export function requireEachOnce(folders: readonly string[]): void {
  const known = new Set<string>();
  for (const folder of folders) {
    const path = realPath(folder);
    if (known.has(path)) throw badInput('run', 'each run once', folder, 'Give its folder once');
    known.add(path);
  }
}

/** The same folder by another way is the same run. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

/** Reads the runs of a group one after the other: no more than one of them is in memory. */
export class GroupReader {
  private readonly read: RunRead[] = [];
  private senders: readonly SendingSide[] | undefined;

  constructor(private readonly group: RunGroup) {}

  get size(): number {
    return this.group.folders.length;
  }

  get folders(): readonly string[] {
    return this.group.folders;
  }

  *runs(): Generator<GroupedRun> {
    this.read.length = 0;
    this.senders ??= this.size > 1 ? this.readSenders() : [];
    for (const read of this.readEach()) {
      const grouped = withFaultsOfSenders(read, this.senders);
      const { entry, run } = grouped;
      this.read.push({
        ...{ entry, startedAt: run?.startedAt, endedAt: run?.endedAt, problem: problemOf(grouped) },
      });
      yield grouped;
    }
  }

  /** A receiver's run may stand before that of its sender. */
  private readSenders(): SendingSide[] {
    const senders: SendingSide[] = [];
    for (const grouped of this.readEach(['send', 'unknown'])) {
      const sender = sendingSideOf(grouped);
      if (sender) senders.push(sender);
    }
    return senders;
  }

  private *readEach(experiments?: readonly string[]): Generator<GroupedRun> {
    for (const [index, listed] of this.group.session.runs.entries())
      if (experiments?.includes(listed.experiment) ?? true)
        yield readListed(listed, this.group.folders[index] ?? listed.folder);
  }

  /**
   * The session as its runs were read, all of them.
   * @throws WhitelineError NOT_FOUND if none of them can be reported
   */
  session(): Session {
    const { session } = this.group;
    const runs = this.read.map(({ entry }) => entry);
    const starts = this.read.flatMap(({ startedAt }) => startedAt ?? []).sort();
    const [first] = starts;
    if (first === undefined) throw nothingToReport(session, runs);
    // A session may have been given runs that are older than it is.
    const startedAt = session.startedAt === '' || first < session.startedAt ? first : session.startedAt;
    return {
      ...session,
      ...(session.plan === undefined ? this.endOfRuns() : this.endOfPlan()),
      ...{
        id: sessionId(session.startedAt || first),
        startedAt,
        runs,
        verdict: this.verdictOf(runs),
        reason: reasonOfRuns(runs),
      },
    };
  }

  /** What is not there any more, or was cut off, may have been anything: it cannot be said that all was well. */
  private verdictOf(runs: readonly SessionRun[]): Session['verdict'] {
    const worst = verdictOfRuns(runs);
    const isWell = worst === 'PASS' || worst === 'WARN';
    const isWhole = this.problems().length === 0 && this.group.session.state !== 'interrupted';
    return isWell && !isWhole ? worseVerdict(worst, 'INVALID') : worst;
  }

  /** Which of the runs that were read are not whole, in words. */
  problems(): string[] {
    return this.read.flatMap(({ problem }) => problem ?? []);
  }

  /** Its lines alone do not distinguish a plan that goes on from one whose process is gone. */
  private endOfPlan(): Partial<Session> {
    const isRunning = this.read.some(({ entry }) => entry.state === 'running');
    return this.group.session.state === 'interrupted' && isRunning ? { state: 'running' } : {};
  }

  private endOfRuns(): Pick<Session, 'state' | 'endedAt'> {
    if (this.read.some(({ entry }) => entry.state === 'running')) return { state: 'running', endedAt: null };
    const begun = this.read.filter(({ startedAt }) => startedAt !== undefined);
    const ends = begun.flatMap(({ endedAt }) => endedAt ?? []).sort();
    // The end of one that was interrupted is not known, and so neither is that of all.
    return { state: 'finished', endedAt: ends.length === begun.length ? (ends.at(-1) ?? null) : null };
  }
}

/** What is kept of a run that was read. */
interface RunRead extends Partial<Pick<Run, 'startedAt' | 'endedAt'>> {
  entry: SessionRun;
  problem: string | null;
}

function problemOf({ folder, entry, run }: GroupedRun): string | null {
  if (entry.state === 'unreadable') return `${folder} is not in the report: ${entry.reason}`;
  return run?.missing ? `${folder}: ${missingText(run.missing, run.rows.length)}` : null;
}

/** A run that ended without files, or never began, appears as the session records it. */
function readListed(listed: SessionRun, folder: string): GroupedRun {
  if (listed.state !== 'finished' && !holdsRun(folder)) return { folder, entry: listed, run: null };
  try {
    const run = readRun(folder, { running: isBeingWritten(folder) });
    const { experiment, title, state, verdict, reason } = run;
    // The operator's own title outranks the plan's name.
    const name =
      title === titleOfExperiment(experiment) && listed.experiment !== 'unknown' ? listed.name : title;
    return { folder, entry: { folder: listed.folder, experiment, name, state, verdict, reason }, run };
  } catch (error) {
    const { message } = error as Error;
    return { folder, entry: { ...listed, state: 'unreadable', verdict: null, reason: message }, run: null };
  }
}

function nothingToReport({ name }: Session, runs: readonly SessionRun[]): Error {
  const said = runs.length === 0 ? 'none' : reasonOfRuns(runs);
  return badInput('run', `at least one run of ${name} that can be read`, said, 'See the folders of its runs');
}
