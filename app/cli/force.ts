import { type Existing, forceFlag } from '../engine/sessions/new-file';

/** Of every command that writes files which the operator names. */
export const forceOption = [forceFlag, 'overwrites an existing file; never the folder of a run'] as const;

export function existingOf(force: boolean | undefined): Existing {
  return force ? 'replace' : 'keep';
}
