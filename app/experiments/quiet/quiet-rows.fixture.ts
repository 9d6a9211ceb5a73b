import type { ClosedRow } from '../../facts/row';
import type { CoreScore } from '../../protocol/processor';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample } from '../../testing/load-sample';
import { frameOf } from '../../testing/made-up-rows';
import { notHeldBack } from './held-back';
import type { MachineUse } from './machine-watch';
import { type MeasuredWakeUps, scoreRow, wakeUpRow } from './quiet-rows';
import { wakeUpsOf } from './wake-ups';

/** Rows of `quiet` as the experiment builds them, of measurements that are made up. */

const use: MachineUse = {
  ...{ othersPercent: 3.5, cores: 2, interruptsPerSecond: 1250, contextSwitchesPerSecond: 4100 },
  programs: [
    { name: 'firefox', percent: 3, processIds: [4321] },
    { name: 'kernel threads', percent: 0.5, processIds: [2] },
  ],
  ...{ frequencyMhz: null, slowestFrequencyMhz: null, throttles: null },
};

/** A row of wake-ups each 0.05 ms late, but for these. */
export function quietRow(
  index: number,
  rateHz: number,
  latenessMs: Readonly<Record<number, number>> = {},
  changes: Partial<MeasuredWakeUps> = {},
): ClosedRow {
  const slots = 10 * rateHz;
  const records = {
    slot: Uint32Array.from({ length: slots }, (_, slot) => slot),
    latenessNs: Float64Array.from({ length: slots }, (_, slot) => 1e6 * (latenessMs[slot] ?? 0.05)),
  };
  const measured: MeasuredWakeUps = {
    ...{ rateHz, repeat: null, use, slowGovernors: [], heldBack: notHeldBack },
    wakeUps: wakeUpsOf(records, rateHz, slots),
    samples: [loadSample({ cpuStealPercent: 0.5 }), loadSample({ cpuStealPercent: 1.5 })],
    ...changes,
  };
  return wakeUpRow(frameOf(index), measured, defaultThresholds);
}

export function scoresRow(index: number, cores: CoreScore[], problemMessage = ''): ClosedRow {
  return scoreRow(frameOf(index), { cores, coresInAll: cores.length, problemMessage });
}

export function coreScore(core: number, integerMsteps: number, memoryMBps: number): CoreScore {
  return { core, integerMsteps, memoryMBps, notMeasured: '' };
}
