import { meanOf } from '../../engine/experiment/repeats';
import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import { counted } from '../../facts/count-words';
import { reasonOf } from '../../facts/reason-words';
import type { Reasoned, ReasonedFigures } from '../../facts/reasoned';
import type { ClosedRow } from '../../facts/row';
import type { Thresholds } from '../../protocol/thresholds';
import { type NmosScaleParameters, nmosScaleDeclaration } from './declaration';
import { judge } from './judgement';
import { ofOnePart, processFailed } from './other-parts';
import { expectedResources, forgottenOf, type PartReadings } from './part-readings';

export type Frame = RowFrame & { index: number };

const notRegistered = 'no node was registered';
const noneBack = 'no node came back';
const noneAwaited = 'no node was registered that had to come back';
const notABreak = 'this row has no break';
const notOfRegistration = 'the first row has the registration curve';
const ofTheBreak = 'heartbeats waited for the end of the break';
const noHeartbeat = 'no heartbeat was answered';
const oneRegistry = 'the row has only one registry';
const notAll = 'not all nodes were registered, or one registry did not receive all resources';
const notKilled = 'this row ends no registry';
const foreign = 'the registry is external: Whiteline does not measure its process';
export const noLoad = 'no load sample lies wholly within the row';

export function measuredRow(
  frame: Frame,
  parameters: NmosScaleParameters,
  thresholds: Thresholds,
  measured: PartReadings,
): ClosedRow {
  const known = prefixed({
    ...timeFigures(measured),
    ...countFigures(measured),
    ...registryFigures(measured, parameters),
    ...costFigures(measured, parameters),
  });
  const { report, registries } = measured;
  const { missedBy, byRegistry, answers } = report.figures;
  return ofOnePart({
    ...rowOf(frame, parameters, measured, known),
    ...judge(measured, parameters, thresholds, frame.guards),
    details: { missedBy, byRegistry, answers, registries, lines: report.lines },
  });
}

/** Of processes that failed in the middle of their row. */
export function failedRow(
  frame: Frame,
  parameters: NmosScaleParameters,
  part: Pick<PartReadings, 'part' | 'break'>,
  why: string,
): ClosedRow {
  const row = rowOf(frame, parameters, part, {});
  return ofOnePart(
    { ...row, verdict: 'INVALID', reason: [reasonOf('scale-failed', { why })] },
    processFailed,
  );
}

/** "registration of 750 nodes", "750 nodes after a break of 5 s" */
export function labelOf(
  nodes: number,
  { part, break: broken }: Pick<PartReadings, 'part' | 'break'>,
): string {
  const all = counted(nodes, 'node');
  if (part === 'registration') return `registration of ${all}`;
  return broken ? `${all} after a break of ${broken.seconds} s` : `${all}, one of two registries killed`;
}

function rowOf(
  { index, ...frame }: Frame,
  parameters: NmosScaleParameters,
  part: Pick<PartReadings, 'part' | 'break'>,
  known: ReasonedFigures,
) {
  const { nodes, registryCount, connections, poolSize } = parameters;
  const row = tableRow(frame, index, labelOf(nodes, part), undefined);
  return withFigures(row, nmosScaleDeclaration, {
    ...known,
    'nmos.part': [part.part],
    'nmos.nodes': [nodes],
    'nmos.registries': [registryCount],
    ...(part.break && { 'nmos.breakSeconds': [part.break.seconds] }),
    'nmos.connections': [connections === 'pool' ? `${poolSize} for all` : 'per node'],
  });
}

export function prefixed(all: Readonly<Record<string, Reasoned>>): Record<string, Reasoned> {
  return Object.fromEntries(Object.entries(all).map(([name, reasoned]) => [`nmos.${name}`, reasoned]));
}

function timeFigures({ part, report }: PartReadings): Record<string, Reasoned> {
  const { figures, recovery, curve } = report;
  const isRegistration = part === 'registration';
  const times = isRegistration ? figures.times : recovery?.times;
  // Without the last node, nothing says when all would be there.
  const awaited = isRegistration ? figures.nodes : (recovery?.nodes ?? 0);
  const there = isRegistration ? figures.registered : (recovery?.back ?? 0);
  const isWhole = awaited > 0 && there === awaited;
  const none = isRegistration ? notRegistered : awaited > 0 ? noneBack : noneAwaited;
  const notWhole = isRegistration ? 'not all nodes were registered' : 'not all nodes came back';
  return {
    allSeconds: [isWhole ? times?.lastSeconds : null, awaited > 0 ? notWhole : noneAwaited],
    firstSeconds: [times?.firstSeconds, none],
    p50Seconds: [times?.p50Seconds, none],
    p99Seconds: [times?.p99Seconds, none],
    registeredOverTime: [
      isRegistration && curve.length > 0 ? { points: curve } : null,
      isRegistration ? notRegistered : notOfRegistration,
    ],
    backOverTime: [
      !isRegistration && recovery && recovery.curve.length > 0 ? { points: recovery.curve } : null,
      isRegistration ? notABreak : noneBack,
    ],
  };
}

function countFigures({ part, report, break: broken }: PartReadings): Record<string, Reasoned> {
  const { figures, standstillMs, standstillPercent, recovery } = report;
  const { answers, heartbeat } = figures;
  const isRegistration = part === 'registration';
  const times = broken ? null : heartbeat;
  const noTimes = broken ? ofTheBreak : noHeartbeat;
  const requests = Object.values(answers.registration).reduce((sum, count) => sum + count, 0);
  return {
    registered: [figures.registered, ''],
    back: [recovery?.back, notABreak],
    requests: [requests, ''],
    answers: [answersText(answers), ''],
    retries: [figures.failures, ''],
    refused: [figures.refused, ''],
    heartbeats: [heartbeat?.count ?? 0, ''],
    heartbeatsMissed: [figures.heartbeatsMissed, ''],
    'heartbeat.p50Ms': [times?.p50Ms, noTimes],
    'heartbeat.p99Ms': [times?.p99Ms, noTimes],
    'heartbeat.maxMs': [times?.maxMs, noTimes],
    forgotten: [isRegistration ? null : forgottenOf(report), notABreak],
    brokenBy: [broken?.by, notABreak],
    standstillMs: [standstillMs, ''],
    standstillPercent: [standstillPercent, ''],
  };
}

function registryFigures(
  measured: PartReadings,
  { registryCount }: NmosScaleParameters,
): Record<string, Reasoned> {
  const { counted, report, registries, replicationSeconds, fewest, part } = measured;
  const why = 'why' in counted ? counted.why : '';
  const there = 'why' in counted ? null : counted;
  const lost = there && Math.max(0, expectedResources(report) - there.ours);
  const { byRegistry } = report.figures;
  return {
    resources: [there?.ours, why],
    resourcesLost: [lost, why],
    strangers: [there?.others, why],
    spread: [
      registryCount > 1 ? registries.map((registry) => byRegistry[registry] ?? 0).join(' / ') : null,
      oneRegistry,
    ],
    replicationSeconds: [
      replicationSeconds,
      registries.length === 1 || part === 'registry killed' ? oneRegistry : notAll,
    ],
    fewestResources: [fewest?.resources, notKilled],
  };
}

export function costFigures(
  { samples }: Pick<PartReadings, 'samples'>,
  { registry }: NmosScaleParameters,
): Record<string, Reasoned> {
  const of = (role: string) => samples.flatMap((sample) => sample.roles[role] ?? []);
  const cost = (name: string, role: string, why: string): Record<string, Reasoned> => {
    const loads = of(role);
    const memory = loads.map(({ memoryMb }) => memoryMb);
    return {
      [`${name}CpuPercent`]: [meanOf(loads.map(({ cpuPercent }) => cpuPercent)), why],
      [`${name}MemoryMb`]: [memory.length > 0 ? Math.max(...memory) : null, why],
    };
  };
  return {
    ...cost('registry', 'registry', registry === undefined ? noLoad : foreign),
    ...cost('nodes', 'nodes', noLoad),
  };
}

/** "registrations 201: 4500; heartbeats 200: 2250, none: 3" */
function answersText({ registration, heartbeat }: PartReadings['report']['figures']['answers']): string {
  const kinds = { registrations: registration, heartbeats: heartbeat };
  const texts = Object.entries(kinds).flatMap(([name, answers]) => {
    const counts = Object.entries(answers).map(([status, count]) => `${status}: ${count}`);
    return counts.length > 0 ? [`${name} ${counts.join(', ')}`] : [];
  });
  return texts.join('; ') || 'none';
}
