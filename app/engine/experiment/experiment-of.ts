import { declarationOf } from '../../experiments/find';
import { experiments } from '../../experiments/runs';
import { onEachMachine } from './elsewhere/on-each-machine';
import type { Experiment } from './experiment';

/** @throws WhitelineError BAD_INPUT for an id that no experiment has */
export function experimentOf(id: string): Experiment {
  const declaration = declarationOf(id);
  const experiment = experiments.find((candidate) => candidate.declaration === declaration);
  if (!experiment) throw new Error(`${id} is declared and does nothing`);
  return onEachMachine(experiment);
}
