import type { LoadSample } from '../../protocol/load';
import { liveLossDelaySeconds } from '../../protocol/thresholds';
import type { HostRole, RemoteMachine } from '../host-application';
import type { ProcessStandstill, StandstillLog } from '../load/standstills';
import { MachineReleaseClock } from '../machines/machine-release-clock';
import { type MachineSide, SampledSide } from '../machines/machine-side';
import { ReleaseWitness } from '../machines/release-witness';
import type { DeadProcess } from './dead-process';
import type { OpenSources } from './open-sources';
import { standstillsOfEnds } from './rows/machines-of';
import type { Stream } from './stream';
import type { StreamHost } from './stream-host';
import type { StreamHosts } from './stream-hosts';
import type { MachineAway } from './stream-states';

export interface StreamPlacesOptions {
  standstills: Pick<StandstillLog, 'near'>;
  wallOffsetUs: number;
}

/** On which machines the two ends of streams are, and what is known of these machines. */
export class StreamPlaces {
  private readonly ourSide = new SampledSide();

  constructor(
    private readonly hosts: StreamHosts,
    private readonly sources: OpenSources,
    private readonly options: StreamPlacesOptions,
  ) {}

  /** The machine of each host of a role; null: ours. */
  machinesOf(role: HostRole): (RemoteMachine | null)[] {
    return this.hosts.of(role).map(({ machine }) => machine);
  }

  /** Machine of the senders, if the receivers are on another one. */
  get senderSide(): MachineSide | undefined {
    const [sender = null] = this.machinesOf('sending');
    return this.machinesOf('receiving').some((machine) => machine !== sender)
      ? (sender ?? this.ourSide)
      : undefined;
  }

  /** Machines of the receivers, in the order in which streams come to them; empty if all receivers are here. */
  get receiverSides(): readonly MachineSide[] {
    const machines = this.machinesOf('receiving');
    return machines.some((machine) => machine !== null) ? machines.map((one) => one ?? this.ourSide) : [];
  }

  /** This machine was sampled. */
  addLoad(sample: LoadSample): void {
    this.ourSide.add(sample);
  }

  /** Standstills of all processes that measure, if they overlap the time between two moments; `toNs` is now, or was just now. */
  standstills(fromNs: number, toNs: number): ProcessStandstill[] {
    const pieces = [...this.options.standstills.near(fromNs, toNs), ...this.hosts.silencesUntil(toNs)];
    if (this.hosts.machines.length === 0) return pieces;
    return standstillsOfEnds(pieces, { ourName: this.ourSide.name, isEndHere: this.hosts.isAnyHere });
  }

  /**
   * Number of the receiving host of the next stream beside these: streams come to the machines one after the other; where some were removed, to
   * the first that has the fewest.
   */
  nextReceivingHost(streams: readonly Stream[]): number {
    const counts = this.hosts
      .of('receiving')
      .map(({ number }) => streams.filter(({ receivingHost }) => receivingHost === number).length);
    return 1 + Math.max(0, counts.indexOf(Math.min(...counts)));
  }

  /** Tells a stream on which machines its two ends are. */
  place(stream: Stream, receivingHost: number): void {
    stream.receivingHost = receivingHost;
    const sender = this.sources.hostOf(stream.source).machine;
    const receiver = this.hosts.receiverOf(stream).machine;
    stream.receivedBy = () => this.hosts.find('receiving', stream.receivingHost);
    if (!sender && this.receiverSides.length === 0) return;
    stream.sentFrom = sender?.name ?? null;
    stream.receivedOn = receiver?.name ?? null;
    stream.clock = new MachineReleaseClock(sender, receiver, this.options.wallOffsetUs);
    stream.releaseWitness = sender && new ReleaseWitness(sender, stream.source.releases);
    stream.receiverHost = (receiver ?? this.ourSide).name;
    stream.away = () => this.awayOf(stream);
    const side = sender ?? this.ourSide;
    stream.reportedLoads = side.loads;
    stream.senderHost = side.name;
  }

  /** Up to when all hosts have reported, or those of one stream; one on another machine may be out of reach for a while. */
  reportedToNs(nowNs: number, stream?: Stream): number {
    if (!stream) return this.hosts.reportedToNs(nowNs);
    return Math.min(nowNs, ...this.hostsOf(stream).map((host) => host.reportedToNs(nowNs)));
  }

  /** Up to when it is known what a stream did, of whose hosts some of these may be. */
  knownToNs(stream: Stream, died: readonly DeadProcess[]): number {
    const hosts = this.hostsOf(stream);
    const dead = died.filter(({ role, number }) =>
      hosts.some((host) => host.role === role && host.number === number),
    );
    return Math.min(...dead.map(({ reportedToNs = Number.POSITIVE_INFINITY }) => reportedToNs));
  }

  /** Now, or the last moment before which a whole second is reported, for this stream or for all. */
  countedToNs(nowNs: number, stream?: Stream): number {
    const ofStream = this.hosts.machines.length > 0 ? stream : undefined;
    return Math.min(nowNs, this.reportedToNs(nowNs, ofStream) + liveLossDelaySeconds * 1e9);
  }

  private awayOf(stream: Stream): MachineAway | null {
    const [sending, receiving] = this.hostsOf(stream);
    return sending.away() ?? receiving.away();
  }

  /** In which its two ends live. */
  private hostsOf(stream: Stream): [sending: StreamHost, receiving: StreamHost] {
    return [this.sources.hostOf(stream.source), this.hosts.receiverOf(stream)];
  }
}
