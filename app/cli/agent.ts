import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { helpersElsewhere } from '../engine/capabilities/helper/helpers-elsewhere';
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
import { Place } from '../fleet/agent/place';
import { StorageFolder } from '../fleet/agent/storage-folder';
import { BoundedNotes } from '../fleet/bounded-notes';
import { Lease } from '../fleet/bus/lease';
import { connectBus } from '../fleet/bus/nats-bus';
import { NumberedChannel } from '../fleet/bus/numbered-channel';
import { readJoinFile } from '../fleet/site/join-file';
import { agentFacts } from '../metrics/agent-facts';
import { timedLog } from '../nmos/timed-log';
import { parseBytes } from '../protocol/byte-size';
import { parseDuration } from '../protocol/duration';
import type { HostEnvironment } from '../protocol/environment';
import { badInput, exitCodes, problemText, WhitelineError } from '../protocol/errors';
import type { AgentMachine } from '../protocol/fleet/presence';
import { parseFormat } from '../protocol/format';
import { machineClock } from '../protocol/machine-clock';
import { ndiRuntimeOf } from '../protocol/transports';
import { contentHosts } from './content-host';
import { finish } from './finish';
import { appFolder, bundle, ndiPath, nodeApplication } from './folders';
import { withReceivingHost } from './hosts';
import { aborted, abortOnInterrupt } from './interrupt';
import { listOption } from './list-flag';
import { type MetricsFlag, metricsFlag, openMetrics } from './metrics-flag';
import { print, printError } from './terminal';
import { wholeNumber } from './whole-number';

interface AgentFlags extends MetricsFlag {
  storage?: string;
  media?: string[];
  logs?: string;
  allowStreams: string;
  allowFormat?: string;
  allowTime?: string;
  allowLogs: string;
}

/** More than one machine carries. */
const mostStreams = 1000;
/** A number that an earlier start of the agent gave to a lease is not given again by chance. */
const firstFences = 2 ** 40;

/** Adds `whiteline agent`. */
export function addAgentCommand(program: Command): void {
  program
    .command('agent')
    .description('Sends and receives streams on this machine for the console of a fleet, until Ctrl-C')
    .argument('<joinFile>', 'the join file that whiteline fleet invite wrote')
    .option(
      '--logs <folder>',
      'folder in which each receiver logs the frame numbers that it captured, with one folder for each lease; default: receivers log only if the console asks for it, and the logs are deleted when the lease ends',
    )
    .addOption(
      listOption(
        '--media <folders...>',
        'folders whose movies a console may play by their names; default: none',
      ),
    )
    .option(
      '--storage <folder>',
      'folder whose disk a console may measure; default: a temporary folder of the agent',
    )
    .option('--allow-streams <n>', 'how many senders and receivers a console may open', '64')
    .option('--allow-format <format>', 'the largest picture and rate that a console may send; default: any')
    .option('--allow-time <duration>', 'how long a console may use this machine; default: no limit')
    .option(
      '--allow-logs <size>',
      'how much disk the logs for one console may take; each stream has the same share',
      '4GB',
    )
    .option(...metricsFlag)
    .action(finish(agentCommand));
}

/** With its metrics, where they are asked for: an address that is taken is reported before the agent is there. */
async function agentCommand(joinFile: string, flags: AgentFlags): Promise<number> {
  let agent: Agent | null = null;
  const version = appVersion(appFolder);
  const facts = () => agentFacts(agent?.now ?? null, version, machineClock.monotonicNs());
  const metrics = await openMetrics(flags.metrics, facts, print);
  try {
    return await runAgent(joinFile, flags, (started) => {
      agent = started;
    });
  } finally {
    await metrics?.close();
  }
}

/** An agent until Ctrl-C, or until its bus is closed for good. */
async function runAgent(
  joinFile: string,
  flags: AgentFlags,
  onStart: (agent: Agent) => void,
): Promise<number> {
  const limits = limitsOf(flags);
  const join = readJoinFile(joinFile);
  if (!join.agent)
    throw new WhitelineError({
      code: 'BAD_INPUT',
      message: `${joinFile} is the join file of the console, not of an agent`,
      ...{ field: 'joinFile', value: joinFile },
      remedy: 'Invite this machine, and use the file that this command writes: whiteline fleet invite NAME',
    });
  const { logs } = flags;
  const media = new Media(
    join.agent.name,
    flags.media?.map(checkedFolder) ?? [],
    contentHosts.native,
    (source) => checkFormat(limits, source),
  );
  if (logs !== undefined) makeLogs(logs);
  const storage = new StorageFolder(flags.storage);
  const abort = abortOnInterrupt();
  const problemLog = timedLog(printError, machineClock);
  const log = timedLog(print, machineClock);
  const notes = new BoundedNotes(machineClock, (text) => problemLog(`whiteline: ${text}`));
  const { environment, machine } = await ownMachine();
  const bus = await connectBus(join, 'agent', {
    clock: machineClock,
    onProblem: (problem) => notes.note(problem.code, problemText(problem)),
  });
  const problems: WhitelineError[] = [];
  const end = (problem: WhitelineError): void => {
    problems.push(problem);
    abort.abort();
  };
  const place = new Place({
    ...{ bus, agent: join.agent, clock: machineClock, addresses: ownAddresses },
    hostName: machine.hostName,
    onRefused: (words) => notes.note('refused', words),
    onWait: log,
    onLost: end,
  });
  let agent: Agent | null = null;
  try {
    print(`Connected to ${bus.server}; looking for another agent with this join file`);
    const interrupted = aborted(abort.signal);
    await Promise.race([place.taken(), interrupted]);
    if (abort.signal.aborted) return endOf(problems);
    agent = new Agent({
      ...{
        bus,
        machine,
        environment,
        limits,
        logs,
        agent: join.agent,
        clock: machineClock,
        bootId: bootId(),
      },
      ...{ place, network: networkId(), addresses: ownAddresses, version: appVersion(appFolder) },
      lease: new Lease(randomInt(1, firstFences), () => undefined),
      openChannel: (sendOn, hearOn) => new NumberedChannel(bus, machineClock, { sendOn, hearOn }),
      application: nodeApplication(),
      media,
      experiments: {
        spawn: () => startExperiment(bundle('experiment.cjs')),
        places: {
          folder: () => storage.place(),
          movie: async (name) => ({ path: await media.fileOf(name, 'movie'), called: name }),
        },
      },
      helpers: { kinds: helpersElsewhere() },
      transportOf: (name) => (name === 'ndi' ? ndiTransport(ndiPath(), appFolder) : { name }),
      onNote: log,
      onClosed: () => end(notAccepted()),
    });
    onStart(agent);
    bus.onState((state) => {
      if (state !== 'closed')
        log(
          state === 'connected'
            ? `Connected to the fleet again, at ${bus.server}`
            : 'The connection to the fleet is lost; connecting again',
        );
    });
    print(`${join.agent.name} is ready at ${bus.server}; Ctrl-C ends it`);
    if (machine.ndi === null)
      printError(
        `whiteline: NDI does not run on this machine: ${machine.notKnown.ndi ?? 'for an unknown reason'}`,
      );
    await interrupted;
  } finally {
    place.leave();
    await agent?.close();
    place.close();
    await bus.close();
    notes.close();
    storage.close();
  }
  return endOf(problems);
}

/** Ctrl-C is no problem. @throws what ended the agent */
function endOf([problem]: readonly WhitelineError[]): number {
  if (problem) throw problem;
  return exitCodes.pass;
}

function notAccepted(): WhitelineError {
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: 'The server of the fleet no longer accepts this agent',
    remedy: 'Invite it again, and start it with the new join file',
  });
}

/** @throws WhitelineError BAD_INPUT */
function limitsOf({ allowStreams, allowFormat, allowTime, allowLogs }: AgentFlags): Limits {
  const streams = wholeNumber(allowStreams, 'allowStreams', mostStreams);
  if (streams === 0) throw badInput('allowStreams', `a whole number from 1 to ${mostStreams}`, allowStreams);
  const seconds = allowTime === undefined ? null : parseDuration(allowTime, 'allowTime');
  if (seconds === 0)
    throw badInput('allowTime', 'a duration above 0', allowTime, 'Use for example 90m or 8h');
  return {
    streams,
    format: allowFormat === undefined ? null : parseFormat(allowFormat, 'allowFormat'),
    minutes: seconds === null ? null : seconds / 60,
    logBytes: parseBytes(allowLogs, 'allowLogs'),
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
