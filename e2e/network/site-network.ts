import { inAnotherTime } from '../../app/testing/fleet-here';
import { Namespace } from './network';
import { pullCable } from './routed-network';

/** Three machines of a site at one switch: each with a network and a host name of its own, and agents with a clock of their own. */
export class SiteNetwork {
  private constructor(
    private readonly hub: Namespace,
    readonly console: Namespace,
    readonly agents: Readonly<Record<AgentName, Namespace>>,
  ) {}

  /** @throws where namespaces are not permitted, with the reason */
  static async create(): Promise<SiteNetwork> {
    const hub = await Namespace.create('wlh0');
    // One that listens for memberships holds the first datagrams to a group back, for seconds.
    hub.run('ip', 'link', 'add', 'wlh0', 'type', 'bridge', 'mcast_snooping', '0');
    hub.run('ip', 'link', 'set', 'wlh0', 'up');
    const atSwitch = async (device: string, address: string): Promise<Namespace> => {
      const machine = await Namespace.create(device);
      const port = portOf(device);
      pullCable(machine, device, `${address}/24`, hub, port);
      hub.run('ip', 'link', 'set', port, 'master', 'wlh0');
      return machine;
    };
    const console = await atSwitch('wlc0', consoleAddress);
    const agents = {
      'render-1': await atSwitch('wlr0', '10.83.0.2'),
      'display-1': await atSwitch('wld0', '10.83.0.3'),
    };
    return new SiteNetwork(hub, console, agents);
  }

  /** What stands before the command of an agent. */
  inside(name: AgentName): string[] {
    const named = ['sh', '-c', `hostname ${name}-pc && exec "$@"`, 'sh'];
    return [...this.agents[name].inside, 'unshare', '--uts', ...inAnotherTime.slice(1), ...named];
  }

  setCable(name: AgentName, state: 'up' | 'down'): void {
    this.hub.run('ip', 'link', 'set', portOf(this.agents[name].device), state);
  }

  close(): void {
    for (const machine of [this.console, ...Object.values(this.agents), this.hub]) machine.close();
  }
}

export type AgentName = 'render-1' | 'display-1';

export const consoleAddress = '10.83.0.1';

function portOf(device: string): string {
  return `${device}p`;
}
