import { constants } from 'node:os';
import type { ProcessEnd } from '../../protocol/process-end';
import type { HostRole } from '../host-application';

/** A process of a host that died. */
export interface DeadProcess extends ProcessEnd {
  role: HostRole;
  number: number;
  /** It could not be started again. */
  isLost: boolean;
}

/** A shell reports the end by a signal as 128 and its number. */
export function processEndOf(exitCode: number): ProcessEnd {
  const [signal = null] =
    Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? [];
  return { exitCode, signal };
}

/** As an event says it. */
export function endText(exitCode: number): string {
  // What Electron reports of a process that was killed.
  if (exitCode === 0) return 'ended unexpectedly, without an error code';
  const { signal } = processEndOf(exitCode);
  return `ended with code ${exitCode}${signal === null ? '' : ` (${signal})`}`;
}
