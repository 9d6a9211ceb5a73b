import { accessSync, constants, existsSync } from 'node:fs';
import type { z } from 'zod';
import { WhitelineError } from '../../../protocol/errors';

/** What all messages have, in both directions. */
export interface Message {
  type: string;
}

/** An executable that measures for us, and what it and we say to each other: docs/helpers.md. */
export interface HelperProgram<Ready extends Message, Command extends Message, Output extends Message> {
  /** As sentences call it: "packet pacer". */
  name: string;
  /** What its agent calls it on another machine, where it is one of several of a kind here. */
  kindName?: string;
  /** Of its process, in load samples: "pacer". */
  role: string;
  /** Path of the executable. */
  file: string;
  args: readonly string[];
  /** Beside our own environment. */
  environment?: Readonly<Record<string, string>>;
  /** Where the executable comes from, as a sentence. */
  howToGet: string;
  /** Its first message. */
  ready: z.ZodType<Ready>;
  commands: z.ZodType<Command>;
  /** All that it says later, heartbeats apart. */
  messages: z.ZodType<Output>;
}

/** @throws WhitelineError TOOL_MISSING naming the file and if it comes from */
export function refuseUnstartable({
  name,
  file,
  howToGet,
}: Pick<HelperProgram<Message, Message, Message>, 'name' | 'file' | 'howToGet'>): void {
  const problem = whyUnstartable(file);
  if (problem === null) return;
  throw new WhitelineError({
    code: 'TOOL_MISSING',
    message: `The ${name} cannot be started: ${file} ${problem}`,
    field: 'helper',
    value: file,
    remedy: howToGet,
  });
}

function whyUnstartable(file: string): string | null {
  if (!existsSync(file)) return 'does not exist';
  try {
    accessSync(file, constants.X_OK);
    return null;
  } catch {
    return 'is not executable';
  }
}
