import { basename } from 'node:path';
import type { EngineState } from '../../../protocol/console';
import { framesPerSecond } from '../../../protocol/format';
import type { Alerts } from '../../alerts';
import type { StreamSet } from '../stream-set';

type Source = StreamSet['source'];

/** What plays, as windows show it; null: nothing. */
export function sourceView(source: Source): EngineState['source'] {
  return (
    source && {
      text: source.text,
      width: source.format.width,
      height: source.format.height,
      framesPerSecond: framesPerSecond(source.format.rate),
      diskRateMBps: source.status?.diskRateMBps ?? null,
      neededDiskRateMBps: source.neededDiskRateMBps,
      reads: source.reads,
      damagedPictures: source.status?.damagedPictures ?? 0,
    }
  );
}

/** Raises one alert for each failed source: a dismissed one stays dismissed. */
export class SourceWatch {
  /** The source whose failure raised the last alert; null: none has failed. */
  private failedSource: Source = null;

  constructor(private readonly alerts: Alerts) {}

  check(source: Source): void {
    if (source === null) this.alerts.end('damaged');
    const failed = source?.status?.state === 'failed' ? source : null;
    if (failed === this.failedSource) return;
    this.failedSource = failed;
    if (failed === null) {
      this.alerts.end('source');
      return;
    }
    this.alerts.raise('source', 'error', {
      code: 'MOVIE_UNREADABLE',
      message: `${basename(failed.text)} cannot be played any further`,
      details: failed.status?.message,
      remedy: 'Check the movie, then stop and start again; until then the last picture is shown',
    });
  }
}
