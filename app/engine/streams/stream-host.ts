import { endWords } from '../../facts/process-end';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import type { PreviewWish, RemotePreview } from '../../protocol/fleet/remote-preview';
import type { HostCommand, HostReady, HostReplyValue, HostStart, RecordsMessage } from '../../protocol/host';
import type { TrafficLook } from '../../protocol/socket-traffic';
import type { MachineName } from '../../protocol/stream-parameters';
import { drainSeconds, leaseSeconds } from '../../protocol/thresholds';
import type { HostApplication, HostRole, RemoteMachine } from '../host-application';
import type { ProcessStandstill, StandstillLog, Who } from '../load/standstills';
import { processEndOf } from './dead-process';
import { HostConnection, type HostEvents, type OnProgress } from './host-connection';
import type { ListenedTime } from './listened-time';
import type { MachineAway } from './stream-states';

export interface StreamHostOptions {
  clock: Pick<Clock, 'monotonicNs' | 'uptimeSeconds' | 'every'>;
  application: Pick<HostApplication, 'spawnStreamHost'>;
  /**
   * The machine of this name.
   * @throws WhitelineError BAD_INPUT if no agent of that name is connected; the errors of its lease
   */
  machineOf(field: 'sendOn' | 'receiveOn', name: string): Promise<RemoteMachine>;
  wallOffsetUs: number;
  listened: Pick<ListenedTime, 'ns' | 'since'>;
  standstills: Pick<StandstillLog, 'add'>;
  onRecords(message: RecordsMessage): void;
  onDeath(host: StreamHost, exitCode: number, words?: string): void;
}

/** What hosts are started with. */
export interface HostSettings extends HostStart {
  /** Paths of the network namespaces in which senders and receivers run; by default in ours. */
  senderNamespace?: string;
  receiverNamespace?: string;
  /** Names of the machines on which senders and receivers run; default: this one. Each receiving machine has its own host. */
  sendOn?: MachineName;
  receiveOn?: readonly MachineName[];
}

/** A host that dies more often than this is not started again. */
export const maxRestarts = 3;

/** A host that runs sends its records four times a second. */
const mostSilentNs = 1e9;
/** The same for a host on another machine: what the network holds back arrives by then, or the machine is given up. */
const mostSilentThereNs = (leaseSeconds + drainSeconds) * 1e9;

/** How often a host on another machine is asked for its time at the start. Later its agent is asked, which has the same clock. */
const firstTimes = 8;

/** A stream host, whatever process it runs in: after a death it gets the next one. */
export class StreamHost {
  private process: HostConnection | null = null;
  private deaths = 0;
  /** Up to when it has reported. */
  private heardNs: number | null = null;
  /** The time listened when its newest message was read. */
  private readAtNs = 0;
  /** How its last process ended, as it follows its name. */
  private why = '';
  /** Where it runs, or ran when it died; null: here. */
  machine: RemoteMachine | null = null;

  /** `number`: 1 for the first of its role, which windows view. */
  constructor(
    readonly role: HostRole,
    readonly number: number,
    private readonly options: StreamHostOptions,
  ) {}

  get text(): string {
    // If several machines receive, each host has its own machine.
    const isOne = this.number === 1 || this.role === 'receiving';
    return isOne ? `${this.role} process` : `${this.role} process ${this.number}`;
  }

  get processIds(): number[] {
    return this.process?.processIds ?? [];
  }

  /** Its machine is named where that is not ours: several may receive. */
  private get who(): Who {
    const { role, machine } = this;
    return machine ? { role, machine: machine.name } : { role };
  }

  get commandProcessIds(): number[] {
    const own = this.process?.ready?.processId;
    return this.processIds.filter((id) => id !== own);
  }

  get isRunning(): boolean {
    return this.process !== null;
  }

  /** Its newest look at its own sockets by its process, as far as there is one on this machine. */
  get traffic(): [processId: number, TrafficLook][] {
    const { ready, traffic } = this.process ?? {};
    return ready?.processId != null && traffic ? [[ready.processId, traffic]] : [];
  }

  async start(settings: HostSettings): Promise<HostReady> {
    const { senderNamespace, receiverNamespace, sendOn: _, receiveOn: __, ...start } = settings;
    const { application, wallOffsetUs, clock, machineOf } = this.options;
    const { role, number } = this;
    const isReceiving = role === 'receiving';
    // Each receiving host has its own machine: windows use the one on this machine, whatever its number.
    const ofMachine = isReceiving ? 1 : number;
    const networkNamespace = isReceiving ? receiverNamespace : senderNamespace;
    const place = placeOf(this, settings);
    const machine = place && (await machineOf(isReceiving ? 'receiveOn' : 'sendOn', place));
    const spawned = machine
      ? machine.spawnStreamHost(role, ofMachine)
      : application.spawnStreamHost(role, { number: ofMachine, networkNamespace });
    const events: HostEvents = {
      onRecords: (message) => {
        // A host without its addon yet knows no time.
        if (message.atNs > 0) this.heardNs = message.atNs;
        this.readAtNs = this.options.listened.ns;
        this.options.standstills.add(this.who, message.standstills);
        this.options.onRecords(message);
      },
      onDeath: (exitCode, words) => {
        this.why = words ?? endWords(processEndOf(exitCode));
        this.options.onDeath(this, exitCode, words);
      },
    };
    const started = new HostConnection(this.role, spawned, events, clock);
    this.process = started;
    this.machine = started.machine;
    this.heardNs = null;
    this.readAtNs = this.options.listened.ns;
    const ready = await started.start(start, started.machine?.wallOffsetUs ?? wallOffsetUs);
    if (started.machine) {
      for (let times = 0; times < firstTimes; times++) await started.askTime();
      this.heardNs ??= this.options.clock.monotonicNs();
    }
    return ready;
  }

  /** @throws WhitelineError of the host, or HOST_DIED, HOST_SILENT */
  async request(
    command: HostCommand,
    onProgress?: OnProgress,
    signal?: AbortSignal,
  ): Promise<HostReplyValue> {
    if (!this.process) throw this.notRunning();
    const value = await this.process.request(command, onProgress, signal);
    return value;
  }

  private notRunning(): WhitelineError {
    const { machine, text, why } = this;
    return new WhitelineError({
      code: 'HOST_DIED',
      message: machine ? `The ${text} on ${machine.name} ${why}` : `The ${text} is not running`,
      remedy: machine
        ? `Start the agent on ${machine.name} if it is not running, check the network to it, and add the streams again or run this again`
        : 'Restart the application',
    });
  }

  /** Another one for each process; null: none runs. */
  get life(): object | null {
    return this.process;
  }

  /** The next small picture of a stream that it receives on another machine. @throws WhitelineError HOST_DIED, those of bus and agent */
  async preview(wish: PreviewWish): Promise<RemotePreview> {
    if (!this.process) throw this.notRunning();
    // Awaited here, as the requests below are: an older Electron ends a process for a rejection that nothing awaits yet.
    const preview = await this.process.preview(wish);
    return preview;
  }

  /** It runs here, and says nothing: it is stopped, or hangs. */
  get isSilent(): boolean {
    return this.machine === null && this.isHeardOf && this.silentNs > mostSilentNs;
  }

  silentToNs(): number {
    return this.options.clock.monotonicNs();
  }

  private get isHeardOf(): boolean {
    return this.isRunning && this.heardNs !== null;
  }

  private get silentNs(): number {
    return this.options.listened.since(this.readAtNs);
  }

  /** It has sent nothing since; when it runs again, it says itself how long it stood still. Null: it has. */
  silenceUntil(nowNs: number): ProcessStandstill | null {
    const { heardNs, who } = this;
    // A host on another machine may be silent because of the network.
    const mostNs = this.machine === null ? mostSilentNs : mostSilentThereNs;
    if (!this.isRunning || heardNs === null || this.silentNs <= mostNs) return null;
    return { who, kind: 'starved', fromNs: heardNs, toNs: nowNs };
  }

  /**
   * Up to when it has reported: what it says comes late while it is stopped, while this process was, and while its machine is out of reach.
   * Nothing comes once it is gone. Now where it was here and is gone, and after so long a silence of another machine that nothing more is to
   * be waited for.
   */
  reportedToNs(nowNs: number): number {
    const { heardNs, process } = this;
    if (heardNs === null) return nowNs;
    const isGone = !process || process.isOver;
    if (this.machine === null) return isGone ? nowNs : Math.min(nowNs, heardNs);
    return !isGone && this.silentNs > mostSilentThereNs ? nowNs : Math.min(nowNs, heardNs);
  }

  /** Its machine is another one, and is not heard; null: it is, or is ours. */
  away(): MachineAway | null {
    const { machine, process, heardNs, text, why } = this;
    if (!machine) return null;
    const away = { machine: machine.name, process: text };
    if (!process || process.isOver) return { ...away, why };
    return heardNs !== null && this.silentNs > mostSilentNs ? { ...away, why: null } : null;
  }

  /** Its process is gone. False: it died too often to be started again. */
  bury(): boolean {
    this.process = null;
    return ++this.deaths <= maxRestarts;
  }

  /** Resolves when its process is gone. */
  async close(): Promise<void> {
    const { process } = this;
    this.process = null;
    await process?.close();
  }
}

/** Where a host of these settings runs. */
export function placeOf(
  { role, number }: Pick<StreamHost, 'role' | 'number'>,
  { sendOn, receiveOn }: HostSettings,
): MachineName {
  return role === 'sending' ? sendOn : receiveOn?.[number - 1];
}
