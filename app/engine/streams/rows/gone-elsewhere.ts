import { hostname } from 'node:os';
import type { Fact } from '../../../facts/fact';
import { type Guard, violatedBy } from '../../../facts/precedence';
import type { ReasonCode } from '../../../facts/reason-words';
import type { Stream } from '../stream';

/** What is missing of machines and processes, if streams of one row are received on several machines. */

const goneCodes: ReadonlySet<string> = new Set<ReasonCode>([
  ...(['machine-unreachable', 'process-died', 'process-lost', 'faults-not-put-in'] as const),
]);

/** It says that a machine, or a process on one, is gone, or what went with it. */
export function isOfGone({ code }: Fact): boolean {
  return goneCodes.has(code);
}

/** For a machine that was given up, and for a process that died on another machine, records came for only a part of the row. */
export function violatedByGone(facts: readonly Fact[]): Guard {
  const guard = violatedBy(facts);
  const isPart = facts.some((fact) => isOfGone(fact) && fact.data.machine !== undefined);
  return isPart && guard.state !== 'fine' ? { ...guard, spoilsFigures: true } : guard;
}

/**
 * Guards of a row as they apply to one of its streams: what is missing or unknown about a machine that has no end of the stream does not
 * affect it.
 */
export function guardsOfStream(
  guards: readonly Guard[],
  stream: Pick<Stream, 'receiverHost' | 'senderHost'>,
): readonly Guard[] {
  if (stream.receiverHost === null) return guards;
  return guards.map((guard) => {
    if (guard.state === 'fine') return guard;
    if (guard.facts.some((fact) => isGoneElsewhere(fact, stream))) {
      const left = violatedByGone(guard.facts.filter((fact) => !isGoneElsewhere(fact, stream)));
      return left.state !== 'fine' && !guard.spoilsFigures ? { ...left, spoilsFigures: false } : left;
    }
    // Without it a loss is excused by what kept another machine up, as it is everywhere; nothing else is.
    const isOfOthers = guard.spoilsFigures && guard.facts.every((fact) => isElsewhere(fact, stream));
    return isOfOthers ? { ...guard, spoilsFigures: false } : guard;
  });
}

/** It names a machine that has no end of the stream. */
function isElsewhere(
  { data: { machine } }: Fact,
  { receiverHost, senderHost }: Pick<Stream, 'receiverHost' | 'senderHost'>,
): boolean {
  return machine !== undefined && machine !== receiverHost && machine !== senderHost;
}

/** A fact about a process of this machine names no machine; all senders are on one machine. */
function isGoneElsewhere(
  fact: Fact,
  { receiverHost, senderHost }: Pick<Stream, 'receiverHost' | 'senderHost'>,
): boolean {
  const { role, machine } = fact.data;
  if (!isOfGone(fact) || role === 'sending' || (role === undefined && machine === undefined)) return false;
  if (role === 'receiving') return (machine ?? hostname()) !== receiverHost;
  return machine !== receiverHost && machine !== senderHost;
}
