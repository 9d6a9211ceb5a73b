import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import type { Command } from 'commander';
import { othersBeforeGuard, othersGuard } from '../engine/load/others-guard';
import { type CpuLook, lookAtCpu, OthersWatch } from '../engine/load/others-watch';
import { standstillGuards } from '../engine/load/standstills';
import { leadsHere } from '../engine/tools/leads-here';
import { checkConnections } from '../engine/tools/open-files';
import { counted } from '../facts/count-words';
import { wordsOf } from '../facts/reason-words';
import { ownedBy } from '../nmos/load/count-resources';
import { heldBy } from '../nmos/load/held-by';
import { Load, type LoadOptions } from '../nmos/load/load';
import type { LoadFigures, Percentiles } from '../nmos/load/load-figures';
import { judgeLoad } from '../nmos/load/load-judgement';
import { resourcesPerNode } from '../nmos/load/simulated-node';
import { StandstillWatch } from '../nmos/load/standstill';
import { fixedApis } from '../nmos/node/api-finder';
import { heartbeatSecondsOfSystem, unusedText, usualHeartbeatSeconds } from '../nmos/node/system-api';
import { registryOrigin } from '../nmos/registry-url';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodeOfVerdict, exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { openFilesLimit } from '../protocol/open-files-limit';
import { defaultThresholds } from '../protocol/thresholds';
import { type OwnStandstillWatch, watchOwnStandstill } from '../standstill/own-standstill';
import { abortOnInterrupt } from './interrupt';
import { listOption } from './list-flag';
import { finishNmos, logNmos } from './nmos-flags';
import { print, printJson } from './terminal';

interface LoadFlags {
  registry: string[];
  query?: string[];
  nodes: string;
  connections: string;
  ramp: string;
  hold: string;
  wait: string;
  heartbeat?: string;
  expiry: string;
  httpTimeout: string;
  dnsSdRetry: string;
  run?: string;
  json?: boolean;
}

const clock = machineClock;
const mostNodes = 100_000;
const mostConnections = 1000;
const mostLines = 20;
/** How long other programs are measured before a load on a registry of this machine. */
const beforeMs = 1000;

/** Adds `whiteline nmos load`. */
export function addLoadCommand(nmos: Command): void {
  nmos
    .command('load')
    .description(
      'Tests a registry under load: registers many simulated nodes, keeps them registered, and removes them',
    )
    .addOption(
      listOption(
        '--registry <urls...>',
        'registries to spread the nodes over; if one fails, its nodes go to the next',
      ).makeOptionMandatory(),
    )
    .addOption(
      listOption(
        '--query <urls...>',
        'Query APIs of these registries, read at the end to count what they hold; default: at the same addresses',
      ),
    )
    .option(
      '--nodes <n>',
      'number of nodes, each with a device, a source, a flow, a sender and a receiver',
      '750',
    )
    .option(
      '--connections <n>',
      '"per-node": one for each node; a number: that many for all nodes',
      'per-node',
    )
    .option('--ramp <duration>', 'time over which the nodes start; only with per-node connections', '0s')
    .option('--hold <duration>', 'how long heartbeats continue after all nodes are registered', '0s')
    .option('--wait <duration>', 'how long to wait for all nodes to register', '2m')
    .option('--heartbeat <duration>', 'heartbeat interval of a node; default: from the System API, or 5s')
    .option('--expiry <duration>', 'how long the registry keeps a node without a heartbeat', '12s')
    .option('--http-timeout <duration>', 'time limit for an answer', '5s')
    .option('--dns-sd-retry <duration>', 'wait before a node tries again after all registries failed', '5s')
    .option('--run <name>', 'name of the load: the same name gives the same ids; default: new ids each time')
    .option('--json', 'all figures as one JSON object')
    .action(finishNmos(loadCommand));
}

/** Registers many nodes, keeps them registered for as long as is asked, and removes them. */
async function loadCommand(flags: LoadFlags): Promise<number> {
  const watch = new StandstillWatch(clock).start();
  const own = watchOwnStandstill();
  try {
    return await runLoad(flags, watch, own);
  } finally {
    watch.stop();
    own.close();
  }
}

async function runLoad(flags: LoadFlags, watch: StandstillWatch, own: OwnStandstillWatch): Promise<number> {
  const log = firstLines(logNmos);
  const options = optionsOf(flags);
  const waitMs = 1000 * secondsOf(flags.wait, 'wait', 0.1, 3600);
  const holdMs = 1000 * secondsOf(flags.hold, 'hold', 0, 86_400);
  const heartbeatSeconds = await heartbeatOf(flags, log);
  if (heartbeatSeconds >= options.expirySeconds)
    throw badInput(
      'expiry',
      `more than ${heartbeatSeconds} s, the time between two heartbeats,`,
      flags.expiry,
      `Use for example ${2 * heartbeatSeconds + 2}s`,
    );
  const say = (text: string): void => (flags.json ? undefined : print(text));
  const { nodes, registries, connections } = options;
  const by = connections === 'per-node' ? 'a connection each' : `${connections} connections for all`;
  say(
    `${counted(nodes, 'node')} with ${resourcesPerNode} resources each, ${by}, at ${registries.join(' and ')}`,
  );
  const { signal } = abortOnInterrupt();
  const hasOneHere = (await Promise.all(registries.map(leadsHere))).includes(true);
  const look = (): CpuLook => lookAtCpu(clock);
  const before = new OthersWatch(look);
  if (hasOneHere) await endOf(null, beforeMs, signal);
  const othersBefore = before.read();
  const others = new OthersWatch(look);
  const load = new Load({ ...options, heartbeatSeconds, clock, log });
  // To make the nodes takes a moment in which none is due.
  watch.begin();
  own.take();
  let isLate = true;
  void load.settled.then(() => {
    isLate = false;
    watch.split();
  });
  const stopProgress = clock.every(1000, () => say(registeredText(load.figures())));
  await endOf(load.settled, waitMs, signal);
  stopProgress();
  const lateSeconds = isLate ? waitMs / 1000 : null;
  say(timesText(load.figures()));
  await endOf(null, holdMs, signal);
  await load.heartbeatsOver(signal);
  const figures = load.figures();
  const queries = flags.query?.map((url) => registryOrigin(url, 'query')) ?? registries;
  const held = await heldBy(
    signal.aborted ? [] : queries,
    ownedBy(options.run, options.nodes),
    figures.registered,
    clock,
  );
  // The work of a registry on this machine cannot be told from that of other programs.
  const othersGuarding = hasOneHere
    ? othersBeforeGuard(othersBefore, defaultThresholds)
    : othersGuard(others.read(), defaultThresholds);
  // The end of a long hold hides no stall of the removal.
  watch.split();
  if (figures.heartbeat) say(heartbeatText(figures.heartbeat));
  if (registries.length > 1) say(placesText(figures, registries));
  const staying = await load.close();
  if (staying > 0)
    log(`${counted(staying, 'node')} could not be removed: they stay in the registry until they expire`);
  if (signal.aborted) {
    say(staying > 0 ? 'Stopped' : 'Stopped: all nodes removed');
    return exitCodes.aborted;
  }
  const stall = watch.read();
  const who = { role: 'nodes' };
  const standstills = own.take().map((one) => ({ ...one, who }));
  const removal = { answers: load.figures().answers.removal, staying };
  const { verdict, reason: facts } = judgeLoad(
    figures,
    stall,
    lateSeconds,
    removal,
    { others: othersGuarding, own: standstillGuards(standstills, defaultThresholds) },
    held,
  );
  const reason = wordsOf(facts);
  const exitCode = exitCodeOfVerdict(verdict);
  if (flags.json)
    printJson({
      ...figures,
      answers: { ...figures.answers, removal: removal.answers },
      ...stall,
      held,
      ...{ verdict, reason, exitCode, folder: null },
    });
  else print(`${verdict}: ${reason}`);
  return exitCode;
}

/** @throws WhitelineError BAD_INPUT */
function optionsOf(flags: LoadFlags): Omit<LoadOptions, 'heartbeatSeconds' | 'clock' | 'log'> {
  const { registry: registries, run = randomUUID() } = flags;
  const nodes = nodesOf(flags.nodes);
  const connections =
    flags.connections === 'per-node' ? flags.connections : connectionsOf(flags.connections, flags.ramp);
  if (connections === 'per-node')
    checkConnections(nodes, openFilesLimit(), 'or share connections, for example --connections 16');
  if (run === '') throw badInput('run', 'a name', run);
  const origins = registries.map((url) => registryOrigin(url, 'registry'));
  const repeated = origins.find((origin, index) => origins.indexOf(origin) < index);
  if (repeated !== undefined) throw badInput('registry', 'each registry once', repeated);
  return {
    ...{ run, registries, nodes, connections },
    rampSeconds: secondsOf(flags.ramp, 'ramp', 0, 3600),
    expirySeconds: secondsOf(flags.expiry, 'expiry', 1, 86_400),
    httpTimeoutSeconds: secondsOf(flags.httpTimeout, 'httpTimeout', 0.1, 600),
    retrySeconds: secondsOf(flags.dnsSdRetry, 'dnsSdRetry', 0.1, 600),
  };
}

/** As given, or as the System API beside a registry says. */
async function heartbeatOf({ heartbeat, registry }: LoadFlags, log: (line: string) => void): Promise<number> {
  if (heartbeat !== undefined) return secondsOf(heartbeat, 'heartbeat', 0.1, 1000);
  const agent = new Agent();
  const ofSystem = await heartbeatSecondsOfSystem(fixedApis(registry, 'v1.0', 'registry').find(), {
    agent,
    onUnused: (api, reason) => log(unusedText(api, reason)),
  });
  agent.destroy();
  return ofSystem?.seconds ?? usualHeartbeatSeconds;
}

/** @throws WhitelineError BAD_INPUT */
function connectionsOf(text: string, ramp: string): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > mostConnections)
    throw badInput('connections', `per-node, or a whole number from 1 to ${mostConnections},`, text);
  if (parseDuration(ramp, 'ramp') > 0)
    throw badInput('ramp', 'no ramp with shared connections', ramp, 'Leave out --ramp or --connections');
  return count;
}

function nodesOf(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > mostNodes) throw badInput('nodes', `a whole number from 1 to ${mostNodes}`, text);
  return count;
}

function secondsOf(text: string, field: string, least: number, most: number): number {
  const value = parseDuration(text, field);
  if (value < least || value > most) throw badInput(field, `from ${least}s to ${most}s`, text);
  return value;
}

/** Waits for the event, the time, or Ctrl-C, whichever comes first. */
async function endOf(event: Promise<unknown> | null, ms: number, signal: AbortSignal): Promise<void> {
  const early = new AbortController();
  const stop = (): void => early.abort();
  if (signal.aborted) return;
  signal.addEventListener('abort', stop);
  const waited = clock.sleep(ms, early.signal);
  await (event ? Promise.race([event, waited]) : waited);
  stop();
  signal.removeEventListener('abort', stop);
}

/** Thousands of nodes report the same: prints each line once, up to a limit. */
function firstLines(log: (line: string) => void): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (said.size >= mostLines || said.has(line)) return;
    said.add(line);
    log(line);
    if (said.size === mostLines) log('Further events of the nodes are counted, not printed');
  };
}

function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

function registeredText({ registered, nodes }: LoadFigures): string {
  return `${registered} of ${nodes} registered`;
}

function timesText(figures: LoadFigures): string {
  const { times } = figures;
  if (times === null) return registeredText(figures);
  const { firstSeconds, p50Seconds, p99Seconds, lastSeconds } = times;
  const at = `first after ${seconds(firstSeconds)}, p50 ${seconds(p50Seconds)}, p99 ${seconds(p99Seconds)}, last ${seconds(lastSeconds)}`;
  return `${registeredText(figures)}: ${at}`;
}

/** Nodes that hold a registration now, by registry. */
function placesText({ byRegistry }: LoadFigures, registries: readonly string[]): string {
  const texts = registries.map((registry) => `${byRegistry[new URL(registry).origin] ?? 0} at ${registry}`);
  return `Registered nodes: ${texts.join(', ')}`;
}

function heartbeatText({ count, p50Ms, p99Ms, maxMs }: Percentiles): string {
  const [p50, p99, max] = [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1));
  return `${count} heartbeats answered within ${p50} ms (p50), ${p99} ms (p99), ${max} ms (max)`;
}
