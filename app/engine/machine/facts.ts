import { readdirSync, readFileSync } from 'node:fs';
import { findTool, runTool } from '../tools/run-tool';

/** Why a fact is not known: the message is the reason, in words for readers of the run. */
export class NotKnown extends Error {}

/** A fact of the machine, or null with the reason in `notKnown`: nothing that cannot be read ends a run. */
export async function factOf<Fact>(
  notKnown: Record<string, string>,
  name: string,
  read: () => Fact | null | Promise<Fact | null>,
): Promise<Fact | null> {
  try {
    const fact = await read();
    if (fact === null) notKnown[name] = 'the system does not report it';
    return fact;
  } catch (error) {
    notKnown[name] = (error as Error).message.slice(0, 400);
    return null;
  }
}

/** The trimmed text of a short system file; null if there is none. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Null for anything but a number of 0 or more: drivers say −1 for what they do not know. */
export function readAmount(path: string): number | null {
  const text = readText(path);
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/** Names in a folder of the system, in order; none if there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** A tool that does not answer is not waited for. */
const timeoutSeconds = 2;

/**
 * What a tool of the system writes.
 * @throws NotKnown if it is not installed, refuses, or does not answer
 */
export async function askTool(file: string, ...args: string[]): Promise<string> {
  if (!findTool(file)) throw new NotKnown(`${file} is not installed`);
  const { stdout, stderr, exitCode } = await runTool({ file, args, timeoutSeconds });
  if (exitCode === 0) return stdout;
  const [said = ''] = `${stderr}\n${stdout}`.trim().split('\n');
  throw new NotKnown(`${file}: ${said || `exit status ${exitCode}`}`);
}

/**
 * Of what a tool wrote as JSON.
 * @throws NotKnown naming the tool and what it said where that is no JSON
 */
export function parseToolJson(tool: string, output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    throw new NotKnown(`${tool} wrote no JSON but ${JSON.stringify(output.slice(0, 80))}`);
  }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
