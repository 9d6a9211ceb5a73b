import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { metrics } from '../../protocol/metrics/registry';
import { rowValue } from '../../protocol/metrics/row-value';
import { isStreamRow, type RunRow } from '../../protocol/row';
import type { Run } from '../../protocol/run';
import { readEvents, readRun, readSamples, runFiles } from './read-run';

/** What version 1 of the format recorded, and what it said then: test-content/runs-v1/README.md. */
const root = resolve('test-content/runs-v1');
type Figures = Record<string, number | string | boolean>;
interface Recorded {
  verdict: Run['verdict'];
  events: number;
  samples: number;
  rows: { verdict: string; figures: Figures; streams: Record<string, Figures> }[];
}
const recorded: Record<string, Recorded> = JSON.parse(readFileSync(join(root, 'figures.json'), 'utf8'));

function figuresOf(row: object): Figures {
  const measured = metrics.map(({ id }) => [id, rowValue(row, id)] as const);
  return Object.fromEntries(
    measured.filter((figure): figure is [string, Figures[string]] => figure[1] !== null),
  );
}

function rowOf(row: RunRow): Recorded['rows'][number] {
  const streams = isStreamRow(row) ? row.perStream : [];
  return {
    verdict: row.verdict,
    figures: figuresOf(row),
    streams: Object.fromEntries(streams.map((stream) => [stream.name, figuresOf(stream)])),
  };
}

test.each(Object.entries(recorded))(
  '%s: a run of version 1 opens with every figure that it had',
  (name, then) => {
    const folder = join(root, name);
    const run = readRun(folder);
    expect(run.missing).toBeUndefined();
    expect({
      verdict: run.verdict,
      events: readEvents(folder).length,
      samples: readSamples(folder).length,
      rows: run.rows.map(rowOf),
    }).toEqual(then);
    expect(run).toEqual(JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8')));
  },
);
