import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as Declarations from './whiteline';

export type Addon = typeof Declarations;

/** Below the folder of a packaged app's resources, or of a checkout. */
const FILES = [join('native', 'whiteline.node'), join('native', 'build', 'Release', 'whiteline.node')];

let loaded: Addon | undefined;

/**
 * Loads the native addon once. It is looked for in WHITELINE_ADDON, and beside this code: in its folder or any above it,
 * be it a source file, a bundle, or a bundle in a packaged app's archive.
 */
export function loadAddon(): Addon {
  loaded ??= open(findAddon());
  return loaded;
}

/** The file of the addon. */
export function findAddon(): string {
  const tried = candidates();
  const found = tried.find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(
      `The native addon was not found. Build it with "npm run build". Tried:\n${tried.join('\n')}`,
    );
  }
  return found;
}

function candidates(): string[] {
  const configured = process.env.WHITELINE_ADDON;
  if (configured !== undefined && configured !== '') return [configured];
  return foldersAbove(ownFolder()).flatMap((folder) => FILES.map((file) => join(folder, file)));
}

/** Bundles are CommonJS and know their folder; elsewhere the working directory has to do. */
function ownFolder(): string {
  return typeof __dirname === 'string' ? __dirname : process.cwd();
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** Node has it, its older type declarations do not. */
interface Loader {
  dlopen(module: { exports: unknown }, file: string): void;
}

/** Through dlopen, since a bundler would try to resolve a require. */
function open(file: string): Addon {
  const addon: { exports: unknown } = { exports: {} };
  (process as unknown as Loader).dlopen(addon, file);
  return addon.exports as Addon;
}
