import { existsSync } from 'node:fs';
import type { ContextWith, Experiment } from '../../engine/experiment/experiment';
import { measureRow } from '../../engine/experiment/held-row';
import { machineCheck } from '../../engine/experiment/machine-check';
import { withFigures } from '../../engine/experiment/row-values';
import { streamsOverLoopback } from '../../engine/sessions/environment';
import { requireMovies } from '../../engine/streams/sources/require-movies';
import { chooseSource, playedText } from '../../engine/streams/sources/source-choice';
import { counted } from '../../facts/count-words';
import type { Figures } from '../../facts/figure';
import { reasonOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import { invalidBy } from '../../facts/why-not';
import { throwAll } from '../../protocol/all-wrong';
import { badInput, WhitelineError } from '../../protocol/errors';
import { ndiRuntimeOf } from '../../protocol/transports';
import { streamRowSeconds } from '../stream-table';
import { type Seen, transportSeen } from './classify';
import { ndiConfiguration } from './configuration';
import {
  comparedTransports,
  type Transport,
  type TransportParameters,
  transportDeclaration,
  transportParameters,
} from './declaration';
import { lookAtSockets, namespaceRequirement, type SocketLook, socketRequirement } from './sockets';
import { type NamedTransport, transportName } from './transport-name';
import { transportVerdict } from './verdict';

type TransportContext = ContextWith<'streams' | 'tools'>;

export const transport: Experiment<typeof transportParameters, StreamsRow, 'streams' | 'tools'> = {
  declaration: transportDeclaration,
  needs: () => ['streams', 'tools'],
  requires: ({ receiverNamespace }) =>
    receiverNamespace ? [socketRequirement, namespaceRequirement] : [socketRequirement],
  machineChecks: [
    machineCheck(transportParameters.pick({ source: true }), ({ source }, host) =>
      requireMovies([source], host),
    ),
    machineCheck(transportParameters.pick({ runtimes: true }), (of) => throwAll(absentRuntimes(of))),
    machineCheck(transportParameters.pick({ receiverNamespace: true }), (of) =>
      throwAll(absentNamespace(of)),
    ),
  ],
  async check(parameters, host) {
    const { source, runtimes = [], maxStreams } = parameters;
    const { compared: transports, leftOut } = comparedTransports(parameters);
    throwAll([...wrongNamespace(parameters), ...absentRuntimes(parameters)]);
    const chosen = await chooseSource(parameters, host);
    const compared = `${transports.join(', ')}${runtimes.length > 1 ? `, ${runtimes.length} runtimes` : ''}${leftOut ? `; ${leftOut}` : ''}`;
    const way = parameters.receiverNamespace ? `to ${parameters.receiverNamespace}` : 'over loopback';
    return {
      subject: `${playedText(source, chosen)}, up to ${counted(maxStreams, 'stream')} ${way}: ${compared}`,
      environment: {
        topology: parameters.receiverNamespace
          ? 'sender and receiver on one machine, the receiver in a network namespace'
          : streamsOverLoopback,
        source: chosen.environment,
      },
    };
  },
  run,
  verdict: (rows, parameters) => transportVerdict(rows, parameters),
};

function absentRuntimes({ runtimes = [] }: Pick<TransportParameters, 'runtimes'>): WhitelineError[] {
  const remedy = 'Check the path, or leave runtimes out';
  return runtimes
    .filter((path) => !existsSync(path))
    .map((path) => badInput('runtimes', 'the path of an NDI library', path, remedy));
}

function absentNamespace({
  receiverNamespace,
}: Pick<TransportParameters, 'receiverNamespace'>): WhitelineError[] {
  if (!receiverNamespace || existsSync(receiverNamespace)) return [];
  const remedy = 'Make one with ip netns add, or leave receiverNamespace out';
  return [badInput('receiverNamespace', 'the path of a network namespace', receiverNamespace, remedy)];
}

/** A namespace that is not there, and one in which receivers cannot find the senders. */
function wrongNamespace(parameters: TransportParameters): WhitelineError[] {
  const { receiverNamespace, senderAddress } = parameters;
  const wrong = absentNamespace(parameters);
  if (receiverNamespace && !senderAddress) {
    const expected = 'an address of this machine that the receivers’ namespace reaches';
    wrong.push(badInput('senderAddress', expected, senderAddress, 'For example 10.0.0.1'));
  }
  return wrong;
}

/** What the processes of some rows are started with. */
interface Configuration {
  asked: Transport;
  /** Path of the NDI library; null: the one that this machine uses. */
  runtime: string | null;
  /** Given in labels where there are several runtimes: which of them, from 1; otherwise null. */
  runtimeNumber: number | null;
}

async function* run(parameters: TransportParameters, context: TransportContext): AsyncGenerator<StreamsRow> {
  const report = progressOf(parameters, context);
  const done: StreamsRow[] = [];
  try {
    for (const configuration of configurationsOf(parameters)) {
      if (context.signal.aborted) return;
      for await (const row of ramp(configuration, done.length, parameters, context, report)) {
        done.push(row);
        yield row;
      }
    }
  } finally {
    // Whatever does not close: no process keeps this run's configuration.
    await closeAll(context).finally(() => context.streams.set.restart());
  }
}

function configurationsOf(parameters: TransportParameters): Configuration[] {
  const paths: (string | null)[] = parameters.runtimes ?? [null];
  return paths.flatMap((runtime, index) =>
    comparedTransports(parameters).compared.map((asked) => ({
      asked,
      runtime,
      runtimeNumber: paths.length > 1 ? index + 1 : null,
    })),
  );
}

/** The rows of one transport, in separate processes; the first of the run is the source alone. */
async function* ramp(
  configuration: Configuration,
  firstIndex: number,
  parameters: TransportParameters,
  context: TransportContext,
  report: (phase: string, row: number) => void,
): AsyncGenerator<StreamsRow> {
  const { signal } = context;
  const { set } = context.streams;
  const { asked } = configuration;
  let index = firstIndex;
  report(asked, index);
  const version = await startHosts(configuration, parameters, context);
  const name = transportName({ ...configuration, version });
  await set.openSource(parameters, { signal });
  if (signal.aborted) return;
  if (index === 0) {
    const baseline = await measureRow(context, index++, parameters);
    if (!baseline) return;
    yield { ...baseline.row, label: 'no stream' };
  }
  for (let streams = 1; streams <= parameters.maxStreams && !signal.aborted; streams++) {
    report(asked, index);
    await set.addStream(parameters.name, { audio: parameters.audio });
    const looks: SocketLook[] = [];
    const measured = await measureRow(context, index++, parameters, async () => {
      looks.push(await look(parameters, context));
    });
    const [before] = looks;
    if (!measured || !before) return;
    const seen = transportSeen(before, await look(parameters, context));
    const label = `${name}: ${streams === 1 ? '1 stream' : `${streams} streams`}`;
    const row = parameters.receiverNamespace ? withoutLoopback(measured.row) : measured.row;
    yield seenRow({ ...row, label }, { ...configuration, version }, seen);
    // More streams over another transport, or more than are carried, show nothing new.
    if (!measured.connected || measured.row.figures.senderMissed || !isOver(asked, seen)) break;
  }
  await closeAll(context);
}

/** Gives the version of the NDI library that the processes loaded. */
async function startHosts(
  { asked, runtime }: Configuration,
  { receiverNamespace, senderAddress }: TransportParameters,
  { streams: { set } }: TransportContext,
): Promise<string> {
  const ready = await set.restart({
    ...(runtime && { transport: { name: 'ndi', candidates: [runtime] } }),
    ...(senderAddress && { searchHosts: [senderAddress] }),
    ...{ configuration: ndiConfiguration(asked), receiverNamespace },
  });
  if (ready.transportProblem) throw new WhitelineError(ready.transportProblem);
  return ndiRuntimeOf(ready.transport)?.version ?? '';
}

function closeAll({ streams: { set } }: TransportContext): Promise<void> {
  return set.removeAll().finally(() => set.closeSource());
}

function look(
  { receiverNamespace }: TransportParameters,
  { clock, tools, streams: { set } }: TransportContext,
): Promise<SocketLook> {
  const processIds = { sending: set.processIds('sending'), receiving: set.processIds('receiving') };
  return lookAtSockets(processIds, { clock, run: tools.run }, receiverNamespace);
}

/** If streams leave loopback, its traffic does not show theirs; that of our own sockets does. */
function withoutLoopback(row: StreamsRow): StreamsRow {
  const noLoopback = 'the streams do not travel over loopback; see transport.networkMbps';
  const ids = ['sender.networkMaxMbps', 'receiver.networkMaxMbps'];
  const without = (figures: Figures): Figures =>
    'networkMaxMbps' in figures ? { ...figures, networkMaxMbps: null } : figures;
  const load = Object.entries(row.load).map(([host, roles]) => [
    host,
    Object.fromEntries(Object.entries(roles).map(([role, figures]) => [role, without(figures)])),
  ]);
  return {
    ...row,
    load: Object.fromEntries(load),
    notMeasured: { ...row.notMeasured, ...Object.fromEntries(ids.map((id) => [id, noLoopback])) },
  };
}

/** A row with what was asked for and seen; INVALID where they differ, since it then is of something else. */
export function seenRow(
  row: StreamsRow,
  { asked, runtimeNumber, version }: NamedTransport & { asked: Transport },
  seen: Seen,
): StreamsRow {
  const shown = withFigures(row, transportDeclaration, {
    'transport.asked': [asked],
    'transport.seen': [seen.transports.join(' + ') || 'none'],
    'transport.runtimeNumber': [runtimeNumber, 'no more than one runtime was given'],
    'transport.runtime': [version],
    'transport.tcpMbps': [seen.tcpMbps],
    'transport.networkMbps': [seen.networkMbps],
    'transport.tcpConnections': [seen.tcpConnections],
    'transport.udpSockets': [seen.udpSockets],
  });
  if (isOver(asked, seen)) return shown;
  return { ...shown, ...invalidBy([reasonOf('other-transport', { asked, seen: seen.text })], row) };
}

function isOver(asked: Transport, { transports }: Seen): boolean {
  return transports.length === 1 && transports[0] === asked;
}

function progressOf(parameters: TransportParameters, context: TransportContext) {
  const rowSeconds = streamRowSeconds(parameters);
  const steps = 1 + configurationsOf(parameters).length * parameters.maxStreams;
  return (phase: string, step: number): void =>
    context.progress({
      ...{ phase, step, steps, phaseSeconds: rowSeconds, phaseElapsedSeconds: 0 },
      remainingSeconds: (steps - step) * rowSeconds,
    });
}
