import { counted } from '../../facts/count-words';
import type { Log } from '../http/bounded-log';
import { latestDate, readDate, readEntry } from './entry';
import { heldTexts } from './held-texts';
import { mergeEntry, wakeDormant } from './merge';
import { PendingChanges } from './pending-changes';
import { fileWords, type LineFile, unusable } from './snapshot-file';
import type { Logged, Store } from './store';

/**
 * Keeps the content of a registry in a file, so that a restart loses no node and brings back nothing that was removed: one line of JSON for
 * the clock, for each remembered departure and for each resource, then one for each change. A file that has grown long is rewritten.
 */

const writeAfterMs = 200;
const tryAgainAfterMs = 5000;
/** Characters of changes above which the file is written again, where they are also more than what is held. */
const fewCharacters = 4_000_000;
/** If the wall clock was set, or drifted, by more than this, the file gets a new line for the clock. */
const clockMovedNs = 100_000_000n;
const clockLookMs = 1000;

export class Journal {
  private readonly pending = new PendingChanges();
  private writing: Promise<void> | null = null;
  /** Ends the wait for the next writing; null: none is waited for. */
  private stop: (() => void) | null = null;
  /** Of changes since the file was written anew. */
  private changedCharacters = 0;
  private isBroken = false;
  /** The dates in the file are out of date. */
  private isStale = false;
  private isClosed = false;
  private stopListening = (): void => undefined;
  /** How far the shared clock is ahead of this machine's, as the file says. */
  private writtenAheadNs = 0n;
  private isWrittenAgreed = false;

  private constructor(
    private readonly file: LineFile,
    private readonly store: Store,
    private readonly log: Log,
  ) {}

  /**
   * Reads what can be read, and keeps the file from then on.
   * @throws WhitelineError if it cannot be read or written at all
   */
  static async open(file: LineFile, store: Store, log: Log): Promise<Journal> {
    const journal = new Journal(file, store, log);
    try {
      await journal.takeOver();
    } catch (error) {
      await journal.close();
      throw unusable(file.name, error);
    }
    return journal;
  }

  private async takeOver(): Promise<void> {
    const { file, store, log } = this;
    const problems = await restore(file, store, log);
    if (problems > 0) log(`snapshot ${file.name}: the damaged file is kept as ${await file.setAside()}`);
    await this.rewrite();
    // Listen only now: reading the file makes no changes.
    const stops = [
      store.onLog((logged) => this.note(logged)),
      store.onJump(() => this.noteJump()),
      store.options.clock.every(clockLookMs, () => {
        if (this.isClockMoved) this.schedule(writeAfterMs);
      }),
    ];
    this.stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  async close(): Promise<void> {
    this.stopListening();
    this.stop?.();
    await this.writing;
    this.isClosed = true;
    if (this.isDue) await this.write();
    await this.file.close();
  }

  private get isDue(): boolean {
    return !this.pending.isEmpty || this.isBroken || this.isStale;
  }

  private note({ what }: Logged): void {
    // While nothing can be written, what is held is written whole later; it was listed when that writing began.
    if (!this.isBroken || this.writing) this.pending.add(what);
    this.schedule(writeAfterMs);
  }

  private noteJump(): void {
    this.isStale = true;
    this.schedule(writeAfterMs);
  }

  private schedule(afterMs: number): void {
    if (this.stop || this.writing || this.isClosed) return;
    this.stop = this.store.options.clock.after(afterMs, () => {
      this.stop = null;
      this.writing = this.write().finally(() => {
        this.writing = null;
        if (this.isDue) this.schedule(this.isBroken ? tryAgainAfterMs : writeAfterMs);
      });
    });
  }

  private async write(): Promise<void> {
    const { name } = this.file;
    try {
      const isLong = this.changedCharacters > Math.max(fewCharacters, this.store.size * 500);
      if (this.isBroken || this.isStale || isLong) await this.rewrite();
      else await this.append();
      if (this.isBroken) this.log(`snapshot ${name}: written again`);
      this.isBroken = false;
    } catch (error) {
      if (!this.isBroken)
        this.log(
          `snapshot ${name}: cannot be written: ${fileWords(error)}; the registry continues and tries again`,
        );
      this.isBroken = true;
      this.pending.clear();
    }
  }

  private get isClockMoved(): boolean {
    const movedNs = this.store.options.shared.aheadNs() - this.writtenAheadNs;
    return movedNs > clockMovedNs || movedNs < -clockMovedNs || this.store.isAgreed !== this.isWrittenAgreed;
  }

  private async append(): Promise<void> {
    const clock = this.isClockMoved ? [this.clockLine()] : [];
    const lines = [...clock, ...this.pending.take()];
    for (const { length } of lines) this.changedCharacters += length + 1;
    await this.file.append(lines);
  }

  private async rewrite(): Promise<void> {
    this.pending.clear();
    this.changedCharacters = 0;
    this.isStale = false;
    // Dormant entries come first: when they are read, the departures make them dormant again.
    await this.file.replace([this.clockLine(), ...this.store.dormant.list(), ...heldTexts(this.store)]);
  }

  private clockLine(): string {
    this.writtenAheadNs = this.store.options.shared.aheadNs();
    this.isWrittenAgreed = this.store.isAgreed;
    return `["clock","${this.writtenAheadNs}",${this.isWrittenAgreed}]`;
  }
}

/** Returns how many lines could not be read. */
async function restore(file: LineFile, store: Store, log: Log): Promise<number> {
  let problems = 0;
  let first = '';
  let number = 0;
  const clock = { aheadNs: 0n, latest: 0n, isAgreed: false };
  for await (const line of file.lines()) {
    number++;
    const problem = line === null ? 'too long' : apply(store, line, clock);
    if (problem === null) continue;
    problems++;
    first ||= `line ${number}: ${problem}`;
  }
  if (number === 0) return 0;
  wakeDormant(store);
  store.confirm();
  store.resume(clock.aheadNs, clock.latest, clock.isAgreed);
  const read = `${counted(store.size, 'resource')} of ${counted(store.count('node'), 'node')} read`;
  log(`snapshot ${file.name}: ${read}`);
  if (problems > 0)
    log(
      `snapshot ${file.name}: ${problems} of ${counted(number, 'line')} could not be read; the first is ${first}`,
    );
  return problems;
}

interface ReadClock {
  aheadNs: bigint;
  /** Whether a peer was met. */
  isAgreed: boolean;
  /** The latest date of the file. */
  latest: bigint;
}

/** What is wrong with a line, or null. */
function apply(store: Store, line: string, clock: ReadClock): string | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return (error as Error).message;
  }
  if (Array.isArray(value) && value[0] === 'clock') {
    const aheadNs = readAhead(value[1]);
    if (aheadNs === null || typeof value[2] !== 'boolean') return 'no clock of a registry';
    const { shared } = store.options;
    if (shared.isImpossible(shared.now() + aheadNs))
      return 'a clock more than two hours ahead of the clock of this machine';
    Object.assign(clock, { aheadNs, isAgreed: value[2] });
    return null;
  }
  const entry = readEntry(value);
  if (!entry) return 'no change of a registry';
  const latest = latestDate(entry);
  if (store.options.shared.isImpossible(latest))
    return 'a date more than two hours ahead of the clock of this machine';
  if (latest > clock.latest) clock.latest = latest;
  if (entry.kind === 'set' && entry.life) entry.life.home = store.options.instance;
  return mergeEntry(store, entry);
}

function readAhead(value: unknown): bigint | null {
  if (typeof value !== 'string') return null;
  const size = readDate(value.replace(/^-/, ''));
  return size !== null && value.startsWith('-') ? -size : size;
}
