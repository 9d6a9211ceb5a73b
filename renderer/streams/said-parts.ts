import { whatToDo } from '../../app/facts/remedies';

/** The sentence of a run in parts that are read one by one. */
export interface SaidParts {
  sentence: string;
  causes: string[];
  /** Empty: nothing. */
  toDo: string;
}

/** A semicolon in parentheses parts nothing. */
const between = /;\s+(?![^()]*\))/;

export function saidParts(reason: string): SaidParts {
  const [sentence = '', ...others] = reason.split(between);
  const toDo = others.find((part) => part.startsWith(whatToDo)) ?? '';
  return { sentence, causes: others.filter((part) => part !== toDo), toDo };
}
