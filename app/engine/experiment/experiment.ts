import type { z } from 'zod';
import type { ExperimentDeclaration } from '../../experiments/declaration';
import type { EventKind } from '../../facts/event-kinds';
import type { ClosedRow } from '../../facts/row';
import type { Verdict } from '../../facts/verdict';
import type { Clock } from '../../protocol/clock';
import type { PlayedSource, Progress } from '../../protocol/console';
import type { LoadSample } from '../../protocol/load';
import type { SourceSettings } from '../../protocol/source-spec';
import type { Thresholds } from '../../protocol/thresholds';
import type { HelperElsewhere } from '../capabilities/helper/helper-elsewhere';
import type { Helpers } from '../capabilities/helper/helpers';
import type { NativeHost } from '../capabilities/native-host';
import type { RemoteMachine } from '../host-application';
import type { ProcessStandstill } from '../load/standstills';
import type { MachineBooks } from '../machine/machine-books';
import type { MachineField } from '../machines/no-machine';
import type { RunEnvironment } from '../sessions/environment';
import type { RowMeter } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';
import type { StreamSet } from '../streams/stream-set';
import type { RunTool } from '../tools/run-tool';
import type { MachineCheck } from './machine-check';

/** What every run has. */
export interface RunContext {
  /** All time that an experiment reads or waits for. */
  clock: Clock;
  thresholds: Thresholds;
  /** What starts a process or a thread ends it when this aborts. */
  signal: AbortSignal;
  /** The run's folder, for pictures and for what tools wrote. */
  folder: string;
  /** Wall time by the run's clock, ISO 8601. */
  isoNow(): string;
  progress(progress: Progress): void;
  noteEvent(kind: EventKind, text: string, details?: Record<string, unknown>): void;
  /** Load samples of this machine since the newest row that lie wholly between two moments of the monotonic clock. */
  samples(fromNs: number, toNs: number): LoadSample[];
  /** Standstills of all processes that measure, tools too, that overlap the time between two moments. */
  standstills(fromNs: number, toNs: number): ProcessStandstill[];
  /** Processes that are ours: the engine, windows, stream hosts that are known to it. */
  processIds(): number[];
}

/** What an experiment may need beyond that: the runner opens it before the run and closes it after the run, however it ends. */
export interface Capabilities {
  streams: {
    /** The streams of this machine, in its stream hosts. */
    set: StreamSet;
    /** Opens the next row of streams between two moments of the monotonic clock. */
    openRow(index: number, streams: Stream[], fromNs: number, toNs: number): RowMeter;
    /** Counts frames of streams that run beside what is measured: windows show no row of them. */
    meterBeside(streams: Stream[], fromNs: number): RowMeter;
  };
  /** Answers what only native code can find out, such as movies and the drivers of network cards; works without a transport. */
  native: NativeHost;
  /** Starts executables that measure for us (docs/helpers.md); what still runs when the run ends is stopped. */
  helper: Pick<Helpers, 'start'>;
  /** Runs programs of others, such as iperf3. */
  tools: { run: RunTool };
  machine: MachineBooks;
  machines: {
    /**
     * Leases the machine of this name until the run is over; what it is, and what it is sampled, is recorded from now on.
     * @throws WhitelineError BAD_INPUT naming the parameter if no agent of this name is connected; LEASE_HELD
     */
    take(field: MachineField, name: string): Promise<RemoteMachine>;
  };
  experiments: {
    /**
     * Runs another experiment as a part of this one. The context must have what that experiment needs. Its rows do not enter this run.
     * @throws WhitelineError BAD_INPUT for parameters that it does not accept; its own errors
     */
    rowsOf(
      id: string,
      parameters: Readonly<Record<string, unknown>>,
      context: ContextWith<Capability>,
    ): AsyncGenerator<ClosedRow>;
  };
}

export type Capability = keyof Capabilities;
export type ContextWith<Needed extends Capability> = RunContext & Pick<Capabilities, Needed>;
/** The context of an experiment that measures streams. */
export type StreamsContext = ContextWith<'streams'>;

/** A binary or capability that an experiment needs. */
export interface Requirement {
  name: string;
  /** Null when it is met, otherwise what is missing and how to get it, as sentences. */
  check(): Promise<string | null>;
}

export interface RunVerdict {
  /** INVALID: our own instrument could not keep up, or what was measured is not what was asked for. */
  verdict: Verdict;
  /** The one sentence that matters. */
  reason: string;
}

/** What is checked before a run starts. */
export interface Checked {
  /** What is measured, as one line above the table. */
  subject: string;
  /** Goes into the run's environment: the source, the tool's version, the disk … */
  environment: RunEnvironment;
  /** For an experiment that plays a source: what is special about how it plays. */
  played?: PlayedSource;
}

/** Everything the console can measure looks like this; adding one means adding one folder in `app/experiments`. */
export interface Experiment<
  Schema extends z.ZodObject = z.ZodObject,
  OwnRow extends ClosedRow = ClosedRow,
  Needed extends Capability = Capability,
> {
  declaration: ExperimentDeclaration<Schema>;
  /** What of the context it uses with these parameters; of what the types give it nothing else is opened. */
  needs(parameters: z.output<Schema>): readonly Needed[];
  /** All are checked before a run starts; what is missing refuses the run, with how to get it. */
  requires(parameters: z.output<Schema>): Requirement[];
  /**
   * Checks what is known on this machine alone: a movie, a folder, a host.
   * @throws WhitelineError naming the field, the value and the remedy
   */
  check(parameters: z.output<Schema>, host: NativeHost): Promise<Checked>;
  /** What of `check` concerns single fields, so that a form says it while others are wrong too. */
  machineChecks?: readonly MachineCheck[];
  /** Of an experiment that can send on another machine: what is played. Movies of that machine its agent checks before a run starts. */
  sources?(parameters: z.output<Schema>): readonly SourceSettings[];
  /** Programs of it that an agent starts on another machine. */
  helpersElsewhere?: readonly HelperElsewhere[];
  /** Yields rows as they close; ends early, without error, when the signal aborts. */
  run(parameters: z.output<Schema>, context: ContextWith<Needed>): AsyncGenerator<OwnRow>;
  /** The best that a row of these figures can be: what another machine says beyond it is not believed. Absent: they alone do not say. */
  bestVerdict?(row: ClosedRow, thresholds: Thresholds): Verdict;
  /** What measuring such a row takes at least: another machine that says one earlier is not believed. Absent: it may be over at once. */
  leastSeconds?(row: ClosedRow, parameters: z.output<Schema>): number;
  /**
   * What the rows lack of all that was asked for, as it follows "the experiment"; null: nothing. Another machine whose run ends
   * so, without an error and without our stop, is not believed. Absent: rows alone do not say.
   */
  lacks?(rows: readonly ClosedRow[], parameters: z.output<Schema>): string | null;
  /**
   * The verdict of a run that came to its end.
   * @param rows all that it yielded
   */
  verdict(rows: readonly OwnRow[], parameters: z.output<Schema>, thresholds: Thresholds): RunVerdict;
}
