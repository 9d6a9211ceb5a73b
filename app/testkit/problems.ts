import { type Problem, problemText, toProblem, WhitelineError } from '../protocol/errors';

/** By its signal, by `close`, or with its test. */
export function ended(what: string): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: `${what} has ended` });
}

/** A problem in one message: what is wrong, then what to do, in the words of the kit's options. */
export function worded(error: unknown): WhitelineError {
  const { remedy, message, ...problem }: Problem = toProblem(error);
  return new WhitelineError({ ...problem, message: asOptions(problemText({ ...problem, message, remedy })) });
}

/** `--address 192.0.2.7:5961` is `address: '192.0.2.7:5961'` here. */
function asOptions(text: string): string {
  return text
    .replace(/--([a-z]+) (\S+)/g, "the option $1: '$2'")
    .replace(' for for but received ', ' for the option for but received ');
}
