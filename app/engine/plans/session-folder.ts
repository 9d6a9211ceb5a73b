import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../protocol/clock';
import { badInput } from '../../protocol/errors';
import type { Plan } from '../../protocol/plan';
import type { Session, SessionLine, SessionRun } from '../../protocol/session';
import { dateNow } from '../clock';
import type { RunOutcome } from '../runs/runner';
import { AppendFile, writeProblem } from '../sessions/append-file';
import { makeFolder } from '../sessions/make-folder';
import { readSession, sessionFiles } from '../sessions/read-session';
import { replaceFile } from '../sessions/replace-file';

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
    private readonly clock: Pick<Clock, 'wallMs'>,
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
    this.add({ kind: 'session-started', at: this.now, plan, thresholdProfile, runs: [...runs] });
  }

  runStarted(folder: string): void {
    this.add({ kind: 'run-started', at: this.now, folder });
  }

  runEnded(folder: string, { state, verdict, reason }: Ending): void {
    this.add({ kind: 'run-ended', at: this.now, folder, state, verdict, reason });
  }

  end({ state, verdict, reason }: Ending): void {
    this.add({ kind: 'session-ended', at: this.now, state, verdict, reason });
  }

  /** As it stands now. */
  session(): Session {
    return readSession(this.path, { running: true });
  }

  close(): void {
    this.lines.close();
  }

  private get now(): string {
    return dateNow(this.clock).toISOString();
  }

  private add(line: SessionLine): void {
    this.lines.append(line);
    // Lines are few and the newest one matters: nothing goes on before it is derived from.
    replaceFile(join(this.path, sessionFiles.session), this.session());
  }
}
