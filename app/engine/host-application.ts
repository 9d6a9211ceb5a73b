import type { HostEnvironment } from '../protocol/environment';
import type { KeptLog, LogDigest } from '../protocol/fleet/capture-logs';
import type { FromExperiment, PrepareExperiment, ToExperiment } from '../protocol/fleet/experiment-messages';
import type { FleetView, MachineFacts, MadeInvitation } from '../protocol/fleet/fleet-view';
import type { MovieList } from '../protocol/fleet/movie-list';
import type { MovieLook } from '../protocol/fleet/movies';
import type { PreviewWish, RemotePreview } from '../protocol/fleet/remote-preview';
import type { FilePurpose } from '../protocol/granted-file';
import type { HostMessage, HostRequest } from '../protocol/host';
import type { LoadSample } from '../protocol/load';
import type { ReportHeader } from '../protocol/report-header';
import type { SourceSettings } from '../protocol/source-spec';
import type { OwnStandstillWatch } from '../standstill/own-standstill';
import type { AnyHelperProgram } from './capabilities/helper/helper-elsewhere';
import type { Helpers } from './capabilities/helper/helpers';
import type { LinkEnd } from './machines/link-end';
import type { MachineTime } from './machines/machine-release-clock';
import type { MachineSide } from './machines/machine-side';
import type { ViewPort } from './served/child-views';
import type { DeriveRun } from './sessions/derive-run';
import type { ChosenSource } from './streams/sources/source-choice';

export const hostRoles = ['sending', 'receiving'] as const;
export type HostRole = (typeof hostRoles)[number];

/** Logs of captured numbers on another machine. All of it @throws WhitelineError of bus and agent. */
export interface MachineLogs {
  list(): Promise<KeptLog[]>;
  /** From this byte on; nothing at its end. */
  read(logId: number, from: number): Promise<Uint8Array>;
  digest(logId: number): Promise<LogDigest>;
}

/** Helper programs on another machine: an experiment starts them as those of this one. */
export interface MachineHelpers extends Pick<Helpers, 'start' | 'died'> {
  /**
   * What the machine lacks for this program, with how to get it, as sentences; null: nothing.
   * @throws WhitelineError of bus and agent
   */
  missing(program: Pick<AnyHelperProgram, 'role'>): Promise<string | null>;
}

/** Another machine, on which an agent starts processes for this engine. */
export interface RemoteMachine extends MachineTime, MachineSide {
  readonly id: string;
  /** When this console took it, which it had answered then; ns of our monotonic clock. */
  readonly reachedNs: number;
  /** Since when it answered nothing, where it was given up for that, ns of our monotonic clock; null otherwise. */
  readonly unreachableSinceNs: number | null;
  /** Why it is of no use any more, as it follows its name; null: it is. */
  readonly lost: string | null;
  /** Where hosts on other machines find its senders. */
  readonly addresses: readonly string[];
  /** What it is sampled, from now on, on our monotonic clock. Returns what ends that. */
  onSample(listener: (sample: LoadSample) => void): () => void;
  /** What it is. @throws WhitelineError if its agent does not say it */
  readEnvironment(): Promise<HostEnvironment>;
  /** Logs that receivers there wrote for us; absent: none are written. */
  readonly logs?: MachineLogs;
  /** Nothing runs there any more: another console may use it. */
  release(): Promise<void>;
  /** @throws WhitelineError if its agent starts none: a limit, another console's lease */
  spawnStreamHost(role: HostRole, number: number): HostProcess;
  readonly helper: MachineHelpers;
  /** @param parameters those that its declaration has for other machines; its agent checks them */
  startExperiment(experiment: string, parameters: Record<string, unknown>): ExperimentProcess;
  /** It at one end of a link. What it is asked @throws WhitelineError of bus and agent, too. */
  readonly link: LinkEnd;
  /**
   * What its sending hosts would open of a movie there.
   * @throws WhitelineError for one that its agent does not have, or cannot play
   */
  chooseSource(settings: SourceSettings): Promise<ChosenSource>;
}

/** An experiment that runs whole on another machine: it prepares itself at once, and measures on command. */
export interface ExperimentProcess {
  post(message: ToExperiment): void;
  /** Each was checked. */
  onMessage(listener: (message: FromExperiment) => void): void;
  /** Called once, when it is gone for whatever reason. `words`: why, as they follow "the experiment". */
  onExit(listener: (words: string) => void): void;
  kill(): void;
}

/** The same on the machine where it runs, as its agent knows its process. What it says are texts of JSON. */
export interface ExperimentChild {
  readonly processId?: number;
  post(message: ToExperiment | PrepareExperiment): void;
  /** It ends by itself where the next one does not come (`keepAliveMs`). */
  keepAlive(): void;
  onMessage(listener: (json: string) => void): void;
  onExit(listener: () => void): void;
  kill(): void;
}

/** A stream host's process, as the application that runs the engine gives it. */
export interface HostProcess {
  /** Where it is known before the process says it: its start is load of our own. */
  readonly processId?: number;
  /** Where it runs; absent: here. */
  readonly machine?: RemoteMachine;
  post(request: HostRequest): void;
  /** From the first call on it ends by itself where the next one does not come (`keepAliveMs`). Absent: it never does. */
  keepAlive?(): void;
  onMessage(listener: (message: HostMessage) => void): void;
  /**
   * Called once, when the process is gone for whatever reason. `words`: what follows "the process", where the exit code does not
   * say why.
   */
  onExit(listener: (exitCode: number, words?: string) => void): void;
  /** Gives it a port for previews, as windows have one; false when it is gone. Absent: not by this application. */
  connectPreviews?(port: ViewPort): boolean;
  /**
   * Of a host on another machine, the next small picture of a stream.
   * @throws WhitelineError if the bus, the agent or the lease is gone
   */
  preview?(wish: PreviewWish): Promise<RemotePreview>;
  kill(): void;
}

export interface SpawnOptions {
  /** 1 (default) for the host of its role that windows view; higher for further hosts. */
  number?: number;
  /** Path of the network namespace in which it runs; Linux only, and only where the command line starts it. */
  networkNamespace?: string;
}

/** The fleet that this console commands, whether or not one was set up. */
export interface ConsoleFleet {
  /** Process id of its server, where this user runs it on this machine; null: it does not run, or its file cannot be read. */
  serverProcessId(): number | null;
  /**
   * Leases the machine of this name to this console. Null: no agent of that name is connected.
   * @throws WhitelineError if another console has the lease
   */
  find(name: string): Promise<RemoteMachine | null>;
  /** Names of the machines whose agents are connected. */
  names(): Promise<string[]>;
  /**
   * The movies that the agent of this name offers. Null: no agent of that name is connected.
   * @throws WhitelineError if another console has the lease, or the agent does not answer
   */
  movies(name: string): Promise<MovieList | null>;
  /** What that agent would play of one of them. @throws as `movies`, and for one that it does not have or cannot play */
  movie(name: string, settings: SourceSettings): Promise<MovieLook | null>;
  /**
   * All machines that were invited, and the server; what is wrong with either is in it.
   * @param known revision of the lines that are known; 0: none are
   */
  view(known: number): Promise<FleetView>;
  /** Null: the agent with this id is not heard. */
  facts(id: string): Promise<MachineFacts | null>;
  /**
   * Writes the join file of a machine to this path. `isAgain`: of one that was invited already, whose secret from before ends.
   * @throws WhitelineError NAME_IN_USE for one that was invited, NOT_FOUND where no fleet was set up; those of writing a file
   */
  invite(name: string, path: string, isAgain: boolean): Promise<MadeInvitation>;
}

/** What the engine needs of the application around it: Electron's main process, or plain Node. */
export interface HostApplication {
  /** Absent if this application cannot have one. */
  readonly fleet?: ConsoleFleet;
  /** @throws WhitelineError BAD_INPUT for a network namespace that this application cannot start a process in */
  spawnStreamHost(role: HostRole, options?: SpawnOptions): HostProcess;
  /** Its stream hosts live in one process, which a transport may ask for. Default: each has its own. */
  readonly hostsShareProcess?: boolean;
  /** Processes that belong to the console itself, for the load by role. */
  consoleProcessIds(): number[];
  /** Watches from a separate thread when this process stands still. */
  watchOwnStandstill(): OwnStandstillWatch;
  /** Derives `run.json` of a run without holding up the process that measures. */
  readonly deriveRun: DeriveRun;
  /** File of the report's template; an export says so where it was not built. */
  reportTemplate: string;
  /** Prints a page of this machine as PDF; @throws WhitelineError that says why it could not */
  printPage(htmlFile: string, pdfFile: string): Promise<void>;
  /** What stands at the head of a report, as it is set now. */
  reportHeader(): Promise<ReportHeader>;
  /** The path that a window's word for a chosen file stands for, once; @throws WhitelineError if it stands for none */
  redeemGrant(purpose: FilePurpose, grant: string): Promise<string>;
}
