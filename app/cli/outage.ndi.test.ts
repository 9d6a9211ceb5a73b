// @module-tag machine

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { machineClock } from '../engine/clock';
import { Engine } from '../engine/engine';
import { NodeApplication } from '../engine/node-application';
import { readEvents } from '../engine/sessions/read-run';
import { exitCodes } from '../protocol/errors';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { type Run, readStreamRun } from '../testing/named-rows';
import { buildPlainSender, startPlainSender } from '../testing/plain-sender';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const pathFor = outputPaths(folder);
const awaySeconds = 4;
let program = '';
let sender: ChildProcess | null = null;

beforeAll(() => {
  program = buildPlainSender(folder);
});
afterEach(() => sender?.kill('SIGKILL'));

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

async function send(name: string): Promise<void> {
  sender = await startPlainSender(program, name, ['--declared', '30/1', '--real', '30/1']);
}

/** The sender ends, and a new one of its name begins some seconds later. Gives how long none was there, s. */
async function interrupt(name: string): Promise<number> {
  const fromMs = performance.now();
  sender?.kill('SIGKILL');
  if (sender) await once(sender, 'exit');
  await pause(awaySeconds);
  await send(name);
  return (performance.now() - fromMs) / 1000;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** It is in the rows once: what was counted and what was estimated are together what the outage cost. */
function expectOutage(
  { verdict, reason }: Pick<Run, 'verdict' | 'reason'>,
  path: string,
  leastSeconds: number,
) {
  expect([verdict, reason]).toEqual(['FAIL', expect.stringMatching(/no new picture for|stood still/)]);
  expect(reason).not.toMatch(/submit/);
  // A busy machine may also stop the new sender for a moment.
  const lengthsMs = readEvents(path)
    .filter(({ kind }) => kind === 'stream-recovered')
    .map(({ details }) => Number(details?.afterMs));
  const isOutage = (lengthMs: number): boolean => lengthMs > leastSeconds * 1000 - 100;
  expect(lengthsMs.filter(isOutage)).toHaveLength(1);
  const streams = readStreamRun(path).rows.flatMap(({ perStream }) => perStream);
  const counted = sum(streams.map(({ framesMissing }) => framesMissing ?? 0));
  const outages = streams.flatMap((stream) => stream.outages ?? []);
  const estimated = sum(outages.map(({ framesEstimated }) => framesEstimated ?? 0));
  expect(Math.abs(counted + estimated - (sum(lengthsMs) / 1000) * 30)).toBeLessThan(20);
  expect(streams.some((stream) => (stream.stalls ?? 0) > 0)).toBe(true);
}

test('a followed sender that is away for seconds leaves a watch with FAIL, its length and what it cost', async () => {
  const name = uniqueName();
  const out = pathFor(name);
  await send(name);
  const watch = new WhitelineCommand(['watch', name, '--out', out]);
  await watch.says(/^Measuring until Ctrl-C/m);
  await pause(3);
  const seconds = await interrupt(name);
  await watch.says(/receiving again after/);
  await pause(2);
  watch.signal('SIGINT');
  const { exitCode, output } = await watch.ended;
  const run = readStreamRun(out);
  expectOutage(run, out, seconds);
  expect(output.endsWith(`\nFAIL: ${run.reason}\nRun: ${out}\n`), output).toBe(true);
  expect(exitCode).toBe(exitCodes.fail);
});

test('… and a live run with the same', async () => {
  const name = uniqueName();
  await send(name);
  const engine = new Engine({
    application: new NodeApplication({
      streamHostFile: join('dist', 'app', 'streamhost.cjs'),
      reportTemplate: '',
      appFolder: '.',
    }),
    ...{ appFolder: '.', runsFolder: join(folder, 'runs'), version: 'test', clock: machineClock },
  });
  try {
    await engine.start();
    const found = () => engine.state().streams[0];
    await engine.commands.followSource({ source: name });
    const isReceiving = () => expect(found()?.state).toBe('receiving');
    await vi.waitFor(isReceiving, { interval: 100 });
    const isMeasured = () => expect(engine.rows().open).not.toBeNull();
    await vi.waitFor(isMeasured, { interval: 100 });
    const seconds = await interrupt(name);
    await vi.waitFor(() => expect(found()?.recoveredAfterMs).not.toBeNull());
    // A busy machine may stop the new sender for a moment.
    await vi.waitFor(
      () => {
        isMeasured();
        expect(found()).toMatchObject({ state: 'receiving', verdict: 'FAIL' });
      },
      { interval: 100 },
    );
    expect(engine.state().alerts.map(({ message }) => message)).toEqual([
      expect.stringContaining('pictures again after'),
    ]);
    await engine.commands.stop({});
    const path = engine.state().run?.folder ?? '';
    expectOutage(readStreamRun(path), path, seconds);
  } finally {
    await engine.close();
  }
});
