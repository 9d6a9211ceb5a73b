import { randomBytes } from 'node:crypto';
import type { FilePurpose, GrantedFile } from './granted-file';

/** A window that asks for dialogs and never uses what they gave keeps no more than these alive. */
const mostOpen = 100;

/**
 * Files that an operator chose, each for one use: the process that showed the dialog keeps the path, the window gets a
 * word for it, and the process that writes or reads the file asks what the word stands for.
 */
export class FileGrants {
  private readonly open = new Map<string, { purpose: FilePurpose; path: string }>();

  grant(purpose: FilePurpose, path: string): GrantedFile {
    const grant = randomBytes(32).toString('hex');
    this.open.set(grant, { purpose, path });
    const [oldest] = this.open.keys();
    if (this.open.size > mostOpen && oldest !== undefined) this.open.delete(oldest);
    return { grant, path };
  }

  /** The path, once; null for a word that was never given, was given for something else, or is used up. */
  redeem(purpose: FilePurpose, grant: string): string | null {
    const given = this.open.get(grant);
    if (given?.purpose !== purpose) return null;
    this.open.delete(grant);
    return given.path;
  }
}
