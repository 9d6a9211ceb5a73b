import { badInput } from '../protocol/errors';
import type { ExperimentDeclaration } from './declaration';
import { declarations } from './declarations';

/** About how long a run will take, s; null if its parameters are wrong, or it is known in the run alone. */
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
