import { onTestFinished, vi } from 'vitest';
import { helpersElsewhere } from '../engine/capabilities/helper/helpers-elsewhere';
import type { RemoteMachine } from '../engine/host-application';
import { machineClock } from '../protocol/machine-clock';
import { agentIds, secretOf, TestNatsServer } from '../testing/nats-server';
import { selfSigned } from '../testing/self-signed';
import { Agent } from './agent/agent';
import { Lease } from './bus/lease';
import { connectBus } from './bus/nats-bus';
import { NumberedChannel } from './bus/numbered-channel';
import { Fleet } from './console/fleet';
import { agentEnvironment, agentMachine, noMedia } from './fleet.fixture';
import type { OpenChannel } from './host-channel';
import type { JoinFile } from './site/join-file';

/** A console and up to two agents of this process at a real nats-server; what agents start are real programs. */
export class RealFleet {
  private constructor(
    private readonly server: TestNatsServer,
    readonly fleet: Fleet,
  ) {}

  static async start(folder: string): Promise<RealFleet> {
    const server = await TestNatsServer.start(folder);
    const bus = await connected(server, 'console', null);
    const fleet = new Fleet({
      ...{ bus, clock: machineClock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
      openChannel: channels(bus),
      onLost: () => undefined,
    });
    onTestFinished(() => fleet.close());
    return new RealFleet(server, fleet);
  }

  async agent(name: string, id: string = agentIds[0], address = '127.0.0.1'): Promise<Agent> {
    const bus = await connected(this.server, id, { id, name });
    const agent = new Agent({
      ...{ bus, clock: machineClock, agent: { id, name }, version: '1.0.0', machine: agentMachine },
      ...{ environment: agentEnvironment, bootId: name, network: name, addresses: () => [address] },
      ...{ lease: new Lease(1000, () => undefined), openChannel: channels(bus), media: noMedia },
      application: {
        spawnStreamHost: () => {
          throw new Error('no stream host is asked for');
        },
      },
      helpers: { kinds: helpersElsewhere() },
      transportOf: () => ({ name: 'memory' }),
      limits: { streams: 4, format: null, minutes: null },
      onNote: () => undefined,
      onClosed: () => undefined,
    });
    onTestFinished(() => agent.close());
    return agent;
  }

  /** Leased, with a clock that is known. */
  async machine(name: string): Promise<RemoteMachine> {
    const machine = await this.fleet.find(name);
    if (!machine) throw new Error(`${name} is not connected`);
    await vi.waitFor(() => {
      if (!machine.clock.isKnown) throw new Error('its clock is not known');
    }, 5000);
    return machine;
  }
}

function channels(bus: Awaited<ReturnType<typeof connectBus>>): OpenChannel {
  return (sendOn, hearOn) => new NumberedChannel(bus, machineClock, { sendOn, hearOn });
}

async function connected(server: TestNatsServer, user: string, agent: JoinFile['agent']) {
  const join: JoinFile = {
    ...{ version: 1, servers: [`tls://${server.address}`], certificateAuthority: selfSigned.cert },
    ...{ user, secret: secretOf(user), agent },
  };
  const bus = await connectBus(join, agent ? 'agent' : 'console', { clock: machineClock });
  onTestFinished(() => bus.close());
  return bus;
}
