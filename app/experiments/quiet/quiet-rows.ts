import { hostname } from 'node:os';
import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import { summarise } from '../../engine/load/window';
import { fewerValuesText } from '../../facts/distribution';
import type { Figures } from '../../facts/figure';
import { reasonOf } from '../../facts/reason-words';
import { figuresWithReasons, ofEach, type ReasonedFigures } from '../../facts/reasoned';
import type { ClosedRow, Subject } from '../../facts/row';
import type { LoadSample } from '../../protocol/load';
import type { CoreScore, ProcessorScoreStatus } from '../../protocol/processor';
import type { Thresholds } from '../../protocol/thresholds';
import { quietContradictions } from './contradictions';
import { quietDeclaration } from './declaration';
import type { HeldBack } from './held-back';
import { judge } from './judgement';
import type { MachineUse } from './machine-watch';
import { wakeUpIds } from './metrics';
import type { WakeUps } from './wake-ups';

/** How many programs are listed. */
const mostPrograms = 5;

const noProc = 'this system does not report the CPU time of its processes, or its number of cores changed';
const noWakeUp = 'the thread did not wake within the row';
const notCounted = 'this kernel does not count them';
const noFrequency =
  'the kernel does not report the processors’ frequency here; a hypervisor or the firmware may set it';
const noThrottles = 'the kernel does not count here how often the processor slows down for heat';
const noSample = 'no load sample lies wholly within the row';
const seeScores = 'see the row of the scores';
const seeWakeUps = 'see the rows of the wake-ups';

export interface MeasuredWakeUps {
  rateHz: number;
  /** Among several. */
  repeat: number | null;
  /** Null: the thread never woke. */
  wakeUps: WakeUps | null;
  heldBack: HeldBack;
  use: MachineUse;
  samples: readonly LoadSample[];
  slowGovernors: readonly string[];
}

/** One rate for one hold time. */
export function wakeUpRow(
  frame: RowFrame & { index: number },
  measured: MeasuredWakeUps,
  thresholds: Thresholds,
): ClosedRow {
  const { rateHz, repeat, wakeUps, heldBack, use, samples, slowGovernors } = measured;
  const stolen = stolenMaxOf(samples);
  const [busiest] = use.programs ?? [];
  const label = `wake-ups at ${rateHz} Hz${repeat === null ? '' : `, repeat ${repeat}`}`;
  const known: ReasonedFigures = {
    'quiet.rateHz': [rateHz],
    // Of wake-ups that there were, the tail alone may be absent.
    ...ofEach(wakeUpIds, (id) => [
      wakeUps?.figures[id] ?? null,
      wakeUps ? fewerValuesText('p999') : noWakeUp,
    ]),
    'quiet.stolenMaxPercent': stolen,
    'quiet.othersCpuPercent': [use.othersPercent, noProc],
    'quiet.busiestProgram': [use.programs ? (busiest?.name ?? '') : null, noProc],
    'quiet.programCpuPercent': [use.programs ? (busiest?.percent ?? 0) : null, noProc],
    'quiet.interruptsPerSecond': [use.interruptsPerSecond, notCounted],
    'quiet.contextSwitchesPerSecond': [use.contextSwitchesPerSecond, notCounted],
    'quiet.frequencyMhz': [use.frequencyMhz, noFrequency],
    'quiet.slowestFrequencyMhz': [use.slowestFrequencyMhz, noFrequency],
    'quiet.throttles': [use.throttles, noThrottles],
    ...ofEach(scoreIds, () => [null, seeScores]),
  };
  const row = tableRow(frame, frame.index, label, undefined);
  return {
    ...withFigures(row, quietDeclaration, known),
    subjects: (use.programs ?? [])
      .slice(0, mostPrograms)
      .map(({ name, percent }) => subject('program', name, name, { 'quiet.programCpuPercent': percent })),
    ...judge(
      {
        ...{ wakeUps, heldBack, use, slowGovernors, stolenMaxPercent: stolen[0], guards: frame.guards },
        contradictions: quietContradictions(wakeUps, use, stolen[0]),
      },
      thresholds,
    ),
  };
}

const useIds = [
  ...['quiet.stolenMaxPercent', 'quiet.othersCpuPercent', 'quiet.busiestProgram', 'quiet.programCpuPercent'],
  ...['quiet.interruptsPerSecond', 'quiet.contextSwitchesPerSecond', 'quiet.frequencyMhz'],
  ...['quiet.slowestFrequencyMhz', 'quiet.throttles'],
];
const scoreIds = ['quiet.integerMsteps', 'quiet.memoryMBps'];

/** What each core does of the reference work. It judges nothing: it is there to be compared. */
export function scoreRow(
  frame: RowFrame & { index: number },
  {
    cores,
    coresInAll,
    problemMessage,
  }: Pick<ProcessorScoreStatus, 'cores' | 'coresInAll' | 'problemMessage'>,
): ClosedRow {
  const unreported = coresInAll === 0 ? 'this system does not let a thread stay on one core' : '';
  const without = cores.find(({ notMeasured }) => notMeasured !== '');
  const why = problemMessage || unreported || (without ? `core ${without.core}: ${without.notMeasured}` : '');
  const slowest = (pick: (score: CoreScore) => number | null): number | null => {
    const known = cores.map(pick).filter((value): value is number => value !== null);
    return known.length > 0 ? Math.min(...known) : null;
  };
  const known = figuresWithReasons({
    'quiet.integerMsteps': [slowest(({ integerMsteps }) => integerMsteps), why],
    'quiet.memoryMBps': [slowest(({ memoryMBps }) => memoryMBps), why],
    ...ofEach(['quiet.rateHz', ...wakeUpIds, ...useIds], () => [null, seeWakeUps]),
  });
  const row = tableRow(frame, frame.index, 'scores of the cores', undefined);
  return {
    ...row,
    figures: { ...row.figures, ...known.figures },
    notMeasured: known.notMeasured,
    subjects: cores.map(({ core, integerMsteps, memoryMBps, notMeasured }) => {
      const figures = { 'quiet.integerMsteps': integerMsteps, 'quiet.memoryMBps': memoryMBps };
      const reasons = notMeasured === '' ? {} : Object.fromEntries(scoreIds.map((id) => [id, notMeasured]));
      return { ...subject('core', String(core), `core ${core}`, figures), notMeasured: reasons };
    }),
    ...(why === ''
      ? { verdict: 'PASS', reason: [] }
      : { verdict: 'WARN', reason: [reasonOf('score-not-measured', { why })] }),
  };
}

function subject(kind: string, id: string, name: string, figures: Figures): Subject {
  return { kind, id, name, hosts: { machine: hostname() }, figures, notMeasured: {} };
}

function stolenMaxOf(samples: readonly LoadSample[]): readonly [percent: number | null, reason: string] {
  const reason = samples.map(({ notMeasured }) => notMeasured.cpuStealPercent).find((text) => text);
  return [summarise(samples.map(({ cpuStealPercent }) => cpuStealPercent))?.max ?? null, reason ?? noSample];
}
