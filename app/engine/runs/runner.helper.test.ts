import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import { reasonOf } from '../../protocol/reason-words';
import type { ClosedRow } from '../../protocol/row';
import { defaultThresholds } from '../../protocol/thresholds';
import { echoHelper } from '../../testing/echo-helper';
import { exampleRow } from '../../testing/example-run';
import { FakeApplication } from '../../testing/fake-application';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import type { ContextWith, Experiment } from '../experiments/experiment';
import { experimentOf } from '../experiments/registry';
import { readEvents, readRun } from '../sessions/read-run';
import { Workbench } from '../workbench';
import { type RunOutcome, runExperiment } from './runner';

const folder = temporaryFolder();
let bench: Workbench | null = null;
afterEach(() => bench?.close());

/** Carries an experiment out that needs a helper; its rows close one after the other. */
async function carryOut(
  name: string,
  use: (context: ContextWith<'helper'>, samples: readonly LoadSample[]) => Promise<unknown>,
  rows: readonly ClosedRow[] = [],
): Promise<{ outcome: RunOutcome; bench: Workbench; folder: string }> {
  const samples: LoadSample[] = [];
  const { recorder } = recorderIn(join(folder, name));
  const opened = new Workbench({
    application: new FakeApplication(),
    clock: machineClock,
    appFolder: folder,
    noteEvent: (...event) => recorder.event(...event),
    onSample: (sample) => samples.push(sample),
    onChange: () => undefined,
  });
  bench = opened;
  const experiment: Experiment = {
    ...experimentOf('storage'),
    needs: () => ['helper'],
    async *run(_, context) {
      await use(context, samples);
      yield* rows;
    },
    verdict: () => ({ verdict: 'PASS', reason: 'it ended' }),
  };
  const outcome = await runExperiment({
    ...{ experiment, recorder },
    parameters: {},
    set: opened.set,
    helpers: opened.helpers,
    host: opened.set.movieHost,
    thresholds: defaultThresholds,
    wall: opened.wall,
    signal: new AbortController().signal,
    onRow: () => undefined,
    processIds: () => [process.pid],
    onProgress: () => undefined,
  });
  return { outcome, bench: opened, folder: recorder.folder.path };
}

test('a helper counts in the load under its role, and is stopped when the run ends', async () => {
  const { outcome, bench } = await carryOut('load', async ({ helper }, samples) => {
    await helper.start(echoHelper());
    await vi.waitFor(() => expect(samples.at(-1)?.roles.echo?.memoryMb).toBeGreaterThan(0), {
      timeout: 20_000,
    });
  });
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'PASS' });
  expect(bench.helpers.processIds).toEqual({});
});

test('the death of a helper is an event and fails the run that waits for it', async () => {
  const { outcome, folder } = await carryOut('death', async (context) => {
    const { helper } = await context.helper.start(echoHelper());
    await helper.send({ type: 'crash' });
    await helper.receive();
  });
  const message = expect.stringMatching(/^The echo helper was ended by SIGABRT\. Its last words: /);
  expect(outcome).toMatchObject({ state: 'failed', problem: { code: 'HOST_DIED', message } });
  expect(readEvents(folder)).toContainEqual(expect.objectContaining({ kind: 'helper-died', text: message }));
});

test('the row in which a helper died is INVALID, and no row after it', async () => {
  const die = async ({ helper }: ContextWith<'helper'>): Promise<void> => {
    const started = await helper.start(echoHelper());
    await started.helper.send({ type: 'crash' });
    await started.helper.ended;
  };
  const { folder } = await carryOut('row', die, [exampleRow(0), exampleRow(1)]);
  const [first, second] = readRun(folder).rows;
  expect([first?.verdict, first?.reason]).toEqual([
    'INVALID',
    [reasonOf('helper-died', { helper: 'echo helper' })],
  ]);
  expect(second?.verdict).toBe('PASS');
});
