import type { Figures } from '../../../facts/figure';
import { disturbances, type Guard } from '../../../facts/precedence';
import { wordsOf } from '../../../facts/reason-words';
import type { StreamsRow } from '../../../facts/stream-row';
import { alsoFound } from '../../../facts/why-not';
import { isoOf } from '../../clock';
import { LoadSums } from '../../load/load-sums';
import { hostLoad, instrumentLoad, samplesWithin, unknownLoad } from '../../load/window';
import { explainedLosses, type LossContext } from '../losses/losses';
import { trafficContradictions } from './contradictions';
import { guardsOfStream } from './gone-elsewhere';
import { judgedStream, senderLoadOf } from './judged-stream';
import { type Judgement, worstOf } from './judgement';
import type { MeasuredStream } from './measured-stream';
import { type ReceivingEnd, receivingEndOf, receivingEnds, whyNotMeasured } from './receiving-machines';
import { countingSendersHere, remoteLoad } from './remote-load';
import type { RowInput } from './row-input';
import { lossContext, wayOf, withCauses } from './row-losses';
import { reasons } from './row-reasons';
import { totalsOf } from './row-totals';
import { rowTraffic } from './row-traffic';
import {
  baselineJudgement,
  notDelivered,
  notPassed,
  otherContradictions,
  withGone,
  withName,
} from './row-verdict';
import { sentStream } from './sent-stream';
import { type ShownInRow, shownInRow } from './shown-figures';
import { streamRow } from './stream-row';

/** Builds a row out of what was counted and sampled; with `row-totals.ts` the one place where totals are summed. */
export function buildRow(given: RowInput): StreamsRow {
  const input = given.isSenderRemote ? countingSendersHere(given) : given;
  const { fromNs, toNs, wallOffsetUs, isSenderRemote, hostName, thresholds, load, samples } = input;
  const isReceiverRemote = input.streams.some(({ stream }) => stream.isReceiverRemote);
  const { receivers = [{ name: hostName, load, samples, overLoopback: input.overLoopback }] } = input;
  const { senderSide } = input;
  const isNamed = senderSide !== undefined || input.consoleName !== undefined || receivers.length > 1;
  const ends = receivingEnds(receivers, (machine) => wayOf(input, machine), { thresholds, isNamed });
  const [{ carrier, window: hereWindow }] = ends as [ReceivingEnd];
  const endOf = ({ stream }: MeasuredStream): ReceivingEnd => receivingEndOf(ends, stream);
  const contexts = new Map(input.explainsLosses ? ends.map((end) => [end, lossContext(input, end)]) : []);
  const contextOf = (one: MeasuredStream): LossContext | null => contexts.get(endOf(one)) ?? null;
  const streams = input.streams.map((one) => withCauses(one, contextOf(one)));
  const { ownSamples } = input;
  const instrument = instrumentLoad(ownSamples ? LoadSums.of(samplesWithin(ownSamples, fromNs, toNs)) : load);
  const traffic = rowTraffic({ ...input, receivers });
  const contradictions = [...input.contradictions, ...trafficContradictions(traffic.mbps, streams)];
  const sender = isSenderRemote
    ? remoteLoad({ ...input, receivers }, hereWindow)
    : hostLoad(load, 'sending', carrier);
  const isOpen = !input.explainsLosses;
  const senderInRow = senderLoadOf(input);
  const shown = streams.map((measured) => shownInRow(measured, { fromNs, toNs, isOpen }));
  const losses = streams.map((measured) => {
    const context = contextOf(measured);
    return context ? explainedLosses(measured, context) : [];
  });
  const judged = streams.map((measured, index) =>
    judgedStream(measured, {
      ...{ input, end: endOf(measured), context: contextOf(measured), losses: losses[index] ?? [] },
      ...{ shown: shown[index] as ShownInRow, contradictions, senderInRow },
    }),
  );
  const disturbances = streams.map(({ stream }) => disturbanceOf(guardsOfStream(input.guards, stream)));
  const surroundings = { fromNs, toNs, wallOffsetUs, isOpen, alone: streams.length === 1, traffic };
  const senderOf = ({ stream }: MeasuredStream): string | null =>
    isSenderRemote ? stream.senderHost : hostName;
  const subjects = streams.map((measured, index) => {
    const sender = senderOf(measured);
    const subject = streamRow(
      measured,
      judged[index] as Judgement,
      (losses[index] ?? []).map(({ loss }) => loss),
      {
        ...surroundings,
        disturbance: disturbances[index] ?? '',
        shown: shown[index] as ShownInRow,
        hosts: {
          ...(sender !== null && { sender }),
          ...(!isReceiverRemote && { receiver: endOf(measured).name }),
        },
      },
    );
    return measured.stream.isReceiverRemote ? sentStream(subject) : subject;
  });
  const named = judged.map((judgement, index) => withName(judgement, streams, index, hostName));
  const worst = withGone(
    judged.length > 0 ? worstOf(named, subjects.map(notDelivered)) : baselineJudgement(input, ends),
    input.guards,
  );
  const unknownReceiver = isReceiverRemote ? unknownLoad(reasons.remoteReceiver) : null;
  const notMeasured: Record<string, string> = {};
  for (const [side, why] of Object.entries({
    sender: sender.notMeasured,
    receiver: unknownReceiver?.notMeasured ?? whyNotMeasured(ends),
    instrument: instrument.notMeasured,
  })) {
    for (const [field, reason] of Object.entries(why)) notMeasured[`${side}.${field}`] = reason;
  }
  const bitrateMbps = streams.length === 0 ? null : traffic.mbps;
  if (bitrateMbps === null)
    notMeasured.bitrateMbps = streams.length === 0 ? reasons.noStream : traffic.reason;
  const senderName =
    streams.map(senderOf).find((name) => name !== null) ??
    input.senderSide?.name ??
    (isSenderRemote ? unknownHost : hostName);
  return {
    ...{ index: input.index, label: '', step: { streams: streams.length } },
    from: isoOf(fromNs, wallOffsetUs),
    to: isoOf(toNs, wallOffsetUs),
    figures: {
      measuredSeconds: (toNs - fromNs) / 1e9,
      senderMissed: worst.senderMissed,
      ...totalsOf(
        subjects,
        streams,
        bitrateMbps,
        notMeasured,
        disturbances.some((words) => words !== ''),
      ),
    },
    subjects,
    load: byHost([
      [senderName, 'sender', sender.load],
      ...(unknownReceiver
        ? [[unknownHost, 'receiver', unknownReceiver.load] as const]
        : ends.map(({ name, window }) => [name, 'receiver', window.load] as const)),
      [input.consoleName ?? hostName, 'instrument', instrument.load],
    ]),
    verdict: worst.verdict,
    reason: [...alsoFound(worst, notPassed(subjects)), ...otherContradictions(worst, named)],
    notMeasured,
  };
}

/** What delays, in words; empty: nothing. Release and capture times come from the monotonic clock, which cannot be set. */
function disturbanceOf(guards: readonly Guard[]): string {
  return wordsOf(disturbances(guards).filter(({ code }) => code !== 'wall-clock-step'));
}

/** Used instead of the name of a foreign machine that has not given one. */
const unknownHost = 'not known';

type LoadRole = 'sender' | 'receiver' | 'instrument';

/** The load of each role under its host. */
function byHost(loads: readonly (readonly [host: string, role: LoadRole, load: Figures])[]) {
  const byHost: StreamsRow['load'] = {};
  for (const [host, role, load] of loads) byHost[host] = { ...byHost[host], [role]: load };
  return byHost;
}
