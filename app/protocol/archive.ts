import { z } from 'zod';
import type { RunEvent } from '../facts/run';
import { type Verdict, verdicts } from '../facts/verdict';
import {
  type CommandOf,
  type CommandReply,
  command,
  type NameIn,
  nothing,
  ours,
  type ResultOf,
} from './command-table';
import type { StreamMark } from './console';
import type { Problem } from './errors';
import { fileGrantSchema, type GrantedFile } from './granted-file';
import type { Comparison, Regression, RunSummary } from './history';
import { runSummarySchema } from './history';
import type { ReportData, ReportLoad } from './report';
import type { Session } from './session';
import { exportKindSchema } from './shell';

/**
 * What passes between a window and the archive of recorded runs, over one MessagePort. The window sends
 * commands, each is answered once. A run is named by its folder below the folder of all runs
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

/** Null if the operator closed the dialog without choosing. */
type Chosen<Result> = Result | null;

const readingCommands = {
  /** A page of the runs that are as the filter says, newest first. */
  listRuns: command(
    {
      filter: z
        .object({
          /** As `HistoryFilter.text`. */
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
    },
    ours<RunList>(),
  ),
  /** All of one run that a screen shows. */
  openRun: command({ run }, ours<OpenedRun>()),
  /** A page of a run's events, by time; a run with many losses has many. */
  listEvents: command(
    {
      run,
      offset: z.int().nonnegative().default(0),
      limit: z.int().min(1).max(longestEventList).default(longestEventList),
    },
    ours<EventList>(),
  ),
  /** Runs of one experiment side by side; the others are held against the first. */
  compareRuns: command({ runs: z.array(run).min(2).max(mostComparedRuns) }, ours<ComparedRuns>()),
  /** Of each machine that this console looked at, the newest of its last hundred that is over. */
  listPreflights: command({}, ours<MachinePreflight[]>()),
  /** Newest first. */
  listDeleted: command({}, ours<DeletedRun[]>()),
  /** Main asks for the target. Of Parquet it is a folder. Answered with what was written, for the operator to read. */
  exportRun: command({ run, kind: exportKindSchema }, ours<Chosen<GrantedFile>>()),
  /** Writes `report.html` into the run's folder and opens it in the system's browser; a page in a browser opens what it gets. */
  openReport: command({ run }, ours<GrantedFile | null>()),
  /** A session and its runs, without their rows. */
  openSession: command({ session: run }, ours<OpenedSession>()),
  /** The same as `exportRun` with one report of several runs. `problems`: which of the runs are not whole, in words. */
  exportGroup: command(
    { group, kind: exportKindSchema },
    ours<Chosen<GrantedFile & { problems: string[] }>>(),
  ),
  /** The same in the session's folder. */
  openSessionReport: command({ session: run }, ours<GrantedFile | null>()),
  /** Shows the run's folder in the system's file manager. */
  openFolder: command({ run }, nothing),
};

/** After these the list is not as it was. */
export const changingCommands = {
  renameRun: command({ run, title: z.string() }, ours<ArchivedRun>()),
  /** switch: model and settings of the switch, which become part of the run's environment. */
  addNote: command(
    { run, kind: z.enum(['note', 'marker', 'switch']).default('note'), text: z.string() },
    ours<ArchivedRun>(),
  ),
  /** Main asks for the picture's file; an empty text: its file's name. */
  attachPicture: command({ run, text: z.string().default('') }, ours<Chosen<ArchivedRun>>()),
  /** Makes a run what later ones of its experiment are held against. */
  pinBaseline: command({ run }, ours<ArchivedRun>()),
  unpinBaseline: command({ experiment: z.string().min(1).max(100) }, nothing),
  /** Puts a run aside, out of the list, until it is restored or erased. */
  deleteRun: command({ run }, ours<DeletedRun>()),
  restoreRun: command({ deletion }, ours<ArchivedRun>()),
  /** Erases a deleted run for good. */
  eraseRun: command({ deletion }, nothing),
  /**
   * A copy of a folder, of a run or of a plan's session, becomes one of ours: of the one that was dropped onto the window,
   * or that main asks for. `unreadableLines`: what a kill or a full disk spoilt there, and readers leave out.
   */
  importRuns: command(
    { grant: fileGrantSchema.optional() },
    ours<Chosen<{ runs: ArchivedRun[]; unreadableLines: number }>>(),
  ),
};

export const archiveCommands = { ...readingCommands, ...changingCommands };

export type ArchiveCommands = typeof archiveCommands;
export type ArchiveCommandName = NameIn<ArchiveCommands>;
/** As a window writes it. */
export type ArchiveCommand<Name extends ArchiveCommandName = ArchiveCommandName> = CommandOf<
  ArchiveCommands,
  Name
>;
/** What a command is answered with. */
export type ArchiveResult<Name extends ArchiveCommandName> = ResultOf<ArchiveCommands, Name>;

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
  /** Why no baseline is marked: its file cannot be read. */
  baselinesProblem: Problem | null;
}

/** Notes, pictures, marks, load over time and causes of losses are those of the report. */
export interface OpenedRun extends ReportData {
  summary: ArchivedRun;
}

/** What a check of the preflight found. */
export interface PreflightLine {
  label: string;
  found: string;
  /** What to do about it, and a command for that machine; empty if none helps. */
  advice: string;
  command: string;
}

export interface MachinePreflight {
  /** Of its agent; null: this machine. */
  machineId: string | null;
  /** Folder of the run, below that of all runs. */
  run: string;
  startedAt: string;
  /** Of the worst line; at best INVALID where the run did not come to its end. */
  verdict: Verdict;
  isWhole: boolean;
  /** How many things were looked at. */
  checks: number;
  /** Null: all is well. */
  worst: PreflightLine | null;
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
  /** Why nothing could be held against the first run; null: something could. */
  notComparable: string | null;
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

export type ArchiveMessage =
  | CommandReply
  /** The list is not as it was, by what this window or another one did. */
  | { type: 'changed' };

/** main → window. A crashed archive is started again, at once or after some seconds, and its new port follows unasked. */
export type ArchiveLife = { state: 'running' } | { state: 'crashed'; exitCode: number };
