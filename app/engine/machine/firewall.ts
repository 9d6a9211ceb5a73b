import { z } from 'zod';
import { safeParse } from '../../protocol/safe-parse';
import { windowsBooks } from '../load/windows-books';
import { findTool } from '../tools/run-tool';
import { askTool, NotKnown, parseToolJson } from './facts';
import { windowsFirewall } from './windows-firewall';

/** A rule that ends a packet's way into this machine, as far as it names ports. */
export interface FirewallRule {
  /** Null: of any protocol. */
  protocol: string | null;
  /** First and last port of each range; null: of any port. */
  ports: [first: number, last: number][] | null;
  /** Matches something else too, such as an address or the state of a connection: it may not be for us. */
  isNarrowed: boolean;
  takes: boolean;
}

/** One list of rules that each packet goes through. */
export interface FirewallChain {
  rules: FirewallRule[];
  /** What no rule decides is thrown away. */
  dropsTheRest: boolean;
}

/** What stands in the way of packets that come in: each chain may throw a packet away. */
export interface Firewall {
  chains: FirewallChain[];
  /** Rules that set the mark for precedence (DSCP), whatever they are for; null: Windows keeps them elsewhere. */
  markingRules: number | null;
}

export async function readFirewall(): Promise<Firewall> {
  const windows = windowsBooks();
  if (windows) return windowsFirewall(windows);
  if (findTool('nft')) return parseNft(await askTool('nft', '-j', 'list', 'ruleset'));
  if (findTool('iptables')) return parseIptables(await askTool('iptables', '-S'));
  throw new NotKnown('neither nft nor iptables is installed');
}

/** From good to bad. */
const fates = ['taken', 'perhaps dropped', 'dropped'] as const;
export type PortFate = (typeof fates)[number];

/** What becomes of a first packet to a port. */
export function fateOf({ chains }: Firewall, protocol: string, port: number): PortFate {
  const worst = Math.max(0, ...chains.map((chain) => fates.indexOf(fateIn(chain, protocol, port))));
  return fates[worst] ?? 'taken';
}

/** The rules of a chain are asked in order. */
function fateIn({ rules, dropsTheRest }: FirewallChain, protocol: string, port: number): PortFate {
  let isDoubtful = false;
  for (const rule of rules) {
    const isFor =
      (rule.protocol === null || rule.protocol === protocol) &&
      (rule.ports === null || rule.ports.some(([first, last]) => port >= first && port <= last));
    if (!isFor) continue;
    if (!rule.isNarrowed) {
      if (!rule.takes) return 'dropped';
      return isDoubtful ? 'perhaps dropped' : 'taken';
    }
    // One that names our port and drops may be for us; one that takes may be all that lets us in.
    isDoubtful ||= rule.ports !== null && (!rule.takes || dropsTheRest);
  }
  if (isDoubtful) return 'perhaps dropped';
  return dropsTheRest ? 'dropped' : 'taken';
}

const expression = z.record(z.string(), z.unknown());
const entry = z.object({
  chain: z
    .object({
      family: z.string(),
      table: z.string(),
      name: z.string(),
      hook: z.string().optional(),
      policy: z.string().optional(),
    })
    .optional(),
  rule: z
    .object({ family: z.string(), table: z.string(), chain: z.string(), expr: z.array(expression) })
    .optional(),
});
const ruleset = z.object({ nftables: z.array(entry) });

type NftRule = NonNullable<z.infer<typeof entry>['rule']>;

/** Chains may send packets to others; they are not nested deeper than this. */
const deepest = 8;

/**
 * Of `nft -j list ruleset`.
 * @throws NotKnown for anything that nft does not write
 */
export function parseNft(output: string): Firewall {
  const parsed = safeParse(ruleset, parseToolJson('nft', output));
  if (!parsed.success) throw new NotKnown('nft wrote a list of rules that we do not understand');
  const chains = parsed.data.nftables.flatMap(({ chain }) => chain ?? []);
  const rules = parsed.data.nftables.flatMap(({ rule }) => rule ?? []);
  const inputs = chains.filter(({ hook }) => hook === 'input' || hook === 'prerouting');
  const rulesOf = ({ family, table, name }: { family: string; table: string; name: string }): NftRule[] =>
    rules.filter((rule) => rule.family === family && rule.table === table && rule.chain === name);
  const flatten = (list: NftRule[], depth: number, isNarrowed: boolean): FirewallRule[] =>
    list.flatMap((rule) => {
      const { fits, target } = matchesOf(rule.expr);
      if (target && depth < deepest) {
        const chain = { family: rule.family, table: rule.table, name: target };
        const inner = flatten(rulesOf(chain), depth + 1, isNarrowed || fits.isNarrowed);
        return inner.map((found) => ({
          ...found,
          protocol: found.protocol ?? fits.protocol,
          ports: found.ports ?? fits.ports,
        }));
      }
      const takes = verdictOf(rule.expr);
      return takes === null ? [] : [{ ...fits, isNarrowed: isNarrowed || fits.isNarrowed, takes }];
    });
  return {
    chains: inputs.map((chain) => ({
      rules: flatten(rulesOf(chain), 0, false),
      dropsTheRest: chain.policy === 'drop',
    })),
    markingRules: rules.filter(({ expr }) => expr.some(isMarking)).length,
  };
}

/** True: the packet is let in; false: it is thrown away; null: neither. */
function verdictOf(expressions: NftRule['expr']): boolean | null {
  for (const item of expressions) {
    if ('accept' in item) return true;
    if ('drop' in item || 'reject' in item) return false;
  }
  return null;
}

const payload = z.object({ payload: z.object({ protocol: z.string(), field: z.string() }) });
const match = z
  .object({ op: z.string(), left: z.unknown(), right: z.unknown() })
  .catch({ op: '', left: null, right: null });
const jump = z.object({ target: z.string() });

function matchesOf(expressions: NftRule['expr']): {
  fits: Omit<FirewallRule, 'takes'>;
  target: string | null;
} {
  const fits: Omit<FirewallRule, 'takes'> = { protocol: null, ports: null, isNarrowed: false };
  let target: string | null = null;
  for (const item of expressions) {
    const to = safeParse(jump, item.jump ?? item.goto);
    if (to.success) target = to.data.target;
    // A rule with a rate limit, or for random packets, applies to some packets only.
    if ('limit' in item) fits.isNarrowed = true;
    if (!('match' in item)) continue;
    const { op, left, right } = match.parse(item.match);
    const field = safeParse(payload, left);
    const ports = field.success && field.data.payload.field === 'dport' ? rangesOf(right) : null;
    if (ports && (op === '==' || op === 'in') && field.success) {
      const { protocol } = field.data.payload;
      fits.protocol = protocol === 'th' ? fits.protocol : protocol;
      fits.ports = ports;
    } else if (typeof right === 'string' && isProtocolMatch(left)) fits.protocol = right;
    else fits.isNarrowed = true;
  }
  return { fits, target };
}

function isProtocolMatch(left: unknown): boolean {
  const field = safeParse(payload, left);
  if (field.success) return field.data.payload.field === 'protocol';
  return z.object({ meta: z.object({ key: z.literal('l4proto') }) }).safeParse(left).success;
}

const range = z.object({ range: z.tuple([z.number(), z.number()]) });

/** Null for what is no number, range or set of them. */
function rangesOf(right: unknown): FirewallRule['ports'] {
  if (typeof right === 'number') return [[right, right]];
  const both = safeParse(range, right);
  if (both.success) return [both.data.range];
  const set = z.object({ set: z.array(z.unknown()) }).safeParse(right);
  if (!set.success) return null;
  const ranges = set.data.set.map(rangesOf);
  return ranges.some((found) => found === null) ? null : ranges.flatMap((found) => found ?? []);
}

function isMarking(item: Record<string, unknown>): boolean {
  const key = z.object({ key: payload }).safeParse(item.mangle);
  return key.success && key.data.key.payload.field === 'dscp';
}

/** Of `iptables -S`: the rules of INPUT itself; a user's own chain that it names makes all doubtful. */
export function parseIptables(output: string): Firewall {
  const lines = output.split('\n');
  const rules = lines.flatMap((line): FirewallRule[] => {
    const target = /^-A INPUT\b.* -j (\S+)/.exec(line)?.[1];
    if (target === undefined) return [];
    const ports = /--dports? ([\d:,]+)/.exec(line)?.[1]?.split(',');
    const plain = line.replace(/ (?:-p \S+|-m (?:tcp|udp|multiport)|--dports? \S+|-j .*)/g, '');
    const isOther = !['ACCEPT', 'DROP', 'REJECT'].includes(target);
    return [
      {
        protocol: / -p (\S+)/.exec(line)?.[1] ?? null,
        ports:
          ports?.map((port): [number, number] => {
            const [first, last = first] = port.split(':').map(Number);
            return [first ?? 0, last ?? 0];
          }) ?? null,
        isNarrowed: isOther || plain.trim() !== '-A INPUT',
        takes: target === 'ACCEPT',
      },
    ];
  });
  const markingRules = lines.filter((line) => / -j (DSCP|TOS)\b/.test(line)).length;
  return { chains: [{ rules, dropsTheRest: lines.includes('-P INPUT DROP') }], markingRules };
}
