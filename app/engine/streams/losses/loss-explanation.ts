import type { LinkUse } from '../../../protocol/load';
import { MissCause } from '../../../protocol/records';
import { stolenText } from '../../../protocol/steal-limit';
import type { Thresholds } from '../../../protocol/thresholds';
import type { LossFacts } from './loss-facts';
import { figure, frames, pictures, speedText } from './texts';

/** A core this full leaves no room for a thread of ours that runs on it. */
const fullCorePercent = 98;
/** Traffic below this share of what it was before has collapsed; what a loss itself takes away is less. */
const collapsedShare = 0.6;
/** Of its link’s speed, from here on an interface is full. */
const fullLinkShare = 0.9;
/** Traffic below this share of what it was before is next to nothing. */
const downShare = 0.02;
/** Less traffic before a loss says nothing of the streams. */
const leastTrafficMbps = 1;
/** A shorter loss is no reason to blame what lies between the machines by exclusion. */
const longEnoughNs = 0.5e9;
/** A steady lack of frames: the traffic was no more than this share above what it was then. */
const steadyShare = 1.15;

/** A loss in words. */
export interface LossWords {
  /** What happened, its cause, and which streams, as one sentence. */
  text: string;
  /** The cause alone, without the name of its stream: the same of all streams that it befell. */
  cause: string;
}

/**
 * What happened, and what is known of its cause. Causes that explain all else come first and alone: a
 * process that is stopped, a machine that stands still or is full; then the network.
 */
export function explainLoss(facts: LossFacts, clock: (ns: number) => string, limits: Thresholds): LossWords {
  const sentence = [whatHappened(facts, clock), causeText(facts, limits), together(facts)];
  return {
    text: sentence.filter(Boolean).join('; '),
    cause: causeText({ ...facts, streamName: 'the stream' }, limits),
  };
}

function causeText(facts: LossFacts, limits: Thresholds): string {
  const causes = causesOf(facts, limits);
  return causes.length > 0 ? causes.join(', ') : noCause(facts);
}

function whatHappened(facts: LossFacts, clock: (ns: number) => string): string {
  const { queued, stage } = facts;
  const one = facts.frames === 1;
  const times = one ? `at ${clock(facts.fromNs)}` : `between ${clock(facts.fromNs)} and ${clock(facts.toNs)}`;
  const when = `${times} UTC`;
  const were = one ? 'was' : 'were';
  const queuedToo = queued > 0 ? `, ${queued} of them since they were not fetched in time` : '';
  const what = {
    sender: `${were} not submitted`,
    'receiver-queue': `${were} submitted and not fetched from the SDK’s queue in time`,
    transport: `${were} submitted and never arrived${queuedToo}`,
    undecodable: 'arrived, but without a code that can be read',
    missing: 'never arrived; the sender does not tell whether it sent them',
    torn: 'arrived torn, two frames in one picture',
    damaged: 'arrived damaged, one of the two strips of the code cannot be read',
  }[stage];
  return `${frames(facts.frames)} ${when} ${one ? what.replace('sent them', 'sent it') : what}`;
}

function causesOf(facts: LossFacts, limits: Thresholds): string[] {
  if (facts.injected) return ['injected on purpose'];
  if (facts.stage === 'sender') return senderCauses(facts, limits);
  const overwhelming = overwhelmingCauses(facts, limits);
  if (overwhelming.length > 0) return overwhelming;
  const network = networkCauses(facts);
  // On a link that is too narrow the SDK loses its connection as on one that is down: both are told.
  if (facts.disconnectedNs > 0)
    return [`the connection was gone for ${milliseconds(facts.disconnectedNs)}`, ...network];
  if (network.length > 0) return network;
  return facts.stage === 'receiver-queue' ? ['our own receiver was late although its machine had time'] : [];
}

/** Why a slot was missed; a call of the SDK that does not return waits for a receiver. */
function senderCauses(facts: LossFacts, limits: Thresholds): string[] {
  const { missCause, latePictures, lateDisk } = facts;
  const { disk, decode } = latePictures;
  const lateTexts = [
    ...(disk > 0 ? [`${pictures(disk)} came late from the disk${speedText(lateDisk)}`] : []),
    ...(decode > 0 ? [`${pictures(decode)} came late from decoding`] : []),
  ];
  if (missCause === MissCause.SendBlocked) {
    const receiver = facts.receivers > 1 ? `one of the ${facts.receivers} receivers` : 'the receiver';
    const blocked = `the SDK’s send call waited for ${receiver} of ${facts.streamName} (sdk-send-blocked${longest(facts)})`;
    const overwhelming = overwhelmingCauses(facts, limits);
    return [blocked, ...(overwhelming.length > 0 ? overwhelming : networkCauses(facts))];
  }
  const causes = [...overwhelmingCauses(facts, limits), ...lateTexts];
  if (causes.length > 0) return causes;
  return facts.senderCpuPercent !== null ? ['our own sender was late although its machine had time'] : [];
}

/** A sender that was late itself waited for nobody: nothing beyond its own machine explains it. */
function isOwnPacing({ stage, missCause }: LossFacts): boolean {
  return stage === 'sender' && missCause !== MissCause.SendBlocked;
}

/**
 * What explains everything else that is seen at the same time. A machine that is full sends less: its traffic says
 * nothing of the link then, but what the network itself counted does.
 */
function overwhelmingCauses(facts: LossFacts, limits: Thresholds): string[] {
  const ownPacing = isOwnPacing(facts);
  if (facts.receivingStopped && !ownPacing) return ['our receiving process was stopped'];
  if (facts.sendingStopped) return ['our sending process was stopped'];
  const isOurMachines = !ownPacing || facts.oneMachine;
  if (isOurMachines && facts.unsampledNs > limits.maxSampleGapSeconds * 1e9)
    return [`this machine itself stood still for ${(facts.unsampledNs / 1e9).toFixed(1)} s`];
  const stolen = isOurMachines ? stolenCause(facts, limits) : [];
  const causes = [...stolen, ...loadCause(facts, limits)];
  return causes.length === 0 || ownPacing ? causes : [...causes, ...countedCauses(facts)];
}

function stolenCause({ stealPercent }: LossFacts, { maxStealPercent }: Thresholds): string[] {
  if (stealPercent === null || stealPercent <= maxStealPercent) return [];
  return [stolenText(stealPercent, maxStealPercent)];
}

function loadCause(facts: LossFacts, limits: Thresholds): string[] {
  const isSenders = facts.stage === 'sender';
  const [first, second] = isSenders ? (['sender', 'receiver'] as const) : (['receiver', 'sender'] as const);
  const isElsewhere = isOwnPacing(facts) && !facts.oneMachine;
  const percentOf = {
    sender: facts.senderCpuPercent,
    receiver: isElsewhere ? null : facts.receiverCpuPercent,
  };
  for (const side of [first, second]) {
    const percent = percentOf[side];
    if (percent === null || percent < limits.saturatedPercent) continue;
    const whose = facts.oneMachine ? 'the CPU that sender and receiver share' : `the ${side}’s CPU`;
    return [`${whose} was at ${Math.round(percent)} %`];
  }
  const { busiestCorePercent } = facts;
  if (isElsewhere || busiestCorePercent === null || busiestCorePercent < fullCorePercent) return [];
  return [`one core was full (${Math.round(busiestCorePercent)} %), the machine as a whole was not`];
}

function networkCauses(facts: LossFacts): string[] {
  const counted = countedCauses(facts);
  const causes = isFull(facts.network.fullestLink) ? counted : [...trafficCause(facts), ...counted];
  const isAlone = causes.length === 1 && facts.network.retransmits > 0 && counted.length === 1;
  return isAlone ? [`${causes[0]}, nothing else was seen`] : causes;
}

/** What the network itself counted. */
function countedCauses({ network }: LossFacts): string[] {
  const causes: string[] = [];
  const link = network.fullestLink;
  if (isFull(link)) causes.push(`${link.name} was full, with ${mbps(link.mbps)} of ${mbps(link.linkMbps)}`);
  if (network.dropped > 0) causes.push(`network interfaces dropped ${packets(network.dropped)}`);
  if (network.errors > 0) causes.push(`network interfaces saw ${packets(network.errors)} with errors`);
  if (network.retransmits > 0) {
    const segments = network.retransmits === 1 ? 'segment' : 'segments';
    causes.push(`TCP sent ${network.retransmits} ${segments} again`);
  }
  return causes;
}

function isFull(link: LinkUse | null): link is LinkUse {
  return link !== null && link.mbps >= fullLinkShare * link.linkMbps;
}

/** The network by exclusion: no machine was full and no process stopped, the sender had frames, and little came through. */
function trafficCause(facts: LossFacts): string[] {
  const { duringMbps, beforeMbps } = facts.network;
  const couldBe = ['transport', 'missing'].includes(facts.stage) || facts.missCause === MissCause.SendBlocked;
  if (!couldBe || facts.toNs - facts.fromNs < longEnoughNs || duringMbps === null) return [];
  if (beforeMbps !== null && beforeMbps >= leastTrafficMbps && duringMbps < collapsedShare * beforeMbps) {
    const isDown = duringMbps < downShare * beforeMbps;
    // A link that is too narrow ends the SDK's connection, and then carries nothing either.
    const down = facts.disconnectedNs > 0 ? 'down, or too narrow for the SDK to stay connected' : 'down';
    // Without the sender's records it is not known whether it had anything to send.
    const orSender = facts.stage === 'missing' ? `, or the sender sent ${isDown ? 'nothing' : 'less'}` : '';
    return [
      `the network carried ${isDown ? 'nothing' : mbps(duringMbps)} where it had carried ${mbps(beforeMbps)}: the link was ${isDown ? down : 'limited'}${orSender}`,
    ];
  }
  if (beforeMbps !== null && duringMbps >= leastTrafficMbps && beforeMbps <= steadyShare * duringMbps)
    return [`the network carried ${mbps(duringMbps)} and no more before: the link is limited`];
  return [`no machine was full, and the network carried ${mbps(duringMbps)}: look at the link`];
}

function noCause({ stage, network, receiverCpuPercent }: LossFacts): string {
  if (stage === 'undecodable')
    return 'usually the codec has broken down, or something else drew over the code';
  if (stage === 'torn') return 'usually a picture was changed while it was being sent or copied';
  if (stage === 'damaged')
    return 'usually something else drew over the code, or a part of the picture is broken';
  const cpu = receiverCpuPercent === null ? [] : [`the CPU (${Math.round(receiverCpuPercent)} %)`];
  const traffic =
    network.duringMbps === null && network.beforeMbps === null ? [] : ['the network’s counters'];
  return `no cause was seen in ${[...cpu, 'our processes', 'the connection', ...traffic].join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
}

function together({ streams, streamsTogether }: LossFacts): string {
  if (streams < 2) return '';
  if (streamsTogether === 1)
    return `on this stream alone, ${streams === 2 ? 'the other one' : `the other ${streams - 1}`} lost nothing then`;
  const which = streamsTogether === streams ? `all ${streams}` : `${streamsTogether} of ${streams}`;
  return `on ${which} streams at once: look at what they share`;
}

function longest({ longestCallNs }: LossFacts): string {
  return longestCallNs > 0 ? `, up to ${milliseconds(longestCallNs)}` : '';
}

function milliseconds(ns: number): string {
  return `${Math.round(ns / 1e6)} ms`;
}

function mbps(value: number): string {
  return `${figure(value)} Mb/s`;
}

function packets(count: number): string {
  return count === 1 ? '1 packet' : `${count} packets`;
}
