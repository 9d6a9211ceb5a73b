import { parseDuration } from './duration';
import { badInput } from './errors';
import { type Fault, type FaultVerb, faultVerbs } from './records';

/** A fault whose numbers count from the stream's first measured slot, as people write it; `Fault` has absolute ones. */
export type InjectedFault = Fault;

/** Those of a sender; a stall is a fault of a receiver. */
export const sentFaultVerbs: readonly FaultVerb[] = faultVerbs.filter((verb) => verb !== 'stall');

const longestDelayMs = 10_000;

const numbers = String.raw`(\d{1,9})`;
const form: Record<FaultVerb, { pattern: RegExp; expected: string; example: string }> = {
  ...rangeForms(),
  swap: {
    pattern: new RegExp(`^${numbers},${numbers}$`),
    expected: 'two numbers, the lower one first',
    example: 'swap:300,301',
  },
  delay: {
    pattern: new RegExp(`^${numbers}(?:-${numbers})?,(.+)$`),
    expected: `a number or a range and how long to wait, at most ${longestDelayMs / 1000} s`,
    example: 'delay:600,50ms',
  },
};

/**
 * Parses "miss:10-12; skip:100-104; repeat:200; swap:300,301; delay:600,50ms". Whether faults lie too near each other
 * depends on the frame rate: `checkFaults` of the engine checks that.
 */
export function parseFaults(
  text: string,
  field = 'inject',
  verbs: readonly FaultVerb[] = faultVerbs,
): InjectedFault[] {
  return text
    .split(';')
    .map((clause) => clause.trim())
    .filter(Boolean)
    .map((clause) => parseFault(clause, field, verbs));
}

/**
 * The same for what only a sender has.
 * @throws WhitelineError BAD_INPUT, also for a fault of a receiver
 */
export function parseSentFaults(text: string, field = 'inject'): InjectedFault[] {
  const faults = parseFaults(text, field, sentFaultVerbs);
  const foreign = faults.find(({ verb }) => !sentFaultVerbs.includes(verb));
  if (!foreign) return faults;
  const silence = faultText({ ...foreign, verb: 'skip' });
  const remedy = `A stall is a fault of a receiver: for a sender that sends no picture use ${silence}`;
  throw badInput(field, 'faults of a sender', faultText(foreign), remedy);
}

/** @param verbs those that an unknown one may be meant for */
function parseFault(clause: string, field: string, verbs: readonly FaultVerb[]): InjectedFault {
  const [, name = '', rest = ''] = /^([a-z-]+) *: *(.*)$/.exec(clause) ?? [];
  const verb = faultVerbs.find((known) => known === name);
  if (!verb) {
    throw badInput(
      field,
      `VERB:NUMBERS with one of ${verbs.join(', ')}`,
      clause,
      'Use for example skip:100-104',
    );
  }
  const { pattern, expected, example } = form[verb];
  const parts = pattern.exec(rest);
  const first = Number(parts?.[1]);
  const last = Number(parts?.[2] ?? parts?.[1]);
  const refusal = badInput(field, `${expected} behind ${verb}:`, clause, `Use for example ${example}`);
  if (faultVerbs.some((other) => rest.includes(`${other}:`)))
    throw badInput(
      field,
      'a semicolon between two faults',
      clause,
      'Use for example "miss:10-14; skip:100-104"',
    );
  if (!parts || last < first || (verb === 'swap' && last === first)) throw refusal;
  if (verb !== 'delay') return { verb, first, last };
  const delayMs = Math.round(parseDuration(parts[3] ?? '', field) * 1000);
  if (delayMs < 1 || delayMs > longestDelayMs) throw refusal;
  return { verb, first, last, delayMs };
}

/** All verbs that take a number or a range of them. */
function rangeForms() {
  const forms = faultVerbs.map((verb) => [
    verb,
    {
      pattern: new RegExp(`^${numbers}(?:-${numbers})?$`),
      expected: 'a number, or a range of two with the lower one first,',
      example: `${verb}:100-104`,
    },
  ]);
  return Object.fromEntries(forms) as typeof form;
}

/** The text that `parseFaults` reads as these faults. */
export function faultsText(faults: readonly InjectedFault[]): string {
  return faults.map(faultText).join('; ');
}

export function faultText({ verb, first, last, delayMs }: InjectedFault): string {
  if (verb === 'swap') return `swap:${first},${last}`;
  const range = first === last ? `${first}` : `${first}-${last}`;
  return verb === 'delay' ? `delay:${range},${delayMs}ms` : `${verb}:${range}`;
}

/** The same faults with all numbers moved, for example to the first measured slot of a stream. */
export function moveFaults(faults: readonly Fault[], by: number): Fault[] {
  return faults.map((fault) => ({ ...fault, first: fault.first + by, last: fault.last + by }));
}
