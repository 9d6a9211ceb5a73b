import type { Fact } from '../../facts/fact';
import { lostBetweenRowsSchema, SumBetweenRows } from '../../facts/lost-between-rows';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import type { Run, RunEvent } from '../../facts/run';
import type { WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import { isOfThisMachine } from '../../protocol/stream-parameters';
import { withoutInterfaces } from '../load/sampler';
import type { WallClock } from '../wall-clock';
import type { DeriveRun } from './derive-run';
import { addEvents } from './notes';
import type { RunEnd, RunStart } from './run-facts';
import { RunFolder } from './run-folder';

export interface RecorderOptions {
  folder: string;
  start: Omit<RunStart, 'id' | 'startedAt'>;
  derive: DeriveRun;
  /** By whose offset the run's times are given, from its beginning to its end. */
  wall: WallClock;
  /** Rows stay in memory to be shown and judged; of a run without an end they become too many. */
  keepsRows?: boolean;
  /** The folder cannot be written any more. */
  onProblem(error: WhitelineError): void;
}

/** What a run came to. */
export type Ending = Pick<RunEnd, 'state' | 'verdict' | 'reason'>;

/** Samples that a row may still need when the one before it closes. */
const keptMs = 3000;

/** What a run leaves behind: its folder on disk, and its rows and samples in memory to be shown. */
export class Recorder {
  /** Empty if they are not kept. */
  readonly rows: ClosedRow[] = [];
  /** Samples that the next row is built from: since the newest row closed, or since nothing was measured; all of them are in the folder. */
  readonly samples: LoadSample[] = [];
  readonly id: string;
  readonly startedAt: string;
  title: string;
  readonly experiment: string;
  readonly folder: RunFolder;
  private readonly keepsRows: boolean;
  private readonly wall: WallClock;
  private closing: Promise<Ending> | null = null;
  /** Why the folder cannot be written any more. */
  private problem: WhitelineError | null = null;
  /** Frames that no row has. */
  private readonly betweenRows = new SumBetweenRows();

  /** @throws WhitelineError if the run cannot begin: see `RunFolder` */
  constructor(options: RecorderOptions) {
    this.title = options.start.title;
    this.experiment = options.start.experiment;
    this.wall = options.wall;
    this.wall.hold();
    const startedAt = this.wall.isoNow();
    this.startedAt = startedAt;
    this.id = startedAt.replace(/[:.]/g, '-');
    this.keepsRows = options.keepsRows ?? true;
    const { folder: path, derive } = options;
    const onProblem = (error: WhitelineError): void => {
      this.problem = error;
      options.onProblem(error);
    };
    const wallOffsets = [{ at: startedAt, offsetUs: this.wall.offsetUs }];
    const details: RunStart = { id: this.id, startedAt, wallOffsets, ...options.start };
    const first = this.eventNow('run-started', options.start.title, { ...details });
    try {
      this.folder = new RunFolder({ path, clock: this.wall.clock, first, derive, onProblem });
    } catch (error) {
      this.wall.release();
      throw error;
    }
    void this.folder.derive();
  }

  event(kind: RunEvent['kind'], text: string, details?: Record<string, unknown>, streamId?: number): void {
    if (this.closing) return;
    if (kind === 'lost-between-rows') this.betweenRows.add(lostBetweenRowsSchema.parse(details));
    this.folder.addEvent(this.eventNow(kind, text, details, streamId));
  }

  /**
   * Something that an operator says of the run, while it runs or after its end. Returns the moment of which it is: `atMs`, as far as the run
   * had begun and it is not yet to come; default: now.
   */
  annotate(event: RunEvent, atMs = Number.POSITIVE_INFINITY): string {
    const nowMs = Date.parse(this.wall.isoNow());
    const at = new Date(Math.min(nowMs, Math.max(atMs, Date.parse(this.startedAt)))).toISOString();
    if (event.kind === 'renamed') this.title = event.text;
    if (this.closing) addEvents(this.folder.path, [event]);
    else this.folder.addEvent({ ...event, at });
    void this.folder.derive();
    return this.closing ? event.at : at;
  }

  sample(sample: LoadSample): void {
    if (this.closing) return;
    this.folder.addSample(sample);
    this.samples.push(withoutInterfaces(sample));
  }

  /** Of another machine of the run: it is in the folder alone. */
  machineSample(sample: LoadSample): void {
    if (!this.closing) this.folder.addSample(sample);
  }

  row(row: ClosedRow): void {
    const isRecorded = this.folder.addRow(row);
    if (this.keepsRows) this.rows.push(isRecorded ? row : this.unrecorded(row));
    for (const fact of row.reason) if (fact.code === 'contradiction') this.contradiction(row, fact);
    // A row of another machine may close while one of this machine is open.
    if (isOfThisMachine(row)) this.forgetSamples(Date.parse(row.to));
  }

  /** It is shown all the same. */
  private unrecorded(row: ClosedRow): ClosedRow {
    const why = this.problem?.message ?? `its file in ${this.folder.path} was removed or moved`;
    return { ...row, reason: [...row.reason, reasonOf('not-recorded', { why })] };
  }

  /** Nothing was measured until this moment that a row will be built from. */
  forgetSamples(untilMs: number): void {
    const kept = this.samples.findIndex(({ wallMs }) => wallMs >= untilMs - keptMs);
    this.samples.splice(0, kept === -1 ? this.samples.length : kept);
  }

  private contradiction({ index, label }: ClosedRow, fact: Fact): void {
    const where = label === '' ? `row ${index}` : label;
    this.event('contradiction', `${where}: ${wordsOf([fact])}`, { row: index, ...fact.data });
  }

  /**
   * Resolves once run.json says so; everything else in the folder does at once. A run whose folder could not be written any more
   * has failed, whatever was measured until then: rows may be lost.
   * @returns what is recorded
   */
  end(state: Run['state'], verdict: Run['verdict'], reason: string): Promise<Ending> {
    if (this.closing) return this.closing;
    const { problem } = this;
    const between = this.betweenRows.text;
    const said = [reason, between && `${between}, which no verdict counts`]
      .filter((part) => part !== '')
      .join('; ');
    // It may be what stopped the run.
    const why = problem && !said.includes(problem.message) ? `${problem.message}: ${said}` : said;
    const ending: Ending = problem
      ? { state: 'failed', verdict: null, reason: why }
      : { state, verdict, reason: said };
    const { rows, events, samples } = this.folder.recorded;
    const recorded = { rows, events: events + 1, samples };
    const details: RunEnd = { ...ending, endedAt: this.wall.isoNow(), recorded };
    this.event('run-ended', ending.reason, { ...details });
    this.closing = this.folder.close().then(() => ending);
    this.wall.release();
    return this.closing;
  }

  private eventNow(
    kind: RunEvent['kind'],
    text: string,
    details?: Record<string, unknown>,
    streamId?: number,
  ): RunEvent {
    return { at: this.wall.isoNow(), kind, text, streamId, details };
  }
}
