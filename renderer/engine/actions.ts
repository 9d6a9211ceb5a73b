import type { Command, CommandName, CommandResult } from '../../app/protocol/console-commands';
import type { Problem } from '../../app/protocol/errors';
import type { ExportKind } from '../../app/protocol/shell';
import { placeOf } from '../experiments/run-place';
import { connectArchive } from '../sessions/archive';
import { exportRun as exportRecorded } from '../sessions/session-actions';
import { texts } from '../texts';
import { command, shell } from './connection';
import { keyOfCommand, useConsole, withAlert, withoutAlert } from './console-store';
import { useLiveSearch } from './live-sources';
import { chooseMovieOn } from './machine-movies';
import { newestHere } from './newest-here';
import { rampId } from './ramp';
import {
  missingOf,
  parametersOf,
  playMovie,
  playMovieOf,
  problemsAt,
  type SourceSettings,
  useSettings,
} from './source-settings';
import { reportWritten } from './written-file';

/** What an operator can do, by button or by key. A refusal becomes an alert that stays until it is dismissed. */

/** What the engine answers once it has done it; a refusal becomes an alert, and undefined. */
export async function perform<Name extends CommandName>(
  given: Command<Name>,
): Promise<CommandResult<Name> | undefined> {
  const { name }: { name: Name } = given;
  const { result, problem } = await command(given);
  showOutcome(name, problem);
  return problem ? undefined : result;
}

function showOutcome(name: CommandName, problem: Problem | null): void {
  const key = keyOfCommand(name);
  useConsole.setState((view) =>
    problem ? withAlert(view, { ...problem, key, severity: 'error' }) : withoutAlert(view, key),
  );
}

export function addStream(): void {
  const settings = useSettings.getState();
  if (settings.kind === 'live') {
    followChosen();
    return;
  }
  if (lacksFile(settings)) return;
  const { source, format, pixelFormat, name, sendOn, receiveOn } = parametersOf(settings);
  const parameters = { source, format, pixelFormat, name, sendOn, receiveOn };
  void perform({ name: 'addStream', parameters });
}

function followChosen(): void {
  const { chosen: source, found } = useLiveSearch.getState();
  if (source === null) return;
  const isTyped = found?.some(({ name, isTyped }) => name === source && isTyped);
  void perform({ name: 'followSource', source, address: isTyped ? source : undefined });
}

export function removeStream(streamId?: number): void {
  void perform({ name: 'removeStream', streamId });
}

/** What is wrong with the form is said at its fields; anything else is an alert. */
export async function startRamp(): Promise<void> {
  const settings = useSettings.getState();
  if (lacksFile(settings)) return;
  const thresholds = settings.thresholds ?? undefined;
  const parameters = { ...parametersOf(settings) };
  const start = { name: 'startExperiment', experiment: rampId, parameters, thresholds } as const;
  const { problem } = await command(start);
  const problems = problemsAt(problem, settings);
  const isSaid = Object.keys(problems).some((field) => field in parameters);
  if (isSaid) useSettings.setState({ problems, isRefused: true });
  showOutcome(start.name, isSaid ? null : problem);
}

/** A short ramp of small streams inside this machine; the form stays as it is. */
export function tryRamp(): Promise<unknown> {
  const parameters = {
    source: 'white-line',
    format: '640x360@30',
    maxStreams: 2,
    holdSeconds: 6,
    warmUpSeconds: 1,
  };
  return perform({ name: 'startExperiment', experiment: rampId, parameters });
}

/** Says where a file is chosen that one is missing, and true; nothing is sent without it. */
function lacksFile(settings: SourceSettings): boolean {
  const missing = missingOf(settings);
  if (missing !== null)
    useSettings.setState({ problems: { ...settings.problems, source: missing }, isRefused: true });
  return missing !== null;
}

export function stop(): void {
  void perform({ name: 'stop' });
}

export function toggleWhiteLine(): void {
  void shell.toggleWhiteLine();
}

/** Opens the display window with the newest stream that is received here, or closes it. */
export function toggleDisplay(): void {
  void shell.toggleDisplay(newestHere(useConsole.getState().engine?.streams));
}

export async function exportRun(kind: ExportKind): Promise<void> {
  if (kind === 'parquet') return exportTables();
  const chosen = await shell.chooseExport(kind);
  if (chosen === null) return;
  if ((await perform({ name: 'export', kind, grant: chosen.grant })) === undefined) return;
  reportWritten('exported', texts.alerts.exported(chosen.path), chosen);
}

/** By the archive, which has DuckDB: in the engine's process it would disturb what is measured. */
async function exportTables(): Promise<void> {
  const { engine } = useConsole.getState();
  if (!engine?.run) return;
  connectArchive();
  await exportRecorded({ folder: placeOf(engine.run.folder, engine.session ?? null).run }, 'parquet');
}

/** Of the machine that is to send. */
export async function chooseMovie(): Promise<void> {
  const { sendOn } = useSettings.getState();
  if (sendOn !== null) {
    const name = await chooseMovieOn(sendOn);
    if (name !== null) await lookAtMovie(sendOn, name);
    return;
  }
  const path = await shell.chooseMovie();
  if (path !== null) playMovie(path);
}

/** Plays it from now on, and says what it is as soon as its agent does. */
async function lookAtMovie(machine: string, movie: string): Promise<void> {
  playMovieOf(machine, movie);
  const chosen = useSettings.getState().machineMovie;
  const { result, problem } = await command({ name: 'inspectMovie', machine, movie });
  const look = problem ?? result;
  // Another one may have been chosen meanwhile.
  if (chosen && look && useSettings.getState().machineMovie === chosen)
    useSettings.setState({ machineMovie: { ...chosen, look } });
}

export function dismissAlert(key: string): void {
  const isOwn = useConsole.getState().ownAlerts.some((alert) => alert.key === key);
  if (isOwn) useConsole.setState((view) => withoutAlert(view, key));
  else void perform({ name: 'dismissAlert', key });
}
