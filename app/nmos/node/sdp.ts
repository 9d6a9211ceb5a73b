import { isIP } from 'node:net';
import type { FlowResource, SourceResource } from './resources';
import type { FileFacts, Leg } from './transport';

/** Session descriptions of RTP streams. Sources: RFC 4566, RFC 4570, RFC 7104, IS-05 v1.1 Behaviour: RTP, SMPTE ST 2110-20, -30, -40. */

export const sdpType = 'application/sdp';

export function isMulticast(address: string): boolean {
  const [first = ''] = address.split('.');
  return isIP(address) === 4 ? Number(first) >= 224 && Number(first) < 240 : /^ff/i.test(address);
}

function family(address: string): string {
  return isIP(address) === 6 ? 'IP6' : 'IP4';
}

/** Of legs whose parameters are resolved. */
export function describeSession(legs: readonly Leg[], facts: FileFacts): string {
  const [first = {}] = legs;
  const origin = String(first.source_ip);
  const names = legs.map((_, index) => `leg${index + 1}`);
  const lines = [
    'v=0',
    `o=- ${facts.sessionId} ${facts.sessionVersion} IN ${family(origin)} ${origin}`,
    `s=${facts.label.replace(/[\r\n]+/g, ' ').trim() || '-'}`,
    't=0 0',
    ...(legs.length > 1 ? [`a=group:DUP ${names.join(' ')}`] : []),
    ...legs.flatMap((leg, index) => describeLeg(leg, facts, legs.length > 1 ? names[index] : undefined)),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

const payloadType = 96;

function describeLeg(leg: Leg, { flow, source, clockPortId }: FileFacts, name: string | undefined): string[] {
  const destination = String(leg.destination_ip);
  const own = String(leg.source_ip);
  const { media, format } = essence(flow, source);
  const timeToLive = isMulticast(destination) && isIP(destination) === 4 ? '/32' : '';
  return [
    `m=${media} ${leg.destination_port} RTP/AVP ${payloadType}`,
    `c=IN ${family(destination)} ${destination}${timeToLive}`,
    ...(isMulticast(destination)
      ? [`a=source-filter: incl IN ${family(destination)} ${destination} ${own}`]
      : []),
    ...format,
    `a=ts-refclk:localmac=${clockPortId.toUpperCase()}`,
    'a=mediaclk:sender',
    ...(name === undefined ? [] : [`a=mid:${name}`]),
  ];
}

function essence(
  flow: FlowResource | null,
  source: SourceResource | null,
): { media: string; format: string[] } {
  if (flow === null) return { media: 'video', format: [`a=rtpmap:${payloadType} raw/90000`] };
  const mediaType = flow.media_type;
  const encoding = mediaType.split('/')[1] ?? '';
  if (mediaType.startsWith('audio/')) return { media: 'audio', format: audio(flow, source, encoding) };
  if (mediaType === 'video/raw') return { media: 'video', format: video(flow) };
  const parameters = encoding === 'smpte291' ? [`a=fmtp:${payloadType} VPID_Code=132`] : [];
  return { media: 'video', format: [`a=rtpmap:${payloadType} ${encoding}/90000`, ...parameters] };
}

function video(flow: FlowResource): string[] {
  const components = Array.isArray(flow.components) ? flow.components : [];
  const isInterlaced = String(flow.interlace_mode ?? 'progressive').startsWith('interlaced');
  const parameters = [
    `sampling=${samplingOf(components)}`,
    `width=${flow.frame_width}`,
    `height=${flow.frame_height}`,
    `exactframerate=${rateText(flow.grain_rate)}`,
    `depth=${components[0]?.bit_depth ?? 10}`,
    ...(isInterlaced ? ['interlace'] : []),
    `TCS=${flow.transfer_characteristic ?? 'SDR'}`,
    `colorimetry=${flow.colorspace}`,
    'PM=2110GPM',
    'SSN=ST2110-20:2017',
    'TP=2110TPW',
  ];
  return [`a=rtpmap:${payloadType} raw/90000`, `a=fmtp:${payloadType} ${parameters.join('; ')}; `];
}

function samplingOf(components: readonly { name?: unknown; width?: unknown; height?: unknown }[]): string {
  const [first, second] = components;
  if (first?.name !== 'Y') return 'RGB';
  if (second?.width === first.width) return 'YCbCr-4:4:4';
  return second?.height === first.height ? 'YCbCr-4:2:2' : 'YCbCr-4:2:0';
}

function audio(flow: FlowResource, source: SourceResource | null, encoding: string): string[] {
  const channels = source?.channels?.length ?? 1;
  const rate = isRational(flow.sample_rate) ? flow.sample_rate.numerator : 48_000;
  const order = channels === 1 ? 'M' : channels === 2 ? 'ST' : `U${String(channels).padStart(2, '0')}`;
  return [
    `a=rtpmap:${payloadType} ${encoding}/${rate}/${channels}`,
    `a=fmtp:${payloadType} channel-order=SMPTE2110.(${order}); `,
    'a=ptime:1',
  ];
}

function isRational(value: unknown): value is { numerator: number; denominator?: number } {
  return (
    typeof value === 'object' && value !== null && 'numerator' in value && typeof value.numerator === 'number'
  );
}

function rateText(rate: unknown): string {
  if (!isRational(rate)) return '25';
  const { numerator, denominator = 1 } = rate;
  return denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;
}

interface Media {
  /** Such as video/raw, or video alone where the description leaves the encoding to the payload type; empty of a session. */
  type: string;
  port: number;
  address: string | null;
  sources: string[];
}

/**
 * Receiver parameters of each leg: the streams of a description in their order, or one stream from two sources (RFC 7104). Where a
 * receiver has more legs, the rest are off; where it has fewer, it takes the first.
 * @param mediaTypes those that the receiver takes, and no others; none: all
 * @throws Error with the reason where it cannot be read, or describes nothing that the receiver takes
 */
export function readSession(data: string, legs: number, mediaTypes: readonly string[] = []): Leg[] {
  const described = readStreams(data);
  if (described.length === 0) throw new Error('it describes no RTP stream (no line m=… RTP/AVP …)');
  const streams = described.filter(({ type }) => isTaken(type, mediaTypes));
  const [first] = streams;
  if (!first)
    throw new Error(
      `it describes ${described[0]?.type.slice(0, 100)}, but this receiver accepts ${mediaTypes.join(', ')}`,
    );
  const paths =
    streams.length === 1
      ? first.sources.slice(0, legs).map((source) => ({ ...first, sources: [source] }))
      : [];
  const found = paths.length > 1 ? paths : streams;
  return Array.from({ length: legs }, (_, index) => {
    const stream = found[index];
    return stream ? legOf(stream) : { rtp_enabled: false };
  });
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

function legOf({ address, port, sources }: Media): Leg {
  if (address === null) throw new Error('a stream has no address (no line c=)');
  const [source_ip = null] = sources;
  return isMulticast(address)
    ? { source_ip, multicast_ip: address, interface_ip: 'auto', destination_port: port, rtp_enabled: true }
    : { source_ip, multicast_ip: null, interface_ip: address, destination_port: port, rtp_enabled: true };
}

/** Longer descriptions are no descriptions. */
const mostLines = 1000;

function readStreams(data: string): Media[] {
  const lines = data.split(/\r\n|\n|\r/).slice(0, mostLines);
  if (lines[0] !== 'v=0') throw new Error('it does not begin with v=0');
  const session: Media = { type: '', port: 0, address: null, sources: [] };
  const streams: Media[] = [];
  let isRtp = true;
  for (const line of lines) {
    const media = /^m=(\w+) (\d{1,5})(?:\/\d+)? ([\w/]+)(?: |$)/.exec(line);
    if (media) {
      const port = Number(media[2]);
      isRtp = /^RTP\/S?AVPF?$/.test(media[3] ?? '');
      if (isRtp && (port < 1 || port > 65535)) throw new Error(`${port} is not a port`);
      if (isRtp) streams.push({ ...session, type: media[1] ?? '', port });
    } else if (isRtp) readLine(line, streams.at(-1) ?? session);
  }
  return streams;
}

function readLine(line: string, into: Media): void {
  const encoding = /^a=rtpmap:\d+ ([^/\s]+)/.exec(line);
  if (encoding?.[1] !== undefined && into.type !== '' && !into.type.includes('/'))
    into.type += `/${encoding[1]}`;
  const connection = /^c=IN IP[46] ([^/\s]+)/.exec(line);
  if (connection?.[1] !== undefined) into.address = checkedAddress(connection[1]);
  const filter = /^a=source-filter:\s*incl IN (?:IP[46]|\*) (\S+) (.+)$/.exec(line);
  if (filter?.[2] !== undefined) into.sources = filter[2].trim().split(/\s+/).map(checkedAddress);
}

/** A zone (RFC 4007) is of this machine alone, and no schema of IS-05 has it. */
function checkedAddress(address: string): string {
  if (isIP(address) === 0 || address.includes('%'))
    throw new Error(`${address.slice(0, 100)} is not an IP address`);
  return address;
}
