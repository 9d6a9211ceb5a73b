import { join } from 'node:path';
import { onFailure } from './matchers';
import { checkOptions, watchOptions } from './options';
import { send } from './send';
import type { Send, SentStreams, Watch, WatchedStream } from './types';
import { watch } from './watch';

/** A page that a failed test shows of a stream. */
export interface Report {
  name: string;
  path: string;
}

/** What one test watches and sends: recorded into its folder, ended with it. */
export class MeasuredTest {
  private readonly watched: WatchedStream[] = [];
  /** Also of sources that were not found: their folders hold what was tried. */
  private attempts = 0;
  private readonly sent: SentStreams[] = [];

  /**
   * @param folder that nothing is in yet
   * @param attach called when a matcher of a stream fails; default: nothing is done then
   */
  constructor(
    private readonly folder: string,
    private readonly attach?: (report: Report) => Promise<unknown>,
  ) {}

  readonly watch: Watch = async (source, options = {}) => {
    checkOptions(watchOptions, options, 'watch');
    this.attempts += 1;
    const out = join(this.folder, `watch-${this.attempts}`);
    const stream = await watch(source, { out, ...options });
    this.watched.push(stream);
    const { attach } = this;
    if (attach)
      onFailure.set(stream, async () => {
        await attach(await reportOf(stream));
      });
    return stream;
  };

  readonly send: Send = async (source, options) => {
    const streams = await send(source, options);
    this.sent.push(streams);
    return streams;
  };

  /** Ends all of it: what is received first, so that the end of a sender is no loss. */
  async close(): Promise<void> {
    const results = [
      ...(await Promise.allSettled(this.watched.map((stream) => stream.close()))),
      ...(await Promise.allSettled(this.sent.map((streams) => streams.close()))),
    ];
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  reports(): Promise<Report[]> {
    return Promise.all(this.watched.map(reportOf));
  }
}

async function reportOf(stream: WatchedStream): Promise<Report> {
  return { name: stream.name, path: await stream.report() };
}
