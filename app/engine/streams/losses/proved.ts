import type { LoadSample, MachineChange } from '../../../protocol/load';
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
  return facts.linksDown.some((down) => isByLink(down, facts)) || isByRestart(facts);
}

/**
 * While the link is down no frame comes: a loss by it begins when the link goes or, since buffers empty first, while it is down, and
 * lasts for most of that time. It lasts on until the sender is connected again.
 */
function isByLink({ fromNs: downNs, toNs: upNs }: Span, { fromNs, toNs }: Span): boolean {
  const coveredNs = Math.min(toNs + lookNs, upNs) - Math.max(fromNs - lookNs, downNs);
  return fromNs >= downNs - aroundNs && fromNs <= upNs && coveredNs >= (upNs - downNs) / 2;
}

/** From so much of the traffic on, an interface is the one on which the streams travelled. */
const mostTrafficPercent = 50;

/** When interfaces of this machine that had carried most of its traffic had no link; until Infinity: it is not back yet. */
export function linksDown(samples: readonly LoadSample[]): Span[] {
  const changes = samples.flatMap((sample) => sample.changes);
  return changes.flatMap((down, index) => {
    if (down.code !== 'link-down' || Number(down.data.trafficPercent ?? 0) <= mostTrafficPercent) return [];
    const isBack = ({ code, data }: MachineChange): boolean =>
      code === 'link-up' && data.name === down.data.name;
    const toNs = changes.slice(index).find(isBack)?.atNs ?? Number.POSITIVE_INFINITY;
    return [{ fromNs: down.atNs, toNs }];
  });
}

/** The part of spans that lies within a time. */
export function within(spans: readonly Span[], { fromNs, toNs }: Span): Span[] {
  return spans
    .map((span) => ({ fromNs: Math.max(span.fromNs, fromNs), toNs: Math.min(span.toNs, toNs) }))
    .filter((span) => span.toNs > span.fromNs);
}

/** The connection broke as the pictures ended, and those that came again are of another start: the sender had ended. */
function isByRestart({ isRestarted, connectionBrokeNs, fromNs }: LossFacts): boolean {
  return isRestarted && connectionBrokeNs !== null && Math.abs(connectionBrokeNs - fromNs) <= aroundNs;
}
