import type { ExperimentDeclaration } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import { testedOf } from '../../app/experiments/tested';
import { isOfStreams, streamsOf } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import { elapsedText } from '../../app/protocol/duration';
import { dateTime } from '../format';
import { formatsText } from '../sessions/run-texts';
import { texts } from '../texts';
import { playedText } from './played';
import { nameOfHost } from './session-data';
import { valueText } from './value-tree';

/** What page one says of a run, as names and texts: a client is to know what was tested without turning a page. */

export type Fact = readonly [name: string, text: string];

const words = texts.report.facts;

/** What a run does not say is left out. */
export function factsOfRun(run: Run): Fact[] {
  const { startedAt, state, session } = run;
  return known([
    [words.question, questionOf(run.experiment)],
    ...machineFacts([run]),
    [words.topology, textOf(run.environment.topology)],
    ...sourceFacts(run),
    ...timeFacts(run),
    [words.injected, injectedText(run)],
    [words.rules, rulesText(run)],
    [words.thresholds, thresholdsText(run)],
    [texts.report.started, dateTime(startedAt, 'medium')],
    [texts.report.lasted, lasted(run)],
    [texts.report.state, state === 'finished' ? '' : texts.report.states[state]],
    [texts.report.session, session ? texts.report.runOf(session.order, session.name) : ''],
  ]);
}

/** Machines and versions as the hosts of the runs reported them, each once. */
export function machineFacts(runs: readonly Run[]): Fact[] {
  const hosts = runs.flatMap(hostsOf);
  const versions = (name: string): string[] =>
    hosts.map(({ versions: all }) => textOf((all as Record<string, unknown> | undefined)?.[name]));
  const ndi = runs.map(({ environment }) =>
    textOf((environment.ndi as { version?: unknown } | null)?.version),
  );
  return known([
    [words.machines, listOf(hosts.map(machineText), '; ')],
    [words.ndi, listOf([...ndi, ...versions('ndi')])],
    [words.whiteline, listOf(versions('whiteline'))],
  ]);
}

/** What was played or received, and in which format. */
export function sourceFacts(run: Run): Fact[] {
  const { parameters, environment } = run;
  const { names } = parameters;
  const { sources, formats } = testedOf({ parameters, environment });
  return known([
    [words.source, Array.isArray(names) ? '' : listOf(sources)],
    [words.format, formatsText({ formats })],
    [words.sentBy, sendingHosts(run)],
    [words.senders, Array.isArray(names) ? listOf(names.map(textOf)) : ''],
    [words.streams, streamsText(run)],
    [texts.source.played, playedText(environment)],
  ]);
}

/** How many streams there were, and why a ramp did not come to all that it was set to. */
function streamsText(run: Run): string {
  const most = Math.max(0, ...run.rows.map((row) => streamsOf(row) ?? 0));
  const stopped = declarationOf(run.experiment)?.stoppedEarly?.(run);
  if (stopped) return words.stoppedEarly(stopped);
  return most > 0 ? words.upTo(most) : '';
}

/** How long each row was measured, where that was set. */
function timeFacts({ parameters: { holdSeconds } }: Run): Fact[] {
  return typeof holdSeconds === 'number' ? [[words.hold, `${holdSeconds} s`]] : [];
}

/** The faults that its sender put in on purpose: what they cost is no finding. */
export function injectedText({ parameters: { inject } }: Run): string {
  return textOf(inject);
}

/** What an operator demanded of a test beyond its thresholds. */
function rulesText({ gates, parameters }: Run): string {
  const { failOnWarn, maxDuplicates, maxReordered } = gates ?? parameters;
  const most = (frames: unknown, what: string): string =>
    frames === undefined ? '' : words.most(textOf(frames), what);
  return listOf([
    failOnWarn === true ? words.failOnWarn : '',
    most(maxDuplicates, words.duplicated),
    most(maxReordered, words.reordered),
  ]);
}

/** Machines that sent what a run received, as their streams name them. */
function sendingHosts({ parameters, rows }: Run): string {
  if (!Array.isArray(parameters.names)) return '';
  return listOf(rows.flatMap(({ subjects }) => subjects.map(({ hosts }) => textOf(hosts.sender))));
}

/** The profile, and what it allows of frames where frames were counted. */
export function thresholdsText({ thresholds, thresholdProfile = '', rows }: Run): string {
  const { acceptableLostFrames: frames, lostWindowSeconds: seconds } = thresholds;
  const counts = rows.some(isOfStreams) && frames !== undefined && seconds !== undefined;
  return [thresholdProfile, counts ? words.allowed(frames, seconds) : ''].filter(Boolean).join(': ');
}

export function lasted({ startedAt, endedAt }: Pick<Run, 'startedAt' | 'endedAt'>): string {
  return endedAt === null ? texts.report.notGiven : elapsedText(startedAt, endedAt);
}

export function known(facts: readonly Fact[]): Fact[] {
  return facts.filter(([, text]) => text !== '');
}

/** The first sentence of what the experiment is for. */
export function questionOf(experiment: string): string {
  const purpose = declarationOf(experiment)?.purpose ?? '';
  return /^.*?[?.](?=\s|$)/.exec(purpose)?.[0] ?? purpose;
}

function declarationOf(experiment: string): ExperimentDeclaration | undefined {
  return declarations.find(({ id }) => id === experiment);
}

function hostsOf({ environment: { hosts } }: Run): Record<string, unknown>[] {
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'object' && host !== null) : [];
}

function machineText(host: Record<string, unknown>): string {
  const { cpuModel, cores, distribution, system } = host;
  const parts = [textOf(cpuModel), cores ? words.cores(textOf(cores)) : '', textOf(distribution ?? system)];
  return [nameOfHost(host) ?? '', parts.filter(Boolean).join(', ')].filter(Boolean).join(': ');
}

function listOf(values: readonly string[], separator = ', '): string {
  return [...new Set(values.filter(Boolean))].join(separator);
}

function textOf(value: unknown): string {
  return value === null || value === undefined || value === '' ? '' : valueText(value);
}
