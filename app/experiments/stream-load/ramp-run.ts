import type { StreamsContext } from '../../engine/experiment/experiment';
import { unconnectedHoldSeconds } from '../../engine/experiment/held-row';
import { isCarried } from '../../engine/streams/rows/clean-row';
import type { StreamsRow } from '../../facts/stream-row';
import { drainSeconds } from '../../protocol/thresholds';
import type { StreamLoadParameters } from './declaration';
import { injectedFaults } from './injected-faults';
import { withCosts } from './marginal';
import { RampProgress } from './progress';
import { mostNumbersAfter, nextStreams, type RampStep } from './ramp';
import { RampStreams } from './ramp-streams';
import { areEnough, medianOf, onlyRow, repeatRow, shownRows, spoiltRow, summaryRow } from './repeats';
import { type RampRow, RowHold } from './row-hold';
import { sourcesEach } from './sources';
import { stopsRamp } from './stop-rules';

/** One ramp: `ramp.ts` says how many streams come next; the rows come as they are measured. */
export class RampRun {
  private readonly rampStreams: RampStreams;
  private readonly progress: RampProgress;
  private readonly done: StreamsRow[] = [];

  constructor(
    private readonly parameters: StreamLoadParameters,
    private readonly context: StreamsContext,
  ) {
    this.rampStreams = new RampStreams(parameters, context);
    this.progress = new RampProgress(parameters, context);
  }

  async *rows(): AsyncGenerator<StreamsRow> {
    const { parameters, context, rampStreams } = this;
    await rampStreams.open();
    if (context.signal.aborted) return;
    const { progress } = this;
    progress.begin(mostNumbersAfter(parameters, [], 0));
    const baseline = yield* this.measureOnce(0);
    if (!baseline || stopsRamp(baseline.row, baseline.breach, parameters.stopOn) || this.isLost) return;
    const measured: RampStep[] = [];
    let streams = nextStreams(parameters, measured);
    while (streams !== null && !context.signal.aborted) {
      progress.begin(mostNumbersAfter(parameters, measured, streams), parameters.repeats - 1);
      const outcome = yield* this.measure(streams);
      if (!outcome || this.isLost) return;
      measured.push(outcome);
      streams = nextStreams(parameters, measured);
    }
  }

  /** Measures one number of streams, as often as it takes; null: it was stopped. */
  private async *measure(streams: number): AsyncGenerator<StreamsRow, RampStep | null> {
    const { parameters, context, rampStreams } = this;
    this.progress.report('connecting', streams, context.thresholds.connectTimeoutSeconds);
    await rampStreams.bring(streams);
    const isConnected = await this.warmUp(streams);
    if (context.signal.aborted) return null;
    const held = isConnected ? yield* this.measureConnected(streams) : yield* this.showUnconnected(streams);
    if (!held) return null;
    const { row, breach } = held;
    return {
      streams,
      outcome: isCarried(row) ? 'clean' : row.verdict === 'INVALID' ? 'unknown' : 'bad',
      stops: !isConnected || stopsRamp(row, breach, parameters.stopOn),
    };
  }

  /** A stream process could not be started again: nothing more can be measured. */
  private get isLost(): boolean {
    return this.context.streams.set.lost;
  }

  private measureConnected(streams: number): AsyncGenerator<StreamsRow, RampRow | null> {
    return this.parameters.repeats > 1 ? this.measureRepeats(streams) : this.measureOnce(streams);
  }

  /** A row that is INVALID comes as one that does not count, and is measured again, as often as it may be. */
  private async *measureOnce(streams: number): AsyncGenerator<StreamsRow, RampRow | null> {
    const { parameters, context, progress } = this;
    for (let retry = 1; ; retry++) {
      const held = await this.hold(streams, parameters.holdSeconds);
      if (!held) return null;
      // Whether a process that died is there again decides what follows.
      await context.streams.set.recovery;
      const isLast = held.row.verdict !== 'INVALID' || retry > parameters.invalidRetries;
      if (isLast || this.isLost || context.signal.aborted)
        return yield* this.show(held, onlyRow(held.row, retry > 1));
      yield this.add(spoiltRow(held.row));
      const again = `repeated, ${retry} of at most ${parameters.invalidRetries}`;
      progress.takesLonger(`row ${held.row.index} is INVALID and is ${again}`);
      const isBack = await this.warmUp(streams);
      if (context.signal.aborted) return null;
      if (!isBack) return yield* this.showUnconnected(streams);
    }
  }

  private async *measureRepeats(streams: number): AsyncGenerator<StreamsRow, RampRow | null> {
    const { parameters, context, progress } = this;
    const held: RampRow[] = [];
    let isBack = true;
    do {
      const one = await this.hold(streams, parameters.holdSeconds);
      if (!one) return null;
      const row = this.add(repeatRow(one.row, held.length + 1, parameters));
      held.push({ ...one, row });
      yield row;
      await context.streams.set.recovery;
      if (areEnough(rowsOf(held), parameters) || this.isLost) break;
      progress.nextRepeat();
      // Streams of a process that died in a repeat have to be back before the next one.
      isBack = await this.warmUp(streams, 'streams were started again');
    } while (isBack);
    if (context.signal.aborted) return null;
    if (!isBack) return yield* this.showUnconnected(streams);
    const median = held.find(({ row }) => row === medianOf(rowsOf(held))) as RampRow;
    return yield* this.show(median, summaryRow(median.row, rowsOf(held), this.done.length));
  }

  /** A short row that says which stream shows no frame. */
  private async *showUnconnected(streams: number): AsyncGenerator<StreamsRow, RampRow | null> {
    const held = await this.hold(streams, unconnectedHoldSeconds);
    return held && (yield* this.show(held, onlyRow(held.row)));
  }

  /** A row that counts comes with what a stream costs. */
  private async *show(held: RampRow, row: StreamsRow): AsyncGenerator<StreamsRow, RampRow> {
    const shown = this.add(withCosts(row, shownRows(this.done), !sourcesEach(this.parameters)));
    yield shown;
    return { ...held, row: shown };
  }

  /** @param whyLonger where the time for it was not reckoned with */
  private warmUp(streams: number, whyLonger?: string): Promise<boolean> {
    return this.rampStreams.warmUp(() => {
      if (whyLonger !== undefined) this.progress.takesLonger(whyLonger);
      this.progress.report('warm-up', streams, this.parameters.warmUpSeconds);
    });
  }

  /** Measures one row; null: too little of it before it was stopped. */
  private async hold(streams: number, holdSeconds: number): Promise<RampRow | null> {
    const { parameters, context } = this;
    const row = new RowHold(
      context,
      parameters,
      this.done.length,
      [...context.streams.set.streams],
      holdSeconds,
    );
    if (streams >= parameters.injectFrom) await this.inject(row);
    this.progress.report(streams === 0 ? 'baseline' : 'measuring', streams, holdSeconds);
    return row.close(() => {
      // Without a stream there is no frame to wait for.
      if (streams > 0) this.progress.report('draining', streams, drainSeconds);
    });
  }

  /** Puts the faults into the newest stream, counted from its first slot of the row. */
  private async inject(row: RowHold): Promise<void> {
    const { newest } = this.rampStreams;
    const first = newest && row.firstSlot(newest);
    if (!newest || first === null) return;
    const faults = injectedFaults(this.parameters, newest.source.format.rate);
    if (faults.length > 0) await this.context.streams.set.setFaults(newest, faults, first);
  }

  private add(row: StreamsRow): StreamsRow {
    this.done.push(row);
    return row;
  }
}

function rowsOf(held: readonly RampRow[]): StreamsRow[] {
  return held.map(({ row }) => row);
}
