import type { z } from 'zod';
import type { HelperProgram, Message } from './helper-program';

export type AnyHelperProgram = HelperProgram<Message, Message, Message>;

/** A helper program that an agent starts on its machine for a console. Its kind is the role under which its load counts. */
export interface HelperElsewhere {
  /** As this machine has it. */
  program(): AnyHelperProgram;
  /** What a console may say to it: nothing that names a file, a core or a priority. */
  commands: z.ZodType<Message>;
  /** What this machine lacks for it, with how to get it, as sentences; null: nothing. */
  missing(): Promise<string | null>;
}
