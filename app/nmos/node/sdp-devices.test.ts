import { expect, it } from 'vitest';
import { readSession } from './sdp-reader';
import type { Leg } from './transport';

/** Session descriptions as devices of several kinds write them: made up, each with what is usual or odd at its kind. */

interface Described {
  text: string;
  mediaTypes: string[];
  legs: Leg[];
}

const leg = (multicast_ip: string, source_ip: string | null, destination_port = 5004): Leg => ({
  ...{ multicast_ip, source_ip, destination_port },
  ...{ interface_ip: 'auto', rtp_enabled: true },
});
const off: Leg = { rtp_enabled: false };
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

const devices: Record<string, Described> = {
  'AES67, L24: c= of the session, no filter, PTP traceable, an offset of the media clock': {
    text: `v=0
o=- 1311738121 1311738121 IN IP4 192.168.1.1
s=Stage left I/O
c=IN IP4 239.0.0.1/32
t=0 0
m=audio 5004 RTP/AVP 96
i=Channels 1-8
a=rtpmap:96 L24/48000/8
a=recvonly
a=ptime:1
a=ts-refclk:ptp=IEEE1588-2008:traceable
a=mediaclk:direct=963214424
`,
    mediaTypes: ['audio/L24'],
    legs: [leg('239.0.0.1', null)],
  },
  'AES67, L16 at 44.1 kHz: a ptime that is no whole number, a framecount, unknown attributes, LF': {
    text: `v=0
o=- 4 0 IN IP4 10.0.1.2
s=Intercom : 16
t=0 0
a=clock-domain:PTPv2 0
a=sendonly
m=audio 5010 RTP/AVP 97
c=IN IP4 239.1.2.3/15
a=rtpmap:97 L16/44100/2
a=sync-time:0
a=framecount:6-192
a=ptime:1.088435374149660
a=maxptime:1.1
a=ts-refclk:ptp=IEEE1588-2008:00-1D-C1-FF-FE-12-34-56:0
a=mediaclk:direct=0
a=source-filter: incl IN IP4 239.1.2.3 10.0.1.2
`,
    mediaTypes: ['audio/L16', 'audio/L24'],
    legs: [leg('239.1.2.3', '10.0.1.2', 5010)],
  },
  'a sound device like those of Dante: c= before t=, keywds, a second line of information': {
    text: crlf(`v=0
o=- 1423986 1423994 IN IP4 169.254.98.63
s=AOIP44-serial-1614 : 2
c=IN IP4 239.65.45.154/32
t=0 0
a=keywds:Dante
m=audio 5004 RTP/AVP 97
i=2 channels: Left, Right
a=recvonly
a=rtpmap:97 L24/48000/2
a=ptime:1
a=ts-refclk:ptp=IEEE1588-2008:00-1D-C1-FF-FE-0E-10-C4:0
a=mediaclk:direct=142410716
`),
    mediaTypes: ['audio/L24', 'audio/L16'],
    legs: [leg('239.65.45.154', null)],
  },
  'a sound device that lists AM824 for another payload type first': {
    text: `v=0
o=- 1 1 IN IP4 10.0.0.1
s=session c
c=IN IP4 239.1.1.1/32
t=0 0
m=audio 50000 RTP/AVP 97
a=rtpmap:96 AM824/48000/2
a=rtpmap:97 L24/48000/2
a=ts-refclk:ptp=IEEE1588-2008:traceable
`,
    mediaTypes: ['audio/L24'],
    legs: [leg('239.1.1.1', null, 50_000)],
  },
  'ST 2110-20: a=fmtp folded over several lines': {
    text: crlf(`v=0
o=- 123456 11 IN IP4 192.168.100.2
s=Example of a SMPTE ST2110-20 signal
i=this example is for 720p video at 59.94
t=0 0
m=video 50000 RTP/AVP 112
c=IN IP4 239.100.9.10/32
a=source-filter: incl IN IP4 239.100.9.10 192.168.100.2
a=rtpmap:112 raw/90000
a=fmtp:112 sampling=YCbCr-4:2:2; width=1280;
 height=720; exactframerate=60000/1001; depth=10;
TCS=SDR; colorimetry=BT709; PM=2110GPM;
\tSSN=ST2110-20:2017;
a=ts-refclk:ptp=IEEE1588-2008:39-A7-94-FF-FE-07-CB-D0:37
a=mediaclk:direct=0
`),
    mediaTypes: ['video/raw'],
    legs: [leg('239.100.9.10', '192.168.100.2', 50_000)],
  },
  'ST 2110-20 with ST 2022-7: each leg with its own group, filter and clock': {
    text: crlf(`v=0
o=- 1543226715 1543226715 IN IP4 10.1.22.4
s=Camera 3
t=0 0
a=group:DUP primary secondary
m=video 20000 RTP/AVP 96
c=IN IP4 239.22.4.1/64
a=source-filter: incl IN IP4 239.22.4.1 10.1.22.4
a=rtpmap:96 raw/90000
a=fmtp:96 sampling=YCbCr-4:2:2; width=1920; height=1080; exactframerate=50; depth=10; TCS=SDR; colorimetry=BT709; PM=2110GPM; SSN=ST2110-20:2017; TP=2110TPN; interlace;
a=mediaclk:direct=0
a=ts-refclk:ptp=IEEE1588-2008:EC-46-70-FF-FE-00-CE-DE:127
a=mid:primary
m=video 20000 RTP/AVP 96
c=IN IP4 239.22.4.2/64
a=source-filter: incl IN IP4 239.22.4.2 10.2.22.4
a=rtpmap:96 raw/90000
a=fmtp:96 sampling=YCbCr-4:2:2; width=1920; height=1080; exactframerate=50; depth=10; TCS=SDR; colorimetry=BT709; PM=2110GPM; SSN=ST2110-20:2017; TP=2110TPN; interlace;
a=mediaclk:direct=0
a=ts-refclk:ptp=IEEE1588-2008:EC-46-70-FF-FE-00-CE-DE:127
a=mid:secondary
`),
    mediaTypes: ['video/raw'],
    legs: [leg('239.22.4.1', '10.1.22.4', 20_000), leg('239.22.4.2', '10.2.22.4', 20_000)],
  },
  'ST 2110-30 like a router of Lawo’s kind: both filters at the session, ptime of 125 µs': {
    text: crlf(`v=0
o=- 1443716955 1443716955 IN IP4 192.168.16.31
s=A__mc2 tx 12
t=0 0
a=group:DUP 1 2
a=source-filter: incl IN IP4 239.16.31.12 192.168.16.31
a=source-filter: incl IN IP4 239.116.31.12 192.168.116.31
m=audio 5004 RTP/AVP 98
c=IN IP4 239.16.31.12/32
a=rtpmap:98 L24/48000/64
a=fmtp:98 channel-order=SMPTE2110.(U64)
a=ptime:0.125
a=ts-refclk:ptp=IEEE1588-2008:00-0B-72-FF-FE-06-6A-2B:0
a=mediaclk:direct=0
a=mid:1
m=audio 5004 RTP/AVP 98
c=IN IP4 239.116.31.12/32
a=rtpmap:98 L24/48000/64
a=fmtp:98 channel-order=SMPTE2110.(U64)
a=ptime:0.125
a=ts-refclk:ptp=IEEE1588-2008:00-0B-72-FF-FE-06-6A-2B:0
a=mediaclk:direct=0
a=mid:2
`),
    mediaTypes: ['audio/L24'],
    legs: [leg('239.16.31.12', '192.168.16.31'), leg('239.116.31.12', '192.168.116.31')],
  },
  'ST 2110-30 like a gateway of Riedel’s kind: trailing blanks, an empty a=fmtp, RTCP': {
    text: crlf(`v=0 
o=- 35 3 IN IP4 10.30.5.7 
s=MN SDI-in 4 audio 
t=0 0 
m=audio 5004 RTP/AVP 97 
c=IN IP4 225.30.5.7/128 
a=rtcp:5005 
a=source-filter: incl IN IP4 225.30.5.7 10.30.5.7 
a=rtpmap:97 L24/48000/16 
a=fmtp:97 
a=ptime:0.12 
a=ts-refclk:localmac=00-19-7C-05-00-07 
a=mediaclk:sender 
`),
    mediaTypes: ['audio/L24'],
    legs: [leg('225.30.5.7', '10.30.5.7')],
  },
  'ST 2110-31: AM824 for a receiver that takes it, without redundancy': {
    text: `v=0
o=- 7 9 IN IP4 10.31.0.7
s=Dolby E feed
t=0 0
m=audio 5004 RTP/AVP 99
c=IN IP4 239.31.0.7/32
a=source-filter:incl IN IP4 239.31.0.7 10.31.0.7
a=rtpmap:99 AM824/48000/2
a=ptime:1
a=ts-refclk:ptp=IEEE1588-2008:traceable
a=mediaclk:direct=0
`,
    mediaTypes: ['audio/AM824'],
    legs: [leg('239.31.0.7', '10.31.0.7'), off],
  },
  'ST 2110-40: data with DID and SDID, a group without names of its streams': {
    text: crlf(`v=0
o=- 40 41 IN IP4 10.40.0.1
s=Captions
t=0 0
a=group:DUP A B
m=video 6000 RTP/AVP 100
c=IN IP4 239.40.0.1/32
a=source-filter: incl IN IP4 239.40.0.1 10.40.0.1
a=rtpmap:100 smpte291/90000
a=fmtp:100 DID_SDID={0x61,0x02};DID_SDID={0x41,0x05};VPID_Code=132
a=mediaclk:direct=0
a=ts-refclk:ptp=IEEE1588-2008:EC-46-70-FF-FE-00-CE-DE:127
m=video 6000 RTP/AVP 100
c=IN IP4 239.40.1.1/32
a=source-filter: incl IN IP4 239.40.1.1 10.41.0.1
a=rtpmap:100 smpte291/90000
a=mediaclk:direct=0
a=ts-refclk:ptp=IEEE1588-2008:EC-46-70-FF-FE-00-CE-DE:127
`),
    mediaTypes: ['video/smpte291'],
    legs: [leg('239.40.0.1', '10.40.0.1', 6000), leg('239.40.1.1', '10.41.0.1', 6000)],
  },
  'all streams of a gateway in one description, of which a receiver takes its own': {
    text: crlf(`v=0
o=- 90 1 IN IP4 10.9.0.1
s=Gateway 1
t=0 0
a=group:DUP v1 v2
a=group:DUP a1 a2
m=video 5004 RTP/AVP 96
c=IN IP4 239.9.1.1/32
a=source-filter: incl IN IP4 239.9.1.1 10.9.0.1
a=rtpmap:96 raw/90000
a=mid:v1
m=audio 5006 RTP/AVP 97
c=IN IP4 239.9.2.1/32
a=source-filter: incl IN IP4 239.9.2.1 10.9.0.1
a=rtpmap:97 L24/48000/2
a=mid:a1
m=video 5004 RTP/AVP 96
c=IN IP4 239.9.1.2/32
a=source-filter: incl IN IP4 239.9.1.2 10.9.1.1
a=rtpmap:96 raw/90000
a=mid:v2
m=audio 5006 RTP/AVP 97
c=IN IP4 239.9.2.2/32
a=source-filter: incl IN IP4 239.9.2.2 10.9.1.1
a=rtpmap:97 L24/48000/2
a=mid:a2
`),
    mediaTypes: ['audio/L24'],
    legs: [leg('239.9.2.1', '10.9.0.1', 5006), leg('239.9.2.2', '10.9.1.1', 5006)],
  },
  'ST 2022-6 in ST 2022-7: one group from two sources': {
    text: crlf(`v=0
o=ali 1122334455 1122334466 IN IP4 dup.example.com
s=DUP Grouping Semantics
t=0 0
m=video 30000 RTP/AVP 98
c=IN IP4 233.252.0.1/127
a=source-filter: incl IN IP4 233.252.0.1 198.51.100.1 198.51.100.2
a=rtpmap:98 SMPTE2022-6/27000000
a=ssrc:1000 cname:ch1@example.com
a=ssrc:1010 cname:ch1@example.com
a=ssrc-group:DUP 1000 1010
a=mid:Ch1
`),
    mediaTypes: ['video/SMPTE2022-6'],
    legs: [leg('233.252.0.1', '198.51.100.1', 30_000), leg('233.252.0.1', '198.51.100.2', 30_000)],
  },
  'MPEG-TS with FEC beside it, by the static payload type': {
    text: `v=0
o=- 33 1 IN IP4 10.33.0.1
s=Contribution
t=0 0
a=group:FEC-FR S1 R1
m=video 30000 RTP/AVP 33
c=IN IP4 239.33.0.1/127
a=fec-source-flow: id=0
a=mid:S1
m=application 30000 UDP/FEC
c=IN IP4 239.33.0.2/127
a=fec-repair-flow: encoding-id=10; ss-fssi=n:7,k:5
a=mid:R1
`,
    mediaTypes: ['video/MP2T'],
    legs: [leg('239.33.0.1', null, 30_000)],
  },
  'ST 2110-22: a byte order mark and an empty line first, empty lines between streams, bandwidth': {
    text: `\uFEFF
v=0
o=- 22 1 IN IP4 10.22.0.1
s=JPEG XS
e=support@example.org
t=0 0

m=video 5004 RTP/AVP 112
b=AS:116000
c=IN IP4 239.22.0.1/32
a=source-filter: incl IN IP4 239.22.0.1 10.22.0.1
a=rtpmap:112 jxsv/90000
a=fmtp:112 packetmode=0;profile=High444.12;level=1k-1;sublevel=Sublev3bpp;
a=fmtp:112 width=1920; height=1080; exactframerate=50; TP=2110TPNL
a=framerate:50

a=mediaclk:direct=0
`,
    mediaTypes: ['video/jxsv'],
    legs: [leg('239.22.0.1', '10.22.0.1')],
  },
};

it.each(Object.entries(devices))('%s', (_, { text, mediaTypes, legs }) => {
  expect(readSession(text, legs.length, mediaTypes)).toEqual(legs);
  // However its lines end, and also for a receiver that has one path.
  for (const end of ['\n', '\r\n', '\r', ' \r\n'])
    expect(readSession(text.replaceAll(/\r?\n/g, end), 1, mediaTypes)).toEqual(legs.slice(0, 1));
  expect(() => readSession(text, 1, ['audio/other'])).toThrow('but this receiver accepts audio/other');
});
