import { WhitelineError } from '../../protocol/errors';
import type { HostReady } from '../../protocol/host';
import { reasonOf, wordsOf } from '../../protocol/reason-words';
import type { Thresholds } from '../../protocol/thresholds';
import type { HostApplication } from '../host-application';
import type { TrafficLooks } from '../load/traffic';
import { FollowedStreams } from './followed-streams';
import { LivingHosts, type NoteEvent } from './living-hosts';
import { waitedFor } from './rows/first-frame';
import type { MovieHost } from './sources/movie';
import type { Stream } from './stream';
import { explain } from './stream-states';
import type { WatchOptions } from './watched-sender';

export interface WatchSetOptions extends WatchOptions {
  application: HostApplication;
  ndiCandidates: string[];
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  /** Folder for the receivers' own logs of captured numbers; none by default. */
  captureLogFolder?: string;
  noteEvent: NoteEvent;
}

/** One receiving process and the streams that it follows, for a watcher that sends nothing. */
export class WatchSet {
  private readonly hosts: LivingHosts;
  readonly followed: FollowedStreams;

  constructor(options: WatchSetOptions) {
    this.hosts = new LivingHosts({
      ...options,
      onRecords: (message) => this.followed.ingest(message),
      onDeath: () => this.followed.loseReceivers(),
      revive: () => this.followed.reopen(),
      onChange: () => undefined,
    });
    let streams = 0;
    this.followed = new FollowedStreams(this.hosts, { ...options, nextStreamId: () => ++streams });
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
  readonly host: MovieHost = {
    request: (...request) => this.hosts.first('receiving').request(...request),
  };

  close(): void {
    void this.hosts.close();
  }
}

/** How long it takes to find out by what the frames of a sender are counted: by their code, or by their times. */
const foundOutNs = 2.5e9;

/** Whether a stream is waited for no longer: no picture came in time, or none by which frames can be counted. */
export function isOverdue(stream: Stream, nowNs: number, thresholds: Thresholds): boolean {
  if (stream.followedBy !== null) return false;
  const { firstPictureNs } = stream;
  const limitNs = waitedFor(stream, thresholds).toNs;
  return nowNs > limitNs && (firstPictureNs === 0 || nowNs > firstPictureNs + foundOutNs);
}

/** Nothing that can be followed came in time. */
export function noVideo(stream: Stream, nowNs: number, thresholds: Thresholds): WhitelineError {
  const { name, watchdog, firstPictureNs, uncounted } = stream;
  const { connectTimeoutSeconds } = thresholds;
  const state = stream.state(nowNs, { ...thresholds, warmUpSeconds: 0 });
  const { text, remedy } = explain(state, {
    pictureClass: watchdog.pictureClass,
    receiver: stream.receiver,
    followedBy: stream.followedBy,
    isConnected: stream.watchdog.isConnected,
    reportsRecords: stream.reportsRecords,
    receiverDied: stream.isReceiverDead,
    downLinks: stream.downLinks,
    backLinks: stream.backLinks,
    timedOut: firstPictureNs === 0,
    connectTimeoutSeconds,
  });
  const isConclusive = state === 'undecodable' || state === 'stale-entry';
  const cameNoVideo = `No video of ${name} came within ${connectTimeoutSeconds} s`;
  const cameUncounted = `${name}: ${wordsOf([reasonOf('pictures-uncounted', uncounted.kinds)])}`;
  return new WhitelineError({
    code: 'NO_VIDEO',
    message: isConclusive ? `${name}: ${text}` : firstPictureNs > 0 ? cameUncounted : cameNoVideo,
    field: 'name',
    value: name,
    remedy:
      isConclusive || firstPictureNs > 0
        ? remedy
        : 'See whiteline sources for what is on the network, and check the name, the firewall and that the sender runs',
  });
}
