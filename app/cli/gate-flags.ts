import type { Command } from 'commander';
import type { GateLimits } from '../engine/runs/gates';
import { wholeNumber } from './whole-number';

/** Rules of a test beside the thresholds, as typed. */
export interface GateFlags {
  maxDuplicates?: string;
  maxReordered?: string;
  failOnWarn?: boolean;
}

export function addGateFlags(command: Command): Command {
  return command
    .option('--max-duplicates <n>', 'FAIL if more pictures than this arrive twice, over all rows')
    .option('--max-reordered <n>', 'FAIL if more pictures than this arrive out of order, over all rows')
    .option('--fail-on-warn', 'WARN is FAIL');
}

/** @throws WhitelineError BAD_INPUT */
export function gatesOf({ maxDuplicates, maxReordered, failOnWarn = false }: GateFlags): GateLimits {
  const most = (text: string | undefined, field: string): number | null =>
    text === undefined ? null : wholeNumber(text, field);
  return {
    maxDuplicates: most(maxDuplicates, 'max-duplicates'),
    maxReordered: most(maxReordered, 'max-reordered'),
    failOnWarn,
  };
}
