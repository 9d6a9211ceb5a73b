import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartedHelper } from '../../engine/capabilities/helper/helpers';
import type { ContextWith } from '../../engine/experiment/experiment';
import { momentOn } from '../../engine/machines/known-clock';
import { writeProblem } from '../../engine/sessions/append-file';
import { problemOn } from '../../engine/streams/host-connection';
import { toolFailed } from '../../engine/tools/tool-problem';
import { counted } from '../../facts/count-words';
import { WhitelineError } from '../../protocol/errors';
import type { PacingParameters } from './declaration';
import { lastCore } from './last-core';
import {
  type PacerCommand,
  type PacerMessage,
  type PacerMessageOf,
  type PacerRole,
  pacerName,
  pacerProgram,
} from './pacer-program';
import type { End, OpenPath } from './path';
import type { RowPlan, StreamPlan } from './stream-plan';

/** The process of one end. */
interface Pacer {
  helper: StartedHelper<{ type: 'ready' }, PacerCommand, PacerMessage>['helper'];
  role: PacerRole;
  machine: End['machine'];
  /** In words, with its machine where that is of the fleet. */
  name: string;
}

/** What each end may say. A machine must not put in figures of the other one’s. */
const saidBy: Record<PacerRole, readonly (PacerMessage['type'] | PacerMessageOf<'intervals'>['of'])[]> = {
  sender: ['prepared', 'held', 'submitted', 'transmitted', 'sent', 'failed'],
  receiver: ['listening', 'second', 'logEnded', 'received', 'undisturbed', 'failed'],
};

/** From the words "begin" to the first packet: both ends have to hear them before, by the bus where they are on other machines. */
const beginAheadNs = { here: 1e9, elsewhere: 2e9 };
/** The ends may take this much longer than the row, so that a silent agent does not hold up the run. */
const patienceMs = 30_000;
/** What was sent last is there after this, on any path of one machine. */
const arrivalMs = 100;

/** What one row was measured by, as far as it came. */
export interface PacingReadings {
  policy: PacerMessageOf<'prepared'> | null;
  listening: PacerMessageOf<'listening'>;
  sent: PacerMessageOf<'sent'> | null;
  received: PacerMessageOf<'received'>;
  intervals: Partial<Record<PacerMessageOf<'intervals'>['of'], PacerMessageOf<'intervals'>>>;
  seconds: PacerMessageOf<'second'>[];
  holds: number;
  heldNs: number;
  stolenWindows: number;
  stolenNs: number;
  /** Of the schedule, as far as it was sent or listened to. */
  measuredSeconds: number;
  /** When the first packet was due, by the monotonic clock; null: another sender’s. */
  startNs: string | null;
  rawLog: RawLog | null;
}

/** Files of the run’s folder from which a row can be computed again. */
interface RawLog {
  /** Number and time of each packet. */
  stamps: string;
  /** From when until when something held the sender; null: another sender’s. */
  holds: string | null;
}

/** What of a run it uses. */
export type Measuring = Pick<ContextWith<'helper'>, 'clock' | 'helper' | 'folder' | 'signal' | 'noteEvent'>;

export interface RowOrder {
  parameters: PacingParameters;
  stream: StreamPlan;
  path: OpenPath;
  index: number;
  /** What the sender does wrong on purpose (native/helpers/pacer/irregularities.h); tests have some. */
  irregularities?: string;
  onSecond(second: PacerMessageOf<'second'>): void;
}

/**
 * Sends one stream and measures it, or listens to one of others.
 * @returns null if the run was stopped before anything came; later, what came until then
 * @throws WhitelineError TOOL_FAILED with what an end said, HOST_DIED
 */
export async function measure(
  context: Measuring,
  order: RowOrder,
  plan: RowPlan | null,
): Promise<PacingReadings | null> {
  const row = new PacingMeter(context, order);
  try {
    return plan ? await row.send(plan) : await row.listen();
  } catch (error) {
    if (context.signal.aborted) return null;
    throw error;
  } finally {
    await row.close();
  }
}

class PacingMeter {
  private readonly open: Pacer[] = [];
  private readonly intervals: PacingReadings['intervals'] = {};
  private readonly seconds = new Map<number, PacerMessageOf<'second'>>();
  private readonly held = { holds: 0, heldNs: 0, stolenWindows: 0, stolenNs: 0 };
  private readonly rawLog: RawLog | null;
  /** Packets that it was said to lack. */
  private logLacks = 0;
  /** No other row, and no other console of the network, has the same. Of a locally administered address. */
  private readonly ownStream = `02${randomBytes(7).toString('hex')}`;
  private forgetAbort: () => void = () => undefined;
  private forgetPatience: () => void = () => undefined;
  private isOverdue = false;

  constructor(
    private readonly context: Measuring,
    private readonly order: RowOrder,
  ) {
    const number = order.index + 1;
    const holds = order.path.kind === 'listen' ? null : `holds-${number}.csv`;
    this.rawLog = order.parameters.rawLog ? { stamps: `stamps-${number}.csv`, holds } : null;
  }

  async send(plan: RowPlan): Promise<PacingReadings> {
    const { stream, path } = this.order;
    if (path.kind === 'machines') this.bePatient();
    const receiver = await this.start('receiver');
    const listening = await this.openReceiver(receiver, this.ownStream);
    const sender = await this.start('sender');
    const prepared = this.prepareCommand(plan, listening.port);
    await sender.helper.send(prepared);
    const policy = await this.until(sender, 'prepared');
    const { clock, signal } = this.context;
    if (signal.aborted) throw stopped();
    // It says what it sent until then.
    const stop = (): void => void sender.helper.stop();
    signal.addEventListener('abort', stop);
    this.forgetAbort = () => signal.removeEventListener('abort', stop);
    const isFar = path.kind === 'machines';
    const aheadNs = isFar ? beginAheadNs.elsewhere : beginAheadNs.here;
    const ourStartNs = clock.monotonicNs() + aheadNs;
    const startOn = ({ machine }: End): string => String(momentOn(machine, ourStartNs));
    const startNs = startOn(path.sender);
    const of = { senderStartNs: startNs, senderAddress: policy.address, senderPort: policy.port };
    await receiver.helper.send({ type: 'begin', startNs: startOn(path.receiver), ...of });
    await sender.helper.send({ type: 'begin', startNs, ...of });
    const ended = this.until(receiver, 'received');
    const sent = await Promise.race([this.forwardHeld(sender, receiver, BigInt(startNs)), ended]);
    if (sent.type === 'received') throw toolFailed(receiver.name, 'it ended before it was asked to');
    if (this.isOverdue) throw overdue();
    const { slots } = sent;
    const isWhole = slots === prepared.packets || (signal.aborted && slots < prepared.packets);
    if (!isWhole || sent.sent > slots) throw unlikeAsked(sender, sent, prepared.packets);
    const isLong = isFar || path.kind === 'interfaces';
    await clock.sleep(isLong ? arrivalMs + stream.transitNs / 1e6 : arrivalMs);
    await receiver.helper.send({ type: 'finish', sent: sent.slots });
    const received = await ended;
    const measuredSeconds = (sent.slots * stream.intervalNs) / 1e9;
    const known = { policy, listening, sent, received, measuredSeconds };
    return this.measured({ ...known, startNs: isFar ? null : startNs });
  }

  /** If another machine no longer answers, the ends are stopped. */
  private bePatient(): void {
    const { clock } = this.context;
    const limitMs = this.order.parameters.holdSeconds * 1000 + patienceMs;
    this.forgetPatience = clock.after(limitMs, () => {
      this.isOverdue = true;
      for (const { helper } of this.open) void helper.stop();
    });
  }

  async listen(): Promise<PacingReadings> {
    const { parameters } = this.order;
    const { clock, signal } = this.context;
    const receiver = await this.start('receiver');
    const listening = await this.openReceiver(receiver, parameters.streamId);
    const fromNs = clock.monotonicNs();
    const unknown = { startNs: '', senderStartNs: '', senderAddress: '', senderPort: 0 };
    await receiver.helper.send({ type: 'begin', ...unknown });
    const ended = this.until(receiver, 'received');
    await Promise.race([clock.sleep(parameters.holdSeconds * 1000, signal), ended]);
    await receiver.helper.send({ type: 'finish', sent: null });
    const received = await ended;
    const measuredSeconds = (clock.monotonicNs() - fromNs) / 1e9;
    const known = { policy: null, listening, sent: null, received, measuredSeconds, startNs: null };
    return this.measured(known);
  }

  async close(): Promise<void> {
    this.forgetAbort();
    this.forgetPatience();
    await Promise.all(this.open.map(({ helper }) => helper.stop()));
  }

  private measured(
    known: Pick<PacingReadings, 'policy' | 'listening' | 'sent' | 'received' | 'measuredSeconds' | 'startNs'>,
  ): PacingReadings {
    const { intervals, held, rawLog } = this;
    return { ...known, ...{ intervals, seconds: [...this.seconds.values()] }, ...held, rawLog };
  }

  private async start(role: PacerRole): Promise<Pacer> {
    const end = this.order.path[role];
    const { machine } = end;
    const { helper } = await (machine ?? this.context).helper.start(pacerProgram(role, end));
    const pacer = {
      helper,
      role,
      machine,
      name: `${pacerName(role)}${machine ? ` on ${machine.name}` : ''}`,
    };
    this.open.push(pacer);
    return pacer;
  }

  private async openReceiver(receiver: Pacer, streamId: string): Promise<PacerMessageOf<'listening'>> {
    const { parameters, stream, path } = this.order;
    await receiver.helper.send({
      type: 'listen',
      ...this.common(streamId, 0),
      interface: path.receiver.interface,
      toleranceNs: stream.intervalNs,
      presentationNs: stream.transitNs + parameters.presentationToleranceMs * 1e6,
      hardware: parameters.stamps === 'hardware',
      rawLog: this.rawLog ? join(this.context.folder, this.rawLog.stamps) : '',
    });
    return this.until(receiver, 'listening');
  }

  private common(streamId: string, port: number) {
    const { stream, path } = this.order;
    const isUdp = path.kind === 'loopback' || path.kind === 'machines';
    const kind = isUdp ? ('udp' as const) : ('ethernet' as const);
    const { intervalNs, transitNs } = stream;
    return { path: kind, address: path.address, port, streamId, intervalNs, transitNs };
  }

  private prepareCommand({ method, packetsPerWakeUp }: RowPlan, port: number) {
    const { parameters, stream, path } = this.order;
    const { rateHz, channels, bits, vlanId, vlanPriority, core, holdSeconds } = parameters;
    const leadUs = method === 'spin' ? parameters.spinLeadUs : parameters.launchLeadUs;
    return {
      type: 'prepare' as const,
      ...this.common(this.ownStream, port),
      interface: path.sender.interface,
      ...{ vlanId: vlanId ?? null, vlanPriority, rateHz, channels, bits, samples: stream.samples },
      ...{ method, packetsPerWakeUp, leadNs: Math.round(leadUs * 1000) },
      irregularities: this.order.irregularities ?? '',
      transmitStamps: parameters.transmitStamps ?? false,
      packets: Math.max(2, Math.round((holdSeconds * 1e9) / stream.intervalNs)),
      ...(path.sender.machine
        ? ordinary
        : {
            ...{ realTime: parameters.priority === 'real-time', lockMemory: parameters.memory === 'locked' },
            core: core ?? lastCore(),
          }),
    } satisfies PacerCommand;
  }

  /** The receiver learns from the sender when something held it. */
  private async forwardHeld(
    sender: Pacer,
    receiver: Pacer,
    startNs: bigint,
  ): Promise<PacerMessageOf<'sent'>> {
    const holds = this.rawLog?.holds ?? null;
    if (holds !== null) this.log(holds, 'fromNs,toNs\n');
    while (true) {
      const message = await this.next(sender);
      if (message.type === 'sent') return message;
      if (message.type !== 'held') continue;
      this.held.holds += message.spinHolds;
      this.held.heldNs += message.spinHeldNs;
      this.held.stolenWindows += message.stolenWindows;
      this.held.stolenNs += message.stolenNs;
      if (holds !== null) this.log(holds, windowLines(message.windows, startNs));
      // They are by the sender’s clock, which is not that of the receiver’s stamps.
      if (this.order.path.kind === 'machines') continue;
      await receiver.helper.send({ type: 'held', windows: message.windows, untilNs: message.untilNs });
    }
  }

  private log(file: string, lines: string): void {
    const path = join(this.context.folder, file);
    try {
      appendFileSync(path, lines);
    } catch (error) {
      throw writeProblem(error, path);
    }
  }

  private async until<Type extends PacerMessage['type']>(
    pacer: Pacer,
    type: Type,
  ): Promise<PacerMessageOf<Type>> {
    while (true) {
      const message = await this.next(pacer);
      if (isOf(message, type)) return message;
    }
  }

  /** Once when it ends, and once more with all that it lacks. */
  private noteLog({ packets, why }: PacerMessageOf<'logEnded'>): void {
    const lacks = `${this.rawLog?.stamps} lacks ${counted(packets, 'packet')}`;
    const isFirst = this.logLacks === 0;
    if (packets === this.logLacks) return;
    this.logLacks = packets;
    const text = isFirst
      ? `${lacks}: ${why}. Nothing more is written to it, and packets are counted on; free some space`
      : `${lacks} in all: ${why}`;
    this.context.noteEvent('problem', text, { log: this.rawLog?.stamps, packets, why });
  }

  /** @throws WhitelineError TOOL_FAILED in the words of the end, or where it says what it may not */
  private async next({ helper, role, machine, name }: Pacer): Promise<PacerMessage> {
    const message = await helper.receive();
    if (!message) throw this.isOverdue ? overdue() : stopped();
    const what = message.type === 'intervals' ? message.of : message.type;
    if (!saidBy[role].includes(what))
      throw toolFailed(name, `it said “${what}” in the place of the other end`);
    if (message.type === 'failed')
      throw new WhitelineError(
        problemOn(machine ?? null, { code: 'TOOL_FAILED', message: message.text, field: 'helper' }),
      );
    if (message.type === 'intervals') this.intervals[message.of] = message;
    if (message.type === 'logEnded') this.noteLog(message);
    if (message.type === 'second') this.noteSecond(message);
    return message;
  }

  private noteSecond(second: PacerMessageOf<'second'>): void {
    // A row has no more of them; another machine may report more.
    if (second.second > this.order.parameters.holdSeconds + patienceMs / 1000) return;
    this.seconds.set(second.second, second);
    this.order.onSecond(second);
  }
}

/** What an agent lets a sender have. */
const ordinary = { realTime: false, lockMemory: false, core: null };

function unlikeAsked(
  { name }: Pacer,
  { slots, sent }: PacerMessageOf<'sent'>,
  packets: number,
): WhitelineError {
  return toolFailed(name, `it sent ${sent} packets in ${slots} slots, and was asked for ${packets}`);
}

/** Of times since the start, "from:to from:to". */
function windowLines(windows: string, startNs: bigint): string {
  return windows
    .split(' ')
    .filter(Boolean)
    .map(
      (window) =>
        `${window
          .split(':')
          .map((ns) => startNs + BigInt(ns))
          .join(',')}\n`,
    )
    .join('');
}

function overdue(): WhitelineError {
  const message = `The ends of the row did not come to their end within ${patienceMs / 1000} s after it`;
  return new WhitelineError({ code: 'HOST_SILENT', message, field: 'helper' });
}

function stopped(): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: 'The packet pacer was stopped' });
}

function isOf<Type extends PacerMessage['type']>(
  message: PacerMessage,
  type: Type,
): message is PacerMessageOf<Type> {
  return message.type === type;
}
