import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import type { HostReady } from '../../protocol/host';
import { nearNames } from '../../protocol/near-names';
import type { DiscoveredSource } from '../../protocol/records';
import type { Thresholds } from '../../protocol/thresholds';
import type { TransportSettings } from '../../protocol/transports';
import type { NativeHost } from '../capabilities/native-host';
import type { HostApplication } from '../host-application';
import type { StandstillLog } from '../load/standstills';
import type { TrafficLooks } from '../load/traffic';
import { CaptureLogs } from './capture-logs';
import { FollowedStreams } from './followed-streams';
import type { Stream } from './stream';
import { type NoteEvent, StreamHosts } from './stream-hosts';
import { explain } from './stream-states';
import type { WatchOptions } from './watched-sender';

export interface WatchSetOptions extends WatchOptions {
  clock: Clock;
  application: HostApplication;
  transport: TransportSettings;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  /** Folder for the receivers' own logs of captured numbers; none by default. */
  captureLogFolder?: string;
  noteEvent: NoteEvent;
  standstills: Pick<StandstillLog, 'add' | 'near'>;
}

/** One receiving process and the streams that it follows, for a watcher that sends nothing. */
export class WatchSet {
  private readonly hosts: StreamHosts;
  readonly followed: FollowedStreams;

  constructor(options: WatchSetOptions) {
    const logs = new CaptureLogs(options);
    this.hosts = new StreamHosts({
      ...options,
      onRecords: (message) => {
        this.followed.ingest(message);
        logs.noteGaps(message.logGaps ?? []);
      },
      onDeath: () => this.followed.loseReceivers(),
      onLook: (nowNs) => this.followed.lookAtSilent(nowNs),
      revive: () => this.followed.reopen(),
      onChange: () => undefined,
    });
    let streams = 0;
    this.followed = new FollowedStreams(this.hosts, { ...options, logs, nextStreamId: () => ++streams });
  }

  start(): Promise<HostReady> {
    return this.hosts.start(['receiving']);
  }

  processIds(): number[] {
    return this.hosts.processIds('receiving');
  }

  traffic(): TrafficLooks {
    return this.hosts.traffic('receiving');
  }

  /** Knows what only native code can report: the receiving host. */
  readonly host: NativeHost = {
    request: (...request) => this.hosts.first('receiving').request(...request),
  };

  /** What discovery lists now; nothing if the host cannot say. */
  async discovered(): Promise<DiscoveredSource[]> {
    try {
      return (await this.host.request({ name: 'discover', seconds: 0 })) as DiscoveredSource[];
    } catch {
      return [];
    }
  }

  /** Full names of it. */
  async listed(): Promise<string[]> {
    return [...new Set((await this.discovered()).map(({ name }) => name))];
  }

  /** Resolves when its process is gone. */
  close(): Promise<void> {
    return this.hosts.close();
  }
}

/** Whether a stream is waited for no longer: no picture came in time, or none by which frames can be counted. */
export function isOverdue(stream: Stream, nowNs: number, thresholds: Thresholds): boolean {
  return stream.followedBy === null && nowNs > stream.awaitedToNs(thresholds.connectTimeoutSeconds);
}

/** Where a stream was looked for. */
export interface LookedAt {
  /** Given by the operator, so that discovery was not asked. */
  address?: string;
  /** Full names of all that discovery lists. */
  listed: readonly string[];
}

/** Nothing that can be followed came in time, so nothing was measured. */
export function noVideo(
  stream: Stream,
  nowNs: number,
  thresholds: Thresholds,
  lookedAt: LookedAt,
): WhitelineError {
  const { name, watchdog, firstPictureNs, uncounted } = stream;
  const { connectTimeoutSeconds } = thresholds;
  const state = stream.state(nowNs, { ...thresholds, warmUpSeconds: 0 });
  const { text, remedy } = explain(state, {
    pictureClass: watchdog.pictureClass,
    receiver: stream.receiver,
    followedBy: stream.followedBy,
    isConnected: watchdog.isConnected,
    isRepeating: watchdog.isRepeating,
    reportsRecords: stream.reportsRecords,
    receiverTrouble: stream.receiverTrouble,
    stoppedProcessId: stream.stoppedProcessId,
    downLinks: stream.downLinks,
    backLinks: stream.backLinks,
    timedOut: firstPictureNs === 0,
    connectTimeoutSeconds,
  });
  const why =
    state === 'undecodable' || state === 'stale-entry'
      ? { message: `${name}: ${text}`, remedy }
      : firstPictureNs > 0
        ? { message: `${name}: ${wordsOf([reasonOf('pictures-uncounted', uncounted.kinds)])}`, remedy }
        : noneCame(stream, connectTimeoutSeconds, lookedAt);
  return new WhitelineError({ code: 'NO_VIDEO', field: 'name', value: name, ...why });
}

function noneCame(
  { name, watchdog }: Stream,
  seconds: number,
  { address, listed }: LookedAt,
): { message: string; remedy: string } {
  if (address !== undefined)
    return {
      message: `No video of ${name} came from ${address} within ${seconds} s`,
      remedy: 'Check the address and its port, the firewall and that the sender runs',
    };
  if (watchdog.isFound)
    return {
      message: `No video of ${name} came within ${seconds} s, though discovery found it`,
      remedy: 'Check the firewall (TCP and UDP 5960 and up), and restart the sender',
    };
  const near = nearSenders(name, listed);
  const isCase = near.some((other) => [other, ownPart(other)].some((part) => isSameButForCase(part, name)));
  const meant = `Did you mean ${near.join(' or ')}?${isCase ? ' Upper and lower case differ.' : ''} `;
  return {
    message: `No sender named ${name} was found within ${seconds} s`,
    remedy: `${near.length > 0 ? meant : ''}See whiteline sources for what is on the network, and check the name, the firewall and that the sender runs`,
  };
}

/** Senders may be named in full, "MACHINE (name)", or by the part in brackets. */
function nearSenders(name: string, listed: readonly string[]): string[] {
  const parts = listed.flatMap((full) => [full, ownPart(full)].map((part) => ({ full, part })));
  const near = nearNames(
    name,
    parts.map(({ part }) => part),
  );
  const senders = near.flatMap((part) => parts.filter((one) => one.part === part).map(({ full }) => full));
  return [...new Set(senders)].slice(0, mostNear);
}

const mostNear = 3;

function ownPart(fullName: string): string {
  return / \((.*)\)$/.exec(fullName)?.[1] ?? fullName;
}

function isSameButForCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
