import type { ReportLoad } from '../../app/protocol/report';
import { type ChartSpec, chartSpecs, loadSpecs, machineSpecs } from '../charts/chart-specs';
import { loadColumns } from '../engine/load-history';
import { texts } from '../texts';

const words = texts.report.load;

/** CPU and network of a machine are of all its programs: a reader who was not there takes them for ours. */
const labels = new Map<number, string>([
  [loadColumns.cpuMachine, words.allPrograms],
  [loadColumns.gpu, words.allPrograms],
  [loadColumns.cpuSending, words.sending],
  [loadColumns.cpuReceiving, words.receiving],
]);
/** Of a recorded run each loss is known when it was due, and so is what the sender did not send. */
const titles: Partial<Record<ChartSpec['id'], string>> = {
  network: words.network,
  lost: words.lostOrNotSent,
};

function ofRecordedRun(spec: ChartSpec): ChartSpec {
  const series = spec.series.map((line) => ({
    ...line,
    label: (spec.ring === 'load' && labels.get(line.column)) || line.label,
  }));
  return { ...spec, title: titles[spec.id] ?? spec.title, series };
}

const withStreams = chartSpecs.map(ofRecordedRun);
const withoutStreams = loadSpecs.map(ofRecordedRun);
const ofMachine = machineSpecs.map(ofRecordedRun);

/** The charts over time that have something to draw: of losses, a loss. A run without streams has no frames to wait for or to lose. */
export function heldSpecs(load: ReportLoad): ChartSpec[] {
  const hasStreams = load.columns.at(-1)?.some((lost) => lost !== null) ?? false;
  return held(load, hasStreams ? withStreams : withoutStreams);
}

/** The same of another machine of the run. */
export function heldMachineSpecs(load: ReportLoad): ChartSpec[] {
  return held(load, ofMachine);
}

/** Without lines of which there is no sample, such as that of receiving in a run that only sent. */
function held({ columns }: ReportLoad, specs: readonly ChartSpec[]): ChartSpec[] {
  const isMeasured = (column: number): boolean => columns[column]?.some((value) => value !== null) ?? false;
  return specs.flatMap((spec) => {
    if (spec.ring === 'loss') return columns.at(-1)?.some((lost) => (lost ?? 0) > 0) ? spec : [];
    const series = spec.series.filter(({ column }) => isMeasured(column));
    return series.length > 0 ? { ...spec, series } : [];
  });
}
