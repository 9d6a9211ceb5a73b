import { randomBytes } from 'node:crypto';
import type { FilePurpose, GrantedFile } from './granted-file';

/** Of these a window may ask, once they are there, that they are opened or shown. */
const written: readonly FilePurpose[] = ['export', 'plan'];

/** A window that asks for dialogs and never uses what they gave keeps no more than these alive. */
const mostOpen = 100;

/**
 * Files that an operator chose, each for one use: the process that showed the dialog keeps the path, the window gets a
 * word for it, and the process that writes or reads the file asks what the word stands for. The word for a file that was written
 * then serves to open it.
 */
export class FileGrants {
  private readonly open = new Map<string, { purpose: FilePurpose; path: string }>();
  /** Paths of files that were written for a window, by the word that it has for them. */
  private readonly written = new Map<string, string>();

  grant(purpose: FilePurpose, path: string): GrantedFile {
    const grant = newWord();
    keep(this.open, grant, { purpose, path });
    return { grant, path };
  }

  /** A word for a file that the operator asked for: by it the window has it opened, as often as it likes. */
  offer(path: string): GrantedFile {
    const grant = newWord();
    keep(this.written, grant, path);
    return { grant, path };
  }

  /** Null for a word that stands for no file that was written. */
  writtenPath(grant: string): string | null {
    return this.written.get(grant) ?? null;
  }

  /** The path, once; null for a word that was never given, was given for something else, or is used up. */
  redeem(purpose: FilePurpose, grant: string): string | null {
    const given = this.open.get(grant);
    if (given?.purpose !== purpose) return null;
    this.open.delete(grant);
    if (written.includes(purpose)) keep(this.written, grant, given.path);
    return given.path;
  }
}

function newWord(): string {
  return randomBytes(32).toString('hex');
}

function keep<Value>(words: Map<string, Value>, word: string, value: Value): void {
  words.set(word, value);
  const [oldest] = words.keys();
  if (words.size > mostOpen && oldest !== undefined) words.delete(oldest);
}
