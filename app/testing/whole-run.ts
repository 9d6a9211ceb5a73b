import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Helpers } from '../engine/capabilities/helper/helpers';
import type { Launch } from '../engine/capabilities/helper/launch';
import type { NativeHost } from '../engine/capabilities/native-host';
import type { WaysToOpen } from '../engine/capabilities/open-capabilities';
import { openHelpers } from '../engine/capabilities/ways-to-open';
import type { Experiment } from '../engine/experiment/experiment';
import { type ProcessStandstill, StandstillLog } from '../engine/load/standstills';
import type { MachineBooks } from '../engine/machine/machine-books';
import { exportText } from '../engine/reports/export';
import { type GateLimits, Gates } from '../engine/runs/gates';
import { type RunnerOptions, type RunOutcome, runExperiment } from '../engine/runs/runner';
import { readEvents, readRun } from '../engine/sessions/read-run';
import type { RunTool } from '../engine/tools/run-tool';
import { WallClock } from '../engine/wall-clock';
import { wordsOf } from '../facts/reason-words';
import type { Row } from '../facts/row';
import type { Run, RunEvent } from '../facts/run';
import type { Progress } from '../protocol/console';
import type { LoadSample } from '../protocol/load';
import type { ReportData } from '../protocol/report';
import { Stop } from '../protocol/stop';
import { defaultThresholds } from '../protocol/thresholds';
import { loadSample } from './load-sample';
import { madeUpBooks } from './made-up-books';
import { recorderIn } from './recorder';
import type { ScriptedTools } from './scripted-tools';
import type { SimulatedClock } from './simulated-clock';

const samplesEveryMs = 500;
const template = '<script type="application/json" id="whiteline-run">{}</script>';

/** A run on a simulated clock, and what it measures with in the place of programs. */
export interface WholeRunOrder {
  experiment: Experiment;
  clock: SimulatedClock;
  /** A folder of the test: the run makes its own in it. */
  folder: string;
  parameters: Record<string, unknown>;
  launch?: Launch;
  tools?: ScriptedTools;
  native?: NativeHost;
  books?: MachineBooks;
  /** In place of what is made of the above. */
  ways?: Partial<WaysToOpen>;
  /** Rules of a test. */
  gates?: GateLimits;
  /** Ctrl-C, so long after the start. */
  stopAfterMs?: number;
  /** What the sample of a moment has otherwise; null: none is taken. */
  sampleAt?(atNs: number): Partial<LoadSample> | null;
  /** As by default; otherwise the first sample comes half a second after the start. */
  isSampledBefore?: boolean;
  /** Times in seconds from the start. */
  standstills?: readonly ProcessStandstill[];
}

export interface WholeRun {
  outcome: RunOutcome;
  /** As run.json has it. */
  run: Run;
  /** Those of incidents, by kind and words; the beginning and the end of the run are in `run`. */
  incidents: [kind: RunEvent['kind'], text: string][];
  progress: Progress[];
  /** Of the run. */
  folder: string;
  /** What the HTML report shows. */
  page: ReportData;
}

const neverAsked: RunTool = ({ file }) => Promise.reject(new Error(`no one wrote an answer of ${file}`));
const noLaunch: Launch = ({ name }) => {
  throw new Error(`no one wrote a ${name}`);
};
const noHost: NativeHost = {
  request: ({ name }) => Promise.reject(new Error(`no one wrote an answer to ${name}`)),
};

/** How a run without streams opens what it needs; what the order does not have fails when it is used. */
function waysOf(order: WholeRunOrder, noteEvent: RunnerOptions['recorder']['event']): WaysToOpen {
  const { clock, launch = noLaunch, native = noHost, tools, books } = order;
  return {
    streams: () => {
      throw new Error('no one wrote streams');
    },
    native: () => ({ use: native }),
    helper: () => openHelpers(new Helpers(clock, noteEvent, launch)),
    tools: () => ({ use: { run: tools?.run ?? neverAsked } }),
    machine: () => ({ use: books ?? madeUpBooks(clock) }),
    machines: () => {
      throw new Error('no one wrote machines');
    },
    experiments: () => {
      throw new Error('no one wrote experiments');
    },
    ...order.ways,
  };
}

/** Carries an experiment out by the runner, into a folder, and reads what it left there. */
export async function wholeRun(order: WholeRunOrder): Promise<WholeRun> {
  const { experiment, clock, sampleAt = () => ({}) } = order;
  const wall = new WallClock(clock);
  const parameters = experiment.declaration.parameters.parse(order.parameters);
  const { recorder } = recorderIn(mkdtempSync(join(order.folder, 'run-')), {
    wall,
    start: startOf(experiment, parameters),
  });
  const noteEvent: RunnerOptions['recorder']['event'] = (...event) => recorder.event(...event);
  const progress: Progress[] = [];
  const abort = new AbortController();
  const sample = (): void => {
    const atNs = clock.monotonicNs();
    const changes = sampleAt(atNs);
    if (changes) recorder.sample(loadSample({ atNs, wallMs: clock.wallMs(), streams: 0, ...changes }));
  };
  const stops = [clock.every(samplesEveryMs, sample)];
  if (order.isSampledBefore ?? true) sample();
  if (order.stopAfterMs !== undefined)
    stops.push(clock.after(order.stopAfterMs, () => abort.abort(Stop.byOperator())));
  const running = runExperiment({
    gates: order.gates && new Gates(order.gates),
    ...{ experiment, parameters, recorder, wall, thresholds: defaultThresholds },
    ways: waysOf(order, noteEvent),
    standstills: standstillsOf(clock, order.standstills),
    signal: abort.signal,
    processIds: () => [],
    onRow: () => undefined,
    onProgress: (reported) => progress.push(reported),
  }).finally(() => order.tools?.letGo());
  const outcome = await clock.until(running);
  for (const stop of stops) stop();
  const folder = recorder.folder.path;
  const incidents = readEvents(folder)
    .filter(({ kind }) => kind !== 'run-started' && kind !== 'run-ended')
    .map(({ kind, text }): [RunEvent['kind'], string] => [kind, text]);
  return { outcome, run: readRun(folder), incidents, progress, folder, page: pageOf(order.folder, folder) };
}

function startOf(experiment: Experiment, parameters: Record<string, unknown>) {
  const { id, title } = experiment.declaration;
  return {
    ...{ experiment: id, title, parameters, command: `whiteline run ${id}` },
    ...{ thresholds: { ...defaultThresholds }, environment: {} },
  };
}

function standstillsOf(
  clock: SimulatedClock,
  standstills: readonly ProcessStandstill[] = [],
): RunnerOptions['standstills'] {
  const log = new StandstillLog();
  const startNs = clock.monotonicNs();
  log.addAll(
    standstills.map((piece) => ({ ...piece, fromNs: startNs + piece.fromNs, toNs: startNs + piece.toNs })),
  );
  return (fromNs, toNs) => log.near(fromNs, toNs);
}

function pageOf(place: string, folder: string): ReportData {
  const file = join(place, 'template.html');
  writeFileSync(file, template);
  const page = exportText(folder, 'html', file);
  return JSON.parse(page.slice(template.indexOf('{}'), -'</script>'.length));
}

/** What people read of a run's rows, in their order. */
export function rowTexts({
  rows,
}: Pick<Run, 'rows'>): [label: string, verdict: Row['verdict'], reason: string][] {
  return rows.map(({ label, verdict, reason }) => [label, verdict, wordsOf(reason)]);
}

/** Begin and end of each row, seconds after that of the run. */
export function secondsOf({
  rows,
  startedAt,
}: Pick<Run, 'rows' | 'startedAt'>): [from: number, to: number][] {
  const secondsAt = (at: string): number => (Date.parse(at) - Date.parse(startedAt)) / 1000;
  return rows.map(({ from, to }) => [secondsAt(from), secondsAt(to ?? from)]);
}
