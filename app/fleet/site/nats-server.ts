import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dyingWithUs, findTool, type RunTool } from '../../engine/tools/run-tool';
import { toolFailed } from '../../engine/tools/tool-problem';
import { hasFeature } from '../../engine/tools/tool-versions';
import { endWords } from '../../facts/process-end';
import type { Clock } from '../../protocol/clock';
import { badInput, WhitelineError } from '../../protocol/errors';
import { ownAddress } from './hosts';
import { RouteWords } from './route-words';
import { fleetServerName } from './server-configuration';

export const serverProgram = 'nats-server';
/** Debian has it there, which stands in no user's PATH. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin'];
const install = `Install ${serverProgram} 2.9 or newer: apt-get install nats-server`;
const versionTimeoutSeconds = 10;
const readyTimeoutMs = 15_000;
const mostLinesKept = 5;
/** What it said longer before its end has to do with something else. */
const lastWordsNs = 5e9;
/** A server of NATS greets at once. */
const greetsWithinMs = 1000;

export interface ServerEnd {
  /** Null if a signal ended it. */
  exitCode: number | null;
  /** "it was killed (SIGKILL)", or "it ended with code 1: " and its last warnings and errors. */
  how: string;
}

export interface ServerProcess {
  readonly processId: number;
  readonly ended: Promise<ServerEnd>;
  signal(name: NodeJS.Signals): void;
}

/** Path of nats-server. @throws WhitelineError TOOL_MISSING */
export function findNatsServer(folders: readonly string[] = systemFolders): string {
  const found =
    findTool(serverProgram) ??
    folders.map((folder) => join(folder, serverProgram)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const message = `${serverProgram} is not installed, or not in PATH`;
  throw new WhitelineError({
    ...{ code: 'TOOL_MISSING', message, field: 'tool', value: serverProgram, remedy: install },
  });
}

/** @throws WhitelineError REQUIREMENT_MISSING for a version that is too old or not known; what `run` throws */
export async function checkNatsServer(program: string, run: RunTool): Promise<void> {
  const { stdout, stderr } = await run({
    ...{ file: program, args: ['--version'], timeoutSeconds: versionTimeoutSeconds },
  });
  const version = `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
  if (hasFeature('natsForFleets', version)) return;
  throw new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: `A fleet needs ${serverProgram} 2.9 or newer, and ${program} is "${version}"`,
    ...{ field: 'tool', value: program, remedy: install },
  });
}

/**
 * A port that the server can have: the one that is given, or one that the system chooses for 0.
 * @throws WhitelineError NAME_IN_USE, BAD_INPUT
 */
export async function freePortOf(host: string, port: number, clock: Pick<Clock, 'after'>): Promise<number> {
  try {
    return await probed(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw listenProblem(error as NodeJS.ErrnoException, host, port);
    throw portInUse(host, port, await natsNameAt(ownAddress(host), port, clock));
  }
}

function probed(host: string, port: number): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}

function listenProblem({ code, message }: NodeJS.ErrnoException, host: string, port: number): WhitelineError {
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EINVAL')
    return badInput(
      'listen',
      'an address of this machine',
      host,
      'The command ip address lists the addresses of this machine; 0.0.0.0 means all of IPv4',
    );
  const cause = code === 'EACCES' ? 'permission denied' : message;
  return cannotListen(host, port, cause, 'Give another port, of 1024 or more');
}

/** @param nats how the server of NATS calls itself that has it; null: another program has it */
function portInUse(host: string, port: number, nats: string | null): WhitelineError {
  const other = 'give another port';
  if (nats === null)
    return cannotListen(host, port, 'another program has it', `End that program, or ${other}`);
  if (nats.startsWith(fleetServerName))
    return cannotListen(
      ...([host, port, 'the server of another fleet has it'] as const),
      `End that one where it was started (whiteline fleet stop, with its --folder), or ${other}`,
    );
  return cannotListen(
    ...([
      host,
      port,
      `a nats-server that is not Whiteline’s has it, probably the one that Debian starts by itself`,
    ] as const),
    `End that one for good: sudo systemctl disable --now nats-server; or ${other}`,
  );
}

function cannotListen(host: string, port: number, cause: string, remedy: string): WhitelineError {
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `Cannot listen on port ${port} of ${host}: ${cause}`,
    ...{ field: 'port', value: String(port), remedy },
  });
}

/** How a server of NATS at this port calls itself in its greeting; null: none greets there. */
function natsNameAt(host: string, port: number, clock: Pick<Clock, 'after'>): Promise<string | null> {
  const socket = connect({ host, port });
  return new Promise((resolve) => {
    const end = (name: string | null): void => {
      stopWaiting();
      socket.destroy();
      resolve(name);
    };
    const stopWaiting = clock.after(greetsWithinMs, () => end(null));
    socket.once('error', () => end(null));
    socket.once('close', () => end(null));
    socket.once('data', (bytes) => {
      const [greeting = ''] = bytes.toString('latin1').split('\r\n');
      const [, name = ''] = /"server_name":"([^"]*)"/.exec(greeting) ?? [];
      end(greeting.startsWith('INFO {') ? name : null);
    });
  });
}

/**
 * Starts the server, which dies with us.
 * @param hear.warning what it warns of
 * @param hear.route whether the fleet's other servers are reached
 * @throws WhitelineError TOOL_FAILED if it does not get ready
 */
export function startNatsServer(
  program: string,
  configurationFile: string,
  clock: Pick<Clock, 'after' | 'monotonicNs'>,
  hear: { warning(line: string): void; route(words: string): void },
): Promise<ServerProcess> {
  const [file, words] = dyingWithUs(program, ['-c', configurationFile]);
  return new Promise((resolve, reject) => {
    // A group of its own: Ctrl-C in a terminal is ours to pass on.
    const child = spawn(file, words, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    const routes = new RouteWords();
    const kept: { text: string; atNs: number }[] = [];
    const said = (): string => {
      const sinceNs = clock.monotonicNs() - lastWordsNs;
      return kept.flatMap(({ text, atNs }) => (atNs >= sinceNs ? text : [])).join(' ');
    };
    const { pid } = child;
    const ended = new Promise<ServerEnd>((settle) => {
      child.on('close', (exitCode, signal) => {
        stopWaiting();
        const words = [`it ${endWords({ exitCode, signal })}`, said()].filter(Boolean);
        settle({ exitCode, how: signal === null ? words.join(': ') : `${words[0]}` });
        reject(toolFailed(serverProgram, said() || `${words[0]}`));
      });
    });
    const stopWaiting = clock.after(readyTimeoutMs, () => {
      child.kill('SIGKILL');
      reject(toolFailed(serverProgram, `it was not ready after ${readyTimeoutMs / 1000} s: ${said()}`));
    });
    child.on('error', ({ message }) => {
      stopWaiting();
      reject(toolFailed(serverProgram, message));
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { level, text } = partsOf(line);
      const route = routes.of(text);
      if (route !== undefined) {
        if (route !== null) hear.route(route);
        return;
      }
      if (level === 'INF') {
        if (text !== 'Server is ready' || pid === undefined) return;
        stopWaiting();
        resolve({ processId: pid, ended, signal: (name) => void child.kill(name) });
        return;
      }
      // Secrets are random and stand in a file of this user alone, so a slow hash of them hides nothing.
      if (text.startsWith('Plaintext passwords detected')) return;
      kept.push({ text, atNs: clock.monotonicNs() });
      if (kept.length > mostLinesKept) kept.shift();
      hear.warning(text);
    });
  });
}

/** Splits "[7] [ERR] …". A line from before the log begins has no level. */
function partsOf(line: string): { level: string; text: string } {
  const [, level = '', text = line] =
    /^\[\d+\] (?:.*? )?\[(INF|WRN|ERR|FTL|DBG|TRC)\] (.*)$/.exec(line) ?? [];
  return { level, text };
}
