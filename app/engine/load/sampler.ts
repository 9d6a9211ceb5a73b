import { afterRecordsMs, onBeat } from '../../protocol/beat';
import {
  type InterfaceLoad,
  type LinkUse,
  type LoadSample,
  type MachineChange,
  neverTold,
  type RoleLoad,
} from '../../protocol/load';
import { wallMsOf } from '../clock';
import type { LatencyNow } from '../streams/latency-now';
import type { LostPerSecond } from '../streams/lost-per-second';
import type { WallClock, WallStep } from '../wall-clock';
import { compareMachineCpu, type MachineCpu, readMachineCpu, ticksPerSecond } from './cpu';
import { DownLinks } from './down-links';
import { type DrmLook, drmPercent } from './drm-clients';
import { DrmReader } from './drm-reader';
import { compareEnded, type EndedLook, lookAtEnded } from './ended-processes';
import { type GpuSampler, machineGpu } from './gpu';
import { LinkReader } from './links';
import { readMemoryUsedMb } from './memory';
import {
  compareInterfaces,
  type InterfaceCounters,
  isLoopback,
  readInterfaces,
  readTcpRetransmits,
  trafficShare,
} from './network';
import { compareRole, lateKnown, lookAtRole, type RoleLook } from './parts';
import { notOnThisSystem, whyUnreadable } from './proc';
import { ThreadReader } from './threads';
import { compareTraffic, type TrafficLooks } from './traffic';
import { windowsBooks } from './windows-books';
import { WindowsGpu } from './windows-gpu';

/** Each figure is a mean between two looks that are this many looks apart. */
const looksBack = 2;

/** Everything that only ever rises, read at one moment. */
interface Look {
  atNs: number;
  machine: MachineCpu | null;
  /** Of the machine, in clock ticks since its start. */
  uptimeTicks: number;
  roles: ReadonlyMap<string, RoleLook>;
  ended: EndedLook;
  traffic: Readonly<Record<string, TrafficLooks>>;
  drm: DrmLook;
  interfaces: InterfaceCounters[] | null;
  tcpRetransmits: number | null;
  memoryUsedMb: number | null;
  /** Why what is null could not be read, by its name; of a role, why some of its processes could not. */
  unreadable: Readonly<Record<string, string>>;
  /** Since the look before. */
  changes: MachineChange[];
}

export interface SamplerOptions {
  wall: Pick<WallClock, 'clock' | 'offsetUs' | 'look'>;
  onWallStep?(step: WallStep): void;
  gpu: GpuSampler;
  /** Our processes by their role; those of the role `console` are not divided by threads. */
  processIds(): Readonly<Record<string, readonly number[]>>;
  /** What the stream hosts saw of their own sockets, by their role. */
  traffic?(): Readonly<Record<string, TrafficLooks>>;
  openStreams(): number;
  /** Of all streams, in the second that ended a second ago. */
  lostPerSecond(): LostPerSecond;
  /** Of the frames of the second that ends now. */
  latency(): LatencyNow | null;
  onSample(sample: LoadSample): void;
  /** Interfaces that are up, of this machine; a test sets others. */
  interfacesUp?(): string[];
}

const noFrame = 'no frame of a known age came in this second';
/** A thread of Windows does not take on the name of the one that starts it, and NDI's SDK names none there. */
const noSdkNames = 'threads of the SDK have no names on Windows: their time is among that of others';
const noThreadTimes = 'this system does not report the CPU time of threads';

/** Samples this machine twice a second. */
export class LoadSampler {
  private readonly looks: Look[] = [];
  private readonly links: LinkReader;
  private readonly downLinks: DownLinks;
  private readonly threads = new ThreadReader();
  private readonly drm: DrmReader | WindowsGpu;
  /** Of all traffic, what interfaces carried before they lost their link. */
  private readonly carried = new Map<string, ReturnType<typeof trafficShare>>();
  private readonly stop: () => void;

  constructor(private readonly options: SamplerOptions) {
    const { clock } = options.wall;
    this.links = new LinkReader(clock);
    const windows = windowsBooks();
    this.drm = windows ? new WindowsGpu(clock, windows) : new DrmReader(clock);
    this.downLinks = new DownLinks(options.interfacesUp);
    this.sample();
    this.stop = onBeat(clock, () => this.sample(), { every: 2, afterMs: afterRecordsMs });
  }

  close(): void {
    this.stop();
    this.links.close();
    this.threads.close();
  }

  private sample(): void {
    const look = this.look();
    this.looks.push(look);
    if (this.looks.length <= looksBack) return;
    const before = this.looks.shift();
    if (before) this.options.onSample(this.compare(before, look));
  }

  private look(): Look {
    const { options, threads } = this;
    const { clock } = options.wall;
    // Read before the processes: a process that starts in between then counts as not seen by this look.
    const uptimeTicks = Math.floor(clock.uptimeSeconds() * ticksPerSecond);
    const roles = Object.entries(options.processIds());
    threads.keepOnly(new Set(roles.flatMap(([role, ids]) => (role === 'console' ? [] : ids))));
    const unreadable: Record<string, string> = {};
    const noting = <Value>(name: string, path: string, value: Value | null): Value | null => {
      if (value === null)
        unreadable[name] = whyUnreadable(path) ?? `${path} could not be read at that moment`;
      return value;
    };
    const looks = roles.map(([role, ids]) => {
      const look = lookAtRole(role, ids, threads);
      const unread = ids
        .filter((id) => !look.has(id))
        .flatMap((id) => whyUnreadable(`/proc/${id}/stat`) ?? []);
      for (const reason of unread) unreadable[role] = reason;
      return [role, look] as const;
    });
    const atNs = clock.monotonicNs();
    const processes = new Map(looks.flatMap(([, look]) => [...look]));
    const interfaces = noting('interfaces', '/proc/net/dev', readInterfaces());
    const names = interfaces?.map(({ name }) => name) ?? [];
    const linkChanges = this.downLinks.look(atNs).map((change) => this.withTraffic(change));
    if (this.downLinks.unreadable !== null) unreadable.changes = this.downLinks.unreadable;
    return {
      atNs,
      machine: noting('machine', '/proc/stat', readMachineCpu()),
      uptimeTicks,
      roles: new Map(looks),
      ended: lookAtEnded(processes, this.looks.at(-1)?.ended ?? null),
      traffic: options.traffic?.() ?? {},
      drm: this.drm.look(),
      interfaces,
      tcpRetransmits: noting('tcpRetransmits', '/proc/net/snmp', readTcpRetransmits()),
      memoryUsedMb: noting('memory', '/proc/meminfo', readMemoryUsedMb()),
      unreadable,
      changes: [...this.wallChanges(atNs), ...linkChanges, ...this.links.takeChanges(names)],
    };
  }

  /** Of a link that went down, how much of the traffic it carried just before: it may be one on which no stream travelled. */
  private withTraffic(change: MachineChange): MachineChange {
    const name = String(change.data.name);
    if (change.code === 'link-down') {
      const [before, last] = [this.looks.at(0), this.looks.at(-1)];
      this.carried.set(name, before && last ? trafficShare(name, before, last) : null);
    }
    return { ...change, data: { ...change.data, ...this.carried.get(name) } };
  }

  private wallChanges(atNs: number): MachineChange[] {
    const step = this.options.wall.look();
    if (!step) return [];
    this.options.onWallStep?.(step);
    const { byMs, slept } = step;
    return [
      slept
        ? { atNs, code: 'machine-suspended', data: { seconds: byMs / 1000 } }
        : { atNs, code: 'wall-clock-step', data: { byMs } },
    ];
  }

  private compare(before: Look, now: Look): LoadSample {
    const { gpu, wall } = this.options;
    const seconds = (now.atNs - before.atNs) / 1e9;
    const notMeasured: Record<string, string> = {};
    const known: Known = (field, value, reason) => {
      if (value !== null && value !== undefined) return value;
      notMeasured[field] = reason;
      return null;
    };
    const machine = compareMachineCpu(before.machine, now.machine, seconds);
    const unreadable = { ...before.unreadable, ...now.unreadable };
    const noMachine = unreadable.machine ?? 'the number of cores changed';
    // Of what changed the list is there: it lacks what could not be seen.
    if (now.unreadable.changes !== undefined) notMeasured.changes = now.unreadable.changes;
    const latency = this.options.latency();
    const streams = this.options.openStreams();
    const lost = this.options.lostPerSecond();
    const [frames, noLosses] = 'frames' in lost ? [lost.frames, ''] : [null, lost.reason];
    const drm = { before: before.drm, now: now.drm, unreadable: this.drm.unreadable };
    const gpuLoad = machineGpu(gpu, drm, isOneOf(now.roles.values()));
    const [gpuPercent, noGpu] = typeof gpuLoad === 'string' ? [null, gpuLoad] : [gpuLoad.percent, ''];
    // A process of ours that could not be read would count as another program.
    const unreadRole = [...now.roles.keys()].map((role) => unreadable[role]).find(Boolean);
    const gpuOthers = unreadRole ?? (typeof gpuLoad === 'string' ? gpuLoad : gpuLoad.others);
    const [gpuOthersPercent, noOthers] = typeof gpuOthers === 'string' ? [null, gpuOthers] : [gpuOthers, ''];
    const retransmits =
      before.tcpRetransmits === null || now.tcpRetransmits === null
        ? null
        : now.tcpRetransmits - before.tcpRetransmits;
    return {
      atNs: now.atNs,
      wallMs: wallMsOf(now.atNs, wall.offsetUs),
      cpuPercent: known('cpuPercent', machine?.busyPercent, noMachine),
      busiestCorePercent: known('busiestCorePercent', machine?.busiestCorePercent, noMachine),
      cpuStealPercent: known('cpuStealPercent', machine?.stealPercent, machine ? neverTold : noMachine),
      gpuPercent: known('gpuPercent', gpuPercent, noGpu),
      gpuOthersPercent: known('gpuOthersPercent', gpuOthersPercent, noOthers),
      memoryUsedMb: known('memoryUsedMb', now.memoryUsedMb, now.unreadable.memory ?? notOnThisSystem),
      roles: this.compareRoles(before, now, seconds, known),
      changes: now.changes,
      ...this.compareNetwork(before, now, seconds, known),
      tcpRetransmits: known('tcpRetransmits', retransmits, unreadable.tcpRetransmits ?? notOnThisSystem),
      streams,
      lostPerSecond: known('lostPerSecond', frames, noLosses),
      latencyP50Ms: known('latencyP50Ms', latency?.p50Ms, noFrame),
      latencyP99Ms: known('latencyP99Ms', latency?.p99Ms, noFrame),
      notMeasured,
    };
  }

  private compareRoles(before: Look, now: Look, seconds: number, known: Known): LoadSample['roles'] {
    const roles: Record<string, RoleLoad | null> = {};
    const cores = now.machine?.cores ?? 1;
    for (const [role, look] of now.roles) {
      const old = before.roles.get(role) ?? new Map();
      const load = compareRole(role, old, look, seconds, cores, before.uptimeTicks);
      if (load) known(`roles.${role}.parts`, load.parts, noThreadTimes);
      if (load?.parts && windowsBooks()) known(`roles.${role}.parts.sdk`, null, noSdkNames);
      const reason = before.unreadable[role] ?? now.unreadable[role] ?? whyLate(old, look, before);
      // What some of its processes took is not what the role took.
      roles[role] =
        reason !== undefined
          ? known<RoleLoad>(`roles.${role}`, null, reason)
          : load && { ...load, ...gpuOf(look, before, now), ...trafficOf(role, before, now, known) };
    }
    const ended = compareEnded(before.ended, now.ended, seconds, cores);
    return ended ? { ...roles, ended } : roles;
  }

  private compareNetwork(before: Look, now: Look, seconds: number, known: Known): NetworkLoad {
    const counters = now.interfaces ?? [];
    const linkOf = this.links.linksOf(counters.map(({ name }) => name));
    const { loads, fresh } = compareInterfaces(before.interfaces ?? [], counters, seconds, linkOf);
    const sum = (field: keyof NetworkLoad, pick: (load: InterfaceLoad) => number): number | null => {
      const isLoopbacks = field === 'loopbackMbps';
      const unknown = fresh.find((name) => isLoopback(name) === isLoopbacks);
      const isUncounted = isLoopbacks && !counters.some(({ name }) => isLoopback(name));
      const total = loads
        .filter(({ loopback }) => loopback === isLoopbacks)
        .reduce((sumSoFar, load) => sumSoFar + pick(load), 0);
      if (!before.interfaces || !now.interfaces)
        return known(
          field,
          null,
          before.unreadable.interfaces ?? now.unreadable.interfaces ?? notOnThisSystem,
        );
      if (isUncounted) return known(field, null, 'this system does not count what goes over loopback');
      return known(field, unknown ? null : total, `${unknown} came up or began to count anew in this second`);
    };
    return {
      interfaces: loads,
      wireReceiveMbps: sum('wireReceiveMbps', (load) => load.receiveMbps),
      wireTransmitMbps: sum('wireTransmitMbps', (load) => load.transmitMbps),
      loopbackMbps: sum('loopbackMbps', (load) => load.transmitMbps),
      fullestLink: known('fullestLink', fullestLink(loads), 'no interface that leads out reports its speed'),
      wireErrors: sum('wireErrors', (load) => load.errors),
      wireDropped: sum('wireDropped', (load) => load.dropped),
    };
  }
}

/** A process that was not known at the beginning of the second used some of it unseen; undefined: there is no such process. */
function whyLate(old: RoleLook, now: RoleLook, { uptimeTicks }: Look): string | undefined {
  const id = lateKnown(old, now, uptimeTicks);
  return id === null ? undefined : `process ${id} was not known to be one of ours when this second began`;
}

/** Nothing where no GPU tells its clients apart. */
function gpuOf(processes: RoleLook, before: Look, now: Look): Pick<RoleLoad, 'gpuPercent'> {
  if (now.drm.clients.size === 0) return {};
  return { gpuPercent: drmPercent(before.drm, now.drm, isOneOf([processes])) };
}

/** Whether one of a client's processes is among these. */
function isOneOf(looks: Iterable<RoleLook>): (processIds: ReadonlySet<number>) => boolean {
  const roles = [...looks];
  return (processIds) => [...processIds].some((id) => roles.some((processes) => processes.has(id)));
}

/** Nothing for a role that carries no streams. */
function trafficOf(role: string, before: Look, now: Look, known: Known): Pick<RoleLoad, 'traffic'> {
  const looks = now.traffic[role];
  if (!looks) return {};
  const compared = compareTraffic(before.traffic[role] ?? new Map(), looks);
  if (typeof compared !== 'string') return { traffic: compared };
  return { traffic: known(`roles.${role}.traffic`, null, compared) };
}

/** Returns a value; if there is none, notes the reason under the field's name. */
type Known = <Value>(field: string, value: Value | null | undefined, reason: string) => Value | null;

type NetworkLoad = Pick<
  LoadSample,
  | 'interfaces'
  | 'wireReceiveMbps'
  | 'wireTransmitMbps'
  | 'loopbackMbps'
  | 'fullestLink'
  | 'wireErrors'
  | 'wireDropped'
>;

function fullestLink(loads: InterfaceLoad[]): LinkUse | null {
  let fullest: LinkUse | null = null;
  for (const { name, loopback, linkMbps, receiveMbps, transmitMbps } of loads) {
    if (loopback || linkMbps === null) continue;
    const mbps = Math.max(receiveMbps, transmitMbps);
    if (!fullest || mbps / linkMbps > fullest.mbps / fullest.linkMbps) fullest = { name, mbps, linkMbps };
  }
  return fullest;
}

/** The sample without its single interfaces: what is kept in memory for rows and charts. */
export function withoutInterfaces(sample: LoadSample): LoadSample {
  return { ...sample, interfaces: [] };
}
