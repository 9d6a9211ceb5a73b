import { expect, vi } from 'vitest';
import { type ServedPage, ServedProcess } from './served-process';

/** A `whiteline serve` in which an operator's page measures a live stream. */
export interface ServedRun {
  served: ServedProcess;
  operator: ServedPage;
  runFolder: string;
}

export async function serveLiveRun(runsFolder: string): Promise<ServedRun> {
  const served = await ServedProcess.start(runsFolder);
  const operator = await served.open('engine');
  await operator.ask({ name: 'hello' });
  await vi.waitFor(() => expect(operator.state?.ndi).not.toBeNull(), { timeout: 20_000 });
  const parameters = { source: 'white-line', format: '320x180@30', pixelFormat: 'uyvy' };
  await operator.ask({ name: 'addStream', parameters });
  await vi.waitFor(() => expect(operator.state?.streams[0]?.state).toBe('receiving'), { timeout: 20_000 });
  return { served, operator, runFolder: operator.state?.run?.folder ?? '' };
}

/** Ends it by Ctrl-C, without an error and with all its processes; how long the command took to end, in ms. */
export async function interruptedAfterMs({ command }: ServedProcess): Promise<number> {
  const interruptedMs = performance.now();
  command.signal('SIGINT');
  const { exitCode, errors } = await command.ended;
  const endedAfterMs = performance.now() - interruptedMs;
  expect([exitCode, errors]).toEqual([0, '']);
  await command.leavesNothingBehind();
  return endedAfterMs;
}

/** Visitors may cost the end of a command so much beside what an undisturbed one takes on the machine as it is now. */
export const mostDelayedMs = 2000;
