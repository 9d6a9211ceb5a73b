import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { counted } from '../../protocol/count-words';
import { badInput, WhitelineError } from '../../protocol/errors';
import type { Log } from '../http/bounded-log';
import { readLines } from './lines';
import { lock } from './lock';
import { problemOfResource } from './registration-api';
import {
  type ApiVersion,
  isApiVersion,
  isResourceType,
  parentOfType,
  type Resource,
  type ResourceData,
  type ResourceType,
  resourceTypes,
} from './resource';
import type { Change, Store } from './store';

/**
 * What a registry holds, in a file, so that a restart loses no node: a line of JSON for each resource, then one for each change. It is
 * written anew when it has become long beside what is held. What was written survives the end of the process, not that of the machine.
 */

const writeAfterMs = 200;
const tryAgainAfterMs = 5000;
/** Characters of changes above which the file is written anew, where they are also more than what is held. */
const fewCharacters = 4_000_000;
const longestLine = 4_000_000;

export class Journal {
  private pending: string[] = [];
  private handle: FileHandle | null = null;
  private writing: Promise<void> | null = null;
  /** Ends the wait for the next writing; null: none is waited for. */
  private stop: (() => void) | null = null;
  /** Of changes since the file was written anew, those that are pending among them. */
  private changedCharacters = 0;
  private isBroken = false;
  private isClosed = false;
  private stopListening = (): void => undefined;

  private constructor(
    private readonly file: string,
    private readonly store: Store,
    private readonly log: Log,
    private readonly unlock: () => Promise<void>,
  ) {}

  /**
   * Reads what can be read, and keeps the file from then on.
   * @throws WhitelineError where it cannot be read or written at all, or another registry keeps it
   */
  static async open(file: string, store: Store, log: Log): Promise<Journal> {
    await checkFile(file);
    const unlock = await lock(file).catch((error: unknown) => {
      throw error instanceof WhitelineError ? error : unusable(file, error);
    });
    const journal = new Journal(file, store, log, unlock);
    try {
      await journal.takeOver();
    } catch (error) {
      await journal.close();
      throw unusable(file, error);
    }
    return journal;
  }

  private async takeOver(): Promise<void> {
    const { file, store, log } = this;
    const problems = await restore(file, store, log);
    if (problems > 0) {
      const kept = await freeName(`${file}.damaged`);
      await rename(file, kept);
      log(`snapshot ${file}: the damaged file is kept as ${kept}`);
    }
    await this.rewrite();
    // Not earlier: what is read is no change, and the file is not to be replaced by a part of it.
    this.stopListening = store.onChange((change) => this.note(change));
  }

  async close(): Promise<void> {
    this.stopListening();
    this.stop?.();
    await this.writing;
    this.isClosed = true;
    if (this.pending.length > 0 || this.isBroken) await this.write();
    await this.handle?.close();
    this.handle = null;
    await this.unlock();
  }

  private note({ id, post, resource }: Change): void {
    const line = post ? setLine(resource) : `{"remove":"${id}"}`;
    // While nothing can be written, what is held is written whole later; it was listed when that writing began.
    if (!this.isBroken || this.writing) {
      this.pending.push(line);
      this.changedCharacters += line.length + 1;
    }
    this.schedule(writeAfterMs);
  }

  private schedule(afterMs: number): void {
    if (this.stop || this.writing || this.isClosed) return;
    this.stop = this.store.options.clock.after(afterMs, () => {
      this.stop = null;
      this.writing = this.write().finally(() => {
        this.writing = null;
        if (this.isBroken) this.schedule(tryAgainAfterMs);
        else if (this.pending.length > 0) this.schedule(writeAfterMs);
      });
    });
  }

  private async write(): Promise<void> {
    try {
      if (this.isBroken || this.changedCharacters > Math.max(fewCharacters, this.store.size * 500))
        await this.rewrite();
      else await this.append();
      if (this.isBroken) this.log(`snapshot ${this.file}: written again`);
      this.isBroken = false;
    } catch (error) {
      if (!this.isBroken)
        this.log(
          `snapshot ${this.file}: cannot be written: ${words(error)}; the registry continues and tries again`,
        );
      this.isBroken = true;
      this.pending = [];
    }
  }

  private async append(): Promise<void> {
    const text = this.pending.map((line) => `${line}\n`).join('');
    this.pending = [];
    await this.handle?.appendFile(text);
  }

  /** A new file beside the old one takes its place when it is whole. */
  private async rewrite(): Promise<void> {
    this.pending = [];
    this.changedCharacters = 0;
    const resources = resourceTypes.flatMap((type) => this.store.list(type, 'create'));
    await rm(`${this.file}.new`, { force: true });
    const handle = await open(`${this.file}.new`, 'wx', 0o600);
    try {
      for (let from = 0; from < resources.length; from += 1000) {
        const lines = resources.slice(from, from + 1000).map((one) => `${setLine(one)}\n`);
        await handle.appendFile(lines.join(''));
      }
      await handle.sync();
      await rename(`${this.file}.new`, this.file);
    } catch (error) {
      await handle.close();
      throw error;
    }
    await this.handle?.close();
    this.handle = handle;
  }
}

function setLine({ type, at, body: { apiVersion, json } }: Resource): string {
  return `{"type":"${type}","api":"${apiVersion}","at":"${at}","data":${json}}`;
}

/** Returns how many lines could not be read. */
async function restore(file: string, store: Store, log: Log): Promise<number> {
  let problems = 0;
  let first = '';
  let number = 0;
  for await (const line of readLines(file, longestLine)) {
    number++;
    const problem = line === null ? 'too long' : apply(store, line);
    if (problem === null) continue;
    problems++;
    first ||= `line ${number}: ${problem}`;
  }
  if (number === 0) return 0;
  const read = `${counted(store.size, 'resource')} of ${counted(store.count('node'), 'node')} read`;
  log(`snapshot ${file}: ${read}`);
  if (problems > 0)
    log(
      `snapshot ${file}: ${problems} of ${counted(number, 'line')} could not be read; the first is ${first}`,
    );
  return problems;
}

/** What is wrong with a line, or null. */
function apply(store: Store, line: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return (error as Error).message;
  }
  if (typeof value !== 'object' || value === null) return 'not a resource of a registry';
  const { remove, api, type, data, at }: Record<string, unknown> = { ...value };
  if (typeof remove === 'string') {
    const resource = store.get(remove);
    if (resource) store.remove(resource, { isOwn: false });
    return null;
  }
  if (!isApiVersion(api) || !isResourceType(type)) return 'not a resource of a registry';
  if (typeof at !== 'string' || !/^\d{1,20}$/.test(at)) return 'no registration time';
  return problemOfResource(api, type, data) ?? restored(store, api, type, data as ResourceData, BigInt(at));
}

/** It was taken once, so that no rule about what was before it counts. */
function restored(
  store: Store,
  apiVersion: ApiVersion,
  type: ResourceType,
  data: ResourceData,
  at: bigint,
): string | null {
  const { id, version } = data;
  const known = store.get(id);
  const rule = parentOfType[type];
  const parent = rule ? store.find(rule.type, String(data[rule.attribute])) : null;
  if (known && known.type !== type) return `${id} is a ${known.type} already`;
  if (parent === undefined || (known && known.parent !== parent))
    return `the ${rule?.type} of ${id} is missing`;
  const body = { json: JSON.stringify(data), apiVersion };
  store.put({ type, id, version, body, parent, at, home: store.options.instance });
  return null;
}

/** A device or a pipe would be replaced by a file, and a link by what is no link. */
async function checkFile(file: string): Promise<void> {
  if (file === '') throw badInput('snapshot', 'a file', file);
  const found = await lstat(file).catch(() => null);
  if (found && !found.isFile()) throw badInput('snapshot', 'a regular file, or a new file name', file);
}

/** That name, or the first with a number after it that no file has. */
async function freeName(name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(await lstat(candidate).catch(() => null))) return candidate;
  }
}

function unusable(file: string, error: unknown): WhitelineError {
  return new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `The snapshot ${file} cannot be used: ${words(error)}`,
    ...{ field: 'snapshot', value: file, remedy: 'Give a file in a writable folder' },
  });
}

function words(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'the disk is full';
  return code ?? message;
}
