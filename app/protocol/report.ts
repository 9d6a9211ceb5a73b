import type { End } from '../facts/leading-cause';
import { lossStages } from '../facts/loss';
import type { Note, Run, RunEvent } from '../facts/run';
import type { StreamMark } from './console';
import type { SetDifference } from './history';
import type { ReportHeader } from './report-header';
import type { Session } from './session';

/** Figures of a load sample that a report draws, in the order of the columns of `ReportLoad`. */
export const reportLoadFigures = [
  ...(['cpuMachine', 'cpuSending', 'cpuReceiving', 'gpu'] as const),
  ...(['loopback', 'wireOut', 'wireIn', 'latencyP50', 'latencyP99', 'lost'] as const),
] as const;

/** Load and losses over the run. */
export interface ReportLoad {
  /** Wall clock, ms since 1970. */
  wallMs: number[];
  /** One array for each of `reportLoadFigures`; null if it was not measured. */
  columns: (number | null)[][];
  /** From a field of a load sample to the reason why the newest one has none. */
  notMeasured: Record<string, string>;
  /** Samples that one point stands for, by the highest of them; 1: every sample is there. */
  samplesPerPoint: number;
}

/** The same of another machine on which streams of the run ran. */
export interface MachineLoad {
  /** Of the machine. */
  name: string;
  load: ReportLoad;
}

/** Losses of one row with one cause. */
export interface LossCause {
  row: number;
  stage: LossPlace;
  /** At which end of the way, where the cause says it. */
  end: End | null;
  /** In words; where the numbers of its losses differ, their range. */
  cause: string;
  losses: number;
  /** Of an outage an estimate, beside what was counted; null: not even that is known. */
  frames: number | null;
}

/** An outage cost frames too, although none of them has a number. */
export const lossPlaces = [...lossStages, 'outage'] as const;
export type LossPlace = (typeof lossPlaces)[number];

/** What stands in the run folder and not in the page. */
export interface LossesLeftOut {
  row: number;
  losses: number;
  frames: number;
}

export interface ReportNote {
  at: string;
  kind: Note['kind'] | RunEvent['kind'];
  text: string;
}

export interface ReportPicture {
  /** When it was taken: of a row, when that began. */
  at: string;
  /** Of its file in the run folder. */
  name: string;
  /** What it is, in words; empty if it was not said. */
  caption: string;
  dataUrl: string;
}

/** The head of a page; the logo as the picture itself. */
export interface PageHeader extends Omit<ReportHeader, 'logo'> {
  /** Null: there is none. */
  logoDataUrl: string | null;
}

/** What the engine writes into the page in the place of `{}`. */
export type PageData = (ReportData | SessionReportData) & { header: PageHeader };

/** Of a run; every figure is of the run folder. */
export interface ReportData {
  /** Without the lists of single frame numbers, and with the first losses alone. */
  run: Run;
  /** Of the machine that recorded the run. */
  load: ReportLoad;
  /** Of each other machine, in the order of their first samples; absent if there is none. */
  machines?: MachineLoad[];
  marks: StreamMark[];
  causes: LossCause[];
  leftOut: LossesLeftOut[];
  /** What an operator, or the run itself, wrote down, by time. */
  notes: ReportNote[];
  pictures: ReportPicture[];
  /** Pictures of the run folder that are not in the page, and why. */
  picturesLeftOut: { name: string; reason: string }[];
}

/** A row among the rows of a session: by the place of its run there, and its own place in the run. */
export interface RowPlace {
  run: number;
  row: number;
}

/** Runs of one experiment beside each other. */
export interface Repeats {
  experiment: string;
  /** Places in the session, of those whose rows are in the page. */
  runs: number[];
  /** What was asked for differently; a value for each of the runs. */
  differences: SetDifference[];
  /** Rows that were measured with the same settings, by step and then by run. */
  steps: { label: string; rows: RowPlace[] }[];
}

/** The same for a run whose session has a page. */
export interface SessionReportRun extends ReportData {
  /** The page was full: rows, charts, losses, notes and pictures stand in the run's own report alone. */
  isShort: boolean;
}

/** Of a session, or of chosen runs. */
export interface SessionReportData {
  session: Session;
  /** In the order of the session's; null: it was not begun, or cannot be read. */
  runs: (SessionReportRun | null)[];
  /** What the runs ran on and by which thresholds they were judged, where that differs; a value for each run that is there. */
  differences: SetDifference[];
  /** Of each experiment with more than one run. */
  repeats: Repeats[];
}
