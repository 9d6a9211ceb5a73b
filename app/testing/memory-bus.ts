import type { Bus, BusState } from '../fleet/bus/bus';
import { Listeners } from '../fleet/bus/listeners';
import { Arrivals, answerPayload, payloadsOf, requestPayload, valueOfAnswer } from '../fleet/bus/wire';
import type { Clock } from '../protocol/clock';
import { WhitelineError } from '../protocol/errors';

/** What becomes of one payload on its way: after how many ms it arrives, once for each; none: it is lost. */
type Way = (subject: string, from: string, to: string) => readonly number[];

const straight: Way = () => [0];

/** A bus within this process: the values go through the same codec, in the same pieces, and arrive later, never at once. */
export class MemoryBusServer {
  /** What the network does to each payload, and to each request and answer, until a test says otherwise: nothing. */
  way: Way = straight;
  private readonly ends = new Set<MemoryBus>();
  private readonly cuts = new Set<string>();

  constructor(readonly clock: Clock) {}

  /** @param name of the machine, for the lines between two of them */
  connect(name: string): MemoryBus {
    const end = new MemoryBus(this, name);
    this.ends.add(end);
    return end;
  }

  /** Nothing goes between these two from now on, and neither of them is told. */
  cut(one: string, other: string): void {
    this.cuts.add(lineOf(one, other));
  }

  mend(one: string, other: string): void {
    this.cuts.delete(lineOf(one, other));
  }

  remove(end: MemoryBus): void {
    this.ends.delete(end);
  }

  /** Bytes from an end to all that hear the subject. */
  carry(from: MemoryBus, subject: string, payload: Uint8Array): void {
    for (const to of this.ends)
      for (const hear of to.hearing(subject))
        for (const inMs of this.waysOf(subject, from, to)) this.later(inMs, () => hear(payload, subject));
  }

  /** @throws WhitelineError AGENT_UNREACHABLE, AGENT_SILENT */
  async ask(from: MemoryBus, subject: string, payload: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    for (const to of this.ends) {
      const answer = to.serving(subject);
      if (!answer) continue;
      return new Promise((resolve, reject) => {
        const stopTimer = this.clock.after(timeoutMs, () =>
          reject(problem('AGENT_SILENT', `${subject} did not answer within ${timeoutMs} ms`)),
        );
        const take = (reply: Uint8Array): void => {
          stopTimer();
          resolve(reply);
        };
        for (const there of this.waysOf(subject, from, to))
          this.later(there, async () => {
            const reply = await answer(payload);
            for (const back of this.waysOf(subject, to, from)) this.later(back, () => take(reply));
          });
      });
    }
    throw problem('AGENT_UNREACHABLE', `No end answers on ${subject}`);
  }

  private waysOf(subject: string, from: MemoryBus, to: MemoryBus): readonly number[] {
    return this.cuts.has(lineOf(from.name, to.name)) ? [] : this.way(subject, from.name, to.name);
  }

  private later(ms: number, act: () => void): void {
    if (ms > 0) this.clock.after(ms, act);
    else queueMicrotask(act);
  }
}

function lineOf(one: string, other: string): string {
  return [one, other].sort().join(' ');
}

function problem(
  code: 'AGENT_SILENT' | 'AGENT_UNREACHABLE' | 'BUS_UNREACHABLE',
  message: string,
): WhitelineError {
  return new WhitelineError({ code, message });
}

type Hearer = (payload: Uint8Array, subject: string) => void;
type Answerer = (payload: Uint8Array) => Promise<Uint8Array>;

/** One machine's end of it. */
export class MemoryBus implements Bus {
  readonly server = 'memory';
  private current: BusState = 'connected';
  private readonly states = new Listeners<[state: BusState]>();
  private readonly hearers = new Map<Hearer, { pattern: string; arrivals: Arrivals }>();
  private readonly answerers = new Map<Answerer, string>();
  private refusedBefore = 0;

  constructor(
    private readonly ofServer: MemoryBusServer,
    readonly name: string,
  ) {}

  get state(): BusState {
    return this.current;
  }

  get refused(): number {
    let sum = this.refusedBefore;
    for (const { arrivals } of this.hearers.values()) sum += arrivals.refused;
    return sum;
  }

  onState(listener: (state: BusState) => void): () => void {
    return this.states.add(listener);
  }

  /** This machine's connection breaks, and it notices. */
  disconnect(): void {
    this.enter('reconnecting');
  }

  reconnect(): void {
    this.enter('connected');
  }

  publish(subject: string, value: unknown): void {
    for (const payload of payloadsOf(value)) this.publishBytes(subject, payload);
  }

  /** Whatever bytes another machine may send. */
  publishBytes(subject: string, payload: Uint8Array): void {
    if (this.current === 'connected') this.ofServer.carry(this, subject, payload);
  }

  subscribe(subject: string, take: (value: unknown, subject: string) => void): () => void {
    const arrivals = new Arrivals(this.ofServer.clock);
    const hear: Hearer = (payload, on) => {
      if (this.current !== 'connected' || !this.hearers.has(hear)) return;
      arrivals.take(payload, on, (value) => take(value, on));
    };
    this.hearers.set(hear, { pattern: subject, arrivals });
    return () => {
      if (!this.hearers.delete(hear)) return;
      this.refusedBefore += arrivals.refused;
      arrivals.close();
    };
  }

  async request(subject: string, value: unknown, timeoutMs: number): Promise<unknown> {
    const payload = requestPayload(value);
    if (this.current !== 'connected') throw problem('BUS_UNREACHABLE', 'The bus is not connected');
    return valueOfAnswer(await this.ofServer.ask(this, subject, payload, timeoutMs), subject);
  }

  serve(subject: string, answer: (value: unknown) => Promise<unknown>): () => void {
    const answerer: Answerer = async (request) => {
      const { payload, isRefused } = await answerPayload(request, answer);
      if (isRefused) this.refusedBefore++;
      return payload;
    };
    this.answerers.set(answerer, subject);
    return () => void this.answerers.delete(answerer);
  }

  async close(): Promise<void> {
    for (const { arrivals } of this.hearers.values()) arrivals.close();
    this.answerers.clear();
    this.ofServer.remove(this);
    this.enter('closed');
  }

  /** Who hears this subject here. */
  hearing(subject: string): Hearer[] {
    return [...this.hearers].filter(([, { pattern }]) => isHeardBy(pattern, subject)).map(([hear]) => hear);
  }

  /** Who answers requests on it, where the machine is connected. */
  serving(subject: string): Answerer | undefined {
    if (this.current !== 'connected') return undefined;
    return [...this.answerers].find(([, pattern]) => isHeardBy(pattern, subject))?.[0];
  }

  private enter(state: BusState): void {
    if (this.current === state || this.current === 'closed') return;
    this.current = state;
    this.states.tell(state);
  }
}

/** `*` stands for one part of a subject, and `>` at the end for one or more. */
function isHeardBy(pattern: string, subject: string): boolean {
  const [parts, heard] = [pattern.split('.'), subject.split('.')];
  const isOpen = parts[parts.length - 1] === '>';
  if (isOpen ? heard.length < parts.length : heard.length !== parts.length) return false;
  return parts.every((part, at) => part === '*' || part === heard[at] || (isOpen && at === parts.length - 1));
}
