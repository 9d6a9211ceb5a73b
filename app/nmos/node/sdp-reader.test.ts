import { describe, expect, it } from 'vitest';
import { readSession } from './sdp-reader';

const head = [
  'v=0',
  'o=- 1497010742 1497010742 IN IP4 172.29.26.24',
  's=SDP Example',
  't=2873397496 2873404696',
];
const dup = 'a=ssrc-group:DUP 1000 1010';
const auto = { interface_ip: 'auto', rtp_enabled: true };

/** The examples of IS-05 v1.1 Behaviour: RTP Transport Type. */
it.each([
  [
    'Unicast',
    ['c=IN IP4 10.46.16.34/127', 'a=recvonly', 'm=video 51372 RTP/AVP 99', 'a=rtpmap:99 h263-1998/90000'],
    [
      {
        source_ip: null,
        multicast_ip: null,
        interface_ip: '10.46.16.34',
        destination_port: 51_372,
        rtp_enabled: true,
      },
    ],
  ],
  [
    'Source Specific Multicast',
    [
      'm=video 5000 RTP/AVP 103',
      'c=IN IP4 232.21.21.133/32',
      'a=source-filter: incl IN IP4 232.21.21.133 172.29.226.24',
    ],
    [{ ...auto, source_ip: '172.29.226.24', multicast_ip: '232.21.21.133', destination_port: 5000 }],
  ],
  [
    'Any Source Multicast',
    ['m=video 5000 RTP/AVP 103', 'c=IN IP4 239.21.21.133/32', 'a=rtpmap:103 raw/90000'],
    [{ ...auto, source_ip: null, multicast_ip: '239.21.21.133', destination_port: 5000 }],
  ],
  [
    'SMPTE 2022-7, Separate Source Addresses',
    [
      'm=video 30000 RTP/AVP 100',
      'c=IN IP4 233.252.0.1/127',
      'a=source-filter: incl IN IP4 233.252.0.1 198.51.100.1 198.51.100.2',
      dup,
    ],
    [
      { ...auto, source_ip: '198.51.100.1', multicast_ip: '233.252.0.1', destination_port: 30_000 },
      { ...auto, source_ip: '198.51.100.2', multicast_ip: '233.252.0.1', destination_port: 30_000 },
    ],
  ],
  [
    'SMPTE 2022-7, Separate Destination Addresses',
    [
      ...['a=group:DUP S1a S1b', 'm=video 30000 RTP/AVP 100', 'c=IN IP4 233.252.0.1/127'],
      ...['a=source-filter: incl IN IP4 233.252.0.1 198.51.100.1', 'a=mid:S1a', 'm=video 30000 RTP/AVP 101'],
      ...['c=IN IP4 233.252.0.2/127', 'a=source-filter: incl IN IP4 233.252.0.2 198.51.100.1', 'a=mid:S1b'],
    ],
    [
      { ...auto, source_ip: '198.51.100.1', multicast_ip: '233.252.0.1', destination_port: 30_000 },
      { ...auto, source_ip: '198.51.100.1', multicast_ip: '233.252.0.2', destination_port: 30_000 },
    ],
  ],
])('IS-05 v1.1 Behaviour: RTP, Interpretation of SDP Files: %s', (_, lines, legs) => {
  expect(readSession([...head, ...lines, ''].join('\r\n'), legs.length)).toEqual(legs);
});

it('IS-05 v1.1 Behaviour: RTP, Operation with SMPTE 2022-7: one stream puts the second leg off', () => {
  const lines = [...head, 'm=audio 5004 RTP/AVP 96', 'c=IN IP4 239.1.1.1/32'];
  expect(readSession(lines.join('\n'), 2)).toEqual([
    { ...auto, source_ip: null, multicast_ip: '239.1.1.1', destination_port: 5004 },
    { rtp_enabled: false },
  ]);
});

it('streams of other protocols are passed over, and IPv6 is read', () => {
  const lines = [
    ...[...head, 'm=application 1 UDP/FEC', 'c=IN IP4 nowhere'],
    ...[
      'm=video 5004 RTP/AVP 96',
      'c=IN IP6 ff3e::8000:1',
      'a=source-filter: incl IN IP6 ff3e::8000:1 2001:db8::9',
    ],
  ];
  expect(readSession(lines.join('\n'), 1)).toEqual([
    { ...auto, source_ip: '2001:db8::9', multicast_ip: 'ff3e::8000:1', destination_port: 5004 },
  ]);
});

it('of several streams the receiver gets those of a type that it takes', () => {
  const [video, audio] = [
    ['m=video 5004 RTP/AVP 96', 'c=IN IP4 239.1.1.1', 'a=rtpmap:96 RAW/90000'],
    ['m=audio 5006 RTP/AVP 97', 'c=IN IP4 239.1.1.2', 'a=rtpmap:97 L24/48000/2'],
  ];
  const both = [...head, ...video, ...audio].join('\n');
  expect(readSession(both, 1, ['audio/L24'])).toMatchObject([{ multicast_ip: '239.1.1.2' }]);
  expect(readSession(both, 1, ['video/raw'])).toMatchObject([{ multicast_ip: '239.1.1.1' }]);
  expect(() => readSession(both, 1, ['video/smpte291'])).toThrow(
    'it describes video/RAW, but this receiver accepts video/smpte291',
  );
  const unnamed = [...head, ...video.slice(0, 2)].join('\n');
  expect(readSession(unnamed, 1, ['video/smpte291'])).toHaveLength(1);
  expect(() => readSession(unnamed, 1, ['audio/L24'])).toThrow('it describes video');
});

it('a megabyte of lines is no description', () => {
  expect(() => readSession('a=x\n'.repeat(250_000), 1)).toThrow('it does not begin with v=0');
  const streams = 'm=video 1 RTP/AVP 96\n'.repeat(50_000);
  expect(() => readSession(`v=0\nm=video 5004 RTP/AVP 96\nc=IN IP4 239.1.1.1\n${streams}`, 1)).toThrow(
    'it has more than 1000 lines',
  );
});

const second = ['m=video 5006 RTP/AVP 96', 'c=IN IP4 239.2.2.2/32'];
const first = ['m=video 5004 RTP/AVP 96', 'c=IN IP4 239.1.1.1/32'];
const filter = (group: string, ...sources: string[]): string =>
  `a=source-filter: incl IN IP4 ${group} ${sources.join(' ')}`;
const sourcesOf = (lines: readonly string[], legs = 1): unknown[] =>
  readSession([...head, ...lines].join('\n'), legs).map(({ source_ip }) => source_ip);

describe('RFC 4570: a source filter is for the group that it names', () => {
  const grouped = ['a=group:DUP 1 2', ...first, 'a=mid:1', ...second, 'a=mid:2'];

  it.each<[string, unknown[], string[], number?]>([
    [
      'two of the session, each for one leg',
      ['10.0.0.1', '10.0.1.1'],
      [filter('239.1.1.1', '10.0.0.1'), filter('239.2.2.2', '10.0.1.1'), ...grouped],
      2,
    ],
    ['of another group', [null], [filter('239.9.9.9', '10.9.9.9'), ...first]],
    ['of another group, at the stream', [null], [...first, filter('239.9.9.9', '10.9.9.9')]],
    ['of the session, for all', ['10.0.0.1'], [filter('*', '10.0.0.1'), ...first]],
    ['of all address types', ['10.0.0.1'], ['a=source-filter:incl IN * 239.1.1.1 10.0.0.1', ...first]],
    [
      'of the stream before that of the session',
      ['10.0.0.1'],
      [filter('239.1.1.1', '10.9.9.9'), ...first, filter('239.1.1.1', '10.0.0.1')],
    ],
    [
      'for this group before that for all',
      ['10.0.0.1'],
      [filter('*', '10.9.9.9'), filter('239.1.1.1', '10.0.0.1'), ...first],
    ],
    [
      'given twice',
      ['10.0.0.1'],
      [...first, filter('239.1.1.1', '10.0.0.1'), filter('239.1.1.1', '10.0.0.1')],
    ],
    [
      'with IPv6 written in another way',
      ['2001:db8::9'],
      [
        ...['m=video 5004 RTP/AVP 96', 'c=IN IP6 ff3e::8000:1'],
        'a=source-filter: incl IN IP6 FF3E:0::8000:0001 2001:db8::9',
      ],
    ],
    ['before its c= line', ['10.0.0.1'], [first[0] ?? '', filter('239.1.1.1', '10.0.0.1'), first[1] ?? '']],
  ])('%s', (_, sources, lines, legs) => {
    expect(sourcesOf(lines, legs)).toEqual(sources);
  });
});

describe('what is ambiguous is refused, with field, value and remedy', () => {
  it.each<[string, string[], string]>([
    [
      'two filters of one group',
      [...first, filter('239.1.1.1', '10.0.0.1'), filter('239.1.1.1', '10.0.0.2')],
      'Expected one filter for 239.1.1.1 for a=source-filter but received incl IN IP4 239.1.1.1 10.0.0.1 and incl IN IP4 239.1.1.1 10.0.0.2. Let the sender leave only',
    ],
    [
      'a filter that leaves out',
      [...first, 'a=source-filter: excl IN IP4 239.1.1.1 10.0.0.1'],
      'Expected incl for a=source-filter but received excl IN IP4 239.1.1.1 10.0.0.1. IS-05 has no parameter',
    ],
    [
      'a filter without a source',
      [...first, 'a=source-filter: incl IN IP4 239.1.1.1'],
      'Expected incl IN IP4 <group> <source> for a=source-filter but received incl IN IP4 239.1.1.1. Let',
    ],
    [
      'a source that is a name',
      [...first, filter('239.1.1.1', 'sender.example.org')],
      'Expected an IP address for a=source-filter but received sender.example.org. Let',
    ],
    [
      'two addresses',
      [...first, 'c=IN IP4 239.2.2.2/32'],
      'Expected one address of a stream for c= but received IN IP4 239.1.1.1/32 and IN IP4 239.2.2.2/32. Let',
    ],
    [
      'a range of groups',
      ['m=video 5004 RTP/AVP 96', 'c=IN IP4 239.1.1.1/32/3'],
      'Expected one address of a stream for c= but received IN IP4 239.1.1.1/32/3. Let',
    ],
    [
      'a range of groups of IPv6',
      ['m=video 5004 RTP/AVP 96', 'c=IN IP6 ff3e::8000:1/2'],
      'Expected one address of a stream for c= but received IN IP6 ff3e::8000:1/2. Let',
    ],
    [
      'two encodings of a payload type',
      [...first, 'a=rtpmap:96 raw/90000', 'a=rtpmap:96 jxsv/90000'],
      'Expected one encoding of the payload type 96 for a=rtpmap but received raw and jxsv. Let',
    ],
    [
      'a port that is switched off',
      ['m=video 0 RTP/AVP 96', 'c=IN IP4 239.1.1.1/32'],
      'Expected a port from 1 to 65535 for m= but received 0. Switch the sender on',
    ],
    ['no address', ['m=video 5004 RTP/AVP 96'], 'a stream has no address (no line c=). Switch the sender on'],
    [
      'two sessions',
      [...first, 'v=0', ...second],
      'Expected a single session for v= but received 0. Give the description of one session alone',
    ],
    [
      'several sources of a stream with a duplicate',
      [
        ...['a=group:DUP 1 2', ...first, 'a=mid:1', filter('239.1.1.1', '10.0.0.1', '10.0.0.2')],
        ...[...second, 'a=mid:2'],
      ],
      'Expected one source of 239.1.1.1, which has a duplicate in a group, for a=source-filter but received 10.0.0.1 10.0.0.2. Let',
    ],
  ])('%s', (_, lines, sentence) => {
    const session = [...head, ...lines].join('\n');
    expect(() => readSession(session, 1)).toThrow(sentence);
    expect(() => readSession(session, 2)).toThrow(sentence);
  });
});

describe('RFC 7104: what duplicates a stream', () => {
  const groupsOf = (lines: readonly string[]): unknown[] =>
    readSession([...head, ...lines].join('\n'), 2).map(({ multicast_ip = null }) => multicast_ip);

  it.each<[string, unknown[], string[]]>([
    ['its group', ['239.1.1.1', '239.2.2.2'], ['a=group:DUP 1 2', ...first, 'a=mid:1', ...second, 'a=mid:2']],
    [
      'in the order of the streams',
      ['239.1.1.1', '239.2.2.2'],
      ['a=group:DUP 2 1', ...first, 'a=mid:1', ...second, 'a=mid:2'],
    ],
    [
      'a group whose streams have no names',
      ['239.1.1.1', '239.2.2.2'],
      ['a=group:DUP 1 2', ...first, ...second],
    ],
    ['no stream beside it', ['239.1.1.1', null], [...first, ...second]],
    [
      'no stream of another kind of group',
      ['239.1.1.1', null],
      ['a=group:LS 1 2', ...first, 'a=mid:1', ...second, 'a=mid:2'],
    ],
    [
      'no stream of another group',
      ['239.1.1.1', null],
      [...['a=group:DUP 1 3', 'a=group:DUP 2 4', ...first, 'a=mid:1', ...second, 'a=mid:2']],
    ],
    [
      'itself later: Temporal Redundancy',
      ['239.1.1.1', '239.1.1.1'],
      [...first, dup, 'a=duplication-delay:50'],
    ],
  ])('%s', (_, groups, lines) => {
    expect(groupsOf(lines)).toEqual(groups);
  });
});

describe('RFC 4566: the payload type of m= says which a=rtpmap counts', () => {
  const typeIn = (...lines: string[]): string => {
    try {
      readSession([...head, ...lines, 'c=IN IP4 239.1.1.1'].join('\n'), 1, ['none/none']);
      return 'taken';
    } catch (error) {
      return /describes (\S+),/.exec(String(error))?.[1] ?? String(error);
    }
  };

  it.each<[string, string[]]>([
    ['audio/L24', ['m=audio 5004 RTP/AVP 97', 'a=rtpmap:96 AM824/48000/2', 'a=rtpmap:97 L24/48000/2']],
    ['audio/L16', ['m=audio 5004 RTP/AVP 98 97', 'a=rtpmap:97 L24/48000/2', 'a=rtpmap:98 L16/48000/2']],
    ['audio/L16', ['m=audio 5004 RTP/AVP 10']],
    ['video/MP2T', ['m=video 5004 RTP/AVP 33']],
    ['audio', ['m=audio 5004 RTP/AVP 97', 'a=rtpmap:96 L24/48000/2']],
    ['video/raw', ['m=video 5004 RTP/AVP 96', 'a=rtpmap:96\traw/90000', 'a=rtpmap:96 RAW/90000']],
  ])('%s', (type, lines) => {
    expect(typeIn(...lines)).toBe(type);
  });
});
