import { flagOf, parameterSchemas } from '../engine/runs/parameters';
import type { ExperimentDeclaration } from '../experiments/declaration';
import { durationText } from '../protocol/duration';
import type { FieldSchema } from '../protocol/field-schema';

/** A run that is shorter needs no advice. */
const longSeconds = 60;
/** A flag is named where its least value shortens the run by this share or more. */
const leastShare = 0.25;
const mostFlags = 3;

type Parameters = Record<string, unknown>;

/** How long a run will take, and the flags that shorten it most; nothing if it is short, or known in the run alone. */
export function lengthLines(declaration: ExperimentDeclaration, parameters: Parameters): string[] {
  const seconds = declaration.expectedSeconds(parameters);
  if (seconds === null || seconds < longSeconds) return [];
  const flags = Object.entries(parameterSchemas(declaration))
    .map(([key, schema]) => {
      const least = leastOf(parameters[key], schema);
      const shorter =
        least === undefined ? null : declaration.expectedSeconds({ ...parameters, [key]: least });
      return { text: flagText(key, schema, parameters[key]), seconds: shorter ?? seconds };
    })
    .filter((flag) => flag.seconds <= (1 - leastShare) * seconds)
    .sort((one, other) => one.seconds - other.seconds)
    .slice(0, mostFlags);
  const advice =
    flags.length === 0 ? '' : ` To make it shorter, reduce: ${flags.map(({ text }) => text).join(', ')}.`;
  return [`It takes about ${durationText(seconds)}.${advice}`];
}

/** The value that makes a run shortest; undefined if no smaller one is allowed. */
function leastOf(value: unknown, { minimum }: FieldSchema): unknown {
  if (Array.isArray(value)) return value.length > 1 ? value.slice(0, 1) : undefined;
  return typeof value === 'number' && minimum !== undefined && value > minimum ? minimum : undefined;
}

function flagText(key: string, schema: FieldSchema, value: unknown): string {
  const unit = key.endsWith('Seconds') ? ' s' : '';
  return `${flagOf(key, schema)} (now ${[value].flat().join(' ')}${unit})`;
}
