import { expect, it } from 'vitest';
import { readSession } from './sdp';

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
  expect(
    readSession(
      `v=0\nm=video 5004 RTP/AVP 96\nc=IN IP4 239.1.1.1\n${'m=video 1 RTP/AVP 96\n'.repeat(50_000)}`,
      1,
    ),
  ).toHaveLength(1);
});
