import { expect, vi } from 'vitest';
import { type ServedPage, ServedProcess } from './served-process';

/** A `whiteline serve` in which an operator's page measures a live stream. */
export interface ServedRun {
  served: ServedProcess;
  operator: ServedPage;
  runFolder: string;
}

/** Adds a stream, and returns before its first frame. */
export async function beginServedRun(runsFolder: string): Promise<ServedRun> {
  const served = await ServedProcess.start(runsFolder);
  const operator = await served.open('engine');
  await operator.ask({ name: 'hello' });
  await vi.waitFor(() => expect(operator.state?.transport).not.toBeNull(), { timeout: 20_000 });
  const parameters = { source: 'white-line', format: '320x180@30', pixelFormat: 'uyvy' };
  await operator.ask({ name: 'addStream', parameters });
  return { served, operator, runFolder: operator.state?.run?.folder ?? '' };
}

/** Returns once the run counts frames. */
export async function serveLiveRun(runsFolder: string): Promise<ServedRun> {
  const run = await beginServedRun(runsFolder);
  const { operator } = run;
  // From the first frame after the warm-up on, the run has a row to record.
  const hasCounted = (): void => expect(operator.state?.streams[0]?.framesReceived).toBeGreaterThan(0);
  await vi.waitFor(hasCounted, { timeout: 20_000 });
  return run;
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

/** A visited command ends within 2 s; on a busy machine, where an undisturbed one takes longer than 0.5 s, 1.5 s after that. */
export function longestEndMs(undisturbedMs: number): number {
  return Math.max(2000, undisturbedMs + 1500);
}
