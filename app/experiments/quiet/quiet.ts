import { cutShort } from '../../engine/experiment/cut-short';
import type { ContextWith, Experiment } from '../../engine/experiment/experiment';
import { openTableRow } from '../../engine/experiment/table-row';
import { quickGovernors } from '../../engine/machine/power';
import { oneMachine } from '../../engine/sessions/environment';
import type { ClosedRow } from '../../facts/row';
import type { ProcessorScoreStatus, WakeUpRecords } from '../../protocol/processor';
import { type QuietParameters, quietDeclaration, type quietParameters } from './declaration';
import { heldBackBy } from './held-back';
import { bestVerdictOf } from './judgement';
import { leastQuietSeconds, quietLacks } from './least-seconds';
import { scoreRow, wakeUpRow } from './quiet-rows';
import { RowWatch } from './row-watch';
import { quietVerdict } from './verdict';
import { wakeUpsOf } from './wake-ups';

export const quiet: Experiment<typeof quietParameters, ClosedRow, 'machine' | 'native'> = {
  declaration: quietDeclaration,
  needs: () => ['machine', 'native'],
  // What this machine does not report is a figure that was not measured.
  requires: () => [],
  async check({ ratesHz, holdSeconds }) {
    const last = ratesHz.at(-1);
    const rates = ratesHz.length > 1 ? `${ratesHz.slice(0, -1).join(', ')} and ${last}` : String(last);
    return {
      subject: `wake-ups at ${rates} Hz for ${holdSeconds} s each, and the score of each core`,
      environment: { topology: oneMachine },
    };
  },
  run: (parameters, context) => new QuietRun(parameters, context).rows(),
  bestVerdict: bestVerdictOf,
  leastSeconds: leastQuietSeconds,
  lacks: quietLacks,
  verdict: quietVerdict,
};

class QuietRun {
  private index = 0;

  constructor(
    private readonly parameters: QuietParameters,
    private readonly context: ContextWith<'machine' | 'native'>,
  ) {}

  async *rows(): AsyncGenerator<ClosedRow> {
    const { ratesHz, repeats } = this.parameters;
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      for (const rateHz of ratesHz) {
        const row = await this.measureWakeUps(rateHz, repeats > 1 ? repeat : null);
        if (row) yield row;
        if (this.context.signal.aborted) return;
      }
    }
    const row = await this.scoreCores();
    if (row) yield row;
  }

  /** A row that was cut short has what was measured; null: nothing was. */
  private async measureWakeUps(rateHz: number, repeat: number | null): Promise<ClosedRow | null> {
    const { context, parameters } = this;
    this.report(`waking ${rateHz} times a second`, parameters.holdSeconds);
    const wantedSlots = Math.max(1, Math.round(rateHz * parameters.holdSeconds));
    const options = { rateNumerator: rateHz, rateDenominator: 1, slots: wantedSlots };
    const watch = new RowWatch(context);
    try {
      // The row begins with the thread, which the first progress reports: its process may have to be started.
      const onProgress = (): void => watch.begin();
      const command = { name: 'measureWakeUps', options } as const;
      const records = (await context.native.request(command, onProgress, context.signal)) as WakeUpRecords;
      const slots = context.signal.aborted ? 1 + (records.slot.at(-1) ?? -1) : wantedSlots;
      const ended = slots > 0 ? watch.end(slots / rateHz) : null;
      if (!ended) return null;
      const wakeUps = wakeUpsOf(records, rateHz, slots);
      const { frame, use, samples } = ended;
      const pieces = context.standstills(records.firstSlotNs, context.clock.monotonicNs());
      const heldBack = heldBackBy(pieces, records, rateHz, slots);
      const measured = {
        ...{ rateHz, repeat, wakeUps, heldBack, use, samples },
        slowGovernors: this.slowGovernors(),
      };
      const row = wakeUpRow({ ...frame, index: this.index++ }, measured, context.thresholds);
      return cutShort(row, slots / rateHz, wantedSlots / rateHz);
    } finally {
      watch.stop();
    }
  }

  private async scoreCores(): Promise<ClosedRow | null> {
    const { context } = this;
    // Core by core: a console of another machine hears that it goes on.
    const report = (): void => this.report('scoring the cores', 0);
    report();
    const close = openTableRow(context);
    const scores = await context.native.request({ name: 'scoreProcessor' }, report, context.signal);
    if (context.signal.aborted) return null;
    return scoreRow({ ...close(), index: this.index++ }, scores as ProcessorScoreStatus);
  }

  /** Governors that make a processor slow down between wake-ups. */
  private slowGovernors(): string[] {
    return this.context.machine.governors().filter((governor) => !quickGovernors.includes(governor));
  }

  private report(phase: string, phaseSeconds: number): void {
    const { ratesHz, repeats, holdSeconds } = this.parameters;
    const steps = ratesHz.length * repeats + 1;
    this.context.progress({
      ...{ phase, step: this.index + 1, steps, phaseSeconds, phaseElapsedSeconds: 0 },
      remainingSeconds: (steps - 1 - this.index) * holdSeconds,
    });
  }
}
