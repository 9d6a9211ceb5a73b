import type { Clock } from '../../protocol/clock';
import { Refusal } from '../http/reply';
import { taiNs, taiText } from '../tai';
import type { ResourceType } from './resources';
import {
  type Activation,
  type EndpointRole,
  noActivation,
  type Parameters,
  prepareStaging,
  readStageRequest,
  type StageRequest,
  stage,
} from './staging';
import type { EndpointKind, EndpointPlace, Leg, ReceiverKind } from './transport';

/** What is to be carried out by an activation. */
export interface Activated {
  role: EndpointRole;
  id: string;
  transport: string;
  /** With no `auto` in it. */
  active: Parameters;
  previous: Parameters;
  /** Address of the client that asked for it. */
  from: string;
}

export interface ConnectionOptions {
  role: EndpointRole;
  transport: string;
  kind: EndpointKind | ReceiverKind;
  place: EndpointPlace;
  clock: Clock;
  /**
   * Carries an activation out; the endpoint becomes active as asked once it has resolved. Where it rejects, the endpoint stays as it
   * was, and the client gets the reason: a Refusal as it is.
   */
  onActivated: (activated: Activated) => void | Promise<void>;
  /** After the endpoint has become so. */
  onActive: (active: Parameters) => void;
  /** Of a resource of this node; null: it is none, and may be one of another. Without it any peer is taken. */
  typeOf?: (id: string) => ResourceType | null;
  log: (line: string) => void;
}

const nsPerMs = 1_000_000n;
/** Limit for scheduled activations (Behaviour: Scheduled Activations). */
const furthestNs = 7n * 86_400n * 1_000_000_000n;
/** A timer goes by the monotonic clock, an activation by the wall clock: after a clock step or a sleep of the machine it is late by this at most. */
const longestWaitMs = 100;
/** Requests to one endpoint that wait for their turn. */
const mostWaiting = 8;

interface Pending {
  activation: Activation;
  atNs: bigint;
  from: string;
  /** No longer waits. */
  stop: () => void;
}

interface Waiting {
  /** Newer ones took its place. */
  isLeftOut: boolean;
}

export interface StagedReply {
  status: 200 | 202;
  body: object;
}

/** The Connection API of one sender or receiver: staged and active parameters, and the one activation that may be pending. */
export class Connection {
  private stagedParameters: Parameters;
  private activeParameters: Parameters;
  private activeActivation = noActivation;
  private pending: Pending | null = null;
  /** Requests and scheduled activations, one after the other (Behaviour: In-Progress Activations). */
  private turn: Promise<unknown> = Promise.resolve();
  /** Requests that wait for their turn, oldest first. */
  private readonly waiting: Waiting[] = [];

  constructor(private readonly options: ConnectionOptions) {
    const { kind, place, role } = options;
    prepareStaging(role, kind);
    const legs = Array.from({ length: kind.legs }, () => kind.initial(place));
    this.stagedParameters = { master_enable: false, peerId: null, legs, file: { data: null, type: null } };
    this.activeParameters = { ...this.stagedParameters, legs: initialActive(options, legs) };
  }

  get role(): EndpointRole {
    return this.options.role;
  }

  get transport(): string {
    return this.options.transport;
  }

  get active(): Parameters {
    return this.activeParameters;
  }

  constraints(): object {
    const { kind, place } = this.options;
    return Array.from({ length: kind.legs }, () => kind.constraints(place));
  }

  stagedBody(): object {
    return this.body(this.stagedParameters, this.pending?.activation ?? noActivation);
  }

  activeBody(): object {
    return this.body(this.activeParameters, this.activeActivation);
  }

  /**
   * Of many requests at once the newest are carried out.
   * @param from address of the client
   * @throws Refusal 400 for what is refused, 423 while an activation is pending, 500 where it could not be carried out, 503 where
   * too many others came after it
   */
  patch(body: unknown, from: string): Promise<StagedReply> {
    const request: Waiting = { isLeftOut: false };
    this.waiting.push(request);
    if (this.waiting.length > mostWaiting) {
      const [oldest] = this.waiting.splice(0, 1);
      if (oldest) oldest.isLeftOut = true;
    }
    return this.inTurn(() => {
      if (request.isLeftOut)
        throw new Refusal(503, `More than ${mostWaiting} newer requests to this ${this.role} are waiting`);
      this.waiting.splice(this.waiting.indexOf(request), 1);
      return this.patchNow(body, from);
    });
  }

  /** Takes over a change made without IS-05. A pending activation stays pending. */
  reflect(change: Partial<Parameters>): void {
    this.activeParameters = { ...this.activeParameters, ...change };
    this.activeActivation = noActivation;
    if (!this.pending) this.stagedParameters = { ...this.stagedParameters, ...change };
    this.options.onActive(this.activeParameters);
  }

  /** A pending activation is forgotten. */
  close(): void {
    this.cancel();
  }

  private async patchNow(body: unknown, from: string): Promise<StagedReply> {
    const { role, kind, place } = this.options;
    const request = readStageRequest(role, kind, body);
    const isCancel = request.activation !== null && request.activation.mode === null;
    if (this.pending && !isCancel)
      throw new Refusal(
        423,
        'A scheduled activation locks this resource; an activation with mode null cancels it',
      );
    this.checkPeer(request.changes.peerId ?? null);
    const staged = stage(this.stagedParameters, request, kind, place);
    const { activation } = request;
    if (activation?.mode === 'activate_immediate') return this.activateAt(staged, activation, from);
    if (activation?.mode) return this.scheduleAt(staged, activation, from);
    this.cancel();
    this.stagedParameters = staged;
    return { status: 200, body: this.stagedBody() };
  }

  /** @throws Refusal 400 for a resource of this node that is of another type */
  private checkPeer(peerId: string | null): void {
    const expected = this.role === 'sender' ? 'receiver' : 'sender';
    const type = peerId === null ? null : (this.options.typeOf?.(peerId) ?? null);
    if (type !== null && type !== expected)
      throw new Refusal(
        400,
        `Expected the id of a ${expected} for ${expected}_id but received a ${type}’s: ${peerId}`,
      );
  }

  private async activateAt(
    staged: Parameters,
    { mode, requested_time }: NonNullable<StageRequest['activation']>,
    from: string,
  ): Promise<StagedReply> {
    const before = this.stagedParameters;
    this.stagedParameters = staged;
    try {
      const activation = await this.activate({ mode, requested_time, activation_time: null }, from);
      return { status: 200, body: this.body(staged, activation) };
    } catch (error) {
      // A wrong request is not staged.
      if (error instanceof Refusal && error.status < 500 && this.stagedParameters === staged)
        this.stagedParameters = before;
      throw error;
    }
  }

  private scheduleAt(
    staged: Parameters,
    { mode, requestedNs, requested_time }: NonNullable<StageRequest['activation']>,
    from: string,
  ): StagedReply {
    const nowNs = taiNs(this.options.clock);
    const wantedNs = (requestedNs ?? 0n) + (mode === 'activate_scheduled_relative' ? nowNs : 0n);
    if (wantedNs - nowNs > furthestNs)
      throw new Refusal(
        400,
        `Expected a time within 7 days for requested_time but received ${requested_time}`,
      );
    // A time in the past means now: "when internal clock >= requested_time" (activation-schema.json).
    const atNs = wantedNs > nowNs ? wantedNs : nowNs;
    if (wantedNs < nowNs)
      this.options.log(
        `${this.role} ${this.options.place.id}: the activation time ${requested_time} is in the past: activating now`,
      );
    this.stagedParameters = staged;
    const activation = { mode, requested_time, activation_time: taiText(atNs) };
    this.pending = { activation, atNs, from, stop: () => {} };
    this.wait();
    return { status: 202, body: this.stagedBody() };
  }

  private wait(): void {
    const { pending } = this;
    if (!pending) return;
    const { clock } = this.options;
    const leftNs = pending.atNs - taiNs(clock);
    if (leftNs <= 0n) {
      void this.inTurn(() => this.activatePending(pending));
      return;
    }
    pending.stop = clock.after(Math.min(msOf(leftNs), longestWaitMs), () => this.wait());
  }

  /** Unless it was cancelled while another request had its turn. */
  private async activatePending(pending: Pending): Promise<void> {
    if (this.pending !== pending) return;
    this.pending = null;
    // There is no client to hear of it: activate() has logged it.
    await this.activate(pending.activation, pending.from).catch(() => {});
  }

  private cancel(): void {
    this.pending?.stop();
    this.pending = null;
  }

  /** @throws Refusal if it could not be carried out: 500, or as `onActivated` has it */
  private async activate(activation: Activation, from: string): Promise<Activation> {
    const active = await this.carryOut(from);
    const done = { ...activation, activation_time: taiText(taiNs(this.options.clock)) };
    this.activeParameters = active;
    this.activeActivation = done;
    this.options.onActive(active);
    return done;
  }

  private async carryOut(from: string): Promise<Parameters> {
    const { kind, place, role, transport, onActivated, log } = this.options;
    try {
      const legs = this.stagedParameters.legs.map((leg, index) => kind.resolve(leg, place, index));
      const active = { ...this.stagedParameters, legs };
      await onActivated({ role, id: place.id, transport, active, previous: this.activeParameters, from });
      return active;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(`${role} ${place.id}: activation failed: ${reason}`);
      if (error instanceof Refusal) throw error;
      throw new Refusal(500, `The activation failed, and nothing has changed: ${reason}`);
    }
  }

  private body({ master_enable, peerId, legs, file }: Parameters, activation: Activation): object {
    const common = { master_enable, activation, transport_params: legs };
    return this.role === 'sender'
      ? { receiver_id: peerId, ...common }
      : { sender_id: peerId, ...common, transport_file: file };
  }

  private inTurn<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    const result = this.turn.then(act);
    this.turn = result.catch(() => {});
    return result;
  }
}

/** Rounded up, so that a timer of so long does not end too early. */
function msOf(ns: bigint): number {
  return Number((ns + nsPerMs - 1n) / nsPerMs);
}

/** An endpoint that does not know yet what `auto` stands for is off, and says what is staged. */
function initialActive({ kind, place }: ConnectionOptions, legs: readonly Leg[]): readonly Leg[] {
  try {
    return legs.map((leg, index) => kind.resolve(leg, place, index));
  } catch {
    return legs;
  }
}
