import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Engine } from '../engine/engine';
import { readEvents, readRun, runFiles } from '../engine/sessions/read-run';
import type { Figures } from '../facts/figure';
import type { Run, RunEvent } from '../facts/run';
import type { CommandOf, ResultOf } from '../protocol/command-table';
import type { ReportData } from '../protocol/report';
import { type Row, readStreamRun } from './named-rows';
import { SimulatedClock } from './simulated-clock';
import { type EngineCommandName, type EngineCommands, SimulatedEngine } from './simulated-engine';
import { SimulatedHosts } from './simulated-hosts';
import { SimulatedLoad } from './simulated-load';

const template = '<script type="application/json" id="whiteline-run">{}</script>';

/** An hour of simulated time: a run that has not ended by then never does. */
const longestSeconds = 3600;

/** An engine, stream hosts and a load that are all made up: whole runs of experiments, always with the same figures. */
export class SimulatedBench {
  readonly clock = new SimulatedClock();
  readonly hosts = new SimulatedHosts(this.clock);
  readonly load = new SimulatedLoad();
  private readonly simulated: SimulatedEngine;

  private constructor(private readonly folder: string) {
    this.hosts.reportTemplate = join(folder, 'template.html');
    writeFileSync(this.hosts.reportTemplate, template);
    this.simulated = new SimulatedEngine(this.hosts, folder, this.clock, { sampleLoad: this.load.sample });
  }

  static async start(folder: string): Promise<SimulatedBench> {
    const bench = new SimulatedBench(folder);
    await bench.simulated.start();
    return bench;
  }

  get engine(): Engine {
    return this.simulated.engine;
  }

  /** Starts an experiment, which goes on while time passes. */
  async begin(experiment: string, parameters: Record<string, unknown>): Promise<void> {
    await this.simulated.execute({ name: 'startExperiment', experiment, parameters });
  }

  /** Runs an experiment to its end. */
  async run(experiment: string, parameters: Record<string, unknown>): Promise<void> {
    await this.begin(experiment, parameters);
    await this.ended();
  }

  ended(): Promise<void> {
    return this.clock.untilSo(() => this.engine.state().mode === 'idle', longestSeconds);
  }

  execute<Name extends EngineCommandName>(
    command: CommandOf<EngineCommands, Name>,
  ): Promise<ResultOf<EngineCommands, Name>> {
    return this.simulated.execute(command);
  }

  /**
   * Waits until a row of this many streams has been open for a while.
   * @returns what is to come of each of them
   */
  async inRow(streams: number, { phase = 'measuring', seconds = 0.5 } = {}): Promise<void> {
    await this.clock.untilSo(() => {
      const { progress } = this.engine.state();
      return progress?.phase === phase && progress.step === streams;
    });
    await this.clock.pass(seconds * 1000);
  }

  get runFolder(): string {
    return this.engine.state().run?.folder ?? '';
  }

  readRun() {
    return readStreamRun(this.runFolder);
  }

  /** By which facts each row was judged, in the order of its reason. */
  codes(): string[][] {
    return readRun(this.runFolder).rows.map(({ reason }) => reason.map(({ code }) => code));
  }

  /** The figures of a stream of a row, as they are recorded. */
  figures(row: number, stream = 0): Figures {
    return readRun(this.runFolder).rows[row]?.subjects?.[stream]?.figures ?? {};
  }

  events(...kinds: RunEvent['kind'][]): RunEvent[] {
    return readEvents(this.runFolder).filter(({ kind }) => kinds.includes(kind));
  }

  /** The newest run as a report of this kind. */
  async exported(kind: 'json' | 'csv' | 'html' | 'junit'): Promise<string> {
    const path = join(this.folder, `report.${kind}`);
    await this.execute({ name: 'export', kind, grant: this.hosts.chosen('export', path) });
    return readFileSync(path, 'utf8');
  }

  /** What the report as a page shows of it. */
  async reported(): Promise<ReportData> {
    const [, data = ''] = /id="whiteline-run">(.*)<\/script>/s.exec(await this.exported('html')) ?? [];
    return JSON.parse(data) as ReportData;
  }

  /** All that is written of the newest run says the same; each part of each row is whole, whatever was lost in it. */
  async expectWhole(): Promise<void> {
    const run = readRun(this.runFolder);
    expect(JSON.parse(readFileSync(join(this.runFolder, runFiles.run), 'utf8'))).toEqual(asWritten(run));
    expect(JSON.parse(await this.exported('json'))).toEqual(asWritten(run));
    const { run: reported, marks } = await this.reported();
    expect(withLists(reported, run)).toEqual(asWritten(run));
    expect(marks).toHaveLength(this.events('stream-added', 'stream-removed').length);
    for (const part of this.readRun().rows.flatMap((row) => [row, ...row.perStream])) {
      const { framesScheduled, framesSubmitted, framesSenderMissed, framesReceived, framesDropped } = part;
      // Of a sender without records it is not known what it did with which number.
      if (framesSubmitted === null || framesReceived === null) continue;
      expect(framesScheduled).toBe(framesSubmitted + (framesSenderMissed ?? 0));
      expect(framesSubmitted).toBe(framesReceived + (framesDropped ?? 0));
      expect(part.conserved).toBe(true);
    }
  }

  close(): Promise<void> {
    return this.simulated.close();
  }
}

/** Scheduled, missed by the sender, submitted, received, dropped. */
export function sumsOf(part: Pick<Row, (typeof summed)[number]>): (number | null)[] {
  return summed.map((id) => part[id]);
}

const summed = [
  ...(['framesScheduled', 'framesSenderMissed', 'framesSubmitted'] as const),
  ...(['framesReceived', 'framesDropped'] as const),
] as const;

/** A page has room for the losses, and not for the number of each frame. */
function withLists(reported: Run, { rows }: Run): Run {
  const numbers = (row: number, subject: number) => {
    const { droppedFrames, missedFrames } = rows[row]?.subjects?.[subject]?.figures ?? {};
    return { droppedFrames, missedFrames };
  };
  const withNumbers = (one: Run['rows'][number], row: number) => ({
    ...one,
    subjects: one.subjects?.map((subject, index) => ({
      ...subject,
      figures: { ...subject.figures, ...numbers(row, index) },
    })),
  });
  return { ...reported, rows: reported.rows.map(withNumbers) } as Run;
}

function asWritten(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
