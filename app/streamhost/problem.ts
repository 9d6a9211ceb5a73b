import { type Problem, toProblem, WhitelineError } from '../protocol/errors';
import type { OpenSource } from '../protocol/host';

/** Without a remedy where the message says what to do. */
const remedies: Record<string, { code: Problem['code']; remedy?: string }> = {
  NDI_NOT_FOUND: {
    code: 'NDI_MISSING',
    remedy:
      'Install the NDI runtime from https://ndi.video, or set NDI_RUNTIME_DIR_V6 or WHITELINE_NDI_PATH to the folder of libndi',
  },
  NDI_TOO_OLD: {
    code: 'NDI_MISSING',
    remedy: 'Install NDI 6 from https://ndi.video; version 5 is the oldest that works',
  },
  NDI_FAILED: {
    code: 'NDI_MISSING',
    remedy: 'See whiteline doctor; restart the application if the runtime was just installed',
  },
  THREADS_EXHAUSTED: {
    code: 'REQUIREMENT_MISSING',
    remedy: 'Allow more threads or memory (ulimit -u, ulimit -v), or ask for fewer streams',
  },
  FILES_EXHAUSTED: {
    code: 'REQUIREMENT_MISSING',
    remedy: 'Allow more open files (ulimit -n), or ask for fewer streams',
  },
  FILE_UNREADABLE: {
    code: 'NOT_FOUND',
    remedy: 'Check the path, that it is a file, and that you may read it',
  },
  DIRECT_READS_REFUSED: {
    code: 'BAD_INPUT',
    remedy: 'Set cached, or copy the movie to a disk of this machine',
  },
  MOVIE_DAMAGED: {
    code: 'MOVIE_UNREADABLE',
    remedy: 'Copy the movie again from where it came, or make it anew',
  },
  MOVIE_UNSUPPORTED: { code: 'MOVIE_UNREADABLE' },
  MOVIE_NOT_HAP: { code: 'MOVIE_UNREADABLE' },
};

/** What the inspection of a movie says against it, as its status carries it. */
export function movieProblemOf(problem: { code: string; message: string }, path: string): WhitelineError {
  const error = Object.assign(new Error(problem.message), { code: problem.code });
  return new WhitelineError({ ...problemOf(error), value: path });
}

/** Why a source does not play. `message`: what it said itself, if anything. */
export function sourceProblemOf(
  { kind, hap }: OpenSource,
  message: string,
  isCancelled: boolean,
): WhitelineError {
  if (isCancelled) {
    return new WhitelineError({ code: 'ABORTED', message: 'The source was stopped before it had started' });
  }
  const remedy =
    kind === 'hap'
      ? `Check it with whiteline content inspect ${hap?.path ?? ''}`
      : 'Choose another movie, or check that ffmpeg can play this one';
  return new WhitelineError({
    code: 'MOVIE_UNREADABLE',
    message: `The source did not start: ${message || 'no picture came'}`,
    field: 'source',
    remedy,
  });
}

/** NDI says no more than that it refused a sender; a name in use is the known cause. */
export function senderProblemOf(error: unknown, senderName: string): WhitelineError {
  const { message } = toProblem(error);
  if ((error as { code?: unknown } | null)?.code !== 'NDI_FAILED')
    return new WhitelineError(problemOf(error));
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message,
    field: 'name',
    value: senderName,
    remedy: 'Choose another name, or end the sender that has it',
  });
}

/** What a host prints that an error ends: what to do, or where the fault of ours is. */
export function lastWords(error: unknown): string {
  const { message, remedy } = problemOf(error);
  if (remedy) return `whiteline: a stream process ends: ${message}. ${remedy}`;
  return error instanceof Error && error.stack ? error.stack : message;
}

/** Turns an error of the native addon into a problem that says what to do. */
export function problemOf(error: unknown): Problem {
  const code = (error as { code?: unknown } | null)?.code;
  const known = typeof code === 'string' ? remedies[code] : undefined;
  const problem = toProblem(error);
  return known ? { ...problem, ...known } : problem;
}
