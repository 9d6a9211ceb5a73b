import { WhitelineError } from '../../protocol/errors';
import type { Experiment, Requirement } from './experiment';

/** All that an experiment needs with these parameters; `transport`: whether what carries streams is there, for one with streams. */
export function requirementsOf(
  experiment: Experiment,
  parameters: Record<string, unknown>,
  transport: Requirement | null,
): Requirement[] {
  const usesStreams = experiment.needs(parameters).includes('streams');
  return [...(transport && usesStreams ? [transport] : []), ...experiment.requires(parameters)];
}

/** @throws WhitelineError REQUIREMENT_MISSING with what is missing and how to get it */
export async function checkRequirements(requirements: readonly Requirement[]): Promise<void> {
  for (const { name, check } of requirements) {
    const missing = await check();
    if (missing) {
      throw new WhitelineError({
        code: 'REQUIREMENT_MISSING',
        message: missing,
        field: 'requires',
        value: name,
      });
    }
  }
}
