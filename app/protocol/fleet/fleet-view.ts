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
  /** Of all network cards. */
  receiveMbps: number | null;
  transmitMbps: number | null;
}

/** A machine that was invited: what of it does not move. */
export interface MachineLine {
  id: string;
  name: string;
  state: MachineState;
  /** Of Whiteline there; null if it was not heard. */
  version: string | null;
  /** The console that has its lease; null: none, or it was not heard. */
  console: string | null;
  /** What keeps it from being used or may mislead, as sentences. */
  problems: string[];
  /** Senders and receivers that run there; null if it was not heard. */
  streams: { senders: number; receivers: number } | null;
}

/** What moves with each look. */
export interface MachineNow {
  /** Since it was last heard, s; null: never. */
  silentSeconds: number | null;
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

/** Only what changed since the caller’s last question: a site has 1,000 machines, and windows ask each second. */
export interface FleetView {
  /** none: this user has no fleet. stopped: its server does not answer. lost: the connection to it ended, and is made again. */
  server: 'none' | 'stopped' | 'connected' | 'lost';
  /** Why it does not answer, or a file of the fleet cannot be read; null if neither is so. */
  problem: string | null;
  /** Which of the machines run another version of Whiteline than this console, and what to do; null: none that was heard. */
  otherVersions: string | null;
  /** Of the lines: what the next question names. */
  revision: number;
  /** All lines are in `changed`, and there are no others. */
  isWhole: boolean;
  /** Lines that changed since the revision that was named, with their places in the order of names. */
  changed: [at: number, line: MachineLine][];
  /** `MachineNow` of all machines, in their order: `packedNow`. */
  moving: Moving;
}

/** Of a user who has none. */
export const noFleet: FleetView = {
  ...{ server: 'none', problem: null, otherVersions: null },
  ...{ revision: 0, isWhole: true, changed: [], moving: [] },
};

/**
 * Tenths as whole numbers: a window reads them in a tenth of the time that as many objects take, and without the memory that
 * each fraction would take.
 */
export type Moving = readonly number[];

const movingOfMachine = 6;
/** In the place of null. */
const none = -1;

export function packedNow(all: readonly MachineNow[]): Moving {
  return all.flatMap(({ silentSeconds, figures }) => {
    const { cpuPercent, gpuPercent, receiveMbps, transmitMbps } = figures ?? {};
    const values = [silentSeconds, figures && 0, cpuPercent, gpuPercent, receiveMbps, transmitMbps];
    return values.map((value) => (value == null ? none : Math.round(value * 10)));
  });
}

/** @param at place of the machine in their order */
export function nowOf(moving: Moving, at: number): MachineNow {
  const from = at * movingOfMachine;
  const value = (index: number): number | null => {
    const tenths = moving[from + index] ?? none;
    return tenths === none ? null : tenths / 10;
  };
  return {
    silentSeconds: value(0),
    figures:
      value(1) === null
        ? null
        : { cpuPercent: value(2), gpuPercent: value(3), receiveMbps: value(4), transmitMbps: value(5) },
  };
}

export interface MadeInvitation {
  /** The join file. */
  path: string;
  /** The server runs, and accepts the machine from now on. */
  isAccepted: boolean;
}
