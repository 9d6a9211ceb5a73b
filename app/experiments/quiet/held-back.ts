import { type ProcessStandstill, secondsOf } from '../../engine/load/standstills';
import type { WakeUpRecords } from '../../protocol/processor';
import { quietRules } from './rules';
import { type WakeUps, wakeUpsOf } from './wake-ups';

/** Whose thread wakes: that of a host which a command line starts, or the console's own. */
const wakingRoles: readonly string[] = ['content', 'sending'];

/** A process of ours that stood still while the thread was late to wake. */
interface Held {
  role: string;
  seconds: number;
}

/** How our own processes stood still beside late wake-ups. */
export interface HeldBack {
  /** The process of the thread was stopped: it could not wake. Null: it was not, or woke in time. */
  stopped: Held | null;
  /** Without the wake-ups that came late beside that stop, and the slots that passed until they came. Null: none is left. */
  rest: WakeUps | null;
  /** Any process that waited for a processor then: each shows the same about the machine. */
  starved: readonly Held[];
}

export const notHeldBack: HeldBack = { stopped: null, rest: null, starved: [] };

/** @param slots those that are over */
export function heldBackBy(
  pieces: readonly ProcessStandstill[],
  records: WakeUpRecords,
  rateHz: number,
  slots: number,
): HeldBack {
  const touching = new Set<ProcessStandstill>();
  const leftOut = new Set<number>();
  for (const [index, lateNs] of records.latenessNs.entries()) {
    // What is not later breaks no limit.
    if (lateNs <= 1e6 * quietRules.mostP99MsToPass) continue;
    const slotNs = records.firstSlotNs + (1e9 * (records.slot[index] ?? 0)) / rateHz;
    for (const piece of pieces) {
      if (piece.fromNs >= slotNs + lateNs || piece.toNs <= slotNs) continue;
      touching.add(piece);
      if (isStopOfThread(piece)) leftOut.add(index);
    }
  }
  const held = [...touching];
  const [stopped = null] = heldOf(held.filter(isStopOfThread));
  return {
    stopped,
    rest: stopped && wakeUpsOf(records, rateHz, slots, leftOut),
    starved: heldOf(held.filter(({ kind }) => kind === 'starved')),
  };
}

function isStopOfThread({ kind, who }: ProcessStandstill): boolean {
  return kind === 'stopped' && 'role' in who && wakingRoles.includes(who.role);
}

function heldOf(pieces: readonly ProcessStandstill[]): Held[] {
  const roles = new Set(pieces.flatMap(({ who }) => ('role' in who ? who.role : [])));
  return [...roles].map((role) => ({
    role,
    seconds: secondsOf(pieces.filter(({ who }) => 'role' in who && who.role === role)),
  }));
}
