import { type CauseCode, causeOf as cause } from '../../../facts/cause-words';
import type { Fact } from '../../../facts/fact';
import { stagesOfTheWay } from '../../../facts/loss';
import { isSpoiltKind, type SpoiltKind } from '../../../facts/spoilt';
import type { ChangeCode, LinkUse } from '../../../protocol/load';
import { MissCause } from '../../../protocol/records';
import type { Thresholds } from '../../../protocol/thresholds';
import { isOfClock, type LossFacts } from './loss-facts';

/** A core this full leaves no room for a thread of ours that runs on it. */
const fullCorePercent = 98;
/** Traffic below this share of what it was before has collapsed; what a loss itself takes away is less. */
const collapsedShare = 0.6;
/** From this share of its link’s speed on, an interface is full. */
const fullLinkShare = 0.9;
/** Traffic below this share of what it was before is next to nothing. */
const downShare = 0.02;
/** With less traffic before a loss, the traffic proves nothing about the streams. */
const leastTrafficMbps = 1;
/** A shorter loss is no reason to blame what lies between the machines by exclusion. */
const longEnoughNs = 0.5e9;
/** A steady lack of frames: the traffic was no more than this share above what it was then. */
const steadyShare = 1.15;

export type Cause = Fact<CauseCode>;

/**
 * What is known about the cause of a loss, or of each part of it. What was recorded near it comes first: what this run injected, clocks
 * that were set, processes that stood still, links that went down; then what the network itself counted, then what the load suggests. If
 * nothing was found, the one cause says where it was looked for.
 */
export function causesOf(facts: LossFacts, limits: Thresholds): Cause[] {
  const isOurs = facts.injected > 0;
  const injected = isOurs ? facts.injected : facts.saidInjected;
  const code = isOurs ? 'injected' : 'sender-injected';
  const others = facts.frames - injected;
  if (injected > 0 && others <= 0) return [cause(code)];
  const causes = seenCauses(facts, limits);
  const known = (causes.length > 0 ? causes : [noCause(facts)]).map((one) => withMachine(one, facts));
  return injected > 0 ? [cause(code, { frames: injected, others }), ...known] : known;
}

/** The side whose machine a cause is about. */
const sides: Partial<Record<CauseCode, 'sender' | 'receiver'>> = {
  ...{ 'receiving-died': 'receiver', 'receiving-stopped': 'receiver', 'receiver-late': 'receiver' },
  ...{ 'sending-stopped': 'sender', 'sender-late': 'sender' },
};
const ofMachine: ReadonlySet<string> = new Set<CauseCode>([
  ...(['machine-stood-still', 'cpu-stolen', 'core-full', 'not-seen'] as const),
  ...(['interface-full', 'interface-drops', 'interface-errors', 'tcp-retransmits'] as const),
]);

/** Says on which machine it was, where the run has more than one and the cause does not say it yet. */
function withMachine(one: Cause, facts: LossFacts): Cause {
  const { code, data } = one;
  if (data.machine !== undefined) return one;
  const side = code === 'cpu-full' ? data.whose : sides[code];
  const machine =
    side === 'sender'
      ? facts.senderMachine
      : side === 'receiver' || side === 'both'
        ? facts.receiverMachine
        : ofMachine.has(code)
          ? facts.machine
          : undefined;
  return machine === undefined ? one : { code, data: { ...data, machine } };
}

/** Something that was recorded of clocks, processes or links, and is no limit of the streams. */
export function isRecorded({ code }: Fact): boolean {
  return recordedCodes.has(code);
}

const recordedCodes: ReadonlySet<string> = new Set<CauseCode>([
  ...(['wall-clock-step', 'sender-clock-step', 'machine-suspended', 'receiving-died'] as const),
  ...([
    'receiving-stopped',
    'sending-stopped',
    'process-waited',
    'sender-restarted',
    'link-down',
    'mtu-changed',
  ] as const),
]);

/** It rests on samples and counters of machines, of which more may come before the row closes: what it is then may be another. */
export function isSampled({ code }: Fact): boolean {
  return sampledCodes.has(code);
}

const sampledCodes: ReadonlySet<string> = new Set<CauseCode>([
  ...(['receiver-late', 'sender-late', 'late-disk', 'late-decode', 'machine-stood-still'] as const),
  ...(['cpu-stolen', 'cpu-full', 'core-full', 'not-seen'] as const),
  ...(['interface-full', 'interface-drops', 'interface-errors', 'tcp-retransmits'] as const),
  ...(['traffic-stopped', 'traffic-fell', 'traffic-limited', 'traffic-low'] as const),
]);

/** A CPU that was full, and mostly of other work than our processes'. */
export function isFullOfOthers({ code, data: { percent, ownPercent } }: Fact): boolean {
  if (code !== 'cpu-full' || typeof percent !== 'number' || typeof ownPercent !== 'number') return false;
  return ownPercent < percent / 2;
}

function seenCauses(facts: LossFacts, limits: Thresholds): Cause[] {
  if (facts.stage === 'sender') return senderCauses(facts, limits);
  const causes = machineCauses(facts, limits);
  if (causes.length > 0) return causes;
  return facts.stage === 'receiver-queue' ? [cause('receiver-late')] : [];
}

/** Why a slot was missed. What a send call that does not return waits for is not known. */
function senderCauses(facts: LossFacts, limits: Thresholds): Cause[] {
  const { missCause, latePictures, lateDisk, longestCallNs } = facts;
  const { disk, decode } = latePictures;
  if (missCause === MissCause.Injected) return [cause('sender-injected')];
  if (missCause === MissCause.SendBlocked) {
    const longestMs = longestCallNs > 0 ? longestCallNs / 1e6 : null;
    const blocked = cause('sdk-send-blocked', { longestMs });
    return [blocked, ...machineCauses(facts, limits)];
  }
  const causes = [
    ...machineCauses(facts, limits),
    ...(disk > 0 ? [cause('late-disk', { pictures: disk, ...lateDisk })] : []),
    ...(decode > 0 ? [cause('late-decode', { pictures: decode })] : []),
  ];
  if (causes.length > 0) return causes;
  return facts.senderCpuPercent !== null ? [cause('sender-late')] : [];
}

/** A sender that was late itself did not wait for a receiver: nothing beyond its own machine explains it. */
export function isOwnPacing({ stage, missCause }: Pick<LossFacts, 'stage' | 'missCause'>): boolean {
  return stage === 'sender' && missCause !== MissCause.SendBlocked;
}

/**
 * What was recorded about machines, processes and links comes before everything else. Without such records, a network that counted its own
 * losses comes first, then a full machine, then a network of which only the traffic is known: a full machine sends less.
 */
function machineCauses(facts: LossFacts, limits: Thresholds): Cause[] {
  const ownPacing = isOwnPacing(facts);
  const recorded = recordedCauses(facts);
  const gone = ownPacing ? [] : goneCause(facts);
  if (recorded.length > 0) return [...recorded, ...gone, ...(ownPacing ? [] : droppedCauses(facts))];
  const inferred = loadCauses(facts, limits);
  const isStill = inferred.some(({ code }) => code === 'machine-stood-still');
  if (ownPacing || isStill) return inferred;
  if (inferred.length === 0) {
    const causes = [...gone, ...networkCauses(facts)];
    const isResentAlone = causes.length > 0 && causes.every(({ code }) => code === 'tcp-retransmits');
    return isResentAlone ? [...causes, notSeen(facts, true)] : causes;
  }
  if (isCapped(facts)) return [...networkCauses(facts), ...gone, ...inferred];
  const counted = countedCauses(facts);
  const isNetworkFirst = droppedCauses(facts).length > 0;
  return isNetworkFirst ? [...counted, ...gone, ...inferred] : [...gone, ...inferred, ...counted];
}

/** Packets that an interface itself reports as lost, more than it does while nothing is. */
function droppedCauses({ network: { dropped, errors } }: LossFacts): Cause[] {
  return [
    ...(dropped.isUnusual ? [cause('interface-drops', { packets: dropped.count })] : []),
    ...(errors.isUnusual ? [cause('interface-errors', { packets: errors.count })] : []),
  ];
}

/** What was written down when it happened, within a second or two of the loss. */
function recordedCauses(facts: LossFacts): Cause[] {
  const { changes, isSenderHere } = facts;
  const ofSender = [
    ...(facts.sendingStopped ? [cause('sending-stopped')] : []),
    ...(facts.senderStopped ? [cause('sender-stopped')] : []),
    ...(facts.isRestarted ? [cause('sender-restarted')] : []),
    ...(facts.isAtCut ? [cause('mixer-cut')] : []),
  ];
  if (isOwnPacing(facts)) {
    const slept = changes.filter(({ code }) => isSenderHere && code === 'machine-suspended');
    return [...slept.map(causeOfChange), ...ofSender];
  }
  return [
    ...changes.filter(({ code }) => isOfClock(code)).map(causeOfChange),
    ...facts.senderClockSteps.map((step) => cause('sender-clock-step', step)),
    ...(facts.receivingDied ? [cause('receiving-died')] : []),
    ...(facts.receivingStopped ? [cause('receiving-stopped')] : []),
    ...ofSender,
    ...changes.filter(({ code }) => !isOfClock(code)).map(causeOfChange),
  ];
}

function causeOfChange({ code, data }: Fact<ChangeCode>): Cause {
  return { code: code === 'link-up' ? 'link-down' : code, data };
}

/** The transport loses its connection on a link that is too narrow as on one that is down, so other known causes are listed with it. */
function goneCause(facts: LossFacts): Cause[] {
  const { disconnectedNs, disconnectedThenNs, isConnectedAgain, wasUnlisted } = facts;
  if (disconnectedNs === 0) return [];
  const knownNs = isConnectedAgain || disconnectedThenNs === 0 ? disconnectedNs : disconnectedThenNs;
  return [cause('disconnected', { milliseconds: knownNs / 1e6, ...(wasUnlisted && { wasUnlisted }) })];
}

/**
 * A path that carries no more, whatever the machines do: TCP sends far more again than usual, or the sender waits while the
 * traffic stays at one rate.
 */
function isCapped({ network, missCause }: LossFacts): boolean {
  return network.retransmits.isUnusual === true || (network.isSteady && missCause === MissCause.SendBlocked);
}

/** What the load of machines lets us infer. */
function loadCauses(facts: LossFacts, limits: Thresholds): Cause[] {
  const isOurMachines = !isOwnPacing(facts) || facts.isSenderHere;
  const stolen = isOurMachines ? stolenCause(facts, limits) : [];
  const unsampled = isOurMachines ? unsampledCause(facts, limits) : null;
  if (unsampled?.code === 'machine-stood-still') return [unsampled];
  return [...stolen, ...(unsampled ? [unsampled] : fullCause(facts, limits))];
}

/** A full machine has no time for its sampler either: only one with time to spare stood still. */
function unsampledCause({ sampleGap, oneMachine, ...facts }: LossFacts, limits: Thresholds): Cause | null {
  const { lastedNs, cpuPercent } = sampleGap;
  if (lastedNs <= limits.maxSampleGapSeconds * 1e9) return null;
  if (cpuPercent === null || cpuPercent < limits.saturatedPercent)
    return cause('machine-stood-still', { seconds: lastedNs / 1e9 });
  const whose = facts.isSenderHere ? 'sender' : 'receiver';
  const { ownCpuPercent: ownPercent } = facts;
  return cause('cpu-full', { whose: oneMachine ? 'both' : whose, percent: cpuPercent, ownPercent });
}

function stolenCause({ stealPercent }: LossFacts, { maxStealPercent }: Thresholds): Cause[] {
  if (stealPercent === null || stealPercent <= maxStealPercent) return [];
  return [cause('cpu-stolen', { percent: stealPercent, limitPercent: maxStealPercent })];
}

function fullCause(facts: LossFacts, limits: Thresholds): Cause[] {
  const isSenders = facts.stage === 'sender';
  const [first, second] = isSenders ? (['sender', 'receiver'] as const) : (['receiver', 'sender'] as const);
  const isElsewhere = isOwnPacing(facts) && !facts.isSenderHere;
  const percentOf = {
    sender: facts.senderCpuPercent,
    receiver: isElsewhere ? null : facts.receiverCpuPercent,
  };
  for (const side of [first, second]) {
    const percent = percentOf[side];
    if (percent === null || percent < limits.saturatedPercent) continue;
    const isHere = side === 'receiver' || facts.isSenderHere;
    const ownPercent = isHere ? facts.ownCpuPercent : null;
    return [cause('cpu-full', { whose: facts.oneMachine ? 'both' : side, percent, ownPercent })];
  }
  const { busiestCorePercent } = facts;
  if (isElsewhere || busiestCorePercent === null || busiestCorePercent < fullCorePercent) return [];
  return [cause('core-full', { percent: busiestCorePercent })];
}

function networkCauses(facts: LossFacts): Cause[] {
  const counted = countedCauses(facts);
  const causes = isFull(facts.network.fullestLink) ? counted : [...trafficCause(facts), ...counted];
  if (causes.some(({ code }) => code !== 'tcp-retransmits')) return causes;
  // Some segments are sent again on any network.
  return facts.disconnectedNs > 0 && !facts.network.retransmits.isUnusual ? [] : causes;
}

/** What the network itself counted. */
function countedCauses({ network }: LossFacts): Cause[] {
  const { fullestLink: link, dropped, errors, retransmits } = network;
  const causes: Cause[] = [];
  if (isFull(link)) {
    const { name, mbps, linkMbps } = link;
    causes.push(cause('interface-full', { name, mbps, linkMbps }));
  }
  if (dropped.count > 0) causes.push(cause('interface-drops', { packets: dropped.count }));
  if (errors.count > 0) causes.push(cause('interface-errors', { packets: errors.count }));
  if (retransmits.count > 0) causes.push(cause('tcp-retransmits', { segments: retransmits.count }));
  return causes;
}

function isFull(link: LinkUse | null): link is LinkUse {
  return link !== null && link.mbps >= fullLinkShare * link.linkMbps;
}

/** The network by exclusion: no machine was full and no process stopped, the sender had frames, and little came through. */
function trafficCause(facts: LossFacts): Cause[] {
  const { duringMbps, beforeMbps } = facts.network;
  const couldBe = stagesOfTheWay.includes(facts.stage) || facts.missCause === MissCause.SendBlocked;
  if (!couldBe || facts.toNs - facts.fromNs < longEnoughNs || duringMbps === null) return [];
  if (facts.starved) return [cause('process-waited', facts.starved)];
  // Without the sender's records it is not known whether it had anything to send.
  const isSenderKnown = facts.stage !== 'missing';
  if (beforeMbps !== null && beforeMbps >= leastTrafficMbps && duringMbps < collapsedShare * beforeMbps) {
    if (duringMbps >= downShare * beforeMbps)
      return [cause('traffic-fell', { duringMbps, beforeMbps, isSenderKnown })];
    // A link that is too narrow ends the transport's connection, and then carries nothing either.
    const wasDisconnected = facts.disconnectedNs > 0;
    return [cause('traffic-stopped', { beforeMbps, wasDisconnected, isSenderKnown })];
  }
  // Without a connection nothing was to be carried: what went on does not say that the link was at its limit.
  if (facts.disconnectedNs > 0) return [];
  if (beforeMbps !== null && duringMbps >= leastTrafficMbps && beforeMbps <= steadyShare * duringMbps)
    return [cause('traffic-limited', { duringMbps, isSenderKnown })];
  return [cause('traffic-low', { duringMbps })];
}

/** What usually makes each kind of spoilt frame. */
const causeOfKind = {
  'wrong-size': 'picture-scaled',
  torn: 'picture-changed',
  stale: 'picture-changed',
  damaged: 'code-covered',
  discoloured: 'colour-lost',
  dimmed: 'levels-changed',
  mislabelled: 'label-changed',
} as const satisfies Record<SpoiltKind, CauseCode>;

function noCause(facts: LossFacts): Cause {
  const { stage } = facts;
  if (stage === 'undecodable') return cause('code-lost');
  return isSpoiltKind(stage) ? cause(causeOfKind[stage]) : notSeen(facts);
}

/** Where a cause was looked for. `isElse`: of another one than those before it. */
function notSeen(
  { network, receiverCpuPercent: cpuPercent, ownCpuPercent: ownPercent, sawProcesses }: LossFacts,
  isElse = false,
): Cause {
  const sawTraffic = network.duringMbps !== null || network.beforeMbps !== null;
  return cause('not-seen', { cpuPercent, ownPercent, sawProcesses, sawTraffic, ...(isElse && { isElse }) });
}
