import { randomBytes } from 'node:crypto';
import { problemText, toProblem, WhitelineError } from '../../protocol/errors';
import { type DnsMessage, encodeResponse, type QuestionType, type ServiceRecord, sameName } from './codec';
import type { Link, LinkInterface, Sender } from './link';
import { type Announcement, OwnService, otherTtlSeconds } from './own-service';
import { Probe } from './probe';
import { multicastDomain } from './service-types';

/** RFC 6762 section 6.7: what an asker that is no multicast DNS program may keep. */
const legacyTtlSeconds = 10;
/** One after the other; of more a program may be that answers for all, RFC 6762 section 8.1. */
const mostNames = 15;
/** RFC 6762 section 8.2: one that lost a tie, which the other's packets may have won late, waits before it probes again. */
const tieWaitMs = 1000;
/** Of one name in a row; by then the other should have answered for it. */
const mostTies = 3;
/** RFC 6762 sections 6 and 8.3: between two of the same multicasts, and of the first two announcements. */
const repeatMs = 1000;

/**
 * Announces services by multicast DNS on all interfaces of a link: claims names by probes, announces, answers, claims again what another
 * claims too, says goodbye (RFC 6762 sections 6, 8, 9 and 10).
 */
export class Announcer {
  /** Of its own, so that nothing of it disagrees with what the system announces of the machine's name. */
  private readonly host = `whiteline-${randomBytes(6).toString('hex')}.${multicastDomain}`;
  private readonly announced = new Set<Announced>();
  private readonly stopListening: () => void;

  /** @param log a line for each name that another claims too */
  constructor(
    private readonly link: Link,
    private readonly log: (line: string) => void = () => {},
  ) {
    this.stopListening = link.onMessage((message, from) => {
      for (const one of this.announced) one.take(message, from);
    });
  }

  /**
   * Resolves once the name is claimed and announced.
   * @throws WhitelineError BAD_INPUT for a name or a text that DNS cannot carry, NAME_IN_USE where others answer for all names
   */
  async announce(announcement: Announcement): Promise<Announced> {
    const one = new Announced(this.link, new OwnService(announcement, this.host), this.log);
    this.announced.add(one);
    await one.claim();
    return one;
  }

  async withdraw(one: Announced): Promise<void> {
    this.announced.delete(one);
    await one.close();
  }

  /** Says goodbye for all. */
  async close(): Promise<void> {
    this.stopListening();
    await Promise.all([...this.announced].map((one) => this.withdraw(one)));
  }
}

export class Announced {
  private state: 'claiming' | 'announced' | 'closed' = 'claiming';
  private probe: Probe | null = null;
  private wake = (): void => {};
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly lastSentMs = new Map<LinkInterface, number>();
  private readonly awaited = new Set<LinkInterface>();

  constructor(
    private readonly link: Link,
    private readonly service: OwnService,
    private readonly log: (line: string) => void,
  ) {}

  /** As it is called now. */
  get name(): string {
    return this.service.instance;
  }

  /** @throws WhitelineError NAME_IN_USE */
  async claim(): Promise<void> {
    const { name } = this.service;
    this.state = 'claiming';
    let ties = 0;
    for (let names = 1; ; ) {
      this.probe = new Probe(this.link, this.service);
      const outcome = await this.probe.outcome;
      this.probe = null;
      if (outcome === 'free' || outcome === 'cancelled') break;
      if (outcome === 'lost' && ++ties <= mostTies) {
        await this.wait(tieWaitMs);
        if (this.isClosed) break;
        continue;
      }
      if (++names > mostNames) throw noNameLeft(name);
      this.service.takeNextName();
      ties = 0;
    }
    if (this.isClosed) return;
    if (this.service.name !== name) this.log(`Another host has the name ${name}: ours is now ${this.name}`);
    this.state = 'announced';
    this.multicastTwice();
  }

  /** Other texts, which those that know the service are sent. */
  update(txt: Readonly<Record<string, string>>): void {
    this.service.setTxt(txt);
    this.multicastTwice();
  }

  /** Those who know the service forget it. */
  async close(): Promise<void> {
    const wasAnnounced = this.state === 'announced';
    this.state = 'closed';
    this.probe?.cancel();
    this.wake();
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    if (!wasAnnounced) return;
    await Promise.all(
      this.link.interfaces.map((own) => {
        const answers = this.service.records(own.address).map((record) => ({ ...record, ttlSeconds: 0 }));
        const to = { address: '224.0.0.251', port: this.link.port };
        return this.link.sendTo(own, encodeResponse({ answers }), to);
      }),
    );
  }

  take(message: DnsMessage, from: Sender): void {
    this.probe?.hear(message);
    if (this.state !== 'announced') return;
    if (!message.isResponse) this.answer(message, from);
    else if (this.service.isTaken([...message.answers, ...message.additionals])) void this.claimAgain();
  }

  private get isClosed(): boolean {
    return this.state === 'closed';
  }

  /** RFC 6762 section 9: both probe again, and one of them keeps the name. */
  private async claimAgain(): Promise<void> {
    this.log(`Another host announces the name ${this.service.name} too: it is claimed again`);
    try {
      await this.claim();
    } catch (error) {
      this.log(`${this.service.name} is announced no more: ${problemText(toProblem(error))}`);
    }
  }

  private answer(message: DnsMessage, from: Sender): void {
    const wanted = message.questions.some(({ name, type }) => this.service.isAbout(name, type));
    if (!wanted || this.isKnown(message.answers)) return;
    const own = from.interface;
    // An asker at a port of its own is no multicast DNS program, and hears nothing but an answer to itself.
    if (from.port !== this.link.port) {
      this.answerAlone(message, from);
      return;
    }
    if (this.awaited.has(own)) return;
    this.awaited.add(own);
    const sinceMs = performance.now() - (this.lastSentMs.get(own) ?? Number.NEGATIVE_INFINITY);
    // Several may know an answer to the same question; a probe has to be answered at once, RFC 6762 section 6.
    const isProbe = message.authorities.length > 0;
    const delayMs = isProbe ? 0 : Math.max(repeatMs - sinceMs, 20 + Math.random() * 100);
    this.later(delayMs, () => this.multicast(own));
  }

  /** RFC 6762 section 7.1: an answer that the asker has for at least half of its time is not repeated. */
  private isKnown(answers: readonly ServiceRecord[]): boolean {
    return answers.some(
      (record) =>
        record.type === 'PTR' &&
        sameName(record.target, this.service.name) &&
        record.ttlSeconds >= otherTtlSeconds / 2,
    );
  }

  private answerAlone(message: DnsMessage, from: Sender): void {
    const ttlSeconds = legacyTtlSeconds;
    const questions = message.questions.flatMap(({ name, type }) =>
      this.service.isAbout(name, type) ? [{ labels: name.split('.'), type: questionType(type) }] : [],
    );
    const records = this.service
      .records(from.interface.address)
      .map((record) => ({ ...record, ttlSeconds, isFlush: false }));
    const isAsked = ({ name }: ServiceRecord): boolean =>
      message.questions.some((question) => sameName(question.name, name));
    const bytes = encodeResponse({
      ...{ id: message.id, questions },
      answers: records.filter(isAsked),
      additionals: records.filter((record) => !isAsked(record)),
    });
    void this.link.sendTo(from.interface, bytes, from);
  }

  private multicastTwice(): void {
    const multicastAll = (): void => {
      for (const own of this.link.interfaces) this.multicast(own);
    };
    multicastAll();
    this.later(repeatMs, multicastAll);
  }

  /** Unless the name is in doubt, or given up. */
  private multicast(own: LinkInterface): void {
    this.awaited.delete(own);
    if (this.state !== 'announced') return;
    this.lastSentMs.set(own, performance.now());
    this.link.send(own, encodeResponse({ answers: this.service.records(own.address) }));
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      this.later(ms, resolve);
    });
  }

  private later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }
}

function noNameLeft(name: string): WhitelineError {
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `Others answered by multicast DNS for each of ${mostNames} names, from ${name} on`,
    remedy: 'Look for a program on this network that answers all questions of multicast DNS',
  });
}

function questionType(type: string): QuestionType {
  return type === 'SRV' || type === 'TXT' || type === 'A' || type === 'PTR' ? type : 'ANY';
}
