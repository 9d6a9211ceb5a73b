import type { Clock } from '../../protocol/clock';
import { Announcer } from '../discovery/announce';
import type { Link } from '../discovery/link';
import { serviceTypes } from '../discovery/service-types';
import type { NodeModel } from './model';
import { nodeApiVersions, type ResourceType } from './resources';

const keys: readonly [ResourceType, string][] = [
  ['node', 'ver_slf'],
  ['source', 'ver_src'],
  ['flow', 'ver_flw'],
  ['device', 'ver_dvc'],
  ['sender', 'ver_snd'],
  ['receiver', 'ver_rcv'],
];

/**
 * A node's own announcement by multicast DNS, which one that speaks v1.2 owes in both modes. Without a registry it says by counters
 * which resources have changed. Source: IS-04 v1.3 Discovery: Peer to Peer Operation.
 */
export class NodeAnnouncement {
  private readonly counters = new Map<ResourceType, number>();
  private readonly announcer: Announcer;
  private readonly stopListening: () => void;
  private isRegistered = false;
  private update = (): void => {};

  private constructor(link: Link, model: NodeModel, clock: Clock, log: (line: string) => void) {
    this.announcer = new Announcer(link, clock, log);
    this.stopListening = model.onChange(({ type }) => {
      this.counters.set(type, ((this.counters.get(type) ?? 0) + 1) % 256);
      if (!this.isRegistered) this.update();
    });
  }

  /**
   * Resolves once it is announced.
   * @throws WhitelineError NAME_IN_USE if others answer for all names
   */
  static async start(
    link: Link,
    model: NodeModel,
    instance: string,
    port: number,
    clock: Clock,
    log: (line: string) => void,
  ): Promise<NodeAnnouncement> {
    const announcement = new NodeAnnouncement(link, model, clock, log);
    const type = serviceTypes.node;
    const { announcer, txt } = announcement;
    try {
      const announced = await announcer.announce({ type, instance, port, txt });
      announcement.update = () => announced.update(announcement.txt);
      return announcement;
    } catch (error) {
      await announcement.close();
      throw error;
    }
  }

  setRegistered(isRegistered: boolean): void {
    if (this.isRegistered === isRegistered) return;
    this.isRegistered = isRegistered;
    this.update();
  }

  async close(): Promise<void> {
    this.stopListening();
    await this.announcer.close();
  }

  private get txt(): Record<string, string> {
    const counters = keys.map(([type, key]) => [key, String(this.counters.get(type) ?? 0)]);
    return {
      ...{ api_proto: 'http', api_ver: nodeApiVersions.join(','), api_auth: 'false' },
      ...(this.isRegistered ? {} : Object.fromEntries(counters)),
    };
  }
}
