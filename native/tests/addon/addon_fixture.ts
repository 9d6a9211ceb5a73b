import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { DiscoveredSource } from '../../../app/protocol/records';
import {
  type Addon,
  type ContentAddon,
  type Finder,
  loadAddon,
  loadContentAddon,
  type Receiver,
  type Sender,
  type Source,
} from '../../addon/index';

export const addon: Addon = loadAddon();
export const contentAddon: ContentAddon = loadContentAddon();

/** A missing runtime fails every test that uses this, as it should. */
export const ndiFolder = process.env.WHITELINE_NDI_PATH || `${process.cwd()}/node_modules/@grandi/linux-x64`;

export const wallOffsetUs = Math.round(Date.now() * 1000 - addon.monotonicNs() / 1000);

export const smallFormat = {
  width: 640,
  height: 360,
  rateNumerator: 30,
  rateDenominator: 1,
  pixelFormat: 'uyvy' as const,
  wallOffsetUs,
};

const open: { close(): void }[] = [];

/** Closes the handle when its test ends, also when the test fails. */
export function keep<T extends { close(): void }>(handle: T): T {
  open.push(handle);
  return handle;
}

// Vitest calls these around the hooks of the test file.
let openBefore = 0;
beforeEach(() => {
  openBefore = openHandles();
});
afterEach(() => {
  for (const handle of open.splice(0).reverse()) handle.close();
  expect(openHandles()).toBe(openBefore);
});
afterAll(() => expect(openHandles()).toBe(0));

/** Of both addons. */
function openHandles(): number {
  return addon.openHandles() + contentAddon.openHandles();
}

let names = 0;

/** Different in every run, so that a sender of another test run cannot be taken for ours. */
export function uniqueName(): string {
  names += 1;
  return `whiteline-test-${process.pid}-${names}`;
}

/** Looks until there is something; its limit is one against hanging. */
export async function waitFor<T>(what: string, read: () => T | undefined, limitMs = 60_000): Promise<T> {
  const limit = Date.now() + limitMs;
  while (Date.now() < limit) {
    const value = read();
    if (value !== undefined) return value;
    await sleep(20);
  }
  throw new Error(`Waited ${limitMs} ms in vain for ${what}`);
}

/** Loopback comes first where the finder lists a source by several addresses. */
export function findSource(finder: Finder, name: string, isNew = (_: DiscoveredSource) => true) {
  return waitFor(`source ${name}`, () =>
    finder.sources().find((source) => source.name === name && isNew(source)),
  );
}

export async function receive(finder: Finder, sender: Sender, captureLogPath?: string): Promise<Receiver> {
  const source = await findSource(finder, sender.status().sourceName);
  return new addon.Receiver({ transport: 'ndi', ...source, receiverName: 'whiteline test', captureLogPath });
}

export function waitForPictures(receiver: Receiver, count: number): Promise<true> {
  return waitFor(`${count} pictures`, () => (receiver.status().picturesCaptured >= count ? true : undefined));
}

/** The frame number in the newest line of a receiver's log; 0 where there is none. */
export function newestLogged(path: string): number {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return Number(lines.at(-1)?.split(' ')[2] ?? 0);
}

/** The slot that is due now. */
export function currentSlot(source: Source, framesPerSecond: number): number {
  return Math.floor(((addon.monotonicNs() - source.status().startNs) * framesPerSecond) / 1e9);
}

export function codeOf(work: () => unknown): { code: unknown; message: string } {
  try {
    work();
  } catch (error) {
    return { code: (error as { code?: unknown }).code, message: (error as Error).message };
  }
  return { code: 'nothing was thrown', message: '' };
}
