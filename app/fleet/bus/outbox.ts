/** Numbers from here to there, both included. */
export interface NumberRange {
  from: number;
  to: number;
}

export interface Kept {
  number: number;
  value: Uint8Array;
}

export interface OutboxLimits {
  /** Of all that is kept. Where one of the two is exceeded, the oldest is let go. */
  mostMessages: number;
  mostBytes: number;
  /** Nothing is sent again before so long, ns, however often it is asked for. */
  restNs: number;
  /** The other end says nothing for so long although it should: it is told what was sent, then again after twice as long. */
  firstReminderNs: number;
  longestReminderNs: number;
}

export const outboxLimits: OutboxLimits = {
  mostMessages: 4096,
  mostBytes: 64 * 1024 * 1024,
  restNs: 100e6,
  firstReminderNs: 500e6,
  longestReminderNs: 2e9,
};

/** Numbers what is sent, from 1, and keeps it until the other end has it. Pure: it is told the time, and sends nothing itself. */
export class Outbox {
  private readonly kept = new Map<number, { value: Uint8Array; addedNs: number; sentNs: number }>();
  private bytes = 0;
  private lastNumber = 0;
  private reminderNs: number;
  private remindAtNs = Number.POSITIVE_INFINITY;

  constructor(private readonly limits: OutboxLimits = outboxLimits) {
    this.reminderNs = limits.firstReminderNs;
  }

  /** The lowest number that can be sent again; the next one where all have arrived. */
  get keptFrom(): number {
    return this.lastNumber + 1 - this.kept.size;
  }

  /** Of the last message; 0 before the first. */
  get sentTo(): number {
    return this.lastNumber;
  }

  /** When the oldest of what the other end does not have was first sent, ns; infinite where it has all. */
  get waitsSinceNs(): number {
    return this.kept.get(this.keptFrom)?.addedNs ?? Number.POSITIVE_INFINITY;
  }

  /** When `reminder` has something to say, ns; infinite while the other end has all. */
  get dueNs(): number {
    return this.kept.size > 0 ? this.remindAtNs : Number.POSITIVE_INFINITY;
  }

  /** Gives the message its number. `letGo`: the oldest, which cannot be sent again from now on. */
  add(value: Uint8Array, nowNs: number): { number: number; letGo: NumberRange | null } {
    const number = ++this.lastNumber;
    this.kept.set(number, { value, addedNs: nowNs, sentNs: nowNs });
    this.bytes += value.length;
    this.waitAgain(nowNs);
    const from = this.keptFrom;
    const { mostMessages, mostBytes } = this.limits;
    while (this.kept.size > 1 && (this.kept.size > mostMessages || this.bytes > mostBytes))
      this.drop(this.keptFrom);
    const to = this.keptFrom - 1;
    return { number, letGo: to >= from ? { from, to } : null };
  }

  /** The other end has all up to this one. A number that was never sent changes nothing. */
  acknowledge(number: number, nowNs: number): void {
    if (number > this.lastNumber) return;
    if (number >= this.keptFrom) this.waitAgain(nowNs);
    while (this.kept.size > 0 && this.keptFrom <= number) this.drop(this.keptFrom);
  }

  /** What of these is kept and was not sent a moment ago, in its order. */
  again({ from, to }: NumberRange, nowNs: number): Kept[] {
    const messages: Kept[] = [];
    for (let number = Math.max(from, this.keptFrom); number <= Math.min(to, this.lastNumber); number++) {
      const one = this.kept.get(number);
      if (one === undefined || nowNs - one.sentNs < this.limits.restNs) continue;
      one.sentNs = nowNs;
      messages.push({ number, value: one.value });
    }
    return messages;
  }

  /** Whether the other end is to be told now what was sent: it has not confirmed it, and may have heard nothing of it. */
  reminder(nowNs: number): boolean {
    if (nowNs < this.dueNs) return false;
    this.remindAtNs = nowNs + this.reminderNs;
    this.reminderNs = Math.min(2 * this.reminderNs, this.limits.longestReminderNs);
    return true;
  }

  /** The line is there again: the next reminder comes at once. */
  remindNow(): void {
    this.reminderNs = this.limits.firstReminderNs;
    this.remindAtNs = Number.NEGATIVE_INFINITY;
  }

  private waitAgain(nowNs: number): void {
    this.reminderNs = this.limits.firstReminderNs;
    this.remindAtNs = nowNs + this.reminderNs;
  }

  private drop(number: number): void {
    this.bytes -= this.kept.get(number)?.value.length ?? 0;
    this.kept.delete(number);
  }
}
