import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ConsoleFleet, RemoteMachine } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import { problemText, toProblem, WhitelineError } from '../../protocol/errors';
import {
  type FleetView,
  type MachineFacts,
  type MachineLine,
  type MadeInvitation,
  noFleet,
  packedNow,
} from '../../protocol/fleet/fleet-view';
import type { MovieList } from '../../protocol/fleet/movie-list';
import type { MovieLook } from '../../protocol/fleet/movies';
import type { SourceSettings } from '../../protocol/source-spec';
import { connectBus } from '../bus/nats-bus';
import { NumberedChannel } from '../bus/numbered-channel';
import { type InvitedAgent, InvitedAgents } from '../site/agents';
import { thisMachine } from '../site/hosts';
import { invite } from '../site/invite';
import { readJoinFile } from '../site/join-file';
import { runningServer } from '../site/server-process';
import { siteFiles } from '../site/site';
import type { AgentView } from './agents';
import { Fleet } from './fleet';
import { LineChanges } from './line-changes';
import { type HeardMachine, machineLines } from './machine-lines';
import { otherVersions } from './other-version';

export interface OwnFleetOptions {
  /** Folder of the fleet that this user has set up. */
  folder: string;
  clock: Clock;
  /** Of Whiteline, as it runs here. */
  version: string;
  /** A machine is gone against our will. `words`: why. */
  onLost(name: string, words: string): void;
}

/** The fleet of this user. Nothing connects to its server before a machine of it is asked for. */
export class OwnFleet implements ConsoleFleet {
  private opened: Promise<Fleet> | null = null;
  private fleet: Fleet | null = null;
  private readonly invited: InvitedAgents;
  private readonly changes: LineChanges;

  constructor(private readonly options: OwnFleetOptions) {
    this.changes = new LineChanges(Math.floor(options.clock.wallMs()));
    this.invited = new InvitedAgents(siteFiles(options.folder).agents);
  }

  serverProcessId(): number | null {
    try {
      return runningServer(siteFiles(this.options.folder));
    } catch {
      return null;
    }
  }

  /** @throws WhitelineError if no fleet was started, or its server does not answer; those of `Fleet.find` */
  find(name: string): Promise<RemoteMachine | null> {
    return this.with((fleet) => fleet.find(name));
  }

  /** @throws WhitelineError as `find`; those of `Fleet.movies` */
  movies(name: string): Promise<MovieList | null> {
    return this.with((fleet) => fleet.movies(name));
  }

  /** @throws WhitelineError as `find`; those of `Fleet.movie` */
  movie(name: string, settings: SourceSettings): Promise<MovieLook | null> {
    return this.with((fleet) => fleet.movie(name, settings));
  }

  /** Of the machines whose agents are connected; none if there is no fleet, or its server does not run. */
  async names(): Promise<string[]> {
    if (!existsSync(siteFiles(this.options.folder).console)) return [];
    this.opened ??= this.open();
    try {
      const views = (await this.opened).views();
      return views.filter(({ state }) => state === 'here').map(({ name }) => name);
    } catch {
      await this.forgetClosed();
      return [];
    }
  }

  /** All agents that were heard; none before a machine was asked for. */
  get heard(): readonly AgentView[] {
    return this.fleet?.views() ?? [];
  }

  /**
   * Those of these agents that are connected, once all were heard or could have been.
   * @throws WhitelineError as `find`
   */
  async connected(ids: readonly string[]): Promise<AgentView[]> {
    this.opened ??= this.open();
    return (await this.opened).connected(ids);
  }

  /** All machines that were invited, and the server; what is wrong with either is in it. @param known revision of the lines that are known */
  async view(known: number): Promise<FleetView> {
    const { console } = siteFiles(this.options.folder);
    if (!existsSync(console)) return noFleet;
    const { invited, damage } = readInvited(this.invited);
    this.opened ??= this.open();
    try {
      const fleet = await this.opened;
      const server = fleet.isConnected ? 'connected' : 'lost';
      return this.viewOf({ server, problem: damage }, machineLines(invited, fleet.heardAgents()), known);
    } catch (error) {
      await this.forgetClosed();
      const problem = damage ?? problemText(toProblem(error));
      return this.viewOf({ server: 'stopped', problem }, machineLines(invited, []), known);
    }
  }

  /** Null: the agent with this id is not heard. */
  async facts(id: string): Promise<MachineFacts | null> {
    const fleet = await this.opened?.catch(() => null);
    return (await fleet?.facts(id)) ?? null;
  }

  /** @throws WhitelineError those of `invite` */
  async invite(name: string, path: string, isAgain: boolean): Promise<MadeInvitation> {
    const { folder, clock } = this.options;
    const options = { folder, name, clock, address: null, output: path, force: isAgain };
    const { file, isAccepted } = await invite({ ...options, machine: thisMachine });
    return { path: file, isAccepted };
  }

  /** Gives its machines back. */
  async close(): Promise<void> {
    const fleet = await this.opened?.catch(() => null);
    this.opened = null;
    this.fleet = null;
    await fleet?.close();
  }

  private viewOf(
    state: Pick<FleetView, 'server' | 'problem'>,
    machines: readonly HeardMachine[],
    known: number,
  ): FleetView {
    const lines = machines.map(({ silentSeconds, figures, ...line }): MachineLine => line);
    return {
      ...state,
      otherVersions: otherVersions(lines.flatMap(runningVersion), this.options.version),
      ...this.changes.since(known, lines),
      moving: packedNow(machines),
    };
  }

  private async with<Result>(use: (fleet: Fleet) => Promise<Result>): Promise<Result> {
    this.opened ??= this.open();
    try {
      return await use(await this.opened);
    } catch (error) {
      await this.forgetClosed();
      throw error;
    }
  }

  private async open(): Promise<Fleet> {
    const { folder, clock, ...rest } = this.options;
    const file = siteFiles(folder).console;
    if (!existsSync(file))
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: 'No fleet is set up on this machine',
        remedy: 'Set one up: whiteline fleet start, then whiteline fleet invite NAME',
      });
    const bus = await connectBus(readJoinFile(file), 'console', { clock });
    this.fleet = new Fleet({
      ...{ ...rest, bus, clock, transport: 'ndi' },
      isInvited: ({ id, name }) => this.invited.find(name)?.id === id,
      holder: `${hostname()}, process ${process.pid}`,
      openChannel: (sendOn, hearOn) => new NumberedChannel(bus, clock, { sendOn, hearOn }),
    });
    return this.fleet;
  }

  /** One that could not be opened is tried again when a machine is asked for. */
  private async forgetClosed(): Promise<void> {
    const isOpen = await this.opened?.then(
      () => true,
      () => false,
    );
    if (!isOpen) this.opened = null;
  }
}

/** `damage`: what is wrong with a file of them, for which none of them is known. */
function readInvited(agents: InvitedAgents): { invited: InvitedAgent[]; damage: string | null } {
  try {
    return { invited: agents.all(), damage: null };
  } catch (error) {
    return { invited: [], damage: problemText(toProblem(error)) };
  }
}

/** Of an agent that ended, the next one may be of another version. */
function runningVersion({ name, version, state }: MachineLine): { name: string; version: string }[] {
  return version === null || state === 'ended' ? [] : [{ name, version }];
}
