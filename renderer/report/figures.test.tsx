import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, expect, test } from 'vitest';
import { machineClock } from '../../app/engine/clock';
import { reportData } from '../../app/engine/reports/html';
import { readRun } from '../../app/engine/sessions/read-run';
import { Recorder } from '../../app/engine/sessions/recorder';
import { WallClock } from '../../app/engine/wall-clock';
import { declarations } from '../../app/experiments/declarations';
import { histogramSchema } from '../../app/facts/distribution';
import type { Figure, Figures } from '../../app/facts/figure';
import { type Loss, lossStages } from '../../app/facts/loss';
import type { ClosedRow } from '../../app/facts/row';
import type { StreamSubject } from '../../app/facts/stream-row';
import { exampleRow, exampleRun } from '../../app/testing/example-run';
import { loadSample } from '../../app/testing/load-sample';
import { everyRow, figuresIn, plain, type ShownFigure, wrongFigures } from '../../app/testing/shown-figures';
import { texts } from '../texts';
import { Report } from './report';

const root = mkdtempSync(join(tmpdir(), 'whiteline-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A run folder of these rows; the folder is what the report is compared with. */
function folderOf(experiment: string, rows: readonly ClosedRow[]): string {
  const folder = join(root, `${experiment}-${Math.random()}`);
  const { title, command, thresholds } = exampleRun([]);
  const recorder = new Recorder({
    wall: new WallClock(machineClock),
    folder,
    start: {
      ...{
        experiment,
        title,
        command,
        thresholds,
        parameters: { source: 'clip & co.mov', holdSeconds: 7.25 },
      },
      environment: {
        hosts: [
          { hostName: 'rack-04', drives: [{ model: 'WD <Black>', sizeGb: 931 }] },
          { hostName: 'wall' },
        ],
      },
    },
    derive: async () => undefined,
    onProblem: (problem) => {
      throw problem;
    },
  });
  for (let second = 0; second < 20; second++) recorder.sample(loadSample({ wallMs: 1.7e12 + second * 1000 }));
  for (const row of rows) recorder.row(row);
  recorder.end('finished', 'FAIL', 'the one sentence');
  return folder;
}

function markupOf(folder: string): string {
  return renderToStaticMarkup(<Report data={JSON.parse(JSON.stringify(reportData(folder, false)))} />);
}

function lossOf(index: number, frames: number): Loss {
  const at = new Date(1.7e12 + index * 500).toISOString();
  return {
    ...{
      stage: lossStages[index % lossStages.length] ?? 'sender',
      firstFrame: index,
      lastFrame: index + frames,
    },
    ...{
      frames,
      startedAt: at,
      endedAt: at,
      streamsTogether: 1,
      text: `${frames} frames; cause ${'abc'[index % 3]}`,
    },
  };
}

/** Of these figures each is another, so that one that stands in another's place is found. */
function distinct<Of extends Figures>(figures: Of, seed: { next: number }): Of {
  const kept = ['streams', 'codeHealthMin', 'firstFrame', 'lastFrame'];
  const change = (id: string, figure: Figure): Figure =>
    typeof figure === 'number' && !kept.includes(id) && (figure === 0 || figure > 1)
      ? ++seed.next * 3
      : figure;
  return Object.fromEntries(Object.entries(figures).map(([id, figure]) => [id, change(id, figure)])) as Of;
}

function streamRows(): ClosedRow[] {
  const seed = { next: 1000 };
  return [0, 1, 2, 3].map((index) => {
    const row = exampleRow(index);
    const { sender = {}, receiver = {} } = row.load['rack-04'] ?? {};
    const [stream] = exampleRow(1).subjects;
    if (!stream) throw new Error('an example row has a stream');
    const subjects = Array.from(
      { length: index },
      (_, at): StreamSubject => ({
        ...stream,
        ...{ id: String(at + 1), name: `Whiteline ${at + 1}` },
        figures: distinct(stream.figures, seed),
        losses: Array.from({ length: 4 }, (_, lossIndex) => lossOf(lossIndex + at, index * 10 + at)),
      }),
    );
    const own = {
      'streamLoad.machineCpuPerStreamPercent': index + 0.125,
      'streamLoad.networkAddedMbps': null,
    };
    return {
      ...row,
      step: { streams: index },
      figures: { ...distinct(row.figures, seed), ...own },
      load: { 'rack-04': { sender: distinct(sender, seed), receiver: distinct(receiver, seed) } },
      subjects,
    };
  });
}

function rowsOfColumns(experiment: string): ClosedRow[] {
  const declaration = declarations.find(({ id }) => id === experiment);
  return [0, 1, 2].map((index) => ({
    ...{ index, label: `Size ${index}`, reason: [], verdict: 'PASS', subjects: [], load: {} },
    ...{ from: '2026-11-21T19:00:00.000Z', to: '2026-11-21T19:00:10.000Z', step: {} },
    figures: {
      measuredSeconds: 10,
      ...Object.fromEntries(
        (declaration?.columns ?? []).map(({ metric }, column) => [
          metric,
          // Of each kind that a value can be, and some not measured.
          [index * 1000 + column + 0.0625, index * 7 + column, null, `word ${column}`, true][
            (index + column) % 5
          ] ?? null,
        ]),
      ),
    },
    notMeasured: {},
  }));
}

test('every figure of the report is that of the run folder, and none is missing: streams', () => {
  const folder = folderOf('stream-load', streamRows());
  const markup = markupOf(folder);
  const figures = figuresIn(markup);
  expect(figures.length).toBeGreaterThan(400);
  expect(wrongFigures(figures, folder)).toEqual([]);
  // Each row has it in the table and in the chart, once each.
  expect(figures.filter(({ metric }) => metric === 'streamLoad.machineCpuPerStreamPercent').length).toBe(8);
});

test.each([0, 1, 2])(
  'what a display window showed stands there where it showed streams in %i rows',
  (shown) => {
    const rows = streamRows().slice(1, 3);
    for (const [index, { subjects }] of rows.entries())
      for (const { figures } of subjects) figures.framesDisplayShown = index < shown ? 59 : null;
    const [, section = ''] = markupOf(folderOf('stream-load', rows)).split(`>${texts.display.shown}</h2>`);
    const of = new Set(
      figuresIn(section).flatMap(({ metric, row }) => (metric === 'framesDisplayShown' ? row : [])),
    );
    expect(of.size).toBe(shown);
  },
);

test('the command that repeats a run is one that can be typed in a clone', () => {
  const folder = folderOf('stream-load', streamRows());
  const [, command = ''] = /<pre class="\w*command\w*">(.*?)<\/pre>/s.exec(markupOf(folder)) ?? [];
  expect(command.replace(/<[^>]*>/g, '')).toBe('npm run whiteline -- run stream-load --max-streams 1');
  // Each word is one: a line never ends within a flag.
  expect(command).toMatch(/<span[^>]*>--max-streams <\/span>/);
});

const withoutStreams = declarations.filter(
  ({ columns }) => !columns.some(({ metric }) => metric === 'streams'),
);

test.each(withoutStreams.map(({ id }) => id))(
  'every figure of the report is that of the run folder, and none is missing: %s in rows of its own',
  (id) => {
    const folder = folderOf(id, rowsOfColumns(id));
    const figures = figuresIn(markupOf(folder));
    expect(wrongFigures(figures, folder)).toEqual([]);
  },
);

test('a figure that is wrong, of no row, or not there is found', () => {
  const folder = folderOf('stream-load', streamRows());
  const figures = figuresIn(markupOf(folder));
  const at = figures.findIndex(({ metric, row }) => metric === 'framesReceived' && row === '2');
  const figure = figures[at];
  if (!figure) throw new Error('the report shows received frames');
  const other = (change: Partial<ShownFigure>) => [
    ...figures.slice(0, at),
    { ...figure, ...change },
    ...figures.slice(at + 1),
  ];
  expect(wrongFigures(other({ text: '1' }), folder)).toHaveLength(1);
  expect(wrongFigures(other({ text: `${figure.text}.0` }), folder)).toHaveLength(1);
  expect(wrongFigures(other({ text: '—' }), folder)).toHaveLength(1);
  expect(wrongFigures(other({ row: '9' }), folder).length).toBeGreaterThan(0);
  const without = figures.filter(({ metric, row }) => !(metric === 'framesReceived' && row === '2'));
  expect(wrongFigures(without, folder).length).toBeGreaterThan(0);
});

test('losses by cause and stage add up to those of the rows', () => {
  const folder = folderOf('stream-load', streamRows());
  const markup = markupOf(folder);
  for (const row of readRun(folder).rows) {
    const losses = row.subjects.flatMap((stream) => stream.losses ?? []);
    const lines = [
      ...markup.matchAll(/<tr data-row="(\d+)" data-stage="([\w-]+)" data-cause="([^"]*)">(.*?)<\/tr>/g),
    ].filter(([, of]) => of === String(row.index));
    const counted = (kind: string): number =>
      lines.reduce(
        (sum, [, , , , cells = '']) =>
          sum + Number(new RegExp(`data-count="${kind}">([\\d,]+)<`).exec(cells)?.[1]?.replace(',', '')),
        0,
      );
    expect(counted('losses')).toBe(losses.length);
    const frames = losses.reduce((sum, loss) => sum + loss.frames, 0);
    expect(counted('frames')).toBe(frames);
    const total = new RegExp(`data-lost-row="${row.index}">([\\d,]+)<`).exec(markup)?.[1];
    expect(Number(total?.replace(',', '') ?? 0)).toBe(frames);
  }
});

test('histograms hold every bin of the rows, and no other', () => {
  const folder = folderOf('stream-load', streamRows());
  const markup = markupOf(folder);
  for (const row of readRun(folder).rows.slice(1)) {
    const histograms = Object.entries(row.figures).filter(([id]) => id.endsWith('.histogram'));
    expect(histograms).toHaveLength(3);
    for (const [id, figure] of histograms) {
      const svg =
        new RegExp(`<svg[^>]*data-row="${row.index}" data-histogram="${id}">(.*?)</svg>`).exec(markup)?.[1] ??
        '';
      const shown = [...svg.matchAll(/data-bin="(\d+)" data-count="(\d+)"/g)].map(([, bin, count]) => [
        Number(bin),
        Number(count),
      ]);
      const { firstBin, counts } = histogramSchema.parse(figure);
      const recorded = counts.flatMap((count, index) => (count > 0 ? [[firstBin + index, count]] : []));
      expect(recorded.length).toBeGreaterThan(0);
      expect(shown).toEqual(recorded);
    }
  }
});

test('what is shown is defined, and parameters, thresholds and every host are there', () => {
  const folder = folderOf('stream-load', streamRows());
  const markup = markupOf(folder);
  const defined = new Set([...markup.matchAll(/data-definition="([^"]*)"/g)].map(([, id]) => id));
  const shown = new Set(figuresIn(markup).flatMap(({ metric, row }) => (row === everyRow ? [] : [metric])));
  expect([...shown].filter((metric) => !defined.has(metric))).toEqual([]);
  const drawn = new Set([...markup.matchAll(/data-(?:histogram|series)="([^"]*)"/g)].map(([, id]) => id));
  expect([...defined].filter((id = '') => !shown.has(id) && !drawn.has(id))).toEqual([]);
  const text = plain(markup.replace(/<[^>]*>/g, '\n'));
  const { thresholds } = readRun(folder);
  for (const value of [
    'clip & co.mov',
    '7.25',
    'rack-04',
    'wall',
    'WD <Black>',
    '931',
    ...Object.values(thresholds).map(String),
  ])
    expect(text).toMatch(new RegExp(`(^|[\\s ])${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}($|\\s)`, 'm'));
  expect(text.indexOf('the one sentence')).toBeLessThan(text.indexOf('Results'));
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});
