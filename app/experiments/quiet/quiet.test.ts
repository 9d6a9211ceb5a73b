import { expect, test } from 'vitest';
import { machineClock } from '../../engine/clock';
import type { ContextWith } from '../../engine/experiment/experiment';
import { machineBooks } from '../../engine/machine/machine-books';
import type { ClosedRow } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import type { Progress } from '../../protocol/console';
import type { HostCommand } from '../../protocol/host';
import { defaultThresholds } from '../../protocol/thresholds';
import { quietParameters } from './declaration';
import { quiet } from './quiet';

/** A host whose thread wakes at each slot, until one of its commands is the last. */
function contextOf(stopAt = Number.POSITIVE_INFINITY) {
  const abort = new AbortController();
  const asked: HostCommand[] = [];
  const reported: Progress[] = [];
  const request: ContextWith<'native'>['native']['request'] = async (command, onProgress) => {
    asked.push(command);
    onProgress?.({ framesDone: 0, frames: 1 });
    const isLast = asked.length === stopAt;
    if (isLast) abort.abort();
    if (command.name === 'scoreProcessor') {
      const cores = [{ core: 0, integerMsteps: 150, memoryMBps: 9000, notMeasured: '' }];
      return { state: isLast ? 'running' : 'done', cores, coresInAll: 1, problemMessage: '' };
    }
    if (command.name !== 'measureWakeUps') throw new Error(`no answer to ${command.name}`);
    const length = isLast ? 7 : command.options.slots;
    const slot = Uint32Array.from({ length }, (_, index) => index);
    return {
      slot,
      latenessNs: new Float64Array(length).fill(50_000),
      firstSlotNs: machineClock.monotonicNs(),
      overflowed: 0,
    };
  };
  const context: ContextWith<'machine' | 'native'> = {
    ...{ clock: machineClock, thresholds: defaultThresholds, signal: abort.signal, folder: '' },
    ...{ native: { request }, machine: machineBooks, processIds: () => [process.pid], samples: () => [] },
    standstills: () => [],
    ...{ isoNow: () => new Date().toISOString(), noteEvent: () => undefined },
    progress: (progress) => reported.push(progress),
  };
  return { context, asked, reported };
}

async function rowsOf(
  input: Record<string, unknown>,
  context: ContextWith<'machine' | 'native'>,
): Promise<ClosedRow[]> {
  const rows: ClosedRow[] = [];
  for await (const row of quiet.run(quietParameters.parse(input), context)) rows.push(row);
  return rows;
}

test('all rates, as often as is asked for, and the scores at the end', async () => {
  const { context, asked, reported } = contextOf();
  const rows = await rowsOf({ ratesHz: [60, 1000], holdSeconds: 0.5, repeats: 2 }, context);
  expect(rows.map(({ label }) => label)).toEqual([
    ...['wake-ups at 60 Hz, repeat 1', 'wake-ups at 1000 Hz, repeat 1'],
    ...['wake-ups at 60 Hz, repeat 2', 'wake-ups at 1000 Hz, repeat 2', 'scores of the cores'],
  ]);
  expect(rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  expect(rows.map((row) => numberOf(row, 'quiet.wakeUps'))).toEqual([30, 500, 30, 500, null]);
  expect(asked[0]).toEqual({
    name: 'measureWakeUps',
    options: { rateNumerator: 60, rateDenominator: 1, slots: 30 },
  });
  expect(reported.map(({ step, steps, remainingSeconds }) => [step, steps, remainingSeconds])).toEqual([
    [1, 5, 2],
    [2, 5, 1.5],
    [3, 5, 1],
    [4, 5, 0.5],
    [5, 5, 0],
    // A core has its score.
    [5, 5, 0],
  ]);
});

test('a row that is cut short has the wake-ups so far, and nothing follows it', async () => {
  const { context, asked } = contextOf(2);
  const rows = await rowsOf({ ratesHz: [60, 100], holdSeconds: 10 }, context);
  expect(asked).toHaveLength(2);
  expect(rows).toHaveLength(2);
  expect(rows[1]?.figures).toMatchObject({
    ...{ 'quiet.wakeUps': 7, 'quiet.slotsOverslept': 0, measuredSeconds: 0.07 },
  });
});

test('scores that were cut short are no row', async () => {
  const { context } = contextOf(2);
  const rows = await rowsOf({ ratesHz: [60], holdSeconds: 1 }, context);
  expect(rows.map(({ label }) => label)).toEqual(['wake-ups at 60 Hz']);
});

test('a rate, a time or a number of repeats that cannot be measured is refused', () => {
  for (const input of [
    ...[{ ratesHz: [] }, { ratesHz: [0] }, { ratesHz: [1001] }, { ratesHz: [59.94] }],
    ...[{ holdSeconds: 0.1 }, { holdSeconds: 601 }, { repeats: 0 }],
  ])
    expect(quietParameters.safeParse(input).success, JSON.stringify(input)).toBe(false);
});

test('what will be measured is said in one line', async () => {
  const { context } = contextOf();
  const subjectOf = async (input: Record<string, unknown>): Promise<string> =>
    (await quiet.check(quietParameters.parse(input), context.native)).subject;
  expect(await subjectOf({})).toBe(
    'wake-ups at 60, 120 and 1000 Hz for 10 s each, and the score of each core',
  );
  expect(await subjectOf({ ratesHz: [60] })).toBe(
    'wake-ups at 60 Hz for 10 s each, and the score of each core',
  );
});
