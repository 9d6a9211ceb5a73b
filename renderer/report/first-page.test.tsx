import { resolve } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { reportData } from '../../app/engine/reports/html';
import type { Row } from '../../app/facts/row';
import { replacedLabel } from '../../app/facts/row-labels';
import type { PageHeader, ReportData } from '../../app/protocol/report';
import { noReportHeader } from '../../app/protocol/report-header';
import { plain } from '../../app/testing/shown-figures';
import { texts } from '../texts';
import { FirstFailure } from './first-failure';
import { Report } from './report';

const recorded = (name: string): ReportData => reportData(resolve('test-content/runs', name), false);

/** Page one alone, as text: what a client reads. */
function firstPage(data: ReportData, header?: PageHeader): string {
  const markup = renderToStaticMarkup(<Report data={data} header={header} />);
  const page = /<header[^>]*data-testid="first-page">(.*?)<\/header>/s.exec(markup)?.[1] ?? '';
  return plain(page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
}

test('page one says what was tested, on what, with what, by which limits, and what came out', () => {
  const text = firstPage(recorded('stream-load'));
  for (const said of [
    'FAIL 0 streams carried without losing a frame',
    'Question How many streams can this sender and this receiver carry without losing a frame',
    'Machines render-1: Intel(R) Xeon(R) Processor @ 2.80GHz, 2 cores',
    'NDI runtime NDI SDK LINUX 12:51:52 Apr 13 2026 6.3.2.0',
    'Set-up sender and receiver on one machine, over loopback',
    'Source white-line Format 640×360@30 Streams up to 1 of 2: the ramp stopped early, because the sender missed frames in row 1 Each row 3 s',
    'Thresholds study: at most 1 frame lost in any 2 s',
    'Frames lost or not sent',
    'Place and date Name Signature',
  ])
    expect(text).toContain(said);
});

test('a ramp that stopped early says how far it came, and why', () => {
  const { run } = recorded('stream-load-clean');
  const [baseline, like] = run.rows;
  if (!baseline || !like) throw new Error('the recorded run has a row with a stream');
  const of = (last: Partial<Row>, parameters: Record<string, unknown> = {}): string => {
    const set = {
      ...run.parameters,
      maxStreams: 3,
      stopOn: ['sender-miss', 'loss', 'invalid'],
      ...parameters,
    };
    const spoilt: Row = { ...like, label: replacedLabel(2), verdict: 'INVALID' };
    const rows = [baseline, spoilt, { ...like, index: 2, ...last }];
    const data = { ...recorded('stream-load-clean'), run: { ...run, parameters: set, rows } };
    return /Streams (.*?) Each row/.exec(firstPage(data))?.[1] ?? '';
  };
  const early = 'up to 1 of 3: the ramp stopped early, because';
  const missed = { ...like.figures, senderMissed: true };
  expect(of({ verdict: 'INVALID' })).toBe(`${early} row 2 is INVALID`);
  expect(of({ verdict: 'WARN', figures: missed })).toBe(`${early} the sender missed frames in row 2`);
  expect(of({ verdict: 'FAIL', reason: [{ code: 'ended-early', data: {} }] })).toBe(
    `${early} row 2 was ended early`,
  );
  expect(of({ verdict: 'FAIL' }, { stopOn: ['fail'] })).toBe(`${early} row 2 is FAIL`);
  expect(of({ verdict: 'WARN' }, { refine: true })).toBe(`${early} row 2 is WARN`);
  expect(of({ verdict: 'PASS' })).toBe('up to 1 of 3');
  expect(of({ verdict: 'INVALID' }, { maxStreams: 1 })).toBe('1');
});

test('of senders that were followed, the format is that which came', () => {
  const data = recorded('watch');
  const environment = { ...data.run.environment, receivedFormats: ['640x360@25', '1280x720@59.94'] };
  const of = (parameters: Record<string, unknown>) =>
    firstPage({ ...data, run: { ...data.run, experiment: 'live', parameters, environment } });
  expect(of({ source: 'VM (KAM 2)' })).toContain('Source VM (KAM 2) Format 640×360@25, 1280×720@59.94 ');
  expect(of({ names: ['VM (KAM 2)', 'VM (KAM 1)'] })).toMatch(
    /Format 640×360@25, 1280×720@59\.94 Sending machines render-1 Senders VM \(KAM 2\), VM \(KAM 1\) /,
  );
});

test('the first row that did not pass stands there with its largest cause, and nothing that the sentence says', () => {
  const text = firstPage(recorded('stream-load'));
  const [, failure = ''] = text.split('First row that did not pass');
  expect(failure).toMatch(
    /^ Row 1, 1 stream, 07:00:28\.353 UTC: FAIL 3 frames, transport: injected on purpose /,
  );
  expect(text.split('the sender missed 1 frame').length).toBe(2);
  expect(firstPage(recorded('stream-load-clean'))).not.toContain('First row that did not pass');
});

const failureOf = (runs: Parameters<typeof FirstFailure>[0]['runs']): string =>
  plain(
    renderToStaticMarkup(<FirstFailure runs={runs} />)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  );

/** A run with rows of these verdicts, the first one at this second. */
function failing(second: number, verdicts: readonly Row['verdict'][]): Pick<ReportData, 'run' | 'causes'> {
  const { run } = recorded('stream-load-clean');
  const [, like] = run.rows;
  if (!like) throw new Error('the recorded run has a row with a stream');
  const at = (index: number): string => `2026-11-30T14:43:${second + 10 * index}.000Z`;
  const rows = verdicts.map((verdict, index): Row => ({ ...like, index, verdict, from: at(index) }));
  const causes = rows.map(({ index }) => ({
    ...{ row: index, stage: 'transport' as const, end: null, losses: 1, frames: 3 },
    cause: `cause of ${index}`,
  }));
  return { run: { ...run, rows }, causes };
}

test('the first row is the first in time, whatever a later one came to', () => {
  expect(failureOf([{ data: failing(10, ['WARN', 'INVALID', 'FAIL']) }])).toMatch(
    /Row 0, 1 stream, 14:43:10\.000 UTC: WARN.* cause of 0 $/,
  );
  expect(failureOf([{ data: failing(10, ['PASS', 'WARN', 'WARN']) }])).toMatch(/Row 1, .* cause of 1 $/);
  expect(failureOf([{ data: failing(10, ['PASS', 'PASS']) }])).toBe('');
});

test('the row says why, though the sentence of the run says it too, where nothing was lost', () => {
  const data = failing(10, ['WARN']);
  const [row] = data.run.rows;
  if (!row) throw new Error('the run has a row');
  const reason = [{ code: 'busy-baseline', data: { percent: 99, limitPercent: 25 } }];
  const busy =
    'the machine was busy before the first stream: other programs took 99 % of its CPU (limit 25 %)';
  const run = { ...data.run, reason: `baseline: ${busy}`, rows: [{ ...row, reason }] };
  expect(failureOf([{ data: { run, causes: [] } }])).toMatch(
    /UTC: WARN , the machine was busy .*\(limit 25 %\)/,
  );
});

test('of a row that an outage decided it is the outage, and not what was lost beside it', () => {
  const { run } = failing(10, ['FAIL']);
  const [row] = run.rows;
  if (!row) throw new Error('the run has a row');
  const reason = [
    { code: 'outage', data: { seconds: 13.2, isOver: true, frames: 395, framesPerSecond: 30 } },
  ];
  const causes: ReportData['causes'] = [
    { row: 0, stage: 'sender', end: null, cause: 'the send call', losses: 3, frames: 15 },
    { row: 0, stage: 'outage', end: null, cause: 'the sender was started again', losses: 1, frames: 395 },
  ];
  const said = failureOf([{ data: { run: { ...run, rows: [{ ...row, reason }] }, causes } }]);
  expect(said).toMatch(
    /: FAIL , no new picture for 13\.2 s.* About 395 frames \(an estimate\), outage: the sender was started again $/,
  );
  expect(said).not.toContain('the send call');
});

test('of several runs it is the first of all, with the number of its run', () => {
  const runs = [
    { number: 1, data: failing(15, ['PASS', 'FAIL']) },
    { number: 2, data: failing(11, ['PASS', 'INVALID']) },
  ];
  expect(failureOf(runs)).toMatch(/ Run 2, Row 1, 1 stream, 14:43:21\.000 UTC.* cause of 1 $/);
});

test('a row that was measured again counts nowhere on page one, and stays in the table', () => {
  const clean = recorded('stream-load-clean');
  const [baseline, ...rows] = clean.run.rows;
  const [first] = rows;
  if (!baseline || !first) throw new Error('the recorded run has a row with a stream');
  const spoilt: Row = {
    ...{ ...first, label: replacedLabel(first.index + 1), verdict: 'INVALID' },
    figures: { ...first.figures, framesDropped: 74 },
  };
  const behind = rows.map((row) => ({ ...row, index: row.index + 1 }));
  const data = { ...clean, run: { ...clean.run, rows: [baseline, spoilt, ...behind] } };
  const text = firstPage(data);
  expect(text).not.toContain('First row that did not pass');
  expect(text).not.toMatch(/replaced|Frames lost or not sent/);
  const markup = renderToStaticMarkup(<Report data={data} />);
  const [page = '', others = ''] = markup.split('</header>');
  const titles = (part: string): number => part.split('replaced by row 2').length - 1;
  expect(titles(page)).toBe(0);
  expect(others).toMatch(/data-testid="study-table".*replaced by row 2/s);
  const charts = markup.match(/<figure.*?<\/figure>/gs) ?? [];
  expect(charts.length).toBeGreaterThan(0);
  expect(charts.join()).not.toContain('replaced by row 2');
});

test('of a mix page one has the sources and formats that were played, not the format that a run has by itself', () => {
  const data = recorded('stream-load-clean');
  const mix = ['white-line 640×360@30', 'noise 320×180@30'];
  const sources = [
    { kind: 'white-line', format: '640x360@30' },
    { kind: 'noise', format: '320×180@30' },
  ];
  const parameters = { ...data.run.parameters, mix, source: 'white-line', format: '1280x720@60' };
  const environment = { ...data.run.environment, source: sources[0], sources };
  const text = firstPage({ ...data, run: { ...data.run, parameters, environment } });
  expect(text).toContain('Source white-line, noise Format 640×360@30, 320×180@30 ');
  expect(text).not.toContain('1280x720');
});

test('who tested for whom stands there where it is set, and no empty name where it is not', () => {
  const header = { ...noReportHeader, logoDataUrl: 'data:image/png;base64,AA==' };
  const names = /Project|Client|Operator/;
  expect(firstPage(recorded('stream-load-clean'))).not.toMatch(names);
  expect(firstPage(recorded('stream-load-clean'), header)).not.toMatch(names);
  const set = { ...header, project: 'Hall 3', client: 'متحف', operator: '<b>J.</b> & N.' };
  expect(firstPage(recorded('stream-load-clean'), set)).toContain(
    'Project Hall 3 Client متحف Operator <b>J.</b> & N.',
  );
  const markup = renderToStaticMarkup(<Report data={recorded('stream-load-clean')} header={header} />);
  expect(markup).toContain('src="data:image/png;base64,AA=="');
});

test('page one of a watch says in which format, from which machine and by which rules', () => {
  const data = recorded('watch');
  const parameters = { ...data.run.parameters, failOnWarn: true, maxDuplicates: '1', maxReordered: '0' };
  const environment = { ...data.run.environment, receivedFormats: ['640x360@30'] };
  const rows = data.run.rows.map((row) => ({
    ...row,
    subjects: row.subjects.map((subject) => ({ ...subject, hosts: { sender: 'render-7' } })),
  }));
  const text = firstPage({ ...data, run: { ...data.run, parameters, environment, rows } });
  expect(text).toContain('Format 640×360@30');
  expect(text).toContain('Sending machines render-7 Senders');
  expect(text).toContain('Rules WARN is FAIL, at most 1 frame duplicated, at most 0 frames out of order');
});

test('page one of a run says by which rules of a test it was judged', () => {
  const data = recorded('stream-load-clean');
  const gates = { maxReordered: 0, failOnWarn: true } as const;
  expect(firstPage({ ...data, run: { ...data.run, gates } })).toContain(
    'Rules WARN is FAIL, at most 0 frames out of order',
  );
  expect(firstPage(data)).not.toContain('Rules');
});

test('a run that goes on, or was interrupted, says so', () => {
  const data = recorded('stream-load-clean');
  const of = (state: ReportData['run']['state']): string =>
    firstPage({ ...data, run: { ...data.run, state, endedAt: null, verdict: null } });
  expect(of('running')).toContain('State still running');
  expect(of('interrupted')).toContain('State interrupted: the measuring process ended');
  expect(firstPage(data)).not.toContain('State');
});

test.each(['watch', 'live', 'preflight', 'link', 'matrix', 'nmos-scale'])(
  'page one of %s names the machine and the state of what it measured',
  (name) => {
    const data = recorded(name);
    const text = firstPage(data);
    expect(text).toContain(data.run.verdict ?? '');
    expect(text).toContain('Machines ');
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  },
);

test('a run of which each row is INVALID has its definitions on the screen alone', () => {
  const data = recorded('stream-load-clean');
  const [baseline, ...rows] = data.run.rows;
  if (!baseline) throw new Error('the recorded run has a baseline');
  const isPrinted = (...verdicts: Row['verdict'][]): boolean => {
    const judged = rows
      .slice(0, verdicts.length)
      .map((row, index) => ({ ...row, verdict: verdicts[index] ?? null }));
    const run = { ...data.run, rows: [baseline, ...judged] };
    const markup = renderToStaticMarkup(<Report data={{ ...data, run }} />);
    expect(markup).toContain('data-testid="definitions"');
    return !markup.includes(texts.report.notDefined);
  };
  expect(isPrinted('INVALID', 'INVALID')).toBe(false);
  expect(isPrinted('PASS', 'INVALID')).toBe(true);
});
