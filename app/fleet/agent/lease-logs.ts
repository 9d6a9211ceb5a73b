import { createHash } from 'node:crypto';
import { closeSync, constants, lstatSync, mkdirSync, mkdtempSync, openSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeProblem } from '../../engine/sessions/append-file';
import { badInput, WhitelineError } from '../../protocol/errors';
import { type KeptLog, type LogDigest, logPieceBytes, mostLogs } from '../../protocol/fleet/capture-logs';

const { O_CREAT, O_EXCL, O_WRONLY, O_RDONLY, O_NOFOLLOW } = constants;
const folderMode = 0o700;
const fileMode = 0o600;

/** Where a receiver writes its log, and how long that may become. */
export interface LogPlace {
  path: string;
  mostBytes: number;
}

interface Log extends LogPlace {
  /** Position in the list + 1, by which the console calls it. */
  logId: number;
  streamId: number;
  hostId: string;
  /** Once nothing more is written to it; null before. */
  bytes: number | null;
}

export interface LeaseLogsOptions {
  /** The folder of this lease, where the agent's own user keeps logs; null: they are kept until the lease ends. */
  folder: string | null;
  /** Of all of them together. */
  mostBytes: number;
  /** Each may have the same share. */
  streams: number;
  /** Runs still: what it writes is not all there yet. */
  isRunning(hostId: string): boolean;
}

/** Logs of captured numbers of the receivers of one lease: for their user alone, bounded, and called by numbers. */
export class LeaseLogs {
  private folder: string | null = null;
  private readonly logs: Log[] = [];
  private isDigesting = false;

  constructor(private readonly options: LeaseLogsOptions) {}

  /**
   * Of a receiver that is opened in a host; one that is opened there again goes on in its file. Undefined: there are too many.
   * @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL
   */
  open(hostId: string, streamId: number): LogPlace | undefined {
    const known = this.logs.find((log) => log.hostId === hostId && log.streamId === streamId);
    if (known) {
      known.bytes = null;
      return known;
    }
    if (this.logs.length >= mostLogs) return undefined;
    this.folder ??= this.makeFolder();
    const ofStream = this.logs.filter((log) => log.streamId === streamId).length;
    const name = ofStream === 0 ? `captured-${streamId}.log` : `captured-${streamId}-${ofStream + 1}.log`;
    const path = join(this.folder, name);
    const { mostBytes, streams } = this.options;
    const share = Math.floor(mostBytes / streams);
    const log: Log = {
      ...{ path, mostBytes: Math.max(0, Math.min(share, mostBytes - this.takenBytes())) },
      ...{ logId: this.logs.length + 1, streamId, hostId, bytes: null },
    };
    makeFile(path);
    this.logs.push(log);
    return log;
  }

  /** Its receiver is closed. */
  close(hostId: string, streamId: number): void {
    const log = this.logs.find((one) => one.hostId === hostId && one.streamId === streamId);
    if (log) log.bytes = sizeOf(log.path);
  }

  list(): KeptLog[] {
    return this.logs.map(({ logId, streamId, hostId, path }) => ({
      ...{ logId, streamId, bytes: sizeOf(path) },
      isOpen: this.options.isRunning(hostId),
    }));
  }

  /** @throws WhitelineError NOT_FOUND; BAD_INPUT while it is written */
  read(logId: number, from: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.withFile(logId, (file) => pieceOf(file, from));
  }

  /** @throws WhitelineError as `read`, and BAD_INPUT while another one is read through */
  async digest(logId: number): Promise<LogDigest> {
    if (this.isDigesting) throw badInput('logId', 'one log at a time', logId, 'Wait for the one before');
    this.isDigesting = true;
    try {
      return await this.withFile(logId, digestOf);
    } finally {
      this.isDigesting = false;
    }
  }

  /** The lease is over, and its hosts are gone. What its own user does not keep goes. */
  async end(): Promise<void> {
    if (this.options.folder === null && this.folder !== null)
      await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }

  private takenBytes(): number {
    return this.logs.reduce((sum, log) => {
      if (log.bytes === null && !this.options.isRunning(log.hostId)) log.bytes = sizeOf(log.path);
      return sum + (log.bytes ?? log.mostBytes);
    }, 0);
  }

  private makeFolder(): string {
    const { folder } = this.options;
    const place = folder ?? join(tmpdir(), 'whiteline-agent-');
    try {
      if (folder === null) return mkdtempSync(place);
      mkdirSync(folder, { mode: folderMode });
      return folder;
    } catch (error) {
      throw writeProblem(error, place);
    }
  }

  private async withFile<Result>(logId: number, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
    const log = this.logs[logId - 1];
    if (!log) throw notThere(logId);
    if (this.options.isRunning(log.hostId))
      throw badInput('logId', 'a log that is complete', logId, 'Close its stream host first');
    const file = await open(log.path, O_RDONLY | O_NOFOLLOW).catch(() => {
      throw notThere(logId);
    });
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }
}

/** A new file: never one that is there. @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, fileMode));
  } catch (error) {
    throw writeProblem(error, path);
  }
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whole, but for the last one. */
async function pieceOf(file: FileHandle, from: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(logPieceBytes);
  let length = 0;
  for (let read = -1; read !== 0 && length < logPieceBytes; length += read)
    read = (await file.read(bytes, length, logPieceBytes - length, from + length)).bytesRead;
  return bytes.subarray(0, length);
}

async function digestOf(file: FileHandle): Promise<LogDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (let piece = await pieceOf(file, 0); piece.length > 0; piece = await pieceOf(file, bytes)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

function notThere(logId: number): WhitelineError {
  return new WhitelineError({
    code: 'NOT_FOUND',
    message: `The agent has no log ${logId} of this lease`,
    remedy: 'Ask it for a list of them',
  });
}
