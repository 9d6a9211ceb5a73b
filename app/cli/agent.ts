import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { bootId, networkId } from '../engine/machine/boot-id';
import { readMachine } from '../engine/machine/read-machine';
import { ownAddresses } from '../engine/machines/own-addresses';
import { startExperiment } from '../engine/node-application';
import { writeProblem } from '../engine/sessions/append-file';
import { appVersion } from '../engine/sessions/environment';
import { makeFolder } from '../engine/sessions/make-folder';
import { ndiTransport } from '../engine/streams/ndi-candidates';
import { Agent } from '../fleet/agent/agent';
import { agentMachineOf } from '../fleet/agent/agent-machine';
import { checkFormat, type Limits } from '../fleet/agent/limits';
import { Media } from '../fleet/agent/media';
import { StorageFolder } from '../fleet/agent/storage-folder';
import { Lease } from '../fleet/bus/lease';
import { connectBus } from '../fleet/bus/nats-bus';
import { NumberedChannel } from '../fleet/bus/numbered-channel';
import { readJoinFile } from '../fleet/site/join-file';
import { parseDuration } from '../protocol/duration';
import type { HostEnvironment } from '../protocol/environment';
import { badInput, exitCodes, problemText, WhitelineError } from '../protocol/errors';
import type { AgentMachine } from '../protocol/fleet/presence';
import { parseFormat } from '../protocol/format';
import { machineClock } from '../protocol/machine-clock';
import { ndiRuntimeOf } from '../protocol/transports';
import { nativeHost } from './content-host';
import { finish } from './finish';
import { appFolder, bundle, ndiPath, nodeApplication } from './folders';
import { withReceivingHost } from './hosts';
import { aborted, abortOnInterrupt } from './interrupt';
import { listOption } from './list-flag';
import { print, printError } from './terminal';
import { wholeNumber } from './whole-number';

interface AgentFlags {
  storage?: string;
  media?: string[];
  logs?: string;
  allowStreams: string;
  allowFormat?: string;
  allowTime?: string;
}

/** More than one machine carries. */
const mostStreams = 1000;
/** A number that an earlier start of the agent gave to a lease is not given again by chance. */
const firstFences = 2 ** 40;

/** Adds `whiteline agent`. */
export function addAgentCommand(program: Command): void {
  program
    .command('agent')
    .description('Sends and receives on this machine what the console of a fleet asks for, until Ctrl-C')
    .argument('<joinFile>', 'as whiteline fleet invite wrote it')
    .option(
      '--logs <folder>',
      'each receiver writes its own log of captured numbers, in a folder of its lease in this one; default: none',
    )
    .addOption(
      listOption(
        '--media <folders...>',
        'folders whose movies a console may play, by their names there; default: none',
      ),
    )
    .option(
      '--storage <folder>',
      'folder whose disk a console may measure; default: one of its own among temporary files',
    )
    .option('--allow-streams <n>', 'how many senders and receivers a console may open', '64')
    .option('--allow-format <format>', 'the largest picture and rate that a console may send; default: any')
    .option(
      '--allow-time <duration>',
      'how long a console may use this machine; default: for as long as it wants',
    )
    .action(finish(agentCommand));
}

/** An agent until Ctrl-C, or until its bus is closed for good. */
async function agentCommand(joinFile: string, flags: AgentFlags): Promise<number> {
  const limits = limitsOf(flags);
  const join = readJoinFile(joinFile);
  if (!join.agent)
    throw badInput(
      'joinFile',
      'the join file of an agent',
      joinFile,
      'Invite it: whiteline fleet invite NAME',
    );
  const { logs } = flags;
  if (logs !== undefined) makeLogs(logs);
  const storage = new StorageFolder(flags.storage);
  const abort = abortOnInterrupt();
  const { environment, machine } = await ownMachine();
  const bus = await connectBus(join, 'agent', {
    clock: machineClock,
    onProblem: (problem) => printError(`whiteline: ${problemText(problem)}`),
  });
  const media = new Media(join.agent.name, flags.media?.map(checkedFolder) ?? [], nativeHost, (source) =>
    checkFormat(limits, source),
  );
  let isLost = false;
  const agent = new Agent({
    ...{ bus, machine, environment, limits, logs, agent: join.agent, clock: machineClock, bootId: bootId() },
    network: networkId(),
    addresses: ownAddresses,
    version: appVersion(appFolder),
    lease: new Lease(randomInt(1, firstFences), () => undefined),
    openChannel: (sendOn, hearOn) => new NumberedChannel(bus, machineClock, { sendOn, hearOn }),
    application: nodeApplication(),
    media,
    experiments: {
      spawn: () => startExperiment(bundle('experiment.cjs')),
      places: {
        folder: () => storage.place(),
        movie: (name) => ({ path: media.fileOf(name, 'movie'), called: name }),
      },
    },
    transportOf: (name) => (name === 'ndi' ? ndiTransport(ndiPath(), appFolder) : { name }),
    onNote: (text) => print(text),
    onClosed: () => {
      isLost = true;
      abort.abort();
    },
  });
  try {
    bus.onState((state) => {
      if (state !== 'closed')
        print(
          state === 'connected'
            ? 'Connected to the fleet again'
            : 'The connection to the fleet is lost; connecting again',
        );
    });
    print(`${join.agent.name} is ready at ${join.servers.join(', ')}; Ctrl-C ends it`);
    if (machine.ndi === null)
      printError(
        `whiteline: NDI does not run on this machine: ${machine.notKnown.ndi ?? 'for an unknown reason'}`,
      );
    await aborted(abort.signal);
  } finally {
    await agent.close();
    await bus.close();
    storage.close();
  }
  if (!isLost) return exitCodes.pass;
  throw new WhitelineError({
    code: 'TOOL_FAILED',
    message: 'The server of the fleet no longer accepts this agent',
    remedy: 'Invite it again, and start it with the new join file',
  });
}

/** @throws WhitelineError BAD_INPUT */
function limitsOf({ allowStreams, allowFormat, allowTime }: AgentFlags): Limits {
  const streams = wholeNumber(allowStreams, 'allowStreams', mostStreams);
  if (streams === 0) throw badInput('allowStreams', `a whole number from 1 to ${mostStreams}`, allowStreams);
  const seconds = allowTime === undefined ? null : parseDuration(allowTime, 'allowTime');
  if (seconds === 0)
    throw badInput('allowTime', 'a duration above 0', allowTime, 'Use for example 90m or 8h');
  return {
    streams,
    format: allowFormat === undefined ? null : parseFormat(allowFormat, 'allowFormat'),
    minutes: seconds === null ? null : seconds / 60,
  };
}

/** @throws WhitelineError BAD_INPUT for what is no folder */
function checkedFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return resolve(folder);
  throw badInput('media', 'a folder', folder, 'Name one that holds movies');
}

/** @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
function makeLogs(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw writeProblem(error, folder);
  }
}

function ownMachine(): Promise<{ environment: HostEnvironment; machine: AgentMachine }> {
  return withReceivingHost(async (host, { transport, transportProblem }) => {
    const ndi = ndiRuntimeOf(transport)?.version ?? null;
    const environment = await readMachine(host, { whiteline: appVersion(appFolder), ndi });
    const missing = { code: 'NDI_MISSING', message: 'The NDI runtime was not loaded' } as const;
    return { environment, machine: agentMachineOf(environment, ndi ?? transportProblem ?? missing) };
  });
}
