import { toProblem, WhitelineError } from '../../protocol/errors';
import { runTool } from '../tools/run-tool';

/** Longer than anything is printed. */
const longestSeconds = 600;
const screen = '1280x1024x24';

/**
 * Runs the action with the name of a virtual display (":99") that exists for as long as the action lasts. Linux.
 * @throws WhitelineError TOOL_MISSING without Xvfb, TOOL_FAILED when it does not start
 */
export async function withDisplay<Result>(action: (display: string) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  let server: Promise<unknown> = Promise.resolve();
  // With -displayfd the server picks a free number and writes it down once it is ready.
  const started = new Promise<string>((resolve, reject) => {
    server = runTool({
      file: 'Xvfb',
      args: ['-displayfd', '1', '-screen', '0', screen, '-nolisten', 'tcp', '-ac'],
      signal: stop.signal,
      timeoutSeconds: longestSeconds,
      onLine: (line) => resolve(`:${line.trim()}`),
    })
      .then(({ stderr }) => reject(noDisplay(stderr.trim())))
      .catch(reject);
  });
  try {
    return await action(await started.catch(explain));
  } finally {
    stop.abort();
    await server;
  }
}

function explain(error: unknown): never {
  const { code } = toProblem(error);
  if (code !== 'TOOL_MISSING') throw error;
  throw new WhitelineError({
    code,
    message: 'There is no display here, and Xvfb, which makes a virtual one, is not installed',
    field: 'pdf',
    value: 'Xvfb',
    remedy: 'Install it (apt install xvfb), or write the report with --html and print it from a browser',
  });
}

function noDisplay(said: string): WhitelineError {
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: `The virtual display did not start${said ? `: ${said.split('\n').pop()}` : ''}`,
    field: 'pdf',
    value: 'Xvfb',
  });
}
