import type { ContextWith } from '../../engine/experiment/experiment';
import { meanOf } from '../../engine/experiment/repeats';
import { machineCpuPercent, openTableRow } from '../../engine/experiment/table-row';
import type { Span } from '../../engine/streams/counting/capture-counter';
import type { Fact } from '../../facts/fact';
import { brokenGuards, type Guard, spoilsFigures } from '../../facts/precedence';
import type { ClosedRow } from '../../facts/row';
import type { LinkDirection, LinkParameters } from './declaration';
import type { Endpoint } from './endpoint';
import { heldSteps, roomFor } from './held-rate';
import { type IperfServer, type IperfTest, runIperf } from './iperf';
import { packetPayloadBytes, type UdpTarget, udpTarget } from './line-rate';
import { faultsOf, iperfRow, pingRow, type Repeat } from './link-rows';
import { ping } from './ping';
import { heldPlans, labelOf, type RowPlan, rowPlans } from './plan';

/** Of a short repeat, a load sample may lie half before it. */
const aroundNs = 1e9;
/** Length of the TCP test that finds a target for UDP where no TCP row was asked for. */
const probeSeconds = 3;
/** Where the speed of the link is known. */
const unused: TcpReached = { mbps: 0, faults: [] };

export type LinkContext = ContextWith<'machine' | 'tools'>;

/** What TCP reached in a direction, and why that measurement does not count. */
interface TcpReached {
  mbps: number;
  faults: readonly Fact[];
}

/** The rows of one link, measured from this machine. */
export class LinkRun {
  private plans: readonly RowPlan[];
  private readonly tcp = new Map<LinkDirection, TcpReached>();
  private measured = 0;
  private next = 0;

  constructor(
    private readonly parameters: LinkParameters,
    private readonly context: LinkContext,
    private readonly endpoint: Endpoint,
    private readonly server: IperfServer,
  ) {
    this.plans = rowPlans(parameters);
  }

  async *rows(): AsyncGenerator<ClosedRow> {
    const { pings, rates, maxStreams } = this.parameters;
    const isHeld = rates.includes('ndi');
    // Otherwise TCP finds out how many streams there is room for.
    const isRoomKnown = maxStreams !== undefined || this.endpoint.rate.mbps !== null;
    if (isHeld && isRoomKnown) await this.planHeld();
    if (pings > 0) yield await this.ping();
    yield* this.measureAll();
    if (!isHeld || isRoomKnown) return;
    await this.planHeld();
    yield* this.measureAll();
  }

  private async *measureAll(): AsyncGenerator<ClosedRow> {
    for (const plan of this.plans.slice(this.measured)) {
      yield* this.measure(plan);
      this.measured += 1;
    }
  }

  private async planHeld(): Promise<void> {
    const { parameters, endpoint } = this;
    const { line, ipVersion } = endpoint;
    const packetBytes = packetPayloadBytes(line.mtuBytes, ipVersion);
    const plans: RowPlan[] = [];
    for (const direction of parameters.directions) {
      const last = parameters.maxStreams ?? (await this.roomFor(direction, packetBytes));
      plans.push(...heldPlans(parameters, direction, heldSteps(last), packetBytes));
    }
    this.plans = [...this.plans, ...plans];
  }

  private async roomFor(direction: LinkDirection, packetBytes: number): Promise<number> {
    const { mbps } = await this.fullTarget(direction, packetBytes);
    return roomFor(mbps, this.parameters.streamMbps);
  }

  private async ping(): Promise<ClosedRow> {
    const { pings } = this.parameters;
    const close = openTableRow(this.context);
    this.report('ping');
    const outcome = await ping(this.endpoint.address, pings, this.context);
    const isLoopback = this.endpoint.line.loopback;
    return pingRow({ index: this.next++, ...close() }, outcome, { asked: pings, isLoopback });
  }

  /** A row that was cut short is reported with the repeats that it has, before the error that ended it. */
  private async *measure(plan: RowPlan): AsyncGenerator<ClosedRow> {
    const { endpoint, context, parameters } = this;
    const target = await this.targetOf(plan);
    const test = this.testOf(plan, target);
    const close = openTableRow(this.context);
    this.report(labelOf(plan));
    const repeats: Repeat[] = [];
    const times: Span[] = [];
    let failure: unknown = null;
    try {
      while (repeats.length < parameters.repeats) {
        const fromNs = context.clock.monotonicNs();
        repeats.push(await this.repeat(test));
        times.push({ fromNs, toNs: context.clock.monotonicNs() });
      }
    } catch (error) {
      failure = error;
    }
    if (repeats.length > 0) {
      const frame = { index: this.next++, ...close(repeats.length * parameters.holdSeconds, times) };
      if (!target) this.noteReached(test, repeats, frame.guards);
      const measured = { plan, test, server: this.server, wanted: parameters.repeats, repeats, target };
      const { saturatedPercent } = context.thresholds;
      const limits = { ...parameters, saturatedPercent, cores: context.machine.cores() };
      yield iperfRow(frame, measured, endpoint, limits);
    }
    if (failure) throw failure;
  }

  private async repeat(test: IperfTest): Promise<Repeat> {
    const { context, server } = this;
    const startedAt = context.isoNow();
    const fromNs = context.clock.monotonicNs();
    const overflowsBefore = context.machine.udpOverflows();
    const report = await runIperf(server, test, context, () =>
      context.noteEvent(
        'problem',
        'iperf3 did not end, since its first datagram was lost, and was begun again',
      ),
    );
    const overflows = context.machine.udpOverflows();
    const toNs = context.clock.monotonicNs();
    return {
      ...{ startedAt, report, elapsedSeconds: (toNs - fromNs) / 1e9 },
      machineCpuPercent: machineCpuPercent(context, fromNs, toNs),
      cpuAroundPercent: machineCpuPercent(context, fromNs - aroundNs, toNs),
      datagramsOverflowed:
        overflows === null || overflowsBefore === null ? null : overflows - overflowsBefore,
    };
  }

  private testOf({ direction, streams, datagramBytes }: RowPlan, target: UdpTarget | null): IperfTest {
    const { holdSeconds: durationSeconds, omitSeconds } = this.parameters;
    return {
      ...{ direction, streams, durationSeconds, datagramBytes, targetMbps: target?.mbps ?? null },
      omitSeconds: datagramBytes === null ? omitSeconds : 0,
    };
  }

  /** Null: as much as TCP carries. */
  private async targetOf({ direction, streams, datagramBytes, isHeld }: RowPlan): Promise<UdpTarget | null> {
    const { streamMbps } = this.parameters;
    if (isHeld) return { mbps: streams * streamMbps, source: `${streams} streams of ${streamMbps} Mb/s` };
    return datagramBytes === null ? null : this.fullTarget(direction, datagramBytes);
  }

  private async fullTarget(direction: LinkDirection, datagramBytes: number): Promise<UdpTarget> {
    const { rate, line, ipVersion } = this.endpoint;
    const { mbps, faults } = rate.mbps === null ? await this.tcpReached(direction) : unused;
    const packet = { datagramBytes, mtuBytes: line.mtuBytes, ipVersion };
    return { ...udpTarget(rate, mbps, direction, packet), faults };
  }

  private async tcpReached(direction: LinkDirection): Promise<TcpReached> {
    const known = this.tcp.get(direction);
    if (known) return known;
    const plan: RowPlan = { direction, streams: 1, datagramBytes: null, isHeld: false };
    const test = { ...this.testOf(plan, null), durationSeconds: probeSeconds };
    const close = openTableRow(this.context);
    const repeats = [await this.repeat(test)];
    return this.noteReached(test, repeats, close().guards);
  }

  /** The most of all rows of TCP in its direction. */
  private noteReached(test: IperfTest, repeats: readonly Repeat[], guards: readonly Guard[]): TcpReached {
    const { server } = this;
    const asked = { test, server, rate: this.endpoint.rate, cores: this.context.machine.cores() };
    const mbps = meanOf(repeats.map(({ report }) => report.throughputMbps ?? 0)) ?? 0;
    const before = this.tcp.get(test.direction);
    if (before && before.mbps >= mbps) return before;
    const spoilt = brokenGuards(guards.filter(spoilsFigures));
    const reached = { mbps, faults: [...spoilt, ...faultsOf(repeats, asked)] };
    this.tcp.set(test.direction, reached);
    return reached;
  }

  private report(phase: string): void {
    const { pings, repeats, holdSeconds, omitSeconds } = this.parameters;
    const phaseSeconds = repeats * (holdSeconds + omitSeconds);
    this.context.progress({
      phase,
      step: this.next + 1,
      steps: this.plans.length + (pings > 0 ? 1 : 0),
      phaseSeconds,
      phaseElapsedSeconds: 0,
      remainingSeconds: (this.plans.length - this.measured) * phaseSeconds,
    });
  }
}
