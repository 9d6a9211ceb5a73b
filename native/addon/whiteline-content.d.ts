/**
 * The typed face of the addon for what is made and compared offline (native/build/Release/whiteline-content.node);
 * `loadContentAddon` loads it. Errors, handles and the end of the process are as in whiteline.d.ts; what it counts are its own
 * handles, and the thread policy is for its own threads.
 */

import type {
  ContentWriterOptions,
  ContentWriterStatus,
  QualityCheckOptions,
  QualityCheckStatus,
} from '../../app/protocol/records';

export { openHandles, pictureBytes, setThreadPolicy } from './whiteline';

/** Makes pictures with one of the generators of the content battery and pipes them into a command, on a thread of its
 *  own. */
export class ContentWriter {
  constructor(options: ContentWriterOptions);
  status(): ContentWriterStatus;
  /** Stops; what the command wrote so far is left to the caller. */
  close(): void;
}

/** Compares pairs of pictures plane by plane (PSNR and SSIM as ffmpeg's filters define them; native/media/quality), on a
 *  thread of its own. */
export class QualityCheck {
  constructor(options: QualityCheckOptions);
  status(): QualityCheckStatus;
  /** Stops, ffmpeg included. */
  close(): void;
}
