import { badInput } from '../../protocol/errors';
import type { Experiment } from './experiment';
import { streamLoad } from './stream-load/stream-load';

export const experiments: readonly Experiment[] = [streamLoad as unknown as Experiment];

export function experimentOf(id: string): Experiment {
  const experiment = experiments.find((candidate) => candidate.id === id);
  if (!experiment) {
    const known = experiments.map((candidate) => candidate.id).join(', ');
    throw badInput('experiment', `one of ${known}`, id, 'See whiteline run --help');
  }
  return experiment;
}
