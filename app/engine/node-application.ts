import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { FromChildPort } from '../protocol/child-ports';
import type { FileGrants } from '../protocol/file-grants';
import { type FilePurpose, grantedPath } from '../protocol/granted-file';
import { type HostMessage, keepAlive } from '../protocol/host';
import { ownChild } from '../protocol/own-child';
import { noReportHeader, type ReportHeader } from '../protocol/report-header';
import v8Options from '../protocol/v8-options.json';
import { watchOwnStandstill } from '../standstill/own-standstill';
import type {
  ConsoleFleet,
  ExperimentChild,
  HostApplication,
  HostProcess,
  HostRole,
  SpawnOptions,
} from './host-application';
import { printWithElectron } from './reports/electron';
import { ChildViews, type ViewPort } from './served/child-views';
import { type DeriveRun, deriveInThread } from './sessions/derive-run';

const killAfterMs = 3000;
/**
 * One heap for all threads of a host, as far as glibc is its allocator. By default threads share some tens of heaps, and
 * trimming them (native/base/platform/heap.h) keeps the free end of every heap but the main one: several MB in each heap
 * that a thread of a transport used to receive pictures. At 60 pictures a second, a received stream allocates about 50 blocks a
 * second from this heap and a sent stream about 30. Each thread caches smaller blocks, so threads rarely wait for the heap.
 */
export const heapOfHosts = { MALLOC_ARENA_MAX: '1' };

/** A finder in another network namespace must not go round it: avahi is reached over the system's bus, which all of them share. */
const withoutBus = { DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nonexistent' };

/** What windows view, and the host that has it. */
const roles = { 'preview-port': 'receiving', 'texture-port': 'sending' } as const;
type ViewKind = keyof typeof roles;

export interface NodeApplicationOptions {
  /** The stream host's bundle. */
  streamHostFile: string;
  reportTemplate: string;
  /** Folder of the built app, which prints reports in a separate Electron and derives runs in a thread. */
  appFolder: string;
  /** Of files that windows may name; a command line has no windows. */
  grants?: FileGrants;
  /** What stands at the head of its reports; by default nothing. */
  reportHeader?(): ReportHeader;
  /** Processes that work with it beside those that it starts. */
  consoleProcessIds?: readonly number[];
  fleet?: ConsoleFleet;
}

/** Runs the engine under plain Node: stream hosts are child processes. */
export class NodeApplication implements HostApplication {
  readonly reportTemplate: string;
  readonly deriveRun: DeriveRun;
  readonly watchOwnStandstill = watchOwnStandstill;
  readonly fleet: ConsoleFleet | undefined;
  private readonly views = new Map<HostRole, ChildViews>();

  constructor(private readonly options: NodeApplicationOptions) {
    this.reportTemplate = options.reportTemplate;
    this.fleet = options.fleet;
    this.deriveRun = deriveInThread(options.appFolder);
  }

  /** docs/measurement.md, "Whiteline's own threads", says why it has its own V8 options. */
  spawnStreamHost(role: HostRole, { number = 1, networkNamespace }: SpawnOptions = {}): HostProcess {
    const inside = networkNamespace ? ['nsenter', `--net=${networkNamespace}`] : [];
    const child = startHost(role, this.options.streamHostFile, inside, networkNamespace ? withoutBus : {});
    const views = new ChildViews(child);
    if (number === 1 || role === 'receiving') this.views.set(role, views);
    return { ...hostProcessOf(child), connectPreviews: (port) => views.connect('preview-port', port) };
  }

  /**
   * Connects a window to the host that has what it wants to view.
   * @returns false if no such host runs
   */
  connectView(kind: ViewKind, port: ViewPort): boolean {
    return this.views.get(roles[kind])?.connect(kind, port) ?? false;
  }

  consoleProcessIds(): number[] {
    return [...(this.options.consoleProcessIds ?? [])];
  }

  printPage(htmlFile: string, pdfFile: string): Promise<void> {
    return printWithElectron(this.options.appFolder, htmlFile, pdfFile);
  }

  async reportHeader(): Promise<ReportHeader> {
    return this.options.reportHeader?.() ?? noReportHeader;
  }

  async redeemGrant(purpose: FilePurpose, grant: string): Promise<string> {
    return grantedPath(purpose, this.options.grants?.redeem(purpose, grant) ?? null);
  }
}

/** @param inside the words of a command that starts it in another view of the system; empty: in ours */
export function startHost(
  role: HostRole,
  streamHostFile: string,
  inside: readonly string[],
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  const node = [process.execPath, ...v8Options.streamHost, streamHostFile, role];
  const [program = '', ...words] = [...inside, ...node];
  return spawn(program, words, {
    serialization: 'advanced',
    env: { ...heapOfHosts, ...process.env, ...environment },
    // The host prints for people who debug it; results travel as messages.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // The engine ends its hosts itself, after the last row.
    ...ownChild,
  });
}

/** An experiment that runs whole, for a console on another machine. It prints for people who debug it, as stream hosts do. */
export function startExperiment(experimentFile: string): ExperimentChild {
  const child = spawn(process.execPath, [experimentFile], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...ownChild,
  });
  const { processId, onExit, kill } = hostProcessOf(child);
  const send = (message: object): void => {
    if (child.connected) child.send(message);
  };
  return {
    ...{ processId, onExit, kill, post: send },
    keepAlive: () => send(keepAlive),
    onMessage: (listener) => child.on('message', (message) => listener(String(message))),
  };
}

/** As a shell reports the end by a signal. */
function codeOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + constants.signals[signal];
}

export function hostProcessOf(child: ChildProcess): HostProcess {
  return {
    processId: child.pid,
    post: (request) => {
      if (child.connected) child.send(request);
    },
    keepAlive: () => {
      if (child.connected) child.send(keepAlive);
    },
    onMessage: (listener) =>
      child.on('message', (message) => {
        const { type } = message as HostMessage | FromChildPort;
        if (type !== 'port-data' && type !== 'port-taken') listener(message as HostMessage);
      }),
    onExit: (listener) => {
      let isOver = false;
      const end = (exitCode: number): void => {
        if (!isOver) listener(exitCode);
        isOver = true;
      };
      child.on('exit', (code, signal) => {
        const exitCode = code ?? codeOf(signal);
        // Its exit may be known before its last messages are read.
        if (child.connected) child.once('disconnect', () => end(exitCode));
        else end(exitCode);
      });
      child.on('error', () => end(1));
    },
    kill: () => {
      if (child.connected) child.disconnect();
      else child.kill();
      // A host that hangs in the transport must not outlive us.
      setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
    },
  };
}
