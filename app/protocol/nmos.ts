import { z } from 'zod';
import { command, nothing } from './command-table';
import type { Problem } from './errors';

/** What passes between the screen NMOS of a window and the engine. */

const resourceId = z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'an id of NMOS, a UUID');

/** What a window asks of the screen NMOS; each of them but `closeNmos` shows the screen, too. */
export const nmosCommands = {
  /** The window shows the screen: it is sent `nmos` messages until it closes it, or is gone. */
  openNmos: command({}, nothing),
  closeNmos: command({}, nothing),
  /** Reads the registry whose Query API is there, for all windows: `http://192.0.2.7:8010`. */
  chooseRegistry: command({ url: z.string().max(300) }, nothing),
  /** Reads none any more. */
  leaveRegistry: command({}, nothing),
  /** Connects a receiver to a sender by IS-05, at once; null: to none. Answered when the device has answered. */
  connectReceiver: command({ receiverId: resourceId, senderId: resourceId.nullable() }, nothing),
  /** Looks for what keeps nodes from a registry; empty texts: no DNS server is asked. */
  examineNetwork: command({ dnsServer: z.string().max(300), domain: z.string().max(300) }, nothing),
};

export const nmosKinds = ['node', 'device', 'sender', 'receiver'] as const;
export type NmosKind = (typeof nmosKinds)[number];

/** A resource as the screen shows it; each text is one line, cut where it is long. */
export interface NmosResource {
  kind: NmosKind;
  id: string;
  /** As its registry has it; may be empty. */
  label: string;
  /** Of a device its node, of a sender or receiver its device; empty: of a node. */
  parentId: string;
  /** Of a sender or receiver, without `urn:x-nmos:transport:`, as `rtp.mcast`; empty: of others. */
  transport: string;
  /** Of a receiver, as `video`; empty: of others. */
  format: string;
  /** Of a receiver the sender that it is connected to, of a registry's view; null: none. */
  senderId: string | null;
  /** Of a sender or receiver: its master switch is on. */
  isActive: boolean;
}

export type NmosApi = 'registration' | 'query' | 'system';

/** A place at which APIs of NMOS are announced, or that was typed. */
export interface SeenRegistry {
  url: string;
  /** Of its announcements. */
  names: string[];
  /** What it serves, as it says itself; until it has answered, as it is announced. */
  apis: { name: NmosApi; versions: string[] }[];
  /** The lowest that is announced; null: none can be read, or it is not announced. */
  priority: number | null;
  /**
   * asked: it has not answered yet. silent: one of its APIs does not answer, or with something else. unasked: it is announced for
   * HTTPS, and asked once it is read.
   */
  answer: { is: 'asked' } | { is: 'there' } | { is: 'silent'; reason: string } | { is: 'unasked' };
}

/** The registry whose resources are shown. */
export interface ChosenRegistry {
  url: string;
  /**
   * reading: not complete yet. live: it reports each change. unread: nothing was read of it yet, as it does not answer. lost: what is
   * shown may be old. Both are tried again.
   */
  state: 'reading' | 'live' | 'unread' | 'lost' | 'paused';
  /** Why it is unread or lost, and what to do. */
  reason: string | null;
  /** Of its Query API; null: it is not known yet. */
  version: string | null;
  /** From the first request until all was there; null: it is not. */
  syncedMs: number | null;
  /** Resources that cannot be used, and what is wrong with the first. */
  leftOut: number;
  leftOutFirst: string | null;
}

/** A connection that was asked for. */
export interface Patch {
  /** Counts up. */
  id: number;
  receiverId: string;
  /** Null: to none. */
  senderId: string | null;
  /** As they were called when it was asked for: a registry may lose them. */
  names: { receiver: string; sender: string | null };
  /** accepted: by the device, and not active yet. done: the device says that it is active as asked. */
  state: 'pending' | 'accepted' | 'done' | 'failed';
  problem: Problem | null;
}

export interface NmosFinding {
  level: 'problem' | 'warning';
  text: string;
  remedy: string;
}

export interface NmosExamination {
  isRunning: boolean;
  /** ISO 8601; of the newest one that was begun. */
  startedAt: string;
  /** APIs that answered. */
  answering: {
    name: NmosApi;
    url: string;
    versions: string[];
    foundBy: string[];
    heartbeatSeconds: number | null;
  }[];
  findings: NmosFinding[];
  /** It could not look. */
  problem: Problem | null;
}

export interface NmosView {
  /** An experiment runs: nothing more is asked or read, and what is shown is as it was. */
  isPaused: boolean;
  registries: SeenRegistry[];
  /** Announcements cannot be heard. */
  discoveryProblem: Problem | null;
  chosen: ChosenRegistry | null;
  /** The newest few, oldest first. */
  patches: Patch[];
  examination: NmosExamination | null;
}

/** Sent at most four times a second. */
export interface NmosMessage {
  type: 'nmos';
  view: NmosView;
  /** Counts up with each registry that is chosen: resources of others are gone. */
  generation: number;
  /** New or changed. */
  changed: NmosResource[];
  removed: { kind: NmosKind; id: string }[];
}
