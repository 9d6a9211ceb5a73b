import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { declarations } from '../../app/experiments/declarations';
import type { Row } from '../../app/facts/row';
import { verdicts } from '../../app/facts/verdict';
import type { EngineState } from '../../app/protocol/console';
import { rowOf } from '../testing/fixtures';
import { offers } from '../testing/offers';
import { texts } from '../texts';
import { streamsRunOf } from './streams-run';
import { VerdictTile } from './verdict-tile';

function runOf(experiment: string): EngineState['run'] {
  return { id: '1', experiment, folder: 'run', title: 'Run', verdict: 'WARN', reason: '' };
}

const engine: EngineState = {
  cleanTime: null,
  ...{
    mode: 'idle',
    transport: null,
    transportLoading: false,
    receivingHost: 0,
    sendingHost: 0,
    source: null,
    streams: [],
  },
  ...{
    machine: { hostName: 'here', cpuModel: 'CPU', cores: 2 },
    run: null,
    progress: null,
    making: null,
    adding: null,
  },
  ...{ thresholdProfile: 'study', consoleSession: '', alerts: [], nmosNode: { is: 'off' } },
};

const tableRow: Row = {
  ...{ index: 0, label: 'MTU', from: '', to: '', step: {}, figures: {}, subjects: [], load: {} },
  ...{ notMeasured: {}, verdict: 'WARN', reason: [] },
};

test('the Streams screen shows the verdict of runs with streams, and of no other', () => {
  const shown = (experiment: string, rows = [rowOf(1)], known: typeof offers | null = offers) =>
    streamsRunOf({ engine: { ...engine, run: runOf(experiment) }, rows, offers: known })?.experiment;
  for (const experiment of ['live', 'stream-load', 'transport']) expect(shown(experiment)).toBe(experiment);
  for (const experiment of ['preflight', 'storage', 'link']) expect(shown(experiment, [])).toBeUndefined();
  const before = { engine: { ...engine, run: runOf('preflight') }, rows: [tableRow], offers: null };
  expect(streamsRunOf(before)).toBeNull();
  expect(shown('live', [rowOf(1)], null)).toBe('live');
  expect(streamsRunOf({ engine: null, rows: [], offers: null })).toBeNull();
});

test('a tile without a run has no verdict, and one of a preflight has no word of frames', () => {
  expect(renderToStaticMarkup(<VerdictTile run={null} />)).toContain(texts.verdict.none);
  const markup = renderToStaticMarkup(<VerdictTile run={runOf('preflight')} />);
  expect(markup).toContain('its answer is unknown');
  expect(markup).not.toMatch(/frame/);
});

test.each(declarations.map(({ id }) => id))('the words of a verdict of %s belong to it', (experiment) => {
  const meanings = texts.verdict.wordsOf(experiment);
  const isOfFrames = !['preflight', 'storage', 'link'].includes(experiment);
  expect(new Set(Object.values(meanings)).size).toBe(verdicts.length);
  for (const verdict of verdicts) if (!isOfFrames) expect(meanings[verdict]).not.toMatch(/frame|stream/i);
});
