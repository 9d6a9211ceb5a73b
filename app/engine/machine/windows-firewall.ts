import type { WindowsBooks } from '../load/windows-books';
import { NotKnown } from './facts';
import type { Firewall, FirewallRule } from './firewall';

/**
 * Windows' firewall by its registry, as far as it decides of packets to this program. Which of its three profiles is in force is not
 * asked: where they differ, the fate of a packet is in doubt. Written by the published form of its rules ([MS-GPFAS] 2.2.2.19).
 */

type Registry = Pick<WindowsBooks, 'registryText' | 'registryTexts'>;

const ownKey = 'SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy';
/** Of an administrator, before what is set here. */
const groupKey = 'SOFTWARE\\Policies\\Microsoft\\WindowsFirewall';
/** By which rules call them, and the registry. */
const profiles = { Domain: 'DomainProfile', Private: 'StandardProfile', Public: 'PublicProfile' };
type Profile = keyof typeof profiles;
const profileNames = Object.keys(profiles) as Profile[];

const protocols: Readonly<Record<string, string>> = { '6': 'tcp', '17': 'udp' };
const anyProtocol = '256';
const everyPort: [number, number][] = [[0, 65_535]];
/** What else a rule says of which packets it is for leaves doubt. */
const plainFields = ['Action', 'Active', 'Dir', 'App', 'Protocol', 'LPort', 'LPort2_10', 'Profile', 'Name'];
const textFields = ['Desc', 'EmbedCtxt', 'Edge', 'Defer', 'TTK', 'Svc'];

/** @throws NotKnown if the registry has no firewall */
export function windowsFirewall(
  registry: Registry,
  program = process.execPath,
  environment: NodeJS.ProcessEnv = process.env,
): Firewall {
  const setting = (profile: Profile, name: string): string | null =>
    registry.registryText(`${groupKey}\\${profiles[profile]}`, name) ??
    registry.registryText(`${ownKey}\\${profiles[profile]}`, name);
  if (profileNames.every((profile) => setting(profile, 'EnableFirewall') === null))
    throw new NotKnown('the registry has no settings of Windows’ firewall');
  const on = profileNames.filter((profile) => setting(profile, 'EnableFirewall') !== '0');
  if (on.length === 0) return { chains: [], markingRules: null };
  const ownRules = (key: string): ProfiledRule[] =>
    registry.registryTexts(`${key}\\FirewallRules`).flatMap((text) => {
      const rule = ruleOf(text, program, environment);
      return rule ? [rule] : [];
    });
  const rules = [...ownRules(ownKey), ...ownRules(groupKey)].map(({ profiles: of, ...rule }) => ({
    ...rule,
    // One that drops does nothing where the firewall is off.
    isNarrowed: rule.isNarrowed || !(rule.takes ? on : profileNames).every((profile) => of.includes(profile)),
  }));
  const takesNone = on.filter((profile) => setting(profile, 'DoNotAllowExceptions') === '1');
  const drops = on.filter((profile) => setting(profile, 'DefaultInboundAction') !== '0');
  const isAll = (some: readonly Profile[]): boolean => some.length === profileNames.length;
  if (isAll(takesNone)) return { chains: [{ rules: [], dropsTheRest: true }], markingRules: null };
  return {
    chains: [
      {
        rules: [
          ...(takesNone.length > 0 ? [doubt] : []),
          ...rules.filter(({ takes }) => !takes),
          ...rules.filter(({ takes }) => takes),
          ...(drops.length > 0 && !isAll(drops) ? [doubt] : []),
        ],
        dropsTheRest: isAll(drops),
      },
    ],
    markingRules: null,
  };
}

/** Whatever comes is dropped in one of the profiles. */
const doubt: FirewallRule = { protocol: null, ports: everyPort, isNarrowed: true, takes: false };

type ProfiledRule = FirewallRule & { profiles: readonly Profile[] };

/** Null for one that is off, of packets that leave, or of another program. */
function ruleOf(text: string, program: string, environment: NodeJS.ProcessEnv): ProfiledRule | null {
  const fields = fieldsOf(text);
  const first = (name: string): string | null => fields.get(name)?.[0] ?? null;
  if (first('Active') !== 'TRUE' || first('Dir') !== 'In') return null;
  const service = first('Svc');
  if (service !== null && service !== '*') return null;
  const app = first('App');
  if (app !== null && expanded(app, environment) !== program.toLowerCase()) return null;
  const number = first('Protocol') ?? anyProtocol;
  const protocol = number === anyProtocol ? null : protocols[number];
  if (protocol === undefined) return null;
  const given = [...(fields.get('LPort') ?? []), ...(fields.get('LPort2_10') ?? [])];
  const ports = given.length === 0 ? everyPort : given.flatMap(rangeOf);
  if (ports.length === 0) return null;
  const named = profileNames.filter((profile) => fields.get('Profile')?.includes(profile));
  const others = [...fields.keys()].filter((name) => ![...plainFields, ...textFields].includes(name));
  return {
    ...{ protocol, ports, takes: first('Action') !== 'Block' },
    isNarrowed: others.length > 0 || !['Allow', 'Block'].includes(first('Action') ?? ''),
    profiles: fields.has('Profile') ? named : profileNames,
  };
}

/** Such as v2.31|Action=Allow|Active=TRUE|Dir=In|Protocol=6|Profile=Private|Profile=Public|App=C:\…\node.exe| */
function fieldsOf(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const part of text.split('|').slice(1)) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at);
    fields.set(name, [...(fields.get(name) ?? []), part.slice(at + 1)]);
  }
  return fields;
}

/** Ports of the system's services have names. */
function rangeOf(text: string): [number, number][] {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  return first === undefined ? [] : [[Number(first), Number(last)]];
}

function expanded(path: string, environment: NodeJS.ProcessEnv): string {
  return path.replace(/%([^%]+)%/g, (whole, name: string) => environment[name] ?? whole).toLowerCase();
}
