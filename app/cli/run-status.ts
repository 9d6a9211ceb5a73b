import { machineClock } from '../engine/clock';
import type { Clock } from '../protocol/clock';
import type { Progress, StreamView } from '../protocol/console';
import { doingText, leftText, stepText } from '../protocol/progress-words';
import { ProgressLine } from './progress';

/** What is known of a run that goes on. */
export interface RunningParts {
  progress(): Progress | null;
  streams(): readonly StreamView[];
  /** Where the run stands among others, put before and behind what it says itself. */
  around?(progress: Progress | null): { before: string; behind: string };
}

const showEveryMs = 1000;
/** Without a terminal, what takes longer than this is worth a line. */
const worthNs = 3e9;

/** What a run is doing on one line, as the window shows it: step, phase, time left, live figures. */
export class RunStatus {
  private readonly line = new ProgressLine();
  private readonly stopShowing: () => void;
  private part = '';
  private partSinceNs = 0;

  constructor(
    private readonly run: RunningParts,
    private readonly clock: Clock = machineClock,
  ) {
    this.stopShowing = clock.every(showEveryMs, () => this.show());
    this.show();
  }

  /** Now, and once a second by itself. */
  show(): void {
    const progress = this.run.progress();
    const part = progress ? `${progress.step} ${progress.machine ?? ''} ${progress.phase}` : '';
    const nowNs = this.clock.monotonicNs();
    if (part !== this.part) this.partSinceNs = nowNs;
    this.part = part;
    this.line.show(this.text(progress), nowNs - this.partSinceNs < worthNs ? '' : part);
  }

  end(): void {
    this.stopShowing();
    this.line.end();
  }

  private text(progress: Progress | null): string {
    const { before, behind } = this.run.around?.(progress) ?? { before: '', behind: '' };
    return statusText(before, ...progressParts(progress), ...figureParts(this.run.streams()), behind);
  }
}

/** Parts of a status line, the one that matters most first: a narrow terminal cuts its end off. */
export function statusText(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

function progressParts(progress: Progress | null): string[] {
  if (!progress) return ['Starting'];
  const { phase, remainingSeconds } = progress;
  // The phase says so already.
  const step = phase === 'baseline' ? '' : stepText(progress);
  return [step, doingText(progress), remainingSeconds > 0 ? leftText(remainingSeconds) : ''];
}

/** Frames lost and missed so far, and the present rate of frames; streams that are not counted yet are left out. */
export function figureParts(views: readonly StreamView[]): string[] {
  // Of a stream whose sender is away nothing is counted, and what it costs is known.
  const counted = views.filter((view) => view.deliveredFps !== null || view.framesInOutages !== null);
  if (counted.length === 0) return [];
  const missed = sumOf(counted.map(({ framesSenderMissed }) => framesSenderMissed));
  return [
    lostText(counted),
    missed > 0 ? `missed ${missed}` : '',
    ratesText(counted.map(({ deliveredFps }) => deliveredFps ?? 0)),
    counted.length === 1 ? '1 stream' : `${counted.length} streams`,
  ];
}

/**
 * Of a sender without our code, frames that are missing are lost; it is not always known whether any are. What outages must
 * have cost is an estimate, and so is the sum of it and of what was counted.
 */
function lostText(counted: readonly StreamView[]): string {
  const lost = counted.map(({ lostTotal }) => lostTotal);
  const inOutages = sumOf(counted.map(({ framesInOutages }) => framesInOutages));
  const isUnknown = counted.some((view) => view.lostTotal === null && view.lossesNotMeasured !== '');
  if (isUnknown) return `lost: not measured${inOutages > 0 ? `, ≈ ${inOutages} in outages` : ''}`;
  return inOutages > 0 ? `lost ≈ ${sumOf(lost) + inOutages}` : `lost ${sumOf(lost)}`;
}

function sumOf(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((sum, number) => sum + (number ?? 0), 0);
}

/** "60.0 fps", or of streams that differ "24.9–60.0 fps". */
function ratesText(rates: readonly number[]): string {
  const [slowest, fastest] = [Math.min(...rates), Math.max(...rates)].map((rate) => rate.toFixed(1));
  return slowest === fastest ? `${slowest} fps` : `${slowest}–${fastest} fps`;
}
