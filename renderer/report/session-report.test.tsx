import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { chosenGroup, GroupReader, type RunGroup, sessionGroup } from '../../app/engine/reports/run-group';
import { sessionReportData } from '../../app/engine/reports/session-page';
import { readRun } from '../../app/engine/sessions/read-run';
import { declarations } from '../../app/experiments/declarations';
import { metricFor } from '../../app/facts/metrics/registry';
import { scalarOf } from '../../app/facts/row-figures';
import { exampleRow } from '../../app/testing/example-run';
import { recordRun } from '../../app/testing/recorded-run';
import { figuresIn, plain, wrongFigures } from '../../app/testing/shown-figures';
import { temporaryFolder } from '../../app/testing/temporary-folder';
import { valueFigure } from '../format';
import { texts } from '../texts';
import { missingFigures, missingText } from './report-data';
import { SessionReport } from './session-report';

const root = temporaryFolder();
const recorded = resolve('test-content/runs');

function markupOf(group: RunGroup, most?: number): string {
  const data = sessionReportData(new GroupReader(group), most);
  return renderToStaticMarkup(<SessionReport data={JSON.parse(JSON.stringify(data))} />);
}

/** The sections of the runs, in their order. */
function runsIn(markup: string): string[] {
  return [...markup.matchAll(/<article[^>]*>(.*?)<\/article>/gs)].map(([, inside = '']) => inside);
}

/** Figures of a run in the tables in which it stands beside others. */
function besideOf(markup: string, run: number) {
  const tables = [...markup.matchAll(/data-testid="repeats">(.*?)<\/div>/gs)].map(([, table = '']) => table);
  const lines = tables.flatMap((table) => table.match(/<tr data-row=.*?<\/tr>/gs) ?? []);
  return lines.filter((line) => line.includes(`>Run ${run}, row `)).flatMap(figuresIn);
}

function textOf(markup: string): string {
  return plain(markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
}

test('every figure of every run stands in its section as it was recorded', () => {
  const folders = [...declarations.map(({ id }) => id), 'stream-load-clean'].map((name) =>
    join(recorded, name),
  );
  const markup = markupOf(chosenGroup(folders));
  const sections = runsIn(markup);
  expect(sections).toHaveLength(folders.length);
  for (const [index, folder] of folders.entries()) {
    const shown = [...figuresIn(sections[index] ?? ''), ...besideOf(markup, index + 1)];
    // Beside other runs the number of streams is the name of the step, and no figure.
    const isName = (problem: string): boolean => /^row \d+: streams is missing$/.test(problem);
    expect(
      wrongFigures(shown, folder).filter((problem) => !isName(problem)),
      folder,
    ).toEqual([]);
    // What has no figure is named with the reason.
    for (const one of missingFigures(readRun(folder)))
      expect(textOf(sections[index] ?? ''), folder).toContain(`${one.reason} ${missingText(one)}`);
  }
});

test('page one has the verdict and the sentence of each run, and each once', () => {
  const markup = markupOf(sessionGroup(join(recorded, 'session')));
  const list = /<table[^>]*data-testid="session-runs">(.*?)<\/table>/s.exec(markup)?.[1] ?? '';
  const lines = [...list.matchAll(/<tr data-session-run="(\d)">(.*?)<\/tr>/gs)];
  const names = ['01-link', '02-one-stream-1', '03-one-stream-2'];
  expect(lines.map(([, number]) => number)).toEqual(['1', '2', '3']);
  for (const [index, name] of names.entries()) {
    const { verdict, reason } = readRun(join(recorded, 'session', name));
    expect(textOf(lines[index]?.[2] ?? '')).toContain(`${verdict} ${reason}`.replace(/\s+/g, ' '));
    expect(markup).toContain(`<a href="#run-${index + 1}">`);
    expect(markup).toContain(`id="run-${index + 1}"`);
  }
  // What all runs share stands there once.
  for (const shared of ['Host render-1', 'How each figure was measured', 'Thresholds of runs 1, 2, 3'])
    expect(textOf(markup).split(shared)).toHaveLength(2);
});

test('runs of one experiment stand beside each other with the figures of each', () => {
  const folder = join(recorded, 'session');
  const markup = markupOf(sessionGroup(folder));
  const beside = markup.slice(markup.indexOf('data-testid="repeats"'), markup.indexOf('<article'));
  const runs = ['02-one-stream-1', '03-one-stream-2'].map((name) => readRun(join(folder, name)));
  const lines = [...beside.matchAll(/<tr data-row="(\d)"[^>]*>(.*?)<\/tr>/gs)];
  // Two tables of two steps with a row of each run.
  expect(lines).toHaveLength(8);
  let figures = 0;
  for (const [, row, line = ''] of lines) {
    const [, number, own] = /Run (\d), row (\d)/.exec(line) ?? [];
    expect(own).toBe(row);
    const run = runs[number === '2' ? 0 : 1];
    for (const { metric: id, text } of figuresIn(line)) {
      const metric = metricFor(id);
      expect(text, id).toBe(valueFigure(scalarOf(run?.rows[Number(row)] ?? { figures: {} }, id), metric));
      figures += 1;
    }
  }
  expect(figures).toBeGreaterThan(60);
});

test('what changed between runs is reported by value, with the runs that had it', () => {
  const hosts = ['rack-1', 'rack-2', 'rack-1'];
  const folders = hosts.map((host, index) => recordRun(join(root, `changed-${index}`), { host }));
  const text = textOf(markupOf(chosenGroup(folders)));
  expect(text).toMatch(/Machine, host name rack-1 runs 1, 3 rack-2 run 2/);
  expect(text).toContain('Machines rack-1; rack-2');
});

test('a test with two sides is titled by what was tested, and repeated by two commands in their order', () => {
  const side = (experiment: string, name: string, command: string): string => {
    const row = exampleRow(1);
    const rows = [{ ...row, subjects: row.subjects.map((subject) => ({ ...subject, name })) }];
    const endedAt = '2026-11-20T10:01:00.000Z';
    const environment = { source: { kind: 'noise', format: '640x360@30' } };
    const set = { inject: 'skip:150-154; miss:60', format: '640x360@30' };
    const played =
      experiment === 'send' ? { environment, parameters: set } : { parameters: { names: [name] } };
    return recordRun(join(root, `two-${experiment}`), { experiment, rows, command, endedAt, ...played });
  };
  const received = side('watch', 'RACK (Hall 1)', "whiteline watch --duration 9 -- 'RACK (Hall 1)'");
  const sent = side('send', 'Hall 1', 'whiteline send --source noise');
  const text = textOf(markupOf(chosenGroup([received, sent])));
  expect(text).toContain('Sender and receiver: noise, 640×360@30');
  expect(text).toContain('Start the sender (run 2) first, then the receiver (run 1)');
  expect(text).toMatch(
    /npm run whiteline -- send --session two-sides --source noise npm run whiteline -- watch --session two-sides --duration 9 -- /,
  );
  expect(text.match(/npm run whiteline/g)).toHaveLength(2);
  expect(text).toContain('Put in on purpose skip:150-154; miss:60');
  expect(text).toContain('The first fault is put into frame 60, 2.0 s after the sender is ready');
  // In any session.
  const third = recordRun(join(root, 'two-third'), { startedAt: '2026-11-20T09:00:00.000Z' });
  const ofThree = textOf(markupOf(chosenGroup([received, third, sent])));
  expect(ofThree).toContain('Sent by run 3, received by run 1');
  expect(ofThree).toContain('These streams were sent by run 3.');
  expect(ofThree).toContain('Start the sender (run 3) first, then the receiver (run 1)');
  // As a file of thresholds has them.
  expect(text).toContain('acceptableLostFrames: 1 lostWindowSeconds: 2');
});

test('where parameters alone differ nothing says that nothing changed, and a profile stands once', () => {
  const group = chosenGroup(['stream-load', 'stream-load-clean'].map((name) => join(recorded, name)));
  const data = sessionReportData(new GroupReader(group));
  const [repeat] = data.repeats;
  if (!repeat) throw new Error('both runs are of one experiment');
  const changed = {
    of: 'parameters',
    path: 'inject',
    name: 'Faults to inject',
    values: ['not set', 'skip:40-44'],
  };
  const differing = { ...data, differences: [], repeats: [{ ...repeat, differences: [changed] }] };
  const text = textOf(renderToStaticMarkup(<SessionReport data={JSON.parse(JSON.stringify(differing))} />));
  expect(text).toContain('What changed between the runs Only parameters, which stand below');
  expect(text).toContain('Faults to inject');
  expect(text).not.toContain('Nothing: all runs');
  expect(text).not.toMatch(/ None\. /);
  expect(text).not.toContain('; study');
});

test('a run that is gone is named, and one that the page has no room for says where it stands', () => {
  const folder = join(root, 'session');
  cpSync(join(recorded, 'session'), folder, { recursive: true });
  rmSync(join(folder, '02-one-stream-1'), { recursive: true });
  const markup = markupOf(sessionGroup(folder), 1000);
  const text = textOf(markup);
  expect(text).toMatch(/2\. One stream 1 \(Stream load\) cannot be read .+ holds no run/);
  expect(runsIn(markup).map((section) => textOf(section))).toEqual([
    expect.stringContaining('This page is full'),
    expect.stringContaining('whiteline report 03-one-stream-2'),
  ]);
  expect(runsIn(markup).join()).not.toContain(`>${texts.report.notMeasured}</h2>`);
});

test('hostile texts are texts', () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const folders = [0, 1].map((index) =>
    recordRun(join(root, `hostile-${index}`), { reason: hostile, host: `${hostile}${index}` }),
  );
  const markup = markupOf(chosenGroup(folders));
  expect(markup).not.toContain('<img');
  expect(textOf(markup)).toContain(hostile);
});
