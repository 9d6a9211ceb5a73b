import { randomBytes } from 'node:crypto';
import type { Clock } from '../../protocol/clock';
import { problemText, toProblem, WhitelineError } from '../../protocol/errors';
import type { DnsMessage } from './codec';
import type { Link, Sender } from './link';
import { type Announcement, OwnService } from './own-service';
import { Probe } from './probe';
import { Responder } from './responder';
import { multicastDomain } from './service-types';

/** One after the other; of more a program may be that answers for all, RFC 6762 section 8.1. */
const mostNames = 15;
/** RFC 6762 section 8.2: between a tie that is lost and the next probe. */
const tieWaitMs = 1000;
/** Of one name in a row; by then the other should have answered for it. */
const mostTies = 3;

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
    private readonly clock: Clock,
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
    const one = new Announced(this.link, new OwnService(announcement, this.host), this.clock, this.log);
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
  private readonly responder: Responder;
  private probe: Probe | null = null;
  /** Ends a wait before its time. */
  private wake = (): void => {};

  constructor(
    private readonly link: Link,
    private readonly service: OwnService,
    private readonly clock: Clock,
    private readonly log: (line: string) => void,
  ) {
    this.responder = new Responder(link, service, clock);
  }

  /** As it is called now. */
  get name(): string {
    return this.service.instance;
  }

  /** @throws WhitelineError NAME_IN_USE */
  async claim(): Promise<void> {
    const { name } = this.service;
    this.state = 'claiming';
    this.responder.stop();
    let ties = 0;
    for (let names = 1; ; ) {
      this.probe = new Probe(this.link, this.service, this.clock);
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
    if (this.service.name !== name)
      this.log(`Another host has the name ${name}: this service is now ${this.name}`);
    this.state = 'announced';
    this.responder.announce();
  }

  /** Other texts, which those that know the service are sent. */
  update(txt: Readonly<Record<string, string>>): void {
    this.service.setTxt(txt);
    if (this.state === 'announced') this.responder.announce();
  }

  /** Those who know the service forget it. */
  async close(): Promise<void> {
    const wasAnnounced = this.state === 'announced';
    this.state = 'closed';
    this.probe?.cancel();
    this.wake();
    this.responder.stop();
    if (wasAnnounced) await this.responder.sayGoodbye();
  }

  take(message: DnsMessage, from: Sender): void {
    this.probe?.hear(message);
    if (this.state !== 'announced') return;
    if (!message.isResponse) this.responder.answer(message, from);
    else if (this.service.isTaken([...message.answers, ...message.additionals])) void this.claimAgain();
  }

  private get isClosed(): boolean {
    return this.state === 'closed';
  }

  /** RFC 6762 section 9: both probe again, and one of them keeps the name. */
  private async claimAgain(): Promise<void> {
    this.log(`Another host announces the name ${this.service.name} too: claiming it again`);
    try {
      await this.claim();
    } catch (error) {
      this.log(`${this.service.name} is no longer announced: ${problemText(toProblem(error))}`);
    }
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.clock.after(ms, resolve);
      this.wake = () => {
        stop();
        resolve();
      };
    });
  }
}

function noNameLeft(name: string): WhitelineError {
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `Other hosts have all ${mostNames} names that were tried, from ${name} on`,
    remedy: 'Look for a program on this network that answers all multicast DNS queries',
  });
}
