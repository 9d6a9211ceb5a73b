import type { MeasuredRun, MeasuredStream } from '../engine/measured-now';
import type { RoleLoad } from '../protocol/load';

/** What is exported of one moment, as views, rows and samples have it. Null: not measured. */
export interface Facts {
  build: BuildFacts;
  /** Null: nothing was measured yet, or this is an agent. */
  run: MeasuredRun | null;
  /** Another one whenever counts of streams begin again. */
  counting: object;
  streams: readonly MeasuredStream[];
  /** They are received by others, who know their states. */
  isReceiverRemote: boolean;
  machines: readonly MachineFacts[];
  /** Null: this is no agent. */
  agent: AgentFacts | null;
}

export interface BuildFacts {
  version: string;
  node: string;
}

/** One machine. This program's own is named by its host name, another one by its agent. */
export interface MachineFacts {
  name: string;
  /** Of its agent; empty: none. */
  id: string;
  /** Version of Whiteline that its agent runs; null: it has none, or did not say it. */
  version: string | null;
  sample: MachineSample | null;
  /** Its clock against this console's; null: it is this machine. */
  clock: ClockFacts | null;
  /** Null: it is this machine. */
  isReachable: boolean | null;
  /** A console has its agent; null: it has none, or is not heard. */
  isLeased: boolean | null;
  /** Senders and receivers that its agent has open; null: not heard. */
  ends: { sender: number; receiver: number } | null;
}

export interface MachineSample {
  ageSeconds: number;
  cpuPercent: number | null;
  busiestCorePercent: number | null;
  cpuStealPercent: number | null;
  gpuPercent: number | null;
  memoryUsedMb: number | null;
  wireReceiveMbps: number | null;
  wireTransmitMbps: number | null;
  loopbackMbps: number | null;
  wireErrors: number | null;
  wireDropped: number | null;
  tcpRetransmits: number | null;
  roles: Readonly<Record<string, RoleLoad | null>>;
}

export interface ClockFacts {
  uncertaintySeconds: number | null;
  driftPpm: number | null;
}

export interface AgentFacts {
  /** Of the bus: connecting, connected, reconnecting or closed. */
  bus: string;
  /** Since it said last what it is, while its bus was connected; null: it has not yet. */
  presenceAgeSeconds: number | null;
  streamsLimit: number | null;
  /** Stream processes by their role. */
  hosts: Readonly<Record<string, number>>;
}
