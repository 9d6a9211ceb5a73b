import { Agent } from 'node:http';
import { Browser } from '../../../nmos/discovery/browse';
import { MulticastLink } from '../../../nmos/discovery/link';
import type { DiscoveredService } from '../../../nmos/discovery/service';
import { apiServices, checkApi, urlOf } from '../../../nmos/doctor/examine';
import type { ApiAnswer } from '../../../nmos/doctor/facts';
import { ownAddresses } from '../../../nmos/interfaces';
import type { Clock } from '../../../protocol/clock';
import { type Problem, toProblem } from '../../../protocol/errors';
import type { NmosApi, SeenRegistry } from '../../../protocol/nmos';
import { plainLine } from '../../../protocol/plain-text';

const askEveryMs = 10_000;
/** Limits requests, however many announcements there are. */
const mostRegistries = 50;
const mostNames = 5;

const apis: Record<string, NmosApi> = {
  '_nmos-register._tcp': 'registration',
  '_nmos-registration._tcp': 'registration',
  '_nmos-query._tcp': 'query',
  '_nmos-system._tcp': 'system',
};

export interface SearchOptions {
  /** For tests that use a closed circle. */
  multicastPort?: number;
}

interface Announced {
  names: Set<string>;
  priorities: number[];
  versions: Map<NmosApi, string[]>;
}

/** Looks for registries by multicast DNS, and asks each whether it is there, for as long as it is open. */
export class RegistrySearch {
  /** Why announcements cannot be heard. */
  problem: Problem | null = null;
  private link: MulticastLink | null = null;
  private browser: Browser | null = null;
  private readonly announced = new Map<string, Announced>();
  /** By API; null: it is asked for the first time. */
  private readonly answers = new Map<string, Map<NmosApi, ApiAnswer | null>>();
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private stopAsking = (): void => undefined;
  private isClosed = false;
  private readonly opened: Promise<void>;

  constructor(
    private readonly clock: Clock,
    private readonly onChange: () => void,
    options: SearchOptions = {},
  ) {
    this.opened = this.open(options);
  }

  registries(): SeenRegistry[] {
    return [...this.announced].map(([url, { names, priorities, versions }]) => ({
      ...{ url, names: [...names].slice(0, mostNames) },
      apis: this.apisOf(url, versions),
      priority: priorities.length === 0 ? null : Math.min(...priorities),
      answer: this.answerOf(url),
    }));
  }

  /** A registry that is announced, ahead of its turn. */
  askNow(url: string): void {
    const announced = this.announced.get(url);
    if (announced) void this.ask(url, [...announced.versions.keys()]);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stopAsking();
    this.agent.destroy();
    await this.opened;
    this.browser?.close();
    await this.link?.close();
  }

  private async open({ multicastPort }: SearchOptions): Promise<void> {
    try {
      const options = { hosts: ownAddresses(), port: multicastPort, clock: this.clock };
      this.link = await MulticastLink.open(options);
    } catch (error) {
      this.problem = toProblem(error);
      this.onChange();
      return;
    }
    if (this.isClosed) return;
    this.browser = new Browser(this.link, apiServices, this.clock);
    this.browser.onChange((services) => this.hear(services));
    this.stopAsking = this.clock.every(askEveryMs, () => this.askAll());
  }

  private hear(services: readonly DiscoveredService[]): void {
    this.announced.clear();
    for (const service of services) this.add(service);
    for (const url of this.answers.keys()) if (!this.announced.has(url)) this.answers.delete(url);
    for (const [url, { versions }] of this.announced) {
      const unasked = [...versions.keys()].filter((api) => !this.answers.get(url)?.has(api));
      void this.ask(url, unasked);
    }
    this.onChange();
  }

  private add(service: DiscoveredService): void {
    const url = urlOf(service) ?? secureUrlOf(service);
    const api = apis[service.type];
    if (url === null || api === undefined) return;
    if (!this.announced.has(url) && this.announced.size >= mostRegistries) return;
    const known = this.announced.get(url) ?? nothingAnnounced();
    this.announced.set(url, known);
    known.names.add(plainLine(service.instance));
    if (service.priority !== null) known.priorities.push(service.priority);
    known.versions.set(api, service.versions);
  }

  private askAll(): void {
    for (const url of this.announced.keys()) this.askNow(url);
  }

  private async ask(url: string, wanted: readonly NmosApi[]): Promise<void> {
    if (url.startsWith('https:')) return;
    const answers = this.answers.get(url) ?? new Map<NmosApi, ApiAnswer | null>();
    this.answers.set(url, answers);
    for (const api of wanted) answers.set(api, answers.get(api) ?? null);
    for (const api of wanted) {
      const { answer } = await checkApi(api, url, this.agent, this.clock);
      if (this.isClosed) return;
      answers.set(api, answer);
      this.onChange();
    }
  }

  private apisOf(url: string, announced: Announced['versions']): SeenRegistry['apis'] {
    return [...announced].map(([name, versions]) => {
      const answer = this.answers.get(url)?.get(name);
      return { name, versions: answer?.is === 'there' ? answer.versions.map(plainLine) : versions };
    });
  }

  private answerOf(url: string): SeenRegistry['answer'] {
    if (url.startsWith('https:')) return { is: 'unasked' };
    const answers = [...(this.answers.get(url)?.values() ?? [])].flatMap((answer) => answer ?? []);
    const reasons = answers.flatMap((answer) => {
      if (answer.is === 'silent') return plainLine(answer.reason);
      return answer.is === 'wrong' ? `status ${answer.status} without a list of versions` : [];
    });
    const [reason] = reasons;
    if (reason !== undefined) return { is: 'silent', reason };
    return answers.length === 0 ? { is: 'asked' } : { is: 'there' };
  }
}

function nothingAnnounced(): Announced {
  return { names: new Set(), priorities: [], versions: new Map() };
}

/** A certificate is for a name. */
function secureUrlOf({ protocol, host, port }: DiscoveredService): string | null {
  if (protocol !== 'https' || host === null || port === null) return null;
  try {
    return new URL(`https://${host.replace(/\.$/, '')}:${port}`).origin;
  } catch {
    return null;
  }
}
