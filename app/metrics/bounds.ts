import { hostname } from 'node:os';
import type { StreamView } from '../protocol/console';
import { plainLine } from '../protocol/plain-text';
import type { Facts, MachineFacts } from './facts';
import type { ExportedStream } from './frame-outcomes';

/** The most that is exported; `whiteline_truncated` says what is left out. */
export const limits = { streams: 256, machines: 64, roles: 16 } as const;
/** Of a label's value, characters. */
export const longestLabel = 120;

/** Facts within the limits, whose texts can be values of labels. */
export interface BoundedFacts extends Omit<Facts, 'streams' | 'counting'> {
  streams: readonly ExportedStream[];
  openStreams: number;
  /** Of this machine. */
  hostName: string;
  truncated: Readonly<Record<keyof typeof limits, number>>;
}

/** @param count how the counts of a stream have risen */
export function bounded(facts: Facts, count: (view: StreamView) => ExportedStream['counts']): BoundedFacts {
  const { streams, machines, isReceiverRemote } = facts;
  const shown = streams.slice(0, limits.streams);
  const kept = machines.slice(0, limits.machines);
  const named = withOwnNames(kept);
  return {
    ...facts,
    streams: shown.map(({ view, isFollowed, isAway }) => ({
      ...{ view: labelled(isAway ? withoutNow(view) : view), counts: count(view), isFollowed },
      state: isReceiverRemote ? null : isAway ? 'unreachable' : view.state,
    })),
    openStreams: streams.length,
    hostName: label(hostname()),
    machines: named.map(withFewRoles),
    truncated: {
      streams: streams.length - shown.length,
      machines: machines.length - kept.length,
      roles: kept.reduce((sum, machine) => sum + Math.max(0, rolesOf(machine).length - limits.roles), 0),
    },
  };
}

/** One line that shows all and does nothing, and not a long one. */
export function label(text: string): string {
  const line = plainLine(text);
  return line.length <= longestLabel ? line : `${line.slice(0, longestLabel - 1)}…`;
}

function labelled(view: StreamView): StreamView {
  const { name, sentFrom, receivedOn } = view;
  return {
    ...view,
    name: label(name),
    sentFrom: sentFrom === null ? null : label(sentFrom),
    receivedOn: receivedOn === null ? null : label(receivedOn),
  };
}

/** What a stream did when it was last heard is not what it does now. */
function withoutNow(view: StreamView): StreamView {
  return { ...view, deliveredFps: null, lostNow: null };
}

/** Two machines of one name would be one series: the later one has its id after it. */
function withOwnNames(machines: readonly MachineFacts[]): MachineFacts[] {
  const taken = new Set<string>();
  return machines.map((machine) => {
    const { name, id, version } = machine;
    let own = label(name);
    if (taken.has(own)) own = label(`${own} (${id})`);
    while (taken.has(own)) own = `${own}'`;
    taken.add(own);
    return { ...machine, name: own, version: version === null ? null : label(version) };
  });
}

function rolesOf({ sample }: MachineFacts): string[] {
  return Object.keys(sample?.roles ?? {});
}

function withFewRoles(machine: MachineFacts): MachineFacts {
  const { sample } = machine;
  if (!sample) return machine;
  const roles = Object.entries(sample.roles).slice(0, limits.roles);
  return {
    ...machine,
    sample: { ...sample, roles: Object.fromEntries(roles.map(([role, load]) => [label(role), load])) },
  };
}
