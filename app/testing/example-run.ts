import { LoadSums } from '../engine/load/load-sums';
import { samplesWithin } from '../engine/load/window';
import { buildRow } from '../engine/streams/rows/row-builder';
import type { RowInput } from '../engine/streams/rows/row-input';
import type { Figures, Step } from '../facts/figure';
import type { Row } from '../facts/row';
import type { Run } from '../facts/run';
import type { RowFigures, StreamFigures, StreamsRow } from '../facts/stream-row';
import type { Verdict } from '../facts/verdict';
import { defaultThresholds } from '../protocol/thresholds';
import { loadSample } from './load-sample';
import { sentence } from './sentence';
import { frameNs, TestStream } from './test-stream';

export function rowInput(overrides: Partial<Omit<RowInput, 'load'>> = {}): RowInput {
  const { fromNs = 1e9, toNs = 3e9, samples = [loadSample()] } = overrides;
  return {
    index: 1,
    ...{ fromNs, toNs, samples },
    load: LoadSums.of(samplesWithin(samples, fromNs, toNs)),
    streams: [],
    standstills: () => [],
    thresholds: defaultThresholds,
    wallOffsetUs: 1.7e15,
    guards: [],
    contradictions: [],
    isSenderRemote: false,
    isBetween: false,
    hostName: 'rack-04',
    explainsLosses: true,
    ...overrides,
  };
}

/** A row of one clean stream at 60 frames a second. */
export function exampleRow(index = 1): StreamsRow {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 179);
  stream.receive(0, 179);
  const measured = stream.measure(counter, 179);
  return buildRow(rowInput({ index, fromNs: frameNs(60), toNs: frameNs(180), streams: [measured] }));
}

/** What a test has otherwise in a row than the example has. */
export interface RowChanges
  extends Partial<Pick<StreamsRow, 'label' | 'verdict' | 'subjects' | 'notMeasured'>> {
  reason?: string;
  streams?: number;
  step?: Step;
  figures?: Figures & Partial<RowFigures>;
  /** Of the load on the machine of the example. */
  sender?: Figures;
  receiver?: Figures;
}

export function changedRow(row: StreamsRow, changes: RowChanges): StreamsRow {
  const { reason, streams = row.step.streams, step, figures, sender, receiver, ...others } = changes;
  const load = Object.entries(row.load).map(([host, roles]) => [
    host,
    {
      ...roles,
      ...(sender && { sender: { ...roles.sender, ...sender } }),
      ...(receiver && { receiver: { ...roles.receiver, ...receiver } }),
    },
  ]);
  return {
    ...row,
    ...others,
    ...(reason !== undefined && { reason: sentence(reason) }),
    step: { ...row.step, ...step, streams },
    figures: { ...row.figures, ...figures },
    load: Object.fromEntries(load),
  };
}

/** The example with other figures, and perhaps another verdict, of its one stream. */
export function changedStream(
  row: StreamsRow,
  figures: Figures & Partial<StreamFigures>,
  verdict?: Verdict,
): StreamsRow {
  const subjects = row.subjects.map((stream) => ({
    ...stream,
    figures: { ...stream.figures, ...figures },
    verdict: verdict ?? stream.verdict,
  }));
  return { ...row, subjects };
}

export function exampleRun(rows: Row[] = [exampleRow()]): Run {
  return {
    schema: 'whiteline-run/2',
    id: '2026-11-21T00-00-00-000Z',
    experiment: 'stream-load',
    title: 'Stream load',
    state: 'finished',
    startedAt: '2026-11-21T00:00:00.000Z',
    endedAt: '2026-11-21T00:01:00.000Z',
    parameters: { maxStreams: 1 },
    command: 'whiteline run stream-load --max-streams 1',
    thresholds: { ...defaultThresholds },
    environment: {},
    rows,
    verdict: 'PASS',
    reason: '1 stream ran without loss',
  };
}
