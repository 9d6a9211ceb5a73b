import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as Declarations from './whiteline';
import type * as ContentDeclarations from './whiteline-content';
import type * as MachineDeclarations from './whiteline-machine';

export type Addon = typeof Declarations;
export type ContentAddon = typeof ContentDeclarations;
export type MachineAddon = typeof MachineDeclarations;

/** Below the folder of a packaged app's resources, or of a checkout. */
const FILES = [join('native', 'whiteline.node'), join('native', 'build', 'Release', 'whiteline.node')];

let loaded: Addon | undefined;
let loadedContent: ContentAddon | undefined;
let loadedMachine: MachineAddon | undefined;

/**
 * Loads the native addon once. It is looked for in WHITELINE_ADDON, and beside this code: in its folder or any above it,
 * be it a source file, a bundle, or a bundle in a packaged app's archive.
 */
export function loadAddon(): Addon {
  loaded ??= open(findAddon()) as Addon;
  return loaded;
}

/** Loads the addon that makes clips and compares pictures, once. No stream needs it. */
export function loadContentAddon(): ContentAddon {
  loadedContent ??= open(findContentAddon()) as ContentAddon;
  return loadedContent;
}

/** Loads the addon that reads the books of Windows, once. */
export function loadMachineAddon(): MachineAddon {
  loadedMachine ??= open(besideAddon('machine')) as MachineAddon;
  return loadedMachine;
}

/** The file of the addon. */
export function findAddon(): string {
  return existing('native addon', candidates());
}

export function findContentAddon(): string {
  return besideAddon('content');
}

/** Its file lies beside the first addon's. */
function besideAddon(what: 'content' | 'machine'): string {
  return existing(`native addon for ${what}`, [join(dirname(findAddon()), `whiteline-${what}.node`)]);
}

function existing(what: string, tried: string[]): string {
  const found = tried.find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(`The ${what} was not found. Build it with "npm run build". Tried:\n${tried.join('\n')}`);
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
function open(file: string): unknown {
  const addon: { exports: unknown } = { exports: {} };
  (process as unknown as Loader).dlopen(addon, file);
  return addon.exports;
}
