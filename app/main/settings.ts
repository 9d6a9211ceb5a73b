import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Problem, toProblem, WhitelineError } from '../protocol/errors';
import { parseSettings, type Settings } from '../protocol/settings';

/** The settings of this machine, kept as one file of JSON. */
export class SettingsFile {
  /** Why those that were kept are not in force. */
  readonly problem: Problem | null = null;
  private kept: Settings;

  constructor(readonly path: string) {
    try {
      this.kept = existsSync(path)
        ? parseSettings(JSON.parse(readFileSync(path, 'utf8')))
        : parseSettings({});
    } catch (error) {
      this.kept = parseSettings({});
      this.problem = setAside(path, error);
    }
  }

  get settings(): Settings {
    return this.kept;
  }

  /** @throws WhitelineError OUTPUT_UNWRITABLE; the settings are then what they were */
  change(change: Partial<Settings>): void {
    const changed = parseSettings({ ...this.kept, ...change });
    try {
      replace(this.path, `${JSON.stringify(changed, null, 2)}\n`);
    } catch (error) {
      throw new WhitelineError({
        code: 'OUTPUT_UNWRITABLE',
        message: `The settings cannot be written to ${this.path} (${(error as NodeJS.ErrnoException).code})`,
        field: 'settings',
        value: this.path,
        remedy: 'Give its folder the right to be written and free some space, then set it again',
      });
    }
    this.kept = changed;
  }
}

/** The operator may want what is in it, and the next change must not write over it. */
function setAside(path: string, error: unknown): Problem {
  const broken = `${path}.broken`;
  const { message } = toProblem(error);
  try {
    renameSync(path, broken);
  } catch {
    return {
      code: 'BAD_INPUT',
      message: `The settings in ${path} cannot be read: ${message}`,
      remedy: 'The usual ones are in force; the next change writes over that file',
    };
  }
  return {
    code: 'BAD_INPUT',
    message: `The settings could not be read and were set aside as ${broken}: ${message}`,
    remedy: 'The usual ones are in force; set them here again',
  };
}

/** A reader finds the old file or the new one, also after a power cut. */
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  const descriptor = openSync(temporary, 'w');
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}
