import { randomBytes } from 'node:crypto';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import { type Claim, claimOf } from '../../protocol/fleet/claim';
import { claimSubject } from '../../protocol/fleet/subjects';
import type { Bus } from '../bus/bus';
import { leaseNs } from '../bus/lease';

const sayEveryMs = 500;
/** A process that is ready answers at once; one that says nothing for so long is gone, whatever the server believes of its connection. */
export const joinsAfterMs = 1500;
/** The same for one that was ready before: a console looks for it for 3 s. */
const returnsAfterMs = 600;

export interface PlaceOptions {
  bus: Bus;
  clock: Pick<Clock, 'every' | 'monotonicNs' | 'wallMs'>;
  agent: { id: string; name: string };
  hostName: string;
  /** IPv4, at which other machines reach this one at the moment. */
  addresses(): string[];
  /** A second process with this join file came, and was refused. */
  onRefused(words: string): void;
  /** An earlier process with this join file ends, and is waited for. */
  onWait(words: string): void;
  /** Another process is the agent, though this one was. */
  onLost(problem: WhitelineError): void;
}

/**
 * Makes sure that only one process runs per join file, since two agents would answer the same requests. A process looks for
 * 1.5 s whether another one is ready before it is ready itself, and again where it was out of reach for as long as a lease.
 */
export class Place {
  private readonly session = randomBytes(8).toString('hex');
  private state: Claim['state'] | 'over' = 'joining';
  private sinceMs: number;
  /** Since when no other one was heard that is to be waited for. */
  private quietNs: number;
  /** When it could be heard last, once it was ready. */
  private reachedNs = 0;
  private refused = '';
  private isToldToWait = false;
  private readonly stops: (() => void)[];
  private waiting: { resolve(): void; reject(problem: WhitelineError): void }[] = [];
  private hasBeenReady = false;

  constructor(private readonly options: PlaceOptions) {
    const { bus, clock, agent } = options;
    this.sinceMs = clock.wallMs();
    this.quietNs = clock.monotonicNs();
    this.stops = [
      bus.subscribe(claimSubject(agent.id), (value) => this.hear(value)),
      bus.onState((state) => {
        if (state === 'connected') this.noteConnected();
      }),
      clock.every(sayEveryMs, () => this.look()),
    ];
    this.say();
  }

  /** Whether this process is the agent, for as long as it lives. */
  get isTaken(): boolean {
    this.noteReach();
    return this.state === 'ready' || this.state === 'leaving';
  }

  /**
   * Resolves once this process is the agent: at once where it is.
   * @throws WhitelineError NAME_IN_USE if another one is
   */
  taken(): Promise<void> {
    if (this.isTaken) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** From now on another one may wait for the end of this one. */
  leave(): void {
    if (this.state !== 'over') this.enter('leaving');
  }

  close(): void {
    this.state = 'over';
    for (const stop of this.stops) stop();
  }

  private enter(state: Claim['state']): void {
    this.state = state;
    this.sinceMs = this.options.clock.wallMs();
    this.say();
  }

  private look(): void {
    const { bus, clock } = this.options;
    this.noteReach();
    if (this.state !== 'joining') return;
    const nowNs = clock.monotonicNs();
    // Who is there is not known without a connection.
    if (bus.state !== 'connected') this.quietNs = nowNs;
    else if (nowNs - this.quietNs < (this.hasBeenReady ? returnsAfterMs : joinsAfterMs) * 1e6) this.say();
    else {
      this.hasBeenReady = true;
      this.reachedNs = nowNs;
      this.enter('ready');
      for (const { resolve } of this.waiting.splice(0)) resolve();
    }
  }

  /** Where it stood still or was cut off for as long as a lease, another one may have come. */
  private noteReach(): void {
    const { bus, clock } = this.options;
    if (this.state !== 'ready' || bus.state !== 'connected') return;
    const nowNs = clock.monotonicNs();
    if (nowNs - this.reachedNs > leaseNs) {
      this.quietNs = nowNs;
      this.enter('joining');
    } else this.reachedNs = nowNs;
  }

  private noteConnected(): void {
    this.noteReach();
    this.quietNs = this.options.clock.monotonicNs();
    this.say();
  }

  private say(): void {
    const { bus, agent, hostName, addresses } = this.options;
    const { session, state, sinceMs } = this;
    if (state === 'over' || bus.state !== 'connected') return;
    const claim: Claim = { session, state, sinceMs, hostName, addresses: addresses() };
    bus.publish(claimSubject(agent.id), claim);
  }

  private hear(value: unknown): void {
    const other = claimOf(value);
    if (!other || other.session === this.session || this.state === 'over') return;
    this.noteReach();
    if (other.state === 'leaving') this.waitFor(other);
    else if (this.givesWayTo(other)) this.lose(other);
    else {
      this.say();
      if (this.state === 'ready' && other.state === 'joining') this.refuse(other);
    }
  }

  /** By numbers that do not change: of two, both find the same one. */
  private givesWayTo(other: Claim): boolean {
    if (this.state === 'leaving') return false;
    if (this.state !== other.state) return other.state === 'ready';
    return other.sinceMs < this.sinceMs || (other.sinceMs === this.sinceMs && other.session < this.session);
  }

  private waitFor(other: Claim): void {
    if (this.state !== 'joining') return;
    this.quietNs = this.options.clock.monotonicNs();
    if (this.isToldToWait) return;
    this.isToldToWait = true;
    this.options.onWait(`Waits until the agent with this join file on ${whereText(other)} has ended`);
  }

  private refuse(other: Claim): void {
    if (this.refused === other.session) return;
    this.refused = other.session;
    this.options.onRefused(
      `A second agent with this join file was refused, on ${whereText(other)}. Invite that machine by a name of its own: whiteline fleet invite NAME`,
    );
  }

  private lose(other: Claim): void {
    const problem = this.problemOf(other);
    const waiting = this.waiting.splice(0);
    this.close();
    for (const { reject } of waiting) reject(problem);
    if (this.hasBeenReady) this.options.onLost(problem);
  }

  private problemOf(other: Claim): WhitelineError {
    const { id, name } = this.options.agent;
    const since = `${new Date(other.sinceMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    const what =
      other.state === 'ready'
        ? `is connected already: an agent with its join file is ready on ${whereText(other)}, since ${since}`
        : `is started twice at once: another agent with its join file starts on ${whereText(other)}`;
    return new WhitelineError({
      code: 'NAME_IN_USE',
      message: `${name} ${what}`,
      ...{ field: 'agent', value: id },
      remedy: 'End that one first, or invite this machine by a name of its own: whiteline fleet invite NAME',
    });
  }
}

function whereText({ hostName, addresses }: Claim): string {
  return addresses.length === 0 ? hostName : `${hostName} (${addresses.join(', ')})`;
}
