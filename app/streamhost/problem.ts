import { type Problem, toProblem, WhitelineError } from '../protocol/errors';

const remedies: Record<string, { code: Problem['code']; remedy: string }> = {
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
};

/** The SDK says no more than that it refused a sender; a name in use is the known cause. */
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

/** Turns an error of the native addon into a problem that says what to do. */
export function problemOf(error: unknown): Problem {
  const code = (error as { code?: unknown } | null)?.code;
  const known = typeof code === 'string' ? remedies[code] : undefined;
  const problem = toProblem(error);
  return known ? { ...problem, ...known } : problem;
}
