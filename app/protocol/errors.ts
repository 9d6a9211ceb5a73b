import type { Verdict } from '../facts/verdict';
import { plainLine } from './plain-text';

/** What can go wrong, in a form that crosses process borders and that an operator can act on. */

export const errorCodes = [
  'BAD_INPUT',
  'NOT_FOUND',
  'NDI_MISSING',
  'NAME_IN_USE',
  'TOOL_MISSING',
  'TOOL_FAILED',
  'REQUIREMENT_MISSING',
  'MOVIE_UNREADABLE',
  'OUTPUT_UNWRITABLE',
  'DISK_FULL',
  'HOST_DIED',
  'HOST_SILENT',
  /** The bus of the fleet: no connection to it; it refuses us; its certificate is not the one that we trust. */
  'BUS_UNREACHABLE',
  'BUS_REFUSED',
  'BUS_UNTRUSTED',
  /** An agent of the fleet: it is not on the bus; it is, and does not answer in time. */
  'AGENT_UNREACHABLE',
  'AGENT_SILENT',
  /** Another console has the lease of an agent; our own lease is over. */
  'LEASE_HELD',
  'LEASE_ENDED',
  'NO_VIDEO',
  'ABORTED',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Plain form of a `WhitelineError`: what a message, a log line or an alert carries. */
export interface Problem {
  code: ErrorCode;
  message: string;
  field?: string;
  value?: string;
  remedy?: string;
  /** What is wrong with further fields of the same form. */
  others?: Problem[];
}

export class WhitelineError extends Error implements Problem {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly value?: string;
  readonly remedy?: string;
  readonly others?: Problem[];

  constructor(problem: Problem) {
    super(problem.message);
    this.name = 'WhitelineError';
    this.code = problem.code;
    this.field = problem.field;
    this.value = problem.value;
    this.remedy = problem.remedy;
    if (problem.others?.length) this.others = problem.others;
  }
}

/** The one shape of an error about a typed value. */
export function badInput(
  field: string,
  expected: string,
  received: unknown,
  remedy?: string,
): WhitelineError {
  const value = valueText(received);
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: `Expected ${expected} for ${field} but received ${shownValue(value)}`,
    field,
    value,
    remedy,
  });
}

function shownValue(value: string): string {
  if (value === '') return 'nothing';
  return /^ +$/.test(value) ? 'only spaces' : plainLine(value);
}

/**
 * The same problem where a reader knows its field by another name, as a flag of the command line.
 * @param nameOf undefined for a field that has no other name
 */
export function renameFields(problem: Problem, nameOf: (field: string) => string | undefined): Problem {
  const { field = '', message, remedy, others } = problem;
  // An item has the name of its list.
  const [own = ''] = field.split('.');
  const called = message.includes(` for ${field} but received `) ? field : own;
  const name = nameOf(own);
  const renamed =
    name === undefined
      ? problem
      : {
          ...problem,
          message: message.replace(` for ${called} but received `, () => ` for ${name} but received `),
          remedy: remedy?.startsWith(`${own}: `) ? `${name}${remedy.slice(own.length)}` : remedy,
        };
  return others ? { ...renamed, others: others.map((other) => renameFields(other, nameOf)) } : renamed;
}

/** What a sentence repeats of a value: a few lines of a terminal, after which what is expected can still be found. */
const longestValueText = 200;

/** A value that was sent, as a sentence repeats it: cut where it is long, and named where it has no text. */
export function valueText(value: unknown): string {
  const text =
    typeof value === 'string' ? value : typeof value === 'number' ? numberText(value) : jsonOf(value);
  return text.length <= longestValueText ? text : `${text.slice(0, longestValueText)}…`;
}

/** What is no finite number comes out of YAML, and is written as there; JSON makes null of it. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '.inf' : '-.inf';
}

/** One that is nested too deep, refers to itself or is a bigint has no JSON. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a value that cannot be shown';
  }
}

export function toProblem(error: unknown): Problem {
  if (error instanceof WhitelineError) {
    const { code, message, field, value, remedy, others } = error;
    return { code, message, field, value, remedy, ...(others && { others }) };
  }
  const message = messageOf(error);
  return { code: 'INTERNAL', ...(withOpenFiles(message) ?? { message }) };
}

/** A problem as an operator reads it: what a program said of its own fault is a detail. */
export function forOperator<Said extends Partial<Problem>>(problem: Said): Said & { details?: string } {
  // With a remedy it was worded for an operator.
  if (problem.code !== 'INTERNAL' || problem.remedy !== undefined) return problem;
  const remedy = 'Try again. If it fails again, report it with the details';
  return { ...problem, message: 'Whiteline itself failed', details: problem.message, remedy };
}

/** Whatever was thrown: not all values have a text. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'Something that cannot be shown was thrown';
  }
}

/** What an error means by which the system refused an open file, in whatever words; null: it is another one. */
export function withOpenFiles(message: string): { message: string; remedy: string } | null {
  if (!/\b(EMFILE|ENFILE)\b/.test(message)) return null;
  return {
    message: `The limit of open files is too low (${message})`,
    remedy: 'Raise the limit of open files (ulimit -n)',
  };
}

/** A problem in one line: what is wrong, then what to do. */
export function problemText(problem: Problem): string {
  const end = /[.?!]$/.test(problem.message) ? '' : '.';
  return problem.remedy ? `${problem.message}${end} ${problem.remedy}` : problem.message;
}

/** A problem and those of further fields, each on its own. */
export function eachProblem({ others = [], ...first }: Problem): Problem[] {
  return [first, ...others];
}

/** Exit codes of the `whiteline` command. Only the verdict of a row that was judged ends in `fail`: no problem proves anything. */
export const exitCodes = { pass: 0, fail: 1, badInput: 2, environment: 3, aborted: 4, invalid: 5 } as const;

export function exitCodeOf(problem: Problem): number {
  switch (problem.code) {
    case 'BAD_INPUT':
    case 'NOT_FOUND':
    case 'NAME_IN_USE':
    case 'MOVIE_UNREADABLE':
      return exitCodes.badInput;
    case 'ABORTED':
      return exitCodes.aborted;
    default:
      return exitCodes.environment;
  }
}

/** Of a run that came to its end; without a verdict nothing was measured. */
export function exitCodeOfVerdict(verdict: Verdict | null): number {
  const names = { PASS: 'pass', WARN: 'pass', FAIL: 'fail', INVALID: 'invalid' } as const;
  return exitCodes[names[verdict ?? 'INVALID']];
}
