import { z } from 'zod';
import type { RunEvent } from '../facts/run';
import { verdicts } from '../facts/verdict';
import type { StreamMark } from './console';
import type { Problem } from './errors';
import { fileGrantSchema } from './granted-file';
import type { Comparison, Regression, RunSummary } from './history';
import { runSummarySchema } from './history';
import type { ReportData, ReportLoad } from './report';
import type { Session } from './session';
import { exportKindSchema } from './shell';

/**
 * What passes between a window and the archive of recorded runs, over one MessagePort. The window sends
 * `ArchiveRequest`s, each is answered once. A run is named by its folder below the folder of all runs
 * (`RunSummary.folder`); a path never comes from a window: where one is needed, main's dialog asks the operator, or what
 * was dropped onto the window is reached by a word of main's.
 */

/** Of `RunSummary.folder`. */
const run = z.string().min(1).max(500);
/** In UTC, as runs record their times, so that texts can be compared. */
const moment = z.iso.datetime();
const deletion = z.string().min(1).max(100);

export const longestRunList = 500;
export const longestEventList = 1000;
export const mostComparedRuns = 6;
export const mostReportedRuns = 100;

/** What one report is made of: all runs of a session (`ArchivedRun.session`), or chosen ones, in their order. */
const group = z.union([
  z.object({ session: run }),
  z.object({ runs: z.array(run).min(2).max(mostReportedRuns) }),
]);
export type ReportedGroup = z.infer<typeof group>;

export const archiveCommandSchema = z.discriminatedUnion('name', [
  /** A page of the runs that are as the filter says, newest first. */
  z.object({
    name: z.literal('listRuns'),
    filter: z
      .object({
        /** Words that must all stand somewhere in title, sentence, notes, command, hosts or folder. */
        text: z.string().max(500).optional(),
        experiment: z.string().max(100).optional(),
        verdict: z.enum(verdicts).optional(),
        state: runSummarySchema.shape.state.optional(),
        /** One of `RunList.hosts`. */
        host: z.string().max(200).optional(),
        /** Began at this moment or later, and before that one. */
        from: moment.optional(),
        before: moment.optional(),
      })
      .default({}),
    offset: z.int().nonnegative().default(0),
    limit: z.int().min(1).max(longestRunList).default(100),
  }),
  /** All of one run that a screen shows. */
  z.object({ name: z.literal('openRun'), run }),
  /** A page of a run's events, by time; a run with many losses has many. */
  z.object({
    name: z.literal('listEvents'),
    run,
    offset: z.int().nonnegative().default(0),
    limit: z.int().min(1).max(longestEventList).default(longestEventList),
  }),
  /** Runs of one experiment side by side; the others are held against the first. */
  z.object({ name: z.literal('compareRuns'), runs: z.array(run).min(2).max(mostComparedRuns) }),
  z.object({ name: z.literal('renameRun'), run, title: z.string() }),
  /** switch: model and settings of the switch, which become part of the run's environment. */
  z.object({
    name: z.literal('addNote'),
    run,
    kind: z.enum(['note', 'marker', 'switch']).default('note'),
    text: z.string(),
  }),
  /** Main asks for the picture's file; an empty text: its file's name. */
  z.object({ name: z.literal('attachPicture'), run, text: z.string().default('') }),
  /** Makes a run what later ones of its experiment are held against. */
  z.object({ name: z.literal('pinBaseline'), run }),
  z.object({ name: z.literal('unpinBaseline'), experiment: z.string().min(1).max(100) }),
  /** Puts a run aside, out of the list, until it is restored or erased. */
  z.object({ name: z.literal('deleteRun'), run }),
  z.object({ name: z.literal('listDeleted') }),
  z.object({ name: z.literal('restoreRun'), deletion }),
  /** Erases a deleted run for good. */
  z.object({ name: z.literal('eraseRun'), deletion }),
  /**
   * A copy of a folder, of a run or of a plan's session, becomes one of ours: of the one that was dropped onto the window,
   * or that main asks for.
   */
  z.object({ name: z.literal('importRuns'), grant: fileGrantSchema.optional() }),
  /** Main asks for the target. Of Parquet it is a folder. */
  z.object({ name: z.literal('exportRun'), run, kind: exportKindSchema }),
  /** Writes `report.html` into the run's folder and opens it in the system's browser. */
  z.object({ name: z.literal('openReport'), run }),
  /** A session and its runs, without their rows. */
  z.object({ name: z.literal('openSession'), session: run }),
  /** The same as `exportRun` with one report of several runs. */
  z.object({ name: z.literal('exportGroup'), group, kind: exportKindSchema }),
  /** Writes `report.html` into the session's folder and opens it in the system's browser. */
  z.object({ name: z.literal('openSessionReport'), session: run }),
  /** Shows the run's folder in the system's file manager. */
  z.object({ name: z.literal('openFolder'), run }),
]);

/** As it arrives: defaults are filled in. */
export type ArchiveCommand = z.infer<typeof archiveCommandSchema>;
/** As a window writes it. */
export type ArchiveCommandInput = z.input<typeof archiveCommandSchema>;
export type ArchiveCommandName = ArchiveCommand['name'];

export const archiveRequestSchema = z.object({
  type: z.literal('request'),
  requestId: z.int(),
  command: archiveCommandSchema,
});
export type ArchiveRequest = z.input<typeof archiveRequestSchema>;

/** A run as the history lists it. */
export interface ArchivedRun extends RunSummary {
  /** Whether it is pinned as the baseline of its experiment. */
  isBaseline: boolean;
  /** Folder of the session that it is a run of; null: it was run on its own. */
  session: string | null;
  /** What that session is called; null without one. */
  sessionName: string | null;
}

export interface RunList {
  /** The page that was asked for. */
  runs: ArchivedRun[];
  /** Runs that are as the filter says, on all pages. */
  total: number;
  /** All there is to filter by, whatever the filter is now; by name. */
  experiments: string[];
  hosts: string[];
  /** Runs in the folder, whatever the filter is now: 0 is an empty archive. */
  recorded: number;
  /** By experiment, the folder of its baseline. */
  baselines: Record<string, string>;
}

/** Notes, pictures, marks, load over time and causes of losses are those of the report. */
export interface OpenedRun extends ReportData {
  summary: ArchivedRun;
}

export interface OpenedSession {
  /** As its runs are now. */
  session: Session;
  /** In the order of the session's; null: it was not begun, or cannot be read. */
  runs: (ArchivedRun | null)[];
}

export interface EventList {
  /** The page that was asked for. */
  events: RunEvent[];
  total: number;
}

export interface ComparedRuns {
  comparison: Comparison;
  /** In the order in which they were asked for. */
  runs: { summary: ArchivedRun; load: ReportLoad; marks: StreamMark[] }[];
  /** What is worse than in the first run, by more than noise and the tolerance. */
  regressions: Regression[];
  /** What is worse by more than the tolerance, while the noise is not known. */
  unjudged: Regression[];
  /** Steps and losses of the first run that were not measured again, or are INVALID. */
  notJudged: string[];
}

export interface DeletedRun {
  /** Names the deletion: what `restoreRun` and `eraseRun` take. */
  deletion: string;
  /** Where the run was, and will be again. */
  folder: string;
  title: string;
  experiment: string;
  startedAt: string;
  deletedAt: string;
  /** It was the pinned baseline of its experiment, which has none any more. */
  wasBaseline: boolean;
}

/** Null where the operator closed the dialog without choosing. */
type Chosen<Result> = Result | null;

/** What each command is answered with. */
export interface ArchiveResults {
  listRuns: RunList;
  openRun: OpenedRun;
  listEvents: EventList;
  compareRuns: ComparedRuns;
  renameRun: ArchivedRun;
  addNote: ArchivedRun;
  attachPicture: Chosen<ArchivedRun>;
  pinBaseline: ArchivedRun;
  unpinBaseline: null;
  deleteRun: DeletedRun;
  /** Newest first. */
  listDeleted: DeletedRun[];
  restoreRun: ArchivedRun;
  eraseRun: null;
  /** `unreadableLines`: what a kill or a full disk spoilt there, and readers leave out. */
  importRuns: Chosen<{ runs: ArchivedRun[]; unreadableLines: number }>;
  /** What was written, for the operator to read. */
  exportRun: Chosen<{ path: string }>;
  openReport: null;
  openSession: OpenedSession;
  /** `problems`: which of the runs are not whole, in words. */
  exportGroup: Chosen<{ path: string; problems: string[] }>;
  openSessionReport: null;
  openFolder: null;
}

export type ArchiveMessage =
  | {
      [Name in ArchiveCommandName]: {
        type: 'result';
        requestId: number;
        name: Name;
        result: ArchiveResults[Name];
      };
    }[ArchiveCommandName]
  | { type: 'refusal'; requestId: number; problem: Problem }
  /** The list is not as it was, by what this window or another one did. */
  | { type: 'changed' };

/** main → window. A crashed archive is started again, at once or after some seconds, and its new port follows unasked. */
export type ArchiveLife = { state: 'running' } | { state: 'crashed'; exitCode: number };
