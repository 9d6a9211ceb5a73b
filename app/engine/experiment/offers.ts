import { experiments } from '../../experiments/runs';
import { metricOf } from '../../facts/metrics/registry';
import type { ExperimentOffer } from '../../protocol/console';
import { toProblem } from '../../protocol/errors';
import { fieldSchemaOf } from '../../protocol/field-schema';
import { readParameters } from '../runs/parameters';
import type { Experiment, Requirement } from './experiment';
import { requirementsOf } from './requirements';

/**
 * All experiments with their parameters, columns, and what each of them needs with its default parameters: all that a form
 * or a list says of them.
 */
export function offers(transport: Requirement): Promise<ExperimentOffer[]> {
  return Promise.all(experiments.map((experiment) => offerOf(experiment, transport)));
}

async function offerOf(experiment: Experiment, transport: Requirement): Promise<ExperimentOffer> {
  const { declaration } = experiment;
  const { id, title, purpose, study, parameters, columns } = declaration;
  const defaults = readParameters(declaration, {});
  return {
    ...{ id, title, purpose, study, usesStreams: experiment.needs(defaults).includes('streams') },
    parameters: fieldSchemaOf(parameters),
    columns: columns.map(({ metric, role }) => {
      const { heading, unit, digits } = metricOf(metric);
      return { metric, role, heading, unit, digits };
    }),
    requirements: await Promise.all(requirementsOf(experiment, defaults, transport).map(stateOf)),
  };
}

async function stateOf({ name, check }: Requirement): Promise<ExperimentOffer['requirements'][number]> {
  try {
    return { name, missing: await check() };
  } catch (error) {
    return { name, missing: `Not known: ${toProblem(error).message}` };
  }
}
