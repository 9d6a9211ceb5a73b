import type { StreamsContext } from '../../engine/experiment/experiment';
import { closeHeld, openAheadNs } from '../../engine/experiment/held-row';
import { othersCpuOf } from '../../engine/load/load-sums';
import type { NewestSample, RowMeter } from '../../engine/streams/rows/row-meter';
import type { Stream } from '../../engine/streams/stream';
import type { StreamsRow } from '../../facts/stream-row';
import type { StreamLoadParameters } from './declaration';
import { type Breach, breachOf, endedEarly, keptLookSeconds, type Look } from './stop-rules';

const lookEveryMs = 1000;
/** Samples come twice a second. */
const newestNs = 2e9;

const noLoad = { cpuPercent: null, othersPercent: null, whyNoOthers: 'no load sample came' };

function loadOf(newest: NewestSample | undefined): Omit<Look, 'atNs' | 'lost'> {
  if (!newest) return noLoad;
  const { sample, machine } = newest;
  const load = { cpuPercent: sample.cpuPercent, ...(machine !== undefined && { machine }) };
  const others = othersCpuOf(sample);
  if (typeof others === 'number') return { ...load, othersPercent: others };
  return { ...load, othersPercent: null, whyNoOthers: others };
}

/** A limit of the CPU is broken by the machine that is the fullest. */
function busiest(newest: readonly NewestSample[]): NewestSample | undefined {
  return [...newest].sort((a, b) => (b.sample.cpuPercent ?? -1) - (a.sample.cpuPercent ?? -1))[0];
}

/** A row of the ramp. */
export interface RampRow {
  row: StreamsRow;
  /** The rule by which it was ended early; null: it was not. */
  breach: Breach | null;
}

/** A row from its opening until it is closed. */
export class RowHold {
  private readonly fromNs: number;
  private readonly toNs: number;
  private readonly meter: RowMeter;
  private looks: Look[];

  constructor(
    private readonly context: StreamsContext,
    private readonly parameters: StreamLoadParameters,
    index: number,
    streams: Stream[],
    private readonly holdSeconds: number,
  ) {
    this.fromNs = context.clock.monotonicNs() + openAheadNs;
    this.toNs = this.fromNs + holdSeconds * 1e9;
    this.meter = context.streams.openRow(index, streams, this.fromNs, this.toNs);
    this.looks = [{ atNs: this.fromNs, lost: new Map(), ...noLoad }];
  }

  /** First slot of the row of a stream, from which injected faults count. */
  firstSlot(stream: Stream): number | null {
    return this.meter.firstSlot(stream);
  }

  /**
   * Waits for the hold time and closes the row; a broken limit ends it early, and so does a stream process that is lost for good. An aborted row is closed where it stands if
   * anything was measured; null: nothing was.
   */
  async close(onDrain: () => void): Promise<RampRow | null> {
    const breach = await this.wait();
    onDrain();
    const endNs = Math.min(this.toNs, this.context.clock.monotonicNs());
    if (breach) {
      const row = await this.meter.close(endNs);
      return { row: endedEarly(row, breach, this.parameters, this.context.thresholds), breach };
    }
    const { fromNs, holdSeconds } = this;
    const row = await closeHeld(this.meter, { fromNs, endNs, holdSeconds });
    return row && { row, breach };
  }

  private async wait(): Promise<Breach | null> {
    const { clock, signal, thresholds } = this.context;
    const { set } = this.context.streams;
    const { stopOn, stopAfterSeconds } = this.parameters;
    const leftMs = (): number => (this.toNs - clock.monotonicNs()) / 1e6;
    const canBreach = stopOn.includes('loss') || stopOn.includes('cpu');
    const due: number[] = [];
    while (!signal.aborted && leftMs() > 0) {
      await clock.sleep(Math.min(lookEveryMs, leftMs()), signal);
      if (signal.aborted || set.lost || leftMs() <= 0) break;
      if (canBreach) due.push(clock.monotonicNs());
      // While a process is being started again, or a machine is out of reach, nothing is judged; then each second is, as it was.
      while (!set.recovering && due[0] !== undefined && due[0] <= set.countedToNs(clock.monotonicNs())) {
        this.look(due.shift() as number);
        const breach = breachOf(this.looks, { stopOn, stopAfterSeconds }, thresholds);
        if (breach) return breach;
      }
    }
    return null;
  }

  private look(atNs: number): void {
    const lost = this.meter.lostFrames(atNs);
    const newest = busiest(this.meter.newestSamples(atNs - newestNs, atNs));
    const keptFromNs = atNs - keptLookSeconds(this.parameters, this.context.thresholds) * 1e9;
    this.looks = [...this.looks.filter((look) => look.atNs >= keptFromNs), { atNs, lost, ...loadOf(newest) }];
  }
}
