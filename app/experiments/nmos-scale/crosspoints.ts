import type { RunContext } from '../../engine/experiment/experiment';
import { meanOf } from '../../engine/experiment/repeats';
import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import type { ProcessStandstill } from '../../engine/load/standstills';
import { counted } from '../../facts/count-words';
import type { Fact } from '../../facts/fact';
import { judgeRow } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { Reasoned } from '../../facts/reasoned';
import type { ClosedRow } from '../../facts/row';
import type { QueryVersion } from '../../nmos/controller/query-api';
import { standstillFaults } from '../../nmos/load/load-judgement';
import type { ControllerCommand, ControllerMessage } from '../../nmos/programs/controller-messages';
import type { Thresholds } from '../../protocol/thresholds';
import { crosspointContradictions, matrixContradictions } from './contradictions';
import type { Conversation } from './conversation';
import { type NmosScaleParameters, nmosScaleDeclaration } from './declaration';
import { ofOnePart, processFailed } from './other-parts';
import { guardsWithStandstills, type OwnProcesses, standstillsOf } from './own-processes';
import { costFigures, noLoad, prefixed } from './row-figures';

type MessageOf<Type extends ControllerMessage['type']> = Extract<ControllerMessage, { type: Type }>;
export type Controller = Conversation<ControllerCommand, ControllerMessage>;

export interface CrosspointOptions {
  controller: Controller;
  /** URL of the Query API. */
  query: string;
  version: QueryVersion;
  /** Name of the load. */
  run: string;
  /** URL of its Connection API. */
  controls: string;
  parameters: NmosScaleParameters;
  /** Nodes that were registered before. */
  registered: number;
  context: RunContext;
  firstIndex: number;
  openRow(): () => Promise<RowFrame>;
  /** Of registries and nodes, since they were last asked. */
  standstills(): Promise<ProcessStandstill[]>;
}

/** For a matrix, and for the Query API to show crosspoints. */
const limitSeconds = 60;
/** Added per crosspoint, for devices that do not answer in time. */
const answerSeconds = 5;

const noDevice = 'no device was asked';
const fills = ['pages', 'subscriptions'] as const;
type ChangeWay = (typeof changes)[number];
export const changes = [
  { name: 'single, 1 at a time', by: 'single', atOnce: 1 },
  { name: 'single, 16 at a time', by: 'single', atOnce: 16 },
  { name: 'bulk', by: 'bulk', atOnce: 16 },
] as const;
export const crosspointRowCount = fills.length + changes.length;

/** Of a process that failed. */
export function failedCrosspoints(frame: RowFrame & { index: number }, why: string): ClosedRow {
  const row = tableRow(frame, frame.index, 'matrix and crosspoints', undefined);
  return ofOnePart(
    { ...row, verdict: 'INVALID', reason: [reasonOf('scale-failed', { why })] },
    processFailed,
  );
}

/** A row for each way to fill a matrix, and each to change crosspoints. */
export async function* crosspointRows(options: CrosspointOptions): AsyncGenerator<ClosedRow> {
  const { context, controller, firstIndex, parameters, openRow } = options;
  const acts = [
    ...fills.map((by) => () => fill(options, by)),
    ...changes.map((way, index) => () => change(options, way, index + 1)),
  ];
  for (const [number, act] of acts.entries()) {
    const fromNs = context.clock.monotonicNs();
    const close = openRow();
    const measured = await act();
    if (context.signal.aborted) return;
    const frame = { ...(await close()), index: firstIndex + number };
    const samples = context.samples(fromNs, context.clock.monotonicNs());
    const ofController = await standstillsOf({ role: 'controller', talk: controller });
    const own = {
      ...{ samples, fromNs, others: [] },
      standstills: [...(await options.standstills()), ...ofController],
    };
    yield controllerRow(frame, measured, own, parameters, context.thresholds);
  }
}

async function fill(
  { controller, query, version, parameters, registered, run }: CrosspointOptions,
  by: (typeof fills)[number],
): Promise<ControllerPart> {
  const { nodes } = parameters;
  const command = { type: 'fill', query, version, run, nodes, by, limitSeconds } as const;
  const limitMs = 1000 * (2 * limitSeconds + answerSeconds);
  return filled(registered, by, await controller.ask(command, 'filled', limitMs));
}

async function change(
  { controller, query, version, parameters, registered, run, controls }: CrosspointOptions,
  way: ChangeWay,
  offset: number,
): Promise<ControllerPart> {
  const { nodes, crosspoints } = parameters;
  const { by, atOnce } = way;
  const of = { query, version, run, controls, nodes, crosspoints } as const;
  const command = { type: 'change', ...of, by, atOnce, offset } as const;
  const limitMs = 1000 * (2 * limitSeconds + crosspoints * answerSeconds);
  const wanted = Math.min(crosspoints, registered);
  return changed(
    { tried: crosspoints, wanted },
    way,
    await controller.ask({ ...command, limitSeconds }, 'changed', limitMs),
  );
}

/** What a row of the controller is made of. */
export interface ControllerPart {
  label: string;
  steps: { part: 'matrix' | 'crosspoints'; by: string };
  figures: Record<string, Reasoned>;
  /** Of figures; or there was no node to ask for, so that the registry was asked less than the row says. */
  contradictions: Fact[];
  /** The same for a controller whose event loop stalled. */
  stalls: Fact[];
  /** What is wrong; if empty, and there is no doubt, `good` is the reason. */
  faults: Fact[];
  /** What makes the row WARN. */
  doubts: Fact[];
  good: Fact;
}

/** @param expected nodes of the run that were registered */
export function filled(
  expected: number,
  by: (typeof fills)[number],
  { figures, why, ...standstill }: MessageOf<'filled'>,
): ControllerPart {
  const { senders = 0, receivers = 0, seconds = null } = figures ?? {};
  const { ownSenders = 0, ownReceivers = 0, losses = 0, leftOut = 0, leftOutFirst = null } = figures ?? {};
  const isShort = Math.min(ownSenders, ownReceivers) < expected;
  const reason = why ?? '';
  return {
    label: `matrix by ${by}`,
    steps: { part: 'matrix', by },
    figures: {
      allSeconds: [seconds, reason],
      'matrix.senders': [figures?.senders, reason],
      'matrix.receivers': [figures?.receivers, reason],
      'matrix.messages': [figures?.messages, reason],
      'matrix.megabytes': [figures && figures.bytes / 1e6, reason],
    },
    contradictions: [...matrixContradictions(figures), ...contradictionsOf(expected)],
    stalls: standstillFaults('controller-stood-still', standstill),
    faults: faultsOf(
      why,
      isShort && reasonOf('matrix-short', { ownSenders, ownReceivers, expected }),
      losses > 0 && reasonOf('subscriptions-lost', { losses }),
    ),
    doubts: leftOut > 0 ? [reasonOf('resources-unusable', { leftOut, first: leftOutFirst })] : [],
    good: reasonOf('matrix-filled', { senders, receivers, seconds }),
  };
}

/** @param wanted of those that were tried, as many as nodes were registered */
export function changed(
  { tried, wanted }: { tried: number; wanted: number },
  { name }: ChangeWay,
  { figures, why, ...standstill }: MessageOf<'changed'>,
): ControllerPart {
  const { crosspoints = 0, failed = 0, seconds = null, shownSeconds = null } = figures ?? {};
  const reason = why ?? '';
  const first = figures?.firstProblem ?? '';
  return {
    label: `${counted(tried, 'crosspoint')}, ${name}`,
    steps: { part: 'crosspoints', by: name },
    figures: {
      allSeconds: [seconds, reason || noDevice],
      crosspoints: [figures?.crosspoints, reason],
      crosspointsFailed: [figures?.failed, reason],
      'crosspoint.p50Ms': [figures?.p50Ms, reason || noDevice],
      'crosspoint.p99Ms': [figures?.p99Ms, reason || noDevice],
      'crosspoint.maxMs': [figures?.maxMs, reason || noDevice],
      shownSeconds: [
        shownSeconds,
        reason ||
          (failed < crosspoints
            ? `the Query API did not show all within ${limitSeconds} s`
            : 'no crosspoint was changed'),
      ],
    },
    contradictions: [...crosspointContradictions(figures, tried), ...contradictionsOf(wanted)],
    stalls: standstillFaults('controller-stood-still', standstill),
    faults: faultsOf(
      why,
      crosspoints < wanted && reasonOf('crosspoints-absent', { crosspoints, wanted }),
      failed > 0 && reasonOf('crosspoints-failed', { failed, crosspoints, first }),
      shownSeconds === null &&
        failed < crosspoints &&
        reasonOf('crosspoints-not-shown', { crosspoints, limitSeconds }),
    ),
    doubts: [],
    good: reasonOf('crosspoints-changed', { crosspoints, seconds, shownSeconds }),
  };
}

/** @param registered nodes, without which a controller proves nothing about a registry */
function contradictionsOf(registered: number): Fact[] {
  return registered === 0 ? [reasonOf('no-node-registered', {})] : [];
}

/** If the controller measured nothing, only its failure counts. */
function faultsOf(why: string | null, ...faults: (Fact | false)[]): Fact[] {
  return why === null ? faults.filter((fact) => fact !== false) : [reasonOf('controller-failed', { why })];
}

export function controllerRow(
  frame: RowFrame & { index: number },
  { label, steps, figures, contradictions, stalls, faults, doubts, good }: ControllerPart,
  own: OwnProcesses,
  parameters: NmosScaleParameters,
  thresholds: Thresholds,
): ClosedRow {
  const { samples } = own;
  const { isStopped, ...guards } = guardsWithStandstills(frame.guards, own, thresholds);
  const loads = samples.flatMap(({ roles }) => roles.controller ?? []);
  const controllerCpuPercent: Reasoned = [meanOf(loads.map(({ cpuPercent }) => cpuPercent)), noLoad];
  const costs = costFigures(own, parameters);
  const row = tableRow(frame, frame.index, label, undefined);
  const { nodes, registryCount, connections, poolSize } = parameters;
  return ofOnePart({
    ...withFigures(row, nmosScaleDeclaration, {
      ...prefixed({ ...figures, ...costs, controllerCpuPercent }),
      'nmos.part': [steps.part],
      'nmos.by': [steps.by],
      'nmos.nodes': [nodes],
      'nmos.registries': [registryCount],
      'nmos.connections': [connections === 'pool' ? `${poolSize} for all` : 'per node'],
    }),
    ...judgeRow({
      contradictions: [...contradictions, ...(isStopped ? [] : stalls)],
      findings: [
        ...faults.map((fact) => ({ verdict: 'FAIL', fact, kind: 'loss' }) as const),
        ...doubts.map((fact) => ({ verdict: 'WARN', fact, kind: 'remark' }) as const),
      ],
      ...guards,
      good: [good],
    }),
  });
}
