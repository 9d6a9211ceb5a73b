import type { Clock } from '../../protocol/clock';
import type { LoadSample } from '../../protocol/load';
import { liveLossDelaySeconds } from '../../protocol/thresholds';
import type { HostRole, RemoteMachine } from '../host-application';
import type { ProcessStandstill, StandstillLog } from '../load/standstills';
import { MachineReleaseClock } from '../machines/machine-release-clock';
import { type MachineSide, SampledSide } from '../machines/machine-side';
import { ReleaseWitness } from '../machines/release-witness';
import type { OpenSources } from './open-sources';
import { standstillsOfEnds } from './rows/machines-of';
import type { Stream } from './stream';
import type { StreamHosts } from './stream-hosts';
import type { MachineAway } from './stream-states';

export interface StreamPlacesOptions {
  clock: Pick<Clock, 'monotonicNs'>;
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

  /** Of the senders, where the receivers are on another machine. */
  get senderSide(): MachineSide | undefined {
    const [sender = null] = this.machinesOf('sending');
    return this.machinesOf('receiving').some((machine) => machine !== sender)
      ? (sender ?? this.ourSide)
      : undefined;
  }

  /** Of the receivers, in the order in which streams come to them; empty where all of them are here. */
  get receiverSides(): readonly MachineSide[] {
    const machines = this.machinesOf('receiving');
    return machines.some((machine) => machine !== null) ? machines.map((one) => one ?? this.ourSide) : [];
  }

  /** This machine was sampled. */
  addLoad(sample: LoadSample): void {
    this.ourSide.add(sample);
  }

  /** Of all processes that measure, as far as they touch the time between two moments; `toNs` is now, or was just now. */
  standstills(fromNs: number, toNs: number): ProcessStandstill[] {
    const pieces = [...this.options.standstills.near(fromNs, toNs), ...this.hosts.silencesUntil(toNs)];
    if (this.hosts.machines.length === 0) return pieces;
    return standstillsOfEnds(pieces, { ourName: this.ourSide.name, isEndHere: this.hosts.isAnyHere });
  }

  /** Number of the receiving host of the next stream beside so many: streams come to the machines one after the other. */
  nextReceivingHost(streams: number): number {
    return 1 + (streams % Math.max(1, this.hosts.of('receiving').length));
  }

  /** Tells a stream on which machines its two ends are. */
  place(stream: Stream, receivingHost: number): void {
    stream.receivingHost = receivingHost;
    const sender = this.sources.hostOf(stream.source).machine;
    const receiver = this.hosts.receiverOf(stream).machine;
    if (!sender && this.receiverSides.length === 0) return;
    stream.sentFrom = sender?.name ?? null;
    stream.receivedOn = receiver?.name ?? null;
    stream.clock = new MachineReleaseClock(sender, receiver, this.options.wallOffsetUs);
    stream.releaseWitness = sender && new ReleaseWitness(sender, stream.source.releases);
    stream.receiverHost = (receiver ?? this.ourSide).name;
    stream.isReceiverFar = receiver !== null;
    stream.away = () => this.awayOf(stream);
    const side = sender ?? this.ourSide;
    stream.reportedLoads = side.loads;
    stream.senderHost = side.name;
  }

  /** Up to when all hosts have reported, or those of one stream; one on another machine may be out of reach for a while. */
  reportedToNs(nowNs: number, stream?: Stream): number {
    if (!stream) return this.hosts.reportedToNs(nowNs);
    const hosts = [this.sources.hostOf(stream.source), this.hosts.receiverOf(stream)];
    return Math.min(nowNs, ...hosts.map((host) => host.reportedToNs(nowNs)));
  }

  /** Now, or the last moment of which the second before is reported: what live counts call lost is not judged earlier. */
  countedToNs(nowNs: number): number {
    return Math.min(nowNs, this.reportedToNs(nowNs) + liveLossDelaySeconds * 1e9);
  }

  private awayOf(stream: Stream): MachineAway | null {
    const nowNs = this.options.clock.monotonicNs();
    return this.sources.hostOf(stream.source).away(nowNs) ?? this.hosts.receiverOf(stream).away(nowNs);
  }
}
