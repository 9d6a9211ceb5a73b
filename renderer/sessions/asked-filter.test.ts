import { expect, test } from 'vitest';
import { archiveCommands } from '../../app/protocol/archive';
import { askedFilter } from './asked-filter';
import { noFilter, type RunFilter } from './sessions-store';

function asked(change: Partial<RunFilter>) {
  const filter = askedFilter({ ...noFilter, ...change });
  // What the archive would refuse is no filter.
  return archiveCommands.listRuns.parameters.parse({ filter }).filter;
}

test('what is not set is not asked for', () => {
  expect(asked({})).toEqual({});
  expect(asked({ text: '  ' })).toEqual({});
  expect(asked({ text: ' hall 3 ', host: 'render', state: 'aborted', verdict: 'FAIL' })).toEqual({
    ...{ text: 'hall 3', host: 'render', state: 'aborted', verdict: 'FAIL' },
  });
});

test('days are those of this machine, and the last one counts to its end', () => {
  expect(asked({ from: '2026-11-20', until: '2026-12-31' })).toEqual({
    from: new Date(2026, 10, 20).toISOString(),
    before: new Date(2027, 0, 1).toISOString(),
  });
});

test.each(['0002-01-01', '0202-01-01', '9999-12-31'])(
  'a year that is being typed, %s, counts for nothing yet',
  (day) => {
    expect(asked({ from: day, until: day })).toEqual({});
  },
);
