import { Refusal } from '../../../nmos/http/reply';
import type { Activated } from '../../../nmos/node/connection';
import type { Leg } from '../../../nmos/node/transport';
import type { Clock } from '../../../protocol/clock';
import { problemText, toProblem } from '../../../protocol/errors';
import { plainLine } from '../../../protocol/plain-text';
import { legOf, type NdiTarget, targetOf } from './ndi-transport';
import type { ActivationDetails, ActivationOf, NodeStreams } from './node-streams';

export interface ReceiversOptions {
  nodeStreams: NodeStreams;
  /** Of the receivers, in their order. */
  ids: readonly string[];
  /** Shows a change made without IS-05; leg null: the receiver is off and keeps its parameters. */
  reflect(id: string, leg: Leg | null): void;
  clock: Pick<Clock, 'monotonicNs'>;
}

/** A place for one followed stream. */
interface Slot {
  id: string;
  /** Counted from 1. */
  number: number;
  streamId: number | null;
  /** Set by IS-05; null: the operator followed the stream. */
  target: NdiTarget | null;
  /** An activation is being carried out. */
  isBusy: boolean;
}

/** Limits notes of refusals, so that a faulty controller cannot fill the run. */
const refusalEveryMs = 1000;

/** The receivers of the console's node: activations follow, move and stop streams, and streams of the operator show in receivers. */
export class Receivers {
  private readonly slots: Slot[];
  private notedRefusalMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ReceiversOptions) {
    this.slots = options.ids.map((id, index) => ({
      ...{ id, number: index + 1, streamId: null, target: null, isBusy: false },
    }));
  }

  /**
   * @throws Refusal with the reason and what to do: 400 for what is wrong in the request itself, 500 for what cannot be done now. The
   * receiver is then as it was, or off where the reason says so.
   */
  async activate({ id, active, from }: Activated): Promise<void> {
    const slot = this.slots.find((one) => one.id === id);
    if (!slot) throw new Error(`There is no receiver ${id}`);
    const of: ActivationOf = { from, receiver: slot.number, receiverId: id, senderId: active.peerId };
    const wasOn = slot.streamId !== null;
    let target: NdiTarget | null = null;
    slot.isBusy = true;
    try {
      this.look();
      if (active.master_enable) target = targetOf(active.legs[0] ?? {});
      await this.set(slot, target, of);
    } catch (error) {
      const words = this.wordsOf(slot, target);
      // The operator may have removed its stream just before, or it ended for a stream that did not come.
      this.look();
      const isOff = wasOn && slot.streamId === null;
      if (isOff) this.options.reflect(id, null);
      const reason = problemText(toProblem(error));
      this.noteRefusal({ ...of, ...words, did: 'refuse', reason });
      const hasNoTarget = active.master_enable && target === null;
      const isWrong = hasNoTarget || toProblem(error).code === 'NAME_IN_USE';
      const state = isOff ? 'the receiver is off' : 'nothing has changed';
      throw new Refusal(isWrong ? 400 : 500, `The activation failed, and ${state}: ${reason}`);
    } finally {
      slot.isBusy = false;
    }
  }

  /** Takes over changes by the operator since the last look: removed streams, and new ones while a receiver is free. */
  look(): void {
    const followed = this.options.nodeStreams.followed();
    for (const slot of this.slots) {
      if (slot.streamId === null || followed.some(({ id }) => id === slot.streamId)) continue;
      slot.streamId = null;
      slot.target = null;
      if (!slot.isBusy) this.options.reflect(slot.id, null);
    }
    // A new stream may belong to an activation that still runs.
    if (this.slots.some(({ isBusy }) => isBusy)) return;
    for (const { id, name, fullName } of followed) {
      if (this.slots.some(({ streamId }) => streamId === id)) continue;
      const free = this.slots.find(({ streamId }) => streamId === null);
      if (!free) return;
      free.streamId = id;
      this.options.reflect(free.id, legOf(fullName || name));
    }
  }

  private async set(slot: Slot, target: NdiTarget | null, of: ActivationOf): Promise<void> {
    const { nodeStreams } = this.options;
    const instead = slot.streamId;
    const words = this.wordsOf(slot, target);
    const { source, address, before } = words;
    const isSameName = source?.toLowerCase() === before?.toLowerCase();
    const isSame = source !== null && isSameName && address === (slot.target?.address ?? null);
    // An unchanged stream is not disturbed.
    if (isSame || (target === null && instead === null)) return;
    slot.streamId = await nodeStreams.change({ instead, target });
    slot.target = target;
    const did = target === null ? 'stop' : before === null ? 'follow' : 'move';
    const what = {
      follow: `to follow ${source}`,
      move: `to follow ${source} in place of ${before}`,
      stop: `to stop following ${before}`,
    }[did];
    const text = `NMOS: ${of.from} set receiver ${of.receiver} ${what}`;
    nodeStreams.note(plainLine(text), { ...of, ...words, did }, slot.streamId ?? instead ?? undefined);
  }

  private wordsOf(
    slot: Slot,
    target: NdiTarget | null,
  ): Pick<ActivationDetails, 'source' | 'address' | 'before'> {
    const stream = this.options.nodeStreams.followed().find(({ id }) => id === slot.streamId);
    const before = slot.target?.name ?? (stream ? stream.fullName || stream.name : null);
    return { source: target?.name ?? null, address: target?.address ?? null, before };
  }

  private noteRefusal(details: ActivationDetails): void {
    const nowMs = this.options.clock.monotonicNs() / 1e6;
    if (nowMs - this.notedRefusalMs < refusalEveryMs) return;
    this.notedRefusalMs = nowMs;
    const { from, receiver, reason } = details;
    this.options.nodeStreams.note(
      plainLine(`NMOS: refused a change of receiver ${receiver} by ${from}: ${reason}`),
      details,
      undefined,
    );
  }
}
