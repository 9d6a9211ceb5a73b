import { dateNow, machineClock } from '../engine/clock';
import { checkJoin, deriveSession, joinSession } from '../engine/sessions/join-session';
import type { Run } from '../facts/run';
import { badInput } from '../protocol/errors';
import { newFolder } from './folders';

/** Of every command that records a run. */
export const sessionFlag = [
  '--session <folder>',
  'records into a new folder inside this one: runs with the same FOLDER make one session, with one report',
] as const;

/** Where a run is recorded, as --out or --session say. */
export interface RunDestination {
  /** Absent: neither says it. */
  folder?: string;
  /** Makes the run one of the session, at the moment when it begins. */
  join?(): Run['session'];
  /** Brings session.json up to date, once the run is over, and says where it is. */
  close(say: (line: string) => void): void;
}

/** Flags without those that say where a run is written, and what is said meanwhile: they are chosen anew each time, and measure nothing. */
export function measuredFlags<
  Flags extends { out?: string; session?: string; json?: boolean; captureLogs?: boolean },
>(flags: Flags): Omit<Flags, 'out' | 'session' | 'json' | 'captureLogs'> {
  const { out: _, session: _session, json: _json, captureLogs: _logs, ...measured } = flags;
  return measured;
}

/** @throws WhitelineError BAD_INPUT for both flags, and for a folder that is no such session */
export function destinationOf(
  { out, session }: { out?: string; session?: string },
  name: string,
): RunDestination {
  if (session === undefined) return { folder: out, close: () => undefined };
  if (out !== undefined)
    throw badInput('session', 'no --out beside it', out, 'Give one of the two: a run is recorded once');
  checkJoin(session);
  return {
    folder: newFolder(name, session),
    join: () => joinSession(session, { now: dateNow(machineClock) }),
    close: (say) => {
      deriveSession(session);
      say(`Session: ${session}`);
    },
  };
}
