import type { Addon } from '../../native/addon/index';
import type { ProcessorScoreStatus, WakeUpOptions, WakeUpRecords, WakeUpStatus } from '../protocol/processor';
import type { Jobs } from './jobs';

/** What this machine's processor does without a stream. */

/** Of a cancelled measurement, the wake-ups so far. Its progress counts the slots. */
export async function measureWakeUps(
  jobs: Jobs,
  requestId: number,
  addon: Addon,
  options: WakeUpOptions,
): Promise<WakeUpRecords> {
  const lateness = new addon.WakeUpLateness(options);
  const { firstSlotNs } = await jobs.run<WakeUpStatus>(requestId, lateness, {
    isOver: ({ state }) => state !== 'running',
    progressOf: ({ slotsPassed }) => ({ framesDone: slotsPassed, frames: options.slots }),
  });
  return { ...lateness.drain(), firstSlotNs };
}

/** Its progress counts the cores. */
export function scoreProcessor(jobs: Jobs, requestId: number, addon: Addon): Promise<ProcessorScoreStatus> {
  return jobs.run<ProcessorScoreStatus>(requestId, new addon.ProcessorScore(), {
    isOver: ({ state }) => state !== 'running',
    progressOf: ({ cores, coresInAll }) => ({ framesDone: cores.length, frames: coresInAll }),
  });
}
