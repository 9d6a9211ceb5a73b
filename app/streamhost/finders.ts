import type { Addon, Finder } from '../../native/addon/index';
import { badInput } from '../protocol/errors';
import type { DiscoveredSource } from '../protocol/records';
import type { TransportName } from '../protocol/transports';

/** Each costs threads. */
const mostAdded = 8;

/** Discovery: one finder for the hosts that are known when it starts, and one for each that is asked since, so that no list begins again. */
export class Finders {
  private readonly usual: Finder;
  private readonly added = new Map<string, Finder>();

  constructor(
    private readonly addon: Pick<Addon, 'Finder'>,
    private readonly transport: TransportName,
    private readonly hosts: readonly string[],
  ) {
    this.usual = this.open(hosts);
  }

  /**
   * Asks a host for its sources from now on.
   * @throws WhitelineError BAD_INPUT if there are too many
   */
  add(host: string): void {
    if (this.hosts.includes(host) || this.added.has(host)) return;
    if (this.added.size === mostAdded)
      throw badInput(
        'address',
        `at most ${mostAdded} hosts until the engine is restarted`,
        host,
        'Add it under Settings, Extra addresses',
      );
    this.added.set(host, this.open([host]));
  }

  /** Each name at each address once. */
  sources(): DiscoveredSource[] {
    const found = new Map<string, DiscoveredSource>();
    for (const finder of [this.usual, ...this.added.values()])
      for (const source of finder.sources()) found.set(`${source.name}\n${source.address}`, source);
    return [...found.values()];
  }

  close(): void {
    for (const finder of [this.usual, ...this.added.values()]) finder.close();
  }

  private open(extraAddresses: readonly string[]): Finder {
    return new this.addon.Finder({ transport: this.transport, extraAddresses: [...extraAddresses] });
  }
}
