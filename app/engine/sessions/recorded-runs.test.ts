import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { withPresentNames } from '../../experiments/parameter-names';
import { recordMetrics } from '../../facts/metrics/records';
import { metrics } from '../../facts/metrics/registry';
import type { Row } from '../../facts/row';
import { type Figured, scalarOf } from '../../facts/row-figures';
import type { Run } from '../../facts/run';
import { readEvents, readRun, readSamples, runFiles } from './read-run';

/** What was recorded on real machines, and every figure of it: test-content/runs/README.md. */
const root = resolve('test-content/runs');
type Figures = Record<string, number | string | boolean>;
interface Recorded {
  verdict: Run['verdict'];
  events: number;
  samples: number;
  rows: { verdict: string; figures: Figures; streams: Record<string, Figures> }[];
}
const recorded: Record<string, Recorded> = JSON.parse(readFileSync(join(root, 'figures.json'), 'utf8'));

const listed = metrics.filter((metric) => !recordMetrics.includes(metric));

function figuresOf(of: Figured): Figures {
  const measured = listed.map(({ id }) => [id, scalarOf(of, id)] as const);
  return Object.fromEntries(
    measured.filter((figure): figure is [string, Figures[string]] => figure[1] !== null),
  );
}

function rowOf(row: Row): Recorded['rows'][number] {
  const { subjects, verdict } = row;
  return {
    verdict: verdict ?? 'open',
    figures: figuresOf(row),
    streams: Object.fromEntries(subjects.map((stream) => [stream.name, figuresOf(stream)])),
  };
}

test.each(Object.entries(recorded))(
  '%s: a recorded run opens with every figure that it had',
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
    const said = JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'));
    const parameters = withPresentNames(said.experiment, said.parameters);
    expect(run).toEqual({ ...said, parameters });
  },
);
