import { randomBytes } from 'node:crypto';
import type { Clock } from '../../protocol/clock';
import { type ChannelMessage, channelMessageSchema } from '../../protocol/fleet/envelope';
import { safeParse } from '../../protocol/safe-parse';
import type { Bus } from './bus';
import { decodeValue, encodeValue } from './codec';
import { Inbox, type InboxEvent, type InboxLimits, inboxLimits } from './inbox';
import { Listeners } from './listeners';
import { type NumberRange, Outbox, type OutboxLimits, outboxLimits } from './outbox';

/** The other end confirms after 100 ms: what takes longer than this waits for the bus. */
const behindNs = 500e6;

export interface ChannelEnds {
  /** The subject on which this end sends. */
  sendOn: string;
  /** The subject on which the other end does. */
  hearOn: string;
}

export interface ChannelOptions {
  inbox: InboxLimits;
  outbox: OutboxLimits;
  /** Of this end's life. */
  epoch: string;
}

/**
 * Carries messages in both directions between two ends: each arrives once and in order, or is reported as lost. Add the listeners as soon
 * as a channel is open, before anything can arrive.
 */
export class NumberedChannel {
  /** Messages of the other end that were none of a channel. */
  refused = 0;
  private readonly inbox: Inbox;
  private readonly outbox: Outbox;
  private readonly epoch: string;
  private readonly messages = new Listeners<[value: unknown]>();
  private readonly losses = new Listeners<[range: NumberRange]>();
  private readonly overflows = new Listeners<[range: NumberRange]>();
  private readonly restarts = new Listeners<[]>();
  private readonly endings: (() => void)[];
  private timer: { atNs: number; stop(): void } | null = null;
  private isClosed = false;

  constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
    private readonly ends: ChannelEnds,
    options: Partial<ChannelOptions> = {},
  ) {
    this.inbox = new Inbox(options.inbox ?? inboxLimits);
    this.outbox = new Outbox(options.outbox ?? outboxLimits);
    this.epoch = options.epoch ?? randomBytes(8).toString('hex');
    this.endings = [
      bus.subscribe(ends.hearOn, (message) => this.take(message)),
      bus.onState((state) => {
        if (state !== 'connected') return;
        this.outbox.remindNow();
        this.pass();
      }),
    ];
  }

  get isBehind(): boolean {
    return this.clock.monotonicNs() - this.outbox.waitsSinceNs > behindNs;
  }

  /** Each value once and in order. */
  onMessage(listener: (value: unknown) => void): () => void {
    return this.messages.add(listener);
  }

  /** Numbers of the other end's messages that will not come any more; told where they would stand among the messages. */
  onLost(listener: (range: NumberRange) => void): () => void {
    return this.losses.add(listener);
  }

  /** Numbers of our own messages that the other end has not confirmed and that cannot be sent again: too much waits for it. */
  onOverflow(listener: (range: NumberRange) => void): () => void {
    return this.overflows.add(listener);
  }

  /** The other end has begun again: what it knew of us is gone. */
  onRestart(listener: () => void): () => void {
    return this.restarts.add(listener);
  }

  /**
   * While the bus is not connected, messages wait here.
   * @throws WhitelineError INTERNAL for a value that no message can hold
   */
  send(value: unknown): void {
    if (this.isClosed) return;
    const bytes = encodeValue(value);
    const { number, letGo } = this.outbox.add(bytes, this.clock.monotonicNs());
    this.publishNumbered(number, bytes);
    // Both leave in one write to the network, which costs more than what is in it.
    const confirmation = this.inbox.confirmNow();
    if (confirmation) this.publish(confirmation);
    this.setTimer();
    if (letGo) this.overflows.tell(letGo);
  }

  /** Nothing is sent or heard from now on, and what is not confirmed is forgotten. */
  close(): void {
    this.isClosed = true;
    this.timer?.stop();
    this.timer = null;
    for (const end of this.endings.splice(0)) end();
  }

  private take(raw: unknown): void {
    const { data: message } = safeParse(channelMessageSchema, raw);
    if (message === undefined) {
      this.refused++;
      return;
    }
    this.tell(this.eventsOf(message));
    this.pass();
  }

  private eventsOf(message: ChannelMessage): InboxEvent[] {
    const nowNs = this.clock.monotonicNs();
    const { epoch } = message;
    if ('number' in message)
      return this.inbox.take(epoch, message.number, message.keptFrom, message.value, nowNs);
    if ('sentTo' in message) return this.inbox.learn(epoch, message.sentTo, message.keptFrom, nowNs);
    // Of an earlier life of this end.
    if (epoch !== this.epoch) return [];
    if ('acknowledged' in message) this.outbox.acknowledge(message.acknowledged, nowNs);
    else {
      const range = { from: message.againFrom, to: message.againTo };
      for (const { number, value } of this.outbox.again(range, nowNs)) this.publishNumbered(number, value);
    }
    return [];
  }

  private tell(events: readonly InboxEvent[]): void {
    for (const event of events) {
      if (this.isClosed) return;
      if (event.kind === 'message') this.tellMessage(event.number, event.value);
      else if (event.kind === 'lost') this.losses.tell({ from: event.from, to: event.to });
      else this.restarts.tell();
    }
  }

  private tellMessage(number: number, bytes: Uint8Array): void {
    const decoded = decodeValue(bytes);
    if (decoded.refused === undefined) this.messages.tell(decoded.value);
    // It has arrived, and says nothing.
    else this.losses.tell({ from: number, to: number });
  }

  /** Does what is due now. */
  private pass(): void {
    if (this.isClosed) return;
    const nowNs = this.clock.monotonicNs();
    const { events, reply } = this.inbox.pass(nowNs);
    if (reply) {
      const { epoch, again, acknowledge } = reply;
      if (acknowledge !== null) this.publish({ epoch, acknowledged: acknowledge });
      for (const { from, to } of again) this.publish({ epoch, againFrom: from, againTo: to });
    }
    if (this.outbox.reminder(nowNs))
      this.publish({ epoch: this.epoch, sentTo: this.outbox.sentTo, keptFrom: this.outbox.keptFrom });
    this.tell(events);
    this.setTimer();
  }

  private publishNumbered(number: number, value: Uint8Array): void {
    // One that was let go meanwhile is sent nevertheless, for the last time.
    const keptFrom = Math.min(this.outbox.keptFrom, number);
    this.publish({ epoch: this.epoch, number, keptFrom, value });
  }

  private publish(message: ChannelMessage): void {
    this.bus.publish(this.ends.sendOn, message);
  }

  private setTimer(): void {
    if (this.isClosed) return;
    const atNs = Math.min(this.inbox.dueNs, this.outbox.dueNs);
    // An earlier one is as good: it finds that nothing is due, and sets the next.
    if (atNs === Number.POSITIVE_INFINITY || (this.timer && this.timer.atNs <= atNs)) return;
    this.timer?.stop();
    const inMs = Math.max(0, Math.ceil((atNs - this.clock.monotonicNs()) / 1e6));
    const stop = this.clock.after(inMs, () => {
      this.timer = null;
      this.pass();
    });
    this.timer = { atNs, stop };
  }
}
