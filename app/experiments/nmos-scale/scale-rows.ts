import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import { counted } from '../../facts/count-words';
import { reasonOf } from '../../facts/reason-words';
import type { Reasoned, ReasonedFigures } from '../../facts/reasoned';
import type { ClosedRow } from '../../facts/row';
import type { Thresholds } from '../../protocol/thresholds';
import { type NmosScaleParameters, nmosScaleDeclaration } from './declaration';
import { judge } from './judgement';
import { machineSubjects } from './machine-subjects';
import { ofOnePart, processFailed } from './other-parts';
import { expectedResources, forgottenOf, type PartReadings } from './part-readings';
import { costFigures, heartbeatFigures, prefixed } from './row-figures';

export type Frame = RowFrame & { index: number };

const notRegistered = 'no node was registered';
const noneBack = 'no node came back';
const noneAwaited = 'no node was registered, so none could come back';
const notABreak = 'this row has no break';
const notOfRegistration = 'the first row has the registration curve';
const oneRegistry = 'the row has only one registry';
const notAll = 'not all nodes were registered, or one registry did not receive all resources';
const notKilled = 'this row ends no registry';

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
    subjects: machineSubjects(measured),
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
  const { figures, stalls, recovery } = report;
  const { answers } = figures;
  const isRegistration = part === 'registration';
  const requests = Object.values(answers.registration).reduce((sum, count) => sum + count, 0);
  return {
    registered: [figures.registered, ''],
    back: [recovery?.back, notABreak],
    requests: [requests, ''],
    answers: [answersText(answers), ''],
    retries: [figures.failures, ''],
    refused: [figures.refused, ''],
    ...heartbeatFigures(figures, broken !== null),
    forgotten: [isRegistration ? null : forgottenOf(report), notABreak],
    brokenBy: [broken?.by, notABreak],
    standstillMs: [Math.max(...stalls.map(({ standstillMs }) => standstillMs)), ''],
    standstillPercent: [Math.max(...stalls.map(({ standstillPercent }) => standstillPercent)), ''],
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

/** "registrations 201: 4500; heartbeats 200: 2250, none: 3" */
function answersText({ registration, heartbeat }: PartReadings['report']['figures']['answers']): string {
  const kinds = { registrations: registration, heartbeats: heartbeat };
  const texts = Object.entries(kinds).flatMap(([name, answers]) => {
    const counts = Object.entries(answers).map(([status, count]) => `${status}: ${count}`);
    return counts.length > 0 ? [`${name} ${counts.join(', ')}`] : [];
  });
  return texts.join('; ') || 'none';
}
