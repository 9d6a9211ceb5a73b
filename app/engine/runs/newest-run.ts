import type { RunEvent } from '../../facts/run';
import type { Verdict } from '../../facts/verdict';
import type { ParametersOf } from '../../protocol/command-table';
import type { EngineState, StreamMark } from '../../protocol/console';
import type { ConsoleCommands } from '../../protocol/console-commands';
import { WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import type { ExportKind } from '../../protocol/shell';
import type { ThresholdProfile } from '../../protocol/thresholds';
import { dateNow, wallMsOf } from '../clock';
import { runFolderBelow } from '../history/history';
import type { HostApplication } from '../host-application';
import { exportRun } from '../reports/export';
import { addEvents, isRecordedElsewhere, pictureEvent, type Remark, remarkEvent } from '../sessions/notes';
import { Recorder } from '../sessions/recorder';
import type { WallClock } from '../wall-clock';
import { type Asked, type InstrumentFacts, runStart } from './prepared-run';

export interface RunOutcome {
  verdict: Verdict | null;
  reason: string;
}

type Note = ParametersOf<ConsoleCommands, 'addNote'>;

export interface NewestRunOptions {
  application: HostApplication;
  runsFolder: string;
  wall: WallClock;
  /** How many there are now. */
  streams(): number;
  /** What the instrument says of itself as a run begins. */
  facts(): InstrumentFacts;
  /** Its folder cannot be written. */
  onProblem(error: WhitelineError): void;
  onChange(): void;
}

/** The run that is recorded, or was recorded last: its folder, what was said of it, and its marks in the charts. */
export class NewestRun {
  readonly marks: StreamMark[] = [];
  private recorder: Recorder | null = null;
  private outcome: RunOutcome = { verdict: null, reason: '' };

  constructor(private readonly options: NewestRunOptions) {}

  /** Begins another one in a new folder. */
  begin(folder: string, asked: Asked, profile: ThresholdProfile): Recorder {
    const { application, wall, facts, onProblem } = this.options;
    const start = runStart(asked, profile, facts());
    const recorder = new Recorder({ folder, start, derive: application.deriveRun, wall, onProblem });
    this.marks.length = 0;
    this.outcome = { verdict: null, reason: '' };
    this.recorder = recorder;
    return recorder;
  }

  end(outcome: RunOutcome): void {
    this.outcome = outcome;
  }

  get rows(): Recorder['rows'] {
    return this.recorder?.rows ?? [];
  }

  get begun(): { experiment: string; startedAt: string } | null {
    return this.recorder && { experiment: this.recorder.experiment, startedAt: this.recorder.startedAt };
  }

  view(): EngineState['run'] {
    const { recorder } = this;
    if (!recorder) return null;
    const { id, experiment, folder, title } = recorder;
    return { id, experiment, folder: folder.path, title, ...this.outcome };
  }

  sample(sample: LoadSample): void {
    this.recorder?.sample(sample);
  }

  machineSample(sample: LoadSample): void {
    this.recorder?.machineSample(sample);
  }

  event(...event: Parameters<Recorder['event']>): void {
    const [kind, text] = event;
    this.recorder?.event(...event);
    if (kind === 'stream-added' || kind === 'stream-removed') this.mark('stream', text);
  }

  async addNote(note: Note): Promise<void> {
    await this.annotate(note.run, () => remarkEvent(this.named(note), this.now), note.atMs);
  }

  async attachPicture({ grant, text, run }: ParametersOf<ConsoleCommands, 'attachPicture'>): Promise<void> {
    const path = await this.options.application.redeemGrant('picture', grant);
    await this.annotate(run, (folder) => pictureEvent(folder, path, text, this.now));
  }

  async export(kind: ExportKind, grant: string, isRunning: boolean): Promise<void> {
    const { recorder, options } = this;
    if (!recorder) throw noRun('There is no run to export yet');
    const path = await options.application.redeemGrant('export', grant);
    // The dialog that named it asked before.
    await exportRun(recorder.folder.path, kind, path, options.application, {
      ...{ running: isRunning, existing: 'replace' },
    });
  }

  /** Of the newest run, whether it is over or not, or of one below the folder of all runs. */
  private async annotate(
    run: string | undefined,
    eventOf: (folder: string) => RunEvent,
    atMs?: number,
  ): Promise<void> {
    const newest = this.recorder;
    const folder = run === undefined ? newest?.folder.path : runFolderBelow(this.options.runsFolder, run);
    if (folder === undefined) throw noRun('There is no run yet to say something of');
    const event = eventOf(folder);
    if (newest?.folder.path === folder) {
      const at = newest.annotate(event, atMs);
      if (event.kind === 'marker') this.mark('marker', event.text, Date.parse(at));
    } else {
      addEvents(folder, [event]);
      if (!isRecordedElsewhere(folder)) await this.options.application.deriveRun(folder, { running: false });
    }
    this.options.onChange();
  }

  /** A marker is set by one key while something happens; what it was can be said later. */
  private named({ kind, text, run }: Note): Remark {
    const isNumbered = kind === 'marker' && text === '' && run === undefined;
    const markers = this.marks.filter((mark) => mark.kind === 'marker').length;
    return { kind, text: isNumbered ? `Marker ${markers + 1}` : text };
  }

  private get now(): Date {
    return dateNow(this.options.wall.clock);
  }

  private mark(kind: StreamMark['kind'], label: string, atMs?: number): void {
    const { wall, streams, onChange } = this.options;
    const wallMs = atMs ?? wallMsOf(wall.clock.monotonicNs(), wall.offsetUs);
    this.marks.push({ kind, wallMs, streams: streams(), label });
    onChange();
  }
}

function noRun(message: string): WhitelineError {
  return new WhitelineError({
    code: 'NOT_FOUND',
    message,
    remedy: 'Add a stream or start an experiment first',
  });
}
