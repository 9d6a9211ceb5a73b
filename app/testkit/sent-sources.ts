import type { Fault } from '../protocol/records';

/** A source that this process sends, or sent: its sender, and the faults that were put into that. */
interface Sent {
  /** The exact one, and the one on this machine. */
  names: readonly [exact: string, own: string];
  senderId: number;
  injected: readonly Fault[];
}

/** The end of a process of ours that sent. */
interface SenderDeath {
  /** ISO 8601 wall time. */
  at: string;
  text: string;
}

const deaths: SenderDeath[] = [];

export function noteSenderDeath(at: string, text: string, names: readonly string[]): void {
  deaths.push({ at, text: `${text.replace(/^The /, 'our ')}; it sent ${names.join(', ')}` });
}

/** In words, of those in a time, whichever of their sources a device passed on. */
export function senderDeathsIn({ from, to }: { from: string; to: string }): string[] {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  return deaths
    .filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) <= toMs)
    .map(({ at, text }) => `at ${at.slice(11, 23)} UTC ${text}`);
}

/** By the ids of sources, of which a sender has another one once its process was started again; all who send it. */
const sent = new Map<number, Sent[]>();

export function noteSent(sourceId: number, sender: Sent): void {
  const others = (sent.get(sourceId) ?? []).filter(({ names: [exact] }) => exact !== sender.names[0]);
  sent.set(sourceId, [...others, sender]);
}

/** Whether this process sends, or sent, anything by this name. */
export function isSent(name: string): boolean {
  return [...sent.values()].flat().some(({ names }) => names.includes(name));
}

/** Exact names of all that this process sends, or sent. */
export function sentNames(): string[] {
  return [...new Set([...sent.values()].flat().map(({ names: [exact] }) => exact))];
}

/** Names that show the same frames, one of these sources. Undefined: each of them has a name of its own. */
export function namesAlike(sourceIds: readonly number[]): string[] | undefined {
  return sourceIds
    .map((id) => (sent.get(id) ?? []).map(({ names: [exact] }) => exact))
    .find(({ length }) => length > 1);
}

/** Whether a test may call a source so: by its exact name, or by what is in the brackets. */
export function isNamed(exact: string, name: string): boolean {
  return exact === name || exact.endsWith(` (${name})`);
}

export function isSentAs(sourceId: number, name: string): boolean {
  return (sent.get(sourceId) ?? []).some(({ names }) => names.includes(name));
}

/** In the place of a name that the engine does not know. */
export function sentName(sourceId: number): string | null {
  return sent.get(sourceId)?.[0]?.names[0] ?? null;
}

/** Whether one sender has, or had, both. */
export function areOfOneSender(one: number, other: number): boolean {
  const name = sentName(one);
  return name !== null && isSentAs(other, name);
}

/** `senderId`: 0 behind a device that passes pictures on without what we say beside them. */
export function injectedInto({
  sourceId,
  senderId,
}: {
  sourceId: number;
  senderId: number;
}): readonly Fault[] {
  const senders = sent.get(sourceId) ?? [];
  const sender = senders.find((one) => one.senderId === senderId);
  const only = senderId === 0 && senders.length === 1 ? senders[0] : undefined;
  return (sender ?? only)?.injected ?? [];
}
