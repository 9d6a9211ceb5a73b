import { onTestFinished } from 'vitest';
import { Announcer } from '../nmos/discovery/announce';
import { Browser } from '../nmos/discovery/browse';
import { MulticastLink } from '../nmos/discovery/link';
import type { ServiceType } from '../nmos/discovery/service-types';
import type { Clock } from '../protocol/clock';
import { freeUdpPort } from './free-port';

/** Programs that speak multicast DNS with each other: real packets on this machine's loopback interface, until the test ends. */
export class MulticastCircle {
  private constructor(
    readonly port: number,
    private readonly clock: Clock,
  ) {}

  /** At a port of its own, which no other program hears. */
  static async open(clock: Clock): Promise<MulticastCircle> {
    return new MulticastCircle(await freeUdpPort(), clock);
  }

  async link(): Promise<MulticastLink> {
    const link = await MulticastLink.open({ hosts: ['127.0.0.1'], port: this.port, clock: this.clock });
    onTestFinished(() => link.close());
    return link;
  }

  async announcer(): Promise<Announcer> {
    const announcer = new Announcer(await this.link(), this.clock);
    onTestFinished(() => announcer.close());
    return announcer;
  }

  async browser(...types: ServiceType[]): Promise<Browser> {
    const browser = new Browser(await this.link(), types, this.clock);
    onTestFinished(() => browser.close());
    return browser;
  }
}
