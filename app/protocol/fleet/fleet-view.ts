import type { AgentLimits, AgentMachine } from './presence';

/** What a window shows of the fleet. What an agent says of itself was checked where it arrived. */

/**
 * connected: heard within the last 3.5 s. silent: heard, and not within that time. ended: its agent said that it ends. absent: not heard
 * since this console connected.
 */
export type MachineState = 'connected' | 'silent' | 'ended' | 'absent';

/** Of the newest second; null: not measured, and the facts of the machine say why. */
export interface MachineFigures {
  /** Of all cores. */
  cpuPercent: number | null;
  gpuPercent: number | null;
  memoryUsedMb: number | null;
  /** Of all network cards. */
  receiveMbps: number | null;
  transmitMbps: number | null;
}

/** A machine that was invited. */
export interface MachineLine {
  id: string;
  name: string;
  state: MachineState;
  /** Since it was last heard, s; null: never. */
  silentSeconds: number | null;
  /** Of Whiteline there; null where it was not heard. */
  version: string | null;
  /** The console that has its lease; null: none, or it was not heard. */
  console: string | null;
  /** What keeps it from being used or may mislead, as sentences. */
  problems: string[];
  /** Senders and receivers that run there; null where it was not heard. */
  streams: { senders: number; receivers: number } | null;
  /** Null before its first second, and where it was not heard. */
  figures: MachineFigures | null;
}

/** What changes seldom, of a machine that was heard. */
export interface MachineFacts {
  machine: AgentMachine;
  limits: AgentLimits;
  addresses: string[];
  uptimeSeconds: number;
  /** Why a figure was not measured, by its name. */
  notMeasured: Record<string, string>;
  /** How far times of this machine may be off on this console’s clock, ±; null while no stream of this console runs there. */
  clockUncertaintyMs: number | null;
}

export interface FleetView {
  /** none: this user has no fleet. stopped: its server does not answer. lost: the connection to it ended, and is made again. */
  server: 'none' | 'stopped' | 'connected' | 'lost';
  /** Why it does not answer, or a file of the fleet cannot be read; null where neither is so. */
  problem: string | null;
  /** Which of the machines run another version of Whiteline than this console, and what to do; null: none that was heard. */
  otherVersions: string | null;
  /** By their names. */
  machines: MachineLine[];
}

/** Of a user who has none. */
export const noFleet: FleetView = { server: 'none', problem: null, otherVersions: null, machines: [] };

export interface MadeInvitation {
  /** The join file. */
  path: string;
  /** The server runs, and accepts the machine from now on. */
  isAccepted: boolean;
}
