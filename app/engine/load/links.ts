import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterRecordsMs, onBeat } from '../../protocol/beat';
import type { Clock } from '../../protocol/clock';
import type { MachineChange } from '../../protocol/load';
import { isLoopback } from './network';
import { readProc, unreadableReason, whyUnreadable } from './proc';
import { windowsBooks } from './windows-books';

/** What an interface is, not what goes through it. */
export interface Link {
  linkMbps: number | null;
  mtuBytes: number | null;
  notMeasured: Record<string, string>;
}

/** No file descriptor is left. Other errors are a driver's own: one that knows no speed refuses to be read. */
const exhausted = ['EMFILE', 'ENFILE'];
/**
 * A speed changes when a cable is pulled, but a driver may need milliseconds to report it: read every tenth time. The state only
 * explains a missing speed, so both are read together.
 */
const speedEvery = 10;

/** As a driver gives it, and the kernel. */
interface Speed {
  speed: string;
  state: string;
}

/**
 * Speed and MTU of the network interfaces, from /sys/class/net. What a driver is asked for is read beside the event loop; what the kernel
 * itself knows is there at once, and would cost ten times as much there. All of it at the beats of the sampler. A process that was moved
 * into another network namespace still sees the interfaces of the first one there: then nothing is reported.
 */
export class LinkReader {
  private links = new Map<string, Link>();
  private readonly speeds = new Map<string, Speed>();
  private renewals = 0;
  private changes: MachineChange[] = [];
  private reason = 'not read yet';
  private isReading = false;
  private readonly stop: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly folder = '/sys/class/net',
    private readonly list = async (path: string) => readdirSync(path, { withFileTypes: true }),
  ) {
    void this.renew();
    this.stop = onBeat(clock, () => void this.renew(), { every: 2, afterMs: afterRecordsMs });
  }

  close(): void {
    this.stop();
  }

  /** The newest sample of these interfaces, if the kernel counts them. */
  linksOf(names: string[]): (name: string) => Link {
    const { links } = this;
    if (links.size === 0) return () => unknownLink(this.reason);
    const isOurs = this.areOurs(names);
    return (name) => (isOurs && links.get(name)) || unknownLink(otherNamespace);
  }

  /** MTUs that changed since the last call, of those of these interfaces that the kernel counts. */
  takeChanges(names: string[]): MachineChange[] {
    const changes = this.changes.splice(0);
    return this.areOurs(names) ? changes : [];
  }

  private areOurs(names: string[]): boolean {
    return names.length === this.links.size && names.every((name) => this.links.has(name));
  }

  private async renew(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    const [links, reason] = this.ofWindows() ?? (await this.inFolder());
    for (const [name, { mtuBytes }] of links) this.noteMtu(name, this.links.get(name)?.mtuBytes, mtuBytes);
    this.links = links;
    this.reason = reason;
    this.isReading = false;
  }

  /** Null on other systems. */
  private ofWindows(): [Map<string, Link>, string] | null {
    const interfaces = windowsBooks()?.interfaces();
    if (!interfaces) return null;
    const links = interfaces.map(({ name, up, speedBps, mtuBytes }): [string, Link] => {
      const speed = up && speedBps !== null ? `${Math.round(speedBps / 1e6)}` : '';
      return [name, linkOf(name, isLoopback(name) ? '' : speed, up ? 'up' : 'down', `${mtuBytes}`)];
    });
    return [new Map(links), 'Windows listed no interface'];
  }

  private async inFolder(): Promise<[Map<string, Link>, string]> {
    let reason = `not known on this system: ${this.folder} is absent or empty`;
    const entries = await this.list(this.folder).catch(({ code = '' }: NodeJS.ErrnoException) => {
      reason = unreadableReason(this.folder, code, true) ?? reason;
      return [];
    });
    // Interfaces are links to their devices; a file of the bonding driver lies among them.
    const names = entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name);
    const isSpeedDue = this.renewals++ % speedEvery === 0;
    const read = async (name: string): Promise<[string, Link]> => [name, await this.read(name, isSpeedDue)];
    return [new Map(await Promise.all(names.map(read))), reason];
  }

  private noteMtu(name: string, fromBytes: number | null | undefined, toBytes: number | null): void {
    if (fromBytes == null || toBytes === null || fromBytes === toBytes) return;
    this.changes.push({
      atNs: this.clock.monotonicNs(),
      code: 'mtu-changed',
      data: { name, fromBytes, toBytes },
    });
  }

  private async read(name: string, isSpeedDue: boolean): Promise<Link> {
    let unreadable: string | null = null;
    const asked = (path: string): Promise<string> =>
      readFile(path, 'latin1').then(
        (text) => text.trim(),
        ({ code = '' }: NodeJS.ErrnoException) => {
          if (exhausted.includes(code)) unreadable = unreadableReason(path, code, true);
          return '';
        },
      );
    const read = (path: string): string => {
      const text = readProc(path);
      if (text === null) unreadable ??= whyUnreadable(path);
      return text?.trim() ?? '';
    };
    const pathOf = (file: string): string => join(this.folder, name, file);
    const known = isSpeedDue ? undefined : this.speeds.get(name);
    const now = known ?? { speed: await asked(pathOf('speed')), state: read(pathOf('operstate')) };
    const mtu = read(pathOf('mtu'));
    if (unreadable !== null) return unknownLink(unreadable);
    this.speeds.set(name, now);
    return linkOf(name, now.speed, now.state, mtu);
  }
}

const otherNamespace = 'the interfaces in /sys/class/net are not those of this network namespace';

function unknownLink(reason: string): Link {
  return { linkMbps: null, mtuBytes: null, notMeasured: { linkMbps: reason, mtuBytes: reason } };
}

/** From the texts of speed (Mb/s; empty if the driver cannot be asked), operstate and mtu (bytes). */
export function linkOf(name: string, speed: string, state: string, mtu: string): Link {
  const linkMbps = unknownSpeeds.includes(speed) ? null : positive(speed);
  const mtuBytes = mtu === unlimitedMtu ? null : positive(mtu);
  const notMeasured: Record<string, string> = {};
  if (linkMbps === null) notMeasured.linkMbps = speedlessReason(name, state);
  if (mtuBytes === null) notMeasured.mtuBytes = 'the system does not report it';
  return { linkMbps, mtuBytes, notMeasured };
}

/** −1 as drivers write it that do not know, the older ones in 16 or 32 bits. */
const unknownSpeeds = ['-1', '65535', '4294967295'];
/** Windows' number for an interface without a limit. */
const unlimitedMtu = '4294967295';

function positive(text: string): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : null;
}

function speedlessReason(name: string, state: string): string {
  if (isLoopback(name)) return 'loopback has no link';
  return state === 'down' ? 'the link is down' : 'its driver reports no speed';
}
