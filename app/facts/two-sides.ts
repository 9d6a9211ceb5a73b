import type { Subject } from './row';
import { isOfStreams } from './row-figures';
import type { Run } from './run';

/** A test whose sender and receiver each recorded a run of their own: `whiteline send` and `whiteline watch`. */
export interface TwoSidesOfTest {
  sent: Run;
  received: Run;
  /** Names of the streams that both have. */
  streams: string[];
}

/** Null: the runs are no two sides of one test, or more than that. */
export function twoSidesOf(runs: readonly (Run | null | undefined)[]): TwoSidesOfTest | null {
  return runs.length === 2 ? (pairsOf(runs)[0] ?? null) : null;
}

/** Each receiving side among these runs with each of its senders. */
export function pairsOf(runs: readonly (Run | null | undefined)[]): TwoSidesOfTest[] {
  const known = runs.flatMap((run) => run ?? []);
  const senders = known.filter(({ experiment }) => experiment === 'send');
  return known
    .filter(({ experiment }) => experiment === 'watch')
    .flatMap((received) =>
      senders.flatMap((sent) => {
        const streams = sharedStreams(sideOf(sent), sideOf(received));
        return streams.length > 0 ? [{ sent, received, streams }] : [];
      }),
    );
}

/** What tells the sides of a test by: when they were, and the names of their streams. */
export interface Side extends Pick<Run, 'startedAt' | 'endedAt'> {
  names: readonly string[];
}

export function sideOf(run: Pick<Run, 'startedAt' | 'endedAt' | 'rows'>): Side {
  const { startedAt, endedAt } = run;
  return { startedAt, endedAt, names: [...new Set(streamsOfRun(run).map(sentName))] };
}

/** Names of the streams that both had at the same time. */
export function sharedStreams(sent: Side, received: Side): string[] {
  const isAtOnce =
    (received.endedAt === null || sent.startedAt < received.endedAt) &&
    (sent.endedAt === null || received.startedAt < sent.endedAt);
  return isAtOnce ? sent.names.filter((name) => received.names.includes(name)) : [];
}

/** Why a sender's run has no figure of what was received; the other side of its test has it. */
export const onlyReceiverKnows = 'this run has no receiver of its own: only the receiver knows';

/** The name that a sender gave: NDI puts the sender's machine before it, as in `RENDER-1 (Hall 1)`. */
export function sentName({ name }: Pick<Subject, 'name'>): string {
  return /\((.+)\)$/.exec(name)?.[1] ?? name;
}

export function streamsOfRun({ rows }: Pick<Run, 'rows'>): Subject[] {
  return rows.filter(isOfStreams).flatMap(({ subjects }) => subjects);
}
