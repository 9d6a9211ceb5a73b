import { isIP } from 'node:net';
import type { FlowResource, SourceResource } from './resources';
import type { FileFacts, Leg } from './transport';

/** Session descriptions of our RTP streams. Sources: RFC 4566, RFC 4570, RFC 7104, IS-05 v1.1 Behaviour: RTP, SMPTE ST 2110-20, -30, -40. */

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
