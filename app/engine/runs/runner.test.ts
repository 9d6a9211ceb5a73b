import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { echoHelper } from '../../testing/echo-helper';
import { exampleRow } from '../../testing/example-run';
import { scriptedLaunch } from '../../testing/scripted-helper';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { type WholeRun, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import type { ContextWith, Experiment } from '../experiment/experiment';
import { experimentOf } from '../experiment/experiment-of';

const folder = temporaryFolder();

/** Carries an experiment out that needs a helper, which crashes by command; its rows close one after the other. */
async function carryOut(
  use: (context: ContextWith<'helper'>) => Promise<unknown>,
  rows: readonly ClosedRow[] = [],
  order: Pick<WholeRunOrder, 'gates'> = {},
): Promise<WholeRun & { areOver: boolean }> {
  const clock = new SimulatedClock();
  const { launch, started } = scriptedLaunch(clock, () => ({
    ready: { type: 'ready', mostLineBytes: 1 },
    onCommand: (_, helper) => helper.die('SIGABRT', 'asked to'),
  }));
  const experiment: Experiment = {
    ...experimentOf('storage'),
    needs: () => ['helper'],
    async *run(_, context) {
      await use(context);
      yield* rows;
    },
    verdict: () => ({ verdict: 'PASS', reason: 'it ended' }),
  };
  const whole = await wholeRun({ experiment, clock, folder, parameters: {}, launch, ...order });
  return { ...whole, areOver: started.every(({ isOver }) => isOver) };
}

const message = 'The echo helper was ended by SIGABRT. Its last words: asked to';

test('a helper that the experiment leaves behind is stopped when the run ends, which is no death', async () => {
  const { outcome, areOver, incidents } = await carryOut(({ helper }) => helper.start(echoHelper()));
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'PASS' });
  expect([areOver, incidents]).toEqual([true, []]);
});

test('the death of a helper is an event and fails the run that waits for it', async () => {
  const { outcome, run, incidents } = await carryOut(async (context) => {
    const { helper } = await context.helper.start(echoHelper());
    await helper.send({ type: 'crash' });
    await helper.receive();
  });
  expect(outcome).toMatchObject({ state: 'failed', verdict: null, problem: { code: 'HOST_DIED', message } });
  expect(run).toMatchObject({ state: 'failed', reason: message });
  expect(incidents).toEqual([
    ['helper-died', message],
    ['problem', message],
  ]);
});

test('the row in which a helper died is INVALID, and no row after it', async () => {
  const die = async ({ helper }: ContextWith<'helper'>): Promise<void> => {
    const started = await helper.start(echoHelper());
    await started.helper.send({ type: 'crash' });
    await started.helper.ended;
  };
  const { run, page } = await carryOut(die, [exampleRow(0), exampleRow(1)]);
  const [first, second] = run.rows;
  expect([first?.verdict, first?.reason]).toEqual([
    'INVALID',
    [reasonOf('helper-died', { helper: 'echo helper', how: message.slice('The echo helper '.length) })],
  ]);
  expect(second?.verdict).toBe('PASS');
  expect(page.run.rows.map(({ verdict }) => verdict)).toEqual(['INVALID', 'PASS']);
});

test('rules of a test hold over all rows: what breaks one fails the run, also in its folder', async () => {
  const again = (index: number): ClosedRow => {
    const row = exampleRow(index);
    return { ...row, figures: { ...row.figures, framesDuplicated: 2 } };
  };
  const gates = { maxDuplicates: 3, maxReordered: null, failOnWarn: true };
  const nothing = async (): Promise<void> => undefined;
  const broken = await carryOut(nothing, [again(0), again(1)], { gates });
  const reason = '4 pictures came again, where 3 may; it ended';
  expect(broken.outcome).toMatchObject({ state: 'finished', verdict: 'FAIL', reason });
  expect(broken.run).toMatchObject({ verdict: 'FAIL', reason });
  const kept = await carryOut(nothing, [again(0), exampleRow(1)], { gates });
  expect(kept.outcome).toMatchObject({ verdict: 'PASS', reason: 'it ended' });
});
