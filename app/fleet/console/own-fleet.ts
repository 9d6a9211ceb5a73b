import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { RemoteMachine } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import { connectBus } from '../bus/nats-bus';
import { NumberedChannel } from '../bus/numbered-channel';
import { InvitedAgents } from '../site/agents';
import { readJoinFile } from '../site/join-file';
import { siteFiles } from '../site/site';
import type { AgentView } from './agents';
import { Fleet } from './fleet';

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
export class OwnFleet {
  private opened: Promise<Fleet> | null = null;
  private fleet: Fleet | null = null;

  constructor(private readonly options: OwnFleetOptions) {}

  /** @throws WhitelineError where no fleet was started, or its server does not answer; those of `Fleet.find` */
  async find(name: string): Promise<RemoteMachine | null> {
    this.opened ??= this.open();
    try {
      return await (await this.opened).find(name);
    } catch (error) {
      await this.forgetClosed();
      throw error;
    }
  }

  /** Of the machines whose agents are connected; none where there is no fleet, or its server does not run. */
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

  /** Gives its machines back. */
  async close(): Promise<void> {
    const fleet = await this.opened?.catch(() => null);
    this.opened = null;
    this.fleet = null;
    await fleet?.close();
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
    const invited = new InvitedAgents(siteFiles(folder).agents);
    const bus = await connectBus(readJoinFile(file), 'console', { clock });
    this.fleet = new Fleet({
      ...{ ...rest, bus, clock, transport: 'ndi' },
      isInvited: ({ id, name }) => invited.find(name)?.id === id,
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
