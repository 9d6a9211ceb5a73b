import { LoadSums } from '../../engine/load/load-sums';
import { type ProcessStandstill, standstillGuards } from '../../engine/load/standstills';
import { endLoadOf, isFilledByUs } from '../../engine/streams/rows/end-load';
import { type Guard, type RowEvidence, spoilsFigures } from '../../facts/precedence';
import { spoilingTimes } from '../../nmos/load/load-judgement';
import type { LoadSample } from '../../protocol/load';
import type { Standstill } from '../../protocol/standstill';
import type { Thresholds } from '../../protocol/thresholds';

/** What is known of the processes of a row: registries of our own, nodes, controller. */
export interface OwnProcesses {
  /** Since the row before it. */
  standstills: readonly ProcessStandstill[];
  /** When the row began. */
  fromNs: number;
  /** Load of this machine within the row. */
  samples: readonly LoadSample[];
  /** That of other machines, on which nodes run. */
  others: readonly MachineSamples[];
}

export interface MachineSamples {
  machine: string;
  samples: readonly LoadSample[];
}

interface Asked {
  role: string;
  talk: {
    ask(
      command: { type: 'standstills' },
      type: 'standstills',
      limitMs: number,
      signal: AbortSignal,
    ): Promise<{ standstills: Standstill[] }>;
  };
}

/** A stopped run asks for the row that it keeps. */
const never = new AbortController().signal;
const answerMs = 10_000;

/** Since it was last asked. @throws as `Conversation.ask` */
export async function standstillsOf({ role, talk }: Asked): Promise<ProcessStandstill[]> {
  const { standstills } = await talk.ask({ type: 'standstills' }, 'standstills', answerMs, never);
  return standstills.map((one) => ({ ...one, who: { role } }));
}

/**
 * A process that waited for a processor excuses a loss. It does not where these processes filled the machine themselves and all other
 * guards are fine.
 * isStopped: one was stopped for longer than it may, which comes first.
 */
export function guardsWithStandstills(
  guards: readonly Guard[],
  { standstills, fromNs, samples, others }: OwnProcesses,
  thresholds: Thresholds,
): Pick<RowEvidence, 'guards' | 'isOwnLimit'> & { isStopped: boolean } {
  const inRow = standstills.filter(({ toNs }) => toNs > fromNs);
  const own = spoilingTimes(standstillGuards(inRow, thresholds));
  const starved = new Set(inRow.map(({ who }) => ('role' in who ? who.machine : undefined)));
  const full = [{ machine: undefined, samples }, ...others].filter(({ machine }) => starved.has(machine));
  return {
    guards: [...own, ...guards],
    isOwnLimit:
      guards.every(({ state }) => state === 'fine') &&
      full.every((one) => isFilledByUs(endLoadOf(LoadSums.of(one.samples), thresholds), thresholds)),
    isStopped: own.some(spoilsFigures),
  };
}
