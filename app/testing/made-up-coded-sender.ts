import type { Rate } from '../protocol/format';
import { PictureStatus } from '../protocol/records';
import { type Capture, testSourceId } from './columns';
import type { Random } from './random';

/** Of the other source that is shown now and then. */
export const otherSourceId = 9;

/** What was made, by the code that made it. */
export interface Made {
  /** In the order in which they came. */
  pictures: Capture[];
  declared: Rate;
  /** Numbers that were sent, lie between two of one start that came, and did not come. */
  lost: number;
  /** New starts, with the same source id or another. */
  starts: number;
  /** Pictures of other sources, and those that came twice. */
  others: number;
  repeated: number;
  fastest: number;
  /** When its last new picture came, where it was repeated from then on to the end; null: it sent new ones to the end. */
  frozenSinceNs: number | null;
  /** At its end. */
  perSecond: number;
}

interface Sent {
  number: number;
  ns: number;
  sourceId: number;
  start: number;
  status?: number;
  isLost?: boolean;
}

const rates = [12.5, 15, 23.976, 25, 29.97, 30, 50, 59.94, 60, 119.88];
const declaredRates: readonly Rate[] = [
  ...[0, 1, 5, 24, 25, 30, 50, 60, 120, 240_000].map((numerator) => ({ numerator, denominator: 1 })),
  { numerator: 60, denominator: 0 },
];
/** Nothing happens at its beginning and end: what is lost there no number shows. */
const calmSeconds = 2;

const events = [
  ...(['lose', 'lose', 'repeat', 'swap', 'blank', 'extra', 'wait', 'pause', 'other'] as const),
  ...(['rate', 'again', 'ahead', 'anew', 'freeze'] as const),
];

/** A sender with the frame code and without records, of a random life. */
export class MadeUpCodedSender {
  private readonly sent: Sent[] = [];
  private ns = 1e9;
  private number: number;
  private sourceId = testSourceId;
  private start = 0;
  private perSecond: number;
  private others = 0;
  private fastest = 0;
  private repeated = 0;
  /** How often each frame is shown, as by a sender that has fewer frames than it declares. */
  private timesShown = 1;
  private readonly jitter: number;

  constructor(private readonly random: Random) {
    this.number = random.chance(0.1) ? 2 ** 32 - random.whole(10, 600) : random.whole(0, 100_000);
    this.perSecond = random.pick(rates);
    this.fastest = this.perSecond;
    this.jitter = random.pick([0, 0, 0.1, 0.3]);
  }

  make(): Made {
    const { random } = this;
    this.calm(calmSeconds);
    if (random.chance(0.2)) this.timesShown = random.whole(2, 4);
    for (let left = random.whole(2, 6); left > 0; left--) {
      this.happen(random.pick(events));
      this.calm(random.next() * 1.5 + 0.1);
    }
    this.calm(calmSeconds);
    const frozenSinceNs = random.chance(0.2) ? this.freezeToEnd() : null;
    const came = this.sent.filter(({ isLost }) => !isLost).sort((one, other) => one.ns - other.ns);
    const declared = random.chance(0.4)
      ? { numerator: Math.round(this.perSecond * 1000), denominator: 1000 }
      : random.pick(declaredRates);
    return {
      pictures: came.map(({ number, ns, sourceId, status }) => ({
        ...{
          frameNumber: ((number % 2 ** 32) + 2 ** 32) % 2 ** 32,
          captureNs: ns,
          sourceId,
          senderId: 0,
          status,
        },
      })),
      lost: this.sent.length - came.length,
      ...{ declared, starts: this.start, others: this.others, repeated: this.repeated },
      ...{ fastest: this.fastest, frozenSinceNs, perSecond: this.perSecond },
    };
  }

  private get periodNs(): number {
    return 1e9 / this.perSecond;
  }

  private calm(seconds: number): void {
    for (const endNs = this.ns + seconds * 1e9; this.ns < endNs; ) this.show(this.send());
  }

  private show(one: Sent): void {
    for (let again = 1; again < this.timesShown; again++) {
      this.sent.push({ ...one, ns: one.ns + ((0.6 * again) / this.timesShown) * this.periodNs });
      this.repeated += 1;
    }
  }

  private send(more: Partial<Sent> = {}): Sent {
    const lateNs = this.random.next() * this.jitter * this.periodNs;
    const { number, sourceId, start } = this;
    const one = { number, ns: this.ns + lateNs, sourceId, start, ...more };
    this.sent.push(one);
    this.number += 1;
    this.ns += this.periodNs;
    return one;
  }

  private happen(event: (typeof events)[number]): void {
    const { random } = this;
    const length = random.chance(0.2) ? random.whole(7, 80) : random.whole(1, 6);
    switch (event) {
      case 'lose':
        for (let left = length; left > 0; left--) this.send({ isLost: true });
        break;
      case 'repeat':
        for (let left = length; left > 0; left--) {
          const one = this.send();
          this.repeated += 1;
          this.sent.push({ ...one, ns: one.ns + random.next() * this.periodNs });
        }
        break;
      case 'swap':
        this.send().ns += random.whole(1, 4) * this.periodNs;
        this.calm((5 * this.periodNs) / 1e9);
        break;
      case 'blank':
        for (let left = length; left > 0; left--) this.send({ status: PictureStatus.Undecodable });
        break;
      case 'extra':
        this.sent.push({ ...this.send(), status: PictureStatus.Undecodable });
        break;
      case 'wait': {
        const waiting = Array.from({ length }, () => this.send());
        const untilNs = this.ns - this.periodNs / 2;
        for (const [index, one] of waiting.entries()) one.ns = untilNs + index * 1e5;
        break;
      }
      case 'freeze':
        this.freeze(length, random.chance(0.5));
        break;
      case 'pause':
        this.ns += random.next() * 3e9;
        break;
      case 'other':
        this.showOther(length);
        break;
      case 'rate':
        this.perSecond = random.pick(rates);
        this.fastest = Math.max(this.fastest, this.perSecond);
        break;
      case 'again':
        this.begin(Math.max(0, this.number - random.whole(Math.ceil(3 * this.perSecond), 100_000)));
        break;
      case 'ahead':
        this.begin(this.number + random.whole(Math.ceil(200 * this.perSecond), 100_000));
        break;
      case 'anew':
        this.begin(random.whole(0, 100_000), this.sourceId + 1);
        break;
    }
  }

  /**
   * Shows the same picture for a number of frames; the numbers go on meanwhile, or wait.
   * @returns when it was shown first
   */
  private freeze(length: number, goesOn: boolean): number {
    this.calm((5 * this.periodNs) / 1e9);
    const last = this.send();
    const againNs = Math.max(...this.sent.map(({ ns }) => ns)) + 1;
    for (let left = length; left > 0; left--) {
      this.sent.push({ ...last, ns: Math.max(this.ns, againNs) });
      this.repeated += 1;
      if (goesOn) this.send({ isLost: true });
      else this.ns += this.periodNs;
    }
    return last.ns;
  }

  /** Behind so long a time that its rate is known. */
  private freezeToEnd(): number {
    this.calm(4.5);
    return this.freeze(this.random.whole(1, 3 * Math.ceil(this.perSecond)), false);
  }

  private begin(number: number, sourceId = this.sourceId): void {
    this.calm(2);
    this.sourceId = sourceId;
    this.number = number;
    this.start += 1;
    this.ns += this.random.chance(0.3) ? this.random.next() * 2e9 : 0;
    this.calm(calmSeconds);
  }

  /** Shows another source for a number of pictures. */
  private showOther(length: number): void {
    const shown = Math.min(length, Math.floor(0.4 * this.perSecond));
    for (let left = shown; left > 0; left--) this.send({ sourceId: otherSourceId, number: left });
    this.others += shown;
  }
}
