import { lengthText } from '../../app/facts/count-words';
import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import { spoiltFigureOf } from '../../app/facts/spoilt';
import type { StreamView } from '../../app/protocol/console';
import { durationText } from '../../app/protocol/duration';
import { figure, metricFigure, notMeasuredSign } from '../format';
import { texts } from '../texts';
import { lastLossOf } from './strip-notes';

/** A figure as a strip shows it. */
export interface StripFigure {
  key: keyof StreamView;
  heading: string;
  unit: string;
  /** What it is, or why there is none. */
  help: string;
  /** A dash where nothing was measured. */
  text: string;
  /** How far it may be off, in the figure's unit; empty if it is exact. */
  uncertainty: string;
  /** It includes the frames of an outage, which are an estimate. */
  isEstimate?: boolean;
  /** A smaller one that belongs to it, such as what was lost just now. */
  beside?: BesideFigure;
}

export interface BesideFigure {
  key: keyof StreamView;
  /** With its word: "now 3". */
  text: string;
  help: string;
  /** It counts something, and so is not to be overlooked. */
  isLoud: boolean;
}

type FigureKey = {
  [Key in keyof StreamView]: StreamView[Key] extends number | null ? Key : never;
}[keyof StreamView];

interface Definition {
  key: FigureKey;
  heading: string;
  unit: string;
  help: string;
  format: (value: number) => string;
  /** It is taken between sender and receiver, whose clocks may be apart. */
  isLatency?: true;
  /** The records of the sender say it. */
  isOfSender?: true;
  /** It counts what was lost, of which it may not be known whether it is all. */
  isOfLosses?: true;
  /** What outages must have cost beside what it counts. */
  estimate?: 'lostNowInOutage' | 'framesInOutages';
}

const { streams } = texts;

function ofMetric(key: FigureKey, metricId: string = key): Definition {
  const metric: Metric = metricOf(metricId);
  const { heading, description, unit } = metric;
  return { key, heading, unit, help: description, format: (value) => metricFigure(value, metric) };
}

/** From 100 ms on hundredths say nothing, from 1,000 ms on tenths, and they take the room of the neighbour. */
function milliseconds(key: FigureKey, metricId: string = key): Definition {
  const { digits } = metricOf(metricId);
  const digitsOf = (ms: number): number => (ms < 100 ? digits : ms < 1000 ? Math.min(digits, 1) : 0);
  return { ...ofMetric(key, metricId), format: (ms) => figure(ms, digitsOf(ms)) };
}

function latency(key: FigureKey, metricId: string): Definition {
  return { ...milliseconds(key, metricId), isLatency: true };
}

function own(key: FigureKey, heading: string, help: string, unit = '', digits = 0): Definition {
  return { key, heading, unit, help, format: (value) => figure(value, digits) };
}

const missing: Definition = {
  ...ofMetric('framesMissing'),
  isOfLosses: true,
  estimate: 'framesInOutages',
};
const notSent: Definition = {
  ...ofMetric('framesSenderMissed'),
  heading: streams.notSent,
  help: streams.notSentHelp,
  isOfSender: true,
};
const lostNow: Definition = {
  ...own('lostNow', streams.lostNow, streams.lostNowHelp),
  isOfLosses: true,
  estimate: 'lostNowInOutage',
};
const lostTotal: Definition = {
  ...own('lostTotal', streams.lostTotal, streams.lostTotalHelp),
  isOfLosses: true,
  estimate: 'framesInOutages',
};
const inOutages: Definition = {
  ...own('framesInOutages', streams.inOutages, streams.inOutagesHelp),
  format: (frames) => streams.about(figure(frames, 0)),
};
const recovered: Definition = {
  ...own('recoveredAfterMs', streams.recovered, streams.recoveredHelp, 's'),
  format: (milliseconds) => figure(milliseconds / 1000, 1),
};

const mainFigures = [
  own('deliveredFps', streams.deliveredFps, streams.deliveredFpsHelp, streams.framesPerSecond, 1),
  latency('latencyP50Ms', 'latencyMs.p50'),
  latency('latencyP99Ms', 'latencyMs.p99'),
  milliseconds('longestGapMs'),
];

/** The sockets of a process are counted together: it is known of a stream that is alone. */
const bitrate: Definition = { ...ofMetric('bitrateMbps'), help: streams.bitrateHelp };

const counts = (
  ['framesSubmitted', 'framesReceived', 'framesDropped', 'framesUndecodable', 'framesLateSource'] as const
).map((key) => ofMetric(key));

/** Counts that appear once there is something to count. */
const rareCounts = [
  ...(
    [
      'framesLateSourceDisk',
      'framesLateSourceDecode',
      'framesLateSourceDamaged',
      'framesDuplicated',
      'framesReordered',
      ...Object.values(spoiltFigureOf),
    ] as const
  ).map((key) => ofMetric(key)),
  ofMetric('audioBlocksMissing'),
];

const furtherFigures = [ofMetric('codeHealthMin'), ofMetric('connectMs')];

/** Figures that appear where they are measured. */
const rareFigures = [inOutages, ofMetric('audioOffsetMs'), recovered];

/** Of a stream in a display window: frames that it did not show; the stages follow where there were any. */
const displayMissed = ofMetric('framesDisplayMissed');
const displayCounts = [
  ...(
    ['framesDisplayMissedDelivery', 'framesDisplayMissedUpload', 'framesDisplayMissedPresentation'] as const
  ).map((key) => ofMetric(key)),
  ofMetric('displayTicksMissed'),
];

/** Without the sender's records a lost frame counts as missing, and is attributed to neither sender nor transport. */
const unattributedCounts = (['framesReceived', 'framesMissing', 'framesUndecodable'] as const).map((key) =>
  ofMetric(key),
);

const foreignFigures = [ofMetric('framesReceived'), ofMetric('connectMs')];

const uncertaintyHelp = metricOf('latencyUncertaintyMs').description;

/** Frames that did not come whole, with those of the newest second beside them; its help names the newest loss. */
export function lostOf(stream: StreamView): StripFigure & { beside: BesideFigure } {
  const now = shown(lostNow, stream);
  const lost = shown(stream.method === 'timestamps' ? missing : lostTotal, stream);
  const newest = lastLossOf(stream).map(({ lead, text }) => `${lead} ${text}`);
  return {
    ...lost,
    help: [lost.help, ...newest].join('\n'),
    beside: {
      ...{ key: 'lostNow', text: streams.now(now.text), help: now.help },
      isLoud: (stream.lostNow ?? 0) + (stream.lostNowInOutage ?? 0) > 0,
    },
  };
}

/** Frames that never left the sender; those that it sent with an older picture are sent, and only stand beside them. */
export function notSentOf(stream: StreamView): StripFigure {
  const late = shown(ofMetric('framesLateSource'), stream);
  const damaged = stream.framesLateSourceDamaged ?? 0;
  return {
    ...shown(notSent, stream),
    ...(stream.framesLateSource && {
      beside: {
        ...{ key: 'framesLateSource', help: late.help, isLoud: true },
        text: lateText(stream.framesLateSource - damaged, damaged),
      },
    }),
  };
}

function lateText(late: number, damaged: number): string {
  return [
    ...(damaged > 0 ? [streams.damaged(figure(damaged))] : []),
    ...(late > 0 ? [streams.late(figure(late))] : []),
  ].join(', ');
}

/** In little room, frames that were not sent or else the newest outage replace the count of the last second. */
export function lossesOf(stream: StreamView): StripFigure {
  const lost = lostOf(stream);
  const { framesSenderMissed, lastOutageMs } = stream;
  if (!framesSenderMissed && lastOutageMs !== null) {
    const seconds = lastOutageMs / 1000;
    const length = seconds < 60 ? lengthText(seconds) : durationText(Math.floor(seconds));
    const text = streams.outageShort(length);
    return { ...lost, beside: { ...lost.beside, key: 'lastOutageMs', text, help: lost.help } };
  }
  if (!framesSenderMissed) return lost;
  const { key, text, help } = notSentOf(stream);
  return { ...lost, beside: { key, text: streams.notSentShort(text), help, isLoud: true } };
}

/** What follows them: rate, latency, traffic, the longest gap. */
export function mainFiguresOf(stream: StreamView): StripFigure[] {
  const own = stream.bitrateMbps === null ? mainFigures : [...mainFigures, bitrate];
  return own.map((definition) => shown(definition, stream));
}

/** All figures under *Details*. */
export function detailsOf(stream: StreamView): StripFigure[] {
  const rare = rareFigures.filter(({ key }) => stream[key] !== null);
  return [...usualFiguresOf(stream), ...rare, ...displayFiguresOf(stream)].map((definition) =>
    shown(definition, stream),
  );
}

function usualFiguresOf(stream: StreamView): readonly Definition[] {
  const occurring = rareCounts.filter(({ key }) => (stream[key] ?? 0) > 0);
  if (stream.method === 'timestamps') return [...foreignFigures, ...occurring];
  const usual = stream.framesMissing === null ? counts : unattributedCounts;
  return [...usual, ...occurring, ...furtherFigures];
}

function displayFiguresOf(stream: StreamView): readonly Definition[] {
  if (stream.framesDisplayMissed === null) return [];
  return [displayMissed, ...displayCounts.filter(({ key }) => (stream[key] ?? 0) > 0)];
}

function shown(definition: Definition, stream: StreamView): StripFigure {
  const { key, heading, unit, help, format, isLatency, isOfLosses } = definition;
  const value = stream[key];
  const estimate = definition.estimate ? stream[definition.estimate] : null;
  if (estimate) return withEstimate(definition, value, estimate);
  if (value === null)
    return {
      ...{ key, heading, unit: '', text: notMeasuredSign, uncertainty: '' },
      help: whyNot(definition, stream),
    };
  const { latencyUncertaintyMs, lossesNotMeasured } = stream;
  if (!isLatency || latencyUncertaintyMs === null) {
    const isPart = isOfLosses && lossesNotMeasured !== '';
    const said = isPart ? `${help}\n${streams.notAllMeasured(lossesNotMeasured)}` : help;
    return { key, heading, unit, help: said, text: format(value), uncertainty: '' };
  }
  return {
    key,
    heading,
    unit,
    help: `${help}\n${uncertaintyHelp}`,
    text: format(value),
    uncertainty: streams.plusMinus(uncertaintyText(latencyUncertaintyMs)),
  };
}

/** Why a figure is not measured. */
function whyNot(
  { isLatency, isOfLosses, isOfSender }: Definition,
  { method, lossesNotMeasured, countedTo }: StreamView,
): string {
  if (isOfSender && countedTo !== null) return streams.noSenderRecords;
  if (isOfLosses && lossesNotMeasured !== '') return streams.notMeasured(lossesNotMeasured);
  return method === 'timestamps' && isLatency ? streams.notOfForeign : streams.notYet;
}

/** What was counted and what an outage must have cost together; the figure says that it is an estimate, its help what was counted. */
function withEstimate(
  { key, heading, unit, help }: Definition,
  counted: number | null,
  estimate: number,
): StripFigure {
  const said = streams.withEstimate(figure(counted), figure(estimate));
  const text = streams.about(figure((counted ?? 0) + estimate));
  return { key, heading, unit, help: `${help}\n${said}`, text, uncertainty: '', isEstimate: true };
}

/** As many digits as say something: 0.38, 4.1, 37. */
function uncertaintyText(milliseconds: number): string {
  if (milliseconds >= 10) return figure(milliseconds);
  return figure(milliseconds, milliseconds >= 1 ? 1 : 2);
}
