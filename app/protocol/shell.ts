import { z } from 'zod';
import { type CommandRequest, commandReplySchema } from './command-table';
import type { EngineState } from './console';

/** What passes between Electron's main process, its windows and the engine process. */

export type EngineLife = { state: 'starting' | 'running' } | { state: 'crashed'; exitCode: number };

/** What closing the console would end; silent: the engine runs and does not say. */
export type EngineActivity = { mode: EngineState['mode']; streams: number } | { mode: 'silent' };

/** Only these may be opened in the system's browser. */
export const externalLinks = ['https://ndi.video'] as const;
export type ExternalLink = (typeof externalLinks)[number];

/** As what a run can be written to one file. */
export const exportKindSchema = z.enum(['html', 'pdf', 'json', 'csv', 'junit', 'parquet']);
export type ExportKind = z.infer<typeof exportKindSchema>;

/** main → engine process and back, beside the windows' ports. */
export const toEngineSchema = z.discriminatedUnion('type', [
  /** A window's port comes with this message. */
  z.object({ type: z.literal('window-port') }),
  /** The port to a stream host comes with this message. */
  z.object({ type: z.literal('host-port'), spawnId: z.int() }),
  z.object({ type: z.literal('host-exit'), spawnId: z.int(), exitCode: z.int() }),
  /** Process ids that belong to the console itself (main, windows, GPU process). */
  z.object({ type: z.literal('console-processes'), processIds: z.array(z.int()) }),
  commandReplySchema,
  /** Answered with `activity`. */
  z.object({ type: z.literal('ask-activity') }),
  z.object({ type: z.literal('shut-down') }),
]);
export type ToEngine = z.infer<typeof toEngineSchema>;

export type FromEngine =
  | { type: 'ready' }
  /** Main forks a stream host, sends its port as `host-port`, and `host-exit` when it is gone. */
  /** `isViewed`: windows view what it has. */
  | { type: 'spawn-host'; spawnId: number; role: 'sending' | 'receiving'; isViewed: boolean }
  | { type: 'kill-host'; spawnId: number }
  /** Of `engineApplicationCommands`. */
  | CommandRequest
  | { type: 'activity'; activity: EngineActivity }
  | { type: 'shut-down-done' };

/** Starts the app to print one page: followed by the page's file and that of the PDF. */
export const printFlag = '--print-page';

/** Environment variables by which main gives the engine process the places of things. */
export const engineEnvironment = {
  runsFolder: 'WHITELINE_RUNS',
  ndiPath: 'WHITELINE_NDI_PATH',
  /** Hosts asked for their sources directly, with commas between them. */
  searchHosts: 'WHITELINE_SEARCH_HOSTS',
  /** Profile of thresholds if none is named: a built-in one's name or the path of a file. */
  thresholds: 'WHITELINE_THRESHOLDS',
  /** on or off: whether the console is a node of NMOS; the others are how. */
  nmosNode: 'WHITELINE_NMOS_NODE',
  nmosRegistry: 'WHITELINE_NMOS_REGISTRY',
  nmosHost: 'WHITELINE_NMOS_HOST',
  nmosPort: 'WHITELINE_NMOS_PORT',
  nmosReceivers: 'WHITELINE_NMOS_RECEIVERS',
  appFolder: 'WHITELINE_APP_FOLDER',
  /** Of the fleet that this user has set up. */
  fleetFolder: 'WHITELINE_FLEET_FOLDER',
  /** Where metrics for Prometheus are served: a port of 127.0.0.1, or an address with its port. */
  metrics: 'WHITELINE_METRICS',
  /** Folder in which receivers log each captured number on their own, for tests that count again. */
  captureLogs: 'WHITELINE_CAPTURE_LOGS',
} as const;
