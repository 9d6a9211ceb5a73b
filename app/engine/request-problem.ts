import type { z } from 'zod';
import { badInput, type Problem, toProblem } from '../protocol/errors';
import { fieldProblems } from '../protocol/field-problems';

/** Commands that each have a name. */
type Commands = z.ZodDiscriminatedUnion<(z.ZodObject<{ name: z.ZodLiteral<string> }> & z.ZodObject)[]>;

/** Why a window's request is refused; `commands`: those that `whose` port takes. */
export function requestProblem(commands: Commands, whose: string, request: unknown): Problem {
  const command = fieldOf(request, 'command');
  const name = fieldOf(command, 'name');
  const schema = commands.options.find(({ shape }) => shape.name.value === name);
  if (!schema) return toProblem(badInput('command', `a command of ${whose}`, name ?? ''));
  const [first] = fieldProblems(schema, command, 'command', 'field');
  return first?.problem ?? toProblem(badInput('request', 'a request with a whole number as its id', command));
}

/** Of a request that is refused; -1 where it has none. */
export function requestIdOf(request: unknown): number {
  const id = fieldOf(request, 'requestId');
  return typeof id === 'number' ? id : -1;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
