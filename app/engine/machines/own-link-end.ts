import type { Clock } from '../../protocol/clock';
import { iperfVersion, OwnIperfServer } from '../tools/iperf-server';
import type { RunTool } from '../tools/run-tool';
import { reachesByTcp } from '../tools/tcp-reach';
import type { LinkEnd, LinkServer } from './link-end';
import { ownAddresses } from './own-addresses';

/** Its end may be heard of later than that of who called it. */
const noticedWithinMs = 500;

/** This machine at one end of a link. What it started ends when the signal aborts. */
export class OwnLinkEnd implements LinkEnd {
  constructor(
    private readonly run: RunTool,
    private readonly clock: Pick<Clock, 'after' | 'sleep'>,
    private readonly signal: AbortSignal,
  ) {}

  get addresses(): readonly string[] {
    return ownAddresses();
  }

  iperfVersion(): Promise<string | null> {
    return iperfVersion(this.run);
  }

  async serve(address: string): Promise<LinkServer> {
    const { run, clock, signal } = this;
    const server = await OwnIperfServer.start({ run, address, signal, isForOthers: true });
    return {
      port: server.port,
      onLost: () => undefined,
      ended: () => Promise.race([server.ended, clock.sleep(noticedWithinMs).then(() => null)]),
      stop: () => server.stop(),
    };
  }

  reaches(address: string, port: number): Promise<boolean> {
    return reachesByTcp(address, port, this.clock);
  }
}
