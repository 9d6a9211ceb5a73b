import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from './network';

/** What an interface is, not what goes through it. */
export interface Link {
  linkMbps: number | null;
  mtuBytes: number | null;
  notMeasured: Record<string, string>;
}

/** Speeds change when a cable is pulled, and asking a driver for one may take it milliseconds. */
const renewEveryMs = 5000;

/**
 * Speed and MTU of the network interfaces, from /sys/class/net, read beside the event loop. A process that was moved
 * into another network namespace still sees the interfaces of the first one there: then nothing is reported.
 */
export class LinkReader {
  private links = new Map<string, Link>();
  private reason = 'not read yet';
  private isReading = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly folder = '/sys/class/net',
    private readonly everyMs = renewEveryMs,
  ) {
    void this.renew();
    this.timer = setInterval(() => void this.renew(), this.everyMs);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** The newest sample of the interfaces, of which the kernel counts these. */
  linksOf(names: string[]): (name: string) => Link {
    const { links } = this;
    if (links.size === 0) return () => unknownLink(this.reason);
    const isOurs = names.length === links.size && names.every((name) => links.has(name));
    return (name) => (isOurs && links.get(name)) || unknownLink(otherNamespace);
  }

  private async renew(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    // Interfaces are links to their devices; a file of the bonding driver lies among them.
    const names = entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name);
    const read = async (name: string): Promise<[string, Link]> => [name, await this.read(name)];
    this.links = new Map(await Promise.all(names.map(read)));
    this.reason = `not known on this system: ${this.folder} is absent or empty`;
    this.isReading = false;
  }

  private async read(name: string): Promise<Link> {
    const fact = (file: string): Promise<string> =>
      readFile(join(this.folder, name, file), 'latin1').then(
        (text) => text.trim(),
        () => '',
      );
    const [speed, state, mtu] = await Promise.all([fact('speed'), fact('operstate'), fact('mtu')]);
    return linkOf(name, speed, state, mtu);
  }
}

const otherNamespace = 'the interfaces in /sys/class/net are not those of this network namespace';

function unknownLink(reason: string): Link {
  return { linkMbps: null, mtuBytes: null, notMeasured: { linkMbps: reason, mtuBytes: reason } };
}

/** From the texts of speed (Mb/s; empty where the driver cannot be asked), operstate and mtu (bytes). */
export function linkOf(name: string, speed: string, state: string, mtu: string): Link {
  const linkMbps = unknownSpeeds.includes(speed) ? null : positive(speed);
  const mtuBytes = positive(mtu);
  const notMeasured: Record<string, string> = {};
  if (linkMbps === null) notMeasured.linkMbps = speedlessReason(name, state);
  if (mtuBytes === null) notMeasured.mtuBytes = 'the system does not report it';
  return { linkMbps, mtuBytes, notMeasured };
}

/** −1 as drivers write it that do not know, the older ones in 16 or 32 bits. */
const unknownSpeeds = ['-1', '65535', '4294967295'];

function positive(text: string): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : null;
}

function speedlessReason(name: string, state: string): string {
  if (isLoopback(name)) return 'loopback has no link';
  return state === 'down' ? 'the link is down' : 'its driver reports no speed';
}
