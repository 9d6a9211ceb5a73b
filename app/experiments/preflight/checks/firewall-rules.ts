import { type Firewall, fateOf, readFirewall } from '../../../engine/machine/firewall';
import type { Check } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, warning } from '../line';
import { ndiPorts } from '../ports';
import { lined } from '../shared-reasons';

/** As many senders as anybody would run behind one firewall's rule. */
const sendersLooked = 8;

const looked: readonly { protocol: string; port: number }[] = [
  { protocol: 'udp', port: ndiPorts.mdns },
  { protocol: 'tcp', port: ndiPorts.query },
  ...Array.from({ length: sendersLooked }, (_, index) => ({
    protocol: 'tcp',
    port: ndiPorts.firstSender + index,
  })),
  { protocol: 'udp', port: ndiPorts.firstSender },
];

export function judgeFirewall(firewall: Firewall): Line {
  const fates = looked.map((port) => ({ ...port, fate: fateOf(firewall, port.protocol, port.port) }));
  const rules = firewall.chains.reduce((count, chain) => count + chain.rules.length, 0);
  const details = { ports: fates, rules };
  const ports = (fate: string): string =>
    lined(fates.filter((port) => port.fate === fate).map(({ protocol, port }) => `${port}/${protocol}`));
  const [dropped, doubtful] = [ports('dropped'), ports('perhaps dropped')];
  if (dropped !== '') return problem(foundOf('firewall-drops', { ports: dropped }), details);
  if (doubtful !== '') return warning(foundOf('firewall-may-drop', { ports: doubtful }), details);
  return ok(foundOf('firewall-open', { rules }), details);
}

export const firewallRules: Check = {
  id: 'firewall-rules',
  run: async () => judgeFirewall(await readFirewall()),
};
