import { z } from 'zod';
import { plainLine } from './plain-text';

export const mostPresets = 50;

/**
 * Source and format under a name. The path of a movie in it is what a window was given and gives to the engine when it is
 * played: it is not opened for being kept.
 */
export const sourcePresetSchema = z.strictObject({
  name: z.string().trim().min(1).max(60).overwrite(plainLine),
  /** white-line, noise, or the path of a movie. */
  source: z.string().min(1).max(4096),
  /** WIDTHxHEIGHT@RATE, as typed; a movie has its own. */
  format: z.string().min(1).max(60),
});
export type SourcePreset = z.infer<typeof sourcePresetSchema>;
