import { eachProblem, exitCodeOf, problemText, toProblem } from '../protocol/errors';

/** Ends the process with the command's exit code, or with a clear sentence. */
export function finish<Arguments extends unknown[]>(action: (...values: Arguments) => Promise<number>) {
  return async (...values: Arguments): Promise<void> => {
    try {
      process.exitCode = await action(...values);
    } catch (error) {
      const problem = toProblem(error);
      for (const each of eachProblem(problem)) process.stderr.write(`whiteline: ${problemText(each)}\n`);
      process.exitCode = exitCodeOf(problem);
    }
  };
}
