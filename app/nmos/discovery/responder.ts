import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';
import {
  compareRecords,
  type DnsMessage,
  type DnsQuestion,
  encodeResponse,
  type QuestionType,
  type ServiceRecord,
  sameName,
} from './codec';
import type { Link, LinkInterface, Sender } from './link';
import type { OwnService } from './own-service';

/** RFC 6762 section 6.7: what an asker that is no multicast DNS program may keep. */
const legacyTtlSeconds = 10;
/** RFC 6762 sections 6 and 8.3: between two of the same multicasts, and of the first two announcements. */
const repeatMs = 1000;

/** Sends the records of a service whose name is claimed, by itself and when asked, RFC 6762 sections 6, 7.1, 8.3 and 10.1. */
export class Responder {
  /** Each stops one that is still to be sent. */
  private readonly stops = new Set<() => void>();
  private readonly lastSentMs = new Map<LinkInterface, number>();
  private readonly awaited = new Set<LinkInterface>();

  constructor(
    private readonly link: Link,
    private readonly service: OwnService,
    private readonly clock: Clock,
  ) {}

  announce(): void {
    const multicastAll = (): void => {
      for (const own of this.link.interfaces) this.multicast(own);
    };
    multicastAll();
    this.later(repeatMs, multicastAll);
  }

  answer(message: DnsMessage, from: Sender): void {
    const own = from.interface;
    const asked = this.service
      .records(own.address)
      .filter((record) => message.questions.some((question) => isAnswer(record, question)));
    if (asked.every((record) => isKnown(record, message.answers))) return;
    // A query from another port comes from a simple resolver, which receives only a unicast answer (RFC 6762 section 6.7).
    if (from.port !== this.link.port) {
      this.answerAlone(message, from);
      return;
    }
    // A probe has to be answered at once, RFC 6762 section 6, even where an answer to a question still waits.
    if (message.authorities.length > 0) {
      this.multicast(own);
      return;
    }
    if (this.awaited.has(own)) return;
    this.awaited.add(own);
    const sinceMs = monotonicMs(this.clock) - (this.lastSentMs.get(own) ?? Number.NEGATIVE_INFINITY);
    // Several may know an answer to the same question.
    const delayMs = Math.max(repeatMs - sinceMs, 20 + Math.random() * 100);
    this.later(delayMs, () => this.multicast(own));
  }

  /** What was still to be sent is not. */
  stop(): void {
    for (const stop of this.stops) stop();
    this.stops.clear();
    this.awaited.clear();
  }

  /** Those who know the service forget it. */
  async sayGoodbye(): Promise<void> {
    await Promise.all(
      this.link.interfaces.map((own) => {
        const answers = this.service.records(own.address).map((record) => ({ ...record, ttlSeconds: 0 }));
        const to = { address: '224.0.0.251', port: this.link.port };
        return this.link.sendTo(own, encodeResponse({ answers }), to);
      }),
    );
  }

  private answerAlone(message: DnsMessage, from: Sender): void {
    const ttlSeconds = legacyTtlSeconds;
    const records = this.service
      .records(from.interface.address)
      .map((record) => ({ ...record, ttlSeconds, isFlush: false }));
    const questions = message.questions.flatMap((question) =>
      records.some((record) => isAnswer(record, question))
        ? [{ labels: question.name.split('.'), type: questionType(question.type) }]
        : [],
    );
    const isAsked = (record: ServiceRecord): boolean =>
      message.questions.some((question) => isAnswer(record, question));
    const bytes = encodeResponse({
      ...{ id: message.id, questions },
      answers: records.filter(isAsked),
      additionals: records.filter((record) => !isAsked(record)),
    });
    void this.link.sendTo(from.interface, bytes, from);
  }

  private multicast(own: LinkInterface): void {
    this.awaited.delete(own);
    this.lastSentMs.set(own, monotonicMs(this.clock));
    this.link.send(own, encodeResponse({ answers: this.service.records(own.address) }));
  }

  private later(ms: number, act: () => void): void {
    const stop = this.clock.after(ms, () => {
      this.stops.delete(stop);
      act();
    });
    this.stops.add(stop);
  }
}

function isAnswer(record: ServiceRecord, { name, type }: DnsQuestion): boolean {
  return sameName(record.name, name) && (type === 'ANY' || type === record.type);
}

/** RFC 6762 section 7.1: the asker has this very record, and for at least half of its time. */
function isKnown(record: ServiceRecord, answers: readonly ServiceRecord[]): boolean {
  return answers.some(
    (known) =>
      sameName(known.name, record.name) &&
      compareRecords([known], [record]) === 0 &&
      known.ttlSeconds >= record.ttlSeconds / 2,
  );
}

function questionType(type: string): QuestionType {
  return type === 'SRV' || type === 'TXT' || type === 'A' || type === 'PTR' ? type : 'ANY';
}
