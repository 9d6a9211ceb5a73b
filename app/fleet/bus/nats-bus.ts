import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ConnectionOptions,
  connect,
  Events,
  type NatsConnection,
  type Subscription,
  type SubscriptionOptions,
  type TlsOptions,
} from 'nats';
import type { Clock } from '../../protocol/clock';
import { type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import { consoleInboxPrefix } from '../../protocol/fleet/subjects';
import { plainLine } from '../../protocol/plain-text';
import type { JoinFile } from '../site/join-file';
import type { Bus, BusState } from './bus';
import { codeOf, connectionProblem } from './connection-problems';
import { firstToAnswer } from './first-to-answer';
import { withoutGivenUpSockets } from './given-up-sockets';
import { Listeners } from './listeners';
import { mostPayloadBytes } from './pieces';
import { Arrivals, answerPayload, payloadsOf, requestPayload, valueOfAnswer } from './wire';

/**
 * A server that says nothing for so long while we connect is not there, ms. Short, since a lease of an agent lasts 5 s: an attempt that began
 * while the line was cut is not waited for when it is there again.
 */
const connectWithinMs = 2000;
const pingEveryMs = 1000;
const mostUnansweredPings = 2;
const shortestReconnectMs = 200;
const longestReconnectMs = 2000;

export interface BusOptions {
  clock: Clock;
  /** What the server refuses later on, such as a subject without permission. */
  onProblem?(problem: Problem): void;
}

/**
 * Connects to the bus of a site. A connection that breaks later is made again, for as long as the bus is not closed.
 * @throws WhitelineError BUS_UNREACHABLE, BUS_REFUSED (secret) or BUS_UNTRUSTED (certificate), with address and remedy;
 * REQUIREMENT_MISSING for a server that takes too small messages
 */
export async function connectBus(
  join: JoinFile,
  who: 'agent' | 'console',
  { clock, onProblem = () => undefined }: BusOptions,
): Promise<Bus> {
  const life = new Life(join, who, clock);
  let connected: Connected;
  try {
    connected = await life.connect();
  } catch (error) {
    throw connectionProblem(error, join.servers);
  }
  const { connection, server } = connected;
  const mostBytes = connection.info?.max_payload ?? 0;
  if (mostBytes < mostPayloadBytes) {
    await connection.close();
    throw new WhitelineError({
      code: 'REQUIREMENT_MISSING',
      message: `The bus at ${plainLine(server)} takes messages of ${mostBytes} bytes at most`,
      remedy: `Set max_payload of its server to ${mostPayloadBytes} or more`,
    });
  }
  return new NatsBus(connected, life, clock, onProblem);
}

/** The server's certificate has to name one of the servers of the join file; the client itself checks none for an IP address. */
function tlsOf({ certificateAuthority, servers }: JoinFile): TlsOptions {
  const hosts = servers.map(hostOf);
  const options = {
    ca: certificateAuthority,
    checkServerIdentity(_name: string, certificate: PeerCertificate): Error | undefined {
      const problems = hosts.map((host) => checkServerIdentity(host, certificate));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
  return options;
}

/** The host of tls://host:port; of an IPv6 address without its brackets. */
function hostOf(server: string): string {
  return new URL(server).hostname.replace(/^\[|\]$/g, '');
}

/** A connection, and the server of the join file that it is to. */
interface Connected {
  connection: NatsConnection;
  server: string;
}

/** How the connections of one bus are made, one after the other. */
class Life {
  isClosed = false;
  /** Attempts since the connection was last there. */
  attempts = 0;

  constructor(
    private readonly join: JoinFile,
    private readonly who: 'agent' | 'console',
    private readonly clock: Clock,
  ) {}

  get servers(): readonly string[] {
    return this.join.servers;
  }

  /** To the server of the join file that answers first. */
  connect(): Promise<Connected> {
    const attempts = this.inTurn().map((server) => () => this.connectTo(server));
    return firstToAnswer(attempts, this.clock, ({ connection }) => void connection.close());
  }

  /** Agents begin with any of them, so that each server has its share; the console's own stands first. */
  private inTurn(): string[] {
    const { servers } = this.join;
    const from = this.who === 'agent' ? Math.floor(Math.random() * servers.length) : 0;
    return [...servers.slice(from), ...servers.slice(0, from)];
  }

  /**
   * Each time by a client of its own, which never connects again by itself: an attempt that the client gives up stays with the
   * system, and where the server stood still it comes through later, into the reading of the one after it.
   */
  private async connectTo(server: string): Promise<Connected> {
    const { join, who } = this;
    const options: ConnectionOptions = {
      servers: server,
      name: `whiteline ${who}`,
      tls: tlsOf(join),
      ...{ user: join.user, pass: join.secret },
      ...(who === 'console' && { inboxPrefix: consoleInboxPrefix }),
      // Names are the system's matter: its files and multicast DNS know more of them than the client's own questions.
      resolve: false,
      // Others that a cluster names have no place in the join file, and their names no check.
      ignoreClusterUpdates: true,
      timeout: connectWithinMs,
      pingInterval: pingEveryMs,
      maxPingOut: mostUnansweredPings,
      reconnect: false,
      noAsyncTraces: true,
    };
    try {
      return { connection: await withoutGivenUpSockets(() => connect(options)), server };
    } catch (error) {
      throw connectionProblem(error, [server]);
    }
  }

  /** At random, so that a thousand agents do not all come back to a server at the same moment. */
  reconnectDelayMs(): number {
    const mostMs = Math.min(longestReconnectMs, shortestReconnectMs * 2 ** this.attempts);
    return shortestReconnectMs + Math.random() * (mostMs - shortestReconnectMs);
  }
}

type Callback = NonNullable<SubscriptionOptions['callback']>;

/** One subscription, over all connections. */
interface Line {
  subject: string;
  callback: Callback;
  /** Null while there is no connection. */
  subscription: Subscription | null;
}

class NatsBus implements Bus {
  private current: BusState = 'connected';
  private readonly states = new Listeners<[state: BusState]>();
  /** Messages refused by requests and by subscriptions that have ended. */
  private refusedBefore = 0;
  private readonly arrivals = new Set<Arrivals>();
  private readonly lines = new Set<Line>();

  constructor(
    private connected: Connected,
    private readonly life: Life,
    private readonly clock: Clock,
    private readonly onProblem: (problem: Problem) => void,
  ) {
    this.follow();
  }

  get server(): string {
    return this.connected.server;
  }

  private get connection(): NatsConnection {
    return this.connected.connection;
  }

  get state(): BusState {
    return this.current;
  }

  get refused(): number {
    let sum = this.refusedBefore;
    for (const { refused } of this.arrivals) sum += refused;
    return sum;
  }

  onState(listener: (state: BusState) => void): () => void {
    return this.states.add(listener);
  }

  publish(subject: string, value: unknown): void {
    const payloads = payloadsOf(value);
    // The client would keep it without a limit, and forget it when it connects.
    if (!this.isConnected()) return;
    for (const payload of payloads) this.connection.publish(subject, payload);
  }

  subscribe(subject: string, take: (value: unknown, subject: string) => void): () => void {
    if (this.current === 'closed') return () => undefined;
    const arrivals = new Arrivals(this.clock);
    this.arrivals.add(arrivals);
    const end = this.listen(subject, (error, message) => {
      // The state of the connection reports a refusal too.
      if (error) return;
      apart(() => arrivals.take(message.data, message.subject, (value) => take(value, message.subject)));
    });
    return () => {
      if (!this.arrivals.delete(arrivals)) return;
      this.refusedBefore += arrivals.refused;
      arrivals.close();
      end();
    };
  }

  async request(subject: string, value: unknown, timeoutMs: number): Promise<unknown> {
    const payload = requestPayload(value);
    if (!this.isConnected())
      throw new WhitelineError({
        code: 'BUS_UNREACHABLE',
        message: `The bus is not connected, so that ${plainLine(subject)} cannot be asked`,
        remedy: 'Wait until it is back, or start it again',
      });
    const answer = await this.connection.request(subject, payload, { timeout: timeoutMs }).catch((error) => {
      throw requestProblem(error, subject, timeoutMs);
    });
    return valueOfAnswer(answer.data, subject);
  }

  serve(subject: string, answer: (value: unknown) => Promise<unknown>): () => void {
    if (this.current === 'closed') return () => undefined;
    return this.listen(subject, (error, message) => {
      if (error || !message.reply) return;
      void answerPayload(message.data, answer).then(({ payload, isRefused }) => {
        if (isRefused) this.refusedBefore++;
        if (this.isConnected()) message.respond(payload);
      });
    });
  }

  async close(): Promise<void> {
    if (this.life.isClosed) return;
    const isConnected = this.isConnected();
    this.life.isClosed = true;
    // Sends what was published. It gives up when the connection breaks meanwhile.
    if (isConnected) await this.connection.drain().catch(() => undefined);
    await this.connection.close();
    this.end();
  }

  private end(): void {
    for (const arrivals of this.arrivals) arrivals.close();
    this.enter('closed');
  }

  private isConnected(): boolean {
    return this.current === 'connected' && !this.life.isClosed && !this.connection.isClosed();
  }

  private listen(subject: string, callback: Callback): () => void {
    const { connection } = this;
    const subscription = connection.isClosed() ? null : connection.subscribe(subject, { callback });
    const line: Line = { subject, callback, subscription };
    this.lines.add(line);
    return () => {
      this.lines.delete(line);
      line.subscription?.unsubscribe();
    };
  }

  private follow(): void {
    const { connection } = this;
    void this.hear(this.connected);
    void connection.closed().then(() => (this.life.isClosed ? this.end() : this.connectAgain()));
  }

  private async hear({ connection, server }: Connected): Promise<void> {
    for await (const { type, data, permissionContext } of connection.status()) {
      if (type !== Events.Error) continue;
      this.onProblem(
        permissionContext
          ? permissionProblem(permissionContext)
          : // What the server says of a connection that it ends.
            toProblem(connectionProblem({ code: String(data) }, [server])),
      );
    }
  }

  private async connectAgain(): Promise<void> {
    const { life } = this;
    this.enter('reconnecting');
    for (life.attempts = 1; !life.isClosed; life.attempts++) {
      await this.clock.sleep(life.reconnectDelayMs());
      const connected = life.isClosed ? null : await this.tried();
      if (!connected) continue;
      const { connection } = connected;
      if (life.isClosed) {
        await connection.close();
        return;
      }
      this.connected = connected;
      for (const line of this.lines)
        line.subscription = connection.subscribe(line.subject, { callback: line.callback });
      this.follow();
      this.enter('connected');
      return;
    }
  }

  /** Null: not yet. */
  private async tried(): Promise<Connected | null> {
    try {
      return await this.life.connect();
    } catch (error) {
      const problem = toProblem(connectionProblem(error, this.life.servers));
      // A server that does not answer yet is no news.
      if (problem.code !== 'BUS_UNREACHABLE') this.onProblem(problem);
      return null;
    }
  }

  private enter(state: BusState): void {
    if (this.current === state || this.current === 'closed') return;
    this.current = state;
    this.states.tell(state);
  }
}

/** What a listener throws ends the process like any other mistake; thrown into the client, it would stop its reading. */
function apart(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function requestProblem(error: unknown, subject: string, timeoutMs: number): WhitelineError {
  const asked = plainLine(subject);
  const code = codeOf(error);
  if (code === '503')
    return new WhitelineError({
      code: 'AGENT_UNREACHABLE',
      message: `No agent answers on ${asked}: it is not connected`,
      remedy: 'Start it on its machine (whiteline agent JOINFILE), or check the network there',
    });
  if (code === 'TIMEOUT')
    return new WhitelineError({
      code: 'AGENT_SILENT',
      message: `The agent on ${asked} did not answer within ${timeoutMs / 1000} s`,
      remedy: 'Check whether its machine is busy or has stopped, and start the agent there again',
    });
  if (code === 'PERMISSIONS_VIOLATION')
    return new WhitelineError(permissionProblem({ operation: 'publish', subject }));
  return new WhitelineError({
    code: 'BUS_UNREACHABLE',
    message: `The connection to the bus ended before an answer of ${asked} came (${code})`,
    remedy: 'Wait until it is back, or start it again',
  });
}

function permissionProblem({ operation, subject }: { operation: string; subject: string }): Problem {
  return {
    code: 'BUS_REFUSED',
    message: `The bus does not let this machine ${operation === 'publish' ? 'send' : 'hear'} on ${plainLine(subject)}`,
    remedy: 'Use the join file that was made for this machine',
  };
}
