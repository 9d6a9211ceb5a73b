import { Refusal } from '../nmos/http/reply';
import { type Method, Router } from '../nmos/http/router';
import { departureText, setText } from '../nmos/registry/entry';
import { heldTexts } from '../nmos/registry/held-texts';
import { Journal } from '../nmos/registry/journal';
import { addRegistrationApi } from '../nmos/registry/registration-api';
import { messageText, parseMessage } from '../nmos/registry/replication/message';
import { takeMessage } from '../nmos/registry/replication/take-message';
import { resourceTypes } from '../nmos/registry/resource';
import { SharedClock } from '../nmos/registry/shared-clock';
import type { LineFile } from '../nmos/registry/snapshot-file';
import { type Logged, Store } from '../nmos/registry/store';
import { TaiStamps } from '../nmos/tai';
import type { Clock } from '../protocol/clock';

/** Two registries without files and sockets, all in one time: they end without warning, start again, and cannot always reach each other. */

const messageMs = 20;
const healthMs = 1000;
const lookMs = 500;
const retryMs = 250;

/** The file of a registry that may be killed: what it writes after that goes nowhere. */
class MemoryFile implements LineFile {
  readonly name = 'memory';
  private readonly writer: object;

  constructor(private readonly disk: { lines: string[]; writer: object | null }) {
    this.writer = this;
    disk.writer = this;
  }

  async *lines(): AsyncGenerator<string> {
    yield* this.disk.lines;
  }

  async append(lines: readonly string[]): Promise<void> {
    if (this.disk.writer === this.writer) this.disk.lines.push(...lines);
  }

  async replace(lines: readonly string[]): Promise<void> {
    if (this.disk.writer === this.writer) this.disk.lines = [...lines];
  }

  async setAside(): Promise<string> {
    return 'aside';
  }

  async close(): Promise<void> {
    this.disk.writer = null;
  }
}

/** A registry on its machine. */
export class Site {
  readonly log: string[] = [];
  private readonly disk: { lines: string[]; writer: object | null } = { lines: [], writer: null };
  private running: { store: Store; router: Router; stop(): void } | null = null;
  private starts = 0;

  constructor(
    private readonly name: string,
    private readonly clock: Clock,
    private readonly expiryMs: number,
  ) {}

  get store(): Store | null {
    return this.running?.store ?? null;
  }

  async start(): Promise<void> {
    const { clock, expiryMs, log } = this;
    const instance = `${this.name} ${++this.starts}`;
    const [stamps, shared] = [new TaiStamps(clock), new SharedClock(clock)];
    const store = new Store({ stamps, shared, clock, expiryMs, instance });
    await Journal.open(new MemoryFile(this.disk), store, (line) => log.push(line));
    const router = new Router();
    addRegistrationApi(router, store);
    this.running = { store, router, stop: clock.every(lookMs, () => store.expire()) };
  }

  /** What was not written yet is lost. */
  kill(): void {
    this.disk.writer = null;
    this.running?.stop();
    this.running = null;
  }

  /** The status of the answer; null: there is none. */
  send(method: Method, path: string, body?: unknown): number | null {
    if (!this.running) return null;
    const { parameters, handlerOf } = this.running.router.find(`/x-nmos/registration/v1.3/${path}`);
    const request = { method, path, parameters, body, headers: {}, query: new URLSearchParams() };
    try {
      const reply = handlerOf(method)?.({
        ...{ ...request, origin: '', remoteAddress: '', reserve: () => undefined },
      });
      return reply && 'status' in reply ? reply.status : null;
    } catch (error) {
      if (error instanceof Refusal) return error.status;
      throw error;
    }
  }

  /** All resources by their texts. */
  held(): string[] {
    const { store } = this;
    return store
      ? resourceTypes.flatMap((type) => store.list(type, 'create').map(({ body }) => body.json)).sort()
      : [];
  }
}

/** The way between two of them, and what each sends the other over it. */
export class Way {
  isUp = true;
  private connection: Connection | null = null;

  constructor(
    clock: Clock,
    private readonly one: Site,
    private readonly other: Site,
    private readonly problems: string[],
  ) {
    clock.every(retryMs, () => this.look(clock));
  }

  cut(): void {
    this.isUp = false;
    this.connection?.end();
    this.connection = null;
  }

  private look(clock: Clock): void {
    const [one, other] = [this.one.store, this.other.store];
    if (this.connection && (one !== this.connection.one || other !== this.connection.other)) {
      this.connection.end();
      this.connection = null;
    } else if (this.isUp && one && other)
      this.connection ??= new Connection(clock, one, other, this.problems);
  }
}

class Connection {
  private isOver = false;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly clock: Clock,
    readonly one: Store,
    readonly other: Store,
    private readonly problems: string[],
  ) {
    this.begin(one, other);
    this.begin(other, one);
  }

  end(): void {
    this.isOver = true;
    for (const stop of this.stops) stop();
  }

  /** As `Feeds` and `Peer` do it: the clocks first, then all there is, then what comes. */
  private begin(from: Store, to: Store): void {
    from.agreeOn(to.options.shared.now());
    this.deliver(from, to, '"changes":[]');
    this.send(from, to, `"changes":[${heldTexts(from).join(',')}]`);
    const note = ({ what, isOwn }: Logged): void => {
      const text = what.kind === 'set' ? setText(what.resource) : departureText(what);
      if (isOwn) this.send(from, to, `"changes":[${text}]`);
    };
    this.stops.push(from.onLog(note));
    this.stops.push(
      this.clock.every(healthMs, () => {
        const lives = from.list('node', 'create').flatMap(({ id, health }) => {
          if (health?.home !== from.options.instance) return [];
          return [JSON.stringify([id, String(health.heardAt), health.home])];
        });
        this.send(from, to, `"health":[${lives.join(',')}]`);
      }),
    );
  }

  private send(from: Store, to: Store, parts: string): void {
    const text = messageText(from.options.shared.now(), parts);
    this.clock.after(messageMs, () => this.take(to, text));
  }

  private deliver(from: Store, to: Store, parts: string): void {
    this.take(to, messageText(from.options.shared.now(), parts));
  }

  private take(to: Store, text: string): void {
    if (this.isOver) return;
    const message = parseMessage(text);
    const refuse = (words: string): number => this.problems.push(words);
    const problem = message ? takeMessage(to, message, true, refuse) : 'no message';
    if (problem !== null) this.problems.push(problem);
  }
}
