import { z } from 'zod';
import { type CommandOf, command, type NameIn, nothing, ours, type ResultOf } from './command-table';
import {
  type ExperimentOffer,
  type LiveSource,
  type PlayedSource,
  type PreviewsState,
  type ServedRight,
  streamLabelSchema,
} from './console';
import type { ContentBattery } from './content-battery';
import { displayReportSchema } from './display';
import type { FleetView, MachineFacts, MadeInvitation } from './fleet/fleet-view';
import { longestMovieName, type MovieList } from './fleet/movie-list';
import type { MovieLook } from './fleet/movies';
import { remotePreviewLimits } from './fleet/remote-preview';
import { agentIdSchema } from './fleet/subjects';
import { fileGrantSchema } from './granted-file';
import { shallowRecord, shallowValue } from './nesting';
import type { InterfaceOffer } from './network-interface';
import { nmosCommands } from './nmos';
import { parsedBy } from './parsed-by';
import type { Plan } from './plan';
import { exportKindSchema } from './shell';
import { machineNameSchema, streamSourceSchema } from './stream-parameters';
import type { KnownLoss, TimelineBlock } from './timeline';
import { visibleName } from './visible-name';

/** A host, or "host:port". Looking up the name finds errors. */
const senderPlaceSchema = z.string().max(300);

/** What a window asks of the engine, by subject. Beside the answers the engine pushes `EngineNews` (console.ts). */

export const streamCommands = {
  /** Adds one stream of this source; the first one opens the source and a live run. */
  addStream: command({ parameters: streamSourceSchema }, nothing),
  /** Adds the stream of a remote sender, by NDI's full name, or where it listens; the first one opens a live run that follows others. */
  followSource: command(
    { source: z.string().min(1).max(255), address: senderPlaceSchema.optional() },
    nothing,
  ),
  /** Looks for senders at this host too; of one with a port it checks that there may be a sender. */
  searchAddress: command({ address: senderPlaceSchema }, ours<{ hasPort: boolean }>()),
  /** What discovery lists now. */
  listLiveSources: command({}, ours<LiveSource[]>()),
  /** Names of the machines of the fleet whose agents are connected; none if this user has no fleet, or its server does not run. */
  listMachines: command({}, ours<string[]>()),
  /** Movies that the agent of this machine offers, by their names there. */
  listMovies: command({ machine: machineNameSchema }, ours<MovieList>()),
  /** What that agent would play of one of them. */
  inspectMovie: command(
    { machine: machineNameSchema, movie: z.string().min(1).max(longestMovieName) },
    ours<MovieLook>(),
  ),
  /** Removes a stream, the newest without an id. */
  removeStream: command({ streamId: z.int().positive().optional() }, nothing),
  /** What a stream of a live run is called from the next row on; its NDI name stays. */
  renameStream: command({ streamId: z.int().positive(), streamName: streamLabelSchema }, nothing),
  /** A stream over a range of wall time, ms since 1970; without one, its newest minute. */
  timeline: command(
    {
      streamId: z.int().positive(),
      range: z.object({ fromMs: z.number(), toMs: z.number() }).nullable().default(null),
    },
    ours<TimelineBlock>(),
  ),
  /** What is known of the cause of a loss of a stream, by its key in the timeline; null: there is none. */
  explainLoss: command(
    { streamId: z.int().positive(), key: z.string().min(1).max(64) },
    ours<KnownLoss | null>(),
  ),
  /** What became of a stream's frames in a display window. */
  reportDisplay: command({ report: displayReportSchema }, nothing),
};

export const fleetCommands = {
  /** The machines that were invited, and what each does now. `known`: revision of the newest answer; 0: none. */
  viewFleet: command({ known: z.int().nonnegative().default(0) }, ours<FleetView>()),
  /** What a machine is; null if its agent is not heard. */
  readMachine: command({ id: agentIdSchema }, ours<MachineFacts | null>()),
  /** Writes the join file of a machine. `isAgain`: of one that was invited already, whose secret from before ends. */
  inviteMachine: command(
    { machine: machineNameSchema, grant: fileGrantSchema, isAgain: z.boolean().default(false) },
    ours<MadeInvitation>(),
  ),
};

export const runCommands = {
  /** Runs an experiment to its end. `thresholds`: a built-in profile's name, or the path of a file. */
  startExperiment: command(
    { experiment: z.string(), parameters: shallowRecord, thresholds: z.string().optional() },
    nothing,
  ),
  /** Runs all experiments of a plan (`planSchema`), once all of it was checked. */
  startPlan: command({ plan: shallowValue }, nothing),
  /** Ends the plan or the experiment, or removes all streams and ends the live run. What was measured stays. */
  stop: command({}, nothing),
  /** Checks the values of a form while they are typed. */
  checkParameters: command(
    { experiment: z.string(), parameters: shallowRecord },
    ours<PlayedSource | null>(),
  ),
  listExperiments: command({}, ours<ExperimentOffer[]>()),
  /** The network interfaces of this machine. */
  listInterfaces: command({}, ours<InterfaceOffer[]>()),
};

export const planCommands = {
  /** Writes a plan as a YAML file, for `whiteline run`. */
  savePlan: command({ plan: shallowValue, grant: fileGrantSchema }, nothing),
  /** What stands in this file, sound as far as it was written. */
  openPlan: command({ grant: fileGrantSchema }, ours<Plan>()),
};

/** Of a run in this folder below the folder of all runs; without one, of the newest run. */
const run = z.string().optional();

export const recordCommands = {
  /** The next run begins another session of this console; an empty name: it is called after its time. */
  newSession: command(
    {
      title: z
        .string()
        .trim()
        .max(200)
        .superRefine(parsedBy((title) => visibleName('title', title))),
    },
    nothing,
  ),
  /** Writes the newest run as one file. Parquet is the archive's: the engine's process loads no DuckDB. */
  export: command({ kind: exportKindSchema.exclude(['parquet']), grant: fileGrantSchema }, nothing),
  /**
   * renamed: the text is its new title; switch: model and settings of the switch. The text of a marker of the newest run may be
   * empty: then it is numbered.
   */
  /** `atMs`: the moment of which it is, by the engine's wall clock, in ms since 1970: the engine may read it later. Default: now. */
  addNote: command(
    {
      kind: z.enum(['note', 'marker', 'renamed', 'switch']),
      text: z.string(),
      atMs: z.number().nonnegative().optional(),
      run,
    },
    nothing,
  ),
  /** Copies a picture into a run's folder. */
  attachPicture: command({ grant: fileGrantSchema, text: z.string().default(''), run }, nothing),
  dismissAlert: command({ key: z.string() }, nothing),
};

export const contentCommands = {
  /** The clips of the content battery, and what was made of them here. */
  listBattery: command({}, ours<ContentBattery>()),
  /** Makes a clip of it in the usual way, while nothing is measured; answered once it is made, or was stopped. */
  makeClip: command({ clip: z.string(), format: z.string() }, nothing),
};

/** Those that do the same whichever window asks. */
export const engineCommands = {
  ...streamCommands,
  ...fleetCommands,
  ...runCommands,
  ...planCommands,
  ...recordCommands,
  ...contentCommands,
};

export const consoleCommands = {
  /** Asks for all there is to show, and what the window may do; sent first, and after a reload. */
  hello: command({}, ours<ServedRight>()),
  /**
   * Asks for the next picture of a stream that another machine receives; a new one is posted before the answer. `after`: the number of
   * the answer before, 0 at first.
   */
  previewElsewhere: command(
    {
      streamId: z.int().positive(),
      maxWidth: z.int().min(16).max(remotePreviewLimits.mostWidth),
      after: z.int().nonnegative(),
    },
    ours<{ state: PreviewsState; number: number }>(),
  ),
  ...engineCommands,
  ...nmosCommands,
};

export type ConsoleCommands = typeof consoleCommands;
export type CommandName = NameIn<ConsoleCommands>;
export type Command<Name extends CommandName = CommandName> = CommandOf<ConsoleCommands, Name>;
export type CommandResult<Name extends CommandName> = ResultOf<ConsoleCommands, Name>;
