import type { LinkEnd, LinkServer } from '../../engine/machines/link-end';
import { badInput, WhitelineError } from '../../protocol/errors';
import type { AgentCommands } from '../../protocol/fleet/agent-commands';
import type { Handlers } from '../../rpc/serve-commands';

type LinkCommands = Pick<AgentCommands, Extract<keyof AgentCommands, `link.${string}`>>;

/** @param check that what a command comes with is the lease that counts now; it throws where it is not */
export function linkHandlers(
  linkNow: () => AgentLink,
  check: (given: { fence: number; key: string }) => unknown,
): Handlers<LinkCommands> {
  const held = (given: { fence: number; key: string }): AgentLink => {
    check(given);
    return linkNow();
  };
  return {
    'link.version': async (given) => ({ version: await held(given).iperfVersion() }),
    'link.reach': async ({ address, port, ...given }) => ({
      isReached: await held(given).reaches(address, port),
    }),
    'link.serve': async ({ address, ...given }) => ({ port: await held(given).serve(address) }),
    'link.ended': async (given) => ({ ended: await held(given).ended() }),
    'link.stop': async (given) => {
      await held(given).stop();
      return null;
    },
  };
}

/** This machine’s end of a link for a console: one iperf3 server at a time, which ends with the lease. */
export class AgentLink {
  private server: Promise<LinkServer> | null = null;
  private abort = new AbortController();
  private version: Promise<string | null> | null = null;
  private isTrying = false;

  /** @param endOf this machine’s end; what it starts ends when the signal aborts */
  constructor(private readonly endOf: (signal: AbortSignal) => LinkEnd) {}

  /** @throws WhitelineError TOOL_MISSING */
  iperfVersion(): Promise<string | null> {
    // However often it is asked, one program runs.
    this.version ??= this.end.iperfVersion().finally(() => {
      this.version = null;
    });
    return this.version;
  }

  /** @throws WhitelineError BAD_INPUT for a second try at the same time */
  async reaches(address: string, port: number): Promise<boolean> {
    if (this.isTrying) throw badInput('address', 'one address at a time', address);
    this.isTrying = true;
    try {
      return await this.end.reaches(address, port);
    } finally {
      this.isTrying = false;
    }
  }

  /** Its port. @throws WhitelineError BAD_INPUT for an address of another machine and for a second server; TOOL_FAILED, TOOL_MISSING */
  async serve(address: string): Promise<number> {
    const { end } = this;
    if (!end.addresses.includes(address) && address !== '127.0.0.1')
      throw badInput('address', 'an address of this machine', address);
    if (this.server) throw badInput('server', 'one iperf3 server at a time', 2, 'End the other one first');
    const server = end.serve(address);
    this.server = server;
    try {
      return (await server).port;
    } catch (error) {
      if (this.server === server) this.server = null;
      throw error;
    }
  }

  /** Why the server ended by itself. @throws WhitelineError NOT_FOUND if none was started */
  async ended(): Promise<string | null> {
    if (!this.server)
      throw new WhitelineError({ code: 'NOT_FOUND', message: 'There is no iperf3 server of this lease' });
    return (await this.server).ended();
  }

  /** Resolves when it is gone. */
  async stop(): Promise<void> {
    const { server } = this;
    this.abort.abort();
    this.abort = new AbortController();
    await server?.then((one) => one.stop()).catch(() => undefined);
    if (this.server === server) this.server = null;
  }

  private get end(): LinkEnd {
    return this.endOf(this.abort.signal);
  }
}
