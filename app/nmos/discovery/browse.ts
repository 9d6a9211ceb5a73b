import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';
import { encodeQuery, type QuestionType, type ServiceRecord, sameName } from './codec';
import type { Link } from './link';
import { RecordCache } from './record-cache';
import { type DiscoveredService, instanceOf, serviceOf } from './service';
import { multicastDomain, type ServiceType } from './service-types';

/** Between the first two queries; each next wait is three times as long. RFC 6762 section 5.2. */
const firstWaitMs = 1000;
const longestWaitMs = 60 * 60 * 1000;
/** Between two queries for what an entry still lacks. */
const askAgainMs = 1000;
/** A query is one packet: more questions go with the next. */
const mostQuestions = 20;
/** An entry that a client found dead is asked for, and forgotten when it is silent, RFC 6762 section 10.4. */
const confirmMs = 10_000;

interface Asked {
  name: string;
  type: QuestionType;
}

/**
 * What is announced by multicast DNS of some types, kept up to date for as long as it is open: asked for in growing intervals, with
 * the answers that are known (RFC 6762 sections 5.2 and 7.1), and forgotten when its time is over.
 */
export class Browser {
  private readonly cache = new RecordCache();
  private readonly listeners = new Set<(services: DiscoveredService[]) => void>();
  private readonly stopListening: () => void;
  private stop = (): void => {};
  private waitMs = firstWaitMs;
  private nextQueryMs = 0;
  private nextAskMs = 0;
  private last = '[]';

  constructor(
    private readonly link: Link,
    private readonly types: readonly ServiceType[],
    private readonly clock: Clock,
  ) {
    this.stopListening = link.onMessage((message) => {
      if (message.isResponse) this.hear([...message.answers, ...message.additionals]);
    });
    this.work();
  }

  services(): DiscoveredService[] {
    const records = this.cache.records(this.nowMs());
    return this.types.flatMap((type) =>
      instancesOf(records, type).map((instance) => serviceOf(records, type, instance, multicastDomain)),
    );
  }

  /** Called with all services after each change. */
  onChange(listener: (services: DiscoveredService[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What a client found dead: asked for at once, and gone in 10 s unless it answers. */
  doubt({ type, instance }: DiscoveredService): void {
    const name = `${instance}.${type}.${multicastDomain}`;
    const isOfIt = (record: ServiceRecord): boolean =>
      sameName(record.name, name) || (record.type === 'PTR' && sameName(record.target, name));
    this.cache.doubt(isOfIt, this.nowMs(), confirmMs);
    this.ask([
      { name: `${type}.${multicastDomain}`, type: 'PTR' },
      { name, type: 'ANY' },
    ]);
    this.schedule();
  }

  close(): void {
    this.stop();
    this.listeners.clear();
    this.stopListening();
  }

  private hear(records: readonly ServiceRecord[]): void {
    const nowMs = this.nowMs();
    const concerning = records.filter((record) => this.concerns(record));
    if (concerning.length === 0) return;
    for (const record of concerning) this.cache.add(record, nowMs);
    this.work();
  }

  private concerns(record: ServiceRecord): boolean {
    if (record.type === 'A' || record.type === 'AAAA') return true;
    const name = record.name.toLowerCase();
    return this.types.some((type) => {
      const typeName = `${type}.${multicastDomain}`.toLowerCase();
      return record.type === 'PTR' ? name === typeName : name.endsWith(`.${typeName}`);
    });
  }

  private work(): void {
    const nowMs = this.nowMs();
    const types: Asked[] = [];
    if (this.nextQueryMs <= nowMs) {
      types.push(...this.types.map((type) => ({ name: `${type}.${multicastDomain}`, type: 'PTR' as const })));
      this.nextQueryMs = nowMs + this.waitMs;
      this.waitMs = Math.min(this.waitMs * 3, longestWaitMs);
    }
    const due = this.cache.takeDue(nowMs).map(({ name, type }) => ({ name, type }));
    const services = this.services();
    const missing = this.nextAskMs <= nowMs ? services.flatMap(missingOf) : [];
    if (missing.length > 0) this.nextAskMs = nowMs + askAgainMs;
    this.ask([...types, ...due, ...missing]);
    this.report(services);
    this.schedule(services.some((service) => missingOf(service).length > 0));
  }

  private ask(wanted: readonly Asked[]): void {
    const nowMs = this.nowMs();
    const each = new Map(wanted.map((question) => [`${question.type} ${question.name}`, question]));
    const asked = [...each.values()].slice(0, mostQuestions);
    if (asked.length === 0) return;
    const answers = asked.flatMap(({ name, type }) => (type === 'PTR' ? this.cache.known(name, nowMs) : []));
    const questions = asked.map(({ name, type }) => ({ labels: this.labels(name), type }));
    const bytes = encodeQuery({ questions, answers: answers.slice(0, mostQuestions) });
    for (const own of this.link.interfaces) this.link.send(own, bytes);
  }

  private labels(name: string): string[] {
    for (const type of this.types) {
      const instance = instanceOf(name, type, multicastDomain);
      if (instance !== null) return [instance, ...type.split('.'), multicastDomain];
    }
    return name.split('.');
  }

  private schedule(isIncomplete = false): void {
    this.stop();
    const next = Math.min(
      this.nextQueryMs,
      this.cache.nextMs(),
      isIncomplete ? this.nextAskMs : Number.POSITIVE_INFINITY,
    );
    this.stop = this.clock.after(Math.max(10, next - this.nowMs()), () => this.work());
  }

  private nowMs(): number {
    return monotonicMs(this.clock);
  }

  private report(services: DiscoveredService[]): void {
    const text = JSON.stringify(services);
    if (text === this.last) return;
    this.last = text;
    for (const listener of this.listeners) listener(services);
  }
}

function instancesOf(records: readonly ServiceRecord[], type: ServiceType): string[] {
  const instances = records.flatMap((record) => {
    if (record.type !== 'PTR' || !sameName(record.name, `${type}.${multicastDomain}`)) return [];
    const instance = instanceOf(record.target, type, multicastDomain);
    return instance === null ? [] : [instance];
  });
  return [...new Set(instances)];
}

function missingOf({ type, instance, faults }: DiscoveredService): Asked[] {
  const name = `${instance}.${type}.${multicastDomain}`;
  return faults.flatMap((fault): Asked[] => {
    if (fault.code === 'no-srv') return [{ name, type: 'SRV' }];
    if (fault.code === 'no-txt') return [{ name, type: 'TXT' }];
    return fault.code === 'no-address' ? [{ name: fault.host, type: 'A' }] : [];
  });
}
