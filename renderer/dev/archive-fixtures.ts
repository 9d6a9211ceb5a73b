import type { ArchivedRun, ComparedRuns, OpenedRun, OpenedSession } from '../../app/protocol/archive';
import type { Scalar } from '../../app/protocol/figure';
import type { ComparedFigure, ComparedStep, Comparison, Standing } from '../../app/protocol/history';
import { metricOf } from '../../app/protocol/metrics/registry';
import type { ReportLoad } from '../../app/protocol/report';
import type { Row } from '../../app/protocol/row';
import { scalarOf, streamsOf } from '../../app/protocol/row-figures';
import type { Run, RunEvent } from '../../app/protocol/run';
import { reasonOfRuns, type SessionRun, verdictOfRuns } from '../../app/protocol/session';
import { defaultThresholds } from '../../app/protocol/thresholds';
import { rowOf, studyRows } from './fixtures';
import { reportLoadOf } from './samples';
import { scenarios } from './scenarios';

/** Recorded runs without an archive. */

export function archivedRun(folder: string, change: Partial<ArchivedRun> = {}): ArchivedRun {
  return {
    id: folder,
    folder,
    experiment: 'stream-load',
    title: 'Stream load',
    state: 'finished',
    startedAt: '2026-11-21T19:00:00.000Z',
    endedAt: '2026-11-21T19:01:10.000Z',
    verdict: 'PASS',
    reason: '4 streams of 1280×720@60 carried without losing a frame.',
    command: 'whiteline run stream-load --source white-line --format 1280x720@60',
    thresholdProfile: 'default',
    rows: 6,
    hosts: ['rack-04'],
    notes: [],
    isBaseline: false,
    ...{ session: null, sessionName: null },
    ...change,
  };
}

export const archivedRuns: ArchivedRun[] = [
  archivedRun('2026-11-21T19-00-00', {
    verdict: 'FAIL',
    reason: '4 streams of 1280×720@60 carried; the 5th made the sender miss 21 frames/s at 98.7 % CPU.',
  }),
  archivedRun('2026-11-21T18-20-00', { title: 'New switch, jumbo frames off', isBaseline: true }),
  ...['16', '14', '11', '09'].map((hour) =>
    archivedRun(`2026-11-21T${hour}-40-00`, {
      ...{
        title: `New switch, port ${hour}`,
        startedAt: `2026-11-21T${hour}:40:00.000Z`,
        ...{ session: 'new-switch', sessionName: 'New switch' },
      },
      endedAt: `2026-11-21T${hour}:41:10.000Z`,
    }),
  ),
  archivedRun('2026-11-21T17-05-00', {
    experiment: 'link',
    title: 'Link',
    verdict: 'WARN',
    reason: 'TCP carried 8,912 Mb/s of 10,000; 3 segments were sent again.',
    hosts: ['rack-04', 'stage-left-receiver'],
    rows: 4,
  }),
  archivedRun('2026-11-20T09-41-00', {
    experiment: 'live',
    title: 'Live',
    state: 'interrupted',
    verdict: 'INVALID',
    endedAt: null,
    reason:
      'Our own receiver was late while the machine was at 52 % load, so nothing is said of the network.',
  }),
  archivedRun('2026-11-19T14-12-00', {
    experiment: 'storage',
    title: 'Storage',
    state: 'aborted',
    verdict: null,
    reason: '',
    rows: 0,
  }),
];

type Figure = Scalar | undefined;

function rowsOf(folder: string, index = 1): Row[] {
  if (folder === archivedRuns[0]?.folder) return studyRows;
  return [0, 1, 2, 3, 4].map((streams) => rowOf(streams, { cpu: 7 + streams * (8.5 + index) }));
}

/** Repeats lie a little apart, so that not every difference counts. */
const noise = 1.2;

function beside(a: Figure, b: Figure): ComparedFigure['runs'][number] {
  const hasBoth = typeof a === 'number' && typeof b === 'number';
  const difference = hasBoth ? b - a : null;
  const standing = (): Standing => {
    if (difference === null) return 'unknown';
    if (difference === 0) return 'same';
    if (Math.abs(difference) < noise) return 'noise';
    return difference < 0 ? 'better' : 'worse';
  };
  const changePercent = hasBoth && a !== 0 ? (100 * (b - a)) / a : null;
  return { value: b ?? null, perSecond: null, repeats: 3, noise, changePercent, standing: standing() };
}

function loadOf(speed: number): ReportLoad {
  const scenario = { ...scenarios.table, loadPerStream: speed };
  const now = Date.now();
  return reportLoadOf(scenario, now - 180_000, now);
}

/** A grey picture, as small as one can be. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export function openedRun(summary: ArchivedRun): OpenedRun {
  const { folder, session: _, isBaseline: __, hosts, notes, ...facts } = summary;
  const at = summary.startedAt;
  const run: Run = {
    ...facts,
    schema: 'whiteline-run/2',
    parameters: { source: 'white-line', format: '1280x720@60', audio: true },
    thresholds: { ...defaultThresholds },
    environment: { hosts: hosts.map((hostName) => ({ hostName, cores: 32, cpu: 'AMD Ryzen 9 7950X' })) },
    rows: summary.rows === 0 ? [] : rowsOf(folder),
  };
  const reported = notes.map((text) => ({ at, kind: 'note' as const, text }));
  return {
    summary,
    run,
    load: loadOf(14),
    marks: [],
    causes: [],
    leftOut: [],
    notes: [{ at, kind: 'marker', text: 'Cable 7 was moved to port 12' }, ...reported],
    pictures: [{ at, name: 'pictures/rack.png', caption: 'The rack', dataUrl: picture }],
    picturesLeftOut: [],
  };
}

export function openedSession(name: string, runs: ArchivedRun[]): OpenedSession {
  const [{ startedAt = '', endedAt = null } = {}] = runs;
  const entries = runs.map(
    ({ folder, experiment, title, state, verdict, reason }): SessionRun => ({
      ...{ folder, experiment, name: title, state, verdict, reason },
    }),
  );
  const waiting = { folder: 'last', experiment: 'storage', name: 'Storage', verdict: null, reason: '' };
  const all: SessionRun[] = [...entries, { ...waiting, state: 'waiting' }];
  const facts = { id: name, name, state: 'aborted' as const, startedAt, endedAt, runs: all };
  return {
    session: {
      schema: 'whiteline-session/1',
      ...facts,
      ...{ verdict: verdictOfRuns(all), reason: reasonOfRuns(all) },
    },
    runs: [...runs, null],
  };
}

/** More than fit on a page. */
export function eventsOf({ title, reason, startedAt }: ArchivedRun): RunEvent[] {
  const at = (second: number): string => new Date(Date.parse(startedAt) + second * 1000).toISOString();
  const lost = Array.from({ length: 1200 }, (_, second): RunEvent => {
    return {
      at: at(second),
      kind: 'frames-lost',
      text: `1 frame was lost on the way, number ${second * 60}`,
    };
  });
  return [
    { at: at(0), kind: 'run-started', text: title },
    { at: at(0), kind: 'stream-added', text: 'Stream 1', streamId: 1 },
    ...lost,
    { at: at(1200), kind: 'run-ended', text: reason },
  ];
}

const comparedMetrics = ['sender.cpuMaxPercent', 'receiver.networkMaxMbps', 'framesDropped', 'latencyMs.p99'];

export function comparedRuns(first: ArchivedRun, ...others: ArchivedRun[]): ComparedRuns {
  const all = [first, ...others];
  const rows = all.map((run, index) => rowsOf(run.folder, index));
  const streams = [0, 1, 2, 3, 4, 5];
  const steps = streams.map((step): ComparedStep => {
    const own = rows.map((ofRun) => ofRun.find((row) => streamsOf(row) === step));
    return {
      step: { streams: step },
      label: `Streams ${step}`,
      verdicts: own.map((row) => row?.verdict ?? null),
      standings: own.map((row) => (row?.verdict === own[0]?.verdict ? 'same' : 'unknown')),
      figures: comparedMetrics.map((metric): ComparedFigure => {
        const values = own.map((row) => (row ? scalarOf(row, metric) : null));
        return { metric: metricOf(metric).id, runs: values.map((value) => beside(values[0], value)) };
      }),
    };
  });
  const comparison: Comparison = {
    experiment: first.experiment,
    tolerancePercent: 10,
    title: 'Stream load',
    runs: all,
    differences: [
      {
        ...{ of: 'environment', path: 'hosts.rack-04.cpuGovernor' },
        values: all.map((_, index) => (index === 1 ? 'powersave' : 'performance')),
      },
      {
        ...{ of: 'parameters', path: 'format' },
        values: all.map((_, index) => (index === 0 ? '1280x720@60' : '1280x720@59.94')),
      },
    ],
    steps,
    uncovered: [{ runs: [0], labels: ['Streams 5'] }],
  };
  return {
    comparison,
    runs: all.map((summary, index) => ({ summary, load: loadOf(14 - index * 4), marks: [] })),
    unjudged: [],
    notJudged: [],
    regressions: [
      {
        ...{ run: 1, label: 'Streams 4', metric: 'latencyMs.p99' },
        text: 'Latency p99 15.1 → 17.4 ms (-14.2 %), no repeats to tell noise from',
      },
    ],
  };
}
