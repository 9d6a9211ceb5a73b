import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { Row } from '../../app/facts/row';
import { rowOf } from '../testing/fixtures';
import { RampResult } from './ramp-result';

vi.mock('../experiments/experiment-actions', () => ({ openReport: vi.fn(), showInSessions: vi.fn() }));

function markupOf(rows: Row[], reason = '1 stream ran without loss'): string {
  const run = {
    ...{ id: '1', experiment: 'stream-load', folder: '/runs/today/01-ramp', title: 'Ramp' },
    ...{ verdict: 'FAIL' as const, reason },
  };
  return renderToStaticMarkup(<RampResult run={run} rows={rows} place="today/01-ramp" />);
}

test('a ramp that lost nothing has its sentence and its cost, and no chart of losses', () => {
  const markup = markupOf([rowOf(0), rowOf(1)]);
  expect(markup).toContain('1 stream ran without loss');
  expect(markup).toContain('CPU max');
  // A long sentence moves what follows it out of view.
  expect(markup.indexOf('Open run')).toBeLessThan(markup.indexOf('1 stream ran without loss'));
  expect(markup).not.toContain('Frames lost');
  expect(markup).not.toContain('red-row');
});

test('what was lost is drawn first, and the row from which on the sender is the limit is named', () => {
  const failed = rowOf(2, { verdict: 'FAIL', figures: { senderMissed: true, framesSenderMissed: 21 } });
  const markup = markupOf([rowOf(0), rowOf(1), failed]);
  expect(markup).toContain('The sender missed frames with 2 streams:');
  expect(markup.indexOf('Frames lost or not sent')).toBeLessThan(markup.indexOf('CPU max'));
  expect(markup).toContain('data-metric="framesSenderMissed"');
  expect(markup).not.toContain('data-metric="framesDropped"');
});

test('its verdict, one sentence, three causes, and the others behind a click; what to do is in sight', () => {
  const causes = [
    'with 2 streams: 3 frames were lost',
    'baseline: busy',
    '1 other row was FAIL',
    'the fourth',
  ];
  const toDo = 'what to do: close other programs';
  const markup = markupOf([rowOf(0)], ['1 stream ran without loss', ...causes, toDo].join('; '));
  expect(markup).toContain('FAIL');
  expect(markup).toContain('>1 stream ran without loss</p>');
  for (const cause of causes.slice(0, 3)) expect(markup).toContain(`<li>${cause}</li>`);
  expect(markup).not.toContain('the fourth');
  expect(markup).toMatch(/<button[^>]*aria-expanded="false"[^>]*>.*1 more/);
  expect(markup).toContain(`>${toDo}</p>`);
});
