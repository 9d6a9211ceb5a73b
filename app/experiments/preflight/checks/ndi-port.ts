import { type Line, ok, problem, unknown } from '../../../engine/machine/line';
import { type Check, hostAddress } from '../check';
import { ndiPorts, type PortState, tryPort } from '../ports';

export interface PortFacts {
  host: string;
  ports: { port: number; state: PortState }[];
}

export function judgePorts({ host, ports }: PortFacts): Line {
  const details = { host, ports };
  const inState = (state: PortState): string =>
    ports
      .filter((port) => port.state === state)
      .map(({ port }) => port)
      .join(', ');
  if (inState('unreachable') !== '') {
    const found = `${host} cannot be reached on ${inState('unreachable')}`;
    return problem(
      found,
      'Check cable, addresses and routes, and whether it is on',
      `ip route get ${host}`,
      details,
    );
  }
  const silent = inState('silent');
  if (silent !== '') {
    const found = `${host} does not answer on ${silent}`;
    const advice = 'A firewall there or on the way drops it, or the machine is off: let NDI’s ports in';
    const command = 'ufw allow 5959:6100/tcp; ufw allow 5960:6100/udp   # on that machine';
    return problem(found, advice, command, details);
  }
  const open = inState('open');
  if (open === '') {
    const advice = 'Start a sender there, then look again: only then a firewall shows';
    const command = `whiteline send   # on that machine`;
    return unknown(
      `${host} answers, and no sender listens on ${inState('refused')}`,
      advice,
      command,
      details,
    );
  }
  const refused = inState('refused');
  return ok(`${host} takes connections on ${open}${refused && `; nothing listens on ${refused}`}`, details);
}

export const ndiPort: Check = {
  id: 'ndi-ports',
  async run(context) {
    const host = hostAddress(context);
    const { senders } = context.parameters;
    const tried = [
      ndiPorts.query,
      ...Array.from({ length: senders }, (_, index) => ndiPorts.firstSender + index),
    ];
    const ports = await Promise.all(
      tried.map(async (port) => ({ port, state: await tryPort(host, port, context.signal) })),
    );
    return judgePorts({ host, ports });
  },
};
