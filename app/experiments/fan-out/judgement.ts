import { placesText, rangesText } from '../../engine/experiment/place-words';
import { othersCpu } from '../../engine/load/others-guard';
import {
  type StandstillLimits,
  type StoodStill,
  standstillGuard,
  stoodStillOf,
  withinBound,
} from '../../engine/load/standstills';
import type { Fact } from '../../facts/fact';
import {
  brokenGuards,
  type Finding,
  fine,
  type Guard,
  isStolen,
  type JudgedRow,
  judgeRow,
  type RowEvidence,
  violatedBy,
} from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { FanOutParameters } from './declaration';
import { fanOutName } from './fan-out-program';
import { isFilled, isFilledByRow, isTaken, type Loads, limitsOf, onText, sum } from './limits';
import { type FanOutReadings, subscribersText } from './measure';
import { pathFault } from './proof';
import { caseFacts, type RowPlan } from './row-plan';

/** Numbers of the subscribers that found the publisher after samples had begun. */
export function lateOnes({ unmatched, received }: Pick<FanOutReadings, 'unmatched' | 'received'>): number[] {
  const matchedAtAll = received.filter(({ matchedNs }) => Number(matchedNs) > 0);
  return matchedAtAll.map(({ subscriber }) => subscriber).filter((number) => unmatched.includes(number));
}

export function neverMatched(measured: Pick<FanOutReadings, 'unmatched' | 'received'>): number[] {
  const late = lateOnes(measured);
  return measured.unmatched.filter((number) => !late.includes(number));
}

/** @param guards of the row beside our processes: stolen time, sleep */
export function judge(
  plan: RowPlan,
  measured: FanOutReadings,
  loads: Loads,
  parameters: Pick<FanOutParameters, 'group' | 'groupPort' | 'domain'>,
  { contradictions = [], guards }: Pick<RowEvidence, 'contradictions' | 'guards'>,
  limits: StandstillLimits,
  good: Fact,
): JudgedRow {
  const { group, groupPort, domain } = parameters;
  const path = pathFault(plan, measured, parameters);
  const late = lateOnes(measured);
  const isPublished = measured.published.samples > 0;
  const all = [
    ...guards,
    ...longestStandstills(measured).map((one) => standstillGuard(one, limits)),
    ...(isPublished ? othersGuards(plan, loads) : []),
  ];
  return judgeRow({
    contradictions: [
      ...contradictions,
      ...(path ? [path] : []),
      ...(late.length > 0 ? [reasonOf('matched-late', { subscribers: namesText(late) })] : []),
      ...(isPublished ? unlimited(plan, measured, loads) : []),
    ],
    findings: findingsOf(plan, measured, { group, groupPort, domain }),
    guards: all.filter((guard) => !isOfFilled(guard, loads, guards)),
    beside: withinBound(longestStandstills(measured), limits),
    isOwnLimit: loads.machines.length === 1 && isFilledByRow(loads) && !isStolen(guards),
    restsOnGuards: true,
    good: [good],
  });
}

/** What a full machine does by itself, on one of several that the row filled: that excuses nothing there, and what happened elsewhere does. */
function isOfFilled(guard: Guard, { machines }: Loads, guards: readonly Guard[]): boolean {
  if (machines.length === 1 || guard.state === 'fine' || guard.about !== 'full-machine') return false;
  const filled = machines.filter((machine) => isFilled(machine)).map(({ name }) => name);
  const stolen = brokenGuards(guards).flatMap(({ code, data }) =>
    code === 'cpu-stolen' ? data.machine : [],
  );
  return guard.facts.every(({ data: { machine } }) =>
    filled.some((name) => name === machine && !stolen.includes(name)),
  );
}

/** Of one subscriber by itself. */
export function judgeSubscriber(plan: RowPlan, measured: FanOutReadings, number: number): JudgedRow {
  const own = {
    ...measured,
    received: measured.received.filter(({ subscriber }) => subscriber === number),
    unmatched: measured.unmatched.filter((other) => other === number),
  };
  return judgeRow({ findings: subscriberFindings(plan, own), guards: [], good: [] });
}

/** Exact to the time of the samples. A full link sets the pace, whatever else the machine does. */
function othersGuards(plan: RowPlan, loads: Loads): Guard[] {
  if (limitsOf(plan, loads).includes('link')) return [fine];
  return loads.machines.map(({ name, machineCpu, whyUnknown: why, ownCpu, isTaken }): Guard => {
    const named = name !== null && { machine: name };
    if (machineCpu !== null)
      return violatedBy(isTaken ? [reasonOf('machine-taken', { machineCpu, ownCpu, ...named })] : []);
    return {
      state: 'not-evaluated',
      facts: [reasonOf('not-checked', { what: othersCpu, why, ...named })],
    };
  });
}

/** Where it is not known what set the pace, figures are not those of the fan-out. */
function unlimited(plan: RowPlan, { received }: FanOutReadings, loads: Loads): Fact[] {
  const limits = limitsOf(plan, loads);
  // Samples that were lost can hold a publisher up as little as a network that is not full.
  const isKnown =
    plan.measure === 'latency' ||
    limits.length > 0 ||
    isTaken(loads) ||
    received.some(({ lost }) => lost > 0);
  return isKnown ? [] : [reasonOf('nothing-full', { loads: loadsText(loads) })];
}

/** The two that stood still for longest: by being stopped, and by whatever held them. */
function longestStandstills({ published, processes, counted, machines }: FanOutReadings): StoodStill[] {
  const ofMachine = (name: string | null, one: StoodStill): StoodStill =>
    name === null ? one : { ...one, who: { ...one.who, machine: name } };
  const publishing = machines[0]?.name ?? null;
  const all = [
    ofMachine(publishing, stoodStillOf(fanOutName('publisher'), published)),
    ofMachine(publishing, stoodStillOf(fanOutName('counter'), counted)),
    ...processes.map((process) =>
      ofMachine(process.machine, stoodStillOf(fanOutName(subscribersText(process)), process)),
    ),
  ];
  return [...new Set([longest(all, 'stoppedSeconds'), longest(all, 'seconds')])];
}

function longest(all: readonly StoodStill[], of: 'stoppedSeconds' | 'seconds'): StoodStill {
  return all.reduce((worst, one) => (one[of] > worst[of] ? one : worst));
}

function loadsText({ link, publisherThread, subscriberThread, waited, machines }: Loads): string {
  const part = (name: string, percent: number | null): string =>
    percent === null ? `${name} not measured` : `${name} ${percent.toFixed(0)} %`;
  return [
    ...(link === null ? [] : [part('link', link)]),
    part('busiest publisher thread', publisherThread),
    part('busiest subscriber thread', subscriberThread),
    part('publisher asleep', waited),
    ...machines.flatMap(({ name, machineCpu, ownCpu }) => [
      part(`machine CPU${onText(name)}`, machineCpu),
      part('by this row', ownCpu),
    ]),
  ].join(', ');
}

function findingsOf(
  plan: RowPlan,
  measured: FanOutReadings,
  { domain, ...group }: Pick<FanOutParameters, 'group' | 'groupPort' | 'domain'>,
): Finding[] {
  const { published, roundTrips, strangers, counted } = measured;
  const { isReliable } = caseFacts(plan.case);
  const findings = subscriberFindings(plan, measured);
  const find = findingInto(findings);
  const timedOut = roundTrips.find(({ subscriber }) => subscriber === -1)?.timedOut ?? 0;
  if (timedOut > 0) {
    const data = { timedOut, samples: published.samples };
    find(isReliable ? 'FAIL' : 'WARN', reasonOf('round-trips-timed-out', data));
  }
  if (published.refused > 0) find('WARN', reasonOf('writes-refused', { writes: published.refused }));
  if (!published.isAcknowledged) find('WARN', reasonOf('samples-unacknowledged'));
  if (caseFacts(plan.case).isMulticast && counted.groupOfOthers > 0)
    find('WARN', reasonOf('group-shared', { datagrams: counted.groupOfOthers, ...group }));
  // What they read and write is that of the participants, where these are known.
  const participants = strangers.filter(({ kind }) => kind === 'participant');
  const shown = participants.length > 0 ? participants : strangers;
  const names = [...new Set(shown.map(({ name, kind, address }) => strangerText(name, kind, address)))];
  if (names.length > 0) find('WARN', reasonOf('strangers-in-domain', { domain, names: placesText(names) }));
  return findings;
}

function subscriberFindings(plan: RowPlan, measured: FanOutReadings): Finding[] {
  const { received, published, waitedSeconds } = measured;
  const { isReliable, acknowledges } = caseFacts(plan.case);
  const never = neverMatched(measured);
  const findings: Finding[] = [];
  const find = findingInto(findings);
  if (never.length > 0) {
    const data = { subscribers: namesText(never), count: never.length, waitedSeconds };
    find('FAIL', reasonOf('never-matched', { ...data, samples: published.samples }));
  }
  const matched = received.filter(({ subscriber }) => !never.includes(subscriber));
  const lacking = matched.filter(({ lost }) => lost > 0);
  if (lacking.length > 0) {
    const data = {
      subscribers: namesText(lacking.map(({ subscriber }) => subscriber)),
      count: lacking.length,
      lost: sum(lacking.map(({ lost }) => lost)),
      samples: published.samples * lacking.length,
      each: published.samples,
      places: lacking.length === 1 ? rangesText(lacking[0]?.lostRanges ?? []) : '',
    };
    const isUnacknowledged = !acknowledges && { isUnacknowledged: true };
    if (isReliable) find('FAIL', reasonOf('samples-lacking', { ...data, ...isUnacknowledged }));
    else find('WARN', reasonOf('samples-lost', data));
  }
  const damaged = sum(matched.map((one) => one.damaged));
  if (damaged > 0) find('FAIL', reasonOf('samples-damaged', { samples: damaged }));
  const untidy = isReliable ? 'FAIL' : 'WARN';
  const duplicated = sum(matched.map((one) => one.duplicated));
  if (duplicated > 0) find(untidy, reasonOf('samples-duplicated', { samples: duplicated }));
  const reordered = sum(matched.map((one) => one.reordered));
  if (reordered > 0) find(untidy, reasonOf('samples-reordered', { samples: reordered }));
  return findings;
}

function findingInto(findings: Finding[]) {
  return (verdict: Finding['verdict'], fact: Fact): void => {
    findings.push({ verdict, fact, kind: 'loss' });
  };
}

function strangerText(name: string, kind: string, address: string): string {
  const what = name === '' ? `a ${kind} without a name` : name;
  return address === '' ? what : `${what} at ${address}`;
}

/** As people count them: from 1 on. */
export function namesText(numbers: readonly number[]): string {
  const [only] = numbers;
  if (numbers.length === 1 && only !== undefined) return `subscriber ${only + 1}`;
  return `subscribers ${placesText(numbers.map((number) => String(number + 1)))}`;
}
