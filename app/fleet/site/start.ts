import { readFileSync } from 'node:fs';
import { runTool } from '../../engine/tools/run-tool';
import type { Clock } from '../../protocol/clock';
import { badInput, problemText, toProblem, WhitelineError } from '../../protocol/errors';
import { hostOf, isAddress, lastPort } from '../../protocol/network-address';
import { BoundedNotes } from '../bounded-notes';
import { allIpv4, type Machine } from './hosts';
import { inviteAll, type JoinFileHere } from './invite-all';
import { checkNatsServer, findNatsServer, freePortOf, type ServerEnd, startNatsServer } from './nats-server';
import { lastClusterPort, routePortOf } from './server-configuration';
import { forgetServer, noteServer, reloadServer, runningServer } from './server-process';
import { type Listening, lastListening, mostServers, Site, siteFiles } from './site';

export const usualPort = 4222;
/** How often the invitations, the machine's addresses and the certificate's end are checked. */
const refreshMs = 60_000;

export interface StartOptions {
  folder: string;
  /** Null: as at the last start, and at the first on all addresses of IPv4. */
  listen: string | null;
  /** Null: as at the last start, and at the first the usual one; 0: one that is free. */
  port: number | null;
  /** Machines that run this fleet's server, this one included; null: as at the last start, and at the first this one alone. */
  servers?: readonly string[] | null;
  /** Names of machines that are to be invited. */
  invite?: readonly string[];
  /** In which their join files are. */
  joinFolder?: string;
  clock: Clock;
  machine(): Machine;
  /** What the server warns of, however often: of one cause the first line, then one each minute. And whether other servers are reached. */
  log(line: string): void;
}

export interface StartedFleet {
  readonly site: Site;
  readonly invited: readonly JoinFileHere[];
  /** Whatever ends it. */
  readonly ended: Promise<ServerEnd>;
  /** Ends the server. */
  close(): Promise<void>;
}

/**
 * Sets the fleet of a folder up where it is not, and runs its server.
 * @throws WhitelineError for what is missing, in use or damaged
 */
export async function startFleet(options: StartOptions): Promise<StartedFleet> {
  const { folder, listen, clock, invite = [], joinFolder = '.' } = options;
  const notes = new BoundedNotes(clock, options.log);
  if (listen !== null && !isAddress(listen))
    throw badInput(
      'listen',
      'an address of this machine',
      listen,
      'Use for example 192.0.2.7; 0.0.0.0 means all',
    );
  checkServers(options.servers ?? []);
  if (process.platform === 'win32') throw notOnWindows();
  const program = findNatsServer();
  await checkNatsServer(program, runTool);
  const files = siteFiles(folder);
  const running = runningServer(files);
  if (running !== null) throw runsAlready(folder, running);
  const site = Site.prepare(folder, await listeningOf(options), options);
  const invited = inviteAll(site, invite, joinFolder, clock);
  const configuration = (): string => readFileSync(files.configuration, 'utf8');
  const first = configuration();
  const server = await startNatsServer(program, files.configuration, clock, {
    warning: (line) => notes.note(causeOf(line), line),
    route: options.log,
  });
  const { processId } = server;
  noteServer(files, processId);
  // The server has not read of an agent that was invited while it started.
  if (configuration() !== first) reloadServer(files);
  const stopRefreshing = clock.every(refreshMs, () => {
    try {
      if (site.write()) server.signal('SIGHUP');
    } catch (error) {
      const text = problemText(toProblem(error));
      notes.note(text, text);
    }
  });
  const ended = server.ended.finally(() => {
    stopRefreshing();
    notes.close();
    forgetServer(files, processId);
  });
  return {
    ...{ site, invited, ended },
    async close() {
      server.signal('SIGINT');
      await ended;
    },
  };
}

/** What the server warns of, without who caused it: strangers have any address, and any name. */
function causeOf(line: string): string {
  return line
    .replace(/^\S+ - cid:\d+ - /, '')
    .replace(/"[^"]*"/g, '""')
    .replace(/\d+/g, '0');
}

async function listeningOf(options: StartOptions): Promise<Listening> {
  const { folder, clock } = options;
  const last = lastListening(folder);
  const listen = options.listen ?? last?.listen ?? allIpv4;
  const port = await freePortOf(listen, options.port ?? last?.port ?? usualPort, clock);
  const servers = [...(options.servers ?? last?.servers ?? [])];
  const routePort = routePortOf({ port, servers });
  if (routePort !== null && routePort > lastPort)
    throw badInput('port', `a port up to ${lastClusterPort} for a fleet of several servers`, `${port}`);
  if (routePort !== null) await freePortOf(listen, routePort, clock);
  return { listen, port, servers };
}

/** @throws WhitelineError BAD_INPUT */
function checkServers(servers: readonly string[]): void {
  for (const host of servers) hostOf(host, 'servers');
  const twice = servers.find((host, index) => servers.indexOf(host) < index);
  if (twice !== undefined)
    throw badInput('servers', 'each machine once', `${twice} twice`, 'Leave one of them out');
  if (servers.length > mostServers)
    throw badInput('servers', `up to ${mostServers} machines`, `${servers.length}`);
}

function runsAlready(folder: string, processId: number): WhitelineError {
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `The fleet of ${folder} is running already, as process ${processId}`,
    ...{ field: 'folder', value: folder, remedy: 'End it first: whiteline fleet stop' },
  });
}

/** Nothing there has a running server read its configuration again. */
function notOnWindows(): WhitelineError {
  return new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: 'A fleet cannot be started on Windows',
    remedy: 'Start it on a machine with Linux',
  });
}
