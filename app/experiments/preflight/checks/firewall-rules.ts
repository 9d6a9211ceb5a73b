import { type Firewall, fateOf, readFirewall } from '../../../engine/machine/firewall';
import { type Line, ok, problem, warning } from '../../../engine/machine/line';
import type { Check } from '../check';
import { ndiPorts } from '../ports';

/** As many senders as anybody would run behind one firewall's rule. */
const sendersLooked = 8;

const looked: readonly { protocol: string; port: number; use: string }[] = [
  { protocol: 'udp', port: ndiPorts.mdns, use: 'discovery' },
  { protocol: 'tcp', port: ndiPorts.query, use: 'the list of senders' },
  ...Array.from({ length: sendersLooked }, (_, index) => ({
    protocol: 'tcp',
    port: ndiPorts.firstSender + index,
    use: 'a sender',
  })),
  { protocol: 'udp', port: ndiPorts.firstSender, use: 'video by RUDP' },
];

/** Opens what NDI needs, for the three firewalls that are met most. */
const command =
  'ufw allow 5353/udp; ufw allow 5959:6100/tcp; ufw allow 5960:6100/udp   # or the same with firewall-cmd or nft';

export function judgeFirewall(firewall: Firewall): Line {
  const fates = looked.map((port) => ({ ...port, fate: fateOf(firewall, port.protocol, port.port) }));
  const rules = firewall.chains.reduce((count, chain) => count + chain.rules.length, 0);
  const details = { ports: fates, rules };
  const said = (fate: string): string =>
    fates
      .filter((port) => port.fate === fate)
      .map(({ protocol, port, use }) => `${port}/${protocol} (${use})`)
      .join(', ');
  const dropped = said('dropped');
  if (dropped !== '')
    return problem(`rules of this machine drop ${dropped}`, 'Let NDI’s ports in', command, details);
  const doubtful = said('perhaps dropped');
  if (doubtful !== '') {
    const advice = 'The rules match addresses or states too: see whether the other machines are among them';
    return warning(`rules of this machine may drop ${doubtful}`, advice, 'nft list ruleset', details);
  }
  const count = rules === 0 ? 'no rule of this machine' : 'none of this machine’s rules';
  return ok(`${count} drops what comes for NDI’s ports`, details);
}

export const firewallRules: Check = {
  id: 'firewall-rules',
  run: async () => judgeFirewall(await readFirewall()),
};
