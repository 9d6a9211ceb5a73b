import { execFile } from 'node:child_process';
import { WhitelineError } from '../../protocol/errors';
import { howToGet } from '../../protocol/how-to-get';

const remedy = `Install an ffmpeg with the Hap encoder (${howToGet('ffmpeg')})`;

/** @throws WhitelineError TOOL_MISSING: there is no ffmpeg, or it cannot write Hap */
export function requireHapEncoder(): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('ffmpeg', ['-v', 'error', '-h', 'encoder=hap'], (error, output) => {
      const refuse = (message: string): void =>
        reject(new WhitelineError({ code: 'TOOL_MISSING', message, remedy }));
      if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') {
        refuse('ffmpeg is not installed; the clips are compressed with it');
      } else if (!output.includes('Encoder hap')) {
        refuse('The ffmpeg of this machine was built without the Hap encoder');
      } else resolve();
    });
  });
}
