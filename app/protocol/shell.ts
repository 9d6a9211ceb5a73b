import { z } from 'zod';

/** What passes between Electron's main process, its windows and the engine process. */

export type EngineLife = { state: 'starting' | 'running' } | { state: 'crashed'; exitCode: number };

/** Only these may be opened in the system's browser. */
export const externalLinks = ['https://ndi.video'] as const;
export type ExternalLink = (typeof externalLinks)[number];

export const exportKindSchema = z.enum(['html', 'json', 'csv']);
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
  z.object({ type: z.literal('shut-down') }),
]);
export type ToEngine = z.infer<typeof toEngineSchema>;

export type FromEngine =
  | { type: 'ready' }
  /** Main forks a stream host, sends its port as `host-port`, and `host-exit` when it is gone. */
  | { type: 'spawn-host'; spawnId: number; role: 'sending' | 'receiving' }
  | { type: 'kill-host'; spawnId: number }
  | { type: 'shut-down-done' };

/** Environment variables by which main tells the engine process where things are. */
export const engineEnvironment = {
  runsFolder: 'WHITELINE_RUNS',
  ndiPath: 'WHITELINE_NDI_PATH',
  appFolder: 'WHITELINE_APP_FOLDER',
  /** Folder in which receivers log each captured number on their own, for tests that count again. */
  captureLogs: 'WHITELINE_CAPTURE_LOGS',
} as const;
