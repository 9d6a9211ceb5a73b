import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { Reasons } from './reasons';
import { Results } from './sections';

test('reasons stand below the table, but for what a check found: it is in the table', () => {
  const hasReasons = (name: string): boolean => {
    const run = readRun(`test-content/runs/${name}`);
    expect(run.rows.some(({ reason }) => reason.length > 0)).toBe(true);
    return renderToStaticMarkup(<Results run={run} />).includes('data-testid="reasons"');
  };
  expect(hasReasons('preflight')).toBe(false);
  expect(hasReasons('stream-load')).toBe(true);
});

test('one reason that page one has is not announced again, and of several each row says which is there', () => {
  const [, row] = readRun('test-content/runs/stream-load').rows;
  if (!row) throw new Error('the recorded run has a row with a stream');
  const fact = (text: string) => [{ code: 'of-a-newer-version', data: { text } }];
  const said = 'a sentence that is long enough to be looked for on page one';
  const [one, other] = [said, 'another'].map((text, index) => ({
    ...row,
    index,
    reason: fact(text),
    subjects: [],
  }));
  const markup = (...rows: (typeof row)[]): string =>
    renderToStaticMarkup(
      <Reasons rows={rows.map((each) => ({ ...each, figures: {} }))} said={`row 1: ${said}`} />,
    );
  if (!one || !other) throw new Error('there are two');
  expect(markup(one)).toBe('');
  expect(markup(one, other)).toContain('see the sentence of the verdict on page one');
  expect(markup(other)).toContain('another');
});
