import { expect, test } from 'vitest';
import { columnsOf } from '../facts/column';
import type { Figures } from '../facts/figure';
import type { Row } from '../facts/row';
import { TerminalTable } from './terminal-table';

const columns = [
  ...columnsOf('step', 'streams'),
  ...columnsOf('measure', 'link.throughputMbps'),
  ...columnsOf('spread', 'link.throughputMbps.sd'),
  ...columnsOf('count', 'framesDropped'),
  ...columnsOf('measure', 'codeHealthMin', 'connectMs'),
];

function tableRow(figures: Figures, overrides: Partial<Row> = {}): Row {
  return {
    ...{
      index: 1,
      label: '',
      verdict: 'PASS',
      reason: [],
      notMeasured: {},
      step: {},
      subjects: [],
      load: {},
    },
    ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:10.000Z', figures },
    ...overrides,
  };
}

function because(text: string): Row['reason'] {
  return [{ code: 'text', data: { text } }];
}

/** Where each word of the newest line ends: figures stand under the ends of their heads. */
function endsOf(line: string, words: readonly string[]): number[] {
  return words.map((word) => line.indexOf(word) + word.length);
}

test('heads with units stand above their figures, a spread behind its figure, and what was not measured is a dash', () => {
  const table = new TerminalTable({ columns });
  const values = {
    ...{ streams: 2, framesDropped: 0 },
    ...{ 'link.throughputMbps': 941.236, 'link.throughputMbps.sd': 0.5 },
  };
  const lines = table.lines(tableRow(values, { label: 'TCP, two streams' }));
  const figures = lines[lines.length - 1] ?? '';
  const units = lines[lines.length - 2] ?? '';
  expect(figures).toBe('   1 941.24 ±0.50       0      –        –  PASS    TCP, two streams');
  expect(units).toMatch(/^ row +Mb\/s +Dropped +health +ms +verdict$/);
  expect(endsOf(figures, ['±0.50'])).toEqual(endsOf(units, ['Mb/s']));
  const next = table.lines(tableRow({ ...values, 'link.throughputMbps': 1.25 }, { index: 2, label: 'UDP' }));
  expect(next).toEqual(['   2   1.25 ±0.50       0      –        –  PASS    UDP']);
});

test('without a label, what was set stands in its own column', () => {
  const table = new TerminalTable({ columns });
  const lines = table.lines(tableRow({ streams: 12 }));
  expect(lines[lines.length - 1]).toMatch(/^ {3}1 +12 +– +– +– +– {2}PASS$/);
});

test('a row that is PASS names what disturbed the instrument, and nothing else', () => {
  const stopped = { code: 'process-stopped', data: { role: 'engine', seconds: 1.5, limitSeconds: 0.25 } };
  const lines = new TerminalTable({ columns }).lines(
    tableRow({ framesDropped: 0 }, { reason: [...because('all came'), stopped] }),
  );
  expect(lines.at(-1)).toBe('     our engine process was stopped for 1.5 s (limit 0.25 s)');
});

test('a short word is a cell, a long one a line below; a row that is not PASS says why, once', () => {
  const table = new TerminalTable({ columns });
  const advice = 'Set the MTU of eth0 to 9000';
  const values = { codeHealthMin: 'warning', connectMs: advice, framesDropped: true };
  const lines = table.lines(tableRow(values, { verdict: 'WARN', reason: because('it is 1500') }));
  const [figures, ...below] = lines.slice(-3);
  expect(figures).toMatch(/– +yes +warning {2}WARN$/);
  expect(below).toEqual(['     it is 1500', `     Connect: ${advice}`]);
  const reported = table.lines(tableRow(values, { verdict: 'WARN', reason: because(advice) }));
  expect(reported.join().split(advice)).toHaveLength(2);
});

test('why a figure is a dash stands below its row, once in a table, and not where the verdict says it', () => {
  const table = new TerminalTable({ columns });
  const notMeasured = {
    codeHealthMin: 'no frame came',
    connectMs: 'no frame came',
    framesDropped: 'busy: 90 %',
  };
  const lines = table.lines(
    tableRow({}, { notMeasured, verdict: 'INVALID', reason: because('the machine was busy: 90 %') }),
  );
  expect(lines.slice(-2)).toEqual([
    '     the machine was busy: 90 %',
    '     Code health, Connect not measured: no frame came',
  ]);
  const next = table.lines(tableRow({}, { notMeasured }));
  expect(next.slice(1)).toEqual(['     Dropped not measured: busy: 90 %']);
  expect(table.lines(tableRow({}, { notMeasured }))).toHaveLength(1);
});

test('of a great figure fewer decimals are shown', () => {
  const table = new TerminalTable({ columns: columnsOf('measure', 'connectMs', 'latencyJitterMs') });
  const lines = table.lines(tableRow({ connectMs: 123456.7, latencyJitterMs: 0.12345 }));
  expect(lines.pop()).toBe('   1   123457    0.123  PASS');
});

test('spoilt frames have a column from the first row on that has some, under a head of its own', () => {
  const table = new TerminalTable({ columns: columnsOf('count', 'framesDropped', 'framesSenderMissed') });
  const clean = { framesDropped: 0, framesSenderMissed: 0, framesSpoilt: 0 };
  expect(table.lines(tableRow(clean))).toEqual([' row Dropped Missed  verdict', '   1       0      0  PASS']);
  const spoilt = tableRow({ ...clean, framesSpoilt: 6 }, { verdict: 'FAIL' });
  expect(table.lines(spoilt)).toEqual([
    ' row Dropped Spoilt Missed  verdict',
    '   1       0      6      0  FAIL',
  ]);
  expect(table.lines(tableRow(clean))).toEqual(['   1       0      0      0  PASS']);
});

test('V17: what outages must have cost has a column too, marked as an estimate', () => {
  const table = new TerminalTable({ columns: columnsOf('count', 'framesDropped', 'framesSenderMissed') });
  const out = { framesDropped: 0, framesSenderMissed: 0, framesInOutages: 412 };
  const lines = table.lines(tableRow(out, { verdict: 'FAIL' }));
  expect(lines[lines.length - 1]).toBe('   1       0    ≈ 412      0  FAIL');
  expect(lines.join('\n')).toContain('estimate');
  expect(table.lines(tableRow({ ...out, framesInOutages: null }))).toEqual([
    '   1       0        –      0  PASS',
  ]);
});

test('a latency that rests on the clock of another machine has its ± behind it, rounded up, below a head of its width', () => {
  const table = new TerminalTable({ columns: columnsOf('measure', 'latencyMs.p99', 'longestGapMs') });
  const baseline = table.lines(tableRow({ 'latencyMs.p99': null, latencyUncertaintyMs: null }));
  expect(baseline.at(-1)).toMatch(/ – +– {2}PASS$/);
  const lines = table.lines(
    tableRow({ 'latencyMs.p99': 1.1234, latencyUncertaintyMs: 0.381, longestGapMs: 20 }),
  );
  expect(lines.at(-1)).toContain(' 1.12 ± 0.39 ');
  expect(lines).toHaveLength(baseline.length);
  const here = table.lines(
    tableRow({ 'latencyMs.p99': 1.1234, latencyUncertaintyMs: null, longestGapMs: 20 }),
  );
  expect(here).toHaveLength(1);
  expect(here[0]).not.toContain('±');
});
