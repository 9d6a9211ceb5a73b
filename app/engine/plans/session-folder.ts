import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badInput, WhitelineError } from '../../protocol/errors';
import type { Plan } from '../../protocol/plan';
import { safeParse } from '../../protocol/safe-parse';
import { type Session, type SessionLine, type SessionRun, sessionLineSchema } from '../../protocol/session';
import type { RunOutcome } from '../runner';
import { AppendFile, writeProblem } from '../sessions/append-file';
import { makeFolder } from '../sessions/make-folder';
import { readLines, readRun } from '../sessions/read-run';
import { replaceFile } from '../sessions/replace-file';

export const sessionFiles = { lines: 'session.jsonl', session: 'session.json', plan: 'plan.yaml' } as const;

export interface SessionStart {
  plan: Plan;
  /** The plan as it was written. */
  text: string;
  thresholdProfile: string;
  runs: readonly Pick<SessionRun, 'folder' | 'experiment' | 'name'>[];
}

type Ending = Pick<SessionRun, 'verdict' | 'reason'> & { state: RunOutcome['state'] };

/**
 * The folder of a plan that is run: the plan, a folder for each run, and session.jsonl, which only grows. session.json is
 * derived from it and replaced whole.
 */
export class SessionFolder {
  private readonly lines: AppendFile;

  /** @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL; BAD_INPUT for a folder that already holds a session */
  constructor(
    readonly path: string,
    { plan, text, thresholdProfile, runs }: SessionStart,
  ) {
    if (Object.values(sessionFiles).some((name) => existsSync(join(path, name)))) {
      const remedy = 'Choose another folder; a session is never overwritten';
      throw badInput('out', 'a folder without a session in it', path, remedy);
    }
    try {
      makeFolder(path);
      writeFileSync(join(path, sessionFiles.plan), text, { flag: 'wx' });
      this.lines = AppendFile.make(join(path, sessionFiles.lines));
    } catch (error) {
      throw writeProblem(error, path);
    }
    this.add({ kind: 'session-started', at: now(), plan, thresholdProfile, runs: [...runs] });
  }

  runStarted(folder: string): void {
    this.add({ kind: 'run-started', at: now(), folder });
  }

  runEnded(folder: string, { state, verdict, reason }: Ending): void {
    this.add({ kind: 'run-ended', at: now(), folder, state, verdict, reason });
  }

  end({ state, verdict, reason }: Ending): void {
    this.add({ kind: 'session-ended', at: now(), state, verdict, reason });
  }

  /** As it stands now. */
  session(): Session {
    return readSession(this.path, { running: true });
  }

  close(): void {
    this.lines.close();
  }

  private add(line: SessionLine): void {
    this.lines.append(line);
    // Lines are few and the newest one matters: nothing goes on before it is derived from.
    replaceFile(join(this.path, sessionFiles.session), this.session());
  }
}

function now(): string {
  return new Date().toISOString();
}

/**
 * Makes session.json out of session.jsonl, whatever ended the session. `running`: the process that writes it is alive.
 * @throws WhitelineError NOT_FOUND when the folder holds no session
 */
export function readSession(folder: string, options: { running: boolean } = { running: false }): Session {
  const lines = readLines(join(folder, sessionFiles.lines))
    .map((value) => safeParse(sessionLineSchema, value))
    .flatMap((result) => (result.success ? [result.data] : []));
  const start = lines.find((line) => line.kind === 'session-started');
  if (!start) {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `${folder} holds no session of a plan, or its beginning is lost`,
      field: 'folder',
      value: folder,
    });
  }
  const end = lines.find((line) => line.kind === 'session-ended');
  const cut = 'The session was interrupted; what was measured is kept';
  return {
    schema: 'whiteline-session/1',
    id: start.at.replace(/[:.]/g, '-'),
    state: end?.state ?? (options.running ? 'running' : 'interrupted'),
    startedAt: start.at,
    endedAt: end?.at ?? null,
    plan: start.plan,
    thresholdProfile: start.thresholdProfile,
    runs: start.runs.map((run) => ({ ...run, ...endingOf(folder, run.folder, lines, options) })),
    verdict: end?.verdict ?? null,
    reason: end?.reason ?? (options.running ? 'The session is not over' : cut),
  };
}

function endingOf(
  session: string,
  folder: string,
  lines: readonly SessionLine[],
  options: { running: boolean },
): Pick<SessionRun, 'state' | 'verdict' | 'reason'> {
  const of = lines.filter((line) => 'folder' in line && line.folder === folder);
  const end = of.find((line) => line.kind === 'run-ended');
  if (end?.kind === 'run-ended') return { state: end.state, verdict: end.verdict, reason: end.reason };
  if (of.length === 0) return { state: 'waiting', verdict: null, reason: '' };
  if (options.running) return { state: 'running', verdict: null, reason: '' };
  try {
    const { state, verdict, reason } = readRun(join(session, folder));
    return { state, verdict, reason };
  } catch {
    return { state: 'interrupted', verdict: null, reason: 'It was interrupted before its first row' };
  }
}
