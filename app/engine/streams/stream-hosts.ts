import { endWords } from '../../facts/process-end';
import type { RunEvent } from '../../facts/run';
import { afterRecordsMs, onBeat } from '../../protocol/beat';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import type { HostReady } from '../../protocol/host';
import { liveLossDelaySeconds } from '../../protocol/thresholds';
import { type TransportSettings, transportFacts } from '../../protocol/transports';
import { isoOf } from '../clock';
import type { HostApplication, HostRole, RemoteMachine } from '../host-application';
import type { ProcessStandstill } from '../load/standstills';
import type { TrafficLooks } from '../load/traffic';
import { machineIn } from '../machines/no-machine';
import { ownAddresses } from '../machines/own-addresses';
import { type DeadProcess, processEndOf } from './dead-process';
import { problemOn } from './host-connection';
import { ListenedTime } from './listened-time';
import type { Stream } from './stream';
import { type HostSettings, maxRestarts, placeOf, StreamHost, type StreamHostOptions } from './stream-host';

export type NoteEvent = (
  kind: RunEvent['kind'],
  text: string,
  details?: Record<string, unknown>,
  streamId?: number,
) => void;

export interface StreamHostsOptions
  extends Pick<StreamHostOptions, 'wallOffsetUs' | 'standstills' | 'onRecords'> {
  clock: Pick<Clock, 'monotonicNs' | 'uptimeSeconds' | 'after' | 'every'>;
  application: HostApplication;
  transport: TransportSettings;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  noteEvent: NoteEvent;
  /** At once, before it is started again. */
  onDeath(host: StreamHost): void;
  /** At each beat. */
  onLook(nowNs: number): void;
  /** Opens in a new host's process what lived in the one that died. */
  revive(host: StreamHost): Promise<void>;
  /** A host died and was started again, or could not be. */
  onChange(): void;
  /** Whether something still has to be fetched from a machine on which no host runs any more: it is not released yet. */
  isKept?(machine: RemoteMachine): boolean;
}

export interface RestartOptions {
  /** Machines that no host runs on any more are not given back yet: a later restart takes them up again. */
  keepsMachines?: boolean;
}

/** Stream hosts that are started again when they die, with what lived in them. */
export class StreamHosts {
  private readonly hosts: StreamHost[] = [];
  private settings: HostSettings;
  /** Machines that were had and are not given back, whether or not a host came to run there. */
  private readonly had = new Set<RemoteMachine>();
  private recoveries = 0;
  private readonly listened = new ListenedTime();
  private stopListening: (() => void) | null = null;
  /** Processes of the first host of each role that were started so far. */
  readonly started: Record<HostRole, number> = { sending: 0, receiving: 0 };
  /** Ends when every host that died is started again, with what lived in it. */
  recovery: Promise<void> = Promise.resolve();
  /** A host died and could not be started again: rows are INVALID from then on, until all hosts are restarted. */
  lost = false;
  /** In their order. */
  readonly died: DeadProcess[] = [];

  constructor(private readonly options: StreamHostsOptions) {
    this.settings = this.ownSettings();
  }

  /** Starts one more host of a role. A missing runtime is part of the answer, not an error. */
  async add(role: HostRole): Promise<{ host: StreamHost; ready: HostReady }> {
    const number = 1 + Math.max(0, ...this.of(role).map((host) => host.number));
    this.stopListening ??= onBeat(this.options.clock, () => this.look(), { afterMs: afterRecordsMs });
    const host = new StreamHost(role, number, {
      ...this.options,
      listened: this.listened,
      machineOf: (field, name) => this.machineOf(field, name),
      onDeath: (dead, exitCode, words) => this.noteDeath(dead, exitCode, words),
    });
    this.hosts.push(host);
    try {
      return { host, ready: await this.startProcess(host) };
    } catch (error) {
      // The first of a role is started again; another one is not known yet.
      if (number > 1) this.remove(host);
      throw error;
    }
  }

  /** Closes all hosts and starts the first of each role again, empty, with these settings in place of our own. */
  async restart(
    settings: Partial<HostSettings> = {},
    { keepsMachines = false }: RestartOptions = {},
  ): Promise<HostReady> {
    const roles = this.hosts.filter(({ number }) => number === 1).map(({ role }) => role);
    await this.recovery;
    await this.close();
    this.lost = false;
    const lost = this.died.filter(({ isLost }) => isLost);
    for (const dead of lost) dead.isLost = false;
    this.settings = { ...this.ownSettings(), ...settings };
    try {
      const ready = await this.start(roles);
      this.tellBack(lost);
      return ready;
    } finally {
      if (!keepsMachines) await this.giveBack();
    }
  }

  /** Hosts run again where others could not be started. */
  private tellBack(lost: readonly DeadProcess[]): void {
    const back = this.hosts.filter(({ role, machine }) =>
      lost.some((dead) => dead.role === role && dead.machine === machine?.name),
    );
    for (const host of back) {
      const { text, place } = nameOf(host, host.machine?.name);
      this.options.noteEvent('host-started', `The ${text} was started again`, place);
    }
  }

  /** Releases the machines on which no host runs, except those from which something still has to be fetched. */
  async giveBack(): Promise<void> {
    const { isKept = () => false } = this.options;
    const left = [...this.had].filter((machine) => !this.machines.includes(machine) && !isKept(machine));
    for (const machine of left) this.had.delete(machine);
    await Promise.all(left.map((machine) => machine.release()));
  }

  private async machineOf(field: 'sendOn' | 'receiveOn', name: string): Promise<RemoteMachine> {
    const machine = await machineIn(this.options.application.fleet, field, name);
    this.had.add(machine);
    return machine;
  }

  /**
   * Starts a host of each role at once, and one on each machine that receives; gives what the first of them says of the transport, or the
   * first that has a problem with it.
   * @throws WhitelineError BAD_INPUT if its ends would be in different processes, and it has none for that
   */
  async start(roles: HostRole[]): Promise<HostReady> {
    this.requireOneProcess();
    const { receiveOn = [undefined] } = this.settings;
    const all = roles.flatMap((role) => (role === 'receiving' ? receiveOn.map(() => role) : role));
    // All are waited for: one that still starts when another has failed would run on.
    const tried = await Promise.allSettled(all.map((role) => this.add(role)));
    const added = tried.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    const first = added.find(({ ready }) => ready.transportProblem !== null) ?? added[0];
    if (!first) throw new Error('no role was named');
    const { host, ready } = added.find((one) => one.ready.transportProblem) ?? first;
    const { transportProblem } = ready;
    if (!host.machine || !transportProblem) return ready;
    return { ...ready, transportProblem: problemOn(host.machine, transportProblem) };
  }

  /** Rises with each death of a host: rows that saw one are INVALID. */
  get deaths(): number {
    return this.died.length;
  }

  /** A host died and is not back yet: no row may open on what lived in it. */
  get recovering(): boolean {
    return this.recoveries > 0;
  }

  /** In the order in which they were added. */
  of(role: HostRole): StreamHost[] {
    return this.hosts.filter((host) => host.role === role);
  }

  /** @throws WhitelineError HOST_DIED if there is none */
  first(role: HostRole): StreamHost {
    return thereOf(role, this.of(role)[0]);
  }

  /**
   * The host on the machine that receives the stream.
   * @throws WhitelineError HOST_DIED if there is none
   */
  receiverOf({ receivingHost }: Pick<Stream, 'receivingHost'>): StreamHost {
    return thereOf('receiving', this.find('receiving', receivingHost));
  }

  find(role: HostRole, number: number): StreamHost | null {
    return this.of(role).find((host) => host.number === number) ?? null;
  }

  /** Other machines on which they run, each once. */
  get machines(): RemoteMachine[] {
    return [...new Set(this.hosts.flatMap(({ machine }) => machine ?? []))];
  }

  /** One of them runs on this machine. */
  get isAnyHere(): boolean {
    return this.hosts.some(({ machine }) => machine === null);
  }

  /** Commands that hosts started, such as ffmpeg. */
  commandProcessIds(): number[] {
    return this.hosts.flatMap(({ commandProcessIds }) => commandProcessIds);
  }

  processIds(role: HostRole): number[] {
    return this.of(role).flatMap(({ processIds }) => processIds);
  }

  /** Silences that are not over. */
  silencesUntil(nowNs: number): ProcessStandstill[] {
    return this.hosts.flatMap((host) => host.silenceUntil(nowNs) ?? []);
  }

  /** Now, or the last moment of which the second before is reported by all. */
  countedToNs(nowNs: number): number {
    return Math.min(nowNs, this.reportedToNs(nowNs) + liveLossDelaySeconds * 1e9);
  }

  /** Up to when all of them have reported; what is later is not to be judged yet. */
  reportedToNs(nowNs: number): number {
    return Math.min(nowNs, ...this.hosts.map((host) => host.reportedToNs(nowNs)));
  }

  traffic(role: HostRole): TrafficLooks {
    return new Map(this.of(role).flatMap(({ traffic }) => traffic));
  }

  /** Brings every record written so far; what a host that died or hangs still had is lost, and its row INVALID. */
  async flush(): Promise<void> {
    const running = this.hosts.filter(({ isRunning }) => isRunning);
    const flushed = running.map((host) => host.request({ name: 'flush' }));
    for (const result of await Promise.allSettled(flushed)) {
      if (result.status === 'rejected' && !isDeath(result.reason) && !isSilence(result.reason))
        throw result.reason;
    }
  }

  remove(host: StreamHost): void {
    const index = this.hosts.indexOf(host);
    if (index >= 0) this.hosts.splice(index, 1);
    void host.close();
  }

  /** Resolves when all processes are gone. */
  async close(): Promise<void> {
    this.stopListening?.();
    this.stopListening = null;
    await Promise.all(this.hosts.splice(0).map((host) => host.close()));
  }

  private look(): void {
    const nowNs = this.options.clock.monotonicNs();
    this.listened.look(nowNs);
    this.options.onLook(nowNs);
  }

  private async startProcess(host: StreamHost): Promise<HostReady> {
    if (host.role === 'receiving' || host.number === 1) this.started[host.role] += 1;
    const { sendOn, searchHosts } = this.settings;
    if (host.role === 'sending' || sendOn === placeOf(host, this.settings)) return host.start(this.settings);
    return host.start({
      ...this.settings,
      searchHosts: [...(searchHosts ?? []), ...(await this.senderAddresses())],
    });
  }

  /** Receivers on another machine ask that of the senders for them: multicast DNS may not go so far. */
  private async senderAddresses(): Promise<readonly string[]> {
    const { sendOn } = this.settings;
    if (sendOn === undefined) return ownAddresses();
    return (await this.machineOf('sendOn', sendOn)).addresses;
  }

  private ownSettings(): HostSettings {
    const { transport, searchHosts } = this.options;
    return { transport, searchHosts };
  }

  private requireOneProcess(): void {
    const { name } = this.options.transport;
    if (!transportFacts[name].isWithinProcess || this.options.application.hostsShareProcess) return;
    throw new WhitelineError({
      code: 'BAD_INPUT',
      message: `The transport ${name} carries streams within one process, and the stream hosts are processes of their own`,
      remedy: 'Choose another transport',
    });
  }

  private noteDeath(host: StreamHost, exitCode: number, why?: string): void {
    const { role, number, machine } = host;
    const there = machine && {
      ...this.endThere(machine),
      reportedToNs: host.reportedToNs(this.options.clock.monotonicNs()),
    };
    const end = { ...processEndOf(exitCode), ...there, ...(why !== undefined && { why }) };
    const dead: DeadProcess = { role, number, ...end, isLost: false };
    this.died.push(dead);
    this.options.onDeath(host);
    this.recoveries += 1;
    this.recovery = this.recovery
      .then(() => this.recover(host, dead))
      .finally(() => {
        this.recoveries -= 1;
      });
  }

  private endThere({
    name: machine,
    unreachableSinceNs,
  }: RemoteMachine): Pick<DeadProcess, 'machine' | 'unreachable'> {
    if (unreachableSinceNs === null) return { machine };
    const { clock, wallOffsetUs } = this.options;
    const from = isoOf(unreachableSinceNs, wallOffsetUs);
    return { machine, unreachable: { from, givenUpAt: isoOf(clock.monotonicNs(), wallOffsetUs) } };
  }

  /** Its process runs again, on a machine that answered before. */
  private noteBack({ machine }: StreamHost, { unreachable }: DeadProcess): void {
    if (machine && unreachable) unreachable.to = isoOf(machine.reachedNs, this.options.wallOffsetUs);
  }

  /** The open row is INVALID; the streams go on. */
  private async recover(host: StreamHost, dead: DeadProcess): Promise<void> {
    if (!this.hosts.includes(host)) return;
    const mayStart = host.bury();
    const { noteEvent, onChange } = this.options;
    const { text, place } = nameOf(host, dead.machine);
    noteEvent('host-died', `The ${text} ${dead.why ?? endWords(dead)}`, {
      ...place,
      exitCode: dead.exitCode,
    });
    try {
      if (!mayStart) throw new Error(`the ${text} died ${maxRestarts + 1} times`);
      await this.startProcess(host);
      this.noteBack(host, dead);
      await this.options.revive(host);
      noteEvent('host-started', `The ${text} was started again`, place);
    } catch (error) {
      // Closed meanwhile, on purpose: nothing lives in it any more.
      if (!this.hosts.includes(host)) return;
      this.lost = true;
      dead.isLost = true;
      noteEvent('problem', `The ${text} could not be started again: ${whyNot(error)}`, place);
    }
    onChange();
  }
}

/** @param machine where it runs, or ran; undefined: here */
function nameOf(
  { role, text }: StreamHost,
  machine: string | undefined,
): { text: string; place: { role: HostRole; machine?: string } } {
  return machine === undefined
    ? { text, place: { role } }
    : { text: `${text} on ${machine}`, place: { role, machine } };
}

function thereOf(role: HostRole, host: StreamHost | null | undefined): StreamHost {
  if (host) return host;
  throw new WhitelineError({
    code: 'HOST_DIED',
    message: `The ${role} process is not running`,
    remedy: 'Restart the application',
  });
}

/** The name of a machine was typed long before. */
function whyNot(error: unknown): string {
  const isGone = error instanceof WhitelineError && (error.field === 'sendOn' || error.field === 'receiveOn');
  return isGone ? 'its agent is not connected' : (error as Error).message;
}

function isSilence(error: unknown): boolean {
  return error instanceof WhitelineError && error.code === 'HOST_SILENT';
}

export function isDeath(error: unknown): boolean {
  return error instanceof WhitelineError && error.code === 'HOST_DIED';
}

/** What was open in a process that is gone is closed with it. */
export function ignoreDeath(error: unknown): void {
  if (!isDeath(error)) throw error;
}
