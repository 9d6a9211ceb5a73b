import { stagesOfTheWay } from '../../../facts/loss';
import type { LoadSample, MachineChange } from '../../../protocol/load';
import { MissCause } from '../../../protocol/records';
import type { Span } from '../counting/capture-counter';
import { aroundNs, type LossFacts } from './loss-facts';

/** How often links are looked at. So a link may seem to be down for this much longer than it was, and to go down this much later. */
const lookNs = 0.5e9;
/** A shorter loss cannot be told from one that another cause made at the time. */
const leastNs = 0.25e9;
/**
 * TCP retries at intervals that double, and then the receiver connects. So a link explains losses for this much longer than it was down.
 */
const connectNs = 2e9;

/** Of what is known of a loss, what can prove it. */
export type ProofFacts = Pick<
  LossFacts,
  'injected' | 'linksDown' | 'isRestarted' | 'isAtEnd' | 'connectionBrokeNs'
>;

type Silence = Span & Omit<ProofFacts, 'injected' | 'isAtEnd'>;

/** Of these frames, those that recorded facts explain. */
export function provedFrames(
  facts: ProofFacts & Pick<LossFacts, 'stage' | 'missCause' | 'frames' | 'fromNs' | 'toNs'>,
): number {
  const couldBe = stagesOfTheWay.includes(facts.stage) || facts.missCause === MissCause.SendBlocked;
  if (!couldBe) return facts.injected;
  return facts.isAtEnd && isByRestart(facts) ? facts.frames : Math.max(facts.injected, framesByLink(facts));
}

function framesByLink(facts: Silence & Pick<LossFacts, 'frames'>): number {
  const { fromNs, toNs, frames } = facts;
  const shares = facts.linksDown
    .filter((down) => isByLink(down, facts))
    .map((down) => (down.toNs + (down.toNs - down.fromNs) + connectNs - fromNs) / (toNs - fromNs));
  return Math.floor(frames * Math.min(1, Math.max(0, ...shares)));
}

/** A time without a picture is explained from its beginning to its end. */
export function isProved(facts: Silence): boolean {
  return facts.linksDown.some((down) => isByLink(down, facts)) || isByRestart(facts);
}

/**
 * While the link is down no frame comes: a loss by it begins when the link goes or, since buffers empty first, while it is down. It
 * lasts for most of that time, and on until the sender is connected again.
 */
function isByLink({ fromNs: downNs, toNs: upNs }: Span, { fromNs, toNs }: Span): boolean {
  const coveredNs = Math.min(toNs, upNs) - Math.max(fromNs, downNs - lookNs);
  const wantedNs = Math.max(leastNs, (upNs - downNs - lookNs) / 2);
  return fromNs >= downNs - lookNs - leastNs && fromNs <= upNs && toNs > downNs && coveredNs >= wantedNs;
}

/**
 * If an interface carried this share of the traffic, and all others together less than the smallest stream takes, no other interface
 * carried streams.
 */
const mostTrafficPercent = 90;
const mostElsewhereMbps = 0.5;

/** When the interface that alone carried the streams of this machine had no link; until Infinity: it is not back yet. */
export function linksDown(samples: readonly LoadSample[]): Span[] {
  const changes = samples.flatMap((sample) => sample.changes);
  return changes.flatMap((down, index) => {
    if (down.code !== 'link-down' || !carriedAll(down)) return [];
    const isBack = ({ code, data }: MachineChange): boolean =>
      code === 'link-up' && data.name === down.data.name;
    const toNs = changes.slice(index).find(isBack)?.atNs ?? Number.POSITIVE_INFINITY;
    return [{ fromNs: down.atNs, toNs }];
  });
}

function carriedAll({ data: { trafficPercent, elsewhereMbps } }: MachineChange): boolean {
  if (typeof trafficPercent !== 'number' || typeof elsewhereMbps !== 'number') return false;
  return trafficPercent > mostTrafficPercent && elsewhereMbps <= mostElsewhereMbps;
}

/** The part of spans that lies within a time. */
export function within(spans: readonly Span[], { fromNs, toNs }: Span): Span[] {
  return spans
    .map((span) => ({ fromNs: Math.max(span.fromNs, fromNs), toNs: Math.min(span.toNs, toNs) }))
    .filter((span) => span.toNs > span.fromNs);
}

/** The connection broke as the pictures ended, and those that came again are of another start: the sender had ended. */
function isByRestart({ isRestarted, connectionBrokeNs, fromNs }: Silence): boolean {
  return isRestarted && connectionBrokeNs !== null && Math.abs(connectionBrokeNs - fromNs) <= aroundNs;
}
