import type { Progress, RampPhase } from '../../../protocol/console';
import { moveFaults } from '../../../protocol/faults';
import type { Row } from '../../../protocol/row';
import { type StreamLoadParameters, streamLoadParameters } from '../../../protocol/stream-load';
import { drainSeconds } from '../../../protocol/thresholds';
import { monotonicNs, sleep } from '../../clock';
import { injectedFaults } from '../../parameters';
import type { RowMeter } from '../../streams/rows/row-meter';
import type { Stream } from '../../streams/stream';
import type { Experiment, ExperimentContext } from '../experiment';
import { streamLoadVerdict } from './verdict';

/** A row opens this much ahead, so that faults counted from its first slot are in place before it. */
const openAheadNs = 150e6;
/** An aborted row shorter than this says nothing. */
const shortestRowNs = 0.4e9;
/** The row of a stream that never showed a frame only says so. */
const unconnectedHoldSeconds = 1;
const pollMs = 50;

export const streamLoad: Experiment<typeof streamLoadParameters> = {
  id: 'stream-load',
  title: 'Stream load',
  purpose:
    'How many streams can this sender and this receiver carry without losing a frame, and what does each one cost? ' +
    'The source plays alone first (row 0); then one stream more is added for each row and every frame is followed.',
  study: 'NDI performance testing, Derivative / Cocolabs, October 2019',
  parameters: streamLoadParameters,
  columns: [
    ...['sender.cpuMaxPercent', 'sender.gpuMaxPercent', 'sender.networkMaxMbps'],
    ...['receiver.cpuMaxPercent', 'receiver.gpuMaxPercent', 'receiver.networkMaxMbps'],
    ...['framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed', 'framesLateSource'],
    ...['latencyMs.p99', 'longestGapMs'],
  ],
  requires: [],
  run,
  verdict: (rows, parameters) => streamLoadVerdict(rows, parameters.goal ?? parameters.maxStreams),
};

async function* run(parameters: StreamLoadParameters, context: ExperimentContext): AsyncGenerator<Row> {
  const { streams: set, signal, thresholds } = context;
  const report = phases(parameters, context);
  const { format } = await set.openSource(parameters, signal);
  const faults = injectedFaults(parameters, format.rate);
  if (signal.aborted) return;

  report('baseline', 0, parameters.holdSeconds);
  const baseline = await hold(openRow(context, 0, [], parameters.holdSeconds), signal);
  if (baseline) yield baseline;

  for (let index = 1; index <= parameters.maxStreams && !signal.aborted; index++) {
    report('connecting', index, thresholds.connectTimeoutSeconds);
    const { id } = await set.addStream(parameters.name, { audio: parameters.audio });
    const connected = await warmUp(context, parameters.warmUpSeconds, () =>
      report('warm-up', index, parameters.warmUpSeconds),
    );
    if (signal.aborted) return;
    const opened = openRow(
      context,
      index,
      [...set.streams],
      connected ? parameters.holdSeconds : unconnectedHoldSeconds,
    );
    const stream = set.streams.find((candidate) => candidate.id === id);
    const first = stream ? opened.meter.firstSlot(stream) : null;
    if (faults.length > 0 && stream && first !== null) await set.setFaults(stream, moveFaults(faults, first));
    report('measuring', index, parameters.holdSeconds);
    const row = await hold(opened, signal, () => report('draining', index, drainSeconds));
    if (row) yield row;
    if (!connected || row?.senderMissed) return;
  }
}

interface OpenedRow {
  meter: RowMeter;
  fromNs: number;
  toNs: number;
}

function openRow(
  context: ExperimentContext,
  index: number,
  streams: Stream[],
  holdSeconds: number,
): OpenedRow {
  const fromNs = monotonicNs() + openAheadNs;
  const toNs = fromNs + holdSeconds * 1e9;
  return { meter: context.openRow(index, streams, fromNs, toNs), fromNs, toNs };
}

/** Waits for the hold time and closes the row; an aborted row is closed where it stands if anything was measured. */
async function hold(row: OpenedRow, signal: AbortSignal, onDrain?: () => void): Promise<Row | null> {
  await sleep((row.toNs - monotonicNs()) / 1e6, signal);
  onDrain?.();
  const endNs = Math.min(row.toNs, monotonicNs());
  return endNs - row.fromNs < shortestRowNs ? null : row.meter.close(endNs);
}

/**
 * Waits until every stream is over its warm-up, those that a new stream host started again included. False: one of them
 * showed no frame in time.
 */
async function warmUp(
  { streams: set, signal, thresholds }: ExperimentContext,
  warmUpSeconds: number,
  onConnected: () => void,
): Promise<boolean> {
  let told = false;
  while (!signal.aborted) {
    const nowNs = monotonicNs();
    const waiting = set.streams.filter((stream) => stream.firstCaptureNs === 0);
    if (waiting.some((stream) => nowNs - stream.addedNs >= thresholds.connectTimeoutSeconds * 1e9))
      return false;
    if (waiting.length === 0 && !set.recovering) {
      if (!told) onConnected();
      told = true;
      if (set.streams.every((stream) => stream.isReady(nowNs, { ...thresholds, warmUpSeconds }))) return true;
    }
    await sleep(pollMs, signal);
  }
  return false;
}

/** Tells what is being done and how long the whole will still take. */
function phases(parameters: StreamLoadParameters, context: ExperimentContext) {
  const rowSeconds = parameters.warmUpSeconds + parameters.holdSeconds + 0.7;
  return (phase: RampPhase, streams: number, phaseSeconds: number): void => {
    const progress: Progress = {
      phase,
      streams,
      maxStreams: parameters.maxStreams,
      phaseSeconds,
      phaseElapsedSeconds: 0,
      remainingSeconds:
        (parameters.maxStreams - streams) * rowSeconds + (phase === 'connecting' ? rowSeconds : phaseSeconds),
    };
    context.progress(progress);
  };
}
