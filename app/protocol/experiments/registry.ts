import { badInput } from '../errors';
import { codecQualityDeclaration } from './codec-quality/declaration';
import type { ExperimentDeclaration } from './declaration';
import { fanOutDeclaration } from './fan-out/declaration';
import { linkDeclaration } from './link/declaration';
import { nmosScaleDeclaration } from './nmos-scale/declaration';
import { pacingDeclaration } from './pacing/declaration';
import { preflightDeclaration } from './preflight/declaration';
import { quietDeclaration } from './quiet/declaration';
import { receiverFanOutDeclaration } from './receiver-fan-out/declaration';
import { storageDeclaration } from './storage/declaration';
import { streamLoadDeclaration } from './stream-load/declaration';
import { transportDeclaration } from './transport/declaration';

/** Every experiment, in the order in which they are offered. */
export const declarations: readonly ExperimentDeclaration[] = [
  streamLoadDeclaration,
  receiverFanOutDeclaration,
  codecQualityDeclaration,
  transportDeclaration,
  linkDeclaration,
  storageDeclaration,
  preflightDeclaration,
  quietDeclaration,
  pacingDeclaration,
  fanOutDeclaration,
  nmosScaleDeclaration,
];

/** About how long a run will take, s; null where its parameters are wrong, or it is known in the run alone. */
export function expectedSecondsOf(id: string, parameters: Record<string, unknown>): number | null {
  const declaration = declarations.find((candidate) => candidate.id === id);
  const read = declaration?.parameters.safeParse(parameters);
  return declaration && read?.success ? declaration.expectedSeconds(read.data) : null;
}

/** @throws WhitelineError BAD_INPUT for an id that no experiment has */
export function declarationOf(id: string): ExperimentDeclaration {
  const declaration = declarations.find((candidate) => candidate.id === id);
  if (declaration) return declaration;
  const known = declarations.map((candidate) => candidate.id).join(', ');
  throw badInput('experiment', `one of ${known}`, id, 'See whiteline list');
}
