import { resolve } from 'node:path';
import { z } from 'zod';
import type { HelperProgram } from '../engine/capabilities/helper/helper-program';

const ready = z.object({ type: z.literal('ready'), mostLineBytes: z.int() });
const text = z.string();
const commands = z.discriminatedUnion('type', [
  /** Answered with the same text. */
  z.object({ type: z.literal('echo'), text }),
  /** Answered with nothing. */
  z.object({ type: z.literal('take'), text }),
  /** So long it sleeps before each further command. */
  z.object({ type: z.literal('slow'), pauseMs: z.int().nonnegative() }),
  /** It sends messages without an end. */
  z.object({ type: z.literal('flood') }),
  /** It writes the text as it is. */
  z.object({ type: z.literal('write'), text }),
  z.object({ type: z.literal('writeHuge'), bytes: z.int().positive() }),
  z.object({ type: z.literal('writeNoUtf8') }),
  z.object({ type: z.literal('hang') }),
  /** It ignores `stop`, SIGTERM and the end of its input; answered with "deaf". */
  z.object({ type: z.literal('deaf') }),
  z.object({ type: z.literal('exit'), code: z.int(), lastWords: text }),
  z.object({ type: z.literal('crash') }),
]);
const messages = z.object({ type: z.literal('echo'), text });

type EchoProgram = HelperProgram<z.infer<typeof ready>, z.infer<typeof commands>, z.infer<typeof messages>>;

/** A helper that misbehaves by command (native/helpers/echo), or another program in its place. */
export function echoHelper(place: Partial<Pick<EchoProgram, 'file' | 'args'>> = {}): EchoProgram {
  return {
    name: 'echo helper',
    role: 'echo',
    file: resolve('native/build-test-plain/helpers/whiteline_echo'),
    args: [],
    howToGet: 'npm test -- helpers builds it',
    ...{ ready, commands, messages },
    ...place,
  };
}
