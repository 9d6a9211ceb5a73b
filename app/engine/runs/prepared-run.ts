import type { ExperimentDeclaration } from '../../experiments/declaration';
import { declarationOf } from '../../experiments/find';
import type { RecordedGates } from '../../facts/run';
import { throwAll, wrongBy } from '../../protocol/all-wrong';
import type { HostEnvironment } from '../../protocol/environment';
import { eachProblem, toProblem, type WhitelineError } from '../../protocol/errors';
import { defaultProfile, type ThresholdProfile } from '../../protocol/thresholds';
import { type LoadedTransport, ndiRuntimeOf } from '../../protocol/transports';
import type { NativeHost } from '../capabilities/native-host';
import type { Checked, Experiment, Requirement } from '../experiment/experiment';
import { experimentOf } from '../experiment/experiment-of';
import { checkRequirements, requirementsOf } from '../experiment/requirements';
import { fingerprintClips } from '../machine/clip-fingerprint';
import { machineNameChecks } from '../machines/no-machine';
import { captureEnvironment, type RunEnvironment } from '../sessions/environment';
import type { RecorderOptions } from '../sessions/recorder';
import type { RunStart } from '../sessions/run-facts';
import { readProfile } from '../thresholds/profiles';
import type { GateLimits } from './gates';
import { commandLine, readParameters, shellWord } from './parameters';

/** An experiment that can start: its parameters are good, and what it needs is there. */
export interface PreparedRun {
  declaration: ExperimentDeclaration;
  experiment: Experiment;
  /** Defaults filled in. */
  parameters: Record<string, unknown>;
  /** What is measured, as one line above the table. */
  subject: string;
  /** What was found out for the run's environment. */
  environment: RunEnvironment;
}

/**
 * Finds out everything that can be known before a run starts.
 * @param transport where it is looked for beforehand
 * @throws WhitelineError BAD_INPUT naming field, value and remedy; REQUIREMENT_MISSING with how to get it
 */
export async function prepareRun(
  id: string,
  input: Record<string, unknown>,
  host: NativeHost,
  transport: Requirement | null = null,
): Promise<PreparedRun> {
  const declaration = declarationOf(id);
  const parameters = readParameters(declaration, input);
  const experiment = experimentOf(id);
  await checkRequirements(requirementsOf(experiment, parameters, transport));
  const { subject, environment } = await experiment.check(parameters, host);
  const clips = await fingerprintClips(environment);
  return { declaration, experiment, parameters, subject, environment: { ...environment, ...clips } };
}

/**
 * Checks parameters alone, on this machine too, as while they are typed.
 * @param connected machines of the fleet that can be named
 * @throws WhitelineError with all that is wrong: what a machine says of a field too, where no field that this depends on is wrong
 */
export async function checkParameters(
  id: string,
  input: Record<string, unknown>,
  host: NativeHost,
  connected: readonly string[],
): Promise<Checked> {
  const experiment = experimentOf(id);
  let checked: Checked | undefined;
  const whole = async (): Promise<void> => {
    checked = await experiment.check(readParameters(experiment.declaration, input), host);
  };
  const wrong = await wrongBy(whole);
  const ofMachine = checked ? [] : (experiment.machineChecks ?? []);
  for (const { fields, ask } of [...machineNameChecks(connected), ...ofMachine]) {
    const isOfThese = (error: WhitelineError): boolean =>
      eachProblem(toProblem(error)).some(({ field }) => fields.includes(fieldOf(field)));
    if (wrong.some(isOfThese)) continue;
    wrong.push(...(await wrongBy(() => ask(input, host))).filter(isOfThese));
  }
  throwAll(wrong);
  if (!checked) throw new Error('what is not checked is wrong');
  return checked;
}

/** "folders" of "folders.0". */
function fieldOf(field = ''): string {
  return field.split('.')[0] ?? '';
}

/** @throws WhitelineError BAD_INPUT or NOT_FOUND for a profile that cannot be read */
export function profileOf(chosen: string | undefined): ThresholdProfile {
  return chosen === undefined ? defaultProfile : readProfile(chosen);
}

/** What a run's folder says of what was asked for. */
export type Asked = Pick<
  RunStart,
  'experiment' | 'title' | 'parameters' | 'command' | 'session' | 'header' | 'gates'
> & {
  environment: RunEnvironment;
};

/** `chosen`: the profile of thresholds as it was typed, where one was; `gates`: the rules of a test. */
export function askedOf(
  { declaration, parameters, environment }: PreparedRun,
  chosen?: string,
  gates?: GateLimits,
): Asked {
  const { id, title } = declaration;
  const thresholds = chosen === undefined ? '' : ` --thresholds ${shellWord(chosen)}`;
  const command = `${commandLine(declaration, parameters)}${thresholds}${gatesText(gates)}`;
  return { experiment: id, title, parameters, command, environment, gates: recordedGates(gates) };
}

/** As they are typed. */
function gatesText(gates: GateLimits | undefined): string {
  const { maxDuplicates, maxReordered, failOnWarn } = recordedGates(gates) ?? {};
  return [
    maxDuplicates === undefined ? '' : ` --max-duplicates ${maxDuplicates}`,
    maxReordered === undefined ? '' : ` --max-reordered ${maxReordered}`,
    failOnWarn ? ' --fail-on-warn' : '',
  ].join('');
}

/** Those that were set; undefined: none was. */
function recordedGates(gates: GateLimits | undefined): RecordedGates | undefined {
  if (!gates) return undefined;
  const { maxDuplicates, maxReordered, failOnWarn } = gates;
  const set: RecordedGates = {
    ...(maxDuplicates !== null && { maxDuplicates }),
    ...(maxReordered !== null && { maxReordered }),
    ...(failOnWarn && { failOnWarn }),
  };
  return Object.keys(set).length > 0 ? set : undefined;
}

/** What the instrument says of itself in a run's environment. */
export interface InstrumentFacts {
  version: string;
  /** What carries its streams; null: none is needed, or there. */
  transport: LoadedTransport | null;
  /** This machine as it is now. */
  machine: HostEnvironment | null;
}

/** The beginning of a run's folder. */
export function runStart(
  asked: Asked,
  { name, thresholds }: ThresholdProfile,
  { version, transport, machine }: InstrumentFacts,
): RecorderOptions['start'] {
  const own = { whiteline: version, ...transportOf(transport), ...asked.environment };
  const environment = captureEnvironment(machine, own);
  return { ...asked, thresholds: { ...thresholds }, thresholdProfile: name, environment };
}

/** Without a name, the transport is NDI. */
function transportOf(transport: LoadedTransport | null): Record<string, unknown> {
  const named = transport !== null && transport.name !== 'ndi' && { transport: transport.name };
  return { ndi: ndiRuntimeOf(transport), ...named };
}
