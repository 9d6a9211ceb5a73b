import type { ContentAddon } from '../../native/addon/index';
import type { HostCommand } from '../protocol/host';
import type {
  KeepPictures,
  KeptPictures,
  QualityCheckOptions,
  QualityCheckStatus,
} from '../protocol/records';
import type { Jobs } from './jobs';

/** Pictures kept at one end of a stream, and the comparison of both ends'. */

/** A sender or a receiver. */
interface PictureKeeping {
  keepPictures(options: KeepPictures | null): void;
  keptPictures(): KeptPictures | null;
}

type KeepCommand = Extract<HostCommand, { name: 'keepPictures' }>;

/** @throws Error if the stream has no such end: its receiver waits for its source */
export function keepPictures(
  end: PictureKeeping | null | undefined,
  { streamId, options }: KeepCommand,
): null {
  if (!end && options) throw new Error(`keepPictures names stream ${streamId}, which is not open`);
  end?.keepPictures(options);
  return null;
}

/** Its progress counts the pairs that were compared. */
export function compareQuality(
  jobs: Jobs,
  requestId: number,
  addon: ContentAddon,
  options: QualityCheckOptions,
): Promise<QualityCheckStatus> {
  const { frames } = 'pairs' in options ? options.pairs : options.clip;
  return jobs.run<QualityCheckStatus>(requestId, new addon.QualityCheck(options), {
    isOver: ({ state }) => state !== 'running',
    progressOf: ({ compared }) => ({ framesDone: compared.length, frames: frames.length }),
  });
}
