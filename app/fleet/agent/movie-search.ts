import type { Dirent } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Clock } from '../../protocol/clock';
import { isMovieName, longestMovieList, type MovieList, mostMovies } from '../../protocol/fleet/movie-list';
import { movieExtensions } from '../../protocol/movie-files';
import { isText } from './text-file';

/** Folders below folders: what lies deeper is not offered, and can be typed. */
const mostDepth = 5;
/** Files and folders that are read: a folder of single pictures has 100,000. */
const mostEntries = 20_000;
/** A slow disk, or one that is gone. */
const mostMs = 1500;
/** Windows that ask at the same time have one search. */
const freshNs = 1e9;

/** Lists movies below folders. One search at a time reads the disk, however many ask. */
export class MovieSearches {
  private newest: MovieSearch | null = null;

  constructor(
    private readonly folders: readonly string[],
    private readonly clock: Pick<Clock, 'monotonicNs' | 'sleep'>,
  ) {}

  /** What is found within `mostMs`. */
  async list(): Promise<MovieList> {
    const nowNs = this.clock.monotonicNs();
    // One that hangs in its disk is not begun again: each would take one of the few threads that read files.
    const isOld = this.newest?.isOver && nowNs - this.newest.beganNs >= freshNs;
    if (!this.newest || isOld) this.newest = new MovieSearch(this.folders, this.clock);
    const search = this.newest;
    const leftMs = mostMs - (nowNs - search.beganNs) / 1e6;
    const patience = new AbortController();
    await Promise.race([search.over, this.clock.sleep(Math.max(0, leftMs), patience.signal)]);
    patience.abort();
    return search.list();
  }
}

interface Folder {
  path: string;
  /** Before the names of its files, as the console calls them. */
  prefix: string;
  depth: number;
}

/** Goes through the folders from their tops down, and follows no link. */
class MovieSearch {
  isOver = false;
  readonly beganNs: number;
  readonly over: Promise<void>;
  private readonly names = new Set<string>();
  private characters = 0;
  private more = 0;
  private looked = 0;
  private isWhole = true;

  constructor(
    private readonly folders: readonly string[],
    private readonly clock: Pick<Clock, 'monotonicNs'>,
  ) {
    this.beganNs = clock.monotonicNs();
    this.over = this.searchAll().finally(() => {
      this.isOver = true;
    });
  }

  list(): MovieList {
    const { isWhole, isOver, more, names, folders } = this;
    const sorted = [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    return { hasFolders: folders.length > 0, names: sorted, more, isWhole: isOver && isWhole };
  }

  private get isLate(): boolean {
    return this.clock.monotonicNs() - this.beganNs >= mostMs * 1e6;
  }

  private get isOverEnd(): boolean {
    return this.looked >= mostEntries || this.isLate;
  }

  private async searchAll(): Promise<void> {
    for (const folder of this.folders) await this.searchBelow(folder);
  }

  private async searchBelow(folder: string): Promise<void> {
    const top = await realpath(folder).catch(() => null);
    if (top === null) {
      this.isWhole = false;
      return;
    }
    const folders: Folder[] = [{ path: top, prefix: '', depth: 1 }];
    for (let next = folders.shift(); next; next = folders.shift()) {
      if (this.isOverEnd) {
        this.isWhole = false;
        return;
      }
      // A link may have taken the place of a folder since that was read.
      const path = await realpath(next.path).catch(() => null);
      if (path !== null && (path === top || path.startsWith(top + sep)))
        folders.push(...(await this.searchIn({ ...next, path })));
    }
  }

  /** Gives the folders in it. */
  private async searchIn({ path, prefix, depth }: Folder): Promise<Folder[]> {
    const folders: Folder[] = [];
    for (const entry of await this.entriesOf(path)) {
      if (this.isLate) {
        this.isWhole = false;
        break;
      }
      const name = `${prefix}${entry.name}`;
      if (entry.name.startsWith('.') || !isMovieName(name)) continue;
      if (entry.isDirectory() && depth < mostDepth)
        folders.push({ path: join(path, entry.name), prefix: `${name}/`, depth: depth + 1 });
      else if (entry.isDirectory()) this.isWhole = false;
      else if (entry.isFile() && isCalledMovie(name)) await this.add(name, join(path, entry.name));
    }
    return folders;
  }

  private async entriesOf(path: string): Promise<Dirent[]> {
    const entries: Dirent[] = [];
    try {
      for await (const entry of await opendir(path)) {
        if (this.isOverEnd) {
          this.isWhole = false;
          break;
        }
        this.looked += 1;
        entries.push(entry);
      }
    } catch {
      this.isWhole = false;
    }
    return entries.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  }

  private async add(name: string, path: string): Promise<void> {
    // Of two folders that have a movie of this name, the first is played.
    if (this.names.has(name)) return;
    const isFull = this.names.size >= mostMovies || this.characters + name.length > longestMovieList;
    if (isFull) this.more += 1;
    else if ((await isText(path)) === false) {
      this.names.add(name);
      this.characters += name.length;
    }
  }
}

/** Whether a file is offered as a movie by its name. */
export function isCalledMovie(name: string): boolean {
  return movieExtensions.includes(extname(name).slice(1).toLowerCase());
}
