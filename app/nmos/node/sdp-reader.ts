import { isIP } from 'node:net';
import { isMulticast } from './sdp';
import type { Leg } from './transport';

/**
 * Session descriptions of senders of any make, as parameters of receivers. What a device may write in several ways is taken in each of
 * them; what would leave the choice of a group or source to chance is refused. Sources: RFC 4566, RFC 4570, RFC 7104, IS-05 v1.1
 * Behaviour: RTP.
 */

interface Line {
  /** The letter, such as m. */
  type: string;
  value: string;
}

interface Stream {
  /** Such as video/raw, or video alone where nothing names the encoding of the payload type. */
  type: string;
  port: string;
  lines: readonly Line[];
  session: readonly Line[];
}

interface SourceFilter {
  text: string;
  isInclusive: boolean;
  destination: string;
  sources: string[];
}

/** From its line v=0 on, without a byte order mark or empty lines before; null for a text that is no description. */
export function sessionText(text: string): string | null {
  const start = /^\uFEFF?\s*/.exec(text)?.[0].length ?? 0;
  const session = text.slice(start);
  return /^v=0\s*?(?:[\r\n]|$)/.test(session) ? session : null;
}

/**
 * Receiver parameters of each leg: the first stream that the receiver takes, with its duplicates (RFC 7104): other streams of its group
 * in their order, or the same from a second source. Where a receiver has more legs, the rest are off; where it has fewer, it takes the
 * first.
 * @param mediaTypes those that the receiver takes, and no others; none: all
 * @throws Error with the reason if it cannot be read, is ambiguous, or describes nothing that the receiver takes
 */
export function readSession(data: string, legs: number, mediaTypes: readonly string[] = []): Leg[] {
  const text = sessionText(data);
  if (text === null) throw new Error('it does not begin with v=0');
  const described = streamsOf(linesOf(text));
  if (described.length === 0) throw new Error('it describes no RTP stream (no line m=… RTP/AVP …)');
  const streams = described.filter(({ type }) => isTaken(type, mediaTypes));
  const [first] = streams;
  if (!first)
    throw new Error(
      `it describes ${described[0]?.type.slice(0, 100)}, but this receiver accepts ${mediaTypes.join(', ')}`,
    );
  const same = duplicatesOf(first, streams);
  const found = same.length > 1 ? same.slice(0, legs).map(onlyLegOf) : legsOf(first);
  return Array.from({ length: legs }, (_, index) => found[index] ?? { rtp_enabled: false });
}

/** Longer descriptions are no descriptions. */
const mostLines = 1000;

/** Folded lines are whole again: what does not begin like a line goes on with the one before, such as the rest of a long a=fmtp. */
function linesOf(text: string): Line[] {
  const written = text.split(/[\r\n]+/, mostLines + 1).map((line) => line.trim());
  if (written.length > mostLines) throw new Error(`it has more than ${mostLines} lines`);
  const lines: Line[] = [];
  for (const line of written) {
    const last = lines.at(-1);
    if (/^[a-z]=/.test(line)) lines.push({ type: line.charAt(0), value: line.slice(2).trim() });
    else if (last && line !== '') last.value += ` ${line}`;
  }
  return lines;
}

/** Of RTP; those of other protocols are ignored. */
function streamsOf(lines: readonly Line[]): Stream[] {
  const sections: Line[][] = [[]];
  for (const line of lines) {
    if (line.type === 'm') sections.push([]);
    if (line.type === 'v' && sections.length > 1)
      throw refusal('a single session', 'v=', line.value, 'Give the description of one session alone');
    sections.at(-1)?.push(line);
  }
  const [session = [], ...media] = sections;
  return media.flatMap((section) => {
    const [kind = '', port = '', protocol = '', payload = ''] = section[0]?.value.split(/\s+/) ?? [];
    if (!/^RTP\/S?AVPF?$/i.test(protocol)) return [];
    return [{ type: typeOf(kind, payload, section), port, lines: section, session }];
  });
}

/** Those of senders that use no a=rtpmap: RFC 3551, section 6. */
const staticEncodings: Readonly<Record<string, string>> = {
  ...{ 0: 'PCMU', 8: 'PCMA', 10: 'L16', 11: 'L16', 14: 'MPA', 26: 'JPEG', 32: 'MPV', 33: 'MP2T' },
};

/** By the first payload type of the line m=, which is the preferred one (RFC 4566, section 5.14). */
function typeOf(kind: string, payload: string, lines: readonly Line[]): string {
  const encodings = attributes(lines, 'rtpmap').flatMap((value) => {
    const [, mapped, encoding = ''] = /^(\d+)\s+([^/\s]+)/.exec(value) ?? [];
    return mapped === payload ? [encoding] : [];
  });
  const [encoding = staticEncodings[payload]] = encodings;
  const other = encodings.find((one) => one.toLowerCase() !== encoding?.toLowerCase());
  if (other !== undefined)
    throw refusal(
      `one encoding of the payload type ${payload}`,
      'a=rtpmap',
      `${encoding} and ${other}`,
      'Let the sender use another payload type for each',
    );
  return encoding === undefined ? kind : `${kind}/${encoding}`;
}

/** Names of media types know no case (RFC 6838). */
function isTaken(type: string, mediaTypes: readonly string[]): boolean {
  const own = type.toLowerCase();
  return (
    mediaTypes.length === 0 ||
    mediaTypes.some((one) => {
      const taken = one.toLowerCase();
      return own.includes('/') ? taken === own : taken.startsWith(`${own}/`);
    })
  );
}

/** The streams of its group, itself among them; streams without a group are others, which would spoil it. */
function duplicatesOf(stream: Stream, streams: readonly Stream[]): readonly Stream[] {
  const nameOf = ({ lines }: Stream): string => attributes(lines, 'mid')[0] ?? '';
  const groups = attributes(stream.session, 'group')
    .map((value) => value.split(/\s+/))
    .flatMap(([semantics, ...names]) => (semantics === 'DUP' ? [names] : []));
  const [only = []] = groups;
  // Some devices group streams, and leave out their names.
  if (groups.length === 1 && streams.length === only.length && streams.every((one) => nameOf(one) === ''))
    return streams;
  const names = groups.find((group) => group.includes(nameOf(stream))) ?? [];
  return streams.filter((one) => one === stream || names.includes(nameOf(one)));
}

/** The paths of one stream: from several sources, or sent again later (RFC 7104, sections 4.1 and 4.3). */
function legsOf(stream: Stream): Leg[] {
  const sources = sourcesOf(stream);
  const isRepeated = attributes(stream.lines, 'ssrc-group').some((value) => /^DUP(?:\s|$)/.test(value));
  const [source = null] = sources;
  if (sources.length > 1) return sources.map((one) => legOf(stream, one));
  return (isRepeated ? [source, source] : [source]).map((one) => legOf(stream, one));
}

function onlyLegOf(stream: Stream): Leg {
  const [source = null, ...others] = sourcesOf(stream);
  if (others.length === 0) return legOf(stream, source);
  throw refusal(
    `one source of ${addressOf(stream)}, which has a duplicate in a group,`,
    'a=source-filter',
    [source, ...others].join(' '),
    'Let each filter name the address of the path that it is for',
  );
}

function legOf(stream: Stream, source_ip: string | null): Leg {
  const address = addressOf(stream);
  const leg = { source_ip, destination_port: portOf(stream), rtp_enabled: true };
  return isMulticast(address)
    ? { ...leg, multicast_ip: address, interface_ip: 'auto' }
    : { ...leg, multicast_ip: null, interface_ip: address };
}

function portOf({ port }: Stream): number {
  // A number of ports may follow it.
  const number = /^\d{1,5}(?=\/|$)/.test(port) ? Number.parseInt(port, 10) : 0;
  if (number < 1 || number > 65_535)
    throw refusal('a port from 1 to 65535', 'm=', port, 'Switch the sender on, so that it names its port');
  return number;
}

/** That of the stream itself comes before that of the session. */
function addressOf({ lines, session }: Stream): string {
  const own = valuesOf(lines, 'c');
  const [value, other] = new Set(own.length > 0 ? own : valuesOf(session, 'c'));
  if (value === undefined)
    throw new Error('a stream has no address (no line c=). Switch the sender on, so that it names its group');
  const remedy = 'Let the sender describe each stream with one address';
  if (other !== undefined) throw refusal('one address of a stream', 'c=', `${value} and ${other}`, remedy);
  const [, family, address = value, firstNumber, secondNumber] =
    /^IN\s+IP([46])\s+([^/\s]+)(?:\/(\d+))?(?:\/(\d+))?$/.exec(value) ?? [];
  const count = family === '6' ? firstNumber : secondNumber;
  if (Number(count ?? 1) > 1) throw refusal('one address of a stream', 'c=', value, remedy);
  return checkedAddress(address, 'c=');
}

/** Of the filters for its address: RFC 4570, section 3. Empty: any source. */
function sourcesOf(stream: Stream): string[] {
  const address = addressOf(stream);
  // Those of the stream itself come before those of the session, and those for this address before those for all.
  for (const lines of [stream.lines, stream.session])
    for (const destination of [address, '*']) {
      const filters = attributes(lines, 'source-filter')
        .map(filterOf)
        .filter((filter) => isSame(filter.destination, destination));
      const [first, ...others] = filters;
      if (!first) continue;
      const other = others.find(({ sources }) => sources.join(' ') !== first.sources.join(' '));
      if (other)
        throw refusal(
          `one filter for ${address}`,
          'a=source-filter',
          `${first.text} and ${other.text}`,
          'Let the sender leave only the filter with the address that it sends from',
        );
      const excluding = filters.find(({ isInclusive }) => !isInclusive);
      if (excluding)
        throw refusal(
          'incl',
          'a=source-filter',
          excluding.text,
          'IS-05 has no parameter for sources that are left out: let the sender name those that send',
        );
      return first.sources.map((source) => checkedAddress(source, 'a=source-filter'));
    }
  return [];
}

function filterOf(text: string): SourceFilter {
  const [mode = '', network, family = '', destination = '', ...sources] = text.split(/\s+/);
  const isFilter = /^(?:in|ex)cl$/i.test(mode) && network === 'IN' && /^(?:IP[46]|\*)$/.test(family);
  if (isFilter && sources.length > 0)
    return { text, isInclusive: mode.toLowerCase() === 'incl', destination, sources };
  throw refusal(
    'incl IN IP4 <group> <source>',
    'a=source-filter',
    text,
    'Let the sender name its group and its address there, or leave the line out',
  );
}

/** An IPv6 address may be written in several ways. */
function isSame(one: string, other: string): boolean {
  return one === other || (isIP(one) === 6 && isIP(other) === 6 && shortest(one) === shortest(other));
}

function shortest(address: string): string {
  return address.includes('%') ? address : new URL(`http://[${address}]`).hostname;
}

/** A zone (RFC 4007) is of this machine alone, and no schema of IS-05 has it. */
function checkedAddress(address: string, field: string): string {
  if (isIP(address) !== 0 && !address.includes('%')) return address;
  throw refusal('an IP address', field, address, 'Let the sender use an address without a name or a zone');
}

function valuesOf(lines: readonly Line[], type: string): string[] {
  return lines.filter((line) => line.type === type).map(({ value }) => value);
}

/** Values of a=name:…, in their order. */
function attributes(lines: readonly Line[], name: string): string[] {
  return valuesOf(lines, 'a').flatMap((value) =>
    value.startsWith(`${name}:`) ? [value.slice(name.length + 1).trim()] : [],
  );
}

function refusal(expected: string, field: string, received: string, remedy: string): Error {
  const shown = received === '' ? 'nothing' : received.slice(0, 200);
  return new Error(`Expected ${expected} for ${field} but received ${shown}. ${remedy}`);
}
