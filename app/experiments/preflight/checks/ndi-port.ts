import { type Check, hostAddress } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, unknown } from '../line';
import { ndiPorts, type PortState, tryPort } from '../ports';
import { lined } from '../shared-reasons';

export interface PortFacts {
  host: string;
  ports: { port: number; state: PortState }[];
}

export function judgePorts({ host, ports }: PortFacts): Line {
  const details = { host, ports };
  const inState = (state: PortState): string =>
    lined(ports.filter((port) => port.state === state).map(({ port }) => port));
  const [unreachable, silent] = [inState('unreachable'), inState('silent')];
  if (unreachable !== '') return problem(foundOf('host-not-reached', { host, ports: unreachable }), details);
  if (silent !== '') return problem(foundOf('host-silent', { host, ports: silent }), details);
  const [open, refused] = [inState('open'), inState('refused')];
  if (open === '') return unknown(foundOf('no-sender-listens', { host, ports: refused }), details);
  return ok(foundOf('host-takes-connections', { host, open, refused }), details);
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
