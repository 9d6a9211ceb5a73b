import type { NumberRange } from './outbox';

export type InboxEvent =
  | { kind: 'message'; number: number; value: Uint8Array }
  /** These will not come any more. */
  | ({ kind: 'lost' } & NumberRange)
  /** The other end has begun again; what follows is numbered from 1 again. */
  | { kind: 'restarted' };

export interface InboxLimits {
  /** What is missing is asked for again after so long, then after twice as long each time, ns. */
  firstAskNs: number;
  longestAskNs: number;
  /** What is missing for so long is lost, ns. */
  lostAfterNs: number;
  /** Ranges that are asked for at once. */
  mostAsked: number;
  /** What has arrived is confirmed after this time, ns, or after a number of messages. */
  acknowledgeNs: number;
  acknowledgeMessages: number;
  /** What waits for a missing message; more is not kept and has to be sent again. */
  mostWaiting: number;
  mostWaitingBytes: number;
}

/** The lease of an agent, 5 s, and 2 s in which it and we find each other again. */
export const usualLostAfterMs = 7000;

export const inboxLimits: InboxLimits = {
  firstAskNs: 200e6,
  longestAskNs: 2e9,
  lostAfterNs: usualLostAfterMs * 1e6,
  mostAsked: 16,
  acknowledgeNs: 100e6,
  acknowledgeMessages: 32,
  mostWaiting: 4096,
  mostWaitingBytes: 64 * 1024 * 1024,
};

/** What the other end is to be told, about the messages of its epoch. */
export interface InboxReply {
  epoch: string;
  /** What is missing. */
  again: NumberRange[];
  /** All up to here has arrived or is given up; null: there is nothing new to say. */
  acknowledge: number | null;
}

interface Gap extends NumberRange {
  noticedNs: number;
}

/** How many ended lives of the other end are remembered, so that a late message of one of them is not taken for that of a new one. */
const mostRetired = 16;

/**
 * Puts numbered messages in order: delivers each once, or reports it as lost. Pure: the caller gives the time and sends the messages.
 */
export class Inbox {
  private epoch: string | null = null;
  private readonly retired: string[] = [];
  /** The next number that comes out. Each from here to `seenTo` either waits or is in a gap. */
  private next = 1;
  private seenTo = 0;
  private keptFrom = 1;
  private readonly waiting = new Map<number, Uint8Array>();
  private waitingBytes = 0;
  /** In the order of their numbers, and so of the moments when they were noticed. */
  private gaps: Gap[] = [];
  private askAtNs = Number.POSITIVE_INFINITY;
  private askNs: number;
  private acknowledgedTo = 0;
  private acknowledgeAtNs = Number.POSITIVE_INFINITY;

  constructor(private readonly limits: InboxLimits = inboxLimits) {
    this.askNs = limits.firstAskNs;
  }

  /** When `pass` has something to do, ns; infinite: only a message changes anything. */
  get dueNs(): number {
    const lostAtNs = (this.gaps[0]?.noticedNs ?? Number.POSITIVE_INFINITY) + this.limits.lostAfterNs;
    return Math.min(lostAtNs, this.askAtNs, this.acknowledgeAtNs);
  }

  /** A message arrives; what comes out because of it. */
  take(epoch: string, number: number, keptFrom: number, value: Uint8Array, nowNs: number): InboxEvent[] {
    const events = this.enter(epoch);
    if (events === null) return [];
    this.keptFrom = Math.max(this.keptFrom, keptFrom);
    if (this.fits(number, value)) {
      this.see(number - 1, nowNs);
      const isNew = number > this.seenTo || this.fill(number, nowNs);
      this.seenTo = Math.max(this.seenTo, number);
      if (isNew) this.wait(number, value);
      else this.acknowledgeWithin(nowNs, this.limits.acknowledgeNs);
    } else this.see(number, nowNs);
    return [...events, ...this.out(nowNs)];
  }

  /** The other end says what it has sent. */
  learn(epoch: string, sentTo: number, keptFrom: number, nowNs: number): InboxEvent[] {
    const events = this.enter(epoch);
    if (events === null) return [];
    this.keptFrom = Math.max(this.keptFrom, keptFrom);
    this.see(sentTo, nowNs);
    // It would not say so if it knew that all has arrived.
    this.acknowledgeWithin(nowNs, this.limits.acknowledgeNs);
    return [...events, ...this.out(nowNs)];
  }

  /** Time passes: what is given up, and what the other end is to be told. */
  pass(nowNs: number): { events: InboxEvent[]; reply: InboxReply | null } {
    const events = this.out(nowNs);
    if (this.epoch === null) return { events, reply: null };
    const again = nowNs >= this.askAtNs ? this.ask(nowNs) : [];
    const acknowledge = nowNs >= this.acknowledgeAtNs ? this.acknowledge() : null;
    const isNothing = again.length === 0 && acknowledge === null;
    return { events, reply: isNothing ? null : { epoch: this.epoch, again, acknowledge } };
  }

  /** What is to be confirmed, sooner or later, where the other end hears of us now; null: nothing is. */
  confirmNow(): { epoch: string; acknowledged: number } | null {
    const { epoch } = this;
    if (epoch === null || this.acknowledgeAtNs === Number.POSITIVE_INFINITY) return null;
    const acknowledged = this.acknowledge();
    return acknowledged === null ? null : { epoch, acknowledged };
  }

  private acknowledge(): number | null {
    this.acknowledgeAtNs = Number.POSITIVE_INFINITY;
    if (this.next === 1) return null;
    this.acknowledgedTo = this.next - 1;
    return this.acknowledgedTo;
  }

  /** Null for a message of an epoch that is over. Of the one before, what is missing is lost. */
  private enter(epoch: string): InboxEvent[] | null {
    if (epoch === this.epoch) return [];
    if (this.retired.includes(epoch)) return null;
    if (this.epoch === null) {
      this.epoch = epoch;
      return [];
    }
    this.keptFrom = Number.POSITIVE_INFINITY;
    const events: InboxEvent[] = [...this.out(0), { kind: 'restarted' }];
    this.retired.push(this.epoch);
    if (this.retired.length > mostRetired) this.retired.shift();
    this.epoch = epoch;
    this.next = 1;
    this.seenTo = 0;
    this.keptFrom = 1;
    this.askAtNs = Number.POSITIVE_INFINITY;
    this.acknowledgedTo = 0;
    this.acknowledgeAtNs = Number.POSITIVE_INFINITY;
    return events;
  }

  private fits(number: number, value: Uint8Array): boolean {
    const { mostWaiting, mostWaitingBytes } = this.limits;
    const isRoom = this.waiting.size < mostWaiting && this.waitingBytes + value.length <= mostWaitingBytes;
    return number <= this.next || isRoom;
  }

  /** All up to this number was sent: what of it was not seen yet is missing. */
  private see(number: number, nowNs: number): void {
    if (number <= this.seenTo) return;
    const last = this.gaps[this.gaps.length - 1];
    // What is noticed at almost the same moment is one gap: however many messages say that more is missing, gaps stay few.
    if (last?.to === this.seenTo && nowNs - last.noticedNs < this.limits.firstAskNs) last.to = number;
    else this.gaps.push({ from: this.seenTo + 1, to: number, noticedNs: nowNs });
    this.seenTo = number;
    this.askWithin(nowNs);
  }

  /** Takes the number out of its gap; false: it was missing no longer. */
  private fill(number: number, nowNs: number): boolean {
    const at = this.gaps.findIndex(({ from, to }) => from <= number && number <= to);
    const gap = this.gaps[at];
    if (!gap) return false;
    const rest = [
      { ...gap, to: number - 1 },
      { ...gap, from: number + 1 },
    ].filter(({ from, to }) => from <= to);
    this.gaps.splice(at, 1, ...rest);
    // What was asked for is arriving.
    this.askAtNs = Number.POSITIVE_INFINITY;
    if (this.gaps.length > 0) this.askWithin(nowNs);
    return true;
  }

  private wait(number: number, value: Uint8Array): void {
    this.waiting.set(number, value);
    this.waitingBytes += value.length;
  }

  /** All that is next: messages that are there, and gaps that nothing will fill. */
  private out(nowNs: number): InboxEvent[] {
    const events: InboxEvent[] = [];
    for (;;) {
      const value = this.waiting.get(this.next);
      if (value !== undefined) {
        this.waiting.delete(this.next);
        this.waitingBytes -= value.length;
        events.push({ kind: 'message', number: this.next, value });
        this.next++;
        continue;
      }
      const to = this.hopelessTo(nowNs);
      if (to < this.next) break;
      events.push({ kind: 'lost', from: this.next, to });
      this.next = to + 1;
      this.shortenFirstGap();
    }
    this.noteProgress(nowNs);
    return events;
  }

  /** Up to where the first gap will not be filled any more. */
  private hopelessTo(nowNs: number): number {
    const [gap] = this.gaps;
    if (!gap) return 0;
    if (nowNs - gap.noticedNs >= this.limits.lostAfterNs) return gap.to;
    return Math.min(gap.to, this.keptFrom - 1);
  }

  private shortenFirstGap(): void {
    const [gap, ...rest] = this.gaps;
    if (gap && gap.to >= this.next) gap.from = this.next;
    else this.gaps = rest;
  }

  private noteProgress(nowNs: number): void {
    const unconfirmed = this.next - 1 - this.acknowledgedTo;
    if (unconfirmed >= this.limits.acknowledgeMessages) this.acknowledgeWithin(nowNs, 0);
    else if (unconfirmed > 0) this.acknowledgeWithin(nowNs, this.limits.acknowledgeNs);
  }

  private acknowledgeWithin(nowNs: number, ns: number): void {
    this.acknowledgeAtNs = Math.min(this.acknowledgeAtNs, nowNs + ns);
  }

  /** Anew, since something has changed: from the shortest wait on. */
  private askWithin(nowNs: number): void {
    this.askNs = this.limits.firstAskNs;
    this.askAtNs = Math.min(this.askAtNs, nowNs + this.askNs);
  }

  private ask(nowNs: number): NumberRange[] {
    this.askNs = Math.min(2 * this.askNs, this.limits.longestAskNs);
    this.askAtNs = this.gaps.length > 0 ? nowNs + this.askNs : Number.POSITIVE_INFINITY;
    return this.gaps.slice(0, this.limits.mostAsked).map(({ from, to }) => ({ from, to }));
  }
}
