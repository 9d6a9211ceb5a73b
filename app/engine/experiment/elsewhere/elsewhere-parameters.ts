import type { ElsewhereDeclaration, ExperimentDeclaration } from '../../../experiments/declaration';
import { declarations } from '../../../experiments/declarations';
import { declarationOf } from '../../../experiments/find';
import { badInput, WhitelineError } from '../../../protocol/errors';
import { fieldProblems } from '../../../protocol/field-problems';
import { safeParse } from '../../../protocol/safe-parse';

/** What a console asks of another machine, read there. */
export interface AskedExperiment {
  parameters: Record<string, unknown>;
  places: ElsewhereDeclaration['places'];
}

/**
 * Reads what a console asks by the experiment's own schema for other machines.
 * @throws WhitelineError BAD_INPUT for an experiment that does not run elsewhere, and for parameters that it does not take there
 */
export function askedExperiment(id: string, input: Record<string, unknown>): AskedExperiment {
  const { elsewhere } = declarationOf(id);
  if (!elsewhere) {
    const known = declarations.filter((one) => one.elsewhere).map((one) => one.id);
    throw badInput('experiment', `one of ${known.join(', ')}`, id, 'Others do not run whole on one machine');
  }
  const read = safeParse(elsewhere.parameters, input);
  if (read.success) return { parameters: read.data, places: elsewhere.places };
  const [first] = fieldProblems(elsewhere.parameters, input);
  throw first
    ? new WhitelineError(first.problem)
    : badInput('parameters', `parameters of ${id}`, 'something else');
}

/** The parameters of a run that other machines get. */
export function parametersElsewhere(
  { elsewhere }: ExperimentDeclaration,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const taken = Object.keys(elsewhere?.parameters.shape ?? {});
  return Object.fromEntries(
    Object.entries(parameters).filter(([key, value]) => taken.includes(key) && value !== undefined),
  );
}

/**
 * What names a place of this machine is of no use where this machine is not measured.
 * @throws WhitelineError BAD_INPUT naming the parameter
 */
export function refuseOwnPlaces(
  { parameters: schema, elsewhere }: ExperimentDeclaration,
  parameters: Readonly<Record<string, unknown>>,
): void {
  const taken = Object.keys(elsewhere?.parameters.shape ?? {});
  const defaults: Readonly<Record<string, unknown>> = schema.parse({});
  for (const [key, value] of Object.entries(parameters)) {
    if (key === 'on' || taken.includes(key)) continue;
    if (value === undefined || JSON.stringify(value) === JSON.stringify(defaults[key])) continue;
    throw badInput(
      key,
      'no value of this machine, which is not measured,',
      value,
      'Leave it out: on another machine its agent’s user chooses',
    );
  }
}
