import { type Pair, pairsOf } from '../app/experiments/matrix/pair-row';
import { reasonOf } from '../app/facts/reason-words';
import type { Row } from '../app/facts/row';
import type { EngineMessage } from '../app/protocol/console';
import { type MeasuredPair, matrixRow } from '../app/testing/matrix-row';
import { stateOf } from '../renderer/testing/engine-state';
import { expect, test } from './app';
import { say } from './engine-said';
import { shootAll } from './pictures';

/** Pictures of the map of a fleet matrix in the window: test-results/e2e/screens. */

function messagesOf(rows: readonly Row[], pairs: number): EngineMessage[] {
  const isOver = rows.length === pairs;
  const open = isOver ? null : rows.length - 1;
  const run = {
    ...{ id: 'matrix', experiment: 'matrix', folder: '/runs/matrix', title: 'Fleet matrix' },
    ...(isOver ? { verdict: 'FAIL' as const, reason: 'A pair lost frames' } : { verdict: null, reason: '' }),
  };
  const progress = {
    ...{ phase: 'hold', step: rows.length, steps: pairs, phaseSeconds: 3, phaseElapsedSeconds: 1 },
    remainingSeconds: 8 * (pairs - rows.length),
  };
  const state = isOver
    ? stateOf({ state: { run } })
    : stateOf({ state: { run, progress, mode: 'experiment' } });
  return [
    { type: 'state', state },
    { type: 'rows', from: 0, rows: [...rows], provisional: open },
  ];
}

const outcomes: readonly MeasuredPair[] = [
  ...([
    ['PASS', 0],
    ['PASS', 0],
    ['WARN', 0.04],
    ['PASS', 0],
    ['FAIL', 12.3, 7.25],
  ] as const),
  ...([
    ['PASS', 0],
    ['INVALID', null],
    ['WARN', 2.6],
    ['PASS', 0],
    ['FAIL', 100, 0],
    ['FAIL', 61],
  ] as const),
].map((outcome): MeasuredPair => [...outcome]);

function withReason(row: Row): Row {
  if (row.verdict !== 'FAIL') return row;
  return { ...row, reason: [reasonOf('pair-link-below', { mbps: 7.3, leastMbps: 100 })] };
}

function rowsOf(pairs: readonly Pair[]): Row[] {
  return pairs.map((pair, index) =>
    withReason(matrixRow(pair, index, ...(outcomes[index % outcomes.length] ?? ['PASS', 0]))),
  );
}

for (const count of [5, 12])
  test(`the matrix of ${count} machines: empty, running, over`, async ({ whiteline }) => {
    const { page } = whiteline;
    const names = Array.from({ length: count - 1 }, (_, index) =>
      index % 3 === 2 ? `display-wall-north-${index + 1}` : `render-${index + 1}`,
    );
    const rows = rowsOf(pairsOf([...names, undefined]));
    await page.keyboard.press('2');
    await expect(page.getByTestId('experiments')).toBeVisible();
    await say(whiteline, messagesOf([], rows.length));
    await page.getByRole('radio', { name: 'Results' }).check({ force: true });
    await expect(page.getByTestId('run-view')).toBeVisible();
    await shootAll(whiteline, `matrix-of-${count}-empty`);
    const part = rows.slice(0, Math.floor(rows.length * 0.6));
    const open: Row[] = part.map((row, index) =>
      index === part.length - 1 ? { ...row, verdict: null } : row,
    );
    await say(whiteline, messagesOf(open, rows.length));
    await expect(page.getByTestId('heat-map')).toBeVisible();
    await shootAll(whiteline, `matrix-of-${count}-running`);
    await say(whiteline, messagesOf(rows, rows.length));
    await page.getByRole('radio', { name: 'Results' }).check({ force: true });
    await page.locator('[data-verdict="INVALID"][data-place]').first().focus();
    await shootAll(whiteline, `matrix-of-${count}-over`);
  });
