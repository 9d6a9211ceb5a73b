import type { MachineChange } from '../../../protocol/load';
import { MissCause } from '../../../protocol/records';
import type { Span } from '../counting/range-counter';
import { aroundNs, type LossFacts } from './loss-facts';

/** Links are looked at so often. */
const lookNs = 0.5e9;

/** Of these frames, those that recorded facts explain. */
export function provedFrames(facts: LossFacts): number {
  const couldBe = ['transport', 'missing'].includes(facts.stage) || facts.missCause === MissCause.SendBlocked;
  return couldBe && isProved(facts) ? facts.frames : facts.injected;
}

/** A time without a picture is explained from its beginning to its end. */
export function isProved(facts: LossFacts): boolean {
  return facts.changes.some((change) => isByLink(change, facts)) || isByRestart(facts);
}

/**
 * While the link is down no frame comes: a loss by it begins when the link goes or, since buffers empty first, while it is down, and
 * lasts for most of that time. It lasts on until the sender is connected again.
 */
function isByLink({ code, atNs, data }: MachineChange, { fromNs, toNs }: Span): boolean {
  if (code !== 'link-down' && code !== 'link-up') return false;
  const seconds = code === 'link-up' && typeof data.seconds === 'number' ? data.seconds : 0;
  const downNs = atNs - seconds * 1e9;
  const upNs = code === 'link-up' ? atNs : Math.max(toNs, downNs);
  const coveredNs = Math.min(toNs + lookNs, upNs) - Math.max(fromNs - lookNs, downNs);
  return fromNs >= downNs - aroundNs && fromNs <= upNs && coveredNs >= (upNs - downNs) / 2;
}

/** The connection broke as the pictures ended, and those that came again are of another start: the sender had ended. */
function isByRestart({ isRestarted, connectionBrokeNs, fromNs }: LossFacts): boolean {
  return isRestarted && connectionBrokeNs !== null && Math.abs(connectionBrokeNs - fromNs) <= aroundNs;
}
