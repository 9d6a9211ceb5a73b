import { useEffect, useState } from 'react';
import { eachProblem, type Problem, renameFields } from '../../app/protocol/errors';
import type { FieldSpec } from './field-spec';

const pauseMs = 150;

interface Checked {
  /** The newest that is known. */
  problem: Problem | null;
  /** It is that of what is typed now. */
  isOfNow: boolean;
}

/**
 * What is wrong with what is typed, as soon as the typing pauses, and when what it depends on beside that has changed, such as what it
 * may name. `check` has to stay the same from one drawing to the next.
 */
export function useCheck(
  check: (parameters: Record<string, unknown>) => Promise<Problem | null>,
  parameters: Record<string, unknown>,
  others: readonly (string | boolean)[] = [],
): Checked {
  const [checked, setChecked] = useState<{ typed: string; problem: Problem | null } | null>(null);
  const typed = JSON.stringify([parameters, others]);
  useEffect(() => {
    let isNewest = true;
    const timer = setTimeout(async () => {
      const problem = await check(JSON.parse(typed)[0]);
      if (isNewest) setChecked({ typed, problem });
    }, pauseMs);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [check, typed]);
  return { problem: checked?.problem ?? null, isOfNow: checked?.typed === typed };
}

/** What of a field counts here. Without a label, problems call it by its name. */
type Named = Pick<FieldSpec, 'name'> & Partial<Pick<FieldSpec, 'label'>>;

/**
 * The field of a form that a problem is said at: its own, "folders.0" at `folders`; of a problem of no field of the form the one that
 * its remedy names.
 */
export function fieldOf({ field = '', remedy = '' }: Problem, fields: readonly Named[]): string | null {
  const [own = ''] = field.split('.');
  if (fields.some(({ name }) => name === own)) return own;
  const words: readonly string[] = remedy.match(/--[\w-]+|\w+/g) ?? [];
  return words.map((word) => namedBy(word, fields)).find((field) => field !== undefined)?.name ?? null;
}

/** By its name, or by the flag of the command line that is made of it. */
function namedBy(word: string, fields: readonly Named[]): Named | undefined {
  const name = word.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = word.startsWith('--') ? [name, `${name}Seconds`] : [word];
  return fields.find((field) => names.includes(field.name));
}

/** What is wrong with each field, in the words of the form; of several things at one field the first. */
export function problemsByField(
  problem: Problem | null,
  fields: readonly Named[],
): ReadonlyMap<string, Problem> {
  const byField = new Map<string, Problem>();
  for (const each of problem ? eachProblem(problem) : []) {
    const field = fieldOf(each, fields);
    if (field !== null && !byField.has(field)) byField.set(field, inWordsOf(fields, each));
  }
  return byField;
}

/** All that is wrong, in the words of the form. */
export function problemsOf(problem: Problem | null, fields: readonly Named[]): Problem[] {
  return problem ? eachProblem(problem).map((each) => inWordsOf(fields, each)) : [];
}

/** Fields by their titles: "raise Streams at most" in the place of "raise maxStreams". */
function inWordsOf(fields: readonly Named[], problem: Problem): Problem {
  const labelOf = (word: string): string | undefined => namedBy(word, fields)?.label;
  const { remedy, ...renamed } = renameFields(problem, (field) => quoted(labelOf(field)));
  // A name of one word may be meant as the word.
  const named = remedy?.replace(/--[\w-]+|\b[a-z]+[A-Z]\w*/g, (word) => quoted(labelOf(word)) ?? word);
  return named === undefined ? renamed : { ...renamed, remedy: named };
}

function quoted(label: string | undefined): string | undefined {
  return label && `“${label}”`;
}
