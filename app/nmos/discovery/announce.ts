import { randomBytes } from 'node:crypto';
import { badInput, WhitelineError } from '../../protocol/errors';
import {
  type DnsMessage,
  encodeQuery,
  encodeResponse,
  labelBytes,
  type QuestionType,
  type ServiceRecord,
  sameName,
} from './codec';
import type { LinkInterface, MulticastLink, Sender } from './link';
import { multicastDomain, type ServiceType } from './service-types';

export interface Announcement {
  type: ServiceType;
  /** What it is called among those of its type; one that is taken gets a number. */
  instance: string;
  port: number;
  txt: Readonly<Record<string, string>>;
}

/** RFC 6762 section 10. */
const hostTtlSeconds = 120;
const otherTtlSeconds = 75 * 60;
/** RFC 6762 section 6.7: what an asker that is no multicast DNS program may keep. */
const legacyTtlSeconds = 10;
/** One after the other; of more a program may be that answers for all, RFC 6762 section 8.1. */
const mostNames = 15;
/** RFC 6762 section 8.1. */
const probes = 3;
const probeIntervalMs = 250;
/** RFC 6762 sections 6 and 8.3: between two of the same multicasts, and of the first two announcements. */
const repeatMs = 1000;
const metaQuery = `_services._dns-sd._udp.${multicastDomain}`;

/**
 * Announces services by multicast DNS on all interfaces of a link: claims names by probes, announces, answers, says goodbye
 * (RFC 6762 sections 6, 8 and 10). Not done: the tie of two that claim one name in the same quarter of a second (8.2).
 */
export class Announcer {
  /** Of its own, so that nothing of it disagrees with what the system announces of the machine's name. */
  private readonly host = `whiteline-${randomBytes(6).toString('hex')}.${multicastDomain}`;
  private readonly announced = new Set<Announced>();
  private readonly stopListening: () => void;

  constructor(private readonly link: MulticastLink) {
    this.stopListening = link.onMessage((message, from) => {
      for (const one of this.announced) one.take(message, from);
    });
  }

  /**
   * Resolves once the name is claimed and announced.
   * @throws WhitelineError BAD_INPUT for a name or a text that DNS cannot carry
   */
  async announce(announcement: Announcement): Promise<Announced> {
    const one = new Announced(this.link, this.host, announcement);
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
  private instance: string;
  private txt: Readonly<Record<string, string>>;
  private state: 'probing' | 'announced' | 'closed' = 'probing';
  private number = 1;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly lastSentMs = new Map<LinkInterface, number>();
  private readonly awaited = new Set<LinkInterface>();
  private onConflict = (): void => {};

  constructor(
    private readonly link: MulticastLink,
    private readonly host: string,
    private readonly announcement: Announcement,
  ) {
    // A dot would end the label where the name is coded.
    this.instance = announcement.instance.replaceAll('.', '-');
    labelBytes(this.instance, 'instance');
    this.txt = checkedTxt(announcement.txt);
  }

  /** As it is called now. */
  get name(): string {
    return this.instance;
  }

  async claim(): Promise<void> {
    while (!(await this.probe())) {
      this.number++;
      if (this.number > mostNames)
        throw new WhitelineError({
          code: 'NAME_IN_USE',
          message: `Others answered for each of ${mostNames} names that ${this.announcement.instance} was to be announced by`,
          remedy: 'Look for a program on this network that answers all multicast DNS',
        });
      const ending = ` (${this.number})`;
      const base = this.announcement.instance.replaceAll('.', '-');
      this.instance = `${base.slice(0, 63 - ending.length)}${ending}`;
    }
    if (this.state === 'closed') return;
    this.state = 'announced';
    this.multicastAll();
    this.later(repeatMs, () => this.multicastAll());
  }

  /** Other texts, which those that know the service are sent. */
  update(txt: Readonly<Record<string, string>>): void {
    this.txt = checkedTxt(txt);
    if (this.state !== 'announced') return;
    this.multicastAll();
    this.later(repeatMs, () => this.multicastAll());
  }

  /** Those who know the service forget it. */
  async close(): Promise<void> {
    const wasAnnounced = this.state === 'announced';
    this.state = 'closed';
    this.onConflict();
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    if (!wasAnnounced) return;
    await Promise.all(
      this.link.interfaces.map((own) => {
        const answers = this.records(own).map((record) => ({ ...record, ttlSeconds: 0 }));
        const to = { address: '224.0.0.251', port: this.link.port };
        return this.link.sendTo(own, encodeResponse({ answers }), to);
      }),
    );
  }

  take(message: DnsMessage, from: Sender): void {
    if (message.isResponse) this.hear([...message.answers, ...message.additionals]);
    else if (this.state === 'announced') this.answer(message, from);
  }

  /** False where another has the name. */
  private async probe(): Promise<boolean> {
    let isFree = true;
    let wake = (): void => {};
    this.onConflict = () => {
      isFree = false;
      wake();
    };
    for (let sent = 0; sent < probes && isFree && this.state === 'probing'; sent++) {
      for (const own of this.link.interfaces) {
        const authorities = this.records(own).filter(({ isFlush }) => isFlush);
        const questions = [this.serviceName, this.host].map((name) => ({
          labels: name.split('.'),
          type: 'ANY' as const,
        }));
        this.link.send(own, encodeQuery({ questions, authorities }));
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        this.later(probeIntervalMs, resolve);
      });
    }
    this.onConflict = () => {};
    return isFree || this.state !== 'probing';
  }

  /** Another that has the name while we claim it. */
  private hear(records: readonly ServiceRecord[]): void {
    if (this.state !== 'probing') return;
    const isTaken = records.some(
      (record) =>
        record.type === 'SRV' &&
        record.ttlSeconds > 0 &&
        sameName(record.name, this.serviceName) &&
        !sameName(record.target, this.host),
    );
    if (isTaken) this.onConflict();
  }

  private answer(message: DnsMessage, from: Sender): void {
    const wanted = message.questions.some(({ name, type }) => this.isAbout(name, type));
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

  private isAbout(name: string, type: string): boolean {
    const isType = (...types: string[]): boolean => type === 'ANY' || types.includes(type);
    if (sameName(name, this.typeName) || sameName(name, metaQuery)) return isType('PTR');
    if (sameName(name, this.serviceName)) return isType('SRV', 'TXT');
    return sameName(name, this.host) && isType('A');
  }

  /** RFC 6762 section 7.1: an answer that the asker has for at least half of its time is not repeated. */
  private isKnown(answers: readonly ServiceRecord[]): boolean {
    return answers.some(
      (record) =>
        record.type === 'PTR' &&
        sameName(record.target, this.serviceName) &&
        record.ttlSeconds >= otherTtlSeconds / 2,
    );
  }

  private answerAlone(message: DnsMessage, from: Sender): void {
    const ttlSeconds = legacyTtlSeconds;
    const questions = message.questions.flatMap(({ name, type }) =>
      this.isAbout(name, type) ? [{ labels: name.split('.'), type: questionType(type) }] : [],
    );
    const records = this.records(from.interface).map((record) => ({ ...record, ttlSeconds, isFlush: false }));
    const isAsked = ({ name }: ServiceRecord): boolean =>
      message.questions.some((question) => sameName(question.name, name));
    const bytes = encodeResponse({
      ...{ id: message.id, questions },
      answers: records.filter(isAsked),
      additionals: records.filter((record) => !isAsked(record)),
    });
    void this.link.sendTo(from.interface, bytes, from);
  }

  private multicastAll(): void {
    for (const own of this.link.interfaces) this.multicast(own);
  }

  private multicast(own: LinkInterface): void {
    this.awaited.delete(own);
    this.lastSentMs.set(own, performance.now());
    this.link.send(own, encodeResponse({ answers: this.records(own) }));
  }

  private get typeName(): string {
    return `${this.announcement.type}.${multicastDomain}`;
  }

  private get serviceName(): string {
    return `${this.instance}.${this.typeName}`;
  }

  /** Those that are ours alone make others forget what they knew before. */
  private records({ address }: LinkInterface): ServiceRecord[] {
    const { typeName, serviceName: name, host } = this;
    const shared = { ttlSeconds: otherTtlSeconds, isFlush: false };
    const texts = Object.entries(this.txt).map(([key, value]) => `${key}=${value}`);
    return [
      { ...shared, name: typeName, type: 'PTR', target: name },
      { ...shared, name: metaQuery, type: 'PTR', target: typeName },
      {
        ...{ name, ttlSeconds: hostTtlSeconds, isFlush: true },
        ...{ type: 'SRV', target: host, port: this.announcement.port },
      },
      { name, ttlSeconds: otherTtlSeconds, isFlush: true, type: 'TXT', texts },
      { name: host, ttlSeconds: hostTtlSeconds, isFlush: true, type: 'A', address },
    ];
  }

  private later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }
}

function questionType(type: string): QuestionType {
  return type === 'SRV' || type === 'TXT' || type === 'A' || type === 'PTR' ? type : 'ANY';
}

/** @throws WhitelineError BAD_INPUT: a text has at most 255 bytes, RFC 6763 section 6.1 */
function checkedTxt(txt: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(txt))
    if (Buffer.byteLength(`${key}=${value}`) > 255)
      throw badInput(`txt.${key}`, 'a key and value of at most 255 bytes', value);
  return txt;
}
